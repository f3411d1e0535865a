"""Short, ordinary texts in which a few bytes decide. Right values are the texts themselves, written for these tests."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import whatwg_encoding as we
from tests.reference import oracle
from whatwg_encoding import sniff

from .support import byte_by_byte, charset, meta


def texts(data: bytes, header: str | None = None) -> set[str]:
    """Return the texts of all doors that take a header, which are one text."""
    return {
        we.decode_crawled(data, header).text,
        we.decode_crawled_to_utf8(data, header)[0].decode(),
        "".join(we.decode_stream("crawl", byte_by_byte(data), content_type=header)),
        "".join(we.decode_stream("crawl", [data], content_type=header)),
        sniff.crawl(data, header).encoding.decode(data),
    }


# --- The end of a text ---

# The last bytes of each are the start of a sequence in UTF-8.
ENDS = [
    ("my new fiancé…", "cp1252"), ("Perché”", "cp1252"), ("Continuará…", "cp1252"), ("Luką…", "cp1257"),
    ("“Olé”", "cp1252"), ("Es war im Café…", "cp1252"), ("vocês e você…", "cp1252"), ("on parle de Beyoncé…", "cp1252"),
    ("<p>“Venez à la fête, dit André”", "cp1252"), ("a,b\n1,Niño está…", "cp1252"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "codec"), ENDS)
def test_a_whole_text_does_not_end_in_half_a_character(text: str, codec: str, tmp_path: Path) -> None:
    data = text.encode(codec)
    assert texts(data) == {text}
    assert sniff.detect(data)[0].encoding.decode(data) == text
    assert we.open_utf8(io.BytesIO(data)).read().decode() == text
    path = tmp_path / "file"
    path.write_bytes(data)
    assert we.ByteExactText.read(path).text == text


def test_the_start_of_a_longer_text_does() -> None:
    """A fragment may end anywhere. So may a text with another sequence of UTF-8, and one that declares UTF-8."""
    assert sniff.utf8_if_valid("Perché”".encode("cp1252")) is we.UTF_8
    assert texts("é – fiancé".encode()[:-1]) == {"é – fianc\ufffd"}
    cut = "nice day 😀".encode()[:-1]
    assert texts(cut, charset("utf-8")) == {"nice day \ufffd"}
    assert texts(meta("utf-8") + cut) == {"<meta charset=utf-8>nice day \ufffd"}


# --- Damaged text that is declared UTF-8 ---

DAMAGE = [
    b"\xed\xa0\xbd\xed\xb8\x80", b"\xed\xa0\xbd", b"\xed\xb8\x80 ",  # surrogates, as in CESU-8
    b"\xf0\x9f\x98 ", b"\xf0\x9f ", b"\xe2\x80 ", b"\xe2\x80? ", b"\xe4\xb8. ",  # the last bytes are lost
    b"\xc2 ", b"\xc3 ", b"\xc2? ", b"\xc3? ", b"\xe2?? ", b"\xf0??? ",  # the last bytes were replaced
]  # fmt: skip
ENGLISH = ["Nice %s day", "The parts are here.%s", "%s<p>Enter a valid date and time</p>", "a%sb a%sb. isn%st it?"]


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("page", ENGLISH)
def test_what_begins_as_utf_8_is_evidence_for_it(page: str, damage: bytes) -> None:
    data = page.replace("%s", "\ue000").encode().replace("\ue000".encode(), damage)
    declared = meta("utf-8") + data
    for body, header in ((data, charset("utf-8")), (declared, None), (declared, charset("utf-8"))):
        assert texts(body, header) == {oracle.decode("UTF-8", body).text}


def test_surrogates_of_emoji_are_utf_8() -> None:
    """Undeclared, too, but not against a declaration that explains them without an error."""
    data = b"Nice \xed\xa0\xbd\xed\xb8\x80 day"
    assert texts(data) == {"Nice " + "\ufffd" * 6 + " day"}
    assert texts(data, charset("iso-8859-15")) == {data.decode("iso-8859-15")}


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("Привет, как дела? ЕДУ В ГОРОД, Я ВАС ЖДУ. В лесу темно, а В поле светло. ", "koi8_r"),
        ("Το σπίτι είναι μεγάλο. Η θάλασσα είναι κοντά, και ο ήλιος λάμπει όλη μέρα. ", "cp1253"),
        ("วันนี้อากาศดีมาก เราไปเที่ยวทะเลกันเถอะ แม่ทำอาหารอร่อย ", "cp874"),
        ("檔案不存在，請重新輸入。今天天氣很好，我們去公園散步吧。", "big5"),
        ("文件不存在，请重新输入。今天天气很好，我们去公园散步吧。", "gbk"),
        ("Les élèves ont été reçus à l’école. La fête aura lieu après-demain. ", "cp1252"),
    ],
)
def test_a_legacy_page_that_is_declared_utf_8_twice(text: str, codec: str) -> None:
    """Some of its bytes may be sequences by chance."""
    for times in (1, 4, 16):
        page = meta("utf-8") + "".join(f"<p>{text}</p>\n" for _ in range(times)).encode(codec)
        assert texts(page, charset("utf-8")) == {page.decode(codec)}
