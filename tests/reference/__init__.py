"""The Encoding Standard, literally: the oracle that the compiled package is compared with.

Slow and obvious. Every algorithm has its anchor under https://encoding.spec.whatwg.org/ and the numbers of its steps as
comments; it reads data/. The decoders, encoders and operations on indexes are compiled from the standard's text, the
rest is transcribed from it:

- `io_queue`: I/O queues (chapter 3)
- `processing`: decoders, encoders, error modes, "process a queue" (section 4.1)
- `compiled`: the handlers, and the operations on indexes (chapters 5 and 8 to 14), emitted by the generator
- `encodings`: names, labels, "get an encoding", "get an output encoding" (sections 4.2 and 4.3)
- `indexes`: how pointers and code points are looked up in an index (chapter 5)
- `hooks`, `api`: chapters 6 and 7

`oracle` is what tests call: it runs the above on whole inputs, or chunk by chunk, and says where the errors are.
"""
