"""Text edited in place: what an edit does not concern keeps its bytes."""
