"""Read mail whose headers, parameters and bodies have charsets that are missing, unknown or wrong.

>>> from whatwg_encoding import mail
>>> data = b"Subject: =?gb2312?B?1uzpRrv5?=\\n\\nGr\\xc3\\xb6\\xc3\\x9fe"
>>> message = mail.message_from_bytes(data)
>>> message["subject"], message.get_content()
('朱镕基', 'Größe')

Where another function parses the message, pass ``policy`` instead of ``email.policy.default``. Charsets that mail uses
and the web forbids, such as utf-7, are decoded only by this module.
"""

from __future__ import annotations

import email
import io
from collections.abc import Iterator
from email import errors as email_errors
from email.charset import Charset
from email.contentmanager import ContentManager, raw_data_manager
from email.generator import BytesGenerator
from email.message import EmailMessage
from email.policy import Compat32, EmailPolicy, Policy

from ._mail.charsets import can_encode, charset, decode, decode_in, determine
from ._mail.fields import parsed
from ._mail.mailboxes import decode_mailbox, encode_mailbox
from ._mail.source import Declared, Outgoing, Source, folded, outgoing, source
from ._mail.words import as_bytes, base64_decoded, decode_header, is_text, on_one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from typing_extensions import Buffer

__all__ = [
    "Message",
    "MessagePolicy",
    "charset",
    "content_manager",
    "decode",
    "decode_header",
    "decode_mailbox",
    "encode_mailbox",
    "message_from_bytes",
    "policy",
]

# --- Bodies ---


def _text(message: EmailMessage, errors: str = "replace") -> str:
    """Return the text of a body, in the declared charset if the bytes agree, else as it most likely is.

    ``errors``: an error handler of Python's for malformed bytes.
    """
    transfer = str(message.get("content-transfer-encoding", "")).strip().lower()
    payload: Any = message._payload  # type: ignore[attr-defined]
    data: Any
    if isinstance(payload, str) and transfer == "base64":
        # Bytes beyond ASCII show that nothing is encoded.
        data = base64_decoded(payload.encode()) if payload.isascii() else as_bytes(payload)
    else:
        data = message.get_payload(decode=True) or b""
        # email escapes the characters of a message that was made from a str.
        is_wide = isinstance(payload, str) and max(payload, default="") > "\xff" and is_text(payload)
        if is_wide and payload.encode("raw-unicode-escape") == data:
            return str(payload)
    return decode_in(data, determine(data, message.get_content_charset()), errors)


#: ``email.contentmanager.raw_data_manager``, with the text of bodies as `decode` reads it.
content_manager: Final = ContentManager()
content_manager.add_get_handler("text", _text)
content_manager.add_get_handler("", raw_data_manager.get_content)
for _kind in (str, bytes, bytearray, memoryview, EmailMessage):
    content_manager.add_set_handler(_kind, raw_data_manager.set_content)


# --- Messages ---

_KIND: Final = len("Content-Type")


class Message(EmailMessage):
    """The class of messages that ``policy`` makes. An unchanged message is written byte for byte."""

    # What the parser found, before it removed the end of the line that belongs to a boundary.
    _source_length = 0
    _source_end = ""
    # The bytes that `message_from_bytes` made it from, and what it consisted of then.
    _bytes: bytes | None = None
    _content: list[Any] | None = None

    def get_payload(self, i: Any = None, decode: Any = False) -> Any:
        """Return the payload as ``email`` does, but decode text in the charset that this module finds."""
        payload: Any = self._payload  # type: ignore[attr-defined]
        if i is not None or decode or not isinstance(payload, str):
            return super().get_payload(i, decode)
        return self._decoded(payload)

    def _decoded(self, payload: str) -> str:
        """Return a text, in which raw bytes are decoded: email asks any codec that the message names."""
        if payload.isascii() or is_text(payload):
            return payload
        data = as_bytes(payload)
        return decode_in(data, determine(data, self.get_content_charset()))

    def set_payload(self, payload: Any, charset: Any = None) -> None:
        if isinstance(payload, str) and isinstance(charset, str):
            # A generator of email encodes text with any codec that the message names, raw bytes too before gh-76511.
            payload = self._decoded(payload)
            charset = _writable(payload, charset)
        elif isinstance(payload, str) and not (payload.isascii() or is_text(payload)):
            payload = as_bytes(payload).decode("ascii", "surrogateescape")  # other surrogates stand for no byte
        super().set_payload(payload, charset)
        if isinstance(payload, str):
            self._source_length, self._source_end = len(payload), payload[-2:]

    def __init__(self, policy: Policy | None = None) -> None:
        super().__init__(policy)
        self._declared = Declared()

    def set_raw(self, name: str, value: Any) -> None:
        if isinstance(value, Source):
            value.declared = self._declared
            if len(name) == _KIND and self._declared.kind is None and name.lower() == "content-type":
                self._declared.kind = str(value)
        super().set_raw(name, value)

    def attach(self, payload: Any) -> None:
        super().attach(payload)
        if isinstance(payload, Message):
            self._declared.parts.append(payload._declared)

    def raw_items(self) -> Iterator[tuple[str, Any]]:
        # Generators ask for these: headers of a source write themselves, whatever the policy.
        return outgoing(self, self._declared)

    def as_string(self, unixfrom: bool = False, maxheaderlen: int | None = None, policy: Policy | None = None) -> str:
        """Return the message as text; U+FFFD stands for raw bytes of a body whose charset is unknown.

        Long headers of a source are folded again only if ``maxheaderlen`` is given, or if the policy says so.
        """
        output_policy = self._of_this_module(policy)
        if maxheaderlen:
            output_policy = output_policy.clone(refold_source="long")
        try:
            return super().as_string(unixfrom, maxheaderlen, output_policy)
        except (LookupError, RecursionError, UnicodeError, email_errors.CharsetError):
            return self.as_bytes(unixfrom, output_policy).decode("utf-8", "replace")

    def as_bytes(self, unixfrom: bool = False, policy: Policy | None = None) -> bytes:
        """Return the message as bytes.

        Without ``policy``, these are exactly the bytes that `message_from_bytes` was given, unless something was
        changed. If it was, or if ``email`` made the message, unchanged headers and bodies stay, and lines end as in the
        source. The parser of ``email`` loses the following:

        - blanks after a boundary, repeated boundaries, and a first line that continues no header;
        - the closing boundary of a multipart without parts, and what follows it;
        - whether a line ends after the last boundary, after headers without a body, or after a delivery status;
        - in a message that mixes CRLF and LF, the end of a boundary's line, of the blank line after headers, and of the
          last blank line of a part that has parts.
        """
        if policy is None or policy is self.policy:
            if self._bytes is not None and not unixfrom and self._content == _content_of(self):
                return self._bytes
            end = _line_end(self)
            source = None if unixfrom else _written(self, end)
            if source is not None:
                return source
            policy = self.policy.clone(linesep=end)
        output = io.BytesIO()
        try:
            BytesGenerator(output, mangle_from_=False, policy=self._of_this_module(policy)).flatten(
                self, unixfrom=unixfrom
            )
        except (LookupError, UnicodeError, email_errors.CharsetError):  # email cannot write all that it has parsed
            source = _written(self, _line_end(self), is_lenient=True)
            if source is None:
                raise
            return source
        return output.getvalue()

    def _of_this_module(self, policy: Policy | None) -> Any:
        """Return a policy to write with: one of this module's that has the settings of one of email's own."""
        if policy is None:
            return self.policy
        return self.policy + policy if type(policy) in (EmailPolicy, Compat32) else policy


def _writable(text: str, charset: str) -> str:
    """Return a charset to write a text in: UTF-8 unless the one named has a codec that may be asked, and encodes it."""
    try:
        output = Charset(charset).output_charset  # the one that email writes in place of a charset
    except email_errors.CharsetError:
        return "utf-8"
    return charset if output is not None and can_encode(text, output) else "utf-8"


# Defects of messages that are their headers and their payload all the same.
_HARMLESS: Final = (
    email_errors.InvalidBase64CharactersDefect,
    email_errors.InvalidBase64LengthDefect,
    email_errors.InvalidBase64PaddingDefect,
    email_errors.CloseBoundaryNotFoundDefect,
    email_errors.InvalidMultipartContentTransferEncodingDefect,
    email_errors.MissingHeaderBodySeparatorDefect,
)
_HARMLESS_IF_A_TEXT: Final = (
    *_HARMLESS,
    email_errors.MultipartInvariantViolationDefect,
    email_errors.NoBoundaryInMultipartDefect,
    email_errors.StartBoundaryNotFoundDefect,
)


def _content_of(message: Any) -> list[Any]:
    """Return all that a message consists of, to compare: headers, payloads, and what is around parts."""
    contents: list[Any] = []
    pending = [message]
    while pending:
        part = pending.pop()
        payload = part._payload
        parts = payload if isinstance(payload, list) else []
        own = len(parts) if isinstance(payload, list) else payload
        contents.append((part.get_unixfrom(), list(part._headers), own, part.preamble, part.epilogue))
        pending += parts
    return contents


def _line_end(message: Any) -> str:
    """Return how lines end in the source of a message, else in its policy."""
    for _, value in message._headers:
        if isinstance(value, Source):
            return "\r\n" if value.lines.endswith("\r\n") else "\n"
    return str(message.policy.linesep)


def _written(message: Any, end: str, *, is_lenient: bool = False) -> bytes | None:
    """Return the bytes that a message was made from, or None if its parts do not tell."""
    pieces: list[str] = []
    pending: list[Any] = [message]
    try:
        while pending:
            part = pending.pop()
            if isinstance(part, str):
                pieces.append(part)
                continue
            line = None if part is message else part.get_unixfrom()
            if line is not None:  # of a mailbox
                pieces.append(line + end)
            expanded = _expanded(part, end, is_lenient)
            if expanded is None:
                return None
            pending += reversed(expanded)
        return "".join(pieces).encode("ascii", "surrogateescape")
    except (AttributeError, UnicodeEncodeError):  # something was changed
        return None


def _expanded(message: Any, end: str, is_lenient: bool) -> list[Any] | None:
    """Return the texts and the parts that a message was made from, in their order."""
    harmless = _HARMLESS if message.is_multipart() else _HARMLESS_IF_A_TEXT
    if not is_lenient and any(not isinstance(item, harmless) for item in message.defects):
        return None
    head = "".join([value.lines for _, value in message._headers])
    if not _has_defect(message, email_errors.MissingHeaderBodySeparatorDefect):
        head += end
    if not message.is_multipart():
        return [head, message._payload or ""]  # get_payload decodes raw bytes
    parts, kind = message.get_payload(), message.get_content_maintype()
    if message.get_content_type() == "message/delivery-status":  # header fields alone, with blank lines between them
        blocks = ["".join([value.lines for _, value in item._headers]) + item._payload for item in parts]
        return [head, end.join(blocks)]
    if kind == "message" and len(parts) == 1:
        return [head, parts[0]]
    boundary, preamble, epilogue = message.get_boundary(), message.preamble, message.epilogue
    if boundary is None or kind != "multipart":
        return None
    pieces = [head] if preamble is None else [head, preamble, end]
    for part in parts:
        removed = _end_before_boundary(part, end)
        pieces += "--", boundary, end, part, end if removed is None else removed
    if _has_defect(message, email_errors.CloseBoundaryNotFoundDefect):
        return pieces if removed is not None else pieces[:-1]
    return [*pieces, f"--{boundary}--", *([] if epilogue is None else [end, epilogue])]


def _end_before_boundary(part: Any, end: str) -> str | None:
    """Return the end of a line that email's parser has removed from a part before a boundary; None if there is none."""
    while part.is_multipart() and part.get_content_maintype() == "message" and len(part.get_payload()) == 1:
        part = part.get_payload(0)
    if part.is_multipart():
        return "" if _has_defect(part, email_errors.CloseBoundaryNotFoundDefect) else end
    if part.get_content_maintype() == "multipart":
        return ""  # in the payload
    removed = part._source_length - len(part._payload or "")
    if removed in (1, 2):
        return str(part._source_end[-removed:])
    return "" if part._source_length == 0 else None


def _has_defect(message: Any, kind: type[Exception]) -> bool:
    return any(isinstance(defect, kind) for defect in message.defects)


if TYPE_CHECKING:
    _Policy = EmailPolicy[Message]
else:
    _Policy = EmailPolicy  # which has no parameters at run time


class MessagePolicy(_Policy):
    """The class of ``policy``: ``email.policy.EmailPolicy`` with text as `decode` and `decode_header` read it."""

    message_factory: type[Message] = Message
    content_manager: ContentManager = content_manager
    refold_source = "none"

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        lines = "".join(sourcelines)
        name, _, value = lines.partition(":")
        return name, source(value.lstrip(" \t").rstrip("\r\n"), lines)

    def header_fetch_parse(self, name: str, value: str) -> Any:
        if hasattr(value, "name"):
            return value
        return value.read(name, self) if isinstance(value, Source) else parsed(name, value, self, None)

    def header_store_parse(self, name: str, value: Any) -> tuple[str, Any]:
        if isinstance(value, Outgoing):
            return name, value.source
        if isinstance(value, str) and not hasattr(value, "name") and "=?" in value and len(value.splitlines()) < 2:
            return name, parsed(name, value, self, None)
        stored: tuple[str, Any] = super().header_store_parse(name, value)
        return stored

    def fold(self, name: str, value: Any) -> str:
        return str(super().fold(name, value)) if _is_plain(value) else self._folded(name, value, keeps_bytes=False)

    def fold_binary(self, name: str, value: Any) -> bytes:
        if _is_plain(value):
            return super().fold_binary(name, value)
        codec = "utf-8" if self.utf8 else "ascii"
        try:
            return self._folded(name, value, keeps_bytes=self.cte_type == "8bit").encode(codec, "surrogateescape")
        except UnicodeEncodeError:  # in the source, which was a str
            return self._folded(name, value, keeps_bytes=False).encode(codec, "surrogateescape")

    def _folded(self, name: str, value: Any, *, keeps_bytes: bool) -> str:
        if isinstance(value, Outgoing):
            value, keeps_bytes = value.source, keeps_bytes and value.is_declared
        elif hasattr(value, "fold"):
            return folded(name, value, self)
        elif not isinstance(value, Source):
            value = source(value, f"{name}: {value}")
        return str(value.written(name, self, keeps_bytes=keeps_bytes))


def _is_plain(value: Any) -> bool:
    """Return whether email's own policy can fold a value: a text that is not from a source, and has nothing encoded."""
    return type(value) is str and "=?" not in value and is_text(value) and on_one_line(value) == value


policy: Final = MessagePolicy()
"""The policy to use in place of ``email.policy.default``."""
del policy.header_factory  # the class has one, which a policy that is added may replace, as in email.policy.default


def message_from_bytes(data: Buffer) -> Message:
    """Return a message from its bytes, with ``policy``.

    It is the one of ``email.message_from_bytes``, except that ``as_bytes`` returns exactly ``data`` until something is
    changed, even if the parser of ``email`` does not keep all of a malformed structure. The message keeps a copy of
    ``data`` for this. Raise TypeError for data without a contiguous buffer.

    >>> data = b"Content-Type: multipart/mixed; boundary=b\\n\\n--b \\r\\n\\ntext\\n--b--"
    >>> message_from_bytes(data).as_bytes() == data
    True
    """
    content = bytes(memoryview(data))
    message = email.message_from_bytes(content, policy=policy)
    message._bytes, message._content = content, _content_of(message)
    return message


def __dir__() -> list[str]:
    return __all__
