"""The packages that decode and encode as this one does, and what they have in common."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

import whatwg_encoding as we
from benchmarks import CODECS

OURS = "whatwg-encoding"
CPYTHON = "CPython"

#: The module that the statements of each peer import. CPython is always available.
PEER_MODULES: Mapping[str, str] = {"webencodings": "webencodings", "turbohtml": "turbohtml.detect", "endec": "endec"}


def cpython_codec(encoding: we.Encoding) -> str | None:
    """Return Python's closest codec to ``encoding``, None if there is none."""
    return codec_of(encoding.name) or None


def codec_of(name: str) -> str:
    """Return Python's closest codec to the encoding of this name, nothing if there is none."""
    codec: str = CODECS.get(name, name.lower().replace("windows-", "cp"))
    return codec


@cache
def installed() -> Mapping[str, str]:
    """Return the versions of the installed peers."""
    versions = {}
    for peer, module in PEER_MODULES.items():
        with contextlib.suppress(ImportError, PackageNotFoundError):
            import_module(module)
            versions[peer] = version(peer)
    return versions


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
