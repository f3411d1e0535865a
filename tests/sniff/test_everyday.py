"""What people write: apostrophes, units, prices, tables, half-width kana. Right values are the texts themselves."""

from __future__ import annotations

import itertools

import pytest

import whatwg_encoding as we
from whatwg_encoding import sniff

ENGLISH = [
    "We don’t sell your data, and it isn’t shared with anyone.",
    "“You’ll see,” she said — and closed the door.",
    "It’s the neighbours’ fence, so they’re paying for it…",
    "Opening hours: 9–17 on weekdays, 10–14 on Saturdays. We’re closed on Sundays.",
    "I’ve never heard of it; you’d better ask somebody who’s been there.",
]
OTHERS = [
    "No m’agrada, però l’altre és d’en Pere.",
    "Dell’acqua, un po’ di pane e l’olio.",
    "’n Man en ’n vrou by die see",
]
SYMBOLS = [
    "The high was 35 °C (95 °F) in summer.", "sensor 1: 20°C, sensor 2: 21°C", "Total: 15 €",
    "price;5,90 €\r\nrent;700,00 €",
    "from £3 to £4", "width 5 µm, height 7 µm", "1920 × 1080 px", "add ½ cup of sugar", "Acme® and Other™", "± 0.5 %",
    "area 30 m²", "see § 12", "Copyright © 2024 Example", "nº 5", "wire 0,4 mm²,Cu",
]  # fmt: skip
KANA = [
    "ﾔﾏﾀﾞ ﾀﾛｳ", "1,ｻﾄｳ ﾊﾅｺ,1200\r\n2,ｽｽﾞｷ ｲﾁﾛｳ,900", "ﾌﾟﾛｸﾞﾗﾑを終了します", "あいうえおｱｲｳｴｵ",
]  # fmt: skip


@pytest.mark.parametrize("codec", ["cp1252", "macintosh"])
@pytest.mark.parametrize("text", [*ENGLISH, *OTHERS])
def test_quotation_marks_and_dashes(text: str, codec: str) -> None:
    data = text.encode("mac_roman" if codec == "macintosh" else codec)
    assert we.decode_crawled(data, f"text/html; charset={codec.replace('cp', 'windows-')}").text == text
    if codec == "cp1252":
        assert we.decode_crawled(data).text == text


@pytest.mark.parametrize("text", SYMBOLS)
def test_symbols_among_ascii(text: str) -> None:
    data = text.encode("cp1252")
    for header in (None, "text/plain; charset=windows-1252", "text/plain; charset=iso-8859-1"):
        assert we.decode_crawled(data, header).text == text


@pytest.mark.parametrize("text", KANA)
@pytest.mark.parametrize("codec", ["shift_jis", "euc_jp"])
def test_half_width_kana(text: str, codec: str) -> None:
    assert sniff.detect(text.encode(codec))[0].encoding is we.lookup(codec.replace("_jp", "-jp"))


@pytest.mark.parametrize("text", ENGLISH + SYMBOLS[:6])
@pytest.mark.parametrize("times", [3, 10, 100, 1000])
def test_repetition_makes_no_page_surer_of_a_wrong_answer(text: str, times: int) -> None:
    lines = "\n".join(f"<p>{number}. {text}</p>" for number in range(times))
    assert we.decode_crawled(lines.encode("cp1252")).text == lines


def test_a_context_counts_for_the_1st_4th_16th_time() -> None:
    """Digits are one context, so that the score of rows grows with the logarithm of their number."""
    scores = []
    for times in (64, 256, 1024):
        rows = "".join(f"row {number}: 5°C\n" for number in range(times)).encode("cp1252")
        scores.append({guess.encoding: guess.score for guess in sniff.detect(rows)})
    ahead = [score[we.MACINTOSH] - score[we.WINDOWS_1252] for score in scores]
    steps = [after - before for before, after in itertools.pairwise(ahead)]
    assert all(abs(step) <= 40 for step in steps), ahead  # one context more for four times as many rows


def test_what_never_is_text() -> None:
    good = sniff.text_cost("coöperation")
    for wrong in ("co\ue498eration", "co\x96peration"):
        assert sniff.text_cost(wrong) > good + 10, wrong
    # An error or a private character costs more than a rare place of a symbol.
    assert sniff.text_cost("a\ue000b") > sniff.text_cost("a◊b")


def test_kana_are_kana() -> None:
    assert sniff.text_cost("ﾌﾟﾛｸﾞﾗﾑ") < sniff.text_cost("ﾌﾟﾛｸﾞﾗﾑ".encode("cp932").decode("cp874", "replace"))
    assert sniff.text_cost("ﾌﾟﾛｸﾞﾗﾑ") < 2 * sniff.text_cost("プログラム")


@pytest.mark.parametrize(
    ("text", "codec", "label"),
    [("王小明", "gbk", "gb2312"), ("Größe", "cp1252", "iso-8859-1"), ("Привет", "koi8_r", "koi8-r"),
     ("žluťoučký", "iso8859_2", "iso-8859-2"), ("漢字", "euc_jp", "euc-jp"), ("äöü", "mac_roman", "macintosh"),
     ("ÄÖÜäöüß", "cp1252", "windows-1252"), ("àâçéèêëîïôûù", "cp1252", "windows-1252"),
     ("test ñáéíóú¿¡ test", "cp1252", "windows-1252")],
)  # fmt: skip
def test_a_right_declaration_of_a_word_stays(text: str, codec: str, label: str) -> None:
    assert we.decode_crawled(text.encode(codec), f"text/html; charset={label}").text == text
