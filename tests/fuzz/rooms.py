"""The fuzz targets of what stands on the package's public names: mail, and the drop-ins for other detectors."""

from __future__ import annotations

import email

from whatwg_encoding import chardet, charset_normalizer, mail

# The syntax of headers, so that a few bytes make them: a byte below this many stands for a piece.
_PIECES = (
    b"Subject: ", b"From: ", b"Content-Type: multipart/mixed; boundary=b", b"Content-Disposition: attachment",
    b"; filename*0*=", b"; filename=", b"=?utf-8?q?", b"=?gb2312?B?", b"?=", b"=?x?q?=E9", b"\n", b"\n\n", b"\n ",
    b"--b\n", b"--b--\n", b'"', b"(", b"<a@b>", b", ", b"gb2312''%D6", b"Content-Type: text/plain; charset=",
    b"iso-2022-kr", b"utf-7", b"Content-Transfer-Encoding: base64", b"\r\n", b"=0D=0A", b"\x1b$B", b"+AOk-",
    b"message/rfc822", b"Date: ", b":", b";",
)  # fmt: skip


def mails(data: bytes) -> None:
    """Read all of a message: no exception, no surrogate, no end of a line in a header; and the bytes back."""
    source = b"".join(_PIECES[number] if number < len(_PIECES) else bytes((number,)) for number in data)
    for header in (mail.decode_header(source), mail.decode_header(source.decode("latin-1"))):
        header.encode()
    message = email.message_from_bytes(source, policy=mail.policy)
    written = message.as_bytes()
    message.as_string()
    if not any(part.defects for part in message.walk()) and not message.is_multipart() and b"\r" not in source:
        assert written in (source, source + b"\n"), (source, written)
    for part in message.walk():
        for name, value in part.items():
            assert "\n" not in value, (name, value)
            assert "\r" not in value, (name, value)
            value.encode()
            value.fold(policy=mail.policy).encode("ascii")
        part.get_filename()
        if part.get_content_maintype() == "text" and not part.is_multipart():
            part.get_content().encode()
    message.as_string()


def drop_in_detectors(data: bytes) -> None:
    """Detect with both drop-ins: the codec that is named decodes the bytes, unless no likely one does."""
    best, *others = chardet.detect_all(data, ignore_threshold=True)
    assert best == chardet.detect(data)
    for guess in others:
        assert guess["encoding"] is not None
        data.decode(guess["encoding"])
    detector = chardet.UniversalDetector()
    for at in range(0, len(data), 7):
        detector.feed(data[at : at + 7])
    assert detector.close() == best
    for match in charset_normalizer.from_bytes(data):
        assert str(match) in (text := data.decode(match.encoding), text.removeprefix("\ufeff"))
