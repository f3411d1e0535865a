"""The command ``mcp``: a server for agents."""

from __future__ import annotations

import argparse

from .arguments import Parser, label, labels, operand
from .output import complain

_EPILOG = """\
what happens:
  The server speaks the Model Context Protocol on standard input and output, and
  ends with its input. Its tools read_file, edit_file, write_file,
  detect_encoding and convert work on regular files below ROOT, in any encoding,
  and keep every byte outside of an edit. It needs the package mcp.
"""


def add_arguments(command: Parser) -> None:
    help = "the folder that agents may use (the current one)"
    command.add_argument("root", nargs="?", default=".", metavar="ROOT", help=help)
    help = "an encoding that is never detected; may be repeated"
    command.add_argument("--exclude", action="append", type=label, default=[], metavar="LABEL", help=help)
    help = "the only encodings that may be detected, separated by commas"
    command.add_argument("--candidates", type=labels, metavar="LABELS", help=help)
    command.set_defaults(run=_serve)
    command.epilog = f"{_EPILOG}\n{command.epilog}"


def _serve(options: argparse.Namespace) -> int:
    from ..mcp import make_server  # imported here, since it takes a second

    try:
        server = make_server(operand(options.root), options.candidates, options.exclude)
    except ImportError as error:
        return complain(str(error), 2)
    server.run("stdio")
    return 0
