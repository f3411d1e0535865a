"""The table of decode contexts, who decodes bytes on the web and how: from a CSV file to the runtime's table."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Mapping
from pathlib import Path

from generator.model import DATA, GeneratorError, data_file, file_content

CSV = "decode_contexts.csv"

#: How each operation handles a byte order mark: a nonempty BOM cell has one of these values.
OPERATION_BOM: Mapping[str, tuple[str, ...]] = {
    "": ("sniffing",),
    "TextDecoder": ("remove", "keep"),
    "decode": ("sniffing", "remove"),
    "UTF-8 decode": ("remove",),
    "UTF-8 decode without BOM": ("keep",),
    "isomorphic decode": (),
    "ECMAScript Decode()": (),
}

_DETERMINATIONS = """
label fallback utf-8 html xhr-html xml css-link css-import css-link-header text mime-type xhr-xml xhr script
"""

#: The values allowed in the cells of a column; None allows any text. An empty cell means that no standard specifies it.
COLUMNS: Mapping[str, tuple[str, ...] | None] = {
    "n": None,
    "id": None,
    "context_ja": None,
    "context_en": None,
    "spec_operation": tuple(OPERATION_BOM),
    "streaming": ("", "yes", "partial"),
    "legacy_encodings": None,
    "bom": ("", "sniffing", "remove", "keep"),
    "user_override": ("", "yes"),
    "content_type_metadata": ("", "yes"),
    "charset_sniffing": None,
    "default_encoding": None,
    "change_encoding": ("", "yes"),
    "error_mode": ("", "replacement", "fatal", "replacement or fatal", "selectable", "URIError"),
    "determination": ("", *_DETERMINATIONS.split()),
    "input": ("", "percent-encoded", "form-urlencoded"),
    "comment": None,
}

#: Columns that the package leaves out: by them a row is found in the table that this one began as.
_NOT_EMITTED = ("context_ja",)

#: The determinations and error modes of contexts whose decoding takes no hint.
_WITHOUT_HINTS = (("", "utf-8"), ("", "replacement", "fatal", "URIError"))

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)


class ContextError(GeneratorError, ValueError):
    """The table of contexts violates one of its rules."""


def parse(text: str) -> tuple[dict[str, str], ...]:
    """Return the rows of the table, by column. Raise a ContextError for a cell that violates a rule."""
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    if reader.fieldnames is None or tuple(reader.fieldnames) != tuple(COLUMNS):
        raise ContextError(f"{CSV}: the columns are {reader.fieldnames}, not {list(COLUMNS)}")
    rows: list[dict[str, str]] = []
    seen: set[str] = set()
    for number, row in enumerate(reader, 1):
        where = f"{CSV}, row {number} ({row['id']!r})"
        if None in row or None in row.values():
            raise ContextError(f"{where} does not have {len(COLUMNS)} cells")
        for column, allowed in COLUMNS.items():
            if allowed is not None and row[column] not in allowed:
                values = ", ".join(map(repr, allowed))
                raise ContextError(f"{where}: {column} is {row[column]!r}, not one of {values}")
            if not row[column].isprintable():
                raise ContextError(f"{where}: {column} contains a control character")
        if row["n"] != str(number):
            raise ContextError(f"{where}: n is {row['n']!r}, not {number}")
        if not _ID.fullmatch(row["id"]):
            raise ContextError(f"{where}: id is not lowercase ASCII letters, digits and single hyphens")
        if row["id"] in seen:
            raise ContextError(f"{where}: another row has this id")
        seen.add(row["id"])
        _check_consistency(where, row)
        rows.append(row)
    return tuple(rows)


def _check_consistency(where: str, row: Mapping[str, str]) -> None:
    operation, bom = row["spec_operation"], row["bom"]
    if bom and bom not in OPERATION_BOM[operation]:
        raise ContextError(f"{where}: bom is {bom!r}, which contradicts the operation {operation!r}")
    if operation not in ("", "isomorphic decode"):
        if not row["determination"]:
            raise ContextError(f"{where}: {operation!r} requires a determination")
        if not row["error_mode"]:
            raise ContextError(f"{where}: {operation!r} requires an error_mode")
    if operation == "isomorphic decode" and (row["determination"] or row["error_mode"]):
        raise ContextError(f"{where}: an isomorphic decode has neither a determination nor an error_mode")
    if row["change_encoding"] and row["determination"] != "html":
        raise ContextError(f"{where}: only the HTML parser changes the encoding")


def load(folder: Path = DATA) -> tuple[dict[str, str], ...]:
    """Return the rows of the table in ``folder``, by column."""
    return parse(file_content(data_file(folder, CSV)).decode())


def template_context(folder: Path = DATA) -> dict[str, object]:
    """Return the context of ``templates/contexts.py.j2``: rows, with their cells as Python literals, and the digest."""
    rows = load(folder)
    return {
        "columns": tuple(column for column in COLUMNS if column not in _NOT_EMITTED),
        "others": tuple(
            json.dumps(row["id"])
            for row in rows
            if row["determination"] in _WITHOUT_HINTS[0] and row["error_mode"] in _WITHOUT_HINTS[1]
        ),
        "digest": hashlib.sha256(file_content(data_file(folder, CSV))).hexdigest(),
        # A JSON string is also a Python literal, and none of its characters can terminate it.
        "rows": tuple(
            {
                "id": json.dumps(row["id"]),
                "cells": tuple(
                    (column, cell if column == "n" else json.dumps(cell, ensure_ascii=False))
                    for column, cell in row.items()
                    if cell and column not in _NOT_EMITTED
                ),
            }
            for row in rows
        ),
    }
