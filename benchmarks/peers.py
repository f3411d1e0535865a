"""The contenders: this package and its peers, as Python statements to time.

A statement leaves its value in ``result``. It finds the input as ``data`` or ``text``; the previous value stays alive
until the next one is assigned, for all contenders.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from random import Random
from typing import Any, Literal

import whatwg_encoding as we
from benchmarks import ROWS

Direction = Literal["decode", "encode"]

OURS = "whatwg-encoding"
CPYTHON = "CPython"

#: The module that the statements of each peer import. CPython is always available.
PEER_MODULES: Mapping[str, str] = {"webencodings": "webencodings", "turbohtml": "turbohtml.detect", "endec": "endec"}


def cpython_codec(encoding: we.Encoding) -> str | None:
    """Return Python's closest codec to ``encoding``, None if there is none."""
    codec: str = ROWS["codecs"].get(encoding.name, encoding.name.lower().replace("windows-", "cp"))
    return codec or None


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
    return Contender(OURS, f"result = {call}", f"import whatwg_encoding as we; encoding = we.lookup({encoding.name!r})")


def contenders(encoding: we.Encoding, direction: Direction) -> list[Contender]:
    """Return this package and every peer that knows ``encoding``."""
    given = {"label": encoding.name.lower(), "codec": cpython_codec(encoding)}
    peers = [
        Contender(name, f"result = {call.format_map(given)}", setup.format_map(given))
        for name, (setup, call) in ROWS["contenders"][direction].items()
        # endec caches the UTF-8 form in the string: from the second call, this is a copy of it.
        if (direction, name, encoding.name) != ("encode", "endec", "UTF-8") and (given["codec"] or name != CPYTHON)
    ]
    first = ours(encoding, "encoding.decode(data)" if direction == "decode" else "encoding.encode(text)")
    return [first, *available(peers, {"data": b"", "text": ""})]


def available(
    candidates: Iterable[Contender], inputs: Mapping[str, object], is_right: Callable[[object], bool] = lambda _: True
) -> Iterator[Contender]:
    """Yield the contenders that are installed and whose result on the inputs is right."""
    for candidate in candidates:
        with contextlib.suppress(Exception):  # Each library has its own exceptions.
            if is_right(candidate.run(inputs)):
                yield candidate


@cache
def _probes(direction: Direction) -> tuple[Any, ...]:
    """Return what distinguishes coders: bytes, alone or before a boundary, and short sequences; code points."""
    if direction == "encode":
        return tuple(chr(each) for each in (*range(0x800), *range(0x800, 0x30000, 7)) if not 0xD800 <= each <= 0xDFFF)
    borders = b"\x00\x1b$(BJ0 9?@A~\x7f\x80\x81\x8e\x8f\xa0\xa1\xd8\xdc\xdf\xe0\xe3\xed\xf0\xfc\xfd\xfe\xff"
    random = Random(0)
    single = [bytes((byte,)) for byte in range(256)]
    double = [bytes((leading, trailing)) for leading in range(256) for trailing in borders]
    return (*single, *double, *(bytes(random.choices(borders, k=random.randint(3, 8))) for _ in range(3000)))


@cache
def same_semantics(encoding: we.Encoding, direction: Direction) -> frozenset[str]:
    """Return the peers with the same results as this package on every probe, including errors."""
    loop = "results = []\nfor data in probes:\n    text = data; {}\n    results.append(result)\nresult = results"
    inputs = {"probes": _probes(direction)}
    first, *others = (replace(one, statement=loop.format(one.statement)) for one in contenders(encoding, direction))
    expected = first.run(inputs)
    return frozenset(one.name for one in available(others, inputs, lambda results: results == expected))


def encoded(encoding: we.Encoding, text: str) -> bytes:
    """Return ``text`` in ``encoding``, encoded by CPython if the standard has no encoder for it."""
    return encoding.encode(text) if encoding.has_encoder else text.encode(cpython_codec(encoding) or "utf-8")


@cache
def representable(encoding: we.Encoding, characters: str) -> frozenset[str]:
    """Return those of ``characters`` that round-trip equally in ``encoding`` and in CPython's codec."""
    codec = cpython_codec(encoding) or "utf-8"
    kept = set()
    for character in characters:
        with contextlib.suppress(UnicodeError):
            data = character.encode(codec)
            is_equal = not encoding.has_encoder or encoding.encode(character, "fatal") == data
            if is_equal and encoding.decode(data) == data.decode(codec) == character:
                kept.add(character)
    return frozenset(kept)
