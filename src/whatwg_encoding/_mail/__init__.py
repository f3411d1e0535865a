"""Mail: charsets, encoded words, header fields, and the messages that ``whatwg_encoding.mail`` makes."""
