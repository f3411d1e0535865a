"""``repair``: texts read wrongly by an outside codec or by ``Encoding.decode``, and good text that stays as it is."""

from __future__ import annotations

import random
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatwg_encoding as we

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from _pytest.mark import ParameterSet

TEXTS = {
    "de": "Die Würde des Menschen ist unantastbar, größere Übel ausgeschlossen.",
    "fr": "Déclaration à l’été : où êtes-vous, cher élève ?",
    "cs": "Příliš žluťoučký kůň úpěl ďábelské ódy a všichni lidé rodí se svobodní.",
    "pl": "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności.",
    "ru": "Все люди рождаются свободными и равными в своём достоинстве и правах.",
    "el": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια.",
    "ar": "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق",
    "he": "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם",
    "th": "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์",
    "vi": "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm.",
    "ja": "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
    "ko": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
    "zh": "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心。",
}
LEGACY = {
    "de": "windows-1252", "fr": "windows-1252", "cs": "windows-1250", "pl": "windows-1250", "ru": "windows-1251",
    "el": "windows-1253", "ar": "windows-1256", "he": "windows-1255", "ja": "Shift_JIS", "ko": "EUC-KR", "zh": "GBK",
}  # fmt: skip
READ_AS = ["windows-1252", "windows-1251", "KOI8-R", "macintosh", "GBK", "Shift_JIS", "cp437", "cp850", "cp866"]


UNMENDED_UTF_8 = {("th", "GBK"): "GBK reads the three bytes of a letter as two characters with a space between"}
UNMENDED_LEGACY = {("cs", "KOI8-R"): "other letters of the alphabet are as likely"}


def xfails(reason: str) -> pytest.MarkDecorator:
    """Return the mark of a text that cannot be mended yet."""
    return pytest.mark.xfail(strict=True, reason=reason)


def cases(languages: Iterable[str], codecs: Iterable[str], unmended: dict[tuple[str, str], str]) -> list[ParameterSet]:
    """Return each language with each codec; those that are not mended are expected to fail."""
    return [
        pytest.param(language, codec, marks=[xfails(unmended[key])] if (key := (language, codec)) in unmended else [])
        for language in languages
        for codec in codecs
    ]


def misread(text: str, was: str, read_as: str) -> str | None:
    """Return what a program reads, or None if it loses bytes."""
    data = we.lookup(was).encode(text, "fatal")
    read = data.decode(read_as, "replace") if read_as.startswith("cp") else we.lookup(read_as).decode(data)
    again = read.encode(read_as, "replace") if read_as.startswith("cp") else we.lookup(read_as).encode(read)
    return read if again == data and read != text else None


@pytest.mark.parametrize(("language", "read_as"), cases(TEXTS, READ_AS, UNMENDED_UTF_8))
def test_utf_8(language: str, read_as: str) -> None:
    text = TEXTS[language]
    wrong = misread(text, "utf-8", read_as)
    if wrong is not None:
        repaired = we.repair(wrong)
        assert (repaired.text, [was for _, was in repaired.steps]) == (text, ["UTF-8"])


@pytest.mark.parametrize(("language", "read_as"), cases(LEGACY, READ_AS, UNMENDED_LEGACY))
def test_legacy_encodings(language: str, read_as: str) -> None:
    text = TEXTS[language]
    wrong = misread(text.replace("’", "'"), LEGACY[language], read_as)
    if wrong is not None and read_as not in ("cp437", "cp850", "cp866"):
        assert we.repair(wrong).text == text.replace("’", "'")


@pytest.mark.parametrize("layers", [2, 3, 4])
@pytest.mark.parametrize("language", ["de", "ru", "ja"])
def test_several_times(language: str, layers: int) -> None:
    wrong: str | None = TEXTS[language]
    for _ in range(layers):
        wrong = misread(wrong, "utf-8", "windows-1252")
    assert we.repair(wrong)[:2] == (TEXTS[language], (("windows-1252", "UTF-8"),) * layers)


def test_steps_are_outermost_first() -> None:
    wrong = TEXTS["ru"].encode("cp1251").decode("koi8-r").encode().decode("mac-roman")
    assert we.repair(wrong)[:2] == (TEXTS["ru"], (("macintosh", "UTF-8"), ("KOI8-R", "windows-1251")))


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ("Das ist ein groÃŸer Erfolg für die Größe", "Das ist ein großer Erfolg für die Größe"),
        ("donâ€™t – “quoted”", "don’t – “quoted”"),
        ("L’Ã©tÃ© est là", "L’été est là"),
        ("kansainv‰lisen sopimuksen mukaan el‰‰", "kansainvälisen sopimuksen mukaan elää"),  # windows-1252 as macintosh
        ("une interface basÈe sur la carte dÈpliÈe", "une interface basée sur la carte dépliée"),
        pytest.param("😀 schÃ¶n 日本", "😀 schön 日本", marks=xfails("one word between ideographs is too little")),
        *(
            pytest.param(wrong, text, marks=xfails("a word or a letter in a legacy encoding is no evidence"))
            for wrong, text in (
                ("Сегодня в 10 часов утра ïðèâåò был в зале", "Сегодня в 10 часов утра привет был в зале"),
                ("Az akadálymentesítési technolуgiбs eszközök", "Az akadálymentesítési technológiás eszközök"),
                ("Υπάρχει ένα πρόβλημα με το áñ÷åßï", "Υπάρχει ένα πρόβλημα με το αρχείο"),
                ("della libertа e della giustizia", "della libertà e della giustizia"),  # as windows-1251
                ("e novo, a sua fй nos direitos", "e novo, a sua fé nos direitos"),
                ("libre. ArtМculo 13 Toda persona", "libre. Artículo 13 Toda persona"),  # as KOI8-R
                ("das auf diese Weise eingeh舅gt nicht", "das auf diese Weise eingehängt nicht"),  # as Shift_JIS
            )
        ),
    ],
)
def test_single_words_and_letters(wrong: str, text: str) -> None:
    """Parts of a line, and letters that no Latin word has."""
    assert we.repair(wrong).text == text


def test_lines_are_repaired_each_for_itself() -> None:
    good = "Größe\nÀ LA CARTE\n"
    wrong = TEXTS["ru"].encode().decode("latin-1")
    assert we.repair(f"{good}{wrong}\n{good}")[:2] == (f"{good}{TEXTS['ru']}\n{good}", (("iso-8859-1", "UTF-8"),))


@pytest.mark.parametrize(
    ("first", "good"),
    [
        ("ÄÎÁ ÐÒÉ×ÅÔ ÞÅÌÏ×ÅË", "(«archivo1», «archivo2» y «archivo3»)"),
        ("l'Èconomie franÁaise a ÈtÈ trËs frappÈe", "que s'instal·li o instal·lar el paquet"),
    ],
)
def test_what_a_line_had_is_not_forced_on_the_next(first: str, good: str) -> None:
    repaired = we.repair(f"{first}\n{good}")
    assert repaired.steps
    assert repaired.text.endswith(f"\n{good}")


@pytest.mark.parametrize(
    ("codec", "language"),
    cases(("cp1252", "cp1251", "cp1253", "gbk", "shift_jis"), ("ru", "ja", "pl", "el"), {}),
)
def test_lost_bytes_stay_lost_and_the_rest_returns(codec: str, language: str) -> None:
    text = TEXTS[language]
    wrong = text.encode().decode(codec, "replace")
    lost = wrong.count("\ufffd")
    if wrong.replace("\ufffd", "?") == text or lost > len(text) // 4:
        return
    repaired = we.repair(wrong).text
    assert repaired.count("\ufffd") <= lost
    pattern = ".{1,4}".join(map(re.escape, repaired.split("\ufffd")))  # a lost character may take its neighbour along
    assert re.fullmatch(pattern, text), repaired


def test_a_question_mark_for_a_lost_byte() -> None:
    wrong = "Dzień dobry, Łódź".encode().decode("cp1252", "replace").encode("cp1252", "replace").decode("cp1252")
    assert wrong == "DzieÅ„ dobry, Å?Ã³dÅº"
    assert we.repair(wrong).text == "Dzień dobry, \ufffdódź"


def test_good_text_stays() -> None:
    for text in TEXTS.values():
        assert we.repair(text)[:2] == (text, ())


def test_it_is_not_repaired_twice() -> None:
    for language, text in TEXTS.items():
        for read_as in READ_AS:
            wrong = misread(text, "utf-8", read_as)
            once = we.repair(wrong or "").text
            assert we.repair(once)[:2] == (once, ()), (language, read_as)


def test_a_long_line_is_repaired_as_a_whole() -> None:
    text = TEXTS["zh"].replace("，", "").replace("。", "") * 300
    assert we.repair(text.encode().decode("latin-1")) == (text, (("iso-8859-1", "UTF-8"),), ())
    mixed = "Grüne, " * 900 + "schÃ¶n, " + "Grüne, " * 900
    assert we.repair(mixed).text == mixed.replace("Ã¶", "ö")


@xfails("one garbled word among twenty of Größe stays")
def test_one_word_of_a_long_line() -> None:
    mixed = "Größe, " * 900 + "schÃ¶n, " + "Größe, " * 900
    assert we.repair(mixed).text == mixed.replace("Ã¶", "ö")


@pytest.mark.parametrize("unit", ["Ã", "é à ", "РС", "\ufffd", "中文", "Ã©", "ﾃ\ufffd", "┌─é", "â€"])
def test_time_is_linear(unit: str) -> None:
    source = random.Random(3)
    small = "".join(unit + source.choice(("", " ", "x")) for _ in range(8_000 // len(unit)))

    def seconds(text: str) -> float:
        before = time.process_time()
        we.repair(text)
        return time.process_time() - before

    we.repair(small[:100])
    assert min(seconds(small * 4) for _ in range(2)) < 12 * min(seconds(small) for _ in range(2)) + 0.05


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ("KÃ¶ln, LÃ©on, HÃ´tel, RÄ«ga", "Köln, Léon, Hôtel, Rīga"),
        ("ESPAÃ‘A, CAFÃ‰", "ESPAÑA, CAFÉ"),
        ("25 Â°C, NÂº 12, Â© 2024, 3 Ã— 4, Â¡Hola!", "25 °C, Nº 12, © 2024, 3 × 4, ¡Hola!"),
        ("Hi í\xa0½í¸\x8d", "Hi 😍"),  # CESU-8
        ("ï»¿id", "\ufeffid"),
        ("s ï¿½ pode", "s \ufffd pode"),
        ("Iranian 鈥檛 and Gr枚脽e", "Iranian ’t and Größe"),
        (r'{"name": "Caf\u00c3\u00a9"}', r'{"name": "Caf\u00e9"}'),
        ("cafÃ©\ncafÃƒÂ©", "café\ncafé"),
        ("JosÃ© GarcÃa", "José GarcÃa"),
        ("å±æ±ç¸£", "å±æ±ç¸£"),
        ("à¤à¤à¤à¤¤", "à¤à¤à¤à¤¤"),  # Devanagari without C1
        ("po kopjohen kartela burimâ€", "po kopjohen kartela burimâ€"),  # an ellipsis, of which the text was cut
        ('Ã  possibile inviare un file "svuota".', 'Ã  possibile inviare un file "svuota".'),  # È; a byte is a space
    ],
)
def test_what_is_common(wrong: str, text: str) -> None:
    """Capitals, signs, other forms of UTF-8; and nothing is invented for what is gone."""
    assert we.repair(wrong).text == text


def test_where_a_character_is_gone() -> None:
    dropped, replaced = we.repair("JosÃ© GarcÃa"), we.repair("DzieÅ„ dobry, Å?Ã³dÅº")
    ((start, end, candidates),) = dropped.lost
    assert (dropped.text[start:end], "í" in candidates, "é" in candidates) == ("Ã", True, False)
    ((start, end, candidates),) = replaced.lost
    assert (replaced.text[start:end], "Ł" in candidates, "ó" in candidates) == ("\ufffd", True, False)


_PARTS = (
    "cafÃ©", "cafÃƒÂ©", "é", "Größe", "ÐŸÑ€Ð¸Ð²ÐµÑ‚", "p√°gina", "ä½", "å¥½", "山田", "Å?", "Ã\xa0", "25Â°C", "â€œx",
    "â€", "\x93y", "Ïðèâåò,ìèð!",
)  # fmt: skip
_LINES = st.lists(st.sampled_from(_PARTS), max_size=6)


@given(st.lists(_LINES.map(" ".join), min_size=1, max_size=4))
def test_a_line_is_the_same_in_any_company(lines: list[str]) -> None:
    assert we.repair("\n".join(lines)).text.split("\n") == [repaired.text for repaired in we.repair_many(lines)]


@given(_LINES.map(" ".join) | st.text(st.sampled_from("ÃÂ©¤¼¶â€™“”ÐÑ\x81РСв?\ufffd aeß中Â ¬√├®"), max_size=40))
def test_the_result_is_stable(text: str) -> None:
    repaired = we.repair(text).text
    assert we.repair(repaired).text == repaired


@pytest.mark.parametrize("seed", [2, 5])
def test_the_result_of_a_line_that_is_mended_in_pieces_is_stable(seed: int) -> None:
    """The pieces end elsewhere when they are shorter."""
    source = random.Random(seed)
    words = source.choices(" ".join(TEXTS.values()).split(), k=500)
    line = " ".join(word.encode().decode(source.choice(["cp1252", "cp1251", "cp437"]), "ignore") for word in words)
    repaired = we.repair(line[:6000]).text
    assert we.repair(repaired).text == repaired


def test_without_legacy_only_utf_8_is_restored() -> None:
    in_utf_8, in_legacy = "SchÃ¶ne GrÃ¼ÃŸe", "Ïðèâåò, êàê äåëà?"
    assert we.repair(in_legacy).text == "Привет, как дела?"
    assert we.repair(in_legacy, legacy=False) == we.Repaired(in_legacy, (), ())
    assert we.repair(in_utf_8, legacy=False).text == "Schöne Grüße"
