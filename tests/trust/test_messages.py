"""Messages of errors: short, whatever came from a network.

Every public function and method is called with 100,000 characters in the place of each of its parameters, and with
values that it takes for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

import whatwg_encoding as we
from tests.arrow import producers
from tests.trust.arguments import functions
from whatwg_encoding._cli import main

LONG = 100_000
BOUND = 1_000

TEXTS = {
    "letters": "a" * LONG,
    "not printable": "\U000e0001" * LONG,
    "a label of replacement, in spaces": " " * LONG + "replacement",
    "spaces behind a label": "shift_jis x" + " " * LONG,
}

#: What is the name of a file, which OSError repeats as it is, as Python's own functions have it.
PATHS = {"open_utf8, file"}


def calls() -> Iterator[tuple[str, Callable[[str], object]]]:
    """Yield a call for each parameter of each function; it takes the text to put there."""
    for function in functions():
        for parameter in function.parameters:
            name = f"{function.name}, {parameter.name}"
            if name not in PATHS and parameter.kind is not parameter.VAR_KEYWORD:
                yield name, partial(function.run, parameter)


def column(value: bytes) -> Any:
    buffers = [None, producers.integers([0, len(value)], 4), value]
    return producers.Producer([producers.Declared("z", buffers, 1)]).export()


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
        except (LookupError, TypeError, ValueError) as error:
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
