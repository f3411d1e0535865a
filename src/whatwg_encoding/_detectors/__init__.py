"""What the drop-ins for other detectors share: Python's codecs as candidates, and their ranking for given bytes."""
