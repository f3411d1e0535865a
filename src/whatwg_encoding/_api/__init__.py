"""The standard's interfaces: indexes, hooks and the JavaScript-like API; and readers of files."""
