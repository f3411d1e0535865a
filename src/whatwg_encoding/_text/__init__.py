"""Decoded text: what was misread, many short strings of one unknown encoding, and files as UTF-8."""
