"""Messages: written byte for byte, composed as with ``email.policy.default``, in linear time whatever they have."""

from __future__ import annotations

import copy
import email
import email.policy
import encodings
import encodings.aliases
import io
import pickle
import pkgutil
import sys
from email.generator import BytesGenerator, DecodedGenerator, Generator
from email.headerregistry import HeaderRegistry, UnstructuredHeader
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.programs import ROOT, python, run
from tests.sniff.test_hostile import check_linear
from whatwg_encoding import mail

RAW = "\r\n".join((
    "From nobody",
    "Received: by x;\r\n\tMon, 1 Jan 2024 00:00:00 +0000",
    "From: =?gb2312?B?086yyZjl?=",
    "Subject:no blank",
    "X-Two:  blanks ",
    "Subject: " + "long " * 40,
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="=_b"; x==?utf-8?q?y?=',
    "",
    "preamble",
    "--=_b",
    "Content-Type: text/plain; charset=koi8-r",
    "Content-Transfer-Encoding: 8bit",
    "",
    "\udcf0\udcd2 one\rtwo\nthree\x0bfour",
    "",
    "--=_b",
    "Content-Type: message/rfc822",
    "",
    "Subject: \udcf0\udcd2",
    "",
    "inner",
    "--=_b",
    "Content-Type: multipart/alternative; boundary=in",
    "",
    "--in",
    "",
    "plain",
    "--in--",
    "",
    "--=_b--",
    "epilogue",
)).removeprefix("From nobody\r\n").encode("ascii", "surrogateescape")  # fmt: skip


def parsed(data: bytes) -> mail.Message:
    message = email.message_from_bytes(data, policy=mail.policy)
    assert isinstance(message, mail.Message)
    return message


# --- Bytes ---


def test_an_unchanged_message_is_written_byte_for_byte() -> None:
    message = parsed(RAW)
    for name, value in message.items():  # reading changes nothing
        assert f"{name}: {value}"
    assert message.as_bytes() == bytes(message) == RAW
    assert message.as_bytes(policy=mail.policy) == RAW
    unix = RAW.replace(b"\r\n", b"\n")
    assert parsed(unix).as_bytes() == unix
    for copied in (copy.deepcopy(message), pickle.loads(pickle.dumps(message))):
        assert copied.as_bytes() == RAW
        assert copied["from"] == "游采樺"


PARTS = "Content-Type: multipart/mixed; boundary=b\n\n"


@pytest.mark.parametrize(
    "text",
    [
        PARTS + "--b\n\n--b\nX: y\n\n--b\nX: y\n\n\n--b--\n",  # without a line, and with an empty one
        PARTS + "--b\n\none\r\n--b\n\ntwo\r--b\n\nthree\n--b--\n",
        PARTS + "--b\n\none\n--b\n\nthe rest is miss",
        PARTS + "--b\n\none\n--b\n\nthe rest is missing\n",
        PARTS + "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\none\n--b\n\ntwo\n--b--\n",
        PARTS + "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\none\n--c--\n\n--b--\n",
        PARTS + "--b\nContent-Type: multipart/mixed; boundary=c\n\nno part\n--b\n\ntwo\n--b--\n",
        PARTS + "--b\nContent-Type: multipart/mixed\n\nno boundary\n--b\n\ntwo\n--b--\n",
        PARTS + "--b\nContent-Type: message/delivery-status\n\nA: b\n\nC: d\n " + "e" * 90 + "\n\n--b\n\ntwo\n--b--\n",
        PARTS + "--b\nContent-Type: message/rfc822\n\nFrom a Mon Jan  1\nX: y\n\none\n--b--\n",
        PARTS + "\udce9\n--b\nContent-Transfer-Encoding: quoted-printable\n\n=C3=A9 \udce9\n--b--\n\udce9\n",
        "X: y\nContent-Transfer-Encoding: base64\n\nw6k=\udce9\n",
    ],
)
def test_malformed_messages_are_written_byte_for_byte(text: str) -> None:
    data = text.encode("ascii", "surrogateescape")
    assert parsed(data).as_bytes() == data
    if "\r" not in text:
        assert parsed(data.replace(b"\n", b"\r\n")).as_bytes() == data.replace(b"\n", b"\r\n")


@pytest.mark.parametrize("kind", ["multipart/mixed; boundary=b{0}\n\n--b{0}\n", "message/rfc822\n\n"])
def test_deep_messages(kind: str) -> None:
    """Whatever email parses is written; its own generators recur several times for each level."""
    data = "".join(f"Content-Type: {kind.format(level)}" for level in range(500)).encode() + b"X: \xe9\n\nx"
    assert parsed(data).as_bytes() == data
    assert len(parsed(data).as_string()) == len(data)


def test_what_the_generator_of_email_cannot_write() -> None:
    """Raw bytes in a multipart without parts. Its parser drops a first line that continues no header."""
    data = PARTS.encode() + b"\xe9\n"
    assert parsed(b" x\n" + data).as_bytes() == data


# What the parser of email does not keep.
NOT_KEPT = [
    PARTS + "--b \n\nx\n--b--\n",
    PARTS + "--b\n--b\n\nx\n--b--\n",
    PARTS + "--b--",
    PARTS + "--b--\n\n--b--x",
    PARTS + "--b\r\nContent-Type: multipart/mixed; boundary=c\n\r\n--c\n\nx\r\n--c--\n\r\n--b--",
    PARTS + "--b\nContent-Type: message/delivery-status\n\nA: 1\n\nB: 2\n--b--\n",
    " no header\nA: b\n\nx",
    "A: b\r\nC: d\n\r\nx\ry",
    "A: b",
    "",
]


@pytest.mark.parametrize("text", NOT_KEPT)
def test_bytes_of_a_message_that_nobody_changed(text: str) -> None:
    data = text.encode()
    for unchanged in (bytearray(data), memoryview(data)):
        message = mail.message_from_bytes(unchanged)
        for part in message.walk():  # reading changes nothing
            assert part.items() is not None
            part.get_payload()
            part.get_content_charset()
        assert message.as_bytes() == bytes(message) == data
        assert copy.deepcopy(message).as_bytes() == pickle.loads(pickle.dumps(message)).as_bytes() == data
    for change in (
        lambda part: part.add_header("X", "y"),
        lambda part: part.set_payload("other"),
        lambda part: setattr(part, "preamble", "other"),
        lambda part: setattr(part, "epilogue", "other"),
        lambda part: part.set_unixfrom("From x"),
    ):
        message = mail.message_from_bytes(data)
        inner = list(message.walk())[-1]
        former = mail._content_of(message)
        change(inner)
        assert mail._content_of(message) != former
    message = mail.message_from_bytes(data)
    message["X-New"] = "y"
    assert b"X-New: y" in message.as_bytes()
    with pytest.raises(TypeError):
        mail.message_from_bytes("text")  # type: ignore[arg-type]


@given(st.binary(max_size=200), st.lists(st.sampled_from([b"--b", b"--b--", b"\n", b"\r\n", b" ", b"A: b", b"x"])))
def test_any_bytes_are_written_as_they_came(data: bytes, lines: list[bytes]) -> None:
    for source in (data, PARTS.encode() + b"".join(lines)):
        assert mail.message_from_bytes(source).as_bytes() == source


def test_a_changed_part() -> None:
    """What replaces a part is apart from the boundary, whatever was there."""
    heads, bodies = [b"", b"", b"X: " + b"y " * 60 + b"\n"], [b"", b"one\n", b"two\n"]

    def joined(bodies: list[bytes]) -> bytes:
        parts = [b"--b\n" + head + b"\n" + body for head, body in zip(heads, bodies, strict=True)]
        return PARTS.encode() + b"".join(parts) + b"--b--\n"

    data = joined(bodies)
    for text, written in (("", b""), ("new", b"new\n"), ("new\n", b"new\n\n")):
        for number in range(3):
            message = parsed(data)
            message.get_payload()[number].set_payload(text)
            assert message.as_bytes() == joined([*bodies[:number], written, *bodies[number + 1 :]])
    message = parsed(data)
    message.attach(copy.copy(message.get_payload()[1]))
    message.get_payload()[0].set_content("é")
    read = parsed(message.as_bytes())
    assert [part.get_content() for part in read.iter_parts()] == ["é\n", "one", "two", "one"]


def test_the_messages_of_cpython() -> None:
    """Those that have no defect are written as they are."""
    folder = Path(email.__file__).parent.parent / "test" / "test_email" / "data"
    if not folder.is_dir():
        pytest.skip("this Python comes without its tests")
    exact = 0
    for path in sorted(folder.glob("msg_*.txt")):
        data = path.read_bytes()
        message = parsed(data)
        message.as_string()
        if not any(part.defects for part in message.walk()) and not data.startswith(b"From "):
            exact += message.as_bytes() == data
    assert exact >= 35  # another has boundaries twice in a row


HEADER = st.sampled_from([
    b"Subject: caf\xe9", b"X: =?x?q?=E9?=", b"To: a@b,\n c@d", b"Y:", b"Z: \xf0\xd2\xc9",
    b"Content-Transfer-Encoding: 8bit",
])  # fmt: skip
BODY = st.binary(max_size=40).map(lambda body: body.replace(b"\r", b"").replace(b"--", b""))


@given(st.lists(HEADER, max_size=4), st.lists(BODY, max_size=3), st.booleans(), st.booleans())
def test_any_message_is_written_byte_for_byte(
    headers: list[bytes], bodies: list[bytes], is_multipart: bool, has_crlf: bool
) -> None:
    data = b"".join(header + b"\n" for header in headers)
    if is_multipart and bodies:
        data += b"Content-Type: multipart/mixed; boundary=b\n\n"
        data += b"".join(b"--b\nContent-Type: text/plain; charset=x\n\n" + body + b"\n" for body in bodies) + b"--b--\n"
    else:
        data += b"A: b\n\n" + b"".join(bodies)
    if has_crlf:
        data = data.replace(b"\n", b"\r\n")
    message = parsed(data)
    assert message.as_bytes() == data
    for part in message.walk():
        if not part.is_multipart():
            part.get_content()


def test_what_was_not_changed_stays() -> None:
    message = parsed(RAW)
    message.replace_header("From", "Jörg <j@x>")
    message["X-New"] = "é"
    written = message.as_bytes()
    assert b"From: =?utf-8?q?J=C3=B6rg?= <j@x>\r\n" in written
    assert parsed(written)["x-new"] == "é"
    assert b"Received: by x;\r\n\tMon, 1 Jan 2024" in written
    assert b"\xf0\xd2 one" in written
    assert b"\n" not in written.replace(b"\r\n", b"")
    output = io.BytesIO()
    BytesGenerator(output, policy=mail.policy.clone(refold_source="none")).flatten(parsed(RAW))
    assert b"=?gb2312?B?086yyZjl?=" in output.getvalue()
    assert "=?utf-8?" in parsed(RAW).as_string()


# --- Composition ---


def compose(policy: email.policy.EmailPolicy) -> bytes:
    message = email.message.EmailMessage(policy=policy)
    message["Subject"] = "Grüße " * 20
    message["From"] = "Jörg Müller <j@x.de>"
    message["To"] = tuple(email.headerregistry.Address(*to, "x.de") for to in (("Doe, J", "doe"), ("É", "e")))
    message.set_content("Größe\n")
    message.add_alternative("<p>Größe", subtype="html")
    message.add_attachment(b"x", maintype="a", subtype="b", filename="日本.txt")
    message.set_boundary("outer")
    message.get_payload()[0].set_boundary("inner")
    return message.as_bytes()


def test_a_composed_message_is_that_of_the_default_policy() -> None:
    assert compose(mail.policy) == compose(email.policy.default)
    assert compose(mail.policy.clone(linesep="\r\n")) == compose(email.policy.SMTP)
    message = mail.Message(policy=mail.policy)
    with pytest.raises(ValueError, match="linefeed"):
        message["Subject"] = "a\nBcc: b"


def test_answers() -> None:
    """A header that was read may be that of another message."""
    question = parsed(
        b"Subject: =?utf-8?q?=C3=A9?= " + b"=?koi8-r?q?=F0=D2?= word " * 20 + b"\n"
        b"From: =?utf-8?q?=C3=A9=2C_b?= <a@b>, =?utf-8?q?G?=: c@d, e@f;\n"
        b"Content-Type: text/plain; name*0*=utf-8''%C3%A9" + b"; name*1=" + b"a" * 120 + b"\n\n"
    )
    answer = mail.Message(policy=mail.policy)
    for name, other in (("Subject", "Subject"), ("From", "To"), ("Content-Type", "Content-Type")):
        answer[other] = str(question[name]) if name != other else question[name]
    written = answer.as_bytes()
    assert written.isascii()
    assert max(map(len, written.split(b"\n"))) <= 78
    read = parsed(written)
    assert read["subject"] == question["subject"]
    assert read["to"].addresses == question["from"].addresses
    assert read["content-type"].params == question["content-type"].params
    for policy in (mail.policy.clone(utf8=True), email.policy.SMTPUTF8):
        folded = question["from"].fold(policy=policy)
        assert "é, b" in folded or "=?utf-8" in folded


def test_attributes() -> None:
    message = parsed(
        b"Content-Type: Text/HTML; charset==?x?q?utf-8?=\nContent-Disposition: ATTACHMENT; filename=\xc3\xa9\n"
        b"Date: Mon, 1 Jan 2024 00:00:00 +0000 (\xc3\xa9)\nSender: =?x?q?a?= <b@c>\nMIME-Version: 1.0 (\xe9)\n"
        b"Message-ID: <\xe9@x>\n\n"
    )
    kind, disposition = message["content-type"], message["content-disposition"]
    assert (kind.content_type, kind.maintype, kind.subtype, kind.name) == ("text/html", "text", "html", "Content-Type")
    assert dict(kind.params) == {"charset": "utf-8"}
    assert disposition.content_disposition == "attachment"
    assert message.is_attachment()
    assert message["date"].datetime.year == 2024
    assert message["sender"].address.addr_spec == "b@c"
    assert message["mime-version"].major == 1
    assert message["message-id"] == "<é@x>"
    with pytest.raises(ValueError, match="has 2 addresses, not one"):
        _ = parsed(b"Sender: =?x?q?a?= <b@c>, d@e\n\n")["sender"].address
    for name in ("content-type", "content-disposition", "date", "sender"):
        assert pickle.loads(pickle.dumps(message[name])) == message[name]
        assert copy.deepcopy(message[name]).name == message[name].name


# --- Charsets that a message names ---

CODECS = sorted({
    *(module.name for module in pkgutil.iter_modules(encodings.__path__)), *encodings.aliases.aliases,
    "a\0b", " ", "utf8;punycode", "\udcff", "é", "x" * 1000,
})  # fmt: skip


def body_in(charset: str, body: bytes) -> bytes:
    name = charset.encode("utf-8", "surrogateescape")
    return b'Content-Type: text/plain; charset="%b"\n\n%b' % (name, body)


def read_and_write(data: bytes) -> None:
    message = parsed(data)
    for part in message.walk():
        assert "\udce9" not in part.get_payload()
        part.get_payload(decode=True)
        part.get_content()
    message.as_string()
    assert message.as_bytes() == data
    for policy in (mail.policy, mail.policy.clone(cte_type="7bit")):
        BytesGenerator(io.BytesIO(), policy=policy).flatten(message)
        for generator in (Generator, DecodedGenerator):
            generator(io.StringIO(), policy=policy).flatten(message)


@pytest.mark.gate
@pytest.mark.parametrize("body", [b"caf\xe9", b"\xe9\xa4" * 50, b"\xff\xfe\x1b$B", b"w6k\xe9="])
def test_any_charset_of_a_body(body: bytes) -> None:
    """What a message names is no reason to ask a codec that is not for text, or to raise an exception."""
    for name in CODECS:
        read_and_write(body_in(name, body))


# Python's codecs for what is no text, whose time is quadratic, or which raise exceptions of their own.
NO_CHARSETS = {"charmap", "idna", "mbcs", "oem", "punycode", "raw_unicode_escape", "undefined", "unicode_escape"}


@pytest.mark.gate
def test_codecs_that_are_no_charset_are_never_asked() -> None:
    """Python imports a codec's module when it is first asked; other names it gives to the functions that search."""
    program = """if True:
        import codecs, sys
        from tests.mail import test_messages
        former = set(sys.modules)
        codecs.register(lambda name: print("asked:", name))
        for name in test_messages.CODECS:
            test_messages.read_and_write(test_messages.body_in(name, b"caf\\xe9"))
        print(*(name.removeprefix("encodings.") for name in sys.modules if name not in former))
    """
    printed = python(program, cwd=ROOT)
    assert "asked:" not in printed
    imported = set(printed.split())
    assert {"koi8_r", "johab"} <= imported
    assert imported.isdisjoint(NO_CHARSETS | {name for name in imported if name.endswith("_codec") or name == "rot_13"})


STATEFUL = ["hz", "iso2022_jp_2", "iso2022_jp_2004", "iso2022_kr", "johab", "utf_7", "utf_32", "big5hkscs", "gb18030"]


FIRST = [*sorted(NO_CHARSETS), "x-unknown", *STATEFUL]
OTHERS = sorted({module.name for module in pkgutil.iter_modules(encodings.__path__)} - set(FIRST))


@pytest.mark.parametrize("name", [*FIRST, *(pytest.param(name, marks=pytest.mark.repeated) for name in OTHERS)])
def test_time_is_linear_whatever_the_charset(name: str) -> None:
    def run(body: bytes) -> None:
        message = parsed(body_in(name, body))
        message.get_payload()
        message.as_string()
        message.get_content()

    check_linear(run, b"\xe9" + b"+a" * 60_000)


def test_text_that_the_declared_charset_lacks_is_written() -> None:
    """A generator writes text of raw bytes again, in UTF-8 if need be."""
    text = "Съешь же ещё этих мягких французских булок, да выпей чаю"
    for name in ("us-ascii", "iso-8859-1", "x-unknown", "punycode", "shift_jis"):
        data = body_in(name, text.encode("koi8-r"))
        output = io.StringIO()
        Generator(output).flatten(parsed(data))
        for written in (output.getvalue(), parsed(data).as_string()):
            assert email.message_from_string(written, policy=email.policy.default).get_content().strip() == text


# --- Headers that are written again ---


@pytest.mark.parametrize("length", [5, 60, 90, 300])
@pytest.mark.parametrize(
    "name", ["Message-ID", "Date", "MIME-Version", "Content-Transfer-Encoding", "References", "X-Y"]
)
def test_raw_bytes_of_any_header(name: str, length: int) -> None:
    """`smtplib.SMTP.send_message` writes with a BytesGenerator."""
    data = f"{name}: <{'a' * length}\udce9@x>\n\nbody".encode("ascii", "surrogateescape")
    for changes in ({}, {"cte_type": "7bit"}, {"linesep": "\r\n"}, {"max_line_length": 0}, {"refold_source": "all"}):
        policy = mail.policy.clone(**changes)
        output, text = io.BytesIO(), io.StringIO()
        BytesGenerator(output, policy=policy).flatten(parsed(data))
        Generator(text, policy=policy).flatten(parsed(data))
        assert text.getvalue().isascii()
        for written in (output.getvalue(), text.getvalue().encode()):
            assert str(parsed(written)[name]) == str(parsed(data)[name])


def test_a_message_from_a_str_with_anything() -> None:
    message = email.message_from_string("Subject: a\ud800\xe9\nMessage-ID: <\xe9@x>\n\n\ud800\xe9", policy=mail.policy)
    read = parsed(message.as_bytes())
    assert (read["subject"], read["message-id"]) == ("a\ufffd\xe9", "<\xe9@x>")
    for version in (message, read):
        assert version.get_content() == version.get_payload() == "?\xe9"
    assert email.message_from_string(message.as_string(), policy=mail.policy)["subject"] == "a\ufffd\xe9"


@pytest.mark.parametrize("end", list("\v\f\x1c\x1d\x1e\x85\u2028\u2029"))
@pytest.mark.parametrize("name", ["Subject", "From", "Date", "Message-ID", "Content-Disposition", "X-Y"])
def test_what_python_takes_for_the_end_of_a_line(name: str, end: str) -> None:
    """email refuses it in a header, such as that of an answer."""
    for value in (f"x{end}y", f"é{end}y", f"x{end} {end}y é", f'a; filename="a{end}bé"', f"a <b{end}c@d>"):
        message = parsed(f"{name}: {value}\n\n".encode())
        answer = mail.Message(policy=mail.policy)
        answer[name] = str(message[name])
        answer["X-Subject"] = f"Re: {message[name]}"
        answer["X-Addresses"] = " ".join(map(str, getattr(message[name], "addresses", ())))
        assert answer[name] == message[name] == " ".join(message[name].splitlines())
        assert parsed(answer.as_bytes())["x-subject"] == answer["x-subject"]
        assert message.as_bytes() == f"{name}: {value}\n\n".encode()
    assert mail.decode_header(f"a{end}b") == "a b"


# --- CPython's own tests ---


@pytest.mark.repeated
def test_the_tests_of_cpython() -> None:
    """They pass with this policy as the default one, but for those that suite.py lists, with the reason."""
    run(sys.executable, "-m", "tests.mail.suite", cwd=ROOT)


PLAIN = [
    "From: bob@example.com",
    "From: Bob <bob@example.com>",
    'Sender: "Smith, J." <a.b@[1.2.3.4]>',
    'To: John Q Public <x_1@b.de>, "A \\"B\\"" <c@d>, e-f@localhost (comment)',
    "Cc: friends: a@b.c, Bob <d@e.f>;",
    "Bcc: nobody:;",
    "Resent-To: O'Neil <info@b.de>",
    "Subject: hello  world (x); y=z",
    "Subject:",
    "X-Any: <a@b>, c",
    "Date: Mon, 1 Jan 2024 00:00:00 +0000",
    "Date: Tue, 02 Jan 2024 10:11:12 -0530 (PST)",
    "Resent-Date: 1 Jan 2024 0:00 GMT",
    "Date: tomorrow",
    "Content-Type: text/plain",
    'Content-Type: Text/HTML; charset="utf-8"; format=flowed',
    'Content-Type: multipart/mixed; boundary="a b"',
    "Content-Type: text",
    'Content-Disposition: ATTACHMENT; filename="a b.pdf"',
    "Content-Disposition: inline; filename=x",
    "MIME-Version: (y) 1 . 0 (x)",
    "MIME-Version: one",
    "Content-Transfer-Encoding: BASE64",
    "Message-ID: <abc.def-1@x.y>",
]
ATTRIBUTES = (
    "address", "addresses", "content_disposition", "content_type", "cte", "datetime", "groups", "maintype", "major",
    "max_count", "minor", "name", "params", "subtype", "version",
)  # fmt: skip


@pytest.mark.parametrize("header", PLAIN)
def test_a_header_has_what_email_gives_it(header: str) -> None:
    """Plain headers are those of ``email.policy.default``, which asks email's parser."""
    name = header.partition(":")[0]
    stock = email.message_from_string(f"{header}\n\n", policy=email.policy.default)[name]
    own = parsed(f"{header}\n\n".encode())[name]
    assert str(own) == str(stock)
    for attribute in ATTRIBUTES:
        if hasattr(stock, attribute):
            assert getattr(own, attribute) == getattr(stock, attribute), attribute


def test_classes_of_headers_that_a_program_registers() -> None:
    class Number(UnstructuredHeader):
        @property
        def number(self) -> int:
            return int(str(self))

    registry = HeaderRegistry()
    registry.map_to_type("x-number", Number)  # type: ignore[arg-type]  # a mixin, as email documents it
    message = email.message_from_bytes(b"X-Number: 12\nTo: a@b\n\n", policy=mail.policy.clone(header_factory=registry))
    assert message["x-number"].number == 12
    assert message["to"].addresses[0].addr_spec == "a@b"
    message = email.message_from_bytes(b"To: a@b\n\n", policy=mail.policy.clone(header_factory=lambda *_: "other"))
    assert message["to"] == "other"


# --- Work ---


def test_the_parser_of_email_is_asked_for_no_header(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes up to a minute for a megabyte of short headers."""
    message = parsed("".join(f"{header}\n" for header in PLAIN).encode() + b"\n")
    monkeypatch.setattr(HeaderRegistry, "__call__", None)
    for value in message.values():
        assert value.fold(policy=mail.policy)


def test_addresses_beyond_the_most_are_text() -> None:
    header = parsed(b"To: " + b"a@b, " * 100_000 + b"<last@example.com>\n\n")["to"]
    assert 10_000 < len(header.addresses) < 100_000
    assert header.addresses[0].addr_spec == "a@b"
    assert header.endswith('a@b, <last@example.com>"')
    assert header.count("a@b") == 100_000
    assert "".join(header.fold(policy=mail.policy).split()).count("a@b") == 100_000


HOSTILE = [
    "=?", "=?a?q?", "=?a?q?=E9?= x ", "=?a?b?4?= ", ";a=b", "; a*1=%41", ";", ",", "a@b,", "(", "()", "(\\", '"', '"\\',
    "<", '<"', ":", "a:;", "[", " ", "\n a", "\xe9 ", "\x1b$B", "*", '";', "'",
]  # fmt: skip
HEADERS = (("Subject", ""), ("To", ""), ("Cc", '"'), ("Content-Type", "a/b"), ("Content-Disposition", 'a; x="'))


@pytest.mark.gate
@pytest.mark.parametrize("unit", HOSTILE)
def test_time_is_linear(unit: str) -> None:
    def run(value: str) -> None:
        data = "".join(f"{name}: {start}{value}\n" for name, start in HEADERS).encode("latin-1") + b"\nbody"
        message = parsed(data)
        for name, _ in HEADERS:
            message[name].fold(policy=mail.policy)
        message.get_filename()
        message.get_content_type()
        assert message.as_bytes() == data

    check_linear(run, unit * (2000 // len(unit)) * 8)


@pytest.mark.parametrize("header", [b"X: \xe9\n", b"X: =?x?q?=E9?=\n", b"Content-Type: a/b; x=\xe9\n"])
def test_time_is_linear_in_the_number_of_headers(header: bytes) -> None:
    def run(headers: bytes) -> None:
        data = headers + b"Content-Type: text/plain; charset=koi8-r\n\nbody"
        message = parsed(data)
        assert len(message.items()) == len(message.values()) == headers.count(b"\n") + 1
        assert message.as_bytes() == data

    check_linear(run, header * 800)
