"""Files that Python writes in ISO-2022-JP: what was written is read, wherever a write, a line or the file ends."""

from __future__ import annotations

import codecs
import copy
import io
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatwg_encoding as we
from tests.reference import oracle
from tests.standard.comparison import refusal

pytestmark = pytest.mark.usefixtures("registered")

NAME = "web-iso-2022-jp"
TEXT = st.text(st.sampled_from("a\\~\n\xa5\u203eあ漢\uff71"), max_size=6)


def read(data: bytes) -> str:
    return oracle.decode("ISO-2022-JP", data).text


def as_read(text: str) -> str:
    return text.replace("\uff71", "ア")


@given(st.lists(st.lists(TEXT, max_size=4), max_size=4))
def test_any_writes_and_appends(files: list[list[str]]) -> None:
    """Each list is written to the end of a file, as one that is opened again for appending."""
    stored = b""
    for texts in files:
        buffer = io.BytesIO(stored)
        buffer.seek(0, io.SEEK_END)
        file = io.TextIOWrapper(buffer, NAME, newline="\n")
        for text in texts:
            file.write(text)
        file.flush()
        stored = buffer.getvalue()
        file.detach()
    assert read(stored) == as_read("".join("".join(texts) for texts in files))


@given(TEXT, st.sampled_from("\n0\\"), TEXT, st.booleans())
def test_ascii_is_in_the_ascii_state(text: str, last: str, rest: str, by_writer: bool) -> None:
    """Bytes that another program appends are read as ASCII."""
    text += last
    encoder = codecs.getincrementalencoder(NAME)()
    writer = codecs.getwriter(NAME)(io.BytesIO())
    data = writer.encode(text)[0] if by_writer else encoder.encode(text)
    assert read(data + b"\\~") == as_read(f"{text}\\~")
    data += writer.encode(rest)[0] if by_writer else encoder.encode(rest, True)
    assert read(data) == as_read(f"{text}{rest}")


@given(st.text(st.sampled_from("a\\~\n\xa5\u203e")))
def test_the_bytes_are_those_of_cpython(text: str) -> None:
    """Without kanji, of which CPython has fewer. Its codec ends a text in the ASCII state, this encoder if told to."""
    assert codecs.getincrementalencoder(NAME)().encode(text, True) == text.encode("iso2022_jp_1")


@given(st.lists(TEXT), st.integers(0, 9))
def test_states(texts: list[str], number: int) -> None:
    """Another encoder continues; one that is reset begins."""
    encoder, data = codecs.getincrementalencoder(NAME)(), b""
    for position, text in enumerate(texts):
        if position == number:
            state = encoder.getstate()
            encoder = codecs.getincrementalencoder(NAME)()
            encoder.setstate(state)
        data += encoder.encode(text)
    assert read(data + encoder.encode("", True)) == as_read("".join(texts))
    encoder.encode("\xa5")
    encoder.reset()
    assert encoder.encode("a\n") == b"a\n"


def test_a_copy_continues() -> None:
    encoder = codecs.getincrementalencoder(NAME)()
    encoder.encode("\xa5")
    for twin in (copy.copy(encoder), pickle.loads(pickle.dumps(encoder)), encoder):
        assert twin.encode("a\n") == b"\x1b(Ba\n"


def test_the_bytes_of_files(tmp_path: Path) -> None:
    path = tmp_path / "prices"
    path.write_text("\xa5100\n", NAME)
    assert path.read_bytes() == b"\x1b(J\\\x1b(B100\n"
    with path.open("a", encoding=NAME) as file:
        file.write("C:\\\n")
    assert path.read_text(NAME) == "\xa5100\nC:\\\n"
    path.write_text("\xa5100", NAME)  # no newline
    for text in ("\\", "\xa5", "あ", "い", "\n"):
        with path.open("a", encoding=NAME) as file:
            file.write(text)
    assert path.read_text(NAME) == "\xa5100\\\xa5あい\n"
    path.write_text("ascii\n", NAME)
    assert path.read_bytes() == b"ascii\n"


def test_seeking(tmp_path: Path) -> None:
    with (tmp_path / "text").open("w+", encoding=NAME) as file:
        file.write("あ\xa5")
        place = file.tell()
        file.write("い")
        file.seek(place)
        file.write("\\\n")
        file.truncate()
        file.seek(0)
        assert file.read() == "あ\xa5\\\n"
        file.seek(0)
        file.write("a")
        file.flush()
    assert (tmp_path / "text").read_bytes().startswith(b"a")


def test_buffered_and_codecs_files(tmp_path: Path) -> None:
    path = tmp_path / "text"
    with open(path, "wb", buffering=16) as binary:
        file = io.TextIOWrapper(binary, NAME, write_through=True)
        for line in ("\xa5\n", "\\\n", "\u203e", "~\n"):
            file.write(line)
        file.close()
    assert path.read_text(NAME) == "\xa5\n\\\n\u203e~\n"
    for number, mode in enumerate("wa"):
        with codecs.open(str(path), mode, NAME) as writer:
            writer.write("\xa5")
            writer.writelines(["1\n", f"\\{number}\n"])
        assert read(path.read_bytes() + b"\\").endswith(f"{number}\n\\")
    assert path.read_text(NAME) == "\xa51\n\\0\n\xa51\n\\1\n"


@pytest.mark.parametrize("errors", ["xmlcharrefreplace", "namereplace", "backslashreplace"])
def test_handlers_in_the_roman_state(errors: str) -> None:
    encoder = codecs.getincrementalencoder(NAME)(errors)
    data = encoder.encode("\xa5\u2603\n\u2603\xa5\n", True)
    shown = "\u2603".encode("ascii", errors).decode("ascii")
    assert read(data) == f"\xa5{shown}\n{shown}\xa5\n"
    strict = codecs.getincrementalencoder(NAME)()
    assert refusal(strict.encode, "\xa5\n\u2603")[1:] == ("\xa5\n\u2603", (2, 3))


@pytest.mark.parametrize("written", [b"\x1b", b"\x1b(", b"\x1b\x1b", b"\x1b" * 70])
def test_a_handler_writes_escapes(written: bytes) -> None:
    codecs.register_error("escapes", lambda error: (written, error.end))
    for text in ("a", "漢"):
        encoder = codecs.getincrementalencoder(NAME)("escapes")
        assert encoder.encode(f"{text}\U0001f600", True) == oracle.encode("ISO-2022-JP", text).output + written


def test_the_standards_encoder_stays(tmp_path: Path) -> None:
    for encode in (we.ISO_2022_JP.encode, we.ISO_2022_JP.new_encoder().encode, lambda text: text.encode(NAME)):
        assert encode("\xa5\n\\") == b"\x1b(J\\\n\x1b(B\\"
