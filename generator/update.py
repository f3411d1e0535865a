"""Bring data and algorithms up to date together: new programs with new data are compared with the old ones.

There is one report, one digest that accepts the change, and one replacement of all files or none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import replace as replace_fields
from pathlib import Path

from generator import diff, emit, validate
from generator import fetch as network
from generator import snapshot as snapshots
from generator.model import FILES, GeneratorError, Snapshot
from generator.spec import compare, notation
from generator.spec.notation import Algorithms


@dataclass(frozen=True)
class Upstream:
    """Where the standard's files and its source are, and how long each may take."""

    origin: str
    source: str
    limits: network.Limits


def update(
    folder: Path, upstream: Upstream, accepted: str | None, say: Callable[[str], None], limit: int | None = None
) -> bool:
    """Replace data and algorithms in a folder by upstream's, each if it is reachable.

    Return whether both are, and all of it is understood. `accepted` is the digest of a change; `say` takes lines of the
    report, at most `limit` of a list. Raise a GeneratorError with all reasons, before any file is replaced, if the new
    data is invalid, no module can be emitted, or the change is unexpected and not accepted.
    """
    old, known = snapshots.load(folder), notation.known(folder)
    read = _algorithms(upstream, known, say)
    fetched = _content(upstream, old, say)
    if read is None and fetched is None:
        say("Nothing is compared: neither the standard's data nor its source could be read.")
        return False
    new, content = read or known, fetched or snapshots.read(folder)
    is_same = all(snapshots.sha256(content[name]) == old.sha256[name] for name in FILES)
    changes = compare.compare(known, new)
    if is_same and not changes and not new.unread:
        equal = [f"Upstream's data equals the data pinned on {old.date}"] if fetched else []
        say(", and ".join([*equal, *([f"{len(new.digests)} algorithms read as pinned"] if read else [])]) + ".")
        return bool(read and fetched)
    candidate = old if is_same else snapshots.parse(content, snapshots.today())
    if changes:
        removed = known.programs.keys() - new.programs.keys()
        before = old.programs or known.programs
        programs = {anchor: program for anchor, program in before.items() if anchor not in removed}
        candidate = replace_fields(candidate, programs={**programs, **new.programs})
    else:
        candidate = replace_fields(candidate, programs=old.programs)
    report = diff.compare(old, candidate, known, new)
    say(diff.to_text(report, limit).rstrip("\n"))
    validate.check(candidate, old)
    diff.approve(report, accepted, _refusals(candidate, folder))
    files = dict(content)
    if not is_same:
        origins = {name: network.address(upstream.origin, name) for name in FILES}
        files[snapshots.PIN] = snapshots.pin(candidate, origins).encode()
    if changes:
        files[notation.FILE] = notation.to_toml(new).encode()
    snapshots.replace(folder, files)
    for what, is_replaced in (("The data is", not is_same), (f"{notation.FILE} is", bool(changes))):
        if is_replaced:
            say(f"{what} replaced and pinned as of {snapshots.today()}.")
    if new.unread:
        anchors = ", ".join(f"#{section.anchor}" for section in new.unread)
        say(f"Kept as pinned, since their texts are not understood: {anchors}.")
    return bool(read and fetched) and not new.unread


def _algorithms(upstream: Upstream, known: Algorithms, say: Callable[[str], None]) -> Algorithms | None:
    """Return upstream's algorithms; None if its source is unreachable."""
    try:
        return network.download_algorithms(source=upstream.source, limits=upstream.limits, known=known)
    except network.UnreachableError as error:
        say(f"The standard's source is unreachable, so its algorithms are not compared: {error}")
        return None


def _content(upstream: Upstream, old: Snapshot, say: Callable[[str], None]) -> dict[str, bytes] | None:
    """Return upstream's files by name; None if it is unreachable."""
    say(f"Fetching the standard's data from {upstream.origin} …")
    try:
        return network.files(upstream.origin, upstream.limits)
    except network.UnreachableError as error:
        say(f"Upstream is unreachable, so the data pinned on {old.date} is used: {error}")
        return None


def _refusals(candidate: Snapshot, folder: Path) -> list[str]:
    """Return the reasons why no module can be emitted, a line each."""
    try:
        emit.outputs(candidate, folder)
    except GeneratorError as error:
        return str(error).splitlines()
    return []
