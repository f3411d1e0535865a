"""The explorer: one page that decodes, encodes, detects and shows the indexes, with the engine as WebAssembly in it."""
