"""Edits beside each other: the result of one document is that of a new one for each edit, without its cost."""

from __future__ import annotations

from copy import copy
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatwg_encoding as we
from whatwg_encoding._editing import byte_exact, source, splice

ENCODINGS = ["Shift_JIS", "gb18030", "ISO-2022-JP", "EUC-JP", "Big5", "EUC-KR", "UTF-8", "UTF-16LE", "windows-1252"]
NEAR = "表a表を表 表\n"
SAMPLE = "int x = 1; // 日本 の\r\n\xe9\xa5 漢字 ~\\"


def encoded(name: str, text: str) -> bytes:
    return text.encode(name) if name.startswith("UTF-16") else we.ENCODINGS[name].encode(text)


def document_of(name: str) -> bytes:
    """Return some 3,000 bytes: text, malformed bytes, and duplicates."""
    return (encoded(name, SAMPLE) * 3 + b"\x81\xed\x40\x82\x1b$B\x24") * 30


EDIT = st.tuples(st.integers(0, 2000), st.integers(0, 40), st.sampled_from(["", "x", "日", "=\n", "é", "字" * 70]))


DISTANCE = st.integers(1, 200) | st.just(2000)  # near each other, or anywhere


@given(st.sampled_from(ENCODINGS), st.lists(EDIT, min_size=2, max_size=8), st.integers(0, 1500), DISTANCE)
def test_they_give_what_single_edits_give(
    name: str, edits: list[tuple[int, int, str]], base: int, distance: int
) -> None:
    data = document_of(name)
    document = we.ByteExactText(data, name)
    for start, length, new in edits:
        single = we.ByteExactText(copy(document).encode(), name)
        size = len(single.text)
        first = min(base + start % distance, size)
        last = min(first + length, size)
        outcomes: list[str] = []
        for edited in (single, document):
            try:
                edited.replace(first, last, new, errors="html")
                outcomes.append("")
            except we.EditRefusedError as error:
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1]
        assert copy(document).encode() == single.encode()
    assert document.encode() == single.encode()
    assert document.text == single.text
    assert we.ENCODINGS[name].decode(document.encode()) == document.text


def test_the_document_is_not_copied_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    class Counted(byte_exact.PositionMap):
        def __init__(self, encoding: we.Encoding, data: bytes, *rest: object) -> None:
            sizes.append(len(data))
            super().__init__(encoding, data, *rest)  # type: ignore[arg-type]

    data = ("x = 日本\r\n".encode("shift_jis")) * 100_000
    document = we.ByteExactText(data, "shift_jis")
    monkeypatch.setattr(byte_exact, "PositionMap", Counted)
    for number in range(300):
        document.replace(500_000 + number, 500_001 + number, "字")
    assert len(sizes) >= 299
    assert sum(sizes) < len(data)
    assert document.text[500_000:500_300] == "字" * 300


@pytest.mark.parametrize("name", [name for name in we.ENCODINGS if name != "replacement"])
def test_what_changes_nothing_is_not_refused(name: str) -> None:
    """An insertion of no text within a sequence of two characters, and malformed bytes for themselves."""
    data = b"\x88b a\x82\xff\x80\x1b$B\x24"
    document = we.ByteExactText(data, name)
    text = document.text
    for start in range(len(text) + 1):
        for end in range(start, len(text) + 1):
            document.replace(start, end, text[start:end])
    assert document.encode() == data
    with pytest.raises(TypeError):
        document.replace(0, 0, None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="errors must be"):
        document.replace(0, 0, "", errors="ignore")  # type: ignore[arg-type]


@given(st.sampled_from([*we.ENCODINGS]), st.booleans(), st.text("ab\\日é\x81\n\xa5", max_size=9), st.data())
def test_encoding_anew_is_an_edit_or_nothing(name: str, is_plain: bool, text: str, drawn: st.DataObject) -> None:
    """Where all of the text is encoded anew, the bytes are those that the edits of `update` give."""
    if name == "replacement":
        return
    plain = encoded(name, "b日\xe9a\xa5\n日")
    document = we.ByteExactText(plain if is_plain else document_of(name)[:200], name)
    other = we.ByteExactText(document.encode(), name)
    place = drawn.draw(st.integers(0, len(document.text)))
    wanted = document.text[:place] + text + document.text[place:]
    before = document.encode()
    if byte_exact.encode_anew(document, wanted):
        other.update(wanted)
        assert document.encode() == other.encode()
        assert document.text == wanted
        assert document.bytes_of(0, len(wanted))[1] == len(document.encode())
    else:
        assert document.encode() == before


def outcome(document: we.ByteExactText, ranges: list[tuple[int, int, str]]) -> str:
    """Replace ranges of a document's text together, and return the error's message, or nothing."""
    try:
        document.replace_ranges(ranges)
    except UnicodeError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", [name for name in we.ENCODINGS if name != "replacement"])
def test_plain_replacements_are_what_others_are(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranges between malformed bytes, duplicates and escape sequences, far from and next to each other."""
    random = Random(name)
    plain = 0
    for count in range(60):
        words = ["foo", " x", "日本", "é", "の語", "\r\n", "~\\", "\ufffd", "Ж"]
        wanted = "".join(random.choices(words, k=random.choice([5, 60])))
        parts = encoded(name, wanted)
        odd = [b"\xff", b"\x81", b"\xed\x40", b"\x88\x62", b'\x1b$B$"\x1b(B', b"\x1b$B", b"\x80", b"a", b"\xe3\x81"]
        data = b"".join(parts[at : at + 8] + random.choice([b"", *odd]) for at in range(0, len(parts), 8))
        text = we.ByteExactText(data, name).text
        starts = sorted(random.sample(range(len(text) + 1), min(len(text), random.choice([1, 3, 20]))))
        ranges = []
        for start, following in zip(starts, [*starts[1:], len(text)], strict=True):
            end = random.randint(start, min(following, start + 3))
            ranges.append((start, end, random.choice(["", "quux", "本", "é", text[start:end] + "z", "\r\n"])))
        document, other = we.ByteExactText(data, name), we.ByteExactText(data, name)
        message = outcome(document, ranges)
        plain += message == ""
        with monkeypatch.context() as patch:
            patch.setattr(splice.Splicer, "replace_together", lambda *_: False)
            assert outcome(other, ranges) == message, (count, data, ranges)
        assert document.encode() == other.encode(), (count, data, ranges)
        assert document.text == other.text
    assert plain > 10


def test_many_replacements_beside_malformed_bytes_read_each_byte_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    read = 0

    class Counted(byte_exact.PositionMap):
        def decoded(self, place: source.Place, data: bytes, length: int) -> source.Place:
            nonlocal read
            read += length
            return super().decoded(place, data, length)

    line = b"foo \x88\x66 b\xa4\xa2r \xff baz\n"
    monkeypatch.setattr(byte_exact, "PositionMap", Counted)
    document = we.ByteExactText(line * 3000, "big5")
    starts = [place for place, character in enumerate(document.text) if character == "f"]
    document.replace_ranges([(start, start + 3, "quux") for start in starts])
    assert document.encode() == line.replace(b"foo", b"quux") * 3000
    assert len(starts) == 3000
    assert read < 5 * len(line) * 3000


@pytest.mark.parametrize(
    ("name", "line", "old", "new", "most"),
    [
        ("ISO-2022-JP", "日本語replace日本語。".encode("iso-2022-jp") + b"\n", "replace", "changed", 2),
        ("ISO-2022-JP", "日本語replace日本語。".encode("iso-2022-jp") + b"\n", "日本", "英", 2),
        ("UTF-8", b"a \xff b\n", "\ufffd", "?", 2),
        ("gb18030", b"a \xff b\n", "\ufffd", "?", 2),
        # Ranges beside each other, of which the one before malformed bytes needs it
        *((name, encoded(name, NEAR * 10), "表", "x", 2) for name in ("UTF-16LE", "gb18030", "Big5")),
        *((name, encoded(name, NEAR * 10) + b"\xff", "表", "x", 100) for name in ("UTF-8", "Shift_JIS", "ISO-2022-JP")),
    ],
)
def test_escapes_and_errors_are_plain(
    name: str, line: bytes, old: str, new: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The general way takes half a millisecond for each range: hardly one but the first line's needs it."""
    document = we.ByteExactText(line * 100, name)
    text = document.text
    starts = [place for place in range(len(text)) if text.startswith(old, place)]
    ranges = [(start, start + len(old), new) for start in starts]
    general = splice.Splicer.replace
    calls = []

    def replace(splicer: splice.Splicer, start: int, end: int, new: str) -> None:
        calls.append(start)
        general(splicer, start, end, new)

    monkeypatch.setattr(splice.Splicer, "replace", replace)
    document.replace_ranges(ranges)
    assert document.text == text.replace(old, new)
    assert len(calls) <= most
