"""The table of names of encodings, from data/names.toml, for lookup_codec, mail, the drop-ins and detection."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from generator.model import DATA, GeneratorError, data_file, file_content

FILE = "names.toml"
_COLUMNS = {
    "encodings": {"codecs", "same", "exact", "numbers", "names", "misspelt"},
    "codecs": {"far", "era", "languages", "within", "numbers", "names"},
    "languages": {"name", "encodings", "locale", "dos", "domains"},
}
_NOT_TEXT = "machine", "no-encoding"
"""Why a codec is far that mail does not use."""
_SAFE = re.compile(r"[A-Za-z0-9 _.,;-]*", re.ASCII)


class NameTableError(GeneratorError, ValueError):
    """The table of names violates one of its rules."""


def load(folder: Path = DATA) -> dict[str, dict[str, Any]]:
    """Return the table in ``folder``. Raise a NameTableError for a row that violates a rule."""
    table: dict[str, dict[str, Any]] = tomllib.loads(file_content(data_file(folder, FILE)).decode())
    for section, columns in _COLUMNS.items():
        for key, row in table[section].items():
            if unknown := row.keys() - columns:
                raise NameTableError(f"{FILE}: {section}.{key} has {', '.join(sorted(unknown))}, which is no column")
    for text in _texts(table):
        if not _SAFE.fullmatch(text):
            raise NameTableError(f"{FILE}: {text!r} has characters other than letters, digits, spaces and _ . , ; -")
    _check_uses(table)
    return table


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _texts(item)
    elif isinstance(value, str):
        yield value


def _check_uses(table: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise a NameTableError if a name or number has two meanings, or a row refers to what is not there."""
    meanings: dict[str, str] = {}
    for section in "encodings", "codecs":
        for key, row in table[section].items():
            for name in _words(row, "numbers", "names", "misspelt"):
                if meanings.setdefault(name, key) != key:
                    raise NameTableError(f"{FILE}: {name} is a name of both {meanings[name]} and {key}")
    for key, row in table["codecs"].items():
        near = [name for name, encoding in table["encodings"].items() if key in _words(encoding, "codecs")]
        if len(near) + ("far" in row) != 1:
            raise NameTableError(f"{FILE}: codecs.{key} must be near to one encoding, or far")
        if row.get("far", "unsafe") not in table["far"]:
            raise NameTableError(f"{FILE}: codecs.{key}: far has no {row['far']}")
        within = row.get("within")
        if within is not None and "era" not in table["codecs"].get(within, {}):
            raise NameTableError(f"{FILE}: codecs.{key}: {within} is no candidate")
    domains = [domain for row in table["languages"].values() for domain in _words(row, "domains")]
    if len(domains) != len(set(domains)):
        raise NameTableError(f"{FILE}: a domain has two languages")


def _words(row: Mapping[str, str], *columns: str) -> list[str]:
    return [word for column in columns for word in row.get(column, "").split()]


def template_context(encodings: Collection[str], folder: Path = DATA) -> Mapping[str, object]:
    """Return the context of ``templates/names.py.j2``. What the table has of other encodings is left out."""
    table = load(folder)
    known = {name: row for name, row in table["encodings"].items() if name in encodings}
    codecs, languages = table["codecs"], table["languages"]
    groups = table["groups"]
    rows = {name: table["encodings"].get(name, {}) for name in encodings}
    targets = [*known.items(), *codecs.items()]

    def of(column: str) -> dict[str, str]:
        return {tag: row[column] for tag, row in languages.items() if column in row}

    tables: dict[str, Mapping[Any, object]] = {
        "NEAREST": {codec: name for name, row in known.items() for codec in _words(row, "codecs")},
        "FAR": {codec: table["far"][row["far"]] for codec, row in codecs.items() if "far" in row},
        "CODECS_OF": {name: tuple(_words(row, "same") or _words(row, "codecs")) for name, row in rows.items()},
        "NUMBERS": {int(number): key for key, row in targets for number in _words(row, "numbers")},
        "NAMES": {name: key for key, row in targets for name in _words(row, "names")},
        "MISSPELT": {name: key for key, row in known.items() for name in _words(row, "misspelt")},
        "CANDIDATES": {
            codec: (row["era"], groups.get(row.get("languages", ""), row.get("languages", "")))
            for codec, row in codecs.items()
            if "era" in row
        },
        "WITHIN": {codec: row["within"] for codec, row in codecs.items() if "within" in row},
        "LANGUAGES": of("name"),
        "ENCODINGS_OF_LANGUAGES": {
            tag: tuple(name for name in names.split() if name in known) for tag, names in of("encodings").items()
        },
        "LOCALES": {tag: name for tag, name in of("locale").items() if name in known},
        "DOS_PAGES": of("dos"),
        "DOMAINS": {domain: tag for tag, names in of("domains").items() for domain in names.split()},
        "DRIVERS": {
            int(driver, 16): int(page) for page, drivers in table["drivers"].items() for driver in drivers.split()
        },
    }
    return {
        "digest": hashlib.sha256(file_content(data_file(folder, FILE))).hexdigest(),
        "tables": {name: {repr(key): repr(value) for key, value in rows.items()} for name, rows in tables.items()},
        "sets": {
            "EXACT": [name for name, row in known.items() if row.get("exact")],
            "NOT_TEXT": [codec for codec, row in codecs.items() if row.get("far") in _NOT_TEXT],
        },
    }
