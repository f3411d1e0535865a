"""Identifiers from the standard's names: the rule, no collisions, and the names that are refused."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator import names
from generator.model import Snapshot


@pytest.mark.parametrize(
    ("name", "symbol", "constant"),
    [
        ("UTF-8", "utf_8", "UTF_8"),
        ("ISO-8859-8-I", "iso_8859_8_i", "ISO_8859_8_I"),
        ("Shift_JIS", "shift_jis", "SHIFT_JIS"),
        ("x-user-defined", "x_user_defined", "X_USER_DEFINED"),
        ("gb18030", "gb18030", "GB18030"),
        ("windows-1252", "windows_1252", "WINDOWS_1252"),
    ],
)
def test_one_rule_without_exceptions(name: str, symbol: str, constant: str) -> None:
    assert names.symbol(name) == symbol
    assert names.constant(name) == constant


def test_symbols_are_injective_over_the_standard(pinned: Snapshot) -> None:
    encodings = [encoding.name for encoding in pinned.encodings]
    indexes = [*pinned.indexes, pinned.ranges.name]
    for function in (names.symbol, names.constant):
        assert len({function(name) for name in encodings}) == len(encodings) > 30
        assert len({function(name) for name in indexes}) == len(indexes) > 30


def test_all_that_the_standard_has_is_accepted(pinned: Snapshot) -> None:
    for encoding in pinned.encodings:
        assert names.checked_name(encoding.name) == encoding.name
        assert names.checked_heading(encoding.heading) == encoding.heading
        assert [names.checked_label(label) for label in encoding.labels] == list(encoding.labels)


HOSTILE = [
    "",
    " ",
    "1252",
    "-utf-8",
    "_utf_8",
    "UTF-8\n",
    "\nUTF-8",
    "UTF-8\0",
    "UTF 8",
    'UTF-8"',
    "UTF-8'",
    "UTF-8\\",
    "UTF-8*/",
    "UTF-8;",
    "UTF-8#",
    "UTF-8{{7*7}}",
    "UTF-8%}",
    "UTF-8()",
    "../UTF-8",
    "UTF-8/x",
    "UTF.8",
    "UTF\u20118",
    "\uff35TF-8",
    "\u212aOI8-R",
    "U\u0130TF-8",
    "UTF-\u0668",
    "U" * 65,
    "class",
    "import",
]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        *(("name", text) for text in HOSTILE),
        *(
            ("label", text)
            for text in ("", "UTF-8", "utf 8", "utf-8\n", 'utf-8"', "utf-8\\", "-utf-8", "utf\u20108", "u" * 65)
        ),
        *(("heading", text) for text in ("", "The\nEncoding", "The Encoding */", "{{ x }}", "Encoding #1", "H" * 65)),
    ],
)
def test_a_text_of_other_characters_is_refused_in_a_printable_line(kind: str, text: str) -> None:
    functions = {"name": (names.symbol, names.constant, names.checked_name), "label": (names.checked_label,)}
    for function in functions.get(kind, (names.checked_heading,)):
        with pytest.raises(names.UnsafeNameError, match=f"the {kind}") as caught:
            function(text)
        assert str(caught.value).isprintable()
        assert str(caught.value).isascii()


@given(st.text(max_size=20) | st.from_regex(r"[A-Za-z][A-Za-z0-9_-]*", fullmatch=True))
def test_what_is_accepted_is_an_identifier(name: str) -> None:
    try:
        symbol = names.symbol(name)
    except names.UnsafeNameError:
        pass
    else:
        assert re.fullmatch("[a-z][a-z0-9_]*", symbol, re.ASCII)
        assert symbol.isidentifier()
