"""Python's codecs by the names web-<label>: names, error handlers, incremental and stream objects, text files."""

from __future__ import annotations

import codecs
import contextlib
import io
import itertools
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import whatwg_encoding as we
from tests.reference.oracle import decode_with
from tests.standard.comparison import refusal

NAMES = list(we.ENCODINGS)
ENCODERS = [name for name, encoding in we.ENCODINGS.items() if encoding.has_encoder]

pytestmark = pytest.mark.usefixtures("registered")


# -- Names -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", we.LABELS)
def test_every_label_is_a_codec(label: str) -> None:
    for name in (f"web-{label}", f"WEB-{label.upper()}", f"web_{label.replace('-', '_')}", f"web {label}"):
        assert codecs.lookup(name) is we.LABELS[label].codec_info, name


@pytest.mark.parametrize("name", ["web-", "web", "web-utf-9", "shift_jis_web", "web-web-sjis", "webutf-8"])
def test_other_names_are_none(name: str) -> None:
    with pytest.raises(LookupError, match="unknown encoding"):
        codecs.lookup(name)


def test_registration_is_idempotent_and_can_be_undone() -> None:
    we.register_codecs()
    we.register_codecs()
    assert b"\x82\xa0".decode("web-sjis") == "あ"
    we.unregister_codecs()
    we.unregister_codecs()
    try:
        with pytest.raises(LookupError, match="web-sjis"):
            b"\x82\xa0".decode("web-sjis")
    finally:
        we.register_codecs()
    assert "あ".encode("web-sjis") == b"\x82\xa0"


def test_pythons_own_codecs_stay() -> None:
    assert codecs.lookup("shift_jis").name == "shift_jis"
    assert b"\x80".decode("latin-1") == "\x80"
    assert b"\x80".decode("web-latin1") == "€"


@pytest.mark.parametrize("name", NAMES)
def test_codec_info_is_whole(name: str) -> None:
    info = we.ENCODINGS[name].codec_info
    assert isinstance(info, codecs.CodecInfo)
    assert info is we.ENCODINGS[name].codec_info
    assert info.name == f"web-{name.lower()}"
    assert codecs.lookup(info.name) is info
    assert info.incrementaldecoder().decode(b"") == ""
    assert info.streamreader(io.BytesIO()).read() == ""
    if we.ENCODINGS[name].has_encoder:
        assert info.incrementalencoder().encode("") == b""
        info.streamwriter(io.BytesIO()).write("")


@pytest.mark.parametrize("name", ["web-utf-8", "web-shift_jis", "web-windows-1253", "web-iso-2022-jp"])
@pytest.mark.parametrize("length", [1, 10_000])
def test_an_unknown_handler_fails_at_the_first_error(name: str, length: int) -> None:
    """As in CPython's codecs, outside development mode, which looks it up at once."""
    info = codecs.lookup(name)
    assert info.decode(b"a" * length, "tests.unknown") == ("a" * length, length)
    assert info.encode("a" * length, "tests.unknown") == (b"a" * length, length)
    assert info.incrementaldecoder("tests.unknown").decode(b"a" * length, True) == "a" * length
    assert info.incrementalencoder("tests.unknown").encode("a" * length, True) == b"a" * length
    for call in (
        lambda: info.decode(b"a" * length + b"\xff", "tests.unknown"),
        lambda: info.encode("a" * length + "\ud800", "tests.unknown"),
        lambda: info.incrementaldecoder("tests.unknown").decode(b"a" * length + b"\xff", True),
    ):
        with pytest.raises(LookupError, match=r"unknown error handler name 'tests\.unknown'"):
            call()
    with pytest.raises((LookupError, ValueError)):
        info.encode("\ud800", "strict\0")


def test_a_codec_can_be_copied() -> None:
    info = we.SHIFT_JIS.codec_info
    again = pickle.loads(pickle.dumps((info.decode, info.encode)))
    assert [call(part) for call, part in zip(again, (b"\x82\xa0", "あ"), strict=True)] == [("あ", 2), (b"\x82\xa0", 1)]


# -- Decoding with error handlers --------------------------------------------------------------------------------------

malformed = st.lists(
    st.one_of(
        st.binary(max_size=3),
        st.sampled_from([b"\x1b$B", b"\x1b(B", b"\x1b(", b"\x81\x30\x81", b"\x8f\xa1", b"a", b"\xd8"]),
    ),
    max_size=6,
).map(b"".join)


#: Bytes whose sequences are complete, cut and malformed in each way, surrogates among them.
STREAMS = {"utf-8": b"A\xed\xa0\x80\xf0", "utf-16-le": b"A\x00\xd8\xdc", "utf-16-be": b"A\x00\xd8\xdc"}


@pytest.mark.parametrize("name", STREAMS)
def test_handlers_of_a_stream_see_what_those_of_pythons_decoders_see(name: str) -> None:
    """Compare the object and the positions of each error, and the text of each chunk, at every cut."""
    seen: list[tuple[bytes, int, int]] = []

    def handler(error: UnicodeError) -> tuple[str, int]:
        seen.append((error.object, error.start, error.end))
        return "?", error.end

    def events(codec: str, chunks: list[bytes]) -> list[object]:
        seen.clear()
        decoder = codecs.getincrementaldecoder(codec)("test.see")
        return [*[decoder.decode(chunk) for chunk in chunks], decoder.decode(b"", True), *seen]

    codecs.register_error("test.see", handler)
    for length in range(1, 6):
        for data in map(bytes, itertools.product(STREAMS[name], repeat=length)):
            for cut in range(length):
                chunks = [data[:cut], data[cut:]]
                assert events(f"web-{name.replace('16-', '16')}", chunks) == events(name, chunks), chunks


# -- Encoding with error handlers --------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["ab\u2603\u2603", "ab\ud800é", "ab\udfff", "ab\ud83d\udca9x"])
def test_strict_encoding_says_where(text: str) -> None:
    assert refusal(text.encode, "web-windows-1252") == ("windows-1252", text, (2, 3))


@pytest.mark.parametrize("codec", ["utf-8", "cp1251", "euc_kr", "gbk"])
@pytest.mark.parametrize("handler", ["namereplace", "surrogatepass"])
def test_handlers_of_python_that_get_runs_of_surrogates(codec: str, handler: str) -> None:
    """The same bytes as from CPython's codec, or an exception for the same first code point, wherever text is cut."""
    label = {"cp1251": "windows-1251", "euc_kr": "euc-kr"}.get(codec, codec)
    for text in ("\ud800", "a\udc80\udfff\ud800\u2603b\udc00", "\ud83d\udca9" * 300, "a\udc80" * 300, "\u2603\ud800é"):
        try:
            expected: bytes | int = text.encode(codec, handler)
        except UnicodeEncodeError as error:
            expected = error.start
        for size in (1, 2, 3, len(text)):
            encoder = codecs.getincrementalencoder(f"web-{label}")(handler)
            chunks = (text[start : start + size] for start in range(0, len(text), size))
            if isinstance(expected, bytes):
                assert b"".join(map(encoder.encode, chunks)) + encoder.encode("", True) == expected
                continue
            with pytest.raises(UnicodeEncodeError, match=r"surrogates are not|is not in") as caught:
                list(map(encoder.encode, chunks))
            assert (caught.value.start, caught.value.end) == (expected % size, expected % size + 1)


@pytest.mark.parametrize(
    ("label", "given", "answer", "expected"),
    [
        ("utf-8", b"\xffabc", ("?", -1), "?c"),  # a position from the end
        ("utf-8", b"abc\xffdef", ("\U0001f4a9", 4), "abc\U0001f4a9def"),  # wider than all else
        ("sjis", "a\u2603b", (b"\xff\x00", 2), b"a\xff\x00b"),
        ("iso-2022-jp", "a\u2603b", ("あ¥", 2), b'a\x1b$B$"\x1b(J\\b\x1b(B'),  # text goes through the encoder
        ("sjis", "a\u2603bc", ("?", 3), b"a?c"),
        ("sjis", "a\u2603bc", ("?", -1), b"a?c"),
    ],
)
def test_what_a_handler_answers(label: str, given: Any, answer: Any, expected: object) -> None:
    codecs.register_error("test.answer", lambda error: answer)
    converted = given.encode if isinstance(given, str) else given.decode
    assert converted(f"web-{label}", "test.answer") == expected


def test_a_handler_is_called_for_each_character() -> None:
    spans: list[tuple[int, int]] = []

    def note(error: UnicodeError) -> tuple[str, int]:
        spans.append((error.start, error.end))
        return "", error.end

    codecs.register_error("test.note", note)
    assert "\u2603\u2603a\U0001f4a9".encode("web-sjis", "test.note") == b"a"
    assert spans == [(0, 1), (1, 2), (3, 4)]


def test_a_handlers_text_that_cannot_be_encoded_is_the_error() -> None:
    codecs.register_error("test.worse", lambda error: ("\u2604", error.end))  # type: ignore[attr-defined]
    assert refusal("ab\u2603".encode, "web-sjis", "test.worse")[1:] == ("ab\u2603", (2, 3))


@pytest.mark.parametrize("name", ["replacement", "UTF-16BE", "UTF-16LE"])
def test_without_an_encoder(name: str) -> None:
    with pytest.raises(we.EncoderUnavailableError, match=name):
        "a".encode(f"web-{name}")
    with pytest.raises(we.EncoderUnavailableError, match=name):
        codecs.getincrementalencoder(f"web-{name}")().encode("a")
    with pytest.raises(we.EncoderUnavailableError, match=name):
        codecs.getwriter(f"web-{name}")(io.BytesIO())


# -- The exceptions that handlers are called with ----------------------------------------------------------------------
#
# One exception may serve for several errors, but only as long as a handler cannot tell.

Call = Callable[[str], object]
CALLS = [
    pytest.param(lambda errors: b"a\xff\xfeb\xff".decode("web-utf-8", errors), id="decode"),
    pytest.param(lambda errors: "a\u2603\u2604b\u2603".encode("web-windows-1252", errors), id="encode"),
    pytest.param(
        lambda errors: codecs.getincrementaldecoder("web-utf-8")(errors).decode(b"a\xff\xfeb\xff"), id="chunk"
    ),
]
SPANS = [(1, 2), (2, 3), (4, 5)]


def attributes(error: UnicodeError) -> tuple[object, ...]:
    return error.encoding, error.object, error.start, error.end, error.reason


@pytest.mark.parametrize("call", CALLS)
def test_exceptions_that_a_handler_keeps(call: Call) -> None:
    """Each describes its own error afterwards, as arguments and in a copy, too."""
    kept: list[UnicodeError] = []
    for every in (1, 2, 3):
        kept.clear()
        count = itertools.count(1)

        def keep(error: UnicodeError, every: int = every, count: Iterator[int] = count) -> tuple[str, int]:
            if next(count) % every == 0:
                kept.append(error)
            return "", attributes(error)[3]  # type: ignore[return-value]

        codecs.register_error("test.keep", keep)
        call("test.keep")
        assert [(error.start, error.end) for error in kept] == SPANS[every - 1 :: every]  # type: ignore[attr-defined]
        if every == 1:
            assert [error.args for error in kept] == [attributes(error) for error in kept]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("raised", [0, 1, 2])
def test_an_exception_that_a_handler_raises(call: Call, raised: int) -> None:
    count = itertools.count()

    def refuse(error: UnicodeError) -> tuple[str, int]:
        if next(count) == raised:
            raise error
        return "", attributes(error)[3]  # type: ignore[return-value]

    codecs.register_error("test.raise", refuse)
    with pytest.raises(UnicodeError) as caught:
        call("test.raise")
    assert attributes(caught.value)[2:4] == SPANS[raised]
    assert caught.value.args == attributes(caught.value)
    assert [entry.name for entry in caught.traceback][-1] == "refuse"


def raise_and_catch(error: Any) -> None:
    with contextlib.suppress(UnicodeError):
        raise error


def set_place_and_reason(error: Any) -> None:
    error.start, error.end, error.reason = 0, 1, "changed"


def set_object(error: Any) -> None:
    """Set the object to one that encoders, as CPython's, do not go on in, or that gives decoders the same."""
    error.object = error.object[:3] if isinstance(error, UnicodeEncodeError) else bytes(bytearray(error.object))


CHANGES: dict[str, Callable[[Any], None]] = {
    "attribute": lambda error: setattr(error, "seen", True),
    "note": lambda error: error.add_note("seen"),
    "object": set_object,
    "encoding": lambda error: setattr(error, "encoding", "other"),
    "place and reason": set_place_and_reason,
    "raised": raise_and_catch,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("call", CALLS)
def test_an_exception_that_a_handler_changes(call: Call, change: Callable[[Any], None]) -> None:
    """The handler's next call gets what it would get otherwise."""

    def seen(change: Callable[[Any], None]) -> list[object]:
        errors: list[object] = []

        def note(error: UnicodeError) -> tuple[str, int]:
            errors.append((attributes(error), vars(error).copy(), error.__traceback__))
            end = attributes(error)[3]
            change(error)
            return "", end  # type: ignore[return-value]

        codecs.register_error("test.change", note)
        call("test.change")
        return errors

    expected = seen(lambda error: None)
    assert [entry[0][2:4] for entry in expected] == SPANS  # type: ignore[index]
    assert all(entry[1:] == ({}, None) for entry in expected)  # type: ignore[index]
    assert seen(change) == expected


@pytest.mark.parametrize("name", ENCODERS)
def test_replacements_of_every_length(name: str) -> None:
    """ASCII and bytes are appended as they are, on the stack and beyond."""
    for replacement in ("", "?", "a" * 300, "b" * 3000, b"", b"\xff", b"\xfe" * 3000):
        codecs.register_error("test.fixed", lambda error, answer=replacement: (answer, error.end))  # type: ignore[misc]
        as_bytes = replacement if isinstance(replacement, bytes) else replacement.encode()
        for count in (1, 5, 700):
            assert ("a\udfff" * count).encode(f"web-{name}", "test.fixed") == (b"a" + as_bytes) * count


# -- Text files --------------------------------------------------------------------------------------------------------

LINES = ["一行目", "ascii", "半角カナ ｱ", "", "四行目 ~\\", "終"]
JAPANESE = ["iso-2022-jp", "shift_jis", "euc-jp"]


def japanese(label: str) -> tuple[bytes, list[str]]:
    """Return lines in an encoding, and the lines as they are read: ISO-2022-JP has no half-width katakana."""
    return "\r\n".join(LINES).encode(f"web-{label}"), as_read("\n".join(LINES), label).split("\n")


def as_read(text: str, label: str) -> str:
    return text.replace("ｱ", "ア") if label == "iso-2022-jp" else text


@pytest.mark.parametrize("label", [*JAPANESE, "gb18030", "utf-8"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_file_written_and_read(label: str, newline: str, tmp_path: Path) -> None:
    path = tmp_path / "text"
    text = "\n".join(LINES) + "\n"
    with path.open("w", encoding=f"web-{label}", newline=newline) as file:
        file.write(text)
    with path.open(encoding=f"web-{label}") as file:
        assert file.read() == as_read(text, label)
    assert path.read_bytes().decode(f"web-{label}").count(newline) == len(LINES)


@pytest.mark.parametrize("label", JAPANESE)
@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_lines_whatever_the_chunks(label: str, size: int) -> None:
    class Trickle(io.BytesIO):
        def read1(self, _: int | None = -1) -> bytes:
            return super().read1(size)

        read = read1

    data, expected = japanese(label)
    with io.TextIOWrapper(Trickle(data), f"web-{label}", newline="") as file:
        assert [line.removesuffix("\r\n") for line in file] == expected
    with io.TextIOWrapper(Trickle(data), f"web-{label}") as file:
        assert [line.removesuffix("\n") for line in file] == expected


def test_an_error_in_a_file_is_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"a\n\x82")
    with path.open(encoding="web-sjis") as file, pytest.raises(UnicodeDecodeError, match="Shift_JIS"):
        file.read()
    with path.open(encoding="web-sjis", errors="replace") as file:
        assert file.read() == "a\n\ufffd"


# -- Stream readers and writers ----------------------------------------------------------------------------------------


@given(st.sampled_from(NAMES), malformed, st.lists(st.tuples(st.integers(-1, 4), st.integers(-1, 3)), max_size=4))
@example("GBK", b"abc\x81@", [(4, -1), (0, 1)])  # no bytes, because none were requested
def test_a_stream_reader_reads_what_the_reference_decodes(name: str, data: bytes, reads: list[tuple[int, int]]) -> None:
    expected = decode_with(name, data, codecs.replace_errors)  # type: ignore[arg-type]
    reader = codecs.getreader(f"web-{name}")(io.BytesIO(data), "replace")
    text = ""
    for size, chars in reads:
        text += reader.read(size, chars)
        assert expected.startswith(text)
    assert text + reader.read() == expected
    assert reader.read() == ""


@pytest.mark.parametrize("label", JAPANESE)
def test_a_stream_reader_reads_lines(label: str) -> None:
    data, expected = japanese(label)
    reader = codecs.getreader(f"web-{label}")(io.BytesIO(data))
    assert [line.removesuffix("\r\n") for line in reader] == expected
    reader.seek(0)
    assert reader.readline() == "一行目\r\n"
    assert reader.readlines()[0] == "ascii\r\n"


def test_a_stream_reader_starts_anew() -> None:
    reader = codecs.getreader("web-iso-2022-jp")(io.BytesIO(b'\x1b$B$"$$$&'))
    assert reader.read(5, 1) == "あ"
    reader.reset()  # the remaining input is read in the initial state
    assert reader.read() == "$$$&"
    reader.seek(3)
    assert reader.read() == '$"$$$&'


def test_a_stream_reader_meets_the_end_in_a_sequence() -> None:
    reader = codecs.getreader("web-sjis")(io.BytesIO(b"a\x82"))
    assert refusal(reader.read) == ("Shift_JIS", b"\x82", (0, 1))


def test_the_replacement_encoding_through_a_stream_reader() -> None:
    for size in (-1, 1, 5, 10240):
        reader = codecs.getreader("web-iso-2022-kr")(io.BytesIO(b"<script>alert(1)</script>"), "replace")
        assert reader.read(size) + reader.read(size) + reader.read() == "\ufffd"


def test_a_stream_writer_ends_in_the_first_state() -> None:
    """Before it is reset, sought or closed."""
    stream = io.BytesIO()
    with codecs.getwriter("web-iso-2022-jp")(stream) as writer:
        writer.write("あ")
        writer.reset()
        writer.write("い")
        assert stream.getvalue() == b'\x1b$B$"\x1b(B\x1b$B$$'
        writer.seek(0)
        writer.write("a")
        assert stream.getvalue() == b"a" + b'$B$"\x1b(B\x1b$B$$\x1b(B'
        writer.seek(0, io.SEEK_END)
        writer.writelines(["い", "う"])
        closed: list[bytes] = []
        stream.close = lambda: closed.append(stream.getvalue())  # type: ignore[method-assign]
    assert closed[0].endswith(b"\x1b$B$$$&\x1b(B")


def test_a_stream_writer_calls_handlers() -> None:
    stream = io.BytesIO()
    codecs.getwriter("web-sjis")(stream, "xmlcharrefreplace").write("あ\u2603")
    assert stream.getvalue() == b"\x82\xa0&#9731;"


def test_transcoding_with_encoded_file() -> None:
    stream = io.BytesIO(b"\x82\xa0")
    assert codecs.EncodedFile(stream, "web-utf-8", "web-sjis").read() == "あ".encode()
