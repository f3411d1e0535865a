"""Text that was read in a wrong encoding, and many short strings of one unknown encoding."""
