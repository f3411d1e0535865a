"""Messages of errors: short, whatever came from a network.

Every public function and method is called with 100,000 characters in the place of each of its parameters, and with
values that it takes for the others.
"""

from __future__ import annotations

import inspect
import io
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

import whatwg_encoding as we
from tests.arrow import producers
from whatwg_encoding._cli import main

LONG = 100_000
BOUND = 1_000

TEXTS = {
    "letters": "a" * LONG,
    "not printable": "\U000e0001" * LONG,
    "a label of replacement, in spaces": " " * LONG + "replacement",
    "spaces behind a label": "shift_jis x" + " " * LONG,
}

MODULES: tuple[ModuleType, ...] = (
    *(we, we.arrow, we.contexts, we.mime, we.sniff, we.standard, we.urls, we.w3lib, we.webencodings),
)

#: Instances whose methods are called.
INSTANCES: dict[str, Callable[[], object]] = {
    "Encoding": lambda: we.SHIFT_JIS,
    "Decoder": we.SHIFT_JIS.new_decoder,
    "Encoder": we.SHIFT_JIS.new_encoder,
    "TextDecoder": we.TextDecoder,
    "TextDecoderStream": we.TextDecoderStream,
    "TextEncoder": we.TextEncoder,
    "TextEncoderStream": we.TextEncoderStream,
}

#: Values that the required parameters of a name take.
VALUES: dict[str, Any] = {
    "body_bytes_str": b"", "byte_string": b"", "chunks": [b""], "code_point": "a", "content_type_header": None,
    "context_id": "html-parser", "data": b"", "data_str": b"", "destination": bytearray(8), "encoding": "shift_jis",
    "fallback_encoding": "shift_jis", "fallback": "shift_jis", "file": io.BytesIO(), "html_body_str": b"",
    "input": b"", "items": [(b"", "shift_jis")], "output": bytearray(8), "source": "shift_jis", "state": (b"", 0),
    "string": "", "target": "shift_jis", "text": "", "texts": [""], "tuples": [("a", "b")], "values": [],
}  # fmt: skip

#: What is the name of a file, which OSError repeats as it is, as Python's own functions have it.
PATHS = {("open_utf8", "file")}


def functions() -> Iterator[tuple[str, Callable[..., object], list[inspect.Parameter]]]:
    """Yield every public function, class and method that has parameters."""
    found: dict[str, Callable[..., object]] = {}
    for module in MODULES:
        short = module.__name__.removeprefix("whatwg_encoding").lstrip(".")
        for name in getattr(module, "__all__", dir(module)):
            value = getattr(module, name)
            record = isinstance(value, type) and issubclass(value, tuple | BaseException)  # holds whatever it is given
            ours = hasattr(module, "__all__") or getattr(value, "__module__", "").startswith(we.__name__)
            if callable(value) and ours and not record and not name.startswith("_"):
                found[f"{short}.{name}".lstrip(".")] = value
    for name, make in INSTANCES.items():
        instance = make()
        for method in dir(instance):
            if not method.startswith("_") and callable(getattr(instance, method)):
                found[f"{name}.{method}"] = getattr(instance, method)
    for name, function in found.items():
        try:
            parameters = [*inspect.signature(function).parameters.values()]
        except ValueError:  # a type whose instances only the package makes, or an exception of Python's
            continue
        if parameters:
            yield name, function, parameters


def calls() -> Iterator[tuple[str, Callable[[str], object]]]:
    """Yield a call for each parameter of each function; it takes the text to put there."""
    for name, function, parameters in functions():
        for wanted in parameters:
            if (name, wanted.name) not in PATHS and wanted.kind is not wanted.VAR_KEYWORD:
                yield f"{name}, {wanted.name}", call(function, parameters, wanted)


def call(
    function: Callable[..., object], parameters: list[inspect.Parameter], wanted: inspect.Parameter
) -> Callable[[str], object]:
    def run(text: str) -> object:
        positional, keywords = [], {}
        for parameter in parameters:
            if parameter is wanted:
                value = text
            elif parameter.default is parameter.empty and parameter.kind not in (
                parameter.VAR_POSITIONAL,
                parameter.VAR_KEYWORD,
            ):
                value = VALUES.get(parameter.name)
            else:
                continue
            if parameter.kind is parameter.KEYWORD_ONLY or (
                parameter.kind is parameter.POSITIONAL_OR_KEYWORD and len(positional) < parameters.index(parameter)
            ):
                keywords[parameter.name] = value
            else:
                positional.append(value)
        return function(*positional, **keywords)

    return run


def column(value: bytes) -> Any:
    """Return a column of one byte string."""
    buffers = [None, producers.integers([0, len(value)], 4), value]
    return producers.Producer([producers.Facts("z", buffers, 1)]).export()


CALLS: dict[str, Callable[[str], object]] = {
    **dict(calls()),
    "decode_stream, name of a hint": lambda text: we.decode_stream("html-parser", [b""], **{text: None}),
    "decode_stream, label": lambda text: we.decode_stream("textdecoder", [b""], label=text),
    "arrow.decode_array, a column's label": lambda text: we.arrow.decode_array(column(b""), column(text.encode())),
    "arrow.decode_array, answer": lambda text: we.arrow.decode_array(
        column(b""), column(b"?"), unknown=lambda label: text
    ),
    "arrow.decode_array, no answer": lambda text: we.arrow.decode_array(
        column(b""), column(text.encode()), unknown=lambda label: 1
    ),
    "detector": lambda text: we.decode_html(b"\xff", detector=lambda data: text),
}

#: Calls that fail for a text that is no label, and so show that their messages are what is tested.
REFUSED = {
    *("Decoder, encoding", "Decoder, errors", "Encoder, encoding", "Encoder, errors", "Encoding.decode, errors"),
    *("Encoding.encode, errors", "lookup, label", "lookup_codec, name", "recode, source", "recode, target"),
    *(
        "decode, fallback", "encode, encoding", "standard.get_encoder, encoding", "open_utf8, encoding",
        "TextDecoder, label",
    ),
    *("TextDecoderStream, label", "decode_as, context_id", "decode_html, known", "arrow.decode_array, encoding"),
    *("mime.legacy_extract_encoding, fallback", "sniff.html, override", "urls.serialize_form, encoding"),
    *("urls.percent_encode_after_encoding, percent_encode_set", "w3lib.to_unicode, encoding"),
    *("webencodings.decode, fallback_encoding", "webencodings.IncrementalDecoder, fallback_encoding"),
}  # fmt: skip


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_messages_are_short(text: str) -> None:
    messages = {}
    for name, run in CALLS.items():
        try:
            run(text)
        except Exception as error:
            messages[name] = str(error)
    assert {name: len(message) for name, message in messages.items() if len(message) >= BOUND} == {}
    if text.strip(" ") in we.LABELS:
        assert messages.keys() >= {"TextDecoder, label", "TextDecoderStream, label", "decode_stream, label"}
    else:
        assert messages.keys() >= REFUSED | CALLS.keys() - {name for name, _ in calls()}


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("a" * 60, repr("a" * 60)),
        ("日" * 60, repr("日" * 60)),
        ("a" * 61, f"{'a' * 60!r}... (61 characters)"),
        ("\0" * 60, f"{chr(0) * 15!r}... (60 characters)"),
        ("'\"", repr("'\"")),
    ],
)
def test_what_a_message_repeats(label: str, shown: str) -> None:
    with pytest.raises(we.UnknownLabelError) as caught:
        we.lookup(label)
    assert str(caught.value).startswith(f"unknown encoding label {shown}; ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["decode", "-f", "?"],
        ["encode", "-t", "?"],
        ["recode", "-f", "utf-8", "-t", "?"],
        ["encode", "-t", "utf-8", "--unmappable", "?"],
        ["sniff", "--as", "?"],
        ["sniff", "--override", "?"],
        ["validate", "-f", "utf-8", "--max-errors", "?"],
    ],
    ids=" ".join,
)
def test_messages_of_the_command_line_are_short(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([argument.replace("?", "x" * 100_000) for argument in arguments])
    assert "Try 'whatwg-encoding " in (shown := capsys.readouterr().err)
    assert len(shown.splitlines()[-1]) < BOUND
