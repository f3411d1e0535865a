"""``decode_together``: names encoded by Python's codecs, whose encoding is to be found again."""

from __future__ import annotations

import array
import copy
import pickle
from collections.abc import Iterator
from random import Random

import pytest

import whatwg_encoding as we
from tests.api.test_readers import records
from tests.reference import oracle

MIXED = {
    "cp1252": "Müller Köln Straße Übung Weiß Jürgen Mädchen naïve Café Größe Düren Zürich Böhm",
    "cp1250": "Łódź Kraków Gdańsk Poznań Wrocław Rzeszów Białystok Częstochowa Żywiec Świdnica",
    "cp1251": "Москва Казань Самара Воронеж Пермь Тюмень Ижевск Саратов Иркутск Омск",
    "cp852": "Příloha Žádost účtenka Plzeň Děčín Břeclav Třebíč Kroměříž Opočno Sušice",
    "cp932": "日本語 東京都 大阪府 報告書 写真一覧 会議録 住所録 鈴木一郎 佐藤花子 北海道",
    "gbk": "报告 会议记录 北京照片 上海市 广州市 通讯录 产品目录 合同文本 财务报表 张伟",
}

NAMES = {
    "ru": ["Отчёт за март.doc", "Письмо.txt", "Счёт № 5.xls", "Фото 2019", "readme.txt"],
    "cs": ["Příloha č. 1.doc", "Žádost o dovolenou.txt", "účtenka.jpg", "readme.txt"],
    "de": ["Übersicht.doc", "Grüße aus München.txt", "Straßenkarte.jpg", "größer.txt"],
    "el": ["Έκθεση Μαρτίου.doc", "Φωτογραφία.jpg", "σημειώσεις.txt"],
    "he": ["דוח חודשי.doc", "תמונה.jpg", "רשימה.txt"],
    "tr": ["Özgeçmiş.doc", "İstanbul gezisi.jpg", "çalışma planı.txt", "ağaç.txt"],
    "ja": ["報告書.doc", "写真一覧.txt", "東京タワー.jpg", "メモ.txt"],
    "ko": ["보고서.doc", "사진 목록.txt", "회의록.txt"],
    "zh": ["报告.doc", "会议记录.txt", "北京照片.jpg"],
}
CODECS = [
    ("ru", "cp866", "IBM866"), ("ru", "cp1251", "windows-1251"), ("ru", "koi8-r", "KOI8-R"), ("cs", "cp852", "cp852"),
    ("cs", "cp1250", "windows-1250"), ("de", "cp437", "cp437"), ("de", "cp1252", "windows-1252"),
    ("el", "cp737", "cp737"), ("el", "cp1253", "windows-1253"), ("he", "cp862", "cp862"),
    ("he", "cp1255", "windows-1255"), ("tr", "cp857", "cp857"), ("tr", "cp1254", "windows-1254"),
    ("ja", "cp932", "Shift_JIS"), ("ja", "euc-jp", "EUC-JP"), ("ko", "euc-kr", "EUC-KR"), ("zh", "gbk", "GBK"),
    *((language, "utf-8", "UTF-8") for language in NAMES),
]  # fmt: skip


def names(language: str, codec: str) -> list[str]:
    return [text for text in NAMES[language] if text.encode(codec, "ignore").decode(codec) == text]


@pytest.mark.parametrize(("language", "codec", "name"), CODECS)
def test_names(language: str, codec: str, name: str) -> None:
    texts = names(language, codec)
    assert len(texts) > 2
    together = we.decode_together([text.encode(codec) for text in texts], dos=True)
    assert together.texts == tuple(texts)
    assert (together.encoding if isinstance(together.encoding, str) else together.encoding.name) == name


def test_code_pages_of_dos_on_request_only() -> None:
    data = [text.encode("cp437") for text in names("de", "cp437")]
    assert isinstance(we.decode_together(data).encoding, we.Encoding)
    assert we.decode_together(data, dos=True).encoding == "cp437"


@pytest.mark.parametrize(
    ("names", "codec"),
    [
        (["Voreinstellung", "ausgeführte.doc"], "cp437"),  # Shift_JIS: ausgef”rte
        (["angegebenen Zeichen berücksichtigt"], "cp850"),  # Shift_JIS: ber…ksichtigt
        (["Guía.txt"], "cp850"),  # ISO-8859-13: Gu”a
        (["s är klass.doc"], "cp850"),  # Shift_JIS: s в klass
        (["IEEE 802.2 LLC protokolü (1).pdf", "son etkinleştirmeden sonra.txt"], "cp857"),  # UTF-8 with errors
    ],
)
def test_a_letter_or_two(names: list[str], codec: str) -> None:
    assert we.decode_together([name.encode(codec) for name in names], dos=True).texts == tuple(names)


def test_a_language_is_a_hint() -> None:
    data = ["Lødøs å".encode("cp850")]
    for language in ("da", "da-DK", "da_DK"):
        assert we.decode_together(data, dos=True, language=language).encoding == "cp850"
    assert we.decode_together([b"\xc0\xc1"], tld="ru").encoding is we.WINDOWS_1251


def test_ascii_empty_and_escapes() -> None:
    assert we.decode_together([]) == ((), we.UTF_8)
    assert we.decode_together([b"", b"a.txt"], dos=True) == (("", "a.txt"), we.UTF_8)
    assert we.decode_together([b"a", "日本語".encode("iso-2022-jp")]) == (("a", "日本語"), we.ISO_2022_JP)


def test_items_of_any_kind() -> None:
    data = [text.encode("cp1251") for text in NAMES["ru"]]
    for items in (tuple(data), iter(data), map(bytearray, data), [memoryview(item) for item in data],
                  [array.array("B", item) for item in data]):  # fmt: skip
        assert we.decode_together(items).texts == tuple(NAMES["ru"])

    def generated() -> Iterator[bytes]:
        yield from data

    assert we.decode_together(generated()).texts == tuple(NAMES["ru"])


def test_malformed_bytes() -> None:
    data = [text.encode("cp932") for text in NAMES["ja"]]
    assert we.decode_together([*data, b"\x81"]).texts == (*NAMES["ja"], "\ufffd")


@pytest.mark.parametrize(
    ("items", "message"),
    [
        (b"bytes", "items must be several byte strings, not bytes"),
        ("text", "items must be several byte strings, not str"),
        ([b"a", "text"], "item 1 must be bytes-like, not str"),
        ([None], "item 0 must be bytes-like, not NoneType"),
        (5, "not iterable"),
    ],
)
def test_wrong_items(items: object, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        we.decode_together(items)  # type: ignore[arg-type]


@pytest.mark.parametrize("share", [0, 5, 25, 50, 75, 95, 100])
@pytest.mark.parametrize("codec", MIXED)
def test_valid_utf_8_is_set_apart(codec: str, share: int) -> None:
    """A column of which a part was converted: none of the names in either encoding is lost."""
    random = Random(f"{codec} {share}")
    names = [random.choice(MIXED[codec].split()) for _ in range(60)]
    items = [name.encode("utf-8" if random.random() * 100 < share else codec) for name in names]
    assert list(we.decode_together(items, dos=codec.startswith("cp")).texts) == names


def test_bytes_that_are_valid_utf_8_by_chance() -> None:
    """The Chinese for a list of addresses is valid UTF-8 in GBK; beside others it is what these are."""
    names = ["通讯录", "会议记录", "北京照片", "产品目录"]
    assert "通讯录".encode("gbk").decode("utf-8") == "ͨѶ¼"
    assert we.decode_together([name.encode("gbk") for name in names]).texts == tuple(names)


def test_errors_are_those_of_the_items() -> None:
    """Sixteen errors are described, each by its item and by its place there, and all are counted."""
    good = "отчёт о работе\nписьмо директору\n"
    items = [good.encode("koi8-r"), good.encode(), *[good.encode("shift_jis") + b"\x81"] * 9, *[b"\xa0\xff\xff"] * 5]
    result = we.decode_together(items)
    assert result.encoding is we.SHIFT_JIS
    names = ["UTF-8" if item == good.encode() else "Shift_JIS" for item in items]
    decoded = list(map(oracle.decode, names, items))
    assert result.texts == tuple(text for text, _ in decoded)
    places = enumerate(map(records, names, items))
    expected = [(index, record) for index, of_item in places for record in of_item]
    assert len(expected) == sum(len(spans) for _, spans in decoded) > 16
    assert (result.errors, list(result.first_errors)) == (len(expected), expected[:16])
    for same in (pickle.loads(pickle.dumps(result)), copy.copy(result)):
        assert (same, same.errors, same.first_errors) == (result, result.errors, result.first_errors)
    assert we.decode_together([good.encode()]).first_errors == ()


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-16"])
@pytest.mark.parametrize("language", NAMES)
def test_utf_16(language: str, codec: str) -> None:
    together = we.decode_together([name.encode(codec) for name in NAMES[language]])
    assert together.texts == tuple(NAMES[language])
    assert together.encoding is (we.UTF_16BE if codec == "utf-16-be" else we.UTF_16LE)


def test_a_mark_of_utf_8_is_removed() -> None:
    assert we.decode_together(["\ufeffGröße".encode(), b"a"]) == (("Größe", "a"), we.UTF_8)


def test_valid_utf_8_may_be_excluded() -> None:
    assert we.decode_together(["é".encode()], exclude=["utf-8"]).encoding is not we.UTF_8
