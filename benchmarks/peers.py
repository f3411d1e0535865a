"""The contenders: this package and its peers, as Python statements to time.

A statement leaves its value in ``result``. It finds the input as ``data`` or ``text``; the previous value stays alive
until the next one is assigned, for all contenders.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from random import Random
from typing import Any, Literal

import whatwg_encoding as we

Direction = Literal["decode", "encode"]

OURS = "whatwg-encoding"
CPYTHON = "CPython"

#: The module that the statements of each peer import. CPython is always available.
PEER_MODULES: Mapping[str, str] = {"webencodings": "webencodings", "turbohtml": "turbohtml.detect", "endec": "endec"}

#: Python's closest codecs where it has none of the standard's name. Like web pages labelled Shift_JIS, EUC-KR and Big5,
#: these include the characters that Microsoft and Hong Kong added.
_CPYTHON_CODECS: Mapping[str, str | None] = {
    "IBM866": "cp866",
    "ISO-8859-8-I": "iso8859-8",
    "macintosh": "mac-roman",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac-cyrillic",
    "Big5": "big5hkscs",
    "Shift_JIS": "cp932",
    "EUC-KR": "cp949",
    "UTF-16BE": "utf-16-be",
    "UTF-16LE": "utf-16-le",
    "replacement": None,
    "x-user-defined": None,
}


def cpython_codec(encoding: we.Encoding) -> str | None:
    """Return Python's closest codec to ``encoding``, None if there is none."""
    return _CPYTHON_CODECS.get(encoding.name, encoding.name.lower().replace("windows-", "cp"))


@dataclass(frozen=True)
class Contender:
    """One way to perform a conversion: ``statement`` is timed, ``setup`` is run once before."""

    name: str
    statement: str
    setup: str = "pass"

    def run(self, inputs: Mapping[str, Any]) -> object:
        """Return the value that ``statement`` assigns to ``result``."""
        names = dict(inputs)
        exec(f"{self.setup}\n{self.statement}", names)
        return names["result"]


def optional(module: str) -> Any:
    """Return a module, None without it."""
    try:
        return import_module(module)
    except ImportError:
        return None


@cache
def installed() -> Mapping[str, str]:
    """Return the versions of the installed peers."""
    found = {}
    for peer, module in PEER_MODULES.items():
        with contextlib.suppress(ImportError, PackageNotFoundError):
            import_module(module)
            found[peer] = version(peer)
    return found


def ours(encoding: we.Encoding, call: str) -> Contender:
    """Return this package's contender; ``call`` is the expression on ``encoding``."""
    setup = f"import whatwg_encoding as we; encoding = we.lookup({encoding.name!r})"
    return Contender(OURS, f"result = {call}", setup)


def contenders(encoding: we.Encoding, direction: Direction) -> list[Contender]:
    """Return this package and every peer that knows ``encoding``.

    Decoders replace errors, encoders write character references for them.
    """
    label, codec = encoding.name.lower(), cpython_codec(encoding)
    lookup = f'import webencodings; encoding = webencodings.lookup("{label}")'
    found: dict[str, tuple[str, str]] = {}
    if direction == "decode":
        if codec:
            found[CPYTHON] = f'data.decode("{codec}", "replace")', "pass"
        found["webencodings"] = "webencodings.decode(data, encoding)[0]", lookup
        found["turbohtml"] = f'data.decode("whatwg-{label}", "replace")', "import turbohtml.detect"
        found["endec"] = f'endec.decode(data, "{label}", "replace", bom="ignore")', "import endec"
    else:
        if codec:
            found[CPYTHON] = f'text.encode("{codec}", "xmlcharrefreplace")', "pass"
        found["webencodings"] = 'webencodings.encode(text, encoding, "xmlcharrefreplace")', lookup
        # endec caches the UTF-8 form in the string: from the second call, this is a copy of it.
        if encoding.name != "UTF-8":
            found["endec"] = f'endec.encode(text, "{label}", "xmlcharrefreplace")', "import endec"
    peers = (Contender(name, f"result = {call}", setup) for name, (call, setup) in found.items())
    first = ours(encoding, "encoding.decode(data)" if direction == "decode" else "encoding.encode(text)")
    return [first, *available(peers, {"data": b"", "text": ""})]


def available(candidates: Iterable[Contender], inputs: Mapping[str, object]) -> Iterator[Contender]:
    """Yield the contenders that are installed and run with the inputs, such as the empty text of an encoding."""
    for candidate in candidates:
        with contextlib.suppress(Exception):  # Libraries raise different exceptions for an unknown encoding.
            candidate.run(inputs)
            yield candidate


# --- Equivalence ------------------------------------------------------------------------------------------------------


@cache
def _byte_probes() -> tuple[bytes, ...]:
    """Return short sequences that distinguish decoders: each byte, alone or before a boundary, and random ones."""
    borders = b"\x00\x1b$(BJ0 9?@A~\x7f\x80\x81\x8e\x8f\xa0\xa1\xd8\xdc\xdf\xe0\xe3\xed\xf0\xfc\xfd\xfe\xff"
    random = Random(0)
    single = [bytes((byte,)) for byte in range(256)]
    double = [bytes((leading, trailing)) for leading in range(256) for trailing in borders]
    longer = [bytes(random.choices(borders, k=random.randint(3, 8))) for _ in range(3000)]
    return (*single, *double, *longer)


@cache
def _text_probes() -> tuple[str, ...]:
    """Return characters that distinguish encoders: the first 2,048 and every seventh to U+2FFFF, except surrogates."""
    code_points = (*range(0x800), *range(0x800, 0x30000, 7))
    return tuple(chr(code_point) for code_point in code_points if not 0xD800 <= code_point <= 0xDFFF)


@cache
def same_semantics(encoding: we.Encoding, direction: Direction) -> frozenset[str]:
    """Return the peers with the same results as this package on every probe, including errors."""
    name, probes = ("data", _byte_probes()) if direction == "decode" else ("text", _text_probes())
    expected: list[object] = [encoding.decode(p) if isinstance(p, bytes) else encoding.encode(p) for p in probes]
    agree = set()
    for contender in contenders(encoding, direction)[1:]:
        names: dict[str, Any] = {"probes": probes, "expected": expected}
        loop = f"for {name}, answer in zip(probes, expected):\n    {contender.statement}\n    assert result == answer"
        with contextlib.suppress(Exception):  # An exception where there is a replacement is a different result.
            exec(f"{contender.setup}\n{loop}", names)
            agree.add(contender.name)
    return frozenset(agree)


@cache
def representable(encoding: we.Encoding, characters: str) -> frozenset[str]:
    """Return those of ``characters`` that round-trip equally in ``encoding`` and in CPython's codec."""
    codec = cpython_codec(encoding)
    kept = set()
    for character in characters:
        with contextlib.suppress(UnicodeError):
            if encoding.has_encoder:
                data = encoding.encode(character, "fatal")
            else:
                assert codec is not None
                data = character.encode(codec)
            theirs_too = codec is None or (data.decode(codec) == character and character.encode(codec) == data)
            if theirs_too and encoding.decode(data) == character:
                kept.add(character)
    return frozenset(kept)
