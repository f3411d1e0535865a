"""Text edited in place, where what an edit does not concern keeps its bytes, and files replaced in one step."""
