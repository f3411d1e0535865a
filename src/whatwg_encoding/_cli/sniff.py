"""The ``sniff`` command of the command line."""

from __future__ import annotations

from ..sniff import ENCODING_HINTS, Determination, HTMLScan, Steps, detect, prescan, transport_encoding
from .arguments import add_decision, add_files, check_by_line, label
from .decision import LOOKED_AT, binary_sign, decide, steps
from .input import CHUNK_SIZE, first, for_each, open_input, progress, refusing, total_size, unmixed
from .output import shown, wrong_usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from io import FileIO
    from typing import Final, TypeAlias

    from ..sniff import Sniffed
    from .arguments import Parser

    # A decision, the span of the bytes that made it, if any, and the bytes read for it.
    Found: TypeAlias = tuple[Sniffed, tuple[int, int] | None, bytes]

# Reads in order, for the other kinds: a byte order mark; the rest of the window of HTML and CSS; then more, for long
# XML and detectors.
_READ_SIZES: Final = (3, 1021)
_READ_ON: Final = 1 << 16
_EXCERPT: Final = 80
_LINE: Final = 60  # characters of a line that a guess is shown with
_READABLE: Final = 1 << 16  # bytes in which it is looked for


def add_arguments(command: Parser) -> None:
    decision = command.add_argument_group("how to decide")
    add_decision(decision)
    for name, meaning in ENCODING_HINTS.items():
        help = f"with --as: {meaning.replace('``', '')}"
        decision.add_argument(f"--{name}", type=label, metavar="LABEL", help=help)
    help = "print only the name of the encoding, or 'binary', on a line for each file"
    command.add_argument("--encoding", action="store_true", help=help)
    help = "list the encodings that the text may be in, with scores in bits and a line of the text"
    command.add_argument("--all", action="store_true", help=help)
    help = "count the lines in UTF-8, and those in the encoding that is found for all others"
    command.add_argument("--by-line", action="store_true", help=help)
    command.add_argument("--json", action="store_true", help="print a JSON object on a line for each file")
    add_files(command, "files to examine; '-' or none: standard input")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    chosen = steps(options)
    if options.all and chosen is not None:
        wrong_usage(options, "--all cannot be combined with --as-browser or --as, which decide without scores")
    if options.encoding and (options.all or options.json):
        wrong_usage(options, "--encoding cannot be combined with --all or --json")

    if options.by_line and (options.encoding or options.all):
        wrong_usage(options, "--by-line cannot be combined with --encoding or --all")
    check_by_line(options)

    def look(path: str) -> int:
        with open_input(path) as file:
            if options.by_line:
                print(_by_line(path, file, options))
                return 0
            if chosen is None:
                head = first(iter(lambda: file.read(CHUNK_SIZE), b""), LOOKED_AT)[:LOOKED_AT]
                sign = binary_sign(head, options)
                if sign is not None:
                    print(_binary(path, sign, len(head), options))
                    return 1
                if options.all:
                    print(_guesses(path, head, options))
                    return 0
                answers = _crawl(head, options)
                if not options.text:
                    unmixed(path, head, iter(()), answers[0].encoding)
            else:
                answers = _look(file, chosen)
        if options.encoding:
            print(answers[0].encoding.name)
        else:
            print(_as_json(path, *answers) if options.json else _as_text(path, *answers))
        return 0

    return for_each(options.files, look)


def _by_line(path: str, file: FileIO, options: argparse.Namespace) -> str:
    """Return the line of ``--by-line`` for a file, which is read to its end."""
    from .. import LineDecoder  # imported here, since few runs need it

    decoder = LineDecoder(
        None, counts=True, looks_for_mixtures=not options.text, exclude=options.exclude, candidates=options.candidates
    )
    with progress(total_size([path]), "B", is_shown=len(options.files) == 1) as advance, refusing(path):
        while chunk := file.read(CHUNK_SIZE):
            decoder.feed(chunk, False)
            advance(len(chunk))
        decoder.feed(b"", True)
    ascii, utf_8, others = decoder.lines
    counts = {"ASCII": ascii, "UTF-8": utf_8}
    if others:
        counts[decoder.encoding.name] = counts.get(decoder.encoding.name, 0) + others
    if options.json:
        import json

        return json.dumps({"file": path, "lines": counts})
    listed = ", ".join(f"{count} in {name}" for name, count in counts.items() if count) or "0"
    return f"{shown(path)}: lines: {listed}"


def _crawl(head: bytes, options: argparse.Namespace) -> Found:
    sniffed = decide(head, options)
    determination = Determination(Steps(scan=HTMLScan, after=sniffed))
    determination.look(head, True)
    return sniffed, determination.span if sniffed.source in ("bom", "prescan") else None, head


def _look(file: FileIO, steps: Steps) -> Found:
    determination = Determination(steps)
    data = bytearray()
    sizes = iter(_READ_SIZES)
    while True:
        chunk = file.read(next(sizes, _READ_ON))
        data += chunk
        sniffed = determination.look(data, not chunk)
        if sniffed is not None:
            return sniffed, determination.span, bytes(data)


def _binary(path: str, sign: str, length: int, options: argparse.Namespace) -> str:
    """Return the line for binary data."""
    if options.encoding:
        return "binary"
    if not options.json:
        return f"{shown(path)}: binary ({sign})"
    import json

    keys = ("encoding", "confidence", "source", "start", "end", "excerpt")
    return json.dumps({"file": path, **dict.fromkeys(keys), "binary": sign, "bytes_read": length})


def _as_json(path: str, sniffed: Sniffed, span: tuple[int, int] | None, data: bytes) -> str:
    import json

    start, end = span or (None, None)
    return json.dumps(
        {
            "file": path,
            "encoding": sniffed.encoding.name,
            "confidence": sniffed.confidence,
            "source": sniffed.source,
            "start": start,
            "end": end,
            "excerpt": None if start is None else data[start:end].decode("latin-1"),
            "bytes_read": len(data),
        }
    )


def _as_text(path: str, sniffed: Sniffed, span: tuple[int, int] | None, data: bytes) -> str:
    line = f"{shown(path)}: {sniffed.encoding.name} ({sniffed.confidence}, {sniffed.source})"
    if span is None:
        return line
    start, end = span
    excerpt = data[start:end]
    more = "…" if len(excerpt) > _EXCERPT else ""
    return f"{line}, bytes {start} to {end}: {ascii(excerpt[:_EXCERPT].decode('latin-1'))[1:-1]}{more}"


def _guesses(path: str, data: bytes, options: argparse.Namespace) -> str:
    """Return the lines of ``--all`` for a file: a heading and one for each guess, or a JSON object."""
    declared = (transport_encoding(options.content_type), prescan(data))
    guesses = detect(
        data, declared=declared, tld=options.tld, exclude=options.exclude, candidates=options.candidates,
        dos=options.dos,
    )  # fmt: skip
    read = [(guess, _readable_line(guess.encoding.decode(data[:_READABLE]))) for guess in guesses]
    if options.json:
        import json

        listed = [
            {"encoding": guess.encoding.name, "score": guess.score, "margin": guess.margin, "line": line}
            for guess, line in read
        ]
        return json.dumps({"file": path, "guesses": listed})
    rows = [f"{guess.encoding.name:14} {guess.score:7} bits  {_printable(line)}" for guess, line in read]
    return "\n  ".join([f"{shown(path)}:", *map(str.rstrip, rows)])


def _readable_line(text: str) -> str:
    """Return the first line of a text that has a character beyond ASCII, or else the first that is not empty."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    line = next((line for line in lines if not line.isascii()), lines[0] if lines else "")
    place = next((place for place, character in enumerate(line) if not character.isascii()), 0)
    start = max(0, place - _LINE // 2)
    return line[start : start + _LINE]


def _printable(text: str) -> str:
    """Return text without what would control the terminal."""
    return "".join(character if character.isprintable() else "\ufffd" for character in text)
