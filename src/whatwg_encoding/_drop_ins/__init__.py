"""What the drop-ins share: how they replace other packages' modules, Python's codecs as candidates, and ranking."""
