"""The contenders: how this package and its peers are called, as Python statements that anyone can time.

A statement leaves its value in ``result``. It finds the input as ``data`` or ``text``; the previous value stays alive
until the next one is there, for everyone alike.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
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

#: Peer → the module that its statements import. CPython is always there.
PEER_MODULES: Mapping[str, str] = {"webencodings": "webencodings", "turbohtml": "turbohtml.detect", "endec": "endec"}

#: The codecs of Python that come nearest where the standard's name is not theirs. Web pages labelled Shift_JIS, EUC-KR
#: and Big5 hold the characters that Microsoft and Hong Kong added, and so do these.
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
    """The codec of Python that comes nearest to ``encoding``; None where there is none."""
    return _CPYTHON_CODECS.get(encoding.name, encoding.name.lower().replace("windows-", "cp"))


@dataclass(frozen=True)
class Contender:
    """One way to do a job: ``statement`` is timed, ``setup`` is run once before."""

    name: str
    statement: str
    setup: str = "pass"

    def run(self, inputs: Mapping[str, Any]) -> object:
        """What ``statement`` leaves in ``result``."""
        names = dict(inputs)
        exec(f"{self.setup}\n{self.statement}", names)
        return names["result"]


@cache
def installed() -> Mapping[str, str]:
    """Peers that can be imported here → their versions."""
    found = {}
    for peer, module in PEER_MODULES.items():
        with contextlib.suppress(ImportError, PackageNotFoundError):
            import_module(module)
            found[peer] = version(peer)
    return found


def ours(encoding: we.Encoding, call: str) -> Contender:
    """This package; ``call`` is what is done with ``encoding``."""
    setup = f"import whatwg_encoding as we; encoding = we.lookup({encoding.name!r})"
    return Contender(OURS, f"result = encoding.{call}", setup)


def decoders(encoding: we.Encoding) -> list[Contender]:
    """This package, first, and every peer that has a decoder for ``encoding``; errors are replaced."""
    return [ours(encoding, "decode(data)"), *_available(encoding, _peer_decoders(encoding), {"data": b""})]


def encoders(encoding: we.Encoding) -> list[Contender]:
    """This package, first, and every peer that has an encoder for ``encoding``; errors become character references."""
    return [ours(encoding, "encode(text)"), *_available(encoding, _peer_encoders(encoding), {"text": ""})]


def contenders(encoding: we.Encoding, direction: Direction) -> list[Contender]:
    """:func:`decoders` or :func:`encoders`."""
    return decoders(encoding) if direction == "decode" else encoders(encoding)


def _peer_decoders(encoding: we.Encoding) -> Iterator[Contender]:
    label = encoding.name.lower()
    if codec := cpython_codec(encoding):
        yield Contender(CPYTHON, f'result = data.decode("{codec}", "replace")')
    yield Contender(
        "webencodings",
        "result = webencodings.decode(data, encoding)[0]",
        f'import webencodings; encoding = webencodings.lookup("{label}")',
    )
    yield Contender("turbohtml", f'result = data.decode("whatwg-{label}", "replace")', "import turbohtml.detect")
    yield Contender("endec", f'result = endec.decode(data, "{label}", "replace", bom="ignore")', "import endec")


def _peer_encoders(encoding: we.Encoding) -> Iterator[Contender]:
    label = encoding.name.lower()
    if codec := cpython_codec(encoding):
        yield Contender(CPYTHON, f'result = text.encode("{codec}", "xmlcharrefreplace")')
    yield Contender(
        "webencodings",
        'result = webencodings.encode(text, encoding, "xmlcharrefreplace")',
        f'import webencodings; encoding = webencodings.lookup("{label}")',
    )
    # It leaves the UTF-8 form in the string: from the second call on, this is a copy of what is there.
    if encoding.name != "UTF-8":
        yield Contender("endec", f'result = endec.encode(text, "{label}", "xmlcharrefreplace")', "import endec")


def _available(
    encoding: we.Encoding, candidates: Iterator[Contender], empty: Mapping[str, object]
) -> Iterator[Contender]:
    """Those that are installed and know ``encoding``."""
    for candidate in candidates:
        if candidate.name != CPYTHON and candidate.name not in installed():
            continue
        try:
            candidate.run(empty)
        except Exception:  # each library has errors of its own for an encoding that it has not
            continue
        yield candidate


# --- Who means the same -----------------------------------------------------------------------------------------------


@cache
def _byte_probes() -> tuple[bytes, ...]:
    """Short sequences that tell decoders apart: every byte, every byte before border trails, and some longer ones."""
    borders = b"\x00\x1b$(BJ0 9?@A~\x7f\x80\x81\x8e\x8f\xa0\xa1\xd8\xdc\xdf\xe0\xe3\xed\xf0\xfc\xfd\xfe\xff"
    random = Random(0)
    single = [bytes((byte,)) for byte in range(256)]
    double = [bytes((lead, trail)) for lead in range(256) for trail in borders]
    longer = [bytes(random.choices(borders, k=random.randint(3, 8))) for _ in range(3000)]
    return (*single, *double, *longer)


@cache
def _text_probes() -> tuple[str, ...]:
    """Characters that tell encoders apart: the first 2,048 and every seventh to U+2FFFF, surrogates aside."""
    code_points = (*range(0x800), *range(0x800, 0x30000, 7))
    return tuple(chr(code_point) for code_point in code_points if not 0xD800 <= code_point <= 0xDFFF)


@cache
def same_semantics(encoding: we.Encoding, direction: Direction) -> frozenset[str]:
    """The peers that answer as this package does on every probe, errors included."""
    name, probes = ("data", _byte_probes()) if direction == "decode" else ("text", _text_probes())
    expected: list[object] = [encoding.decode(p) if isinstance(p, bytes) else encoding.encode(p) for p in probes]
    agree = set()
    for contender in contenders(encoding, direction)[1:]:
        names: dict[str, Any] = {"probes": probes, "expected": expected}
        loop = (
            f"for {name}, answer in zip(probes, expected):\n    {contender.statement}\n    if result != answer: break\n"
        )
        try:
            exec(f"{contender.setup}\n{loop}else: agrees = True", names)
        except Exception:  # an error where there is a replacement is another answer
            continue
        if names.get("agrees"):
            agree.add(contender.name)
    return frozenset(agree)


@cache
def representable(encoding: we.Encoding, characters: str) -> frozenset[str]:
    """Those of ``characters`` that make the round trip in ``encoding`` and, alike, in CPython's codec."""
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
