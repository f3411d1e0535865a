"""The API above the encodings: hooks, TextDecoder and streams, Python's codecs, the drop-in for webencodings."""
