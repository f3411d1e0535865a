"""The plan of a decode context: how the encoding is determined, the byte order mark, errors and the form of the input.

A plan is a row of the table of contexts with the caller's hints applied.
"""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Callable, Mapping, Set
from functools import partial

from .. import sniff
from .._api.arguments import get_an_encoding
from .._api.results import Decoded
from .._contexts import CONTEXTS, DecodeContext
from .._labels import REPLACEMENT, UTF_8
from .._native.core import Encoding, UnknownLabelError, byte_view, decode_sniffed, quote
from .._native.prescan import BOM_POLICIES, Determination, Sniffed, Steps
from ..urls import form_component, percent_decode

TYPE_CHECKING = False  # so that typing is not imported
if TYPE_CHECKING:
    from typing import Any, Final, Literal, NamedTuple, NoReturn, Unpack

    from typing_extensions import Buffer

    from .._sniff.hints import ContentType, Hint, TextDocumentHints

    class Plan(NamedTuple):  # a context with its hints applied
        steps: Steps | None  # None: isomorphic decode, which knows no encoding
        bom: int
        errors: Literal["replacement", "fatal"]
        input: Callable[[bytes], bytes] | None
        looks_for_meta: bool

else:  # as in _api.results
    Plan = namedtuple("Plan", "steps bom errors input looks_for_meta")


class NotSpecifiedError(LookupError):
    """Raised for a context for which no standard specifies how bytes are decoded."""

    __module__ = "whatwg_encoding"

    def __init__(self, *args: object) -> None:  # for inspect.signature
        super().__init__(*args)


# --- Determinations: the table's column of that name, and the hints that each takes ---


def _fixed(encoding: Encoding, source: str) -> Steps:
    return Steps(after=Sniffed(encoding, "certain", source))


def _label_steps(*, label: Encoding | str = "utf-8") -> Steps:
    encoding = get_an_encoding(label)
    if encoding is REPLACEMENT:
        raise UnknownLabelError(f"{quote(label)} is a label of replacement, which no TextDecoder decodes")
    return _fixed(encoding, "label")


def fallback_steps(*, fallback: Encoding | str = "utf-8") -> Steps:
    """Return the steps of the hook ``decode``: those for the fallback, an encoding or a label."""
    return _fixed(get_an_encoding(fallback), "fallback")


def _css_link_steps(
    *, content_type: ContentType = None, environment: Hint = None, charset: Hint = None, document: Hint = None
) -> Steps:
    environment = environment or sniff.style_sheet_environment("link", charset=charset, document=document)
    return sniff.css_steps(content_type=content_type, environment=environment)


def _css_import_steps(*, content_type: ContentType = None, environment: Hint = None, sheet: Hint = None) -> Steps:
    environment = environment or sniff.style_sheet_environment("import", sheet=sheet)
    return sniff.css_steps(content_type=content_type, environment=environment)


def _xhr(steps: Callable[[Encoding | None], Steps]) -> Callable[..., Steps]:
    """Return the steps for a response, given those for its final encoding."""

    def of_response(*, content_type: ContentType = None, override_mime: str | None = None) -> Steps:
        return steps(sniff.xhr_types(content_type, override_mime)[1])

    return of_response


def _mime_type_steps(**hints: Unpack[TextDocumentHints]) -> Steps:
    """Return the steps for a document of this MIME type; without one, those for HTML."""
    from .. import mime  # imported here, since most of a parser is regular expressions

    mime_type, _ = mime.describe_content_type(hints.get("content_type"))
    if mime_type is not None and mime_type.is_xml:
        return sniff.xml_steps(override=hints.get("override"), content_type=hints.get("content_type"))
    return (sniff.html_steps if mime_type is None or mime_type.is_html else sniff.text_document_steps)(**hints)


_mime_type_steps.__kwdefaults__ = sniff.text_document_steps.__kwdefaults__  # the hints that it takes


DETERMINATIONS: Final[Mapping[str, Callable[..., Steps]]] = {
    "label": _label_steps,
    "fallback": fallback_steps,
    "utf-8": lambda: _fixed(UTF_8, "context"),
    "html": sniff.html_steps,
    "xhr-html": _xhr(sniff.xhr_html_steps),
    "xml": sniff.xml_steps,
    "css-link": _css_link_steps,
    "css-import": _css_import_steps,
    "css-link-header": lambda *, content_type=None: sniff.css_steps(content_type=content_type),
    "text": sniff.text_document_steps,
    "mime-type": _mime_type_steps,
    "xhr-xml": _xhr(partial(sniff.xhr_text_steps, is_xml=True)),
    "xhr": _xhr(partial(sniff.xhr_text_steps, is_xml=False)),
    "script": sniff.script_steps,
}

# What each operation does with a byte order mark. For a TextDecoder, the row of the context has it.
_OPERATION_BOM: Final[Mapping[str, Literal["sniffing", "remove", "keep"]]] = {
    "": "sniffing",
    "decode": "sniffing",
    "UTF-8 decode": "remove",
    "UTF-8 decode without BOM": "keep",
    "ECMAScript Decode()": "keep",
}


# --- Inputs: the table's column of that name ---


_URI_RESERVED: Final = frozenset(b";/?:@&=+$,#")
_URI_ESCAPES: Final = re.compile(rb"((?:%[89A-Fa-f][0-9A-Fa-f])+)|%([0-7][0-9A-Fa-f])|%")


def _uri_decode(data: bytes, reserved: frozenset[int]) -> bytes:
    """Return the string, in UTF-8, with only the escapes of reserved characters. A bad escape is a UnicodeDecodeError.

    https://tc39.es/ecma262/#sec-decode
    """

    def fail(match: re.Match[bytes], why: str) -> NoReturn:
        raise UnicodeDecodeError("UTF-8", data, match.start(), match.end(), f"URIError: {why}") from None

    def unescape(match: re.Match[bytes]) -> bytes:
        if match[1]:
            octets = bytes.fromhex(match[1].replace(b"%", b"").decode("ascii"))
            if UTF_8.valid_up_to(octets) < len(octets):
                fail(match, "the escaped bytes are not UTF-8")
            return octets
        if match[2]:
            octet = int(match[2], 16)
            return match[0] if octet in reserved else bytes((octet,))
        fail(match, "% without two hexadecimal digits")

    return _URI_ESCAPES.sub(unescape, data)


def _input(context: DecodeContext) -> Callable[[bytes], bytes] | None:
    """Return the function that converts the context's input to the bytes to decode; None if they are the same."""
    if context.spec_operation == "ECMAScript Decode()":
        reserved = _URI_RESERVED if context.id == "js-decodeuri" else frozenset[int]()
        return lambda data: _uri_decode(data, reserved)
    return {"percent-encoded": percent_decode, "form-urlencoded": form_component}.get(context.input)


# --- Plans ---


def check_hints(context_id: str, hints: dict[str, Any], accepted: Set[str]) -> None:
    """Raise TypeError for a hint that is not one of those accepted."""
    for name in hints:
        if name not in accepted:
            takes = ", ".join(sorted(accepted)) or "none"
            raise TypeError(f"the decode context {context_id!r} has no hint {quote(name)}; its hints: {takes}")


def plan_of(context_id: str, hints: dict[str, Any]) -> Plan:
    """Return the plan of a context with hints, a dictionary that this function may change.

    Raise LookupError for an unknown context, NotSpecifiedError for one that no standard specifies, and TypeError for a
    hint that the context does not have.
    """
    context = CONTEXTS.get(context_id) if isinstance(context_id, str) else None
    if context is None:
        raise LookupError(f"unknown decode context {quote(context_id)}; CONTEXTS has {', '.join(CONTEXTS)}")
    if not context.determination and not context.spec_operation:
        raise NotSpecifiedError(f"no standard specifies how to decode the context {context_id!r}: {context.context_en}")
    steps = DETERMINATIONS[context.determination] if context.determination else None
    accepted = set(steps.__kwdefaults__ or ()) if steps is not None else set()
    if context.error_mode in ("selectable", "replacement or fatal"):
        accepted.add("fatal")
    check_hints(context_id, hints, accepted)
    fatal = hints.pop("fatal", False) or context.error_mode == "fatal"
    bom = _OPERATION_BOM.get(context.spec_operation, "keep" if context.bom == "keep" else "remove")
    return Plan(
        None if steps is None else steps(**hints),
        BOM_POLICIES[bom],
        "fatal" if fatal else "replacement",
        _input(context),
        context.change_encoding == "yes",
    )


def determine(plan: Plan, data: Buffer) -> tuple[bytes | memoryview, Sniffed | None]:
    """Return the content without a byte order mark that is not text, and its encoding: None for isomorphic decode."""
    view = byte_view(data)
    if plan.input is not None:
        view = plan.input(bytes(view))
    if plan.steps is None:
        return view, None
    determination = Determination(plan.steps, plan.bom)
    sniffed = determination.look(view, True)
    assert sniffed is not None  # a final look always decides
    return view[determination.bom_length :] if determination.bom_length else view, sniffed


def decode_planned(plan: Plan, data: Buffer) -> Decoded:
    """Return the text of whole data, and its encoding: None for isomorphic decode."""
    content, sniffed = determine(plan, data)
    if sniffed is None:
        # Isomorphic decode, which is no encoding of the standard.
        return Decoded(str(byte_view(content), "latin-1"), None, 0, "context")  # type: ignore[arg-type]
    return decode_sniffed(content, sniffed, plan.errors)
