"""Every public function, class and method with its parameters, and calls with any value in the place of one of them."""

from __future__ import annotations

import inspect
import io
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

import pyarrow as pa

import whatwg_encoding as we

MODULES: tuple[ModuleType, ...] = (
    *(we, we.arrow, we.contexts, we.mime, we.sniff, we.standard, we.urls, we.w3lib, we.webencodings),
)

#: What raises what the modules raise that they replace: html5lib depends on an AttributeError.
DROP_INS = ("w3lib.", "webencodings.")

DATA = b"<p>caf\xe9"

#: Instances whose methods are called.
INSTANCES: dict[str, Callable[[], object]] = {
    "Encoding": lambda: we.SHIFT_JIS,
    "Decoder": we.SHIFT_JIS.new_decoder,
    "Encoder": we.SHIFT_JIS.new_encoder,
    "TextDecoder": we.TextDecoder,
    "TextDecoderStream": we.TextDecoderStream,
    "TextEncoder": we.TextEncoder,
    "TextEncoderStream": we.TextEncoderStream,
    "ByteExactText": lambda: we.ByteExactText(DATA, "utf-8"),
    "CrawlDetector": we.sniff.crawl_detector,
}

#: What a parameter of that name takes, where another one is what a call is about.
VALUES: dict[str, Any] = {
    "accept_charset": None, "attributes": [("charset", "utf-8")], "bodies": pa.array([DATA]), "buffer": bytearray(8),
    "chunks": [DATA], "code_point": 0x80, "confidence": "tentative", "content": "charset=utf-8",
    "content_type": "text/html", "content_type_header": None, "context_id": "html-parser", "current": "utf-8",
    "data": DATA, "data_str": b"", "document": "utf-8", "encoder": we.UTF_8.new_encoder(), "encoding": "shift_jis",
    "end": 2, "fallback": "shift_jis", "fallback_encoding": "shift_jis", "file": io.BytesIO(), "headers": ["text/html"],
    "hints": {}, "html_body_str": b"", "index": "big5", "input": b"", "items": [(b"", "shift_jis")], "label": "utf-8",
    "language_tag": "ja", "meta": [("charset", "utf-8")], "mime_type": we.mime.parse("text/html"), "name": "a",
    "new": "x", "percent_encode_set": "query", "pointer": 0, "ranges": [(1, 2, "x")], "referrer": "link",
    "scheme": "https", "source": "shift_jis", "start": 1, "state": (b"", 0), "string": "", "subtype": "html",
    "target": "shift_jis", "text": "x", "tuples": [("a", "b")], "type": "text",
    "value": "a, b", "values": pa.array([DATA]),
    # Where a name means something else
    "Encoder.setstate, state": 0, "arrow.encode_array, text": pa.array(["x"]), "decode_together, items": [DATA],
    "TextEncoderStream.__call__, chunks": ["x"], "decode_xml, data": b"<p>", "contexts.decode_xml, data": b"<p>",
}  # fmt: skip


class Function(NamedTuple):
    """What can be called, by its dotted name."""

    name: str
    call: Callable[..., Any]
    parameters: list[inspect.Parameter]

    def run(self, chosen: inspect.Parameter, value: object) -> Any:
        """Call with a value for one parameter, and with those of `VALUES` for the others that are required.

        What the call returns to be read later is read.
        """
        positional, keywords = [], {}
        for parameter in self.parameters:
            is_variable = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
            if parameter is not chosen and (is_variable or parameter.default is not parameter.empty):
                continue
            argument = value if parameter is chosen else self.value(parameter)
            may_be_named = parameter.kind is parameter.POSITIONAL_OR_KEYWORD
            if parameter.kind is parameter.KEYWORD_ONLY or (
                may_be_named and len(positional) < self.parameters.index(parameter)
            ):
                keywords[parameter.name] = argument
            else:
                positional.append(argument)
        result = self.call(*positional, **keywords)
        return list(result) if isinstance(result, Iterator) else result

    def value(self, parameter: inspect.Parameter) -> Any:
        return VALUES.get(f"{self.name}, {parameter.name}", VALUES.get(parameter.name))


def callables() -> dict[str, Callable[..., Any]]:
    """Return public functions, classes and methods by their dotted names, but for records, which hold anything."""
    functions: dict[str, Callable[..., Any]] = {}
    for module in MODULES:
        short = module.__name__.removeprefix("whatwg_encoding").lstrip(".")
        for name in getattr(module, "__all__", dir(module)):
            value = getattr(module, name)
            record = isinstance(value, type) and issubclass(value, tuple | BaseException | we.arrow.Column)
            is_ours = hasattr(module, "__all__") or getattr(value, "__module__", "").startswith(we.__name__)
            if callable(value) and is_ours and not record and not name.startswith("_"):
                functions[f"{short}.{name}".lstrip(".")] = value
    for name, make in INSTANCES.items():
        instance = make()
        for method in dir(instance):
            if (not method.startswith("_") or method == "__call__") and callable(getattr(instance, method)):
                functions[f"{name}.{method}"] = getattr(instance, method)
    return functions


def functions() -> Iterator[Function]:
    """Yield what has parameters."""
    for name, function in callables().items():
        parameters = [*inspect.signature(function).parameters.values()]
        # Files of any name are written by no test.
        if parameters and parameters[0].name != "path":
            yield Function(name, function, parameters)
