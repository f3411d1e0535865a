"""``encode_array``: each row equals the reference."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import whatwg_encoding as we
from tests.arrow.producers import Declared, Producer, integers
from tests.arrow.test_decode import taken
from tests.reference import inputs, oracle
from whatwg_encoding import arrow

TYPES = {pa.string(): pa.binary(), pa.large_string(): pa.large_binary(), pa.string_view(): pa.binary_view()}


@cache
def texts_of(name: str) -> list[str | None]:
    """Return texts with mappable and unmappable characters, without surrogates, of all lengths, and nulls."""
    texts = [re.sub("[\ud800-\udfff]", "\ufffd", text) for text in inputs.random_texts(name, 120)]
    return [*texts, "", None, "ASCII", "".join(texts) * 9, "😀" * 700, "日本語" * 400, "é" * 1023 + "日"]


@pytest.mark.parametrize("name", inputs.ENCODER_NAMES)
@pytest.mark.shapes
def test_every_text_as_rows(name: str) -> None:
    texts = texts_of(name)
    answers = [None if text is None else oracle.encode(name, text) for text in texts]
    expected = [answer and answer.output for answer in answers]
    valid = [None if answer is None or answer.spans else answer.output for answer in answers]
    for type_, bytes_type in TYPES.items():
        column = pa.array(texts, type_)
        result = taken(arrow.encode_array(column, name))
        assert (result.type, result.to_pylist()) == (bytes_type, expected)
        assert taken(arrow.encode_array(column, name, errors="null")).to_pylist() == valid
        assert taken(arrow.encode_array(column[5:], name)).to_pylist() == expected[5:]
    first = next((i for i, answer in enumerate(answers) if answer is not None and answer.spans), None)
    chunks = pa.chunked_array([texts[:2], texts[2:]], pa.string())
    if first is None:
        assert taken(arrow.encode_array(chunks, name, errors="fatal")).to_pylist() == expected
        return
    with pytest.raises(arrow.RowEncodeError, match=f"^row {first}: ") as caught:
        arrow.encode_array(chunks, name, errors="fatal")
    error, answer = caught.value, answers[first]
    assert answer is not None
    assert (error.row, error.encoding, error.object) == (first, name, texts[first])
    assert (error.start, error.end) == answer.spans[0]


def test_labels_and_dictionaries() -> None:
    texts = ["ハ", None, "é", "ハ", "a"]
    labels = pa.array(["sjis", "sjis", "latin1", None, "utf-8"])
    expected = [b"\x83n", None, b"\xe9", None, b"a"]
    assert taken(arrow.encode_array(pa.array(texts), labels)).to_pylist() == expected
    encoded = pa.array(texts).dictionary_encode()
    assert taken(arrow.encode_array(encoded, labels)).to_pylist() == expected
    result = taken(arrow.encode_array(encoded, "sjis"))
    assert result.to_pylist() == [b"\x83n", None, b"&#233;", b"\x83n", b"a"]
    assert result.type.value_type == pa.binary()
    with pytest.raises(arrow.RowEncodeError) as caught:
        arrow.encode_array(encoded, "sjis", errors="fatal")
    assert (caught.value.row, caught.value.object) == (2, "é")


def test_what_has_no_encoder_or_is_no_text() -> None:
    column = pa.array(["a"])
    for name in ("utf-16le", "replacement"):
        with pytest.raises(we.EncoderUnavailableError):
            arrow.encode_array(column, name)
        with pytest.raises(we.EncoderUnavailableError, match=r"^row 0: "):
            arrow.encode_array(column, pa.array([name]))
    with pytest.raises(we.UnknownLabelError):
        arrow.encode_array(column, "nonsense")
    with pytest.raises(ValueError, match=r"^text: a column of bytes"):
        arrow.encode_array(pa.array([b"a"]), "utf-8")
    with pytest.raises(ValueError, match=r"'html', 'fatal' or 'null'"):
        arrow.encode_array(column, "utf-8", errors="replacement")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["UTF-8", "windows-1252", "ISO-2022-JP", "gb18030"])
def test_text_that_is_not_utf_8(name: str) -> None:
    """Declared text may be malformed UTF-8: U+FFFD for each error, or an error."""
    data = b"a\xffb\xe3\x81c"
    declared = Declared("u", [None, integers([0, 1, 7], 4), b"z" + data], 2)
    column = taken(arrow.encode_array(Producer([declared]).export(), name))
    assert column.to_pylist() == [b"z", oracle.encode(name, oracle.decode("UTF-8", data).text).output]
    assert taken(arrow.encode_array(Producer([declared]).export(), name, errors="null")).to_pylist() == [b"z", None]
    with pytest.raises(arrow.RowEncodeError) as caught:
        arrow.encode_array(Producer([declared]).export(), name, errors="fatal")
    text = data.decode("utf-8", "surrogateescape")
    assert (caught.value.row, caught.value.start, caught.value.object) == (1, 1, text)


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=30), max_size=30),
    type_=st.sampled_from(list(TYPES)),
    name=st.sampled_from(["UTF-8", "windows-1252", "ISO-2022-JP", "gb18030", "Big5", "EUC-JP"]),
    start=st.integers(0, 5),
)
def test_any_column(rows: list[str | None], type_: Any, name: str, start: int) -> None:
    result = taken(arrow.encode_array(pa.array(rows, type_)[start:], name))
    assert result.to_pylist() == [None if row is None else we.lookup(name).encode(row) for row in rows[start:]]
