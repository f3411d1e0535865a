"""The Encoding Standard transcribed step by step: the oracle that the compiled package is compared with.

Slow and obvious. Every algorithm has the standard's name, its numbered steps as comments and its anchor under
https://encoding.spec.whatwg.org/; it reads data/ and nothing that was generated from it. One module for each chapter:

- `io_queue`: I/O queues (chapter 3)
- `processing`: decoders, encoders, error modes, "process a queue" (section 4.1)
- `encodings`: names, labels, "get an encoding", "get an output encoding" (sections 4.2 and 4.3)
- `indexes`: indexes and how pointers and code points are looked up in them (chapter 5)
- `hooks`, `api`: chapters 6 and 7
- `utf_8` to `miscellaneous`: the handlers (chapters 8 to 14)

`oracle` is what tests call: it runs the above on whole inputs, or chunk by chunk, and says where the errors are.
"""
