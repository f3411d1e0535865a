"""Read a folder of pinned data, verify it against its pin, and replace it.

It has the standard's two files and `snapshot.toml`, the pin: origin, date, the SHA-256 of each file, and the standard's
own Identifier of each index.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import sys
import tempfile
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace as replace_fields
from datetime import UTC, date, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from generator import validate
from generator.cache import cached
from generator.model import DATA as DATA
from generator.model import (
    ENCODINGS,
    FILES,
    INDEXES,
    RANGES,
    STANDARD,
    Encoding,
    GeneratorError,
    Index,
    RangeIndex,
    Snapshot,
    file_content,
    number,
    shortened,
)
from generator.model import SnapshotError as SnapshotError
from generator.spec import notation
from generator.spec.machine import pinned
from generator.spec.notation import toml_string
from generator.spec.program import Programs

PIN = "snapshot.toml"

MOST = 1000
"""Maximum number of encodings or indexes that is accepted; the standard has 40 and 34."""


# -- From bytes to the model -------------------------------------------------------------------------------------------


def identifier(entries: object) -> str:
    """Return the Identifier, 64 hexadecimal digits, of an index given as the list that indexes.json holds.

    The standard publishes the SHA-256 of the list as Python prints it. https://encoding.spec.whatwg.org/#indexes
    """
    return hashlib.sha256(str(entries).encode("ascii")).hexdigest()


def today() -> str:
    """Return the date, UTC, as ISO 8601."""
    return datetime.now(UTC).date().isoformat()


def sha256(content: bytes) -> str:
    """Return the SHA-256 of a file's content, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def parse(content: Mapping[str, bytes], day: str) -> Snapshot:
    """Return the snapshot of the two files.

    `content` holds their bytes by file name; `day` is an ISO 8601 date, empty if unknown. Check only that the files
    have the standard's form; `validate` checks the invariants. Raise a SnapshotError that says which file is malformed,
    and where. https://encoding.spec.whatwg.org/#indexes
    """
    if day:
        date.fromisoformat(day)
    indexes = _json(INDEXES, content[INDEXES])
    _require(isinstance(indexes, dict), f"{INDEXES}:", indexes, "an object that maps index names to lists")
    _few(f"{INDEXES}: indexes", indexes)
    return Snapshot(
        encodings=_encodings(_json(ENCODINGS, content[ENCODINGS])),
        indexes=MappingProxyType({name: _index(name, list_) for name, list_ in indexes.items() if name != RANGES}),
        ranges=_ranges(indexes.get(RANGES, [])),  # Early data has none, which `validate` refuses.
        date=day,
        sha256=MappingProxyType({name: sha256(content[name]) for name in FILES}),
    )


def _json(file: str, content: bytes) -> Any:
    """Parse a JSON text; refuse what Python's parser accepts beyond JSON or silently drops."""

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        object_: dict[str, Any] = {}
        for key, value in pairs:
            if key in object_:
                raise SnapshotError(f"{file}: the member {shortened(key)} occurs twice in one object")
            object_[key] = value
        return object_

    def constant(name: str) -> Any:
        raise SnapshotError(f"{file}: contains {name}, which is not JSON")

    try:
        return json.loads(content.decode("utf-8"), object_pairs_hook=members, parse_constant=constant)
    except UnicodeDecodeError as error:
        raise SnapshotError(f"{file}: is not JSON: byte {error.start} is not UTF-8") from error
    except json.JSONDecodeError as error:
        what = "an HTML page, not JSON" if content.lstrip()[:1] == b"<" else "not JSON"
        raise SnapshotError(f"{file}: is {what}: line {error.lineno}, column {error.colno}: {error.msg}") from error
    except RecursionError as error:
        raise SnapshotError(f"{file}: is nested too deeply") from error
    except SnapshotError:
        raise
    except ValueError as error:  # Python refuses to parse a number of thousands of digits.
        raise SnapshotError(f"{file}: cannot be parsed: {error}") from error


def _kind(value: object) -> str:
    """Return the kind of a JSON value, in JSON's terms."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case float():
            return f"the number {value:.17g}"
        case int():
            return number(value)
        case str():
            return f"the string {shortened(value)}"
        case list():
            return f"a list of {len(value)}"
    return "an object"


def _require(is_wanted: bool, where: str, value: object, wanted: str) -> None:
    """Raise a SnapshotError that says what a JSON value is, and what it is not, unless it is wanted."""
    if not is_wanted:
        raise SnapshotError(f"{where} is {_kind(value)}, not {wanted}")


def _is_integer(value: object) -> bool:
    return type(value) is int  # JSON's true and false are also Python integers.


def _index(name: str, entries: Any) -> Index:
    where = f"{INDEXES}: index {shortened(name)}"
    _require(isinstance(entries, list), f"{where}:", entries, "a list of code points")
    wanted = f"a code point or null ({STANDARD}#index-code-point)"
    for pointer, code_point in enumerate(entries):
        if code_point is not None and not _is_integer(code_point):
            _require(False, f"{where}, pointer {pointer}:", code_point, wanted)
    return Index(name, tuple(entries), identifier(entries))


def _ranges(entries: Any) -> RangeIndex:
    where = f"{INDEXES}: index {RANGES!r}"
    _require(isinstance(entries, list), f"{where}:", entries, "a list of pairs of pointer and code point")
    wanted = f"a pair of pointer and code point ({STANDARD}#index-gb18030-ranges)"
    for position, entry in enumerate(entries):
        is_pair = isinstance(entry, list) and len(entry) == 2 and all(map(_is_integer, entry))
        _require(is_pair, f"{where}, entry {position}:", entry, wanted)
    return RangeIndex(RANGES, tuple((pointer, code_point) for pointer, code_point in entries), identifier(entries))


def _encodings(groups: Any) -> tuple[Encoding, ...]:
    def member(value: Any, key: str, type_: type[list[Any]] | type[str], where: str) -> Any:
        _require(isinstance(value, dict), f"{ENCODINGS}: {where}:", value, "an object")
        field, wanted = value.get(key), f"a {type_.__name__} ({STANDARD}#names-and-labels)"
        _require(isinstance(field, type_), f"{ENCODINGS}: {where}: {key!r}", field, wanted)
        return field

    _require(isinstance(groups, list), f"{ENCODINGS}:", groups, "a list of headings and their encodings")
    encodings = []
    for group_number, group in enumerate(groups):
        heading = member(group, "heading", str, f"group {group_number}")
        for position, encoding in enumerate(member(group, "encodings", list, f"group {group_number}")):
            where = f"encoding {position} of group {group_number}"
            name = member(encoding, "name", str, where)
            labels = member(encoding, "labels", list, where)
            for label in labels:
                _require(isinstance(label, str), f"{ENCODINGS}: {where}: a label", label, "a string")
            encodings.append(Encoding(name, tuple(labels), heading))
    _few(f"{ENCODINGS}: encodings", encodings)
    return tuple(encodings)


def _few(what: str, items: Collection[object]) -> None:
    """Raise a SnapshotError if there are more than `MOST`, since comparing that many would take hours."""
    if len(items) > MOST:
        raise SnapshotError(f"{what}: there are {len(items)}, but at most {MOST} are accepted")


# -- The pin -----------------------------------------------------------------------------------------------------------


def pin(snapshot: Snapshot, origins: Mapping[str, str] | None = None) -> str:
    """Return the text of snapshot.toml; `origins` gives the URL of each file if it is not the standard's own."""
    origins = origins or {name: STANDARD + name for name in FILES}
    lines = [
        "# The pin: which data of the Encoding Standard everything here is generated from.",
        "# `python -m generator generate` and `pin` write it, and `verify` checks it: see README.md.",
        "",
        f"date = {snapshot.date}",
    ]
    for name in FILES:
        lines += ["", f"[files.{toml_string(name)}]", f"origin = {toml_string(origins[name])}"]
        lines += [f"sha256 = {toml_string(snapshot.sha256[name])}"]
    lines += ["", "# The Identifier that the standard publishes with each index, and changes with it."]
    lines += ["[identifiers]"]
    lines += [f"{toml_string(name)} = {toml_string(value)}" for name, value in sorted(identifiers(snapshot).items())]
    return "\n".join(lines) + "\n"


def identifiers(snapshot: Snapshot) -> dict[str, str]:
    """Return the Identifier of each index of a snapshot, including the ranges, by index name."""
    indexes: Iterable[Index | RangeIndex] = (*snapshot.indexes.values(), snapshot.ranges)
    return {index.name: index.identifier for index in indexes}


def _read_pin(folder: Path) -> dict[str, Any]:
    content = _read(folder / PIN)
    try:
        pinned = tomllib.loads(content.decode("utf-8"))
    except ValueError as error:
        raise SnapshotError(f"{PIN}: is not TOML: {error}") from error
    tables = (pinned.get("files"), pinned.get("identifiers"))
    if type(pinned.get("date")) is not date or not all(isinstance(table, dict) for table in tables):
        raise SnapshotError(f"{PIN}: must have a date, a table `files` and a table `identifiers`")
    return pinned


def _read(path: Path) -> bytes:
    try:
        return file_content(path)
    except SnapshotError as error:
        if path.name != PIN:
            raise
        command = f"python -m generator pin --data {shlex.quote(str(path.parent))}"
        raise SnapshotError(f"{error}; to pin the data there: {command}") from error


# -- Reading and writing folders ---------------------------------------------------------------------------------------

ROW = 16
"""Pointers in a line of the pinned indexes.json."""

_LIST = re.compile(rb"\[(?:\d+|null)(?:,(?:\d+|null)){%d,}\]" % ROW)
_ROWS = re.compile(rb"(?<=[\[,])\n(?=[\dn\[])")


def in_rows(content: bytes) -> bytes:
    """Return the indexes with a line for each row of pointers and each range, so that a change of one is a line.

    The standard publishes an index as one line. `as_published` returns that again, byte for byte.
    """

    def rows(match: re.Match[bytes]) -> bytes:
        entries = match[0][1:-1].split(b",")
        return b"[\n%b]" % b",\n".join(b",".join(entries[at : at + ROW]) for at in range(0, len(entries), ROW))

    return _LIST.sub(rows, content).replace(b"],[", b"],\n[").replace(b":[[", b":[\n[")


def as_published(content: bytes) -> bytes:
    """Return the indexes without the line ends that `in_rows` adds."""
    return _ROWS.sub(b"", content)


def read(folder: Path) -> dict[str, bytes]:
    """Return the two files in a folder as they are published, by name; raise a SnapshotError if one cannot be read."""
    content = {name: _read(folder / name) for name in FILES}
    return {**content, INDEXES: as_published(content[INDEXES])}


def verify(folder: Path = DATA) -> Snapshot:
    """Return the snapshot in a folder; raise a SnapshotError that says what differs from its pin."""
    content = read(folder)
    pin_ = _read_pin(folder)
    faults = []
    for name in FILES:
        expected, actual = pin_["files"].get(name, {}).get("sha256"), sha256(content[name])
        if actual != expected:
            faults.append(f"{name}: its sha256 is {actual}, but {PIN} pins {expected}")
            if sha256(content[name].replace(b"\r\n", b"\n")) == expected:
                faults.append(
                    f"{name}: only its line ends differ, CR LF instead of LF, as git's core.autocrlf makes them: "
                    "git config core.autocrlf false && git rm -rq --cached . && git reset -q --hard"
                )
    if faults:
        raise SnapshotError("\n".join(faults))
    snapshot = replace_fields(parse(content, pin_["date"].isoformat()), programs=_programs(folder))
    actual_identifiers = identifiers(snapshot)
    for name in sorted(actual_identifiers.keys() | pin_["identifiers"].keys()):
        actual, expected = actual_identifiers.get(name, "absent"), pin_["identifiers"].get(name, "absent")
        if actual != expected:
            faults.append(
                f"{INDEXES}: index {shortened(name)}: its Identifier is {actual}, "
                f"but {PIN} pins {expected} ({STANDARD}#indexes)"
            )
    if faults:
        raise SnapshotError("\n".join(faults))
    return snapshot


def load(folder: Path = DATA) -> Snapshot:
    """Return the snapshot in a folder, verified against its pin and validated; raise a SnapshotError for any fault."""
    snapshot = verify(folder)
    key = ("valid", *snapshot.sha256.values(), repr(snapshot.programs), sha256(_read(DATA / notation.FILE)))
    cached(key, lambda: validate.check(snapshot, snapshot))  # as its own predecessor: what is pinned was accepted
    return snapshot


def peek(folder: Path) -> Snapshot:
    """Return the snapshot in a folder, valid or not; if it is pinned, verify it against its pin."""
    if (folder / PIN).exists():
        return verify(folder)
    return replace_fields(parse(read(folder), day=""), programs=_programs(folder))


def _programs(folder: Path) -> Programs:
    """Return the algorithms of `DATA` with those that a folder pins in their place, none if both are the same."""
    path = folder / notation.FILE
    if not path.exists() or path.read_bytes() == (DATA / notation.FILE).read_bytes():
        return {}
    algorithms = notation.load(folder)
    assert algorithms is not None
    return {**pinned(), **algorithms.programs}


def write(
    folder: Path, content: Mapping[str, bytes], *, day: str | None = None, origins: Mapping[str, str] | None = None
) -> Snapshot:
    """Replace the folder's snapshot with `content`, the bytes of both files by name; return the new snapshot.

    `day` is the pin's ISO 8601 date, today (UTC) if it is None. Raise a SnapshotError, before anything is written, if
    the data is invalid.
    """
    snapshot = parse(content, day or today())
    validate.check(snapshot)
    replace(folder, {**content, PIN: pin(snapshot, origins).encode("utf-8")})
    return snapshot


def replace(folder: Path, files: Mapping[str, bytes]) -> None:
    """Replace files in a folder, given by name, after all are written: none is if one of them cannot be.

    The indexes are written in rows.

    What a process that dies in between leaves does not match the pin, and `git restore` brings the files before back.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=folder) as staging:
        for name, content in files.items():
            Path(staging, name).write_bytes(in_rows(content) if name == INDEXES else content)
        for name in files:
            os.replace(Path(staging, name), folder / name)


def make(name: str, text: Callable[[], str]) -> int:
    """Replace a file of `DATA` that is counted; return the exit status: 0, or 1 after an error, which is printed."""
    try:
        content = text().encode()
    except GeneratorError as error:
        print(f"generator: {error}", file=sys.stderr)
        return 1
    path = DATA / name
    is_same = path.exists() and path.read_bytes() == content
    if not is_same:
        replace(DATA, {name: content})
    print(f"{name}: {len(content):,} bytes, {'as committed' if is_same else 'changed'}.")
    return 0
