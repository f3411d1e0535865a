"""The explorer in Chromium, used as a person does: typing, links, the back button, files, the keyboard."""

from __future__ import annotations

import contextlib
import io
import json
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import whatwg_encoding as we
from tests.node import installed
from tests.programs import ROOT

pytestmark = pytest.mark.repeated  # in another program

INDEXES: dict[str, Any] = json.loads((ROOT / "data" / "indexes.json").read_text(encoding="utf-8"))
HERE = Path(__file__).resolve().parent
AGREE = "The engine and the standard’s algorithm agree."
READY = "return document.documentElement.dataset.ready === 'true'"


pytestmark = pytest.mark.gate


class Page:
    def __init__(self, browser: Any, path: Path) -> None:
        self.browser = browser
        self.path = path
        browser.get_log("browser")

    def open(self, address: str = "") -> None:
        self.browser.get("about:blank")
        self.browser.get(self.path.as_uri() + quote(address, safe="#=&,%+?"))
        self.wait(READY)

    def wait(self, script: str, *arguments: object) -> Any:
        """Wait until a script returns something true, and return that."""
        from selenium.webdriver.support.ui import WebDriverWait

        return WebDriverWait(self.browser, 180, 0.02).until(lambda browser: browser.execute_script(script, *arguments))

    def run(self, script: str, *arguments: object) -> Any:
        return self.browser.execute_script(script, *arguments)

    def text(self, selector: str) -> str:
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def texts(self, selector: str) -> list[str]:
        return self.run(
            "return Array.from(document.querySelectorAll(arguments[0]), (element) => element.textContent)", selector
        )

    def click(self, selector: str) -> None:
        self.browser.find_element("css selector", selector).click()

    @property
    def counts(self) -> list[int]:
        """The numbers of the legend."""
        return self.run("return Array.from(document.querySelectorAll('#legend data'), (count) => Number(count.value))")

    def type(self, selector: str, text: str) -> None:
        field = self.browser.find_element("css selector", selector)
        field.clear()
        field.send_keys(text)

    @property
    def address(self) -> str:
        return self.run("return decodeURIComponent(location.hash)")


@pytest.fixture
def page(browser: Any, explorer: Path) -> Any:
    opened = Page(browser, explorer)
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    yield opened
    assert browser.get_log("browser") == []


# -- Bytes and text ----------------------------------------------------------------------------------------------------


@pytest.mark.gate
def test_bytes_of_an_address(page: Page) -> None:
    page.open("#label=shift_jis&bytes=82a0874081fd41")
    assert page.text("#result") == "あ①\ufffdA"
    assert page.texts("#rows [data-what=emitted]") == [
        "U+3042 HIRAGANA LETTER A", "U+2460 CIRCLED DIGIT ONE", "U+FFFD REPLACEMENT CHARACTER",
        "U+0041 LATIN CAPITAL LETTER A", "The input ends.",
    ]  # fmt: skip
    assert page.texts("#rows .why") == ["Error. FD can’t follow 81 in Shift_JIS."]
    assert page.text("#row-1 .lookup") == "index jis0208, pointer 283"
    assert page.texts("#rows details[open]") == []
    page.click("#open-steps")
    page.wait("return document.querySelector('#row-1 li a')")
    steps = ["3", "3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.8", "3.9"]
    assert page.texts("#row-1 li a") == ["Shift_JIS decoder", *steps]
    assert page.text("#row-0 li span").split("  ")[0] == (
        "The byte is in the range 0x81 to 0x9F or 0xE0 to 0xFC. "
        "Set the stored leading byte to the byte. leading = 0x82 Continue with the next byte. "
    )
    links = page.run("return Array.from(document.querySelectorAll('#rows .call li a'), (link) => link.href)")
    assert set(links) == {"https://encoding.spec.whatwg.org/#shift_jis-decoder"}
    assert page.text("#agreement") == AGREE
    assert page.text("#error-list") == "81 FD at 4"


def test_the_page_opens_with_a_sentence_and_four_examples(page: Page) -> None:
    page.open()
    assert page.text("#inspect h1") == "See what bytes mean in every encoding of the web, and why."
    assert not page.run("return document.getElementById('answer').checkVisibility()")
    questions = []
    for number in range(1, 5):
        page.open()
        page.click(f"#examples a:nth-child({number})")
        page.wait("return document.getElementById('answer').checkVisibility()")
        questions.append(page.text("#questions [aria-current]"))
        assert page.text("#fault") == ""
    assert questions == ["Mend", "Decode", "Identify", "Look up"]
    assert page.text("#character h2") == "EURO SIGN"


@pytest.mark.parametrize(
    ("address", "title"),
    [
        ("", "Encoding explorer"), ("#label=shift_jis&bytes=82a041", "Decode 82a041 · Encoding explorer"),
        ("#character=€", "Look up € · Encoding explorer"), ("#table=big5", "Index big5 · Encoding explorer"),
    ],
)  # fmt: skip
def test_the_title_names_what_is_shown(page: Page, address: str, title: str) -> None:
    page.open(address)
    assert page.browser.title == title


@pytest.mark.parametrize(
    ("typed", "kind", "question", "address"),
    [
        ("82 a0 82 a9", "hex", "Identify", "#detect=82a082a9"),
        ("a%82%A0b", "escapes", "Identify", "#detect=a%82%A0b"),
        ("naïve text", "text", "Encode", "#label=utf-8&text=naïve text"),
        ("€", "text", "Look up", "#character=€"),
        ("SchÃ¶ne GrÃ¼ÃŸe", "mojibake", "Mend", "#repair=SchÃ¶ne GrÃ¼ÃŸe"),
    ],
)
def test_the_field_says_what_it_takes_its_input_for(
    page: Page, typed: str, kind: str, question: str, address: str
) -> None:
    page.open()
    page.type("#input", typed)
    assert page.run("return document.querySelector('#kinds :checked').value") == kind
    assert page.text("#questions [aria-current]") == question
    assert page.address == address


def test_a_person_can_change_what_the_input_is_taken_for(page: Page) -> None:
    page.open()
    page.type("#input", "cafe")
    assert page.text("#taken") == "2 bytes in hexadecimal"
    for kind, question, address in (
        ("text", "Identify", "#detect=cafe&as=text"), ("mojibake", "Mend", "#repair=cafe"),
        ("hex", "Identify", "#detect=cafe"),
    ):  # fmt: skip
        page.run("document.querySelector(`[name=kind][value=${arguments[0]}]`).click()", kind)
        if kind == "text":  # The question was not asked by the person, so that it follows.
            question, address = "Encode", "#label=utf-8&text=cafe"
        assert page.text("#questions [aria-current]") == question
        assert page.address == address
        assert page.run("return document.querySelector('#kinds :checked').value") == kind


def test_another_question_takes_over_the_answer(page: Page) -> None:
    page.open("#label=shift_jis&bytes=82a082a9")
    for question, address in (
        ("encode", "#label=shift_jis&text=あか"), ("lookup", "#character=あか"), ("mend", "#repair=あか"),
        ("identify", "#detect=e38182e3818b"), ("decode", "#label=utf-8&bytes=e38182e3818b"),
    ):  # fmt: skip
        page.click(f"#questions [data-view={question}]")
        assert page.address == address
    assert page.text("#result") == "あか"


def test_bytes_and_characters_are_joined(page: Page) -> None:
    from selenium.webdriver import ActionChains

    page.open("#label=shift_jis&bytes=82a0874081fd41")
    for selector in ("#source .chip", "#result .chip", "#rows .unit"):
        chips = page.browser.find_elements("css selector", selector)[1:3]
        for number, chip in enumerate(chips, 1):
            ActionChains(page.browser).move_to_element(chip).perform()
            lit = page.run("return Array.from(document.querySelectorAll('.lit'), (part) => part.dataset.unit)")
            assert lit == [str(number)] * 3
    colours = page.run(
        "return ['#source', '#result'].map((id) => [...document.querySelectorAll(`${id} .chip`)]"
        ".map((chip) => getComputedStyle(chip).backgroundColor).join())"
    )
    assert colours[0] == colours[1]
    assert len(set(colours[0].split("rgb"))) == 5


def test_the_arrow_keys_walk_a_pane(page: Page) -> None:
    from selenium.webdriver import Keys

    page.open("#label=iso-2022-jp&bytes=1b24422422fe")
    result = page.browser.find_element("id", "result")
    result.send_keys(Keys.ARROW_RIGHT)
    assert page.text("#announcement") == "24 22, U+3042 HIRAGANA LETTER A"
    assert page.texts(".lit.chip") == ["24 22", "あ"]
    result.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    told = "FE, U+FFFD REPLACEMENT CHARACTER, Error. FE doesn’t start a character in ISO-2022-JP."
    assert page.text("#announcement") == told
    result.send_keys(Keys.ENTER)
    page.wait("return document.querySelector('.unit.lit details[open] li')")
    assert page.texts(".unit.lit li a")[:2] == ["ISO-2022-JP decoder", "leading byte › Otherwise"]


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("label=gb18030&bytes=8130ff", "FF can’t follow 81 30 in gb18030. 81 is one error, and 30 FF are read again."),
        ("label=utf-8&bytes=e38141", "41 can’t follow E3 81 in UTF-8. E3 81 is one error, and 41 is read again."),
        ("label=big5&bytes=8140", "Index big5 has no character for 81 40 (pointer 0). 81 is one error, and 40 is read "
         "again."),
        ("label=euc-jp&bytes=8fa1", "The input ends within a character: 8F A1 are incomplete."),
        ("label=iso-2022-kr&bytes=41", "The labels of this encoding are unsafe, so that the standard makes one error "
         "of any input."),
        ("label=shift_jis&text=☺", "Shift_JIS has no bytes for U+263A ☺. The reference &#9786; replaces it."),
    ],
)  # fmt: skip
def test_an_error_says_why(page: Page, address: str, why: str) -> None:
    page.open(f"#{address}")
    assert page.texts("#rows .why") == [f"Error. {why}"]


@pytest.mark.parametrize(
    ("address", "selector", "told"),
    [
        ("#label=utf-8&bytes=" + "61" * 1_000_000, "#notice", "The address contains 2,000,000 characters."),
        ("#detect=" + "61" * 1_000_000, "#notice", "The address contains 2,000,000 characters."),
        ("#label=utf-8&text=" + "a%" * 500_000, "#notice", "The address contains 1,000,000 characters."),
        ("#repair=" + "Ã¶" * 20_000, "#notice", "The address contains 40,000 characters."),
        ("#character=%25ED%25A0%2580", "#notice", "Part of the address is not UTF-8"),
        ("#label=utf-8&text=%25ED%25A0%2580", "#notice", "Part of the address is not UTF-8"),
        ("#character=U+D800", "#fault", "U+D800 is a surrogate"),
        ("#character=U+110000", "#fault", "U+110000 doesn’t exist"),
        ("#nothing=1", "#notice", "The address asks for “nothing”"),
        ("#label=klingon&bytes=41", "#fault", "“klingon” is not the label of an encoding."),
        ("#table=klingon", "#table-fault", "“klingon” is not the name of an index."),
        ("#label=utf-8&bytes=41&at=-1&errors=x&bom=y&as=z", "#result", "A"),
    ],
    ids=lambda value: value[:24],
)  # fmt: skip
def test_hostile_addresses_are_answered_in_a_sentence(page: Page, address: str, selector: str, told: str) -> None:
    page.browser.get("about:blank")
    page.browser.get(page.path.as_uri())
    page.wait(READY)
    page.run("location.hash = arguments[0].replaceAll('%25', '%')", address)
    page.wait("return document.querySelector(arguments[0]).textContent.startsWith(arguments[1])", selector, told)
    assert page.run("return document.querySelector(arguments[0]).checkVisibility()", selector)
    assert page.text("#broken") == ""


def test_a_link_to_the_table_and_back(page: Page) -> None:
    page.open("#label=euc-jp&bytes=a4a2")
    page.click("#row-1 .lookup a")
    page.wait("return document.getElementById('cell-283')?.classList.contains('active')")
    assert page.text("#table-title") == "Index jis0208"
    assert "Shift_JIS82 A0" in page.text("#detail")
    page.browser.back()
    page.wait("return !document.getElementById('convert').hidden")
    assert page.text("#result") == "あ"
    assert page.address == "#label=euc-jp&bytes=a4a2"


def test_typing_changes_the_address_and_the_back_button_undoes_a_field(page: Page) -> None:
    page.open("#label=shift_jis&bytes=82a0")
    page.type("#input", "82 a2 82 a4")
    assert page.text("#result") == "いう"
    assert page.address == "#label=shift_jis&bytes=82a282a4"
    page.type("#label", "euc-kr")
    assert page.address == "#label=euc-kr&bytes=82a282a4"
    page.browser.back()
    page.wait("return document.getElementById('label').value === 'shift_jis'")
    assert page.text("#result") == "いう"
    page.browser.back()
    page.wait("return document.getElementById('result').textContent === 'あ'")
    page.browser.refresh()
    page.wait(READY)
    assert page.text("#result") == "あ"


@pytest.mark.parametrize(
    ("label", "written", "expected"),
    [
        ("shift_jis", "0x82, 0xA0", "あ"),
        ("shift_jis", "\\x82\\xa0", "あ"),
        ("shift_jis", "a%82%A0b", "aあb"),
        ("utf-8", "naïve ☺", "naïve ☺"),
        ("iso-2022-kr", "1b 24 29 43", "\ufffd"),
        ("x-user-defined", "ff", "\uf7ff"),
    ],
)
def test_ways_to_write_bytes(page: Page, label: str, written: str, expected: str) -> None:
    page.open(f"#label={label}&bytes=")
    page.type("#input", written)
    assert page.text("#result") == expected
    page.browser.refresh()
    page.wait(READY)
    assert page.text("#result") == expected


@pytest.mark.parametrize(
    "address", ["#label=shift_jis&bytes=%82%A0", "#label=sjis&bytes=82+a0", "#label=ms932&bytes=82a0"]
)
def test_addresses_that_others_write(page: Page, address: str) -> None:
    page.open(address)
    assert page.text("#result") == "あ"


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("#label=klingon&bytes=41", "“klingon” is not the label of an encoding."),
        ("#label=utf-8&bytes=4&as=hex", "1 hexadecimal digit can’t be bytes, which have two each."),
        ("#label=utf-8&bytes=zz&as=hex", "“z” is not a hexadecimal digit."),
        ("#label=utf-16le&text=a", "UTF-16LE has no encoder: forms and URLs use UTF-8 instead."),
        ("#label=utf-8&file=a.txt", "The file a.txt is not part of the address. Open it again."),
    ],
)
def test_faults_are_told(page: Page, address: str, message: str) -> None:
    page.open(address)
    assert page.text("#fault") == message
    assert not page.run("return document.getElementById('conversion').checkVisibility()")
    page.open("#label=utf-8&bytes=41")
    assert page.text("#fault") == ""


def test_text_to_bytes(page: Page) -> None:
    page.open("#label=euc-jp&text=ハ☺")
    assert page.text("#result") == "A5 CF 26 23 39 37 38 36 3B"
    assert page.texts("#rows .why") == ["Error. EUC-JP has no bytes for U+263A ☺. The reference &#9786; replaces it."]
    page.click("#row-0 summary")
    page.wait("return document.querySelector('#row-0 li a')")
    assert page.texts("#row-0 li a")[0] == "EUC-JP encoder"
    assert "11" in page.texts("#row-0 li a")
    page.run("document.getElementById('errors').value = 'fatal'")
    page.run("document.getElementById('errors').dispatchEvent(new Event('input'))")
    assert page.text("#result") == "no result: the first error ends it"
    assert page.address == "#label=euc-jp&text=ハ☺&errors=fatal"
    assert len(page.texts("#rows .item")) == 2


def test_byte_order_marks(page: Page) -> None:
    for bom, data, text in (
        ("keep", "fffe6100", "\ufeffa"),
        ("sniff", "efbbbf61", "a"),
        ("remove", "efbbbf61", "믯憿"),
    ):
        page.open(f"#label=utf-16le&bytes={data}&bom={bom}")
        assert page.text("#result") == text


# -- Files -------------------------------------------------------------------------------------------------------------


def test_a_file_of_ten_megabytes_does_not_freeze_the_page(page: Page, tmp_path: Path) -> None:
    text = "吾輩は猫である。名前はまだ無い。\n" * 310_000
    data = text.encode("shift_jis") + b"\x81\xfd"
    assert len(data) > 10_000_000
    (tmp_path / "cat.txt").write_bytes(data)
    page.open("#label=shift_jis&bytes=")
    page.run("window.ticks = 0; setInterval(() => window.ticks++, 10)")
    page.browser.find_element("css selector", "#file").send_keys(str(tmp_path / "cat.txt"))
    page.wait("return document.getElementById('result').textContent.startsWith('吾輩は猫である。')")
    first = page.run("return window.ticks")
    page.wait("return /1 error\\.$/.test(document.getElementById('about').textContent)")
    page.wait("return document.getElementById('agreement').textContent === arguments[0]", AGREE)
    assert f"{len(text) + 1:,} UTF-16 units" in page.text("#about")
    # The page has answered timers, again and again, while it converted.
    assert page.run("return window.ticks") > first + 50
    assert page.address == "#label=shift_jis&file=cat.txt"
    assert page.texts("#error-list li") == [f"81 FD at {len(data) - 2}"]
    page.click("#error-list button")
    page.wait("return document.getElementById('row-end') !== null")
    assert page.texts("#rows .why") == ["Error. FD can’t follow 81 in Shift_JIS."]


def test_a_dropped_file(page: Page) -> None:
    page.open("#detect=41")
    page.run(
        "const data = new DataTransfer(); data.items.add(new File([Uint8Array.of(0x8e, 0xa0, 0x82, 0xa9)], 'a.txt'));"
        "document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))"
    )
    page.wait("return document.querySelector('#guesses a')")
    data = b"\x8e\xa0\x82\xa9"
    assert page.texts("#guesses a") == [guess.encoding.name for guess in we.sniff.detect(data)]


# -- Unknown bytes and mojibake ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("windows-1251", "Привет, мир"), ("shift_jis", "吾輩は猫である"), ("gbk", "我是中国人"),
        ("iso-8859-2", "żółć gęśla"),
    ],
)  # fmt: skip
def test_unknown_bytes(page: Page, name: str, text: str) -> None:
    data = we.lookup(name).encode(text)
    page.open(f"#detect={data.hex()}")
    expected = we.sniff.detect(data)
    assert page.texts("#guesses a") == [guess.encoding.name for guess in expected]
    assert page.texts("#guesses data") == [f"{guess.score:,} bits" for guess in expected]
    assert page.texts("#guesses .sample") == [guess.encoding.decode(data) for guess in expected]
    page.click("#guesses a")
    page.wait("return !document.getElementById('convert').hidden")
    assert page.text("#result") == expected[0].encoding.decode(data)


@pytest.mark.parametrize(
    ("address", "selector", "told"),
    [
        ("#detect=cff0e8e2e5f22c20ece8f021", "#guess-count", "This is most likely windows-1251."),
        ("#detect=e38182", "#guess-count", "This is UTF-8: no other encoding fits."),
        ("#detect=ff", "#guess-count", "This may be "),
        ("#detect=", "#guess-count", "Type or paste bytes"),
        ("#repair=", "#misread", "Type or paste text"),
        ("#character=", "#character", "Type or paste a character"),
    ],
)
def test_a_sentence_says_how_sure_an_answer_is_or_what_is_missing(
    page: Page, address: str, selector: str, told: str
) -> None:
    page.open(address)
    assert page.text(selector).startswith(told)


def test_mojibake_is_mended(page: Page) -> None:
    page.open("#repair=SchÃ¶ne GrÃ¼ÃŸe")
    assert page.text("#mended") == "Schöne Grüße"
    assert page.texts("#mended mark") == ["Schöne", "Grüße"]
    assert page.text("#misread") == "Bytes of UTF-8 were decoded as windows-1252."
    page.type("#input", "À LA CARTE")
    assert page.text("#misread").startswith("The text is likelier as it is")
    assert page.address == "#repair=À LA CARTE"


# -- Tables ------------------------------------------------------------------------------------------------------------


def cell(page: Page, key: str) -> str:
    assert f"at={key}" in page.address
    assert page.run(
        "return document.getElementById(document.getElementById('grid').getAttribute('aria-activedescendant')) !== null"
    )
    return page.text("#detail")


def test_each_index_has_its_entries(page: Page) -> None:
    page.open("#table=big5")
    for name, expected in INDEXES.items():
        if name in ("gb18030-ranges", "iso-2022-jp-katakana"):
            continue
        page.run("location.hash = arguments[0]", f"#table={name}")
        page.wait("return document.getElementById('table-title').textContent === arguments[0]", f"Index {name}")
        mapped = [code_point for code_point in expected if code_point is not None]
        counts = page.counts
        assert (counts[0], sum(counts)) == (len(expected) - len(mapped), len(expected))
        assert counts[9] == len(mapped) - len(set(mapped))


def test_coverage(page: Page) -> None:
    for name in ("gb18030", "windows-1252"):
        page.open(f"#coverage={name}")
        times = Counter(code_point for code_point in INDEXES[name] if code_point is not None and code_point < 0x10000)
        once = list(times.values()).count(1)
        counts = page.counts
        assert counts == [0x10000 - len(times), once, len(times) - once]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("jis0208", "あ", ("pointer-283", "character")),
        ("jis0208", "U+3042", ("pointer-283", "code point")),
        ("jis0208", "82 A0", ("pointer-283", "bytes in Shift_JIS")),
        ("jis0208", "\\xa4\\xa2", ("pointer-283", "bytes in EUC-JP")),
        ("jis0208", "pointer 283", ("pointer-283", "pointer")),
        ("jis0208", "hiragana letter small a", ("pointer-282", "name")),
        ("windows-1252", "€", ("pointer-0", "character")),
        ("windows-1252", "80", ("pointer-0", "bytes in windows-1252")),
    ],
)
def test_search(page: Page, name: str, text: str, expected: tuple[str, str]) -> None:
    from selenium.webdriver import Keys

    page.open(f"#table={name}")
    page.type("#search", text)
    search = page.browser.find_element("id", "search")
    places = []
    for _ in range(3):
        search.send_keys(Keys.ENTER)
        places.append((page.address.partition("at=")[2], page.text("#count").partition("found as ")[2]))
    assert expected in places
    page.type("#search", "no such thing")
    search.send_keys(Keys.ENTER)
    assert page.text("#count") == "nothing found"


def test_search_and_arrows_from_the_keyboard(page: Page) -> None:
    from selenium.webdriver import ActionChains, Keys

    page.open("#table=jis0208")
    ActionChains(page.browser).send_keys("/").send_keys("82 A0").send_keys(Keys.ENTER).perform()
    told = cell(page, "pointer-283")
    for part in ("EUC-JPA4 A2", "Shift_JIS82 A0", "ISO-2022-JP24 22 after 1B 24 42"):
        assert part in told
    for key, pointer in (
        (Keys.ARROW_RIGHT, 284), (Keys.HOME, 282), (Keys.ARROW_DOWN, 298), (Keys.ARROW_UP, 282), (Keys.PAGE_DOWN, 376),
        (Keys.END, 469), (Keys.ARROW_DOWN, 469), (Keys.ARROW_RIGHT, 470), (Keys.PAGE_UP, 376),
    ):  # fmt: skip
        ActionChains(page.browser).send_keys(*([Keys.TAB] if pointer == 284 else ()), key).perform()
        cell(page, f"pointer-{pointer}")
    page.run("location.hash = '#table=jis0208&as=Shift_JIS&at=U%2B3042'")
    page.wait("return document.querySelector('.active')?.parentElement.firstChild.textContent === 'A_'")
    label = page.run("return document.querySelector('.active').getAttribute('aria-label')")
    assert label.startswith("pointer-283: U+3042 HIRAGANA LETTER A; Three bytes in UTF-8")


def test_a_row_of_an_index_is_chosen(page: Page) -> None:
    page.open("#table=jis0208&as=Shift_JIS")
    page.run("const row = document.getElementById('row'); row.value = 1; row.dispatchEvent(new Event('change'))")
    assert page.text("#row :checked") == "82"
    assert page.text("#cell-283") == "あ"
    page.click("#overview")
    assert "at=pointer-" in page.address


def test_the_overview_fills_its_column(page: Page) -> None:
    for name in ("jis0208", "big5", "gb18030"):
        page.open(f"#table={name}")
        overview, column = page.run(
            "return ['#overview', '.beside'].map((name) => document.querySelector(name).getBoundingClientRect().width)"
        )
        assert abs(overview - column) <= 2


def test_a_cell_tells_about_itself_to_the_pointer(page: Page) -> None:
    from selenium.webdriver import ActionChains

    page.open("#table=windows-1252")
    ActionChains(page.browser).move_to_element(page.browser.find_element("id", "cell-0")).perform()
    told = page.text("#detail")
    for part in ("U+20AC", "EURO SIGN", "windows-125280"):
        assert part in told
    page.click("#grid #cell-0")
    page.click("#detail a")
    page.wait("return !document.getElementById('lookup').hidden")
    assert "A2 E3" in page.texts("#character .forms .bytes")  # in gb18030


# -- For everyone ------------------------------------------------------------------------------------------------------

VIEWS = (
    "#label=gb18030&bytes=8130843681308130ff", "#label=iso-2022-jp&text=aあ¥", "#detect=cff0e8e2e5f2", "#repair=cafÃ©",
    "", "#character=€",
    "#table=gb18030", "#coverage=big5",
)  # fmt: skip


@pytest.mark.parametrize("address", VIEWS)
def test_a_narrow_page_is_not_wider_than_the_screen(page: Page, address: str) -> None:
    metrics = {"width": 360, "height": 700, "deviceScaleFactor": 1, "mobile": True}
    page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    page.open(address)
    assert page.run("return document.documentElement.scrollWidth") <= 360
    loaded = "return performance.getEntriesByType('resource').filter(({ name }) => !/^(data|blob):/.test(name))"
    assert page.run(loaded) == []


def test_the_dark_scheme(page: Page) -> None:
    for scheme, is_dark in (("dark", True), ("light", False)):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        page.open("#table=big5")
        red = page.run("return Number(/[0-9]+/.exec(getComputedStyle(document.body).backgroundColor)[0])")
        assert (red < 64) == is_dark
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.fixture(scope="module")
def axe() -> str:
    """The script of axe-core, which finds what a screen reader or a person of low vision could not use."""
    return (installed(HERE) / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def findings(page: Page, axe: str) -> list[list[str]]:
    """Return what axe-core finds on the page, with all steps and programs open."""
    page.run("document.getElementById('open-steps').click()")
    page.run("for (const details of document.querySelectorAll('details')) details.open = true")
    # Through the debugger, since the page's policy allows no other script.
    page.browser.execute_cdp_cmd("Runtime.evaluate", {"expression": f"{axe}; 0"})
    return page.browser.execute_async_script(
        "const done = arguments[0]; axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => "
        "done(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])))"
    )


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("address", VIEWS)
def test_axe_core_finds_nothing(page: Page, axe: str, address: str, scheme: str) -> None:
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    page.open(address)
    assert findings(page, axe) == []
    assert page.text("nav [aria-current=page]") != ""
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_axe_core_finds_a_field_without_a_name(page: Page, axe: str) -> None:
    page.open("#character=€")
    page.run("document.querySelector('label[for=input]').remove()")
    page.run("document.getElementById('input').removeAttribute('placeholder')")
    assert [rule for rule, *_ in findings(page, axe)] == ["label"]


# -- Programs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("#label=shift_jis&bytes=82a08740", "あ①"),
        ("#label=utf-16le&bytes=efbbbf61&bom=sniff", "a"),
        ("#label=utf-8&bytes=efbbbf61&bom=remove", "a"),
        ('#label=euc-jp&text=ハ"\\☺', repr(we.EUC_JP.encode('ハ"\\☺'))),
        ("#detect=cff0e8e2e5f2", "windows-1251 "),
        ("#repair=cafÃ©", "Repaired(text='café'"),
        ("#character=€", "UTF-8 e2 82 ac\n"),
        ("#table=euc-kr", "0 44034\n1 44035\n"),
        ("#coverage=ibm866", "0 1040\n1 1041\n"),
    ],
)
def test_each_view_has_its_answer_as_a_program(page: Page, address: str, expected: str) -> None:
    page.open(address)
    code = page.text("#snippets pre")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    assert printed.getvalue().startswith(expected)
    page.click("[data-copy=Python]")
    page.wait("return document.getElementById('copied').textContent === 'Python copied'")


@pytest.mark.parametrize("address", ["#label=utf-8&bytes=41", "#table=jis0208", "#coverage=big5"])
def test_a_link_is_copied(page: Page, address: str) -> None:
    page.open(address)
    page.click("#share")
    page.wait("return document.getElementById('share').textContent === 'Link copied'")


def test_the_page_of_a_question_opens_the_explorer_with_it(page: Page) -> None:
    page.browser.get(page.path.with_name("mend.html").as_uri() + "#repair=caf%C3%83%C2%A9")
    page.wait("return location.pathname.endsWith('index.html') && document.documentElement.dataset.ready === 'true'")
    assert page.text("#mended") == "café"


def test_the_first_answer(page: Page) -> None:
    """The page's thread computes for less than 300 ms until the first answer, however busy the machine is."""
    page.browser.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    times = []
    for _ in range(5):
        page.open("#label=shift_jis&bytes=82a0")
        metrics = page.browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        times += [1000 * metric["value"] for metric in metrics if metric["name"] == "TaskDuration"]
    print("first answer, ms:", *map(round, times))
    assert 0 < min(times) < 300
