"""Replace files in one step, as ``ByteExactText.write``, the command line and the server for agents do."""

from __future__ import annotations

from ._editing.files import Changed, Refusal, replace_content, replacement

__all__ = ["Changed", "Refusal", "replace_content", "replacement"]
