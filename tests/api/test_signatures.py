"""The rules that the signatures of all public functions follow."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from inspect import Parameter, Signature

import whatwg_encoding as we

MODULES = ("", "arrow", "code_pages", "contexts", "mail", "mime", "sniff", "standard", "urls")
CLASSES = (we.Encoding, we.Decoder, we.Encoder, we.ByteExactText)

#: Functions that detect an encoding, and so take both ``exclude`` and ``candidates``.
DETECTING = {
    "decode_by_line", "decode_crawled", "decode_crawled_to_utf8", "decode_together", "open_utf8", "ByteExactText.read",
    "sniff.crawl", "sniff.crawl_detector", "sniff.detect", "arrow.sniff_array", "mail.decode", "mail.decode_header",
}  # fmt: skip
#: What ``errors`` is by default: what the standard says for one direction, and nothing that is lost unseen for both.
DEFAULTS = {"decode": "replacement", "encode": "html", "both": "fatal"}
#: Functions with ``errors`` whose name doesn't say their direction.
DIRECTIONS = {
    "recode": "both", "reencode": "both", "ByteExactText.replace": "both", "ByteExactText.replace_ranges": "both",
    "ByteExactText.update": "both", "open_utf8": "decode", "Encoding.new_decoder": "decode",
    "Encoding.new_encoder": "encode", "Encoding.encoded_length": "encode", "Decoder": "decode", "Encoder": "encode",
}  # fmt: skip
#: Function with ``content_type`` → why it isn't the second parameter.
ORDER = {
    **dict.fromkeys(("decode_as", "decode_stream"), "the second is what is decoded, after the context"),
    **dict.fromkeys(
        ("sniff.html", "sniff.text_document", "sniff.xml", "sniff.css", "sniff.script", "sniff.xhr_text",
         "sniff.xhr_document"),
        "a step of the standard is named by the argument that it reads",
    ),
}  # fmt: skip


def signatures() -> Iterator[tuple[str, Signature]]:
    """Yield the name and the signature of each public function and method, a name of several modules once."""
    seen: set[object] = set()
    for name in MODULES:
        module = import_module(f"whatwg_encoding.{name}") if name else we
        for attribute in sorted(dir(module)):
            value = getattr(module, attribute)
            is_function = inspect.isroutine(value) or value in (we.Decoder, we.Encoder, we.ByteExactText)
            if attribute.startswith("_") or not is_function or value in seen:
                continue
            seen.add(value)
            yield f"{name}.{attribute}".lstrip("."), inspect.signature(value)
    for type_ in CLASSES:
        for attribute in sorted(dir(type_)):
            value = inspect.getattr_static(type_, attribute)
            if (
                not attribute.startswith("_")
                and callable(getattr(type_, attribute))
                and not isinstance(value, property)
            ):
                yield f"{type_.__name__}.{attribute}", inspect.signature(getattr(type_, attribute))


TABLE = tuple(signatures())


def parameters_named(name: str) -> dict[str, Parameter]:
    """Return the parameters of that name, by function."""
    return {function: signature.parameters[name] for function, signature in TABLE if name in signature.parameters}


def test_functions_that_detect_take_the_same_limits() -> None:
    exclude, candidates = parameters_named("exclude"), parameters_named("candidates")
    assert exclude.keys() == candidates.keys() >= DETECTING
    for parameters, default in ((exclude, ()), (candidates, None)):
        assert {(parameter.kind, parameter.default) for parameter in parameters.values()} == {
            (Parameter.KEYWORD_ONLY, default)
        }
    others = {"sniff.chardetng"}  # it is another detector, whose own arguments these are
    assert parameters_named("tld").keys() - others <= exclude.keys()


def test_one_default_for_errors_in_each_direction() -> None:
    for function, parameter in parameters_named("errors").items():
        name = function.rpartition(".")[2]
        direction = DIRECTIONS.get(function) or name.partition("_")[0]
        assert parameter.default == DEFAULTS[direction], function
    assert parameters_named("errors").keys() >= DIRECTIONS.keys()


def test_a_header_comes_second() -> None:
    for function, parameter in parameters_named("content_type").items():
        position = list(dict(TABLE)[function].parameters).index("content_type")
        is_second = position == 1 and parameter.kind is Parameter.POSITIONAL_OR_KEYWORD
        assert is_second != (function in ORDER), function
        assert parameter.default is None
    assert ORDER.keys() <= parameters_named("content_type").keys()


def test_every_function_and_property_has_a_docstring() -> None:
    for type_ in CLASSES:
        for attribute in dir(type_):
            if not attribute.startswith("_"):
                assert inspect.getdoc(getattr(type_, attribute)), (type_, attribute)
    for name in MODULES:
        module = import_module(f"whatwg_encoding.{name}") if name else we
        for attribute in dir(module):
            value = getattr(module, attribute)
            if callable(value) or inspect.ismodule(value):
                assert inspect.getdoc(value), (name, attribute)
