"""Tests of the API above the encodings: hooks, TextDecoder, streams, Python's codecs, the webencodings drop-in."""
