"""What the tools of ``whatwg_encoding.mcp`` do: files below a root, and their text."""
