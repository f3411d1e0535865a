"""The fuzz target of the tools for agents."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

import whatwg_encoding as we
from whatwg_encoding._editing.files import Refusal
from whatwg_encoding.mcp import Tools


@functools.cache
def _folder() -> tuple[tempfile.TemporaryDirectory[str], Tools]:
    folder = tempfile.TemporaryDirectory()
    return folder, Tools(folder.name)


def agent_calls(data: bytes) -> None:
    """Read and edit a file of arbitrary content, and read from an arbitrary path: nothing else changes."""
    folder, tools = _folder()
    names = list(we.ENCODINGS)
    content, choice = data[1:], data[0] if data else 0
    path = Path(folder.name, "file")
    path.write_bytes(content)
    label = names[choice % len(names)] if choice < 200 else None
    try:
        tools.read_file("file", label).encode()
        text = we.ByteExactText(content, label).text if label else ""
        old, new = text[choice % 7 : choice % 7 + 3], text[-2:] + "x\n"
        tools.edit_file("file", old, new, replace_all=True, encoding=label)
    except (Refusal, we.UnknownLabelError, we.EncoderUnavailableError):
        assert path.read_bytes() == content
    else:
        document = we.ByteExactText(path.read_bytes(), label or "utf-8")
        if "\r" not in text and "\r" not in new:
            assert document.text == text.replace(old, new), (label, content)
    for hostile in (content.decode("latin-1"), content.decode("utf-8", "surrogateescape")):
        try:
            tools.detect_encoding(hostile)
        except (Refusal, OSError):
            pass
        else:
            assert Path(folder.name, hostile).resolve() == path.resolve()
