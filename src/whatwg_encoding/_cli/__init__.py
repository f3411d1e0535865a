"""The command line: ``whatwg-encoding``, ``wenc`` and ``python -m whatwg_encoding``.

Exit status: 0; 1 for malformed input or text that the target lacks, with --fatal and validate; 2 for wrong usage and
for files that cannot be read or written; 128 plus the signal's number after a signal; 141 if the reader of the output
pipe has closed it.

A command is a row of COMMANDS and a function that adds its arguments to a parser, and ``run`` to the defaults: from
options to the exit status. Its module is imported only when the command is used.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import signal
import sys

from ..editing import Refusal
from ..files import quote
from .arguments import EXIT_STATUS, Parser
from .input import Failure, report
from .output import PROGRAM, complain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NoReturn

#: Command → the module here of the function that adds its arguments, the function, and the help.
COMMANDS = {
    "decode": ("recode", "add_decode", "Convert files to UTF-8."),
    "encode": ("recode", "add_encode", "Convert files from UTF-8 to another encoding."),
    "recode": ("recode", "add_recode", "Convert files from one encoding to another."),
    "edit": ("edit", "add_edit", "Edit a file as UTF-8, and keep every byte outside of the edit."),
    "replace": ("edit", "add_replace", "Replace text in files, and keep every other byte."),
    "repair": ("repair", "add_arguments", "Repair mojibake: text that was read in the wrong encoding."),
    "names": ("names", "add_arguments", "Rename files in folders and ZIP archives to UTF-8."),
    "validate": (
        "validate",
        "add_arguments",
        "Print the position and the bytes of each error. Exit with 1 if there are any.",
    ),
    "sniff": ("sniff", "add_arguments", "Find the encoding of files, and print what decided."),
    "mcp": ("mcp", "add_arguments", "Let agents read and edit files in any encoding (Model Context Protocol)."),
    "labels": ("inspect", "add_labels", "List the encodings and their labels."),
    "inspect": (
        "inspect",
        "add_inspect",
        "Explain characters or bytes: code points, names, pointers, indexes.",
    ),
    "help": ("", "_add_help", "Show the help of the program, or all of that of a command."),
}
#: Command → what its help begins with.
EXAMPLES = {
    "decode": "decode -f shift_jis old.txt -o new.txt",
    "encode": "encode -t gbk new.txt -o old.txt",
    "recode": "recode -f koi8-r -t windows-1251 old.txt -o new.txt",
    "edit": "edit legacy.c",
    "replace": "replace 'old text' 'new text' *.c",
    "repair": "repair --dry-run notes.txt",
    "names": "names --rename downloads",
    "validate": "validate -f utf-8 *.csv",
    "sniff": "sniff *.txt",
    "mcp": "mcp my-project",
    "labels": "labels latin1",
    "inspect": "inspect -f shift_jis -b '82 A0'",
    "help": "help decode",
}


def main(arguments: list[str] | None = None) -> int:
    """Run the command line ``arguments``, by default those of the process, and return the exit status."""
    if sys.stdout is None:
        return complain("standard output is closed", 2)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # inspect may print any character
    options = _options(sys.argv[1:] if arguments is None else arguments)
    try:
        with _signals_exit():
            try:
                status: int = options.run(options)
            except (Failure, Refusal) as error:
                status = report(error)
            sys.stdout.flush()
            return status
    except BrokenPipeError:
        # The interpreter flushes standard output at exit, which must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + 13  # SIGPIPE, which not every platform has
    except OSError as error:
        return report(error)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def _options(words: list[str]) -> argparse.Namespace:
    """Return the options of a command. End the program for wrong usage, and after --help and --version."""
    if words[:1] == ["--"]:
        words = words[1:]
    name = words[0] if words else ""
    if name in COMMANDS:
        command = _fill(Parser(prog=f"{PROGRAM} {name}"), name)
        if {"-h", "--help"} & {*words}:
            return command.parse_args(words[1:])
        command.usage = ""  # an intermixed parse would format it in advance, and only the help prints it
        return command.parse_intermixed_args(words[1:])
    if name and not name.startswith("-"):
        import difflib

        near = difflib.get_close_matches(name[:64], COMMANDS, 1)
        suggestion = f"did you mean {near[0]!r}?" if near else f"commands: {', '.join(COMMANDS)}"
        parser(filled=False).error(f"{quote(name)} is not a command; {suggestion}")
    if name and not {"-h", "--help", "-V", "--version"} & {*words}:
        parser(filled=False).error(f"{quote(name)} is an option of a command{_command_for(words)}")
    return parser(filled=False).parse_args(words)


def _command_for(words: list[str]) -> str:
    """Return what to write for options without a command: those of iconv, or any."""
    import shlex  # these modules are imported here, since few runs need them
    from contextlib import redirect_stderr

    from .. import UTF_8
    from .arguments import file_label

    if words[0] in ("-l", "--list"):
        return f"; the encodings: {PROGRAM} labels"
    options = argparse.ArgumentParser(add_help=False)
    options.add_argument("-f", "--from", "--from-code", type=file_label)
    options.add_argument("-t", "--to", "--to-code", type=file_label)
    try:
        with redirect_stderr(io.StringIO()):
            values, words_left = options.parse_known_args(words)
    except SystemExit:
        values, words_left = argparse.Namespace(**{"from": None}, to=None), []
    source, target = getattr(values, "from"), values.to
    if source is None and target is None:
        return f", which comes first: {', '.join(COMMANDS)}"
    if target in (None, UTF_8):
        command = ["decode", "-f", source.name.lower() if source else "utf-8"]
    elif source in (None, UTF_8):
        command = ["encode", "-t", target.name.lower()]
    else:
        command = ["recode", "-f", source.name.lower(), "-t", target.name.lower()]
    return f", which comes first: {PROGRAM} {shlex.join([*command, *words_left])}"


def parser(name: str = PROGRAM, *, filled: bool = True) -> Parser:
    """Return the parser of all commands, from which the manual page and the completions are generated.

    If not ``filled``, the commands have no arguments, which suffices for the help.
    """
    whole = Parser(
        prog=name,
        description="Decode, encode and explain text as the WHATWG Encoding Standard says.",
        epilog=EXIT_STATUS,
    )
    whole.example = f"{PROGRAM} {EXAMPLES['decode']}"
    whole.add_argument("-V", "--version", action=_Version, nargs=0, help="print the version and exit")
    commands = whole.add_subparsers(metavar="COMMAND", required=True)
    for command, (_, _, help) in COMMANDS.items():
        added = commands.add_parser(command, help=help)
        if filled:
            _fill(added, command)
    return whole


def _fill(command: Parser, name: str) -> Parser:
    """Return the parser of a command with its description and arguments."""
    module, add, command.description = COMMANDS[name]
    command.epilog = EXIT_STATUS
    command.example = f"{PROGRAM} {EXAMPLES[name]}"
    command.is_brief = True
    command.set_defaults(parser=command)
    # importlib.import_module would do, but importing it takes longer than the module of a command.
    getattr(__import__(f"{__name__}.{module}".removesuffix("."), fromlist=[add]), add)(command)
    return command


def _add_help(command: Parser) -> None:
    command.add_argument("command", nargs="?", choices=tuple(COMMANDS), metavar="COMMAND")
    command.set_defaults(run=_help)


def _help(options: argparse.Namespace) -> int:
    name = options.command
    shown = _fill(Parser(prog=f"{PROGRAM} {name}"), name) if name else parser(filled=False)
    shown.is_brief = False
    shown.print_help()
    return 0


class _Version(argparse.Action):
    """Print the version, which is computed only on demand, and exit."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from .. import __version__, cpu_features

        print(f"{PROGRAM} {__version__} (instruction set: {cpu_features()['simd']})")
        parser.exit()


@contextlib.contextmanager
def _signals_exit() -> Iterator[None]:
    """Turn termination signals into SystemExit, so that half-written files are removed."""

    def leave(number: int, _frame: object) -> NoReturn:
        sys.exit(128 + number)

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.signal(number, leave) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
