"""Edit text of any encoding and keep all bytes that the edit does not concern; replace files in one step.

``ByteExactText.write``, the command line and the server for agents replace files by ``replacement`` and
``replace_content``.
"""

from __future__ import annotations

from ._editing.files import (
    AT_ONCE,
    Changed,
    Refusal,
    escaped,
    naming,
    opened,
    refuse_read_only,
    replace_content,
    replacement,
    status,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._decoding.by_line import other_lines
    from ._editing.by_line import ByLineText, by_line
    from ._editing.byte_exact import (
        ByteExactText,
        EditRefusedError,
        byte_changes,
        encode_anew,
        reencode,
        replace_everywhere,
    )
    from ._editing.difference import differences, narrowed
    from ._editing.encoder import Errors as Errors
    from ._editing.encodings import DOUBT, GuessedEncoding, guessed
    from ._editing.source import Place, PositionMap

__all__ = [
    "AT_ONCE", "DOUBT", "ByLineText", "ByteExactText", "Changed", "EditRefusedError", "GuessedEncoding", "Place",
    "PositionMap", "Refusal", "by_line", "byte_changes", "differences", "encode_anew", "escaped", "guessed", "naming",
    "narrowed", "opened", "other_lines", "reencode", "refuse_read_only", "replace_content", "replace_everywhere",
    "replacement", "status",
]  # fmt: skip

# Module → its names, loaded on first use: most commands replace files and edit nothing.
_LAZY = {
    "_decoding.by_line": "other_lines",
    "_editing.by_line": "ByLineText by_line",
    "_editing.byte_exact": "ByteExactText EditRefusedError byte_changes encode_anew reencode replace_everywhere",
    "_editing.difference": "differences narrowed",
    "_editing.encodings": "DOUBT GuessedEncoding guessed",
    "_editing.source": "Place PositionMap",
}


def __getattr__(name: str) -> object:
    for module, names in _LAZY.items():
        if name in names.split():
            from importlib import import_module

            return globals().setdefault(name, getattr(import_module(f"{__package__}.{module}"), name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
