"""The recipes of docs/mail.md with the libraries that they are for, unmodified, on loopback."""

from __future__ import annotations

import email
import imaplib
import json
import mailbox
import re
import smtplib
import socketserver
import threading
from pathlib import Path
from typing import Any

import pytest

from whatwg_encoding import mail

PAGE = Path(__file__).parents[2] / "docs" / "mail.md"
RAW = (
    b"From: =?gb2312?B?086yyZjl?= <a@b.cn>\r\nTo: x@y\r\nSubject: =?x-unknown?Q?caf=C3=A9?=\r\nMIME-Version: 1.0\r\n"
    b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=iso-8859-8-i\r\n"
    b"Content-Transfer-Encoding: 8bit\r\n\r\n\xf9\xec\xe5\xed\r\n--b\r\nContent-Type: application/pdf\r\n"
    b"Content-Disposition: attachment; filename*=gb2312''%D6%EC%E9F%BB%F9.pdf\r\n\r\nx\r\n--b--\r\n"
)


def recipe(library: str) -> dict[str, Any]:
    section = PAGE.read_text(encoding="utf-8").split(f"\n## {library}", 1)[1]
    block = re.search(r"```python\n(.*?)```", section, re.S)
    assert block is not None
    names: dict[str, Any] = {}
    exec(block[1], names)
    return names


def check(message: Any) -> None:
    assert message["subject"] == "café"
    assert message["from"].addresses[0].display_name == "游采樺"
    assert message.get_body().get_content() == "שלום"
    assert [part.get_filename() for part in message.iter_attachments()] == ["朱镕基.pdf"]


class _Imap(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        self.wfile.write(b"* PREAUTH ready\r\n")
        for line in self.rfile:
            tag, command = line.split()[:2]
            if command == b"SELECT" or command == b"EXAMINE":
                self.wfile.write(b"* 1 EXISTS\r\n")
            elif command == b"CAPABILITY":
                self.wfile.write(b"* CAPABILITY IMAP4rev1\r\n")
            elif command == b"SEARCH":
                self.wfile.write(b"* SEARCH 1\r\n")
            elif command == b"FETCH":
                self.wfile.write(b"* 1 FETCH (BODY[] {%d}\r\n%s)\r\n" % (len(RAW), RAW))
            self.wfile.write(tag + b" OK done\r\n")


def test_imaplib() -> None:
    with socketserver.TCPServer(("127.0.0.1", 0), _Imap) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        connection = imaplib.IMAP4("127.0.0.1", server.server_address[1])
        (message,) = recipe("imaplib")["messages"](connection)
        connection.shutdown()
        server.shutdown()
    check(message)
    assert message.as_bytes() == RAW


def test_mailbox(tmp_path: Path) -> None:
    names = recipe("mailbox")
    for kind, name in ((mailbox.mbox, "open_mbox"), (mailbox.Maildir, "open_maildir")):
        path = str(tmp_path / name)
        box = kind(path)
        box.add(RAW)
        box.close()
        (message,) = list(names[name](path))
        check(message)


def test_aiosmtpd() -> None:
    pytest.importorskip("aiosmtpd")
    from aiosmtpd.controller import Controller

    handler = recipe("aiosmtpd")["Handler"]()
    controller = Controller(handler, hostname="127.0.0.1", port=0)
    with socketserver.TCPServer(("127.0.0.1", 0), socketserver.BaseRequestHandler) as free:
        controller.port = free.server_address[1]
    controller.start()
    try:
        with smtplib.SMTP("127.0.0.1", controller.port) as client:
            client.sendmail("a@b.cn", ["x@y"], RAW)
            client.send_message(email.message_from_bytes(RAW, policy=mail.policy))
    finally:
        controller.stop()
    check(handler.received[0])
    assert [message.as_bytes() for message in handler.received] == [RAW, RAW]


def test_django() -> None:
    pytest.importorskip("django")
    from django.conf import settings
    from django.core import mail as django_mail

    if not settings.configured:
        settings.configure(EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend")
    from django.test import RequestFactory

    names = recipe("Django")
    response = names["inbound"](RequestFactory().post("/", RAW, content_type="message/rfc822"))
    assert json.loads(response.content) == {"subject": "café", "text": "שלום", "files": ["朱镕基.pdf"]}
    names["answer"](email.message_from_bytes(RAW, policy=mail.policy), "ok").send()
    (sent,) = django_mail.outbox
    assert (sent.subject, sent.to) == ("Re: café", ["a@b.cn"])
    assert email.message_from_bytes(sent.message().as_bytes(), policy=mail.policy)["subject"] == "Re: café"


def test_mail_parser() -> None:
    pytest.importorskip("mailparser")
    message = recipe("mail-parser")["parse"](RAW)
    assert message.subject == "café"
    assert message.from_ == [("游采樺", "a@b.cn")]
    assert message.text_plain == ["שלום"]
    assert [attachment["filename"] for attachment in message.attachments] == ["朱镕基.pdf"]
