"""The fuzz targets of what stands on the package's public names: mail."""

from __future__ import annotations

import email

from whatwg_encoding import mail

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
    source = b"".join(_PIECES[each] if each < len(_PIECES) else bytes((each,)) for each in data)
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
