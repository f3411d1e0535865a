"""The documentation: its sources, and what generates the pages that are facts. `python -m docs` builds it."""
