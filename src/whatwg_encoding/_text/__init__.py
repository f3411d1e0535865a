"""Decoded text: what was read with the wrong encoding, and many short strings of one unknown encoding; files as UTF-8."""
