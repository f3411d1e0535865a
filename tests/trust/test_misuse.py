"""Objects that misbehave, and misused objects: a clear error or any text, but never a crash."""

from __future__ import annotations

import codecs
import copy
import gc
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import product
from typing import Any
from unittest.mock import patch

import pytest

import whatwg_encoding as we
from tests.reference import inputs
from tests.trust.arguments import DROP_INS, Function, functions

JAPANESE = "日本語".encode("shift_jis")


@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_an_error_handler_may_call_the_decoder_it_is_called_by(name: str) -> None:
    """Decode, reset, set the state, initialize again: any result is allowed, and the decoder remains usable."""
    encoding = we.ENCODINGS[name]
    data = inputs.pool(name)
    deeds: list[Callable[[Any], object]] = [
        lambda decoder: decoder.decode(b"\x81"),
        lambda decoder: decoder.decode(data[:50], True),
        lambda decoder: decoder.reset(),
        lambda decoder: decoder.setstate((b"\x8f\xa2", 7)),
        lambda decoder: decoder.__init__("utf-8", "fatal"),
        lambda decoder: decoder.__init__("replacement"),
        lambda decoder: gc.collect(),
    ]
    for deed in deeds:
        called_by_itself(encoding, data, deed)


def called_by_itself(encoding: we.Encoding, data: bytes, deed: Callable[[Any], object]) -> None:
    """Decode with an error handler that performs an action on the decoder, unless it is already running."""
    depth = 0

    def handler(error: UnicodeError) -> tuple[str, int]:
        nonlocal depth
        if depth < 3:
            depth += 1
            with suppress(UnicodeDecodeError):
                deed(decoder)
            depth -= 1
        return "?", error.end

    codecs.register_error("tests.misuse.decode", handler)
    decoder: Any = encoding.codec_info.incrementaldecoder("tests.misuse.decode")
    for chunk in (*(data[start : start + 7] for start in range(0, len(data), 7)), data):
        with suppress(UnicodeDecodeError):  # the decoder may have become fatal
            decoder.decode(chunk)
    decoder.__init__(encoding)
    assert decoder.decode(data, True) == encoding.decode(data)


@pytest.mark.parametrize("name", inputs.ENCODER_NAMES)
def test_an_error_handler_may_call_the_encoder_it_is_called_by(name: str) -> None:
    text = "a\U0001f600\ud800\u0e01あ\xa5é" * 50
    encoder: Any

    def handler(error: UnicodeError) -> tuple[str, int]:
        if error.start % 3 == 0:
            encoder.reset()
            encoder.setstate(state)
            encoder.encode("ab", True)
        return "?", error.end

    other = we.ENCODINGS[name].codec_info.incrementalencoder("ignore")  # type: ignore[misc]
    other.encode("あ")
    state = other.getstate()
    codecs.register_error("tests.misuse.encode", handler)
    encoder = we.ENCODINGS[name].codec_info.incrementalencoder("tests.misuse.encode")
    encoder.encode(text)
    encoder.encode(text, True)
    encoder.reset()
    assert encoder.encode("abc", True) == b"abc"


ANSWERS: list[object] = [
    None, (), "", "text", ("",), ("", 1, 2), ("", None), ("", "1"), ("", 1.5), (None, 1), (1, 1), (b"x", 1),
    ("x", 10**30), ("x", -(10**30)), ("x", 10**9), ("x", -(10**9)), ("x", 8), ("x", -8), ["", 1], object(),
]  # fmt: skip


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: repr(answer) if type(answer) is not object else "object")
def test_an_error_handler_that_answers_nonsense(answer: object) -> None:
    """The error says what was expected, and the decoder remains usable."""
    codecs.register_error("tests.nonsense", lambda error: answer)  # type: ignore[arg-type, return-value]
    messages = r"handler must return|cannot be interpreted as an integer|position|large"
    refused = pytest.raises((TypeError, IndexError, OverflowError), match=messages)
    for name in ("UTF-8", "windows-1253", "gb18030", "ISO-2022-JP"):
        info = we.ENCODINGS[name].codec_info
        with refused:
            info.decode(b"ab\xff\xff\xffcd", "tests.nonsense")
        decoder = info.incrementaldecoder("tests.nonsense")
        with refused:
            decoder.decode(b"ab\xff\xff\xffcd")
        decoder.reset()
        assert decoder.decode(b"ab") == "ab"
    if answer != (b"x", 1):  # encoders accept this answer
        with refused:
            we.SHIFT_JIS.codec_info.encode("ab\U0001f600cd", "tests.nonsense")


def test_an_error_handler_that_raises_loses_nothing() -> None:
    """Pending input and state are those before the call, so that it can be repeated."""

    def handler(error: UnicodeError) -> tuple[str, int]:
        raise RuntimeError("no")

    codecs.register_error("tests.raises", handler)
    for name, pending, wrong, right, text in (
        ("UTF-8", b"\xe3\x81", b"a", b"\x82", "あ"),
        ("Shift_JIS", b"\x82", b"\xff", b"\xa0", "あ"),
        ("ISO-2022-JP", b"\x1b$B$", b"\xff", b'"', "あ"),
        ("gb18030", b"\x810\x81", b"a", b"0", "\x80"),
    ):
        decoder = we.ENCODINGS[name].codec_info.incrementaldecoder("tests.raises")
        assert decoder.decode(pending) == ""
        state = decoder.getstate()
        for _ in range(3):
            with pytest.raises(RuntimeError, match="no"):
                decoder.decode(wrong)
            assert decoder.getstate() == state
        assert decoder.decode(right, True) == text


NO_DECODERS_STATES: list[Any] = [
    None, (), (b"",), (b"", 0, 0), (b"abcd", 0), (b"", 16), (b"", -1), (b"", 2**70), (b"", 2**40), ("", 0),
    (b"", "0"), (b"", None), (0, b""), (bytearray(b"a"), 0), (b"a" * 10**6, 0), [b"", 0.5],
]  # fmt: skip
NO_ENCODERS_STATES: list[Any] = [
    None, "", 2, 4, 255, 1 << 8, 0xD7FF << 8, 0xE000 << 8, 1 << 40, -1, 2**70, 2**200, 0.0, b"", (0, 0),
]  # fmt: skip


@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_a_state_that_is_none_is_refused(name: str) -> None:
    """A decoder or an encoder keeps the state that it has."""
    encoding = we.ENCODINGS[name]
    decoder = encoding.new_decoder()
    decoder.decode({"gb18030": b"\x81", "UTF-8": b"\xe3", "ISO-2022-JP": b"\x1b$B"}.get(name, b""))
    machines: list[tuple[Any, list[Any]]] = [(decoder, NO_DECODERS_STATES)]
    if name in inputs.ENCODER_NAMES:
        encoder = encoding.new_encoder()
        encoder.setstate(1)  # the Roman state of ISO-2022-JP
        machines.append((encoder, NO_ENCODERS_STATES))
    for machine, states in machines:
        before = machine.getstate()
        for state in states:
            with pytest.raises((TypeError, ValueError, OverflowError)):
                machine.setstate(state)
            assert machine.getstate() == before, state


@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_any_state_that_is_taken_is_decoded_from(name: str) -> None:
    """Pending bytes that no decoder would hold, and any number, including one of another encoding."""
    encoding = we.ENCODINGS[name]
    for pending in (b"", b"a", b"abc", b"\x8f\xa1\xa1", b"\xff\xff\xff", b"\x1b$B", b"\x00\xd8\x00", b"\xf0\x9f\x98"):
        for number in range(16):
            for tail in (b"", b"\x82", b"abcdefghijklmnopq", b"\xa1" * 40):
                for errors in ("replacement", "fatal"):
                    decoder = encoding.new_decoder(errors)
                    decoder.setstate((pending, number))
                    assert decoder.getstate() == (pending, number)
                    with suppress(UnicodeDecodeError):
                        decoder.decode(tail)
                        decoder.decode(tail, True)
                    assert decoder.getstate() == (b"", 0)


class Lying(int):
    """A number whose value differs from what it compares as."""

    def __le__(self, other: object) -> bool:
        return True

    __lt__ = __ge__ = __gt__ = __eq__ = __le__
    __hash__ = int.__hash__

    def __and__(self, other: int) -> int:
        return 200

    def __rshift__(self, other: int) -> int:
        return 199


def test_a_state_that_lies_about_itself() -> None:
    for name in inputs.ALL_NAMES:
        decoder = we.ENCODINGS[name].new_decoder()
        with suppress(ValueError, OverflowError):
            decoder.setstate((b"\x81", Lying(3)))
        decoder.decode(b"\x82\xa0$B\x1b(Bx" * 20, True)
    for name in inputs.ENCODER_NAMES:
        encoder = we.ENCODINGS[name].new_encoder()
        with suppress(ValueError, OverflowError):
            encoder.setstate(Lying(3))
            encoder.encode("aあ\U0001f600", True)


class Text(str):
    """A text that reports a wrong length and cannot be concatenated."""

    def __len__(self) -> int:
        return 10**9

    def __getitem__(self, key: object) -> str:
        return "\U0001f600" * 10

    def __radd__(self, other: object) -> bytes:
        return b"no text"

    __add__ = __radd__  # type: ignore[assignment]


class Data(bytes):
    """Bytes that report a wrong length."""

    def __len__(self) -> int:
        return 10**9

    def __getitem__(self, key: object) -> Any:
        return 300


@pytest.mark.parametrize("name", inputs.ENCODER_NAMES)
def test_a_subclass_of_str_is_what_it_holds(name: str) -> None:
    encoding = we.ENCODINGS[name]
    text = Text("aé\u3042\ud83d")
    plain = str.__str__(text)
    assert encoding.encode(text) == encoding.encode(plain)
    assert encoding.encoded_length(text) == len(encoding.encode(plain))
    encoder = encoding.new_encoder()
    assert encoder.encode(text) + encoder.encode(Text("\ude00"), True) == encoding.encode("aé\u3042\U0001f600")
    with pytest.raises(UnicodeEncodeError):
        encoding.encode(text, "fatal")


def test_a_subclass_of_bytes_is_what_it_holds() -> None:
    for name in inputs.ALL_NAMES:
        encoding, data = we.ENCODINGS[name], Data(b"a\x82\xa0\xff")
        plain = b"a\x82\xa0\xff"
        assert encoding.decode(data) == encoding.decode(plain)
        assert encoding.decode_to_utf8(data) == encoding.decode_to_utf8(plain)
        assert encoding.valid_up_to(data) == encoding.valid_up_to(plain)
        assert encoding.new_decoder().decode(data, True) == encoding.decode(plain)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="classes have __buffer__ since Python 3.12")
def test_a_buffer_that_misbehaves() -> None:
    released = []

    class Raises:
        def __buffer__(self, flags: int) -> memoryview:
            raise ZeroDivisionError("from __buffer__")

    class NoView:
        def __buffer__(self, flags: int) -> memoryview:
            return b"bytes"  # type: ignore[return-value]

    class RaisesLater:
        def __buffer__(self, flags: int) -> memoryview:
            return memoryview(JAPANESE)

        def __release_buffer__(self, view: memoryview) -> None:
            released.append(view)
            we.SHIFT_JIS.decode(JAPANESE)  # and calls back
            raise ZeroDivisionError("from __release_buffer__")

    for call in (we.SHIFT_JIS.decode, we.SHIFT_JIS.decode_to_utf8, we.SHIFT_JIS.valid_up_to,
                 we.SHIFT_JIS.new_decoder().decode):  # fmt: skip
        with pytest.raises(ZeroDivisionError):
            call(Raises())
        with pytest.raises(TypeError):
            call(NoView())
        with patch.object(sys, "unraisablehook"):
            assert call(RaisesLater()) == call(JAPANESE)
            with pytest.raises(UnicodeDecodeError):
                we.UTF_8.decode(RaisesLater(), "fatal")
    assert len(released) == 8


@pytest.mark.parametrize("kind", [we.Decoder, we.Encoder], ids=["Decoder", "Encoder"])
def test_an_object_without_its_init(kind: Any) -> None:
    bare = kind.__new__(kind)
    for call in (
        lambda: bare.decode(b"abc"), lambda: bare.encode("abc"), lambda: bare.decode(b"\xff", True),
        lambda: copy.copy(bare), *([lambda: we.encode_or_fail("a", bare)] if kind is we.Encoder else ()),
    ):  # fmt: skip
        with pytest.raises((RuntimeError, AttributeError)):
            call()
    assert "without an encoding" in repr(bare)
    bare.reset()
    bare.getstate()


def test_a_final_that_calls_back() -> None:
    class Final:
        def __bool__(self) -> bool:
            decoder.decode(b"\xe3\x81")
            decoder.reset()
            return True

    decoder = we.UTF_8.new_decoder()
    decoder.decode(b"\xe3")
    decoder.decode(b"\x81\x82", Final())  # type: ignore[arg-type]
    assert decoder.decode(b"abc", True) == "abc"


#: Records that functions return, and what only the package makes.
MADE = {"Encoding", "contexts.DecodeStream", "mime.MIMEType"}


def arguments() -> Iterator[tuple[Function, inspect.Parameter]]:
    """Yield each parameter of each function, outside the drop-in modules, and each hint of each context."""
    for function in functions():
        if function.name not in MADE and not function.name.startswith(DROP_INS):
            for parameter in function.parameters:
                if parameter.kind is not parameter.VAR_KEYWORD:
                    yield function, parameter
    for context in we.CONTEXTS.values():
        steps = we.contexts.DETERMINATIONS.get(context.determination)
        if context.determination or context.spec_operation:
            hints = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None)
                     for name in (steps.__kwdefaults__ or () if steps else ())]  # fmt: skip
            for hint in hints:
                yield Function(f"decode_as {context.id}", partial(we.decode_as, context.id, b"<p>"), hints), hint
                yield Function(f"stream {context.id}", partial(we.decode_stream, context.id, [b"<p>"]), hints), hint


VALUES: list[object] = [
    None, 3, "x", b"x", 1.5, -1, True, object(), [], {}, ("a",), {"a": 1}, [1], [None], ["x"], [b"x"], [("a",)],
    [(1, 2)], [("a", 2)], [("a", "b", "c")], lambda *_: 3,
]  # fmt: skip

# What was expected, in words; the name of an argument; or the exception's type says it.
SAYS = re.compile(
    r"must |unknown |\b(errors|bom|type|confidence|referrer) is |has the response_type |is not the state of |"
    r"is not (a pair|the name of a codec)|incorrect type \(expected |object is not (async )?iterable"
)


UNCLEAR = (KeyError, IndexError)


def raised(function: Function, parameter: inspect.Parameter, value: object) -> Exception | None:
    """Return the error of a call if it is one for a wrong argument; raise any other one."""
    try:
        function.run(parameter, value)
    except (TypeError, ValueError, LookupError) as error:
        return error
    return None


def test_an_argument_of_another_type_is_named_or_taken() -> None:
    """Each public function with each argument of each type: a result, or an error that says what was expected."""
    count = 0
    for function, parameter in arguments():
        for value in VALUES:
            count += 1
            with suppress(FileNotFoundError):
                error = raised(function, parameter, value)
                is_clear = SAYS.search(str(error)) or parameter.name in str(error)
                where = f"{function.name}, argument {parameter.name}: {value!r}: {error!r}"
                assert error is None or (is_clear and type(error) not in UNCLEAR), where
    assert count > 5000


def released() -> memoryview:
    view = memoryview(bytearray(4))
    view.release()
    return view


NO_DATA: list[object] = [
    None, 3, 1.5, "text", [65], (65,), object(), iter(b"x"), released(), memoryview(b"abcdef")[::2],
    memoryview(b"abcdef")[::-1],
]  # fmt: skip
NO_TEXT: list[object] = [None, b"bytes", bytearray(b"x"), 5, object(), ["a"]]

#: What is one of some words, for which other errors say so, or may be the bytes of a header.
CHOICES = {"confidence", "content_type", "context_id", "percent_encode_set", "referrer", "type"}


@pytest.mark.parametrize(("kind", "values"), [(bytes, NO_DATA), (str, NO_TEXT)], ids=["data", "text"])
def test_what_is_no_data_or_text_is_a_type_error(kind: type, values: list[object]) -> None:
    """Wherever these are expected and nothing else is: the message names the type, or says what a buffer lacks."""
    chosen = [
        (function, parameter)
        for function, parameter in arguments()
        if isinstance(function.value(parameter), kind)
        and parameter.name not in CHOICES
        and function.name != "mime.parse"
    ]
    assert len(chosen) > 40
    for (function, parameter), value in product(chosen, values):
        if value is not None or (parameter.default is parameter.empty and parameter.name != "language_tag"):
            with pytest.raises(TypeError, match=rf"{type(value).__name__}|contiguous|released"):
                function.run(parameter, value)
