"""What an encoding reads and allocates: buffers of every type, memory, threads."""

from __future__ import annotations

import array
import contextlib
import ctypes
import io
import mmap
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import whatwg_encoding as we
from tests.reference import inputs, oracle
from tests.standard.comparison import refusal

CONTENT = b"A\xe9\x82\xa0\x80\xff\xd8\x3d" * 3


def buffers(folder: Path, content: bytes = CONTENT) -> Iterator[tuple[str, object]]:
    yield "bytes", content
    yield "bytearray", bytearray(content)
    yield "memoryview", memoryview(content)
    yield "memoryview of a part", memoryview(b"xx" + content + b"x")[2:-1]
    yield "memoryview in two dimensions", memoryview(content).cast("B", [4, 6])
    yield "memoryview of shorts", memoryview(content).cast("H")
    yield "writable memoryview", memoryview(bytearray(content))
    yield "array of bytes", array.array("B", content)
    yield "array of doubles", array.array("d", content)
    # Released here: CPython 3.12.1 crashes where its garbage collector frees such a view (gh-111049).
    with io.BytesIO(content).getbuffer() as view:
        yield "BytesIO.getbuffer", view
    yield "ctypes", (ctypes.c_char * len(content)).from_buffer_copy(content)
    path = folder / "content"
    path.write_bytes(content)
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
            assert refusal(encoding.decode, buffer, "fatal") == (name, CONTENT, expected.spans[0]), kind


@pytest.mark.parametrize(
    "hook",
    [
        lambda data: we.decode(data, "utf-8"), we.utf8_decode, we.utf8_decode_without_bom,
        we.utf8_decode_without_bom_or_fail, we.isomorphic_decode, we.bom_sniff,
    ],
)  # fmt: skip
def test_hooks_take_every_type_of_buffer(tmp_path: Path, hook: Callable[[object], object]) -> None:
    content = "\ufeff".encode() * 2 + b"a" * 18
    for kind, buffer in buffers(tmp_path, content):
        assert hook(buffer) == hook(content), kind
    assert hook(bytearray()) == hook(b"")


def released() -> memoryview:
    view = memoryview(bytearray(4))
    view.release()
    return view


@pytest.mark.parametrize(
    ("buffer", "message"),
    [
        (b"bytes", "must be writable"), (memoryview(b"bytes"), "must be writable"),
        (memoryview(bytearray(8))[::2], "contiguous"), (None, "NoneType"), (released(), "released"),
        ((ctypes.py_object * 4)(), "Python objects"),
    ],
)  # fmt: skip
def test_encode_into_refuses_what_it_cannot_write_to(buffer: Any, message: str | None) -> None:
    with pytest.raises(TypeError, match=message):
        we.TextEncoder().encode_into("abc", buffer)


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
    with memoryview(data), pytest.raises(BufferError):
        data.append(0xFF)


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


@pytest.mark.gate
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


#: Calls that work on megabytes.
LONG_CALLS: dict[str, Callable[[we.Encoding, bytes, str], object]] = {
    "decode": lambda encoding, data, text: encoding.decode(data),
    "incremental decode": lambda encoding, data, text: encoding.new_decoder().decode(data),
    "encode": lambda encoding, data, text: encoding.encode(text),
    "decode_to_utf8": lambda encoding, data, text: encoding.decode_to_utf8(data),
    "recode": lambda encoding, data, text: we.recode(data, encoding, "gb18030", "html"),
    "valid_up_to": lambda encoding, data, text: encoding.valid_up_to(data),
    "encoded_length": lambda encoding, data, text: encoding.encoded_length(text),
}


@contextlib.contextmanager
def switch_interval(seconds: float) -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(seconds)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


@pytest.mark.parametrize("operation", LONG_CALLS)
@pytest.mark.parametrize("name", ["UTF-8", "windows-1251", "EUC-JP", "gb18030"])
def test_the_gil_is_released(name: str, operation: str) -> None:
    """While one thread works on megabytes, another one runs.

    With a switch interval of minutes a thread keeps the GIL unless it releases it: between `start.set()` and the line
    after the call in `work` the main thread can only run if the call releases the GIL.
    """
    encoding = we.ENCODINGS[name]
    text = "\u042f" * (1 << 23)
    data = encoding.encode(text)
    call = LONG_CALLS[operation]
    call(encoding, data, text)
    main_ran = False
    observed: list[bool] = []

    def work() -> None:
        start.set()
        call(encoding, data, text)
        observed.append(main_ran)

    with switch_interval(600):
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
    assert observed[-1]


#: Calls with an error for each of 100,000 items.
ERRONEOUS_CALLS: dict[str, Callable[[], object]] = {
    "decode": lambda: we.UTF_8.codec_info.decode(b"\xff" * 100_000, "ignore"),
    "encode": lambda: we.WINDOWS_1252.codec_info.encode("\U0001f600" * 100_000, "ignore"),
    "encode, surrogates": lambda: we.WINDOWS_1252.encode("\ud800" * 100_000),
    "encoded_length": lambda: we.WINDOWS_1252.encoded_length("\U0001f600" * 100_000),
    "encoded_length, surrogates": lambda: we.WINDOWS_1252.encoded_length("\ud800" * 100_000),
}


@pytest.mark.parametrize("operation", ERRONEOUS_CALLS)
def test_the_gil_is_not_released_for_each_error(operation: str) -> None:
    """If another thread is busy, each release makes this one wait: the system counts a voluntary context switch."""
    resource = pytest.importorskip("resource")
    if not hasattr(resource, "RUSAGE_THREAD"):
        pytest.skip("the system counts no context switches of a thread")
    stop = False

    def spin() -> None:
        while not stop:
            pass

    thread = threading.Thread(target=spin)
    with switch_interval(0.0001):
        thread.start()
        try:
            before = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
            ERRONEOUS_CALLS[operation]()
            switches = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw - before
        finally:
            stop = True
            thread.join()
    assert switches < 1000


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_text_io_wrapper_seeks_and_tells(name: str) -> None:
    """`tell` encodes the decoder's state in a number, from which `seek` restores it, after each character.

    CPython's `tell` reads beyond what `seek` has read if a character before had more bytes than those of the item in
    whose middle the position is: `seek` keeps the ratio of the chunk before it. Its own UTF-8 codec meets this, too, in
    E3 41 after a chunk of emoji. A codec could avoid it by holding back the second character alone, so a chunk of
    ASCII, whose ratio is 1, is read before each `seek`.
    """
    has_escapes = name == "ISO-2022-JP"  # others have two bytes for a character at most
    data = b"a" * 17 * has_escapes + (b"".join(inputs.vectors(name)) + b"\n") * 9
    expected = oracle.decode(name, data).text
    file = io.TextIOWrapper(io.BytesIO(data), f"web-{name}", "replace", newline="")
    file._CHUNK_SIZE = 17  # type: ignore[attr-defined]
    positions = [file.tell()]
    for character in expected:
        assert file.read(1) == character
        positions.append(file.tell())
    for index in [*range(len(positions)), *reversed(range(len(positions)))]:
        if has_escapes:
            file.seek(0)
            file.read(1)
        file.seek(positions[index])
        assert file.tell() == positions[index]
        assert file.read(9) == expected[index : index + 9]
    file.seek(positions[1])
    assert file.read() == expected[1:]
