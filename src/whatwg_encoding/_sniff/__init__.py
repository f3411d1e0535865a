"""The most likely encoding of text: candidates, hints, and the decision of a crawler."""
