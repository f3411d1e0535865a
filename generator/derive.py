"""Derive the pinned data from a package registry and the standard's text, byte for byte as the standard serves it.

The npm package `text-encoding` has the standard's index tables. This module holds the differences from the pinned ones,
one changed and one added index, and the labels, which the standard's text lists. `python -m generator derive` thereby
reproduces the committed data. It runs npm, which may use the network.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import subprocess
import tarfile
import tempfile
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generator.model import ENCODINGS, INDEXES, SnapshotError

PACKAGE = "text-encoding@0.7.0"
INTEGRITY = "sha512-oJQ3f1hrOnbRLOcwKz0Liq2IcrvDeZRHXhd9RgLrsT+DjWY/nty1Hi7v3dtkaEYbPYe0mUoOfzRrMwfXXwgPUA=="
MEMBER = "package/lib/encoding-indexes.js"

GB18030_2022 = {
    7182: 0xFE10, 7183: 0xFE12, 7184: 0xFE11, 7185: 0xFE13, 7186: 0xFE14, 7187: 0xFE15, 7188: 0xFE16,
    7201: 0xFE17, 7202: 0xFE18, 7208: 0xFE19,
    23775: 0x9FB4, 23783: 0x9FB5, 23788: 0x9FB6, 23789: 0x9FB7, 23795: 0x9FB8, 23812: 0x9FB9, 23829: 0x9FBA,
    23845: 0x9FBB,
}  # fmt: skip
"""Pointers of index gb18030 whose private-use code point GB18030-2022 replaced, and their new code points.

https://encoding.spec.whatwg.org/#index-gb18030
"""

KATAKANA = "iso-2022-jp-katakana"

# https://encoding.spec.whatwg.org/#names-and-labels: headings follow '#'; each other line has a name and its labels; a
# line that begins with a space continues the previous one.
NAMES_AND_LABELS = """\
# The Encoding
UTF-8: unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8
# Legacy single-byte encodings
IBM866: 866 cp866 csibm866 ibm866
ISO-8859-2: csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
ISO-8859-3: csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
ISO-8859-4: csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
ISO-8859-5: csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
ISO-8859-6: arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i
 iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
ISO-8859-7: csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7
 iso_8859-7:1987 sun_eu_greek
ISO-8859-8: csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8
 iso_8859-8:1988 visual
ISO-8859-8-I: csiso88598i iso-8859-8-i logical
ISO-8859-10: csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6
ISO-8859-13: iso-8859-13 iso8859-13 iso885913
ISO-8859-14: iso-8859-14 iso8859-14 iso885914
ISO-8859-15: csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9
ISO-8859-16: iso-8859-16
KOI8-R: cskoi8r koi koi8 koi8-r koi8_r
KOI8-U: koi8-ru koi8-u
macintosh: csmacintosh mac macintosh x-mac-roman
windows-874: dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874
windows-1250: cp1250 windows-1250 x-cp1250
windows-1251: cp1251 windows-1251 x-cp1251
windows-1252: ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1
 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252
windows-1253: cp1253 windows-1253 x-cp1253
windows-1254: cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5
 windows-1254 x-cp1254
windows-1255: cp1255 windows-1255 x-cp1255
windows-1256: cp1256 windows-1256 x-cp1256
windows-1257: cp1257 windows-1257 x-cp1257
windows-1258: cp1258 windows-1258 x-cp1258
x-mac-cyrillic: x-mac-cyrillic x-mac-ukrainian
# Legacy multi-byte Chinese (simplified) encodings
GBK: chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk
gb18030: gb18030
# Legacy multi-byte Chinese (traditional) encodings
Big5: big5 big5-hkscs cn-big5 csbig5 x-x-big5
# Legacy multi-byte Japanese encodings
EUC-JP: cseucpkdfmtjapanese euc-jp x-euc-jp
ISO-2022-JP: csiso2022jp iso-2022-jp
Shift_JIS: csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis
# Legacy multi-byte Korean encodings
EUC-KR: cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949
# Legacy miscellaneous encodings
replacement: csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement
UTF-16BE: unicodefffe utf-16be
UTF-16LE: csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le
x-user-defined: x-user-defined
"""


def derive(tarball: Path | None = None) -> dict[str, bytes]:
    """Return the bytes of both files by name, from the package's tarball, which npm downloads if `tarball` is None.

    Raise a SnapshotError if the download fails or the tarball's integrity differs.
    """
    return {INDEXES: indexes_json(_tables(_tarball(tarball))), ENCODINGS: encodings_json()}


def _tarball(path: Path | None) -> bytes:
    """Return the package's bytes, checked against the integrity that npm publishes."""
    if path is None:
        with tempfile.TemporaryDirectory() as folder:
            command = ["npm", "pack", PACKAGE, "--silent", "--pack-destination", folder]
            try:
                subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
            except FileNotFoundError as error:
                raise SnapshotError(f"npm is not installed; get the tarball with `npm pack {PACKAGE}`") from error
            except subprocess.SubprocessError as error:
                reason = getattr(error, "stderr", None) or error
                raise SnapshotError(f"`npm pack {PACKAGE}` failed: {reason}") from error
            (packed,) = Path(folder).iterdir()
            content = packed.read_bytes()
    else:
        content = path.read_bytes()
    actual = "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode("ascii")
    if actual != INTEGRITY:
        raise SnapshotError(f"{PACKAGE}: the tarball's integrity is {actual}, not {INTEGRITY}")
    return content


def _tables(tarball: bytes) -> dict[str, list[Any]]:
    """Return the package's tables: the JSON value that the JavaScript file assigns to `global["encoding-indexes"]`."""
    with tarfile.open(fileobj=io.BytesIO(tarball), mode="r:gz") as archive:
        member = archive.extractfile(MEMBER)
        if member is None:
            raise SnapshotError(f"{PACKAGE}: has no file {MEMBER}")
        text = member.read().decode("utf-8")
    assigned = text.index("{", text.index('global["encoding-indexes"]'))
    tables: dict[str, list[Any]] = json.JSONDecoder().raw_decode(text, assigned)[0]
    return tables


def katakana() -> list[int]:
    """Return the index ISO-2022-JP katakana: the full-width code point of each of U+FF61 to U+FF9F.

    https://encoding.spec.whatwg.org/#index-iso-2022-jp-katakana
    """
    # NFKC gives the combining sound marks; the standard has the spacing ones, which are in jis0208.
    spacing = {0xFF9E: 0x309B, 0xFF9F: 0x309C}
    return [spacing.get(code, ord(unicodedata.normalize("NFKC", chr(code)))) for code in range(0xFF61, 0xFFA0)]


def indexes_json(tables: dict[str, list[Any]]) -> bytes:
    """Return indexes.json as the standard serves it: one index per line, in the package's order."""
    indexes: dict[str, list[Any]] = {}
    for name, entries in tables.items():
        indexes[name] = list(entries)
        if name == "ibm866":
            indexes[KATAKANA] = katakana()
    for pointer, code_point in GB18030_2022.items():
        indexes["gb18030"][pointer] = code_point
    lines = (f"  {json.dumps(name)}:{json.dumps(list_, separators=(',', ':'))}" for name, list_ in indexes.items())
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode("ascii")


def encodings_json() -> bytes:
    """Return encodings.json as the standard serves it."""
    groups: list[dict[str, Any]] = []
    for heading, name, labels in _names_and_labels():
        if not groups or groups[-1]["heading"] != heading:
            groups.append({"encodings": [], "heading": heading})
        groups[-1]["encodings"].append({"labels": labels, "name": name})
    return (json.dumps(groups, indent=2) + "\n").encode("ascii")


def _names_and_labels() -> Iterator[tuple[str, str, list[str]]]:
    """Yield heading, name and labels of each encoding, in the standard's order."""
    heading = ""
    for line in NAMES_AND_LABELS.replace("\n ", " ").splitlines():
        if line.startswith("# "):
            heading = line.removeprefix("# ")
        else:
            name, _, labels = line.partition(": ")
            yield heading, name, labels.split()
