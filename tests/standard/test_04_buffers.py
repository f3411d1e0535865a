"""What an encoding reads and allocates: buffers of every type, memory, threads."""

from __future__ import annotations

import array
import codecs
import contextlib
import ctypes
import io
import mmap
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

import whatwg_encoding as we
from tests.reference import inputs, oracle
from tests.standard.comparison import smallest_size

CONTENT = b"A\xe9\x82\xa0\x80\xff\xd8\x3d" * 3


def buffers(folder: Path) -> Iterator[tuple[str, object]]:
    yield "bytes", CONTENT
    yield "bytearray", bytearray(CONTENT)
    yield "memoryview", memoryview(CONTENT)
    yield "memoryview of a part", memoryview(b"xx" + CONTENT + b"x")[2:-1]
    yield "memoryview in two dimensions", memoryview(CONTENT).cast("B", [4, 6])
    yield "memoryview of shorts", memoryview(CONTENT).cast("H")
    yield "writable memoryview", memoryview(bytearray(CONTENT))
    yield "array of bytes", array.array("B", CONTENT)
    yield "array of doubles", array.array("d", CONTENT)
    yield "BytesIO.getbuffer", io.BytesIO(CONTENT).getbuffer()
    yield "ctypes", (ctypes.c_char * len(CONTENT)).from_buffer_copy(CONTENT)
    yield "NumPy, read-only", np.frombuffer(CONTENT, dtype=np.uint8)
    yield "NumPy, two dimensions", np.frombuffer(CONTENT, dtype=np.uint8).copy().reshape(4, 6)
    yield "NumPy, Fortran order", np.asfortranarray(np.frombuffer(CONTENT, dtype=np.uint8))
    path = folder / "content"
    path.write_bytes(CONTENT)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        yield "mmap", mapped


@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_every_type_of_buffer(tmp_path: Path, name: str) -> None:
    encoding = we.ENCODINGS[name]
    expected = oracle.decode(name, CONTENT)
    valid_up_to = expected.spans[0][0] if expected.spans else len(CONTENT)
    for kind, buffer in buffers(tmp_path):
        assert encoding.decode(buffer) == expected.text, kind  # type: ignore[arg-type]
        assert encoding.new_decoder().decode(buffer, True) == expected.text, kind  # type: ignore[arg-type]
        assert encoding.valid_up_to(buffer) == valid_up_to, kind  # type: ignore[arg-type]
        if expected.spans:
            with pytest.raises(UnicodeDecodeError) as caught:
                encoding.decode(buffer, "fatal")  # type: ignore[arg-type]
            assert caught.value.object == CONTENT, kind
            assert (caught.value.start, caught.value.end) == expected.spans[0], kind


@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_a_buffer_is_released(name: str) -> None:
    """A buffer is released after each call, whether it returns or raises: resizing an exported bytearray fails."""
    encoding, data = we.ENCODINGS[name], bytearray(b"\xff" * 100)
    decoder, fatal = encoding.new_decoder(), encoding.new_decoder("fatal")
    calls: list[Callable[[], object]] = [
        lambda: encoding.decode(data), lambda: encoding.valid_up_to(data), lambda: encoding.decode_to_utf8(data),
        lambda: decoder.decode(data), lambda: encoding.decode(data, "fatal"), lambda: fatal.decode(data, True),
    ]  # fmt: skip
    for call in calls:
        with contextlib.suppress(UnicodeDecodeError):
            call()
        data.append(0xFF)
        data.pop()
    view = memoryview(data)
    with pytest.raises(BufferError):
        data.append(0xFF)
    view.release()


def test_an_error_keeps_what_the_buffer_was() -> None:
    data = bytearray(b"abc\xff")
    with pytest.raises(UnicodeDecodeError) as caught:
        we.UTF_8.decode(data, "fatal")
    data[:] = b"changed"
    assert caught.value.object == b"abc\xff"


def test_a_decoder_does_not_keep_the_buffer() -> None:
    for name in inputs.MULTI_BYTE_NAMES:
        for vector in inputs.vectors(name):
            for cut in range(len(vector) + 1):
                decoder = we.ENCODINGS[name].new_decoder()
                chunk = bytearray(vector[:cut])
                text = decoder.decode(chunk)
                chunk[:] = b"\xff" * cut
                assert text + decoder.decode(vector[cut:], True) == oracle.decode(name, vector).text


# The largest code point of each kind of str, and the smallest of the next.
KIND_ENDS = ["\x7f", "\x80", "\xff", "\u0100", "\uffff", "\U00010000", "\U0010ffff"]


@pytest.mark.parametrize("length", [1, 2, 15, 16, 17, 63, 64, 65, 1000, 70_000])
def test_text_is_in_its_smallest_kind(length: int) -> None:
    """https://peps.python.org/pep-0393/: the character that determines the kind is first, last or in the middle."""
    for character in KIND_ENDS:
        for place in {0, length // 2, length - 1}:
            text = "a" * place + character + "a" * (length - 1 - place)
            for name, data in (
                ("UTF-8", text.encode("utf-8")),
                ("UTF-16LE", text.encode("utf-16-le")),
                ("UTF-16BE", text.encode("utf-16-be")),
                ("gb18030", text.encode("gb18030")),
            ):
                decoded = we.ENCODINGS[name].decode(data)
                assert decoded == text
                assert hash(decoded) == hash(text)
                assert sys.getsizeof(decoded) == smallest_size(text)
                halves = we.ENCODINGS[name].new_decoder()
                for part in (data[: len(data) // 2], data[len(data) // 2 :]):
                    piece = halves.decode(part)
                    assert sys.getsizeof(piece) == smallest_size(piece)


@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_text_is_in_its_smallest_kind_after_errors(name: str) -> None:
    """U+FFFD is wider than ASCII; errors, and only errors, widen the text."""
    encoding = we.ENCODINGS[name]
    for data in (*inputs.vectors(name), *inputs.random_inputs(name, 100)):
        for before in (b"", b"a" * 100, b"a" * 5000):
            text = encoding.decode(before + data)
            rebuilt = "".join(list(text))
            assert text == rebuilt
            assert hash(text) == hash(rebuilt)
            assert sys.getsizeof(text) == smallest_size(rebuilt)


@pytest.mark.parametrize("name", inputs.ENCODER_NAMES)
@pytest.mark.shapes
def test_errors_wherever_room_ends(name: str) -> None:
    """Character references are longer than the code points that they replace, and exhaust the initial capacity."""
    random = Random(name)
    mapped = "aZ\\~" + "".join(c for c in "éжя日本ｱ人한あ🙂" if not oracle.encode(name, c).spans)
    # The yen sign switches ISO-2022-JP to a state that the end of the text has to leave, whatever capacity remains.
    texts = ["¥" + "\U0010ffff" * length for length in range(150)]
    for length in (*range(0, 140, 3), *range(990, 1060, 7), 5000):
        for frequency in (0.02, 0.5, 1):
            for errors in ("\ue5e5", "\U0010ffff", "ÿ\ud800\ue000😀"):
                letters = (random.choice(errors if random.random() < frequency else mapped) for _ in range(length))
                texts.append("".join(letters))
    for text in texts:
        expected = oracle.encode(name, text).output
        assert we.ENCODINGS[name].encode(text) == expected
        assert we.ENCODINGS[name].encoded_length(text) == len(expected)
        encoder = we.ENCODINGS[name].new_encoder()
        assert encoder.encode(text[: len(text) // 2]) + encoder.encode(text[len(text) // 2 :], True) == expected


_LARGE = 1 << 25


@pytest.mark.parametrize(
    "operation",
    [
        "decode", "incremental decode", "encode", "decode_to_utf8", "recode", "valid_up_to", "encoded_length",
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["UTF-8", "windows-1251", "EUC-JP", "gb18030"])
def test_the_gil_is_released(name: str, operation: str) -> None:
    """While one thread works on megabytes, another one runs.

    With a switch interval of minutes a thread keeps the GIL unless it releases it: between `start.set()` and the line
    after the call in `work` the main thread can only run if the call releases the GIL.
    """
    encoding = we.ENCODINGS[name]
    text = "\u042f" * (_LARGE // 4)
    data = encoding.encode(text)
    calls: dict[str, Callable[[], object]] = {
        "decode": lambda: encoding.decode(data),
        "incremental decode": lambda: encoding.new_decoder().decode(data),
        "encode": lambda: encoding.encode(text),
        "valid_up_to": lambda: encoding.valid_up_to(data),
        "encoded_length": lambda: encoding.encoded_length(text),
        "decode_to_utf8": lambda: encoding.decode_to_utf8(data),
        "recode": lambda: we.recode(data, encoding, "gb18030"),
    }
    call = calls[operation]
    call()
    main_ran = False
    observed: list[bool] = []

    def work() -> None:
        start.set()
        call()
        observed.append(main_ran)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(600)
    try:
        for _ in range(20):  # the operating system may not schedule the main thread in time: that is not a failure
            main_ran = False
            start = threading.Event()
            thread = threading.Thread(target=work)
            thread.start()
            start.wait()
            main_ran = True
            thread.join()
            if observed[-1]:
                break
    finally:
        sys.setswitchinterval(interval)
    assert observed[-1]


@pytest.mark.parametrize(
    "operation", ["decode", "encode", "encode, surrogates", "encoded_length", "encoded_length, surrogates"]
)
def test_the_gil_is_not_released_for_each_error(operation: str) -> None:
    """Errors do not each release the GIL.

    If another thread is busy, each release makes this thread wait, which the system counts as a voluntary context
    switch. A release for each of the 100,000 errors would make as many.
    """
    resource = pytest.importorskip("resource")
    if not hasattr(resource, "RUSAGE_THREAD"):
        pytest.skip("the system counts no context switches of a thread")
    codec = we.WINDOWS_1252.codec_info
    text, surrogates, data = "\U0001f600" * 100_000, "\ud800" * 100_000, b"\xff" * 100_000
    calls: dict[str, Callable[[], object]] = {
        "decode": lambda: we.UTF_8.codec_info.decode(data, "ignore"),
        "encode": lambda: codec.encode(text, "ignore"),
        "encode, surrogates": lambda: we.WINDOWS_1252.encode(surrogates),
        "encoded_length": lambda: we.WINDOWS_1252.encoded_length(text),
        "encoded_length, surrogates": lambda: we.WINDOWS_1252.encoded_length(surrogates),
    }
    stop = False

    def spin() -> None:
        while not stop:
            pass

    interval = sys.getswitchinterval()
    sys.setswitchinterval(0.0001)
    thread = threading.Thread(target=spin)
    try:
        thread.start()
        before = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
        calls[operation]()
        switches = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw - before
    finally:
        stop = True
        thread.join()
        sys.setswitchinterval(interval)
    assert switches < 1000


def test_many_threads_share_an_encoding() -> None:
    data = {name: b"".join(inputs.random_inputs(name, 3000)) for name in inputs.MULTI_BYTE_NAMES}
    expected = {name: oracle.decode(name, item).text for name, item in data.items()}
    wrong: list[str] = []

    def work() -> None:
        for name, item in data.items():
            if we.lookup(name).decode(item) != expected[name]:
                wrong.append(name)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_text_io_wrapper_seeks_and_tells(name: str) -> None:
    """`tell` encodes the decoder's state in a number, from which `seek` restores it."""
    encoding = we.ENCODINGS[name]
    data = (b"".join(inputs.vectors(name)) + b"\n") * 20
    expected = oracle.decode(name, data).text

    def search(codec: str) -> codecs.CodecInfo | None:
        if codec != "test_text_io_wrapper":
            return None
        return codecs.CodecInfo(
            lambda text, errors="": (encoding.encode(text), len(text)),
            lambda item, errors="": (encoding.decode(item), len(bytes(item))),
            incrementaldecoder=lambda errors="": encoding.new_decoder(),
            incrementalencoder=lambda errors="": encoding.new_encoder(),
            name=codec,
        )

    codecs.register(search)
    try:
        file = io.TextIOWrapper(io.BufferedReader(io.BytesIO(data)), encoding="test_text_io_wrapper", newline="")
        file._CHUNK_SIZE = 17  # type: ignore[attr-defined]
        pieces: list[tuple[int, str]] = []
        while True:
            position = file.tell()
            piece = file.read(7)
            if not piece:
                break
            pieces.append((position, piece))
        assert "".join(piece for _, piece in pieces) == expected
        for position, piece in reversed(pieces):
            file.seek(position)
            assert file.read(len(piece)) == piece
    finally:
        codecs.unregister(search)
