"""What was read is written: raw headers in the charset of the body, through everything that writes a message."""

from __future__ import annotations

import copy
import email
import email.policy
import io
import pickle
import smtplib
from collections.abc import Iterator
from email.generator import BytesGenerator, Generator
from typing import Any

import pytest

from tests.mail.test_messages import parsed
from whatwg_encoding import mail

#: A text of each charset, of which bodies consist, and ten parts of it, which are names in subjects.
TEXTS = {
    "windows-1250": "Příliš žluťoučký kůň úpěl ďábelské ódy a zvěř čekala u řeky",
    "iso-8859-2": "Zażółć gęślą jaźń, wszystko będzie gotowe później niż dziś wieczór",
    "windows-1251": "Съешь же ещё этих мягких французских булок, да выпей чаю",
    "koi8-r": "Съешь же ещё этих мягких французских булок, да выпей чаю",
    "windows-1252": "Zwölf Boxkämpfer jagen – natürlich – für große Größe über den Sylter Deich",
    "iso-8859-15": "Dès Noël où un zéphyr haï me vêt de glaçons, je dîne à l'œuvre",
    "windows-1253": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία και άλλα πολλά που ξέρω εγώ",
    "windows-1254": "Pijamalı hasta yağız şoföre çabucak güvendi, öğlen şişeyi açtı",
    "windows-1257": "Glāžšķūņa rūķīši dzērumā čiepj Baha koncertflīģeļu vākus ļoti ātri",
    "windows-1255": "דג סקרן שט בים מאוכזב ולפתע מצא לו חברה חדשה",
    "windows-874": "เป็นมนุษย์ สุดประเสริฐ เลิศคุณค่า กว่าบรรดา ฝูงสัตว์ เดรัจฉาน จงฝ่าฟัน พัฒนา วิชาการ อย่าล้าง",
    "shift_jis": "いろは にほへと ちりぬるを わかよ たれそ つねならむ 有為の 奥山 今日越えて 浅き夢見し",
    "euc-jp": "いろは にほへと ちりぬるを わかよ たれそ つねならむ 有為の 奥山 今日越えて 浅き夢見し",
    "gb2312": "会议通知 请在 附件里 查看 本周的 会议记录 和安排 谢谢大家 的支持 与合作",
    "big5": "會議通知 請在 附件裡 查看 本週的 會議記錄 和安排 謝謝大家 的支持 與合作",
    "euc-kr": "다람쥐 헌 쳇바퀴에 타고파 하는 마음은 누구나 비슷할 것이라고 생각합니다 그렇죠",
}
FRAMES = (
    "Re: {}", "Re: [users] Meeting on Thursday in room 12 with {} and the others from the office", "{} " * 12 + "{}",
    "[ticket 48213] The printer in the hall does not print after the update, as {} wrote",
    "Fwd: Minutes of the meeting,\n with {} as secretary,\n\tand the list of all that we have to do until the next one",
    "=?utf-8?q?Caf=C3=A9?= and {}, who will be in the office next week if the trains go again until then",
)  # fmt: skip


def mails(charset: str) -> Iterator[tuple[bytes, str]]:
    """Yield messages whose subject is raw in the charset of their body, and the text of the subject."""
    codec = {"windows-874": "cp874"}.get(charset, charset)
    text = TEXTS[charset]
    words = text.split()
    for number in range(10):
        name = " ".join(words[number % len(words) :][:2])
        for frame in FRAMES:
            subject = frame.replace("{}", name)
            head = f"From: a@b\nSubject: {subject}\nTo: c@d\nContent-Transfer-Encoding: 8bit\n"
            data = f"{head}Content-Type: text/plain; charset={charset}\n\n{text}\n".encode(codec)
            expected = subject.replace("=?utf-8?q?Caf=C3=A9?=", "Café").replace("\n", "")
            yield data, expected


def subject(data: bytes | str) -> str:
    return str(parsed(data.encode() if isinstance(data, str) else data)["subject"])


class Capturing(smtplib.SMTP):
    """A client of SMTP that keeps what it would send."""

    sent: bytes

    def ehlo_or_helo_if_needed(self) -> None:
        """There is no server."""

    def sendmail(self, from_addr: Any, to_addrs: Any, msg: Any, *options: Any) -> Any:
        self.sent = msg
        return {}


def generated(message: mail.Message, **options: Any) -> bytes:
    output = io.BytesIO()
    BytesGenerator(output, **options).flatten(message)
    return output.getvalue()


def exits(data: bytes) -> Iterator[tuple[str, bytes | str]]:
    """Yield what writes a message, and what it writes of one that nobody touched, or of which other things changed."""
    yield "as_bytes", parsed(data).as_bytes()
    yield "as_string", parsed(data).as_string()
    client = Capturing()
    client.send_message(parsed(data))
    yield "send_message", client.sent
    for name in ("SMTP", "SMTPUTF8", "HTTP", "default", "compat32"):
        yield f"as_bytes, {name}", parsed(data).as_bytes(policy=getattr(email.policy, name))
        yield f"BytesGenerator, {name}", generated(parsed(data), policy=getattr(email.policy, name))
    output = io.StringIO()
    Generator(output).flatten(parsed(data))
    yield "Generator", output.getvalue()
    for refolds in ("long", "all"):
        yield f"refold_source={refolds}", parsed(data).as_bytes(policy=mail.policy.clone(refold_source=refolds))
    yield "cte_type=7bit", generated(parsed(data), policy=mail.policy.clone(cte_type="7bit"))
    message = parsed(data)
    message["X-Spam"] = "no"
    yield "another header, as_bytes", message.as_bytes()
    yield "another header, as_string", message.as_string()
    message = parsed(data)
    message.set_content("other: é")
    yield "another body, as_bytes", message.as_bytes()
    yield "another body, as_string", message.as_string()
    message = parsed(data)
    message.add_attachment(b"x", maintype="a", subtype="b")
    yield "an attachment", message.as_bytes()
    yield "a copy", copy.deepcopy(parsed(data)).as_string()
    yield "a pickle", pickle.loads(pickle.dumps(parsed(data))).as_string()


@pytest.mark.parametrize("charset", TEXTS)
def test_a_header_that_was_read_right_is_written_right(charset: str) -> None:
    for data, expected in list(mails(charset))[:: 1 if charset == "windows-1250" else 7]:
        assert subject(data) == expected
        for name, written in exits(data):
            assert subject(written) == expected, name


@pytest.mark.parametrize("charset", TEXTS)
def test_what_is_not_touched_is_written_as_it_came(charset: str) -> None:
    for data, _ in mails(charset):
        head, body = data.split(b"\n\n")
        client = Capturing()
        client.send_message(parsed(data))
        assert client.sent == data.replace(b"\n", b"\r\n")
        assert parsed(data).as_bytes(policy=email.policy.SMTP) == client.sent
        message = parsed(data)
        message["X-Spam"] = "no"
        assert message.as_bytes() == head + b"\nX-Spam: no\n\n" + body
        assert generated(parsed(data)) == data


def test_headers_of_a_source_in_other_messages() -> None:
    """Whoever copies what generators get copies what the header knows."""
    data = next(data for data, _ in mails("koi8-r"))
    for copied in (mail.Message(policy=mail.policy), email.message.EmailMessage()):
        for name, value in parsed(data).raw_items():
            if name == "Subject":
                copied[name] = value
        assert subject(copied.as_bytes()) == subject(data)


INJECTED = [
    b"=?utf-8?q?a=0D=0ABcc:_e?=", b"=?utf-8?b?YQ0KQmNjOiBl?=", b"a\x1cBcc: e", b"a\x0bBcc: e", b"a\x0cBcc: e",
    b"a\x1dBcc: e", b"a\x1eBcc: e", b"a\x85Bcc: e", b"a\xc2\x85Bcc: e", b"a\xe2\x80\xa8Bcc: e",
    b"=?utf-8?q?a=E2=80=A9Bcc:_e?=", b"=?utf-8?q?a=1CBcc:_e?=", b"=?utf-8?q?a=0ABcc:_e?=", b"=?utf-8?q?a=0DBcc:_e?=",
    b"=?utf-8?q?=3D=3Futf-8=3Fq=3Fa=3D0D=3D0ABcc:=5Fe=3F=3D?=",  # a word within a word
]  # fmt: skip


@pytest.mark.parametrize("value", INJECTED)
@pytest.mark.parametrize(
    "start", [b"Subject: ", b"From: ", b"Content-Disposition: " + b"long " * 30, b"Content-Type: text/plain; name="]
)
def test_nothing_that_a_header_has_becomes_a_header(start: bytes, value: bytes) -> None:
    data = b"Sender: a@b\nTo: c@d\n" + start + value + b"\n\nbody\n"
    for exit_, written in exits(data):
        text = written if isinstance(written, str) else written.decode("latin-1").replace("\x85", "")
        assert "bcc" not in {line.partition(":")[0].lower() for line in text.replace("\r\n", "\n").split("\n")}, exit_
        assert "bcc" not in parsed(text.encode()), exit_
    message, copied = parsed(data), mail.Message(policy=mail.policy)
    for name, header in message.items():
        assert len(str(header).splitlines()) == 1
        copied[name], copied[f"X-{name}"] = header, str(header)
    assert "bcc" not in email.message_from_bytes(copied.as_bytes(), policy=email.policy.compat32)
    texts = [address.display_name for address in getattr(message["from"], "addresses", ())]
    assert all(
        len(text.splitlines()) <= 1 for text in (*texts, message.get_filename() or "", mail.decode_header(value))
    )
