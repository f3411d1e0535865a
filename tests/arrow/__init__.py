"""Tests of whatwg_encoding.arrow, with the libraries that exchange columns with it."""
