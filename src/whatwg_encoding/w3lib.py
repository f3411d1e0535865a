"""w3lib.encoding."""
