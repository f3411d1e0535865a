"""Binary data and text, told apart: files that other programs make, and text in every encoding."""

from __future__ import annotations

import bz2
import dbm.dumb
import gettext
import gzip
import importlib.resources
import io
import lzma
import marshal
import mmap
import pickle
import py_compile
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
import tarfile
import unicodedata
import wave
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatwg_encoding as we
from tests.sniff.test_detect import TEXTS, encoded
from whatwg_encoding._sniff.binary import binary_sign
from whatwg_encoding.sniff import is_binary

PROSE = "\n".join(TEXTS.values())
DAY = 24 * 60 * 60


def _zip() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.txt", PROSE)
    return file.getvalue()


def _tar(format: int) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=format) as archive:
        entry = tarfile.TarInfo("a.txt")
        entry.size = len(PROSE.encode())
        archive.addfile(entry, io.BytesIO(PROSE.encode()))
    return file.getvalue()


def _wav() -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(2000))
    return file.getvalue()


def _png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    chunks = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunks


def _gif() -> bytes:
    screen = b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff"
    return screen + b"," + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\2\2D\1\0;"


def _ico() -> bytes:
    image = _png()
    return struct.pack("<HHHBBBBHHII", 0, 1, 1, 1, 1, 0, 0, 1, 32, len(image), 22) + image


def _pdf() -> bytes:
    stream = zlib.compress(PROSE.encode())
    head = b"%%PDF-1.4\n1 0 obj\n<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(stream)
    return head + stream + b"\nendstream\nendobj\n"


def _catalogue(order: str) -> bytes:
    """Return a message catalogue as gettext reads it. https://www.gnu.org/software/gettext/manual/, "MO Files"."""
    header = b"Content-Type: text/plain; charset=UTF-8\n"
    pairs = [(b"", header), (b"yes", b"ja"), (b"no", b"nein")]
    start = 28 + 16 * len(pairs)
    tables: tuple[list[int], list[int]] = [], []
    strings = b""
    for table, column in zip(tables, zip(*pairs, strict=True), strict=True):
        for text in column:
            table.extend((len(text), start + len(strings)))
            strings += text + b"\0"
    numbers = [0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, 28 + 16 * len(pairs)]
    return struct.pack(f"{order}{7 + 4 * len(pairs)}I", *numbers, *tables[0], *tables[1]) + strings


def _time_zone() -> bytes:
    return importlib.resources.files("tzdata.zoneinfo").joinpath("Europe/Berlin").read_bytes()


def _bytecode(folder: Path) -> bytes:
    source = folder / "module.py"
    source.write_text("def f(x):\n    return x + 1\n")
    return Path(str(py_compile.compile(str(source), doraise=True))).read_bytes()


def _database(folder: Path) -> bytes:
    with sqlite3.connect(folder / "a.db") as connection:
        connection.execute("create table t (x)")
    connection.close()
    return (folder / "a.db").read_bytes()


#: Kind, as the sign names it; None where there is no signature → what makes a file of it.
MADE: dict[str, tuple[str | None, Callable[[Path], bytes]]] = {
    "zip": ("ZIP", lambda _: _zip()),
    "empty zip": ("ZIP", lambda _: b"PK\5\6" + bytes(18)),
    "ustar": ("tar", lambda _: _tar(tarfile.USTAR_FORMAT)),
    "GNU tar": ("tar", lambda _: _tar(tarfile.GNU_FORMAT)),
    "gzip": ("gzip", lambda _: gzip.compress(PROSE.encode(), mtime=1)),
    "gzip of now": ("gzip", lambda _: gzip.compress(b"")),
    "bzip2": ("bzip2", lambda _: bz2.compress(PROSE.encode())),
    "xz": ("xz", lambda _: lzma.compress(PROSE.encode())),
    "lzma": (None, lambda _: lzma.compress(PROSE.encode(), format=lzma.FORMAT_ALONE)),
    "zlib": (None, lambda _: zlib.compress(PROSE.encode())),
    "deflate": (None, lambda _: zlib.compress(PROSE.encode(), wbits=-15)),
    "wav": ("WAV", lambda _: _wav()),
    "png": ("PNG", lambda _: _png()),
    "gif": ("GIF", lambda _: _gif()),
    "ico": ("ICO", lambda _: _ico()),
    "pdf": ("PDF", lambda _: _pdf()),
    "pdf that starts": ("PDF", lambda _: b"%PDF-1.7\r\n%\xe2\xe3\xcf\xd3\r\n1 0 obj\r\n"),
    "png that starts": ("PNG", lambda _: _png()[:8]),
    "mo": ("gettext catalogue", lambda _: _catalogue("<")),
    "mo, big-endian": ("gettext catalogue", lambda _: _catalogue(">")),
    "tzif": ("time zone", lambda _: _time_zone()),
    "pyc": ("Python bytecode", _bytecode),
    "sqlite": ("SQLite", _database),
    "pickle": ("pickle", lambda _: pickle.dumps({"a": list(range(1000))}, 4)),
    "pickle 5": ("pickle", lambda _: pickle.dumps(["text"] * 3, 5)),
    "marshal": (None, lambda _: marshal.dumps(list(range(10000, 10100)))),
    "16-bit integers": (None, lambda _: struct.pack("<1000h", *(number % 64 for number in range(5, 1005)))),
    "16-bit integers, big-endian": (None, lambda _: struct.pack(">1000h", *(number % 64 for number in range(5, 1005)))),
    "32-bit integers": (None, lambda _: struct.pack("<1000i", *range(1000))),
    "doubles": (None, lambda _: struct.pack("<1000d", *(number / 7 for number in range(1000)))),
    "NUL-separated": (None, lambda _: b"HOME=/root\0PATH=/usr/bin:/bin\0LANG=C\0" * 9),
    "UTF-32": (None, lambda _: PROSE.encode("utf-32")),
}


def sign_of(data: bytes) -> str | None:
    """Return the kind that a signature names, or None for control bytes; fail for text."""
    sign = binary_sign(data)
    assert sign is not None
    return None if sign.startswith("control bytes") else sign.removeprefix("the signature of ")


@pytest.mark.parametrize("name", MADE)
def test_files_that_are_made(name: str, tmp_path: Path) -> None:
    kind, make = MADE[name]
    data = make(tmp_path)
    for buffer in (data, bytearray(data), memoryview(data)):
        assert is_binary(buffer)
    assert sign_of(data) == kind


def test_catalogues_are_ones() -> None:
    for order in "<>":
        assert gettext.GNUTranslations(io.BytesIO(_catalogue(order))).gettext("yes") == "ja"  # type: ignore[arg-type]


@pytest.mark.skipif(sys.platform != "linux", reason="the interpreter is no ELF file")
def test_the_interpreter() -> None:
    with open(sys.executable, "rb") as file:
        assert sign_of(file.read()) == "ELF"


@pytest.mark.skipif(shutil.which("tic") is None, reason="no tic")
def test_a_compiled_terminal_description(tmp_path: Path) -> None:
    (tmp_path / "source").write_text("mine|my terminal,\n\tam, cols#80, lines#24, clear=\\E[H\\E[2J, bel=^G,\n")
    subprocess.run(["tic", "-o", str(tmp_path / "out"), str(tmp_path / "source")], check=True)
    (compiled,) = (path for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert is_binary(compiled.read_bytes())


def test_a_database_of_text_is_text(tmp_path: Path) -> None:
    with dbm.dumb.open(str(tmp_path / "a"), "c") as database:
        database["key"] = "värde".encode()
    assert not is_binary((tmp_path / "a.dir").read_bytes())


def test_few_random_bytes() -> None:
    """Of which some have no control."""
    answers = [is_binary(random.Random(seed).randbytes(64)) for seed in range(1000)]
    assert sum(answers) > 940


@pytest.mark.parametrize("length", [256, 1000, 4096, 70000, 300000])
def test_random_bytes(length: int) -> None:
    for seed in range(20):
        data = random.Random(seed).randbytes(length)
        assert is_binary(data), seed
        assert sign_of(data) is None, seed


@pytest.mark.parametrize("name", [name for name in we.ENCODINGS if name != "replacement"])
@pytest.mark.parametrize("language", TEXTS)
def test_text(language: str, name: str) -> None:
    data = encoded(language, name)
    for variant in (data, data[:-1], data * 100, data * 4999):
        assert not is_binary(variant)
    marked = "\ufeff".encode(name) + data if name.startswith("UTF-16") else data
    assert not is_binary(marked)


@pytest.mark.parametrize("name", we.ENCODINGS)
def test_every_character(name: str) -> None:
    """Every character that two bytes give, but for the controls that text has not."""
    controls = {*range(7), *range(0x10, 0x1A)}
    characters: set[str] = set()
    for lead in range(256):
        characters |= set(we.ENCODINGS[name].decode(b"".join(bytes((lead, trail, 0x20)) for trail in range(256))))
    is_utf_16 = name.startswith("UTF-16")
    text = "".join(
        c for c in (_assigned(range(0x10000)) if is_utf_16 else sorted(characters)) if ord(c) not in controls
    )
    assert not is_binary(text.encode(name) if is_utf_16 else we.ENCODINGS[name].output_encoding.encode(text))


def _assigned(code_points: range) -> list[str]:
    return [
        character
        for character in map(chr, code_points)
        if unicodedata.category(character) not in ("Cc", "Cn", "Co", "Cs")
    ]


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_every_block_of_unicode_in_utf_16(codec: str) -> None:
    for start in (*range(0, 0xD800, 256), *range(0xF900, 0x20000, 256)):
        characters = _assigned(range(start, start + 256))
        for text in ("".join(characters), " ".join(characters), "\r\n".join(characters), "".join(characters[:9])):
            assert not is_binary(text.encode(codec)), (hex(start), text)


TEXT = st.text(st.characters(exclude_categories=("Cc", "Cn", "Co", "Cs"), include_characters="\t\n\f\r\x1b\b\a"))
START = st.sampled_from(["", "GIF89a", "%PDF-1.4", "BM", "MZ", "PK", "RIFF....WAVE", "яШя", "!<arch>\n", "ID3", "wOFF"])


@given(TEXT, START, st.sampled_from([*we.ENCODINGS]), st.integers(1, 400))
def test_any_text(text: str, start: str, name: str, times: int) -> None:
    encoding = we.ENCODINGS[name]
    whole = start + text * times
    assert not is_binary(whole.encode(name) if encoding.is_utf_16 else encoding.output_encoding.encode(whole))


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\n",
        b"\x1b[31mred\x1b[0m\n",  # colours
        b"N\bNA\bAM\bME\bE\n",  # what man prints
        b"\x1b$)C\x0e!!\x0f\n",  # ISO-2022-KR
        b"map <F2> :call X()\n" * 9 + b'imap \x16\x01 "\n',  # a script for an editor, with controls typed in it
        b"a\x1fb\x1fc\x1e" * 100,  # fields and records
        b"REM\r\n\x1a",  # DOS
        b"page\x0cpage\x0c", b"GIF89a is a format of images\n", b"BM is short for \xe9 in windows-1252",
        "耂考者老 и".encode("utf-16-be"),  # U+8002, U+8003: the first bytes of a pickle
        "Ěl ".encode("utf-16-le"),  # of a compiled terminal description
        "│ ─── é │".encode("utf-16-le"), "あ　い　".encode("utf-16-be"), "a　b　c".encode("utf-16-le"),
        "MĀORI, RĪGĀ, ĀĀ".encode("utf-16-le"),  # U+0100
        "ကကာ မြန်မာစကား".encode("utf-16-be"),  # U+1000
        b"%PDF-1.7\n% \xc3\xa9 is a comment",
    ],
)  # fmt: skip
def test_text_with_what_binary_data_has(data: bytes) -> None:
    assert not is_binary(data)
    assert not is_binary(data * 50)


def test_a_mark_and_few_errors() -> None:
    assert not is_binary(b"\xff\xfea\x00\x3d\xd8")  # half of a pair
    assert not is_binary(b"\xfe\xff" + b"\x00a" * 8 + b"\0\0")
    assert is_binary(b"\xff\xfe" + struct.pack("<99I", *range(99)))
    assert is_binary(b"\xef\xbb\xbf" + bytes(range(16)) * 9)


def test_the_sign_tells_where_the_control_is() -> None:
    assert binary_sign(b"abc\x10def\x00\x00\x00\x01") == "control bytes, 10 at byte 3"
    assert binary_sign(b"caf\xe9 " * 40 + b"\x01\x02" + bytes(20)) == "control bytes, 01 at byte 200"
    assert binary_sign(b"caf\xe9 " * 20000 + bytes(20000)) == "control bytes"  # beyond what is searched


def test_what_comes_late_counts() -> None:
    compressed = zlib.compress(random.Random(1).randbytes(1 << 20))
    script = b"#!/bin/sh\ntail -n +3 $0 | unpack; exit\n"
    assert is_binary(script + compressed)
    assert is_binary(script * 500 + compressed)
    assert is_binary(script * 20000 + compressed)  # 800 KB, then 1 MB
    assert not is_binary(script * 40000)


@pytest.mark.skipif(sys.platform == "win32", reason="the file would not be sparse")
def test_the_work_is_bounded(tmp_path: Path) -> None:
    """A file of 1 TiB, of which no copy could be made."""
    with open(tmp_path / "sparse", "w+b") as file:
        file.write(b"text " * 20000)
        file.truncate(1 << 40)
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            assert is_binary(data)
