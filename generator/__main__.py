"""The generator's command line: `python -m generator --help` tells the verbs."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

from generator import snapshot as snapshots
from generator.handlers import STANDARD
from generator.model import GeneratorError, Snapshot

GENERATED = snapshots.DATA.parent / "generated"

SHOWN = 40
"""Lines of each list of changes that are printed on the way to new data; `diff` prints them all."""

# Verbs import what they need when they run, so that verifying needs no package but Python, and emitting no network.


def fetch(arguments: argparse.Namespace) -> int:
    """0, with the data as upstream has it now; FetchError or SnapshotError, with the data as it was."""
    from generator import fetch

    say(f"Asking {arguments.origin} for the standard's data …")
    limits = fetch.Limits(total=arguments.timeout)
    snapshot, changed = fetch.fetch(
        arguments.data,
        origin=arguments.origin,
        limits=limits,
        cache=fetch.CACHE if arguments.data == snapshots.DATA else None,
        before_change=_show_change,
    )
    if changed:
        say(f"The data is replaced, and pinned as of {snapshot.date}.")
    else:
        say(f"Upstream has the data that was pinned on {snapshot.date}.")
    return 0


def _show_change(old: Snapshot, new: Snapshot) -> None:
    from generator import diff

    sys.stdout.write(diff.to_text(diff.compare(old, new), SHOWN))


def verify(arguments: argparse.Namespace) -> int:
    """0 if the data is as pinned and valid; otherwise a SnapshotError."""
    snapshot = snapshots.load(arguments.data)
    labels = sum(len(encoding.labels) for encoding in snapshot.encodings)
    say(
        f"The data is as pinned on {snapshot.date}, and valid: {len(snapshot.encodings)} encodings, {labels} labels, "
        f"{len(snapshot.indexes) + 1} indexes."
    )
    return 0


def derive(arguments: argparse.Namespace) -> int:
    """0, with the data derived anew; a SnapshotError if the package cannot be had, or is another."""
    from generator import derive

    say(f"Deriving the data from the npm package {derive.PACKAGE} …")
    snapshot = snapshots.write(arguments.data, derive.derive(arguments.tarball))
    for name, digest in snapshot.sha256.items():
        say(f"{name}: sha256 {digest}")
    return 0


def emit(arguments: argparse.Namespace) -> int:
    """0, with the generated folder as the data and the templates give it."""
    return _emit(snapshots.load(arguments.data), arguments.generated)


def _emit(snapshot: Snapshot, folder: Path) -> int:
    from generator import emit

    say(f"Emitting {folder.name}/ from the data of {snapshot.date} …")
    changed = emit.emit(snapshot, folder)
    say(f"Changed: {', '.join(changed)}." if changed else "Nothing changed.")
    return 0


def check(arguments: argparse.Namespace) -> int:
    """0 if the generated folder is as the data and the templates give it, 1 if not."""
    from generator import emit

    wrong = emit.check(snapshots.load(arguments.data), arguments.generated)
    if wrong:
        complain(f"{arguments.generated.name}/ is not what data/ and templates/ give: {', '.join(wrong)}")
        complain(f"this writes it anew: {emit.COMMAND}")
        return 1
    say(f"{arguments.generated.name}/ is what data/ and templates/ give.")
    return 0


def diff(arguments: argparse.Namespace) -> int:
    """0, with the differences printed."""
    from generator import diff, fetch

    def side(text: str) -> Snapshot:
        if text == "pinned":
            return snapshots.peek(arguments.data)
        if text == "upstream":
            return fetch.download(origin=arguments.origin, limits=fetch.Limits(total=arguments.timeout))
        path = Path(text)
        return snapshots.peek(path.parent if path.name == snapshots.PIN else path)

    forms: dict[str, Callable[[diff.Diff], str]] = {
        "text": diff.to_text,
        "json": diff.to_json,
        "html": diff.to_html,
    }
    sys.stdout.write(forms[arguments.form](diff.compare(side(arguments.old), side(arguments.new))))
    return 0


def report(arguments: argparse.Namespace) -> int:
    """0, with a summary of what is generated printed."""
    from generator import report

    sys.stdout.write(report.report(snapshots.load(arguments.data)))
    return 0


def visualize(arguments: argparse.Namespace) -> int:
    """0, with a page of every index written; a GeneratorError if a snapshot is not valid."""
    from generator import visualize

    snapshot = snapshots.load(arguments.data)
    against = snapshots.peek(arguments.against) if arguments.against else None
    written = visualize.write(snapshot, arguments.output or visualize.VISUALIZATIONS, against)
    say(f"{len(written)} pages; the list of them is {written[-1]}")
    return 0


def generate(arguments: argparse.Namespace) -> int:
    """0, with the data as upstream has it, if it can be reached, and the generated folder made from it."""
    from generator.fetch import UnreachableError

    if arguments.offline:
        say("Offline: upstream is not asked.")
    else:
        try:
            fetch(arguments)
        except UnreachableError as error:
            pinned = snapshots.load(arguments.data)
            say(f"Upstream is unreachable, so the data pinned on {pinned.date} stays: {error}")
        except GeneratorError as error:
            # It did answer, but with what nobody should build from unseen.
            raise GeneratorError(f"{error}\nto go on from the pinned data: OFFLINE=1") from error
    return _emit(snapshots.load(arguments.data), arguments.generated)


# -- The command line --------------------------------------------------------------------------------------------------


def say(line: str) -> None:
    """None, with a line of progress printed at once."""
    print(line, flush=True)


def complain(text: str) -> None:
    """None, with each line of a failure printed to standard error."""
    for line in text.splitlines():
        print(f"generator: {line}", file=sys.stderr, flush=True)


def parser() -> argparse.ArgumentParser:
    """The command line's parser; what it parses has the verb's function as `run`."""
    top = argparse.ArgumentParser(prog="python -m generator", description="From the standard's data to Cython modules.")
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
                help="where upstream's files are; default: the environment's ORIGIN, or %(default)s",
            )
            added.add_argument(
                "--timeout", type=float, default=12.0, metavar="SECONDS", help="for all of it; default: %(default)g"
            )
        return added

    def generated(added: argparse.ArgumentParser) -> None:
        added.add_argument("--generated", type=Path, default=GENERATED, metavar="FOLDER", help="instead of generated/")

    made = verb(generate, "bring the data up to date if upstream can be reached, then emit", network=True)
    made.add_argument(
        "--offline",
        action="store_true",
        default=os.environ.get("OFFLINE", "") not in ("", "0"),
        help="do not ask upstream; so does OFFLINE=1 in the environment",
    )
    generated(made)
    verb(fetch, "bring the data up to date, or fail", network=True)
    verb(verify, "check the data against its pin and the standard's invariants")
    derived = verb(derive, "make the data anew from the npm package that carries it")
    derived.add_argument("--tarball", type=Path, metavar="FILE", help="the package, if npm is not to bring it")
    generated(verb(emit, "write the modules that the data and the templates give"))
    generated(verb(check, "say whether the modules are what the data and the templates give"))
    differing = verb(diff, "say what differs between two snapshots", network=True)
    help = "a folder, a snapshot.toml, `pinned` or `upstream`; default: %(default)s"
    differing.add_argument("old", nargs="?", default="pinned", metavar="OLD", help=help)
    differing.add_argument("new", nargs="?", default="upstream", metavar="NEW", help=help)
    forms = differing.add_mutually_exclusive_group()
    forms.add_argument("--json", dest="form", action="store_const", const="json", default="text", help="as JSON")
    forms.add_argument("--html", dest="form", action="store_const", const="html", help="as an HTML page")
    visualized = verb(visualize, "write the indexes as pages to look at")
    visualized.add_argument("--output", type=Path, metavar="FOLDER", help="instead of build/_out/visualizations/")
    visualized.add_argument(
        "--against", type=Path, metavar="FOLDER", help="another snapshot, for the comparison to have both"
    )
    verb(report, "summarize what is generated: encodings, labels, bytes of tables")
    return top


def main(arguments: list[str] | None = None) -> int:
    """The exit status: 0, or 1 after a failure, which standard error then tells in words."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # A terminal may not have the characters of a diff.
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
