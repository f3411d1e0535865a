"""Arguments of the command line: a parser in the manner of GNU's programs, and what several commands accept."""

from __future__ import annotations

import argparse
import sys
from functools import partial

from .. import UTF_8, Encoding, UnknownLabelError, lookup
from ..editing import escaped
from ..files import file_encoding, quote
from .decision import AUTO, CRAWL, kind, steps
from .output import STANDARD, complain, print_message, wrong_usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Final, NoReturn

_WIDTH = 80
_OPERAND = "\0"  # before an operand that looks like an option; no word of a command line has it

EXIT_STATUS = """\
exit status:
  0    success
  1    malformed bytes, or a character that the output lacks, were refused;
       validate has found errors, sniff binary data
  2    wrong usage, or a file cannot be read or written
  141  the reader of the output has closed the pipe
  128  plus the number of the signal that ended the program
"""


class Parser(argparse.ArgumentParser):
    """A parser of options and operands in any order, with errors on one line, and GNU's rule for ``-i`` and ``--``.

    That is: a suffix for ``-i`` is in the same word, and after ``--`` there are only operands. argparse has no means
    for the first, and forgets the second if options and operands are mixed.
    """

    #: Whether the command has -i: see add_destination.
    replaces = False
    #: The operands that stand after ``--`` only, if any.
    separates = ""
    #: What the help begins with: a call of the program.
    example = ""
    #: Whether the help is a screen long: without what can happen and exit statuses, and with names of options alone in
    #: groups that have a title.
    is_brief = False

    def __init__(self, **settings: Any) -> None:
        # argparse formats each option once to check it, for which the terminal's width, slow to find, is not needed.
        super().__init__(**settings, formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=_WIDTH))
        self.register("type", None, operand)

    def format_help(self) -> str:
        self.formatter_class = argparse.RawDescriptionHelpFormatter
        self.usage = None
        example = f"example: {self.example}\n\n" if self.example else ""
        return example + (self._format_brief_help() if self.is_brief else super().format_help())

    def _format_brief_help(self) -> str:
        from textwrap import fill

        formatter = argparse.RawDescriptionHelpFormatter(f"{self.prog} [OPTION ...]")
        formatter.add_usage(None, self._get_positional_actions(), [])
        formatter.add_text(self.description)
        for number, group in enumerate(self._action_groups):
            if number < 2:  # operands and options
                formatter.start_section(group.title)
                formatter.add_arguments(group._group_actions)
                formatter.end_section()
            else:
                names = ", ".join(action.option_strings[-1] for action in group._group_actions)
                formatter.add_text(fill(f"{group.title}: {names}", formatter._width))
        program, _, command = self.prog.partition(" ")
        formatter.add_text(f"All options, what can happen, exit statuses: {program} help {command}")
        return formatter.format_help()

    def error(self, message: str) -> NoReturn:
        print_message(f"{self.prog}: {escaped(message)}\nTry '{self.prog} --help'.")
        sys.exit(2)

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        words = sys.argv[1:] if args is None else list(args)
        end = words.index("--") if "--" in words else len(words)
        options, operands = words[:end], words[end + 1 :]
        if self.replaces:
            options = [part for word in options for part in _without_suffix(word)]
        operands = [_OPERAND + word if word[:1] == "-" else word for word in operands]
        return super().parse_known_args([*options, *operands], namespace)

    def parse_known_intermixed_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        words = sys.argv[1:] if args is None else list(args)
        values, words_left = super().parse_known_intermixed_args(words, namespace)
        if self.separates and "--" not in words and (words_left or getattr(values, self.separates.lower())):
            self.error(f"{self.separates} stands after '--': {self.prog} FILE -- {self.separates} …")
        return values, words_left


def operand(word: str) -> str:
    """Return a word as it was on the command line."""
    return word.removeprefix(_OPERAND)


def _without_suffix(word: str) -> list[str]:
    """Return a word in which ``-i`` or ``--in-place`` has no suffix such that the next word is not taken for it."""
    if len(word) > 2 and "--in-place".startswith(word):
        return ["--in-place="]
    if word[:1] == "-" and word[-1] == "i" and not word[1:-1].strip("acqv"):  # -i, -qi
        return [*([word[:-1]] if word[1:-1] else []), "--in-place="]
    return [word]


def label(text: str, find: Callable[[str], Encoding] = lookup) -> Encoding:
    """Return the encoding that a label names."""
    try:
        return find(operand(text))
    except UnknownLabelError as error:
        name, _, suffix = text.partition("//")
        if suffix:  # of iconv
            suffixes = "//".join(part for part in suffix.upper().split("//") if part)
            raise argparse.ArgumentTypeError(
                f"{quote(text)} has //{suffixes[:16]}, which is iconv's: name {quote(name)} alone, and what becomes of"
                " malformed input with --malformed (replace, drop, fail), of characters that the output lacks with"
                " --unmappable (html, drop, fail, replace:TEXT); -c drops both"
            ) from None
        raise argparse.ArgumentTypeError(str(error)) from None


def labels(text: str) -> list[Encoding]:
    """Return the encodings that labels or names of code pages, with commas between them, name."""
    return [file_label(name) for name in text.split(",")]


def file_label(text: str) -> Encoding:
    """Return the encoding that a label names, or the code page of a name: the encoding of a file."""
    return label(text, file_encoding)


def source(text: str) -> Encoding | str:
    """Return the encoding of an input, or AUTO. A name of Python's codecs is accepted, with a note."""
    if text == AUTO:
        return AUTO
    try:
        return file_label(text)
    except argparse.ArgumentTypeError:
        from ..names import lookup_codec  # imported here, since most runs have a label

        try:
            encoding = lookup_codec(operand(text))
        except UnknownLabelError:
            encoding = None
        if encoding is None:
            raise
        complain(f"{quote(operand(text))} is no label; the input is read as {encoding.name}")
        return encoding


class _Source(argparse.Action):
    """Set the encoding of the input, and that it was given."""

    def __call__(self, parser: object, options: argparse.Namespace, value: object, option: object = None) -> None:
        options.source, options.is_source_given = value, True


def count(text: str) -> int:
    """Return a number from 0."""
    if text.isdecimal() and text.isascii():
        return int(text)
    raise argparse.ArgumentTypeError(f"{quote(text)} is not a count: 0, 1, 2 …")


def add_files(command: Parser, help: str) -> None:
    command.add_argument("files", nargs="*", default=[STANDARD], metavar="FILE", help=help)


def add_source(command: Parser, default: Encoding | str = UTF_8) -> None:
    """Add the encoding of the input, and what is known of it for ``-f auto``."""
    name = default.name.lower() if isinstance(default, Encoding) else default
    help = f"encoding of the input ({name}), unless there is a byte order mark; 'auto' finds it as sniff does"
    command.add_argument(
        "-f", "--from", dest="source", action=_Source, type=source, default=default, metavar="LABEL", help=help
    )
    command.set_defaults(is_source_given=False)
    help = "report the encoding of each file, and what decided, on standard error"
    command.add_argument("-v", "--verbose", action="store_true", help=help)
    add_decision(command.add_argument_group("with -f auto"))


def add_decision(parser: argparse._ActionsContainer) -> None:
    """Add how an encoding is found, and what is known of the input."""
    help = "find the encoding that browsers use for html, xml, css, script or text, or in one of"
    help += " whatwg_encoding.contexts.CONTEXTS; by default, find the likeliest one (crawl)"
    parser.add_argument("--as", dest="kind", type=kind, metavar="KIND", help=help)
    parser.add_argument("--as-browser", dest="kind", action="store_const", const="html", help="same as --as html")
    help = "the Content-Type header that came with the input; may be repeated"
    parser.add_argument("--content-type", action="append", metavar="VALUE", help=help)
    help = "top-level domain of the host, such as jp, as a hint"
    parser.add_argument("--tld", metavar="DOMAIN", help=help)
    help = "an encoding that is never chosen, such as iso-2022-jp; may be repeated"
    parser.add_argument("--exclude", action="append", type=label, default=[], metavar="LABEL", help=help)
    help = "the only encodings that may be chosen, separated by commas"
    parser.add_argument("--candidates", type=labels, metavar="LABELS", help=help)
    help = "with --as: the user's language, such as ja or zh-TW"
    parser.add_argument("--locale", metavar="TAG", help=help)
    help = "consider the code pages of DOS for any text, not only for text that looks like DOS"
    parser.add_argument("--dos", action="store_true", help=help)
    help = "with --as: use a detector if nothing is declared"
    parser.add_argument("--detect", action="store_true", help=help)
    help = "treat binary data, such as images, archives and programs, as text instead of refusing it"
    parser.add_argument("-a", "--text", action="store_true", help=help)


_IN_PLACE: Final = "replace each file; in one word with a SUFFIX, as in -i.orig, keep the old file, too"
# What goes with -f auto, as attributes of the options.
_OF_AUTO: Final = ("kind", "content_type", "exclude", "candidates", "tld", "locale", "dos", "detect", "text")


def check_source(options: argparse.Namespace) -> None:
    """End the program if what is known of the input is of no use."""
    check_by_line(options)
    if options.source == AUTO:
        steps(options)
    elif any(getattr(options, name) for name in _OF_AUTO):
        names = ", ".join(f"--{name.replace('_', '-')}" for name in _OF_AUTO[1:-1])
        wrong_usage(options, f"--as, --as-browser, {names} and --{_OF_AUTO[-1]} need -f auto")


def check_by_line(options: argparse.Namespace) -> None:
    """End the program if ``--by-line`` goes with what would decide on a whole input."""
    if not getattr(options, "by_line", False):
        return
    limits = [name for name in _OF_AUTO if name not in ("text", "exclude", "candidates")]
    names = [name for name in limits if getattr(options, name, None) not in (None, False, [], CRAWL)]
    if names:
        name = "as" if names[0] == "kind" else names[0].replace("_", "-")
        wrong_usage(options, f"--by-line cannot be combined with --{name}")
    source = getattr(options, "source", AUTO)
    if isinstance(source, Encoding) and not source.is_ascii_compatible:
        wrong_usage(options, f"--by-line: lines cannot be in {source.name}, which is not ASCII-compatible")


def add_keep_bom(command: Parser) -> None:
    help = "keep a byte order mark as text, instead of choosing the encoding by it and dropping it"
    command.add_argument("--keep-bom", action="store_true", help=help)


def add_destination(command: Parser, in_place: str = _IN_PLACE) -> None:
    """Add ``-o``, and ``-i`` with its help; its suffix is in the same word, as in sed."""
    where = command.add_mutually_exclusive_group()
    help = "write to FILE, in one step at the end, and only if nothing fails; '-' (the default): standard output"
    where.add_argument("-o", "--output", default=STANDARD, metavar="FILE", help=help)
    where.add_argument("-i", "--in-place", nargs="?", const="", metavar="SUFFIX", help=in_place)
    command.replaces = True
