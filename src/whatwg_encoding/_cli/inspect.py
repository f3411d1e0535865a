"""The command ``inspect`` of the command line."""

from __future__ import annotations

import argparse
import functools
import re
from itertools import chain
from pathlib import Path

from .._core import quote
from .._labels import ENCODINGS
from . import explain
from .arguments import label, operand, wrong_usage
from .checkout import NO_CHECKOUT, Checkout, find
from .input import complain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .arguments import Parser


def add_arguments(command: Parser) -> None:
    """Add the arguments of ``inspect``."""
    help = "in this encoding only"
    command.add_argument("-f", "--from", dest="source", type=label, metavar="LABEL", help=help)
    help = "print each of the standard's steps for the input; needs -f and a checkout of the project"
    command.add_argument("--trace", action="store_true", help=help)
    help = "folder of a checkout, whose reference provides the steps; by default that of the environment, if any"
    command.add_argument("--checkout", type=Path, metavar="FOLDER", help=help)
    help = "bytes in hexadecimal, such as '82 a0', 82A0 or %%82%%A0"
    command.add_argument("-b", "--bytes", type=_hex, metavar="HEX", help=help)
    help = "characters, or one such as U+3042; unless there are bytes"
    command.add_argument("text", nargs="?", type=_characters, metavar="TEXT", help=help)
    command.set_defaults(run=_explain)


def _hex(text: str) -> bytes:
    try:
        return bytes.fromhex(re.sub(r"0x|\\x|[%,;:_-]", " ", text, flags=re.IGNORECASE))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{quote(text)} is not a byte sequence in hexadecimal: {error}") from None


def _characters(text: str) -> str:
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


def _explain(options: argparse.Namespace) -> int:
    if (options.bytes is None) == (options.text is None):
        exclusion = "TEXT and --bytes exclude each other"
        wrong_usage(options, "TEXT or --bytes is required" if options.bytes is None else exclusion)
    try:
        checkout = Checkout(options.checkout) if options.checkout else find()
    except ValueError as error:
        return complain(str(error), 2)
    lines: Iterator[str]
    if options.trace:
        if options.source is None:
            return complain("--trace takes one encoding: name it with -f", 2)
        if checkout is None:
            return complain(NO_CHECKOUT, 2)
        source = options.text if options.bytes is None else options.bytes
        if options.bytes is None and not options.source.has_encoder:
            return complain(f"{options.source.name} has no encoder", 2)
        lines = explain.trace(options.source, source, checkout)
    elif options.bytes is None:
        # The steps are shown only for a single encoding, since those of all encodings would hide the answer.
        encodings = [options.source] if options.source else ENCODINGS.values()
        known = checkout if options.source else None

        @functools.cache
        def described(character: str) -> list[str]:
            return list(explain.describe_in(encodings, character, known))

        lines = chain.from_iterable(map(described, options.text))
    elif options.source is None:
        lines = explain.describe_bytes_in_all(options.bytes)
    else:
        lines = explain.describe_bytes(options.source, options.bytes, checkout)
    for line in lines:
        print(line)
    return 0
