"""The fuzz targets: each derives inputs from arbitrary bytes and compares the package with the reference.

Content is taken from the front of the bytes and choices from the end, so that a fuzzer can change one without the
other. A target raises AssertionError if the two differ; any other exception is a finding as well.
"""

# ruff: noqa: PT017 - targets run without pytest

from __future__ import annotations

import codecs
import ctypes
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, cycle, pairwise, repeat
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote_to_bytes

import whatwg_encoding as we
from tests.arrow import producers
from tests.capi import table
from tests.edit import model
from tests.fuzz.agents import agent_calls
from tests.fuzz.choices import Choices, pieces
from tests.fuzz.rooms import drop_in_detectors, mails
from tests.reference import api, inputs, oracle
from tests.reference import hooks as reference_hooks
from tests.reference.encodings import encodings
from tests.reference.io_queue import END_OF_QUEUE, IOQueue
from tests.reference.processing import CONTINUE, Error, process_an_item
from tests.sniff import reference as sniff_reference
from tests.sniff import test_against_reference as sniffing
from tests.sniff.support import outcome
from tests.standard.comparison import compare_decoder, compare_encoder, is_same_text, view_of
from whatwg_encoding import arrow, urls

T = TypeVar("T")


def decode(data: bytes) -> None:
    """Decode whole inputs in both error modes: text, memory, error spans and counts, ``valid_up_to``, UTF-8."""
    choices = Choices(data)
    name = choices.of(inputs.ALL_NAMES)
    content = choices.content()
    compare_decoder(name, [content])
    # A bytes object has a NUL after its content; this input is in a heap block of exactly its size.
    exact = (ctypes.c_ubyte * len(content)).from_buffer_copy(content)
    encoding = we.ENCODINGS[name]
    assert encoding.decode(exact) == encoding.decode(content)
    assert encoding.decode_to_utf8(exact) == encoding.decode_to_utf8(content)
    assert encoding.valid_up_to(exact) == encoding.valid_up_to(content)


def encode(data: bytes) -> None:
    """Encode whole texts in both error modes: bytes, error spans, ``encoded_length``."""
    choices = Choices(data)
    name = choices.of(inputs.ENCODER_NAMES)
    compare_encoder(name, [choices.text()])


def stream_decode(data: bytes) -> None:
    """Decode chunks, moving the state to another decoder between them, up to the first error of a fatal decoder."""
    choices = Choices(data)
    name = choices.of(inputs.ALL_NAMES)
    hops = choices.number(128)
    content = choices.content()
    chunks = pieces(content, choices.cuts(len(content)))
    encoding = we.ENCODINGS[name]

    reference, decoder, counted, texts = oracle.StreamingDecoder.of(name), encoding.new_decoder(), 0, []
    for number, chunk in enumerate(chunks):
        last = number == len(chunks) - 1
        expected = reference.decode(bytes(chunk), final=last)
        text = decoder.decode(bytes(chunk), last)
        assert is_same_text(text, expected), (name, chunks, number, text, expected)
        texts.append(text)
        assert counted + decoder.error_count == len(reference.spans), (name, chunks, number)
        if not last:
            state = decoder.getstate()
            assert state[0] == reference.pending, (name, chunks, number)
            if hops >> number & 1:
                counted += decoder.error_count
                decoder = encoding.new_decoder()
                decoder.setstate(state)
    assert "".join(texts) == encoding.decode(content), (name, chunks)

    reference, decoder, done = oracle.StreamingDecoder.of(name), encoding.new_decoder("fatal"), 0
    for number, chunk in enumerate(chunks):
        last = number == len(chunks) - 1
        pending = reference.pending
        expected = reference.decode(bytes(chunk), final=last)
        if reference.spans:
            start, end = (offset - done + len(pending) for offset in reference.spans[0])
            expected_error = name, pending + bytes(chunk), (start, end)
            try:
                text = decoder.decode(bytes(chunk), last)
            except UnicodeDecodeError as error:
                assert view_of(error) == expected_error, (name, chunks, number, view_of(error), expected_error)
                assert decoder.getstate() == (b"", 0)
                return
            raise AssertionError(f"{name} {chunks}: {text!a}, no error in chunk {number}")
        assert decoder.decode(bytes(chunk), last) == expected, (name, chunks, number)
        done += len(chunk)


def stream_encode(data: bytes) -> None:
    """Encode text in chunks, moving the state to another encoder between them."""
    choices = Choices(data)
    name = choices.of(inputs.ENCODER_NAMES)
    hops = choices.number(128)
    text = choices.text()
    chunks = pieces(text, choices.cuts(len(text)))
    encoding = we.ENCODINGS[name]
    encoder, output = encoding.new_encoder(), b""
    for number, chunk in enumerate(chunks):
        output += encoder.encode(str(chunk), number == len(chunks) - 1)
        if hops >> number & 1:
            state = encoder.getstate()
            encoder = encoding.new_encoder()
            encoder.setstate(state)
    assert output == oracle.encode(name, text).output, (name, chunks, output)
    assert encoder.getstate() == 0


# Results of the fuzzed error handler: a replacement, and the resume position relative to the end of the error.
_ANSWERS: tuple[tuple[str, int], ...] = (
    ("", 0), ("\ufffd", 0), ("?", 0), ("é", 0), ("あ", 0), ("\U0001f600", 0), ("ab" * 40, 0),
    ("x", 1), ("", 2), ("y", -1),
)  # fmt: skip


def handle_decode_errors(data: bytes) -> None:
    """Decode with Python's error handlers and with one that returns any replacement and resumes anywhere."""
    choices = Choices(data)
    name = choices.of(inputs.ALL_NAMES)
    answer, most = choices.of(_ANSWERS), choices.number(8)
    content = choices.content()
    chunks = pieces(content, choices.cuts(len(content)))
    if name in ("ISO-2022-JP", "replacement"):
        answer = answer[0], 0  # where these resume depends on their state, which no position expresses

    def answering() -> oracle.Handler:
        answers = chain(repeat(answer, most), repeat(("", 0)))

        def handler(error: UnicodeDecodeError) -> tuple[str, int]:
            replacement, distance = next(answers)
            return replacement, min(max(error.end + distance, 0), len(error.object))

        return handler

    codecs.register_error("tests.fuzz", answering())  # type: ignore[arg-type]
    info = we.ENCODINGS[name].codec_info
    text, length = info.decode(content, "tests.fuzz")
    assert length == len(content)
    assert is_same_text(text, oracle.decode_with(name, content, answering())), (name, content, answer, most, text)

    spans = oracle.decode(name, content).spans
    ignored = oracle.decode_with(name, content, lambda error: ("", error.end))
    assert info.decode(content, "ignore")[0] == ignored, (name, content)
    escaped = "".join(f"\\x{byte:02x}" for start, end in spans[:1] for byte in content[start:end])
    try:
        info.decode(content, "strict")
    except UnicodeDecodeError as error:
        assert view_of(error) == (name, content, spans[0]), (name, content, view_of(error))
        assert escaped in info.decode(content, "backslashreplace")[0], (name, content)
    else:
        assert not spans, (name, content)

    for errors in ("replace", "ignore"):
        whole = info.decode(content, errors)[0]
        assert info.incrementaldecoder is not None
        decoder = info.incrementaldecoder(errors)
        parts = [decoder.decode(bytes(chunk), number == len(chunks) - 1) for number, chunk in enumerate(chunks)]
        assert "".join(parts) == whole, (name, chunks, errors)


def handle_encode_errors(data: bytes) -> None:
    """Encode with error handlers that return bytes, text, and text that cannot be encoded."""
    choices = Choices(data)
    name = choices.of(inputs.ENCODER_NAMES)
    answers: tuple[str | bytes, ...] = ("", "?", "あ", "ascii" * 8, b"", b"\xff\x00", b"bytes" * 20, "\ue000\U0001f600")
    answer = choices.of(answers)
    text = choices.text()
    encoding = we.ENCODINGS[name]

    def handler(error: UnicodeError) -> tuple[str | bytes, int]:
        assert isinstance(error, UnicodeEncodeError)
        assert view_of(error)[1] == text
        assert error.end == error.start + 1
        return answer, error.end

    codecs.register_error("tests.fuzz", handler)
    factory = encodings()[name].encoder
    assert factory is not None
    encoder, queue, output = factory(), IOQueue.convert(range(0)), IOQueue()
    failure: int | None = None
    for position, value in enumerate(map(ord, text)):
        result: object = CONTINUE
        if 0xD800 <= value <= 0xDFFF:
            # The standard has no surrogates here. A surrogate is handled like any code point that the encoding lacks,
            # such as this one, which only two encodings have.
            result = Error(value) if name in ("UTF-8", "gb18030") else CONTINUE
            value = 0x1F600
        queue = IOQueue.convert([value])
        while result is CONTINUE and queue.to_list():
            result = process_an_item(queue.read(), encoder, queue, output, "fatal")
        if isinstance(result, Error):
            if isinstance(answer, bytes):
                output.push(*answer)
                continue
            queue = IOQueue.convert(map(ord, answer))
            while queue.to_list() and failure is None:
                if isinstance(process_an_item(queue.read(), encoder, queue, output, "fatal"), Error):
                    failure = position
            if failure is not None:
                break
    try:
        encoded = encoding.codec_info.encode(text, "tests.fuzz")
    except UnicodeEncodeError as error:
        assert failure == error.start, (name, text, answer, failure)
    else:
        assert failure is None, (name, text, answer, failure)
        process_an_item(END_OF_QUEUE, encoder, queue, output, "fatal")
        expected = output.to_bytes()
        if name == "ISO-2022-JP":
            expected = without_idle_escapes(expected)
        assert encoded == (expected, len(text)), (name, text, answer)


_ESCAPES = re.compile(rb"(?:\x1B(?:\(B|\(J|\$B))+")


def without_idle_escapes(data: bytes) -> bytes:
    """Return ISO-2022-JP without the escape sequences that no character follows."""
    state = b"\x1b(B"

    def needed(run: re.Match[bytes]) -> bytes:
        nonlocal state
        before, state = state, run[0][-3:]
        return b"" if before == state else state

    return _ESCAPES.sub(needed, data)


def recode(data: bytes) -> None:
    """Recode from one encoding to another, in both error modes."""
    choices = Choices(data)
    source, target = choices.of(inputs.ALL_NAMES), choices.of(inputs.ENCODER_NAMES)
    content = choices.content()
    decoded = oracle.decode(source, content)
    encoded = oracle.encode(target, decoded.text)
    assert we.recode(content, source, target, "html") == encoded.output, (source, target, content)
    try:
        result = we.recode(content, source, target, "fatal")
    except UnicodeDecodeError as error:
        assert (error.start, error.end) == decoded.spans[0], (source, target, content)
    except UnicodeEncodeError as error:
        start, end = encoded.spans[0]
        assert error.object[error.start : error.end] == decoded.text[start:end], (source, target, content)
    else:
        assert not decoded.spans
        assert not encoded.spans
        assert result == encoded.output


def hooks(data: bytes) -> None:
    """Run the hooks, TextDecoder and TextEncoder."""
    choices = Choices(data)
    name = choices.of(inputs.ALL_NAMES)
    bom = choices.of((b"", b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe", b"\xef\xbb"))
    ignore_bom, fatal, capacity = bool(choices.number(2)), bool(choices.number(2)), choices.number(256)
    content = bom + choices.content()
    chunks = pieces(content, choices.cuts(len(content)))
    expected = reference_hooks.decode(IOQueue.convert(content), encodings()[name]).to_text()
    assert we.decode(content, name).text == expected, (name, content)
    utf_8 = reference_hooks.utf_8_decode(IOQueue.convert(content)).to_text()
    assert we.utf8_decode(content) == utf_8, content
    assert we.utf8_encode(utf_8) == utf_8.encode()
    queue = IOQueue.convert(content)
    assert we.utf8_decode_without_bom(content) == reference_hooks.utf_8_decode_without_bom(queue).to_text(), content
    valid = reference_hooks.utf_8_decode_without_bom_or_fail(IOQueue.convert(content))
    result = outcome(partial(we.utf8_decode_without_bom_or_fail, content))
    assert isinstance(result, tuple) if valid is None else result == valid.to_text(), content
    sniffed = reference_hooks.bom_sniff(IOQueue.convert(content))
    named = we.bom_sniff(content)
    assert (named.name if named else None) == (sniffed.name if sniffed else None), content
    assert we.isomorphic_encode(we.isomorphic_decode(content)) == content
    if name != "replacement":
        decoder = we.TextDecoder(name, fatal=fatal, ignore_bom=ignore_bom)
        reference_decoder = api.TextDecoder(name, fatal=fatal, ignore_bom=ignore_bom)
        for number, chunk in enumerate(chunks):
            stream = number < len(chunks) - 1
            try:
                text = reference_decoder.decode(bytes(chunk), stream=stream)
            except api.JSTypeError:
                assert isinstance(outcome(partial(decoder.decode, bytes(chunk), stream=stream)), tuple)
                break
            assert decoder.decode(bytes(chunk), stream=stream) == text, (name, chunks, number, fatal, ignore_bom)
    text = choices.text()
    buffer, expected_buffer = bytearray(capacity), bytearray(capacity)
    read_and_written = tuple(we.TextEncoder().encode_into(text, buffer))
    assert read_and_written == tuple(api.TextEncoder().encode_into(text, expected_buffer)), (text, capacity)
    assert buffer == expected_buffer
    assert we.TextEncoder().encode(text) == api.TextEncoder().encode(text)


def sniff_markup(data: bytes) -> None:
    """Run the prescan, the XML declaration and CSS's @charset, whole and in chunks, and compare a stream's text."""
    choices = Choices(data)
    context = choices.of(("html-parser", "xml-parser", "css-from-css", "text-document"))
    limit = choices.of((None, 1024, 16, 64))
    opener = choices.of((b"", b"<meta ", b'<?xml version="1.0" encoding="', b'@charset "', b"<!--", b"<script>"))
    cuts = choices.cuts(len(choices.rest) + len(opener))
    content = opener + choices.rest
    sniffing.check_markup(content, limit, cuts)
    sniffing.check_css(content, cuts)
    sniffing.check_content(content.decode("latin-1"))
    whole = outcome(lambda: we.decode_as(context, content).text)
    streamed = outcome(lambda: "".join(we.decode_stream(context, map(bytes, pieces(content, cuts)))))
    assert streamed == whole, (context, content, cuts)


def detection(data: bytes) -> None:
    """Detect encodings: guesses in order, each of text that decodes, and the same for a stream as for the whole."""
    choices = Choices(data)
    limit, tld = choices.of((16384, 1, 17, 600)), choices.of((None, "jp", "ru"))
    declared = choices.of((None, "utf-8", "gbk", "iso-8859-2", "utf-16le", "iso-2022-jp", "replacement"))
    cuts = choices.cuts(len(choices.rest))
    content = choices.content()
    guesses = we.sniff.detect(content, tld=tld, declared=declared, limit=limit)
    assert guesses == we.sniff.detect(memoryview(bytearray(content)), tld=tld, declared=declared, limit=limit)
    scores = [guess.score for guess in guesses]
    assert scores == sorted(scores), guesses
    assert [guess.margin for guess in guesses] == [*(after - score for score, after in pairwise(scores)), None]
    header = None if declared is None else f"text/plain; charset={declared}"
    whole = we.decode_crawled(content, header, tld=tld).text
    chunks = map(bytes, pieces(content, [cut for cut in cuts if cut <= len(content)]))
    assert "".join(we.decode_stream("crawl", chunks, content_type=header, tld=tld)) == whole, (content, header)


def mime_types(data: bytes) -> None:
    """Parse MIME types and header values."""
    choices = Choices(data)
    opener = choices.of(("", "text/html;", "a/b", 'a/b;c="'))
    sniffing.check_mime(opener + choices.text()[:300])


def _percent_encoded(name: str, text: str) -> str:
    """https://url.spec.whatwg.org/#string-percent-encode-after-encoding with the component percent-encode set."""
    factory = encodings()[name].encoder
    assert factory is not None
    encoder, output = factory(), ""
    queue = IOQueue.convert(value.value for value in oracle.scalar_values(text))
    unreserved = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!*'()"
    while True:
        encoded = IOQueue()
        failure = reference_hooks.encode_or_fail(queue, encoder, encoded)
        output += "".join(chr(byte) if byte in unreserved else f"%{byte:02X}" for byte in encoded.to_bytes())
        if failure is None:
            return output
        output += f"%26%23{failure}%3B"


def url_text(data: bytes) -> None:
    """Run percent-encoding after encoding, percent-decoding and form parsing."""
    choices = Choices(data)
    name = choices.of(inputs.ENCODER_NAMES)
    content = choices.rest
    assert urls.percent_decode(content) == unquote_to_bytes(content), content
    pairs = []
    for part in content.split(b"&"):
        if part:
            key, _, value = part.replace(b"+", b" ").partition(b"=")
            pairs.append(tuple(oracle.decode("UTF-8", unquote_to_bytes(half)).text for half in (key, value)))
    assert urls.parse_form(content) == pairs, content
    assert urls.parse_form(urls.serialize_form(urls.parse_form(content)).encode("ascii")) == pairs, content
    text = choices.text()[:400]
    assert urls.percent_encode_after_encoding(name, text, "component") == _percent_encoded(name, text), (name, text)
    mime = sniff_reference.parse_mime_type(text)
    assert mime is None or mime[0]


def _capacities(choices: Choices) -> Iterator[int]:
    """Return the capacity of each call, cycling through the next few numbers."""
    few = [choices.of((0, 1, 2, 3, 4, 5, 8, 13, 14, 31, 63, 64, 65, 100, 200, 513, 1600, 7000)) for _ in range(4)]
    return cycle(few)


_FORMS = {1: "utf-8", 2: "utf-16-le", 4: "utf-32-le"}


def c_decode(data: bytes) -> None:
    """Decode streams through the C API with any capacities: output, error spans and counts, BOMs."""
    choices = Choices(data)
    name, unit_size = choices.of(inputs.ALL_NAMES), choices.of((1, 2, 4))
    flags, capacities = choices.number(8), _capacities(choices)
    content = choices.content()
    marks = flags & (table.BOM_SNIFF | table.BOM_REMOVE)
    expected, final = table.expected_with_mark(name, content, flags) if marks else (oracle.decode(name, content), name)
    chunks = [bytes(chunk) for chunk in pieces(content, choices.cuts(len(content)))]
    stream = table.run_stream(name, unit_size, flags, chunks, capacities, decodes=True)
    text = stream.output.decode(_FORMS[unit_size])
    assert (text, stream.name) == (expected.text, final), (name, flags, chunks, text, expected)
    if flags & table.FATAL:
        spans = tuple((end - length, end) for end, length in stream.errors)
        assert spans == expected.spans, (name, flags, chunks, spans, expected)
    else:
        assert stream.replaced == len(expected.spans), (name, flags, chunks, stream, expected)


def c_encode(data: bytes) -> None:
    """Encode streams through the C API, from every form of text, with any capacities."""
    choices = Choices(data)
    name, unit_size = choices.of(inputs.ENCODER_NAMES), choices.of((1, 2, 4))
    flags, capacities = choices.number(2), _capacities(choices)
    if unit_size == 1 and choices.number(2):
        source = choices.content()  # usually malformed
        text = oracle.decode("UTF-8", source).text
    else:
        text = choices.text()
        if unit_size == 1:
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        source = text.encode(_FORMS[unit_size], "surrogatepass")
        if unit_size == 4:  # a surrogate is not a scalar value in UTF-32, not even as one of a pair
            text = "".join("\ufffd" if 0xD800 <= ord(unit) <= 0xDFFF else unit for unit in text)
    units = [source[i : i + unit_size] for i in range(0, len(source), unit_size)]
    chunks = [b"".join(chunk) for chunk in pieces(units, choices.cuts(len(units)))]
    stream = table.run_stream(name, unit_size, flags, chunks, capacities, decodes=False)
    expected = oracle.encode(name, text)
    assert stream.output == expected.output, (name, flags, chunks, stream, expected)
    returned = len(expected.spans) if flags & table.FATAL else 0
    assert len(stream.errors) == returned, (name, flags, chunks, stream, expected)


_COLUMN_FORMATS = ("z", "Z", "vz", "u", "U", "vu")
_COLUMN_ERRORS: tuple[Any, ...] = ("replacement", "null", "fatal")
_COLUMN_BOMS: tuple[Any, ...] = ("keep", "sniff")
_COLUMN_TYPES: tuple[Any, ...] = (None, "string", "large_string", "string_view")


def _decode_row(row: bytes, encoding: we.Encoding, bom: str, errors: str) -> bytes | None:
    """Return the text of a row in UTF-8; None if it has an error and ``errors`` is not "replacement"."""
    marked = we.bom_sniff(row) if bom == "sniff" else None
    if marked is not None:
        encoding, row = marked, row[3 if marked is we.UTF_8 else 2 :]
    try:
        return encoding.decode(row, "replacement" if errors == "replacement" else "fatal").encode()
    except UnicodeDecodeError:
        return None


def _column(choices: Choices, rows: Sequence[bytes | None], indexed: bool) -> list[producers.Declared]:
    """Return rows as chunks, or one array whose dictionary they are."""
    form, before = choices.of(_COLUMN_FORMATS), choices.number(3)
    if indexed:
        values = producers.declared_of(rows, form)
        return [producers.Declared("C", [None, bytes(range(len(rows)))], len(rows), dictionary=values)]
    return [producers.declared_of(chunk, form, before) for chunk in pieces(rows, choices.cuts(len(rows)))]


def _lie(choices: Choices, declared: producers.Declared) -> producers.Declared:
    """Return an array with a member changed, in a way that the interface lets a consumer see."""
    kind, value, place = choices.number(5), choices.number(256), choices.number(256)
    buffers = list(declared.buffers)
    if kind == 0:
        return replace(declared, null_count=value - 3)
    if kind == 1:
        return replace(declared, length=-1 - value)
    if kind == 2:
        return replace(declared, buffers=buffers[: value % len(buffers)])
    if kind == 3:
        buffers[value % len(buffers)] = None
    else:  # a byte of views, indices, or offsets but for the last one, which tells the size of the data
        written = bytearray(buffers[1] or b"")
        most = len(written) - {"z": 4, "u": 4, "Z": 8, "U": 8}.get(declared.format, 0)
        if most > 0:
            written[place % most] = value
        buffers[1] = bytes(written)
    return replace(declared, buffers=buffers)


def columns(data: bytes) -> None:
    """Decode columns of every layout, of producers that may lie, and compare with ``Encoding.decode`` row by row."""
    choices = Choices(data)
    encoding, errors = we.ENCODINGS[choices.of(inputs.ALL_NAMES)], choices.of(_COLUMN_ERRORS)
    bom, type_ = choices.of(_COLUMN_BOMS), choices.of(_COLUMN_TYPES)
    lies, has_labels, indexed = choices.number(3) == 1, choices.number(2) == 1, choices.number(4) == 1
    content = choices.content()
    rows = [bytes(row) if choices.number(8) != 1 else None for row in pieces(content, choices.cuts(len(content)))]
    encodings = [choices.of((encoding, encoding, we.UTF_8, None)) if has_labels else encoding for _ in rows]
    declared = _column(choices, rows, indexed)
    labels = _column(choices, [row_encoding and row_encoding.name.encode() for row_encoding in encodings], False)
    if lies:
        place = choices.number(len(declared))
        declared[place] = _lie(choices, declared[place])
    expected = [
        None if row is None or row_encoding is None else _decode_row(row, row_encoding, bom, errors)
        for row, row_encoding in zip(rows, encodings, strict=True)
    ]
    numbered = enumerate(zip(rows, encodings, expected, strict=True))
    failed = [number for number, (*row_and_encoding, text) in numbered if None not in row_and_encoding and text is None]
    context = encoding.name, errors, bom, type_, rows, labels, declared
    producer, labeller = producers.Producer(declared, is_stream=True), producers.Producer(labels, is_stream=True)
    try:
        column: arrow.Column | None = arrow.decode_array(
            producer.export(), labeller.export() if has_labels else encoding, errors=errors, bom=bom, type=type_
        )
    except arrow.RowDecodeError as error:
        column = None
        assert errors == "fatal", context
        assert lies or (error.row, error.object) == (failed[0], rows[failed[0]]), (context, error)
    except ValueError as error:
        column = None
        assert lies, (context, error)
    else:
        values = producers.rows_of(column)
        for row in values:
            assert row is None or oracle.decode("UTF-8", row).text.encode() == row, (context, values)
        if not lies:
            assert values == expected, (context, values, expected)
            assert errors != "fatal" or not failed, (context, failed)
    del column
    for row_encoding in (producer, labeller):
        row_encoding.drop()
        assert sorted(row_encoding.made) == sorted(row_encoding.released), (
            context,
            row_encoding.made,
            row_encoding.released,
        )


def edits(data: bytes) -> None:
    """Edit a document: what changes, what is refused, and that nothing else changes."""
    choices = Choices(data)
    name = choices.of(inputs.ALL_NAMES)
    if name == "replacement":
        return
    is_update, length, place, character = (choices.number(256) for _ in range(4))
    content = choices.rest[:150]
    text = model.text_of(name, content)
    start = place % (len(text) + 1)
    end = min(start + length % 4, len(text))
    some = ("", "a", "\n", "ab", "あ", "é", "\ufffd", text[:2], chr(character))
    new = choices.of(some) if length < 224 else text[::-1]
    if is_update % 2:
        model.check_update(name, content, text[:start] + new + text[end:])
    else:
        model.check_replace(name, content, model.Edit(start, end, new))


def repairs(data: bytes) -> None:
    """Repair texts of characters that misreadings make, and any others: nothing else changes, no line appears."""
    choices = Choices(data)
    name = choices.of(inputs.ALL_NAMES)
    text = we.ENCODINGS[name].decode(choices.content()) if choices.number(4) else choices.text()
    text = text[:300]
    repaired = we.repair(text)
    assert repaired.steps or repaired.text == text, (name, text, repaired)
    assert repaired.text.count("\n") == text.count("\n"), (name, text, repaired)
    assert repaired.text.count("\ufffd") <= text.count("\ufffd") + text.count("?"), (name, text, repaired)
    assert we.repair(text) == repaired, (name, text, repaired)


def names(data: bytes) -> None:
    """Decode several byte strings together: each in the encoding that is found, or in UTF-8 if it is valid."""
    choices = Choices(data)
    has_dos = bool(choices.number(2))
    language = choices.of((None, "ru", "pl-PL", "", "-"))
    content = choices.content()
    items = [bytes(piece) for piece in pieces(content, choices.cuts(len(content)))]
    together = we.decode_together(items, dos=has_dos, language=language)
    encoding = together.encoding
    for item, text in zip(items, together.texts, strict=True):
        expected = item.decode(encoding, "replace") if isinstance(encoding, str) else encoding.decode(item)
        is_utf_8 = we.UTF_8.valid_up_to(item) == len(item) and text == we.UTF_8.decode(item)
        assert is_utf_8 or text == expected, (items, together)
    assert has_dos or isinstance(encoding, we.Encoding), (items, together)


TARGETS: dict[str, Callable[[bytes], None]] = {
    target.__name__: target
    for target in (
        decode, encode, stream_decode, stream_encode, handle_decode_errors, handle_encode_errors, recode, hooks,
        sniff_markup, detection, mime_types, url_text, c_decode, c_encode, columns, edits, mails, repairs,
        names, drop_in_detectors, agent_calls,
    )
}  # fmt: skip

#: Target → the one whose corpus it shares, if not its own: it reads the same choices from an input.
SHARED_CORPORA = {
    "c_decode": "stream_decode", "c_encode": "stream_encode", "edits": "decode", "detection": "stream_decode",
    "mails": "mime_types", "repairs": "decode", "names": "stream_decode", "drop_in_detectors": "stream_decode",
    "agent_calls": "decode",
}  # fmt: skip


def corpus_of(target: str) -> Path:
    return Path(__file__).resolve().parent / "corpus" / SHARED_CORPORA.get(target, target)
