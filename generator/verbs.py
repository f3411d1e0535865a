"""The verbs of the generator's command line, `python -m generator`."""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from generator import snapshot as snapshots
from generator.model import GENERATED, STANDARD, GeneratorError, Snapshot
from generator.spec import notation

SOURCE = "https://raw.githubusercontent.com/whatwg/encoding/main/encoding.bs"
"""The source that the standard is built from."""

SHOWN = 40
"""Maximum number of lines per list of changes that is printed before data is replaced; `diff` prints all."""

NOT_COMPARED = 3
"""The exit status where not all of upstream could be read: what is emitted is right, but may be out of date."""

# Verbs import their dependencies lazily: `verify` needs no third-party package, and `emit` no network library.


def pin(arguments: argparse.Namespace) -> int:
    """Pin the data in a folder of your own, given with --data; with --source, the algorithms of a source instead."""
    if arguments.source:
        return _pin_algorithms(arguments.data, arguments.source)
    content = snapshots.read(arguments.data)
    origins = {name: (arguments.data / name).resolve().as_uri() for name in content}
    snapshot = snapshots.write(arguments.data, content, origins=origins)
    say(f"The data in {arguments.data} is pinned as of {snapshot.date}.")
    return 0


def _pin_algorithms(folder: Path, source: Path) -> int:
    """Say what the algorithms of a source of the standard do differently, and pin them in a folder of data."""
    from generator import diff
    from generator.spec import compiler
    from generator.spec.machine import pinned

    data, known = snapshots.peek(folder), notation.known(folder)
    text = source.read_text(encoding="utf-8")
    read = compiler.read(text, origin=source.resolve().as_uri(), day=snapshots.today(), known=known)
    old, new = (replace(data, programs={**pinned(), **side.programs}) for side in (known, read))
    sys.stdout.write(diff.to_text(diff.compare(old, new, known, read), SHOWN))
    snapshots.replace(folder, {notation.FILE: notation.to_toml(read).encode()})
    say(f"{notation.FILE} pins {len(read.digests)} algorithms as of {read.date}.")
    return 0


def verify(arguments: argparse.Namespace) -> int:
    """Check the data against its pin and the standard's invariants; raise a SnapshotError if it violates them."""
    snapshot = snapshots.load(arguments.data)
    labels = sum(len(encoding.labels) for encoding in snapshot.encodings)
    say(
        f"The data matches the pin of {snapshot.date} and is valid: {len(snapshot.encodings)} encodings, "
        f"{labels} labels, {len(snapshot.indexes) + 1} indexes."
    )
    pinned = notation.load(arguments.data)
    if pinned is not None:
        say(
            f"{len(pinned.digests)} algorithms are pinned as of {pinned.date}, {len(pinned.programs)} of them compiled."
        )
    return 0


def emit(arguments: argparse.Namespace) -> int:
    """Write the modules from the data and the templates."""
    from generator import emit

    snapshot, folder = snapshots.load(arguments.data), arguments.generated
    say(f"Emitting {folder.name}/ from the data of {snapshot.date} …")
    changed = emit.emit(snapshot, folder, arguments.data)
    say(f"Changed: {', '.join(changed)}." if changed else "Nothing changed.")
    return 0


def check(arguments: argparse.Namespace) -> int:
    """Check that the modules are up to date with the data and the templates; return 1 if not."""
    from generator import emit

    wrong = emit.check(snapshots.load(arguments.data), arguments.generated, arguments.data)
    if wrong:
        complain(f"{arguments.generated.name}/ is out of date with data/ and templates/: {', '.join(wrong)}")
        complain(f"do not edit these files; edit data/ or templates/, and emit them again: {emit.COMMAND}")
        return 1
    say(f"{arguments.generated.name}/ is up to date with data/ and templates/.")
    return 0


def diff(arguments: argparse.Namespace) -> int:
    """Print what differs between two snapshots; with --exit-code, return 1 if anything does."""
    from generator import diff, fetch
    from generator.spec.machine import pinned

    def side(text: str) -> tuple[Snapshot, notation.Algorithms | None]:
        if text == "upstream":
            limits = fetch.Limits(total=arguments.timeout)
            snapshot = snapshots.parse(fetch.files(arguments.origin, limits), snapshots.today())
            try:
                known = notation.known(arguments.data)
                read = fetch.download_algorithms(source=arguments.spec_origin, limits=limits, known=known)
                return replace(snapshot, programs={**pinned(), **read.programs}), read
            except fetch.UnreachableError as error:
                complain(f"the standard's source is unreachable, so its algorithms are not compared: {error}")
                return snapshot, None
        path = arguments.data if text == "pinned" else Path(text)
        folder = path.parent if path.name == snapshots.PIN else path
        snapshot, report = snapshots.peek(folder), _algorithms(folder)
        return (replace(snapshot, programs={**pinned(), **report.programs}) if report else snapshot), report

    (old, old_algorithms), (new, new_algorithms) = side(arguments.old), side(arguments.new)
    report = diff.compare(old, new, old_algorithms, new_algorithms)
    sys.stdout.write(diff.to_text(report))
    return 1 if arguments.exit_code and report else 0


def _algorithms(folder: Path) -> notation.Algorithms | None:
    """Return the algorithms that a folder pins, or those of a source of the standard in it."""
    source = folder / "encoding.bs"
    if (folder / notation.FILE).exists() or not source.exists():
        return notation.load(folder)
    from generator.spec import compiler

    text = source.read_text(encoding="utf-8")
    return compiler.read(text, origin=str(source), day="", known=notation.known(snapshots.DATA))


def generate(arguments: argparse.Namespace) -> int:
    """Update the data if upstream is reachable, then emit; return 3 if not all of it could be read or is understood."""
    is_compared = True
    if arguments.offline:
        say("Offline: upstream is not contacted.")
    else:
        from generator import fetch, update

        limits = fetch.Limits(total=arguments.timeout)
        upstream = update.Upstream(arguments.origin, arguments.spec_origin, limits)
        try:
            is_compared = update.update(arguments.data, upstream, arguments.accept, say, SHOWN)
        except GeneratorError as error:
            # Upstream is reachable, but what it has needs review before anything is built from it.
            raise GeneratorError(f"{error}\nto use the pinned data: OFFLINE=1") from error
    return emit(arguments) or (0 if is_compared else NOT_COMPARED)


# -- The command line --------------------------------------------------------------------------------------------------


def say(line: str) -> None:
    """Print a line of progress and flush it."""
    print(line, flush=True)


def complain(text: str) -> None:
    """Print each line of an error message to standard error."""
    for line in text.splitlines():
        print(f"generator: {line}", file=sys.stderr, flush=True)


def parser() -> argparse.ArgumentParser:
    """Return the command line's parser; its namespaces have the verb's function as `run`."""
    top = argparse.ArgumentParser(
        prog="python -m generator", description="Generate Cython modules from the standard's data."
    )
    verbs = top.add_subparsers(required=True, metavar="VERB")

    def verb(run: Callable[[argparse.Namespace], int], *, network: bool = False) -> argparse.ArgumentParser:
        text = (run.__doc__ or "").partition(";")[0].rstrip(".")
        help = text[:1].lower() + text[1:]
        added = verbs.add_parser(run.__name__, help=help, description=help)
        added.set_defaults(run=run)
        added.add_argument("--data", type=Path, default=snapshots.DATA, metavar="FOLDER", help="instead of data/")
        if network:
            from_environment(added, "ORIGIN", "URL", "URL of upstream's files", STANDARD)
            help = "time limit per server; default: %(default)g"
            added.add_argument("--timeout", type=float, default=12.0, metavar="SECONDS", help=help)
            from_environment(added, "SPEC_ORIGIN", "URL", "URL of the standard's source", SOURCE)
        return added

    def from_environment(
        added: argparse.ArgumentParser, name: str, metavar: str, help: str, default: str | None = None
    ) -> None:
        help += f"; default: the environment's {name}" + (", or %(default)s" if default else "")
        value = os.environ.get(name) or default
        added.add_argument(f"--{name.lower().replace('_', '-')}", default=value, metavar=metavar, help=help)

    def generated(added: argparse.ArgumentParser) -> None:
        added.add_argument("--generated", type=Path, default=GENERATED, metavar="FOLDER", help="instead of generated/")

    of_generate = verb(generate, network=True)
    of_generate.add_argument(
        "--offline",
        action="store_true",
        default=os.environ.get("OFFLINE", "") not in ("", "0"),
        help="do not contact upstream; also set by OFFLINE=1 in the environment",
    )
    generated(of_generate)
    from_environment(of_generate, "ACCEPT", "DIGEST", "accept the unexpected change with this digest")
    help = "pin the algorithms of this copy of the standard's source, encoding.bs"
    verb(pin).add_argument("--source", type=Path, metavar="FILE", help=help)
    verb(verify)
    generated(verb(emit))
    generated(verb(check))
    differing = verb(diff, network=True)
    help = "a folder, a snapshot.toml, `pinned` or `upstream`; default: %(default)s"
    differing.add_argument("old", nargs="?", default="pinned", metavar="OLD", help=help)
    differing.add_argument("new", nargs="?", default="upstream", metavar="NEW", help=help)
    differing.add_argument("--exit-code", action="store_true", help="exit with 1 if there are differences")
    return top


def main(arguments: list[str] | None = None) -> int:
    """Run a verb and return the exit status.

    0, 1 after an error, which is printed, 3 if not all of upstream could be compared with, or 130 after an interrupt.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # A terminal's encoding may lack the characters of a diff.
    parsed = parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = parsed.run
    try:
        return run(parsed)
    except GeneratorError as error:
        complain(str(error))
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:  # the reader has what it wants; the interpreter flushes standard output again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        complain(f"{error.filename or 'the system'}: {error.strerror or error}")
    return 1
