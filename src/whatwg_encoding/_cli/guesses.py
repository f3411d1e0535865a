"""``sniff --all``: what a text may be in, with the score of each encoding and a line as it reads."""

from __future__ import annotations

import argparse

from .._prescan import prescan
from .._sniff.detection import Guess, detect
from ..mime import transport_encoding
from .output import shown

_EXCERPT = 60


def _line(data: bytes, guess: Guess) -> str:
    """Return the first line of the text that has a character beyond ASCII, or else the first that is not empty."""
    lines = [line.strip() for line in guess.encoding.decode(data).splitlines() if line.strip()]
    line = next((line for line in lines if not line.isascii()), lines[0] if lines else "")
    place = next((place for place, character in enumerate(line) if not character.isascii()), 0)
    start = max(0, place - _EXCERPT // 2)
    return line[start : start + _EXCERPT]


def report(path: str, data: bytes, options: argparse.Namespace) -> str:
    """Return the lines that are printed for a file: a heading and one for each guess, or a JSON object."""
    guesses = detect(data, declared=(transport_encoding(options.content_type), prescan(data)), tld=options.tld)
    head = data[: 1 << 16]
    if options.json:
        import json

        found = [
            {"encoding": guess.encoding.name, "score": guess.score, "margin": guess.margin, "line": _line(head, guess)}
            for guess in guesses
        ]
        return json.dumps({"file": path, "guesses": found})
    rows = [f"{guess.encoding.name:14} {guess.score:7} bits  {_printable(_line(head, guess))}" for guess in guesses]
    return "\n  ".join([f"{shown(path)}:", *map(str.rstrip, rows)])


def _printable(text: str) -> str:
    """Return text without what would control the terminal."""
    return "".join(character if character.isprintable() else "\ufffd" for character in text)
