"""The commands ``inspect`` and ``labels`` of the command line."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from functools import cache
from itertools import chain

from .. import ENCODINGS
from ..files import quote
from .arguments import Parser, label, operand
from .output import complain, wrong_usage


def add_inspect(command: Parser) -> None:
    help = "explain in this encoding only"
    command.add_argument("-f", "--from", dest="source", type=label, metavar="LABEL", help=help)
    help = "bytes in hexadecimal, such as '82 a0', 82A0 or %%82%%A0"
    command.add_argument("-b", "--bytes", type=byte_sequence, metavar="HEX", help=help)
    help = "characters, or a code point such as U+3042; not with --bytes"
    command.add_argument("text", nargs="?", type=characters, metavar="TEXT", help=help)
    command.set_defaults(run=_explain)


def add_labels(command: Parser) -> None:
    help = "print only the encodings of these labels"
    command.add_argument("encodings", nargs="*", type=label, metavar="LABEL", help=help)
    help = "print a JSON object on a line for each encoding, with its name and labels"
    command.add_argument("--json", action="store_true", help=help)
    command.set_defaults(run=_labels)


def byte_sequence(text: str) -> bytes:
    """Return the bytes that are written in hexadecimal."""
    try:
        return bytes.fromhex(re.sub(r"0x|\\x|[%,;:_-]", " ", text, flags=re.IGNORECASE))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{quote(text)} is not a byte sequence in hexadecimal: {error}") from None


def characters(text: str) -> str:
    """Return the characters, or the one that is written as a code point."""
    text = operand(text)
    match = re.fullmatch(r"U\+([0-9A-F]{1,6})", text, flags=re.IGNORECASE)
    if not match:
        return text
    code_point = int(match[1], 16)
    if code_point > 0x10FFFF or 0xD800 <= code_point <= 0xDFFF:
        raise argparse.ArgumentTypeError(
            f"{text} is not a scalar value: those are U+0000 to U+D7FF and U+E000 to U+10FFFF"
        )
    return chr(code_point)


def _labels(options: argparse.Namespace) -> int:
    for encoding in options.encodings or ENCODINGS.values():
        if options.json:
            import json  # imported here, since few runs need it

            print(json.dumps({"name": encoding.name, "labels": encoding.labels}))
        else:
            print(encoding.name, *encoding.labels, sep="\t")
    return 0


def _explain(options: argparse.Namespace) -> int:
    from . import explain  # imported here, since labels does not need it

    if (options.bytes is None) == (options.text is None):
        exclusion = "TEXT and --bytes exclude each other"
        wrong_usage(options, "TEXT or --bytes is required" if options.bytes is None else exclusion)
    lines: Iterable[str]
    if options.text is not None and re.fullmatch(r"(?=.*[0-9])[0-9A-Fa-f]{4,6}", options.text):
        # A person who writes it so may have meant either.
        complain(f"these are the characters of {options.text}; the code point is U+{options.text.upper()}")
    if options.bytes is None:
        encodings = [options.source] if options.source else ENCODINGS.values()

        @cache
        def described(character: str) -> list[str]:
            return list(explain.describe_in(encodings, character))

        lines = chain.from_iterable(map(described, options.text))
    elif options.source is None:
        lines = explain.describe_bytes_in_all(options.bytes)
    else:
        lines = explain.describe_bytes(options.source, options.bytes)
    for line in lines:
        print(line)
    return 0
