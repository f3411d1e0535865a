"""The pages in Chromium: they load fast and without errors, their counts and search work, and so does the keyboard."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.visualize.test_pages import expected_legend, shown

pytestmark = pytest.mark.repeated  # in another program

COUNT_CELLS = """
    const counts = data.legend.map(() => 0);
    for (let cell = 0; cell < view.count; cell++) counts[view.kind(cell)]++;
    return counts"""
"""How many cells of each line of the legend the table has."""

COUNT_PIXELS = """
    document.querySelector(`#legend [data-kind="${arguments[0]}"]`).click();
    const { data: values } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const paper = getComputedStyle(grid).backgroundColor.match(/\\d+/g).map(Number);
    let drawn = 0;
    for (let i = 0; i < values.length; i += 4) if (paper.some((value, n) => value !== values[i + n])) drawn++;
    return drawn / (dot * dot * devicePixelRatio ** 2)"""
"""How many dots the overview has when one line of the legend is chosen."""

CONTRASTS = """
    const channel = (value) => (value /= 255) <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4;
    const luminance = (colour) => {
      const [red, green, blue] = colour.match(/[\\d.]+/g).slice(0, 3).map(Number).map(channel);
      return .2126 * red + .7152 * green + .0722 * blue;
    };
    return Array.from(document.querySelectorAll(".swatch:not(.unmapped)"), (swatch) => {
      const { color, backgroundColor } = getComputedStyle(swatch);
      const [light, dark] = [luminance(color), luminance(backgroundColor)].sort((a, b) => b - a);
      return (light + .05) / (dark + .05);
    })"""
"""The contrast of text on each colour of the legend, https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio."""

LARGEST = ("gb18030", "euc-kr", "big5", "gb18030-bmp", "compare")


@pytest.fixture(autouse=True)
def _no_complaints_of_other_tests(browser: Any) -> None:
    browser.get_log("browser")


def open_page(browser: Any, pages: Path, name: str, address: str = "") -> None:
    browser.get("about:blank")  # Otherwise a change of the fragment alone would not load the page.
    browser.get((pages / f"{name}.html").as_uri() + (f"#{address}" if address else ""))


def press(browser: Any, *keys: str) -> None:
    from selenium.webdriver import ActionChains

    chain = ActionChains(browser)
    for key in keys:
        chain.send_keys(key)
    chain.perform()


def press_with_control(browser: Any, key: str) -> None:
    from selenium.webdriver import ActionChains, Keys

    ActionChains(browser).key_down(Keys.CONTROL).send_keys(key).key_up(Keys.CONTROL).perform()


def told(browser: Any) -> dict[str, str]:
    """Return the page's description of a cell: text by term."""
    rows = browser.execute_script(
        "return Array.from(document.querySelectorAll('#detail dt'), (term) => "
        "[term.textContent, term.nextSibling.textContent])"
    )
    return dict(rows)


def active(browser: Any) -> str:
    """Return the key of the active cell, which is also in the address and exposed to assistive technology."""
    key: str = browser.execute_script("return view.key(active)")
    assert key in browser.execute_script("return decodeURIComponent(location.hash)")
    assert browser.execute_script("return document.getElementById(grid.getAttribute('aria-activedescendant')) !== null")
    return key


def search(browser: Any, text: str) -> list[str]:
    """Return the result lines of a search."""
    found: list[str] = browser.execute_script(
        "const box = document.getElementById('search');"
        "box.value = arguments[0]; box.dispatchEvent(new Event('input'));"
        "return Array.from(document.querySelectorAll('#found button'), (button) => button.textContent)",
        text,
    )
    return found


def test_every_page_loads_without_a_complaint_and_counts_what_it_draws(
    browser: Any, pages: Path, indexes: dict[str, Any]
) -> None:
    for name in shown(indexes):
        open_page(browser, pages, name)
        assert browser.execute_script(COUNT_CELLS) == expected_legend(indexes[name]), name
        open_page(browser, pages, f"{name}-bmp")
        times = Counter(code_point for code_point in indexes[name] if code_point is not None and code_point < 0x10000)
        once = list(times.values()).count(1)
        assert browser.execute_script(COUNT_CELLS) == [0x10000 - len(times), once, len(times) - once], name
    for name in ("jis0208-shift_jis", "compare", "index"):
        open_page(browser, pages, name)
    assert browser.get_log("browser") == []


@pytest.mark.parametrize("name", LARGEST)
def test_the_largest_pages_open_in_under_a_second(browser: Any, pages: Path, name: str) -> None:
    times = []
    for _ in range(4):  # The machine may be busy; a page that is too slow fails every time.
        open_page(browser, pages, name)
        times.append(browser.execute_script("return performance.getEntriesByName('ready')[0].startTime"))
        if times[-1] < 1000:
            break
    assert min(times) < 1000


def test_the_overview_has_a_dot_for_each_cell(browser: Any, pages: Path, indexes: dict[str, Any]) -> None:
    """With one line of the legend selected, its colour is drawn for as many pixels as the legend says."""
    open_page(browser, pages, "big5")
    for kind, expected in enumerate(expected_legend(indexes["big5"])):
        pixels = browser.execute_script(COUNT_PIXELS, kind)
        assert pixels == expected, kind


def test_only_the_cells_in_sight_are_elements(browser: Any, pages: Path) -> None:
    open_page(browser, pages, "gb18030")
    assert 0 < browser.execute_script("return document.querySelectorAll('.cell').length") < 2500
    browser.execute_script("grid.scrollTo(1e6, 1e6)")
    browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    assert browser.execute_script("return document.getElementById('cell-23939').dataset.code") == "E4C5"


@pytest.mark.parametrize(
    ("name", "shape", "heads"),
    [
        ("big5", (157, 126), ("81", "FE", "40", "FE")),
        ("jis0208", (94, 120), ("A1", "№ 120", "A1", "FE")),
        ("jis0208-shift_jis", (188, 60), ("81", "FC", "40", "FC")),
        ("windows-1252", (16, 8), ("8", "F", "0", "F")),
        ("windows-1252-bmp", (256, 256), ("U+00__", "U+FF__", "00", "FF")),
    ],
)
def test_heads_of_rows_and_columns(
    browser: Any, pages: Path, name: str, shape: tuple[int, int], heads: tuple[str, str, str, str]
) -> None:
    open_page(browser, pages, name)
    rows, columns = browser.execute_script("return [view.rowHeads, view.columnHeads]")
    assert (len(columns), len(rows)) == shape
    assert (rows[0], rows[-1], columns[0], columns[-1]) == heads


@pytest.mark.parametrize(
    ("name", "text", "first"),
    [
        ("jis0208", "あ", "あ U+3042 HIRAGANA LETTER A (pointer-283, found as character)"),
        ("jis0208", "U+3042", "あ U+3042 HIRAGANA LETTER A (pointer-283, found as code point)"),
        ("jis0208", "3042", "あ U+3042 HIRAGANA LETTER A (pointer-283, found as code point)"),
        ("jis0208", "82 A0", "あ U+3042 HIRAGANA LETTER A (pointer-283, found as bytes in Shift_JIS)"),
        ("jis0208", "\\xa4\\xa2", "あ U+3042 HIRAGANA LETTER A (pointer-283, found as bytes in EUC-JP)"),
        ("jis0208", "%82%A0", "あ U+3042 HIRAGANA LETTER A (pointer-283, found as bytes in Shift_JIS)"),
        ("jis0208", "pointer 283", "あ U+3042 HIRAGANA LETTER A (pointer-283, found as pointer)"),
        ("jis0208", "hiragana letter small a", "ぁ U+3041 HIRAGANA LETTER SMALL A (pointer-282, found as name)"),
        ("jis0208-bmp", "82A0", "芠 U+82A0 CJK UNIFIED IDEOGRAPH-82A0 (U+82A0, found as code point)"),
        ("jis0208-bmp", "ｱ", "ｱ U+FF71 HALFWIDTH KATAKANA LETTER A (U+FF71, found as character)"),
        ("big5", "\U00020021", "\U00020021 U+20021 CJK UNIFIED IDEOGRAPH-20021 (pointer-4155, found as character)"),
        ("windows-1252", "€", "€ U+20AC EURO SIGN (pointer-0, found as character)"),
        ("windows-1252", "80", "€ U+20AC EURO SIGN (pointer-0, found as bytes in windows-1252)"),
        ("compare", "euro sign", "€ U+20AC EURO SIGN (U+20AC, found as name)"),
    ],
)
def test_search(browser: Any, pages: Path, indexes: dict[str, Any], name: str, text: str, first: str) -> None:
    open_page(browser, pages, name)
    if name == "big5":  # The character's position comes from the data.
        first = first.replace("4155", str(indexes["big5"].index(0x20021)))
    assert first in search(browser, text)[:3]
    assert browser.get_log("browser") == []


@pytest.mark.parametrize("text", ["", " ", "no such name", "U+110000", "\U0010ffff", "00 01 02", "999999", "(", "\\"])
def test_search_for_what_is_not_there_finds_nothing(browser: Any, pages: Path, text: str) -> None:
    open_page(browser, pages, "jis0208")
    assert search(browser, text) == []
    assert browser.get_log("browser") == []


def test_search_from_the_keyboard(browser: Any, pages: Path) -> None:
    from selenium.webdriver import Keys

    open_page(browser, pages, "jis0208")
    press(browser, "/", "82 A0", Keys.ENTER)
    assert active(browser) == "pointer-283"
    assert told(browser) == {
        "Code point": "U+3042", "Name": "HIRAGANA LETTER A", "Pointer": "283", "EUC-JP": "A4 A2", "Shift_JIS": "82 A0",
        "ISO-2022-JP": "24 22 after 1B 24 42", "UTF-8": "E3 81 82",
    }  # fmt: skip
    press(browser, Keys.ARROW_RIGHT)  # The table has the focus.
    assert active(browser) == "pointer-284"
    press(browser, "/", "hiragana", Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER)
    assert told(browser)["Name"].startswith("HIRAGANA")


def test_the_table_answers_to_the_keyboard(browser: Any, pages: Path) -> None:
    from selenium.webdriver import Keys

    open_page(browser, pages, "jis0208-shift_jis")
    browser.execute_script("grid.focus()")
    expected = [
        (Keys.ARROW_RIGHT, 0),  # Any key starts at the first cell.
        (Keys.ARROW_RIGHT, 1),
        (Keys.ARROW_DOWN, 189),
        (Keys.END, 375),
        (Keys.ARROW_UP, 187),
        (Keys.ARROW_UP, 187),
        (Keys.HOME, 0),
        (Keys.ARROW_LEFT, 0),
    ]
    for step, (key, pointer) in enumerate(expected):
        press(browser, key)
        assert active(browser) == f"pointer-{pointer}", step
    press_with_control(browser, Keys.END)
    assert active(browser) == "pointer-11279"
    for key in (Keys.ARROW_RIGHT, Keys.ARROW_DOWN):
        press(browser, key)
        assert active(browser) == "pointer-11279"
    press_with_control(browser, Keys.ARROW_UP)
    assert active(browser) == "pointer-187"
    press_with_control(browser, Keys.HOME)
    assert active(browser) == "pointer-0"
    press(browser, Keys.PAGE_DOWN)
    pointer = int(active(browser).removeprefix("pointer-"))
    assert pointer > 0
    assert pointer % 188 == 0


def test_from_one_cell_of_a_kind_to_the_next(browser: Any, pages: Path, indexes: dict[str, Any]) -> None:
    open_page(browser, pages, "jis0208")
    duplicates = [
        pointer for pointer, code_point in enumerate(indexes["jis0208"])
        if code_point is not None and code_point in indexes["jis0208"][:pointer]
    ][:2]  # fmt: skip
    button = browser.find_element("css selector", "#legend [data-kind='9']")
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    browser.execute_script("grid.focus()")
    press(browser, "n")
    assert active(browser) == f"pointer-{duplicates[0]}"
    first = indexes["jis0208"].index(indexes["jis0208"][duplicates[0]])
    assert f"pointer {first}" in told(browser)["Also at"]
    press(browser, "n")
    assert active(browser) == f"pointer-{duplicates[1]}"
    press(browser, "N")
    assert active(browser) == f"pointer-{duplicates[0]}"


def test_a_cell_tells_about_itself_to_the_pointer(browser: Any, pages: Path) -> None:
    from selenium.webdriver import ActionChains

    open_page(browser, pages, "windows-1252")
    ActionChains(browser).move_to_element(browser.find_element("id", "cell-0")).perform()
    assert told(browser) == {
        "Code point": "U+20AC", "Name": "EURO SIGN", "Pointer": "0", "windows-1252": "80", "UTF-8": "E2 82 AC",
    }  # fmt: skip
    label = browser.find_element("id", "cell-0").get_attribute("aria-label")
    assert label == "pointer-0: U+20AC EURO SIGN; Three bytes in UTF-8"


@pytest.mark.parametrize(
    ("name", "address", "expected"),
    [
        ("big5", "at=pointer-1133", {"Pointer": "1133: unmapped", "Big5": "88 62"}),
        ("jis0208", "at=pointer-8836", {"Pointer": "8836: unmapped", "Shift_JIS": "F0 40"}),
        ("jis0212", "at=8FB0A1", {"EUC-JP": "8F B0 A1", "Code point": "U+4E02"}),
        ("iso-8859-8", "at=U+05D0", {"ISO-8859-8": "E0", "ISO-8859-8-I": "E0", "Name": "HEBREW LETTER ALEF"}),
        ("gb18030-bmp", "at=U+E78D", {"Name": "private use", "Pointer": "none: unmapped"}),
        ("gb18030-bmp", "at=U+D800", {"Name": "surrogate", "Pointer": "none: unmapped"}),
    ],
)
def test_an_address_leads_to_a_cell(
    browser: Any, pages: Path, name: str, address: str, expected: dict[str, str]
) -> None:
    open_page(browser, pages, name, address)
    assert expected.items() <= told(browser).items()
    assert browser.get_log("browser") == []


def test_notes_from_the_standards_prose(browser: Any, pages: Path) -> None:
    for name, pointer, words in [
        ("big5", 1133, "two code points: U+00CA Ê LATIN CAPITAL LETTER E WITH CIRCUMFLEX and U+0304"),
        ("jis0208", 8836, "private use, U+E000 to U+E757"),
        ("jis0208", 8272, "The Shift_JIS encoder does not use this pointer"),
        ("gb18030", 7182, "also map U+E78D"),
        ("jis0212", 1410, "no encoder does"),
    ]:
        open_page(browser, pages, name, f"at=pointer-{pointer}")
        notes = browser.execute_script("return document.getElementById('detail').textContent")
        assert words in notes, name


@pytest.mark.parametrize("by", ["pointer", "code-point"])
@pytest.mark.parametrize(("a", "b"), [("windows-1252", "iso-8859-15"), ("jis0208", "gb18030"), ("big5", "jis0212")])
def test_comparison(browser: Any, pages: Path, indexes: dict[str, Any], a: str, b: str, by: str) -> None:
    open_page(browser, pages, "compare", f"a={a}&b={b}&by={by}")
    neither, same, differs, only_a, only_b = browser.execute_script(
        "return Array.from(document.querySelectorAll('#legend data'), (count) => Number(count.value))"
    )
    one, other = indexes[a], indexes[b]
    if by == "pointer":
        length = max(len(one), len(other))
        pairs = list(zip(*[[*side, *[None] * (length - len(side))] for side in (one, other)], strict=True))
        assert neither == sum(x is None and y is None for x, y in pairs)
        assert same == sum(x is not None and x == y for x, y in pairs)
        assert differs == sum(x is not None and y is not None and x != y for x, y in pairs)
        assert only_a == sum(x is not None and y is None for x, y in pairs)
        assert only_b == sum(x is None and y is not None for x, y in pairs)
    else:
        left, right = ({code_point for code_point in side if code_point is not None} for side in (one, other))
        assert (same, differs, only_a, only_b) == (len(left & right), 0, len(left - right), len(right - left))
    assert f"{a} (A) and {b} (B)" in browser.find_element("id", "summary").text
    assert browser.get_log("browser") == []


def test_what_is_compared_can_be_chosen(browser: Any, pages: Path) -> None:
    from selenium.webdriver.support.ui import Select

    open_page(browser, pages, "compare")
    for side, name in (("a", "windows-1252"), ("b", "iso-8859-15"), ("by", "pointer")):
        Select(browser.find_element("id", side)).select_by_visible_text(name)
    assert browser.find_element("id", "summary").text.endswith(
        "93 the same in both, 35 different, 0 in windows-1252 only, 0 in iso-8859-15 only."
    )
    browser.find_element("id", "cell-36").click()
    assert [heading.text for heading in browser.find_elements("css selector", "#detail h2")] == [
        "A: windows-1252",
        "B: iso-8859-15",
    ]
    assert "a=windows-1252&b=iso-8859-15&by=pointer&at=pointer-36" in browser.current_url
    browser.refresh()
    assert active(browser) == "pointer-36"


def test_light_and_dark(browser: Any, pages: Path) -> None:
    """In both themes, text on every colour of the legend has the contrast of 4.5 that WCAG requires."""
    open_page(browser, pages, "big5")
    seen = set()
    button = browser.find_element("id", "theme")
    for theme in ("light", "dark", "system"):
        button.click()
        assert button.text == f"Theme: {theme}"
        assert min(browser.execute_script(CONTRASTS)) >= 4.5, theme
        seen.add(
            browser.execute_script(
                "return [getComputedStyle(document.body).backgroundColor, canvas.toDataURL()].join()"
            )
        )
    assert len(seen) == 2  # The system's theme is one of the two.


def test_a_narrow_screen_needs_no_sideways_scrolling(browser: Any, pages: Path) -> None:
    for name in ("gb18030", "windows-1252", "compare"):
        open_page(browser, pages, name)
        browser.set_window_size(500, 900)
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth"), name
        browser.set_window_size(1400, 1000)


@pytest.mark.parametrize(
    ("page", "query", "expected"),
    [
        ("gb18030", "95 32 82 36", "U+20000"),
        ("gb18030", "81 30 84 36", "U+00A5"),
        ("gb18030-bmp", "81 30 84 36", "U+00A5"),
        ("gb18030-bmp", "81 35 F4 37", "U+E7C7"),
        ("gb18030", "E3 32 9A 35", "U+10FFFF"),
    ],
)
def test_four_bytes_of_gb18030_are_found(browser: Any, pages: Path, page: str, query: str, expected: str) -> None:
    open_page(browser, pages, page)
    found = browser.execute_script("search.value = arguments[0]; showFound(); return $('found').textContent", query)
    assert expected in found
    assert "four bytes in gb18030" in found


@pytest.mark.parametrize("query", ["84 31 A4 3A", "FE 39 FE 39", "84 31 A4 40"])
def test_four_bytes_without_a_code_point_are_not(browser: Any, pages: Path, query: str) -> None:
    open_page(browser, pages, "gb18030")
    found = browser.execute_script("search.value = arguments[0]; showFound(); return $('found').textContent", query)
    assert "four bytes" not in found


def test_nothing_found_clears_the_panel_and_a_result_is_in_sight(browser: Any, pages: Path) -> None:
    open_page(browser, pages, "gb18030")
    browser.execute_script("go(0)")
    assert browser.execute_script("return $('detail').textContent")
    browser.execute_script("search.value = 'zzzz'; showFound()")
    assert browser.execute_script("return $('detail').textContent") == ""
    browser.execute_script("document.body.style.paddingTop = '3000px'; scrollTo(0, 0); go(23000)")
    top, bottom, height = browser.execute_script(
        "const box = grid.getBoundingClientRect(); return [box.top, box.bottom, innerHeight]"
    )
    assert top < height
    assert bottom > 0


@pytest.mark.parametrize("name", ["index", "big5", "big5-bmp", "compare"])
def test_pages_fit_a_phone(browser: Any, pages: Path, name: str) -> None:
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    try:
        open_page(browser, pages, name)
        assert browser.execute_script("return document.documentElement.scrollWidth") == 390
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
