"""The table of names: what it must not have, and what is left out of it with an encoding."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator import name_table
from generator.model import DATA

TABLE = (DATA / name_table.FILE).read_text(encoding="utf-8")

MISTAKES = {
    'KOI8-R = {': ('KOI8-R = { label = "koi", ', "encodings.KOI8-R has label, which is no column"),
    'names = "koi koi8"': ('names = "koi latin9"', "latin9 is a name of both ISO-8859-15 and koi8_r"),
    'numbers = "20866 878"': ('numbers = "20866 949"', "949 is a name of both KOI8-R and EUC-KR"),
    'cp1125 = { era': ('cp1125 = { within = "cp850u", era', "codecs.cp1125: cp850u is no candidate"),
    'hz = { era': ('hz = { within = "mac_farsi", era', "codecs.hz: mac_farsi is no candidate"),
    'far = "unsafe"': ('far = "strange"', "far has no strange"),
    'codecs = "koi8_u"': ('codecs = ""', "codecs.koi8_u must be near to one encoding, or far"),
    'name = "Ukrainian"': ("name = 'Ukrainian\"'", "has characters other than letters"),
    'domains = "by"': ('domains = "by dk"', "a domain has two languages"),
}  # fmt: skip


@pytest.mark.parametrize("part", MISTAKES)
def test_a_mistake_is_refused(part: str, tmp_path: Path) -> None:
    assert part in TABLE
    wrong, message = MISTAKES[part]
    (tmp_path / name_table.FILE).write_text(TABLE.replace(part, wrong, 1), encoding="utf-8")
    with pytest.raises(name_table.NameTableError) as raised:
        name_table.load(tmp_path)
    assert message in str(raised.value)


def test_what_an_encoding_has_goes_with_it() -> None:
    tables = name_table.template_context(["UTF-8", "windows-1252"])["tables"]
    assert isinstance(tables, dict)
    assert "'koi8_r'" not in tables["NEAREST"]
    assert set(tables["CODECS_OF"]) == {"'UTF-8'", "'windows-1252'"}
    assert "'ja'" not in tables["LOCALES"]
    assert "20866" not in tables["NUMBERS"]
