"""Charsets, encoded words, parameters, raw headers and bodies, as mail has them.

Expected texts are encoded here by Python's codecs and by its own functions for base64 and quoted-printable.
"""

from __future__ import annotations

import email
import re
import shutil
import subprocess
from base64 import b64encode
from quopri import encodestring
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatwg_encoding as we
from whatwg_encoding import mail

RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю"
TEXTS = {
    "big5": "臺灣的天氣很好", "cp437": "Résumé à la française", "cp866": RUSSIAN,
    "cp932": "①髙橋です。よろしくお願いします", "cp949": "똠방각하와 펲시콜라", "euc_jp": "日本語の文章です",
    "euc_kr": "안녕하세요 여러분", "gb18030": "朱镕基和臺灣", "hz": "这是中文", "iso2022_jp": "日本語の文章です",
    "iso2022_jp_2": "日本語と한국어", "iso2022_kr": "안녕하세요", "iso8859_15": "Œuvre à 5 €", "iso8859_8": "שלום עולם",
    "koi8_r": RUSSIAN, "koi8_u": "Ґанок і їжак", "mac_latin2": "Žluťoučký kůň", "utf_16": "Grüße, 日本",
    "utf_16_be": "Grüße, 日本", "utf_32_be": "Grüße, 日本", "utf_7": "Hié – 日本", "utf_8": "Grüße 😀",
    "cp1251": RUSSIAN, "cp1255": "שלום עולם", "cp874": "สวัสดีครับ",
}  # fmt: skip
LABELS = {
    "hz": "hz-gb-2312", "cp866": "ibm866", "cp949": "ks_c_5601-1987", "mac_latin2": "x-mac-ce", "cp932": "windows-31j",
}  # fmt: skip


def label(codec: str) -> str:
    return LABELS.get(codec, codec.replace("_", "-"))


def word(text: str, codec: str, kind: str = "B", name: str | None = None) -> str:
    data = text.encode(codec)
    quoted = "".join(chr(byte) if chr(byte).isalnum() and byte < 128 else f"={byte:02X}" for byte in data)
    return f"=?{name or label(codec)}?{kind}?{b64encode(data).decode() if kind == 'B' else quoted}?="


def message(raw: str | bytes) -> mail.Message:
    data = raw.encode("ascii") if isinstance(raw, str) else raw
    parsed = email.message_from_bytes(data, policy=mail.policy)
    assert isinstance(parsed, mail.Message)
    assert parsed.as_bytes() == data
    return parsed


# --- Charsets ---


@pytest.mark.parametrize("name", list(we.LABELS))
def test_labels_of_the_standard(name: str) -> None:
    """Each label names what the standard says, except for those of replacement and x-user-defined."""
    charset, standard = mail.charset(name), we.LABELS[name]
    if standard is we.X_USER_DEFINED or (standard is we.REPLACEMENT and not isinstance(charset, str)):
        assert charset is None
    elif standard is not we.REPLACEMENT:
        assert charset is standard


@pytest.mark.parametrize(
    ("names", "charset"),
    [
        ("utf-7 unicode-1-1-utf-7 UTF7 x-unicode-2-0-utf-7", "utf_7"), ("hz-gb-2312 HZ cp52936", "hz"),
        ("iso-2022-kr csISO2022KR", "iso2022_kr"), ("iso-2022-jp-1", "iso2022_jp_1"),
        ("cp50220 cp50221 CP50222 iso-2022-jp-ms", we.ISO_2022_JP),
        ("gb2312 cp936 MS936 windows-936 euc-cn gb2312-80", we.GBK), ("gb18030-2022 cp54936", we.GB18030),
        ("ks_c_5601-1992 uhc ms949 cp949", we.EUC_KR),
        ("utf8mb4 uft-8 =3D\"utf-8\" charset=utf-8 'utf-8' utf-8;format=flowed utf-8*en cp65001", we.UTF_8),
        ("iso8859_1 ISO_8859-1:1987 8859-1 cp1252 us-ascii ansi_x3.4-1968", we.WINDOWS_1252),
        ("windows1251 win-1251 x-cp1251 ansi-1251 1251", we.WINDOWS_1251),
        ("ansi x-ansi windows-1252http-equivcontent-type iso-8859-1content-type", we.WINDOWS_1252),
        ("x-ms-cp932 932", we.SHIFT_JIS), ("cp28605 latin-9 ISO8859-15", we.ISO_8859_15), ("cp437 ibm437", "cp437"),
        ("x-mac-ce", "mac_latin2"),
        ("x-unknown unknown-8bit default 8bit 1 idna rot13 undefined unicode_escape x-user-defined", None),
    ],
)  # fmt: skip
def test_names_that_no_standard_has(names: str, charset: object) -> None:
    assert [mail.charset(name) for name in names.split()] == [charset] * len(names.split())


def test_wrong_arguments() -> None:
    with pytest.raises(TypeError, match="a charset must be a str or None, not int"):
        mail.charset(1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a header must be a str or bytes, not NoneType"):
        mail.decode_header(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        mail.decode("text")  # type: ignore[arg-type]
    assert mail.charset(None) is None
    assert mail.charset("x" * 1_000_000) is None


# --- Text ---


@pytest.mark.parametrize("codec", TEXTS)
def test_declared_text(codec: str) -> None:
    data = TEXTS[codec].encode(codec)
    assert mail.decode(data, label(codec)) == TEXTS[codec]
    assert mail.decode(memoryview(data), label(codec).upper()) == TEXTS[codec]
    assert mail.decode(data, "x-unknown", fallback=label(codec)) == TEXTS[codec]


@pytest.mark.parametrize("codec", ["utf_8", "cp1251", "koi8_r", "big5", "euc_kr", "iso2022_jp", "gb18030", "cp932"])
def test_text_that_its_charset_belies(codec: str) -> None:
    """A missing, unknown or wrong charset does not matter where the text is long enough to tell."""
    text = TEXTS[codec] * 3
    data = text.encode(codec)
    for name in (None, "", "us-ascii", "x-unknown", "utf-8"):
        assert mail.decode(data, name) == text, name


@pytest.mark.parametrize(
    ("name", "codec", "text"),
    [
        # UTF-8 and others by the name of a single-byte encoding
        ("iso-8859-1", "utf_8", "Größe – für"), ("iso-8859-1", "koi8_r", RUSSIAN * 2), ("iso-8859-1", "cp1252", "Ãœü"),
        # Bytes that the standard has no character for are those of the Windows code page with the same letters
        ("iso-8859-2", "cp1250", "Zażółć gęślą jaźń – dzień"), ("iso-8859-7", "cp1253", "Άννα – “Καλημέρα”"),
        ("iso-8859-8", "cp1255", "שָׁלוֹם"), ("iso-8859-8-i", "cp1255", "“שלום” – עולם"),
        ("iso-8859-13", "cp1257", "Jāņa “grāmata” – ļoti"), ("iso-8859-15", "cp1252", "“cœur” – 5 €"),
        # Short text that is also UTF-8
        ("tis-620", "cp874", "าง"), ("tis-620", "cp874", "ะซอ"), ("ibm866", "cp866", "ре"), ("gb2312", "gbk", "校"),
        ("gb18030", "gb18030", "陸"), ("windows-1256", "cp1256", "ر،"), ("gb2312", "gbk", "联通"),
        # Others by the name of a multi-byte encoding; the text in UTF-8 is valid GBK, too, if its length is even
        ("gb2312", "big5", "中文主旨測試郵件內容"), ("big5", "gbk", "中文主题测试邮件内容"),
        ("gb2312", "cp1252", "naïve café"), ("gb2312", "utf_8", "中文内容和标题"),
        ("gb2312", "utf_8", "中文内容和标题" * 2),
    ],
)  # fmt: skip
def test_names_of_other_encodings(name: str, codec: str, text: str) -> None:
    assert mail.decode(text.encode(codec), name) == text


def test_short_text_may_be_anything_that_is_declared() -> None:
    for name in ("iso-8859-2", "iso-8859-5", "windows-1253", "koi8-u"):
        assert mail.decode(b"\xe6\xfe", name) == we.lookup(name).decode(b"\xe6\xfe")
    # A last byte that only begins a sequence is an error, too.
    assert mail.decode("会议通知的内容在附件里面".encode("gbk")[:-1], "gb2312")[:11] == "会议通知的内容在附件里"


def test_byte_order() -> None:
    text = "Привет, мир"
    for codec in ("utf_16_le", "utf_16_be"):
        assert mail.decode(text.encode(codec), "utf-16") == text
        assert mail.decode(b"plain", codec) == "plain"
    assert mail.decode(text.encode("utf_32"), "utf-32") == text
    assert mail.decode(text.encode("utf_32_le"), "utf-32") == text
    assert mail.decode(b"\xef\xbb\xbf" + text.encode(), "koi8-r") == text


VIETNAMESE = "Tôi có thể ăn thủy tinh mà không hại gì. NƯỚC VIỆT NAM Ở ĐÂY: ẲẴẪỶỸỴ"
# What iconv writes of it.
VISCII = bytes.fromhex(
    "54f46920 63f32074 68ac20e5 6e207468 fc792074 696e6820 6de0206b 68f46e67 2068d569 2067ec2e 204ebf95"
    "43205649 8e54204e 414d2097 20d0c259 3a200205 0614191e"
)


def test_viscii() -> None:
    assert mail.decode(VISCII, "viscii") == mail.decode(VISCII, "csVISCII") == VIETNAMESE
    assert mail.charset("VISCII") == mail.charset("x-viscii1.1-1") == "viscii"
    assert mail.decode(b"n\xdf\xbec", "viscii") == "nước"  # which is UTF-8 of another script, too
    assert mail.decode(VIETNAMESE.encode(), "viscii") == VIETNAMESE
    encoded = f"=?viscii?B?{b64encode(VISCII).decode()}?="
    data = b"Subject: %b\nX-Y: %b\nContent-Type: text/plain; charset=viscii\n\n%b" % (encoded.encode(), VISCII, VISCII)
    parsed = email.message_from_bytes(data, policy=mail.policy)
    assert parsed["subject"] == parsed["x-y"] == VIETNAMESE
    assert parsed.get_content() == parsed.get_content(errors="strict") == VIETNAMESE
    assert email.message_from_string(parsed.as_string(), policy=mail.policy).get_content().strip() == VIETNAMESE


def test_all_of_viscii() -> None:
    """RFC 1456 has a character for each byte, and ASCII except for six controls."""
    data = bytes(range(256))
    text = mail.decode(data, "viscii")
    assert "".join(character for byte, character in enumerate(text) if ord(character) != byte)[:6] == "ẲẴẪỶỸỴ"
    assert [byte for byte in range(128) if text[byte] != chr(byte)] == [0x02, 0x05, 0x06, 0x14, 0x19, 0x1E]
    if shutil.which("iconv"):
        converted = subprocess.run(["iconv", "-f", "VISCII", "-t", "UTF-8"], input=data, capture_output=True)
        assert converted.returncode != 0 or converted.stdout.decode() == text


# --- Mailboxes ---


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("~peter/mail/&U,BTFw-/&ZeVnLIqe-", "~peter/mail/台北/日本語"),  # of RFC 3501
        ("INBOX", "INBOX"), ("", ""), ("Entw&APw-rfe", "Entwürfe"), ("A&-B", "A&B"), ("&AOk-&-&AOk-", "é&é"),
        ("&BB4EQgQ,BEAEMAQyBDsENQQ9BD0ESwQ1-", "Отправленные"), ("&2D3eAA-", "😀"), ("&AAk-a", "\ta"),
        ("+-~\\", "+-~\\"),
        ("a&AOkA6gDr- b", "aéêë b"),
    ],
)  # fmt: skip
def test_names_of_mailboxes(name: str, text: str) -> None:
    assert mail.decode_mailbox(name) == mail.decode_mailbox(name.encode()) == text
    assert mail.encode_mailbox(text) == name.encode()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a&", "'&' without the '-' that ends what it begins, at 1"), ("&AOk", "without the '-'"),
        ("ab\xe9", r"U\+00E9, which is not encoded, at 2"), ("\r\n", r"U\+000D, which"), ("\x7f", r"U\+007F, which"),
        ("&AOk-&AOk-", "'-&' between characters that are encoded, at 4"), ("&A/k-", "'/' in base64, at 2"),
        ("x&AOk=-", "'=' in base64, at 5"), ("&AO&k-", "'&' in base64, at 3"),
        ("&AGE-", "printable ASCII in base64, at 1"), ("&ACY-", "printable ASCII in base64"),
        ("&AOl-", "base64 that ends within a character, at 1"), ("&AOkA-", "ends within"), ("&A-", "ends within"),
        ("&2D0-", "a lone surrogate in base64, at 1"), ("&3gDYPQ-", "a lone surrogate"),
    ],
)  # fmt: skip
def test_malformed_names_of_mailboxes(name: str, reason: str) -> None:
    for form in (name, name.encode("latin-1")):
        with pytest.raises(ValueError, match=reason):
            mail.decode_mailbox(form)


def _in_utf_7(run: re.Match[bytes]) -> bytes:
    if not run[1]:
        return b"&" if run[0] == b"&-" else b"+-"
    return b"+" + run[1].replace(b",", b"/") + b"-"


@given(st.text(max_size=20))
def test_any_name_of_a_mailbox(name: str) -> None:
    """What is encoded is ASCII that Python's own UTF-7 reads, with its other signs, and comes back."""
    encoded = mail.encode_mailbox(name)
    assert mail.decode_mailbox(encoded) == name
    assert encoded.decode("ascii").isprintable()
    runs = re.sub(rb"&([^-]*)-|[+]", _in_utf_7, encoded)
    assert runs.decode("utf-7") == name


@given(st.text("&-,+/=Aé0\n", max_size=12))
def test_a_name_is_refused_or_comes_back(name: str) -> None:
    try:
        text = mail.decode_mailbox(name)
    except ValueError:
        return
    assert mail.encode_mailbox(text) == name.encode()


def test_wrong_names_of_mailboxes() -> None:
    with pytest.raises(ValueError, match="a lone surrogate, at 2"):
        mail.encode_mailbox("aé\ud800")
    with pytest.raises(TypeError, match="must be a str, not bytes"):
        mail.encode_mailbox(b"a")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="must be bytes or a str, not NoneType"):
        mail.decode_mailbox(None)  # type: ignore[arg-type]


def test_damage() -> None:
    text = "日本語の文章がここにあります。" * 4
    for name in ("shift_jis", "euc-jp", "utf-8"):
        data = text.encode(name)
        assert mail.decode(data[:-1], name).startswith(text[:-1])
        broken = data[:30] + b"\xff" + data[30:]
        assert mail.decode(broken, name).replace("\ufffd", "")[:8] == text[:8]
    assert mail.decode(b"\x0eabc", "iso-2022-kr")  # without its designator
    assert mail.decode("안녕".encode("iso2022_kr").removeprefix(b"\x1b$)C"), "iso-2022-kr") == "안녕"


@given(st.binary(max_size=60), st.sampled_from([None, "x", *map(label, TEXTS), *we.LABELS]))
def test_any_bytes_have_a_text(data: bytes, name: str | None) -> None:
    text = mail.decode(data, name)
    text.encode()  # no surrogates
    charset = mail.charset(name)
    is_plain = data.isascii() and not {0, 0x1B, 0x7E, 0x2B, 0x0E, 0x0F} & {*data}
    if isinstance(charset, we.Encoding) and charset.is_utf_16:  # of which a control character is evidence
        is_plain = is_plain and not ({*range(0x20)} - {*b"\t\n\f\r"}) & {*data}
    if is_plain and isinstance(charset, we.Encoding):
        assert text == data.decode()


# --- Encoded words ---


@pytest.mark.parametrize("kind", "BQ")
@pytest.mark.parametrize("codec", TEXTS)
def test_words(codec: str, kind: str) -> None:
    text = TEXTS[codec]
    encoded = word(text, codec, kind)
    assert mail.decode_header(encoded) == text
    assert mail.decode_header(f"Re: {encoded} (2)") == f"Re: {text} (2)"
    assert mail.decode_header(encoded.replace(f"?{kind}?", f"*de-AT?{kind.lower()}?", 1)) == text
    assert message(f"Subject: {encoded}\r\n\r\n")["subject"] == text


@pytest.mark.parametrize("codec", ["utf_8", "big5", "cp932", "euc_kr", "gb18030", "iso2022_jp"])
def test_a_character_divided_between_words(codec: str) -> None:
    text = TEXTS[codec]
    data = text.encode(codec)
    for cut in range(1, len(data)):
        words = [f"=?{label(codec)}?B?{b64encode(part).decode()}?=" for part in (data[:cut], data[cut:])]
        for between in (" ", "\r\n ", "", "\t"):
            assert mail.decode_header(between.join(words)) == text


def test_base64_without_regard_to_words() -> None:
    """Software cuts base64 anywhere, forgets padding, pads within, and uses the alphabet of URLs."""
    text = "Привет, прекрасный мир"
    encoded = b64encode(text.encode()).decode()
    for cut in range(4, len(encoded) - 4):
        assert mail.decode_header(f"=?utf-8?B?{encoded[:cut]}?= =?utf-8?B?{encoded[cut:]}?=") == text
    assert mail.decode_header(f"=?utf-8?B?{encoded.rstrip('=')}?=") == text
    halves = b64encode("При".encode() + b"!").decode() + b64encode(b"?").decode()
    assert mail.decode_header(f"=?utf-8?B?{halves}?=") == "При!?"
    assert mail.decode_header("=?utf-8?B?8J-YgA?=") == "😀"
    assert mail.decode_header(f"=?utf-8?B?{encoded[:8]} {encoded[8:]}?=") == text


@pytest.mark.parametrize(
    ("header", "text"),
    [
        ("=?utf-8?Q?two words?= more", "two words more"), ("=?utf-8?Q?a_b=20c?=", "a b c"),
        ("a=?utf-8?q?=C3=A9?=b", "aéb"), ("=?utf-8?q?x?= =?iso-8859-1?q?=E9?= z", "xé z"), ("=?utf-8?q?=41?=", "A"),
        ("=?utf-8?q??=", ""), ("=?utf-8?q?=zz_=4?=", "=zz =4"), ("=?utf-8?q?x?=?utf-8?q?y?=", "xy"),
        ("=?utf-8?B?R3LDvMOf", "Grüß"), ("=?utf-8?Q?caf=C3=A9", "café"), ("=?utf-8?X?abc?=", "=?utf-8?X?abc?="),
        ("=?no end", "=?no end"), ("=?utf-8?q?=3D=3Futf-8=3Fq=3Fx=3F=3D?=", "=?utf-8?q?x?="),
        ("=?utf-8?q?100=_sure=?=", "100= sure="), ("=?utf-8?q?x==3D?=", "x=="),
        ("=?utf-8?q?caf=C?= =?utf-8?q?3=A9?=", "café"), ("=?utf 8?q?=C3=A9?= =? utf-8 ?q?=C3=A8?=", "éè"),
        ("=?unknown?Q?=C3=A9t=C3=A9?=", "été"), ("=??Q?=C3=A9t=C3=A9?=", "été"), ("plain", "plain"), ("", ""),
    ],
)  # fmt: skip
def test_words_as_they_should_not_be(header: str, text: str) -> None:
    assert mail.decode_header(header) == text
    assert mail.decode_header(header.encode()) == text


PIECES = [
    "=?utf-8?B?w4RuZGVydW5n?=", "=?utf-8?q?=C3=A9_x?=", "=?koi8-r?q?=F0=D2?=", "=?koi8-r?B?8NI=?=", " ", "  ", "a",
    "Re: ", "=?utf-8?Q?caf=C3?=", "=?utf-8?Q?=A9?=", "=?utf-8?B?w6k?=", "=?iso-2022-jp?B?GyRCJDMbKEI=?=", "\t",
    "=?gb2312?B?1uw=?=", "=?gb2312?q?=D6?=", "=?x-unknown?q?=E9?=", "=?utf-8?q??=", "=?utf-8?q?=0D=0Aa?=",
    "=?us-ascii?q?x?=", "=?utf-8?b?/+8=?=", "=?utf-8?q?a=?=", "=?utf-7?q?Hi+AOk-?=", "=?utf-8?B?QUJD!?=",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=6))
def test_headers_of_good_words_are_read_as_others(pieces: list[str]) -> None:
    """The language of a word makes no difference, but leads the whole header another way."""
    header = "".join(pieces)
    assert mail.decode_header(f"{header}, =?utf-8*en?q?b?=") == f"{mail.decode_header(f'{header}, ')}b"


def test_encodings_that_a_header_may_not_be_in() -> None:
    """In raw bytes and in words, as `decode` has it for bodies."""
    text = "Žluťoučký kůň"
    raw = text.encode("windows-1250")
    word, *words = (f"=?x-unknown?B?{b64encode(part).decode()}?=" for part in (raw, raw[:4], raw[4:]))
    for header in (raw, word, " ".join(words)):
        assert mail.decode_header(header) == text
        others = iter([we.WINDOWS_1251])
        assert mail.decode_header(header, candidates=others) == raw.decode("windows-1251")
        assert mail.decode_header(header, exclude=["gbk"], candidates=["koi8-r"]) == raw.decode("koi8-r")
        assert mail.decode_header(header, exclude=["windows-1250"]) == mail.decode(raw, exclude=["windows-1250"])
        with pytest.raises(TypeError, match="several encodings"):
            mail.decode_header(header, exclude="windows-1250")
        with pytest.raises(ValueError, match="candidates"):
            mail.decode_header(header, candidates=["utf-16le"])
    assert mail.decode_header("=?utf-8?Q?caf=C3=A9?=", candidates=["koi8-r"]) == "café".encode().decode("koi8-r")


def test_words_beyond_the_most_stay_encoded() -> None:
    text = mail.decode_header("=?utf-8?q?=C3=A9?=," * 20_000)
    assert text == "é," * 16_384 + "=?utf-8?q?=C3=A9?=," * (20_000 - 16_384)


def test_raw_headers() -> None:
    text = f"Re: {RUSSIAN}"
    for codec in ("koi8_r", "cp1251", "utf_8"):
        assert mail.decode_header(text.encode(codec)) == text
        assert message(b"Subject: " + text.encode(codec) + b"\n\n")["subject"] == text
    assert mail.decode_header(b"caf\xe9 =?utf-8?q?=E2=98=83?=") == "café ☃"
    assert mail.decode_header("日本".encode("iso2022_jp")) == "日本"
    assert mail.decode_header("already text: é ☃") == "already text: é ☃"
    # Two letters could be of many encodings: the body's charset tells.
    assert mail.decode_header(b"\xcf\xcb", fallback="koi8-r") == "ок"
    for name, expected in (("koi8-r", "ок"), ("windows-1251", "ПЛ"), ("iso-8859-7", "ΟΛ")):
        raw = b"Subject: \xcf\xcb\nContent-Type: text/plain; charset=" + name.encode() + b"\n\nx"
        assert message(raw)["subject"] == expected


# --- Addresses ---


@pytest.mark.parametrize(
    ("value", "addresses"),
    [
        ("=?utf-8?q?J=C3=B6rg?= <j@x.de>", [("Jörg", "j@x.de")]),
        ('"=?utf-8?q?M=C3=BCller=2C_J?=" <j@x.de>', [("Müller, J", "j@x.de")]),
        ("=?utf-8?q?M=C3=BCller,_J?= <j@x.de>, k@x.de", [("Müller, J", "j@x.de"), ("", "k@x.de")]),
        ("=?utf-8?q?=3Ca=40b=3E?= <j@x.de>", [("<a@b>", "j@x.de")]),
        ("=?utf-8?q?J=C3=B6rg?= j@x.de", [("Jörg", "j@x.de")]),
        ("=?utf-8?q?J=C3=B6rg?=<j@x.de>;=?utf-8?q?=C3=89?= <k@x.de>", [("Jörg", "j@x.de"), ("É", "k@x.de")]),
        ("=?utf-8?q?J=C3=B6rg?= <j@x.de> (=?utf-8?q?=29?= (b))", [("Jörg", "j@x.de")]),
        ("=?utf-8?q?J=C3=B6rg?= (( <j@x.de>", [("Jörg ((", "j@x.de")]),
        ('=?utf-8?q?=C3=89?= <"a>b"@x.de>', [("É", '"a>b"@x.de')]),
        ("=?utf-8?q?=C3=89?= <@r.de:j@x.de>, p@[IPv6:::1]", [("É", "j@x.de"), ("", "p@[IPv6:::1]")]),
        ("=?utf-8?q?=C3=89?= <j@[IPv6:::1]>", [("É", "j@[IPv6:::1]")]),
        ('"J. =?utf-8?q?=C3=89?= <j@x.de>, k@x.de', [("J. É", "j@x.de"), ("", "k@x.de")]),
        ("=?utf-8?q?=C3=89?= j@x.de>", [("É", "j@x.de")]),
        ("=?utf-8?q?=C3=89?= <=?utf-8?q?a=40b?=@x.de>", [("É", '"=?utf-8?q?a=40b?="@x.de')]),
    ],
)
def test_addresses(value: str, addresses: list[tuple[str, str]]) -> None:
    header = message(f"To: {value}\n\n")["to"]
    got = [(address.display_name, address.addr_spec.replace('"', "")) for address in header.addresses]
    assert got == [(name, specification.replace('"', "")) for name, specification in addresses]


def test_groups_and_names_alone() -> None:
    header = message("To: =?utf-8?q?K=C3=B6che?=: =?utf-8?q?=C3=84?= <a@x>, b@x;, c@x\n\n")["to"]
    assert [group.display_name for group in header.groups] == ["Köche", None]
    assert [address.addr_spec for address in header.addresses] == ["a@x", "b@x", "c@x"]
    assert str(header) == "Köche: Ä <a@x>, b@x;, c@x"
    alone = message("From: =?gb2312?B?086yyZjl?=\n\n")["from"]
    assert str(alone) == b"\xd3\xce\xb2\xc9\x98\xe5".decode("gb18030")


def test_raw_names() -> None:
    """A backslash that ends a character of Shift_JIS escapes no quotation mark."""
    assert str(message("To: 山田　太郎 <a@b>\n\n".encode())["to"]) == "山田　太郎 <a@b>"
    raw = b'To: "' + "表".encode("cp932") + b'" <a@b>, ' + "日本語の名前".encode("cp932") + b" <c@d>\n\n"
    assert [address.display_name for address in message(raw)["to"].addresses] == ["表", "日本語の名前"]


# --- Parameters ---


def filename(parameters: str | bytes) -> str | None:
    raw = parameters.encode("ascii") if isinstance(parameters, str) else parameters
    head = b"Content-Type: text/plain\nContent-Disposition: attachment; "
    name: str | None = message(head + raw + b"\n\nx").get_filename()
    return name


@pytest.mark.parametrize("codec", TEXTS)
def test_file_names(codec: str) -> None:
    name = f"{TEXTS[codec].replace(' ', '_')}.txt"
    data = name.encode(codec)
    encoded = quote(data, safe="")
    assert filename(f"filename*={label(codec)}''{encoded}") == name
    assert filename(f"filename*={label(codec)}'en'{encoded}; size=3") == name
    assert filename(f'filename="{word(name, codec)}"') == name
    assert filename(f"filename={word(name, codec, 'Q')}") == name
    parts = [encoded[start : start + 7] for start in range(0, len(encoded), 7)]
    parts[0] = f"{label(codec)}''{parts[0]}"
    sections = [f"filename*{number}*={part}" for number, part in enumerate(parts)]
    if all("%" not in part[-2:] for part in parts):
        assert filename(";\n ".join(sections)) == name
        assert filename("; ".join(reversed(sections))) == name


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ('filename="a \\"b\\" c.txt"', 'a "b" c.txt'), ('filename="a "b" c.txt"; x==?utf-8?q?y?=', 'a "b" c.txt'),
        ("filename=my file.txt; x==?utf-8?q?y?=", "my file.txt"), ("filename*=\"utf-8''%C3%A9.txt\"", "é.txt"),
        ("filename*=utf-8'%C3%A9.txt", "é.txt"), ("filename*=%C3%A9t%C3%A9.txt", "été.txt"),
        ("filename=plain.txt; filename*=utf-8''%C3%A9.txt", "é.txt"),
        ("filename*0*=utf-8''%C3%A9; filename*1=.txt", "é.txt"), ("filename*0=a; filename*1=b.txt", "ab.txt"),
        ('filename*0="=?utf-8?B?w6l0w6ku"; filename*1="dHh0?="', "été.txt"),
        ("FileName*1*=%A9.txt; FILENAME*0*=utf-8''%C3", "é.txt"),
        ('filename="=?utf-8?B?w6l0?=\n =?utf-8?B?w6kudHh0?="', "été.txt"),
        ("filename*=utf-8''%C3%A9.txt filename*=x", "é.txt filename*=x"),
        ('filename="=?utf-8?q?a=3B=22b?="; x=1', 'a;"b'), ("filename*0*=utf-8''%C; filename*1*=3%A9.txt", "é.txt"),
        ("filename*0*=utf-8''%C3; filename*1=%A9.txt; filename*2=%41", "é.txt%41"),
        ("filename*0*=gb18030''%D6; filename*1*=%EC%E9F.txt; filename*2=.gz", "朱镕.txt.gz"),
        ("filename=\"utf-8''%C3%A9.txt\"", "é.txt"), ('filename*0="utf-8\'\'%C3"; filename*1="%A9.txt"', "é.txt"),
        ("filename=\"it''s 100%25.txt\"", "it''s 100%25.txt"), ("filename=x.txt; filename*=", "x.txt"),
    ],
)  # fmt: skip
def test_parameters_as_they_should_not_be(parameters: str, name: str) -> None:
    assert filename(parameters) == name


def test_headers_that_are_encoded_as_a_whole() -> None:
    parsed = message(
        "Content-Type: =?unknown-8bit?q?application/PDF=3B_name=3D=22Stra=C3=9Fe=2Epdf=22?=\n"
        "Content-Disposition: =?unknown-8bit?q?attachment=3B?=\n =?unknown-8bit?q?_filename=3D=22Stra?=\n"
        " =?unknown-8bit?q?=C3=9Fe_A=2Epdf=22?=\n\nx"
    )
    assert parsed.get_content_type() == "application/pdf"
    assert parsed.is_attachment()
    assert (parsed.get_filename(), parsed.get_param("name")) == ("Straße A.pdf", "Straße.pdf")


def test_raw_parameters() -> None:
    assert filename('filename="見積　書.pdf"'.encode()) == filename("filename=見積　書.pdf".encode()) == "見積　書.pdf"
    assert filename(b'filename="' + "отчёт за год.pdf".encode() + b'"') == "отчёт за год.pdf"
    assert message(b"Content-Type: text/plain charset=koi8-r\n\n\xcf\xcb").get_content() == "ок"  # no semicolon
    assert filename(b'filename="' + "отчёт за прошлый год.pdf".encode("koi8_r") + b'"') == "отчёт за прошлый год.pdf"
    assert filename(b'filename="' + "表.txtの添付ファイル".encode("cp932") + b'"') == "表.txtの添付ファイル"


# --- Bodies ---


@pytest.mark.parametrize("transfer", ["8bit", "base64", "quoted-printable"])
@pytest.mark.parametrize("codec", TEXTS)
def test_bodies(codec: str, transfer: str) -> None:
    text = f"{TEXTS[codec]}\r\n"
    data = text.encode(codec)
    if transfer == "base64":
        data = b64encode(data)
    elif transfer == "quoted-printable":
        data = encodestring(data)
    elif codec.startswith(("utf_16", "utf_32")):
        return  # not lines
    head = f"Content-Type: text/plain; charset={label(codec)}\r\nContent-Transfer-Encoding: {transfer}\r\n\r\n"
    parsed = email.message_from_bytes(head.encode() + data, policy=mail.policy)
    assert parsed.get_content().replace("\r\n", "\n") == text.replace("\r\n", "\n")


def test_bodies_of_a_str_and_errors() -> None:
    text = "Content-Type: text/plain; charset=koi8-r\n\nuntouched: é日本"
    assert email.message_from_string(text, policy=mail.policy).get_content() == "untouched: é日本"
    parsed = message(b"Content-Type: text/plain; charset=utf-8\n\n" + "Größe und Maße überall".encode() + b"\xff")
    assert parsed.get_content().endswith("\ufffd")
    assert parsed.get_content(errors="ignore").endswith("überall")
    with pytest.raises(UnicodeDecodeError):
        parsed.get_content(errors="strict")


def test_base64_of_bodies() -> None:
    head = b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
    assert message(head + b64encode(b"one ") + b"\n" + b64encode("zwölf".encode()) + b"\n").get_content() == "one zwölf"
    for added in (b"", b"-- \nA list of x@y", b"\n\nAdded by: http://x\n", b"_______\nA list\n"):
        for text in ("Grüße", "Grüße!", "Grüße!!"):
            assert message(head + b64encode(text.encode()) + b"\n" + added).get_content() == text
    broken = message(head + b"YWJj!YQ\n")
    assert broken.get_content() == "abca"
    assert broken.as_bytes() == head + b"YWJj!YQ\n"
    assert message(head + b"not base64 at all: \xc3\xa9").get_content().endswith("é")
    image = b"Content-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw=="
    assert message(image).get_content() == b"\x89PNG"


@pytest.mark.parametrize(
    "transfer", ['"quoted-printable"', "quoted-printable;", "Quoted-Printable (x)", "BASE64;", "'base64'"]
)
def test_transfer_encodings_as_they_should_not_be(transfer: str) -> None:
    data = b64encode("Größe".encode()) if "64" in transfer else encodestring("Größe".encode())
    for kind, content in (("text/plain; charset=utf-8", "Größe"), ("image/png", "Größe".encode())):
        head = f"Content-Type: {kind}\nContent-Transfer-Encoding: {transfer}\n\n"
        assert message(head.encode() + data).get_content() == content
