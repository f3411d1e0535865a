"""All that takes names of encodings reads one table: ``lookup_codec``, mail, and the drop-ins for other libraries."""

from __future__ import annotations

import encodings.aliases
import pkgutil

import pytest

import whatwg_encoding as we
from whatwg_encoding import chardet, charset_normalizer, mail, names, w3lib

CODECS = {module.name for module in pkgutil.iter_modules(encodings.__path__)} - {"aliases"}
WRITTEN = sorted({*we.LABELS, *names.NAMES, *encodings.aliases.aliases, *CODECS, *names.FAR})
# A larger one decodes all that these decode, or a browser decodes them as another one. lookup_codec has no variants of
# ISO-2022-JP and of JIS X 0213, and only the orders of UTF-32.
ALIKE = {
    "gb18030": "GBK", "ISO-8859-8": "ISO-8859-8-I", "cp037": "cp1140", "euc_jis_2004": "EUC-JP",
    "iso2022_jp_2": "ISO-2022-JP", "iso2022_jp_2004": "ISO-2022-JP", "iso2022_jp_ext": "ISO-2022-JP",
    "shift_jis_2004": "Shift_JIS", **dict.fromkeys(("utf_32", "utf_32_be", "utf_32_le", "UTF-32BE"), "UTF-32LE"),
}  # fmt: skip


def meaning(encoding: we.Encoding | str | None) -> str | None:
    """Return the encoding that a function found, by the nearest one of the standard if that is a codec's."""
    if encoding is None or encoding in (we.REPLACEMENT, we.X_USER_DEFINED):
        return None
    if isinstance(encoding, str):
        codec = names.module_of(encoding)
        encoding = names.NEAREST.get(codec) or names.WITHIN.get(codec, codec)
        encoding = names.NEAREST.get(encoding, encoding)
    name = getattr(encoding, "name", encoding)
    return ALIKE.get(name, name)


def by_lookup_codec(name: str) -> we.Encoding | None:
    try:
        return we.lookup_codec(name)
    except we.UnknownLabelError:
        return None


@pytest.mark.parametrize("name", WRITTEN)
def test_what_knows_a_name_agrees(name: str) -> None:
    meanings = {
        "label": meaning(we.LABELS.get(name)),
        "lookup_codec": meaning(by_lookup_codec(name)),
        "mail": meaning(mail.charset(name)),
        "chardet": meaning(chardet.lookup_encoding(name)),
        "w3lib": meaning(w3lib.resolve_encoding(name)),
    }
    assert len(set(meanings.values()) - {None}) <= 1, meanings


def test_an_alias_of_python_is_no_name_of_another_code_page() -> None:
    assert mail.charset("cp866u") == "cp1125"
    assert chardet.lookup_encoding("cp866u") == "cp1125"


def test_a_name_of_what_the_standard_refuses_is_known_for_it() -> None:
    with pytest.raises(we.UnknownLabelError, match="the standard does not decode it"):
        we.lookup_codec("hzgb2312")
    assert mail.charset("hzgb2312") == "hz"


def test_charset_normalizer_finds_the_module() -> None:
    assert charset_normalizer.iana_name("uhc") == "cp949"
