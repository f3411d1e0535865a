"""A server of the Model Context Protocol, with which agents edit files in any encoding below one folder.

``whatwg-encoding mcp [ROOT]`` runs it on standard input and output. An edit keeps the encoding, the line ends and every
byte outside of it, and replaces the file in one step with its mode, owner and attributes. The server needs the extra
``mcp``, the official package of that name.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

import whatwg_encoding as we
from whatwg_encoding import sniff

from . import files
from ._mcp.root import File, Root
from ._mcp.text import (
    LINE_END,
    LINES,
    Range,
    Texts,
    described,
    line_end,
    numbered,
    refuse_if,
    replacements,
    unencodable,
)
from .editing import ByLineText, Refusal, escaped

__all__ = ["Tools", "make_server"]

_TRIES = 16  # while other programs change the same file
_LOCKS = 4096
_GUESSES = 8
_INSTRUCTIONS = (
    "Read and edit text files in any encoding (Shift_JIS, GBK, windows-1252, UTF-16 …) with these tools instead of "
    "tools that assume UTF-8, which lose characters. Text is given and taken as Unicode; the file keeps its encoding, "
    "its line ends and every byte that an edit does not concern."
)


class Tools:
    """The tools of the server, confined to a folder. If something is refused, the exception gives the reason.

    ``candidates``: the only encodings, labels or names of code pages that may be detected. ``exclude``: encodings or
    labels that never are.
    """

    def __init__(
        self,
        root: str,
        candidates: Iterable[we.Encoding | str] | None = None,
        exclude: Iterable[we.Encoding | str] = (),
    ) -> None:
        self._root = Root(root)
        given = None if candidates is None else sniff.checked_encodings(candidates, "candidates", pages=True)
        self._limits = sniff.checked_encodings(exclude, "exclude"), given
        sniff.crawl_file(b"", exclude=self._limits[0], candidates=self._limits[1])  # which refuses what is of no use
        self._texts = Texts(*self._limits)
        self._locks: dict[str, Any] = {}  # of files, by real path

    def read_file(self, path: str, encoding: str | None = None, offset: int = 1, limit: int = LINES) -> str:
        """Return the text of a file with line numbers, after a line with its encoding and line ends.

        path: relative to the root. encoding: a label such as shift_jis, or a code page such as cp850; detected by
        default. offset: the first line, from 1. limit: the number of lines. A line begins with its number and a tab,
        which do not belong to the text.
        """
        file = self._root.file(path)
        content = self._texts.read(file, encoding)
        return numbered(file, content.document, offset, limit, content.guess.margin if content.guess else None)

    def edit_file(
        self, path: str, old_string: str, new_string: str, replace_all: bool = False, encoding: str | None = None
    ) -> str:
        """Replace a text in a file, which keeps its encoding, its line ends and every other byte.

        old_string: the exact text, which occurs once in the file unless replace_all is set; any line ends match.
        new_string: the new text. If the file's encoding lacks one of its characters, nothing is written.
        """
        file = self._root.file(path)

        def edit(text: str) -> tuple[list[Range], str]:
            ranges = replacements(file, text, old_string, new_string, replace_all)
            return ranges, f"replaced {len(ranges)} time{'s' * (len(ranges) > 1)}"

        return self._change(file, encoding, edit)

    def write_file(self, path: str, content: str, encoding: str | None = None) -> str:
        """Write the whole text of a file. An existing file keeps its encoding, its line ends and unchanged bytes.

        encoding: for a new file, UTF-8 by default; for an existing file, its encoding, detected by default.
        """
        file = self._root.file(path)
        try:
            file.read()
        except FileNotFoundError:
            return self._create(file, content, encoding)

        def edit(former: str) -> tuple[list[Range], str]:
            new = LINE_END.sub(line_end(former), content) if former else content
            return [(0, len(former), new)], "written"

        return self._change(file, encoding, edit)

    def detect_encoding(self, path: str) -> str:
        """Return the encodings that a file may be in, the likeliest first, with scores in bits (fewer are likelier)."""
        data = self._root.file(path).read()
        exclude, candidates = self._limits
        guesses = sniff.detect(data, exclude=exclude, candidates=candidates)[:_GUESSES]
        kind = "binary data, rather than text\n" if sniff.is_binary(data) else ""
        return kind + "\n".join(f"{guess.encoding.name}\t{guess.score} bits" for guess in guesses)

    def convert(self, path: str, target: str, encoding: str | None = None) -> str:
        """Convert a file to another encoding, if no character is lost.

        target: a label such as utf-8. encoding: its present encoding, detected by default. Declarations in the text,
        such as a charset in HTML, are not changed.
        """
        wanted = files.file_encoding(target)
        if not wanted.has_encoder:
            raise Refusal(f"{wanted.name} cannot be written")
        file = self._root.file(path)
        with self._lock_of(file):
            for _ in range(_TRIES):
                content = self._texts.read(file, encoding)
                data, document = content.data, content.document
                if document.encoding is wanted and not isinstance(document, ByLineText):
                    return f"is in {wanted.name} already"
                if content.guess is not None:
                    refuse_if(file, content.guess.doubt_of_text())
                is_mixed = isinstance(document, ByLineText)
                if "\ufffd" in document.text if is_mixed else document.encoding.valid_up_to(data) < len(data):
                    reason = f"has malformed bytes in {document.encoding.name}"
                    raise Refusal(f"{file}: {reason}, which would be lost; nothing was written")
                try:
                    result = wanted.encode(document.text, "fatal")
                except UnicodeEncodeError as error:
                    raise Refusal(f"{file}: {unencodable(error, wanted)}") from None
                marked = files.sniff_file_bom(result)[0]
                if marked not in (None, wanted):
                    reason = f"would begin with the byte order mark of {marked.name}, and be read in that encoding"
                    raise Refusal(f"{file}: {reason}; nothing was written")
                if wanted.decode(result) != document.text:
                    raise Refusal(f"{file}: some characters could not be converted back from {wanted.name}")
                if file.replace(data, result):
                    self._texts.written(file, wanted)
                    return f"converted from {document.encoding.name} to {wanted.name}"
        raise Refusal(f"{file}: other programs keep changing it; nothing was written")

    def _lock_of(self, file: File) -> Any:
        """Return the lock of a file, for one change of it at a time; those of other files go on."""
        if len(self._locks) >= _LOCKS:
            self._locks.clear()  # as if another program changed what is being changed
        return self._locks.setdefault(file.real, threading.Lock())

    def _create(self, file: File, content: str, encoding: str | None) -> str:
        target = we.UTF_8 if encoding is None else files.file_encoding(encoding)
        document = we.ByteExactText(b"", target)
        try:
            document.update(content)
        except UnicodeEncodeError as error:
            raise Refusal(f"{file}: {unencodable(error, target)}") from None
        file.create(document.encode())
        self._texts.written(file, target)
        return f"made: {described(document)}"

    def _change(self, file: File, encoding: str | None, edit: Callable[[str], tuple[list[Range], str]]) -> str:
        """Edit a file, again if another program has changed it meanwhile, and return what was done."""
        with self._lock_of(file):
            for _ in range(_TRIES):
                content = self._texts.read(file, encoding)
                data, document = content.data, content.document
                former = document.text
                ranges, done = edit(former)
                try:
                    document.replace_ranges(ranges)
                except UnicodeEncodeError as error:
                    if content.guess is not None:
                        refuse_if(file, content.guess.doubt_of_characters({error.object[error.start]}))
                    raise Refusal(f"{file}: {unencodable(error, document.encoding, former)}") from None
                except we.EditRefusedError as error:
                    raise Refusal(f"{file}: {error}; nothing was written") from None
                result = document.encode()
                if result != data and content.guess is not None:
                    is_sure_at = document.is_utf_8_at if isinstance(document, ByLineText) else None
                    refuse_if(file, content.guess.doubt_of_changes(former, ranges, is_sure_at))
                if result == data or file.replace(data, result):
                    self._texts.edited(file, result)
                    return f"{done}: {described(document)}"
        raise Refusal(f"{file}: other programs keep changing it; nothing was written")


def _reporting(tool: Callable[..., str], error_type: type[Exception]) -> Callable[..., str]:
    """Return a tool that tells the agent why it failed."""

    @functools.wraps(tool)
    def run(*arguments: Any, **named: Any) -> str:
        try:
            result = tool(*arguments, **named)
        except (Refusal, we.UnknownLabelError, we.EncoderUnavailableError) as error:
            raise error_type(str(error)) from None
        except OSError as error:
            raise error_type(f"{escaped(str(error.filename))}: {error.strerror}") from None
        except UnicodeError as error:
            raise error_type(f"the text cannot be used: {error}") from None
        return result.encode("utf-8", "replace").decode("utf-8")

    return run


def make_server(
    root: str = ".",
    candidates: Iterable[we.Encoding | str] | None = None,
    exclude: Iterable[we.Encoding | str] = (),
) -> Any:
    """Return the server for a folder, an object of the ``mcp`` package whose ``run()`` serves standard input.

    ``candidates`` and ``exclude`` limit what may be detected if the agent names no encoding: see ``Tools``.
    Raise ImportError without the extra ``mcp``, and Refusal, with the reason, if there is no such folder.

    >>> make_server(".").name
    'whatwg-encoding'
    """
    server_type, error_type, options = _package()
    tools = Tools(root, candidates, exclude)
    server = server_type("whatwg-encoding", instructions=_INSTRUCTIONS, **options)
    for tool in (tools.read_file, tools.edit_file, tools.write_file, tools.detect_encoding, tools.convert):
        server.tool(structured_output=False)(_reporting(tool, error_type))
    return server


def _package() -> tuple[Any, type[Exception], dict[str, str]]:
    """Return the class of servers, the exception whose message an agent gets, and options, of either major version."""
    versions: tuple[tuple[str, str, dict[str, str]], ...] = (
        ("mcp.server.mcpserver", "MCPServer", {"version": we.__version__}),
        ("mcp.server.fastmcp", "FastMCP", {}),
    )
    for module, name, options in versions:
        try:
            return getattr(import_module(module), name), import_module(f"{module}.exceptions").ToolError, options
        except ImportError:
            continue
    raise ImportError("this needs the package mcp: pip install 'whatwg-encoding[mcp]'")
