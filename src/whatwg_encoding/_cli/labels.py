"""The command ``labels`` of the command line."""

from __future__ import annotations

from .._labels import ENCODINGS
from .arguments import label

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from .arguments import Parser


def add_arguments(command: Parser) -> None:
    """Add the arguments of ``labels``."""
    help = "print only the encodings of these labels"
    command.add_argument("encodings", nargs="*", type=label, metavar="LABEL", help=help)
    command.set_defaults(run=_labels)


def _labels(options: argparse.Namespace) -> int:
    for encoding in options.encodings or ENCODINGS.values():
        print(encoding.name, *encoding.labels, sep="\t")
    return 0
