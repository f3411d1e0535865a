"""Decoding of whole data, chunks and files whose encoding the context or the bytes determine."""
