"""Detection: the costs beside a literal reference, texts of which the encoding is known, hints, hostile input."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatwg_encoding as we
from generator import snapshot
from generator.detect import classes, sources, table
from whatwg_encoding import sniff
from whatwg_encoding._native.detect import costs

# -- The model, read from the committed statistics ---------------------------------------------------------------------

EIGHTHS = 8
CASES = {("", "l"): 3, ("", "u"): 16, ("l", "u"): 66, ("u", "l"): 6, ("u", "u"): 2}
"""Eighths of a bit for a letter's case after that of the character before."""


class Reference:
    """The cost of a text by its definition: no tables but those of the file, no arithmetic but sums."""

    def __init__(self) -> None:
        data = snapshot.DATA
        self.model = table.from_json((data / table.FILE).read_text(encoding="utf-8"))
        self.classes = classes.Classes(self.model.characters, self.model.levels)
        self.contexts = classes.contexts(self.classes)

    def number(self, character: str) -> int:
        if "\uff61" <= character < "\uff9e":
            character = unicodedata.normalize("NFKC", character)
        if ord(character) >= 0x40000:  # of no characters
            return self.classes.number[classes.PRIVATE]
        if ord(character) >= classes.LIMIT:
            emoji = 0x1F000 <= ord(character) < 0x1FB00
            return self.classes.number[classes.EMOJI if emoji else classes.ASTRAL]
        return self.classes.of[ord(character)]

    def script(self, character: str) -> str:
        return self.classes.all[self.number(character)].script

    def case(self, character: str) -> str:
        case = self.classes.case[ord(character)] if ord(character) < classes.LIMIT else 0
        return {classes.LOWER: "l", classes.UPPER: "u"}.get(case, "")

    def step(self, before: str, character: str, repeats: bool = True) -> int:
        """Return the cost of a character after another, in eighths of a bit."""
        number, script = self.number(character), self.script(before)
        if script and script == self.script(character):
            first = self.classes.blocks[script][0]
            level = self.model.within[script][self.number(before) - first][number - first]
        else:
            level = self.model.across[self.contexts[self.number(before)]][number]
        cost = round(table.COSTS[level] * EIGHTHS)
        scripts = {script, self.script(character)}
        if "LATIN" in scripts and len(scripts) == 2 and scripts <= {*classes.ALPHABETS}:
            cost += 6 * EIGHTHS
        elif scripts == {"LATIN"} and min(before, character) >= "\x80":
            cost = min(cost, 10 * EIGHTHS)
        if self.contexts[number] in ("space", "digit", "punctuation"):  # ASCII that ends a word
            cost = max(0, cost + self.model.endings[self.number(before)] * EIGHTHS)
        cost += CASES.get((self.case(before), self.case(character)), 0)
        repeated = repeats and before == character and not self.script(character) and character != "\ufffd"
        return min(cost, EIGHTHS) if repeated else cost

    def alone(self, text: str) -> Iterator[int]:
        """Yield the bits of each character beyond ASCII between two of ASCII that are not letters."""
        for lone in re.finditer(r"(?<=[\x00-@\[-`{-\x7f])[^\x00-\x7f](?=[\x00-@\[-`{-\x7f])", f" {text} "):
            yield self.model.alone[self.number(lone[0])]

    def name(self, character: str) -> str:
        return self.classes.all[self.number(character)].name

    def kind(self, character: str) -> str:
        is_ascii = character < "\x80"
        number = (
            classes.ascii_kind(ord(character))
            if is_ascii
            else classes.class_kind(self.classes.all[self.number(character)])
        )
        return classes.KINDS[number]

    def is_placed(self, character: str) -> bool:
        return character >= "\x80" and self.name(character) in self.model.places

    def place(self, left: str, symbol: str, right: str) -> int:
        """Return the cost of a symbol between its neighbours, in eighths of a bit."""
        pair = classes.KINDS.index(self.kind(left)) * len(classes.KINDS) + classes.KINDS.index(self.kind(right))
        cost = round(table.PLACE_COSTS[self.model.places[self.name(symbol)][pair]] * EIGHTHS)
        return min(cost, EIGHTHS) if left == symbol else cost

    def joint(self, left: str, right: str) -> int:
        """Return the cost of what follows a symbol: after what is before it, or after a space between them."""
        left = " " if self.is_placed(left) else left
        if self.is_placed(right):
            return 0
        if "space" in (self.name(left), self.name(right)) or (self.script(left) and self.script(right)):
            return self.step(left, right, repeats=False)
        return self.step(left, " ", repeats=False) + self.step(" ", right, repeats=False)

    def lone(self, left: str, letter: str, right: str) -> int:
        """Return what a letter beyond ASCII, or U+FFFD, pays for being alone in ASCII."""
        kinds = [classes.KINDS.index(self.kind(neighbor)) for neighbor in (left, right)]
        kind, number = self.kind(letter), self.number(letter)
        groups = {"letter": (2, 16), "East Asian": (3, 16)}
        if letter == "\ufffd":
            group, more = 0, 9
        elif kind == "Latin":
            group = int(self.case(letter) == "u")
            more = self.model.shares[number - self.classes.blocks["LATIN"][0]]
        elif kind in groups:
            group, more = groups[kind]
        else:
            return 0
        level = self.model.letters[classes.GROUPS[group]][kinds[0] * classes.ASCII_KINDS + kinds[1]]
        return round((table.PLACE_COSTS[level] + more) * EIGHTHS) * 3 // 10

    def steps(self, text: str) -> Iterator[int]:
        """Yield the costs of characters after, and of symbols between, others."""
        text = f" {text} "
        half_width = never = 0
        for at in range(1, len(text)):
            left, character, right = text[at - 1], text[at], text[at + 1 : at + 2]
            if "\uff61" <= character < "\uffa0":
                yield 2 if half_width else 5 * EIGHTHS
                half_width += 1
            if character in MARKS:
                yield (2 if left in VOICED else 14) * EIGHTHS
                continue
            if self.is_placed(character):
                yield self.place(left, character, right) + self.joint(left, right)
                continue
            before = left if left not in MARKS else text[:at].rstrip(MARKS)[-1]
            if not self.is_placed(before):
                yield self.step(before, character, repeats=left == character)
            if right and left < "\x80" <= character and right < "\x80":
                yield self.lone(left, character, right)
            if self.name(character) in (classes.C1, classes.PRIVATE) and never < 4:
                never += 1
                yield 24 * EIGHTHS

    def gain(self, text: str) -> int:
        """Return the bits that the likeliest languages save, twice."""
        letters: Counter[int] = Counter()
        for word in re.finditer(
            r"[A-Za-z]*[^\x00-\x7f][^\x00-@\[-`{-\x7f]*|[A-Za-z]+(?=[\x00-@\[-`{-\x7f])", f"{text} "
        ):
            weight = 1 if word[0].isascii() else 2
            for character in word[0]:
                letters[self.number(character)] += weight
        gains: list[int] = []
        for script, languages in self.model.languages.items():
            block = self.classes.blocks[script]
            if languages and any(letters[number] for number in block):
                rows = zip(languages.values(), self.model.rarities[script], strict=True)
                saved = [sum(letters[n] * row[n - block[0]] for n in block) - rarity for row, rarity in rows]
                gains.append(max(saved))
        paid = [min(max(gain, 0), ANOTHER_SCRIPT) for gain in gains]
        return sum(gains) - sum(paid) + max(paid, default=0)

    def cost(self, text: str) -> int:
        """Return the cost of a text between spaces without half-width kana or errors, in eighths of a bit."""
        return sum(self.steps(text)) + sum(self.alone(text)) * EIGHTHS - self.gain(text) * EIGHTHS // 2


MARKS = "\uff9e\uff9f"
VOICED = "ｳｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾊﾋﾌﾍﾎ"
"""The half-width kana that a mark of U+FF9E or U+FF9F may follow."""
reference = cache(Reference)
ANOTHER_SCRIPT = 16
"""Half-bits of gain that all scripts of a text but one do not count."""


def cost(encoding: we.Encoding, data: bytes) -> int:
    return costs(data, (encoding,))[encoding]


def of_another_script(name: str, text: str) -> int:
    """Return what the characters cost more that pages in the encoding hardly have, in eighths of a bit."""
    kana, ideographs = (len(re.findall(range_, text)) for range_ in ("[ぁ-ヺ]", "[一-\u9fff]"))
    bits = 6 * kana if name in ("GBK", "gb18030", "Big5", "EUC-KR") else 0
    return (bits + 3 * ideographs * (name == "EUC-KR")) * EIGHTHS


TEXTS = {
    "cs": "Příliš žluťoučký kůň úpěl ďábelské ódy, a já 3× „nic“.",
    "de": "Öl ÜBER 20 °C — größer als „Straße“ … schöne Idee.",
    "el": "Η ΓΡΗΓΟΡΗ αλεπού πηδάει πάνω από το τεμπέλικο σκυλί.",
    "he": "דג סקרן שט בים מאוכזב ולפתע מצא חברה",
    "ar": "نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر",
    "ru": "Съешь же ещё этих МЯГКИХ французских булок, да выпей чаю.",
    "th": "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า",
    "tr": "Pijamalı hasta yağız şoföre çabucak güvendi.",
    "ja": "いろはにほへと ちりぬるを。東京タワー（１９５８年）",
    "ko": "다람쥐 헌 쳇바퀴에 타고파. 漢字도",
    "zh": "我能吞下玻璃而不伤身体。「測試」",
    "emoji": "ok 😀😀 𠀋 ━━━━ ......",
    "half-width": "ﾌﾘｶﾞﾅ ﾊﾟｰﾃｨ｡ ｱ, aﾞｶﾞﾞ",
}


def encoded(language: str, name: str) -> bytes:
    """Return the text in an encoding, without the characters that it does not have."""
    if name.startswith("UTF-16"):
        return TEXTS[language].encode(name)
    return re.sub(rb"&#\d+;", b"", we.ENCODINGS[name].encode(TEXTS[language]))


@pytest.mark.parametrize("language", TEXTS)
def test_costs_are_those_of_the_reference(language: str) -> None:
    text = TEXTS[language]
    assert cost(we.UTF_8, text.encode()) == reference().cost(text)


@pytest.mark.parametrize(
    ("language", "name"),
    [("cs", "windows-1250"), ("cs", "ISO-8859-2"), ("el", "windows-1253"), ("he", "windows-1255"), ("ru", "KOI8-R"),
     ("ru", "IBM866"), ("ru", "x-mac-cyrillic"), ("ar", "windows-1256"), ("th", "windows-874"), ("tr", "windows-1254"),
     ("de", "macintosh"), ("ja", "Shift_JIS"), ("ja", "EUC-JP"), ("ko", "EUC-KR"), ("zh", "GBK"), ("zh", "gb18030")],
)  # fmt: skip
@pytest.mark.parametrize("read_as", ["", "windows-1252", "windows-1251", "GBK", "EUC-KR"])
def test_encodings_compare_by_the_reference_on_their_own_text(language: str, name: str, read_as: str) -> None:
    data = encoded(language, name)
    encoding = we.ENCODINGS[read_as or name]
    text = encoding.decode(data)
    if "\ufffd" not in text:
        assert cost(encoding, data) == reference().cost(text) + of_another_script(encoding.name, text)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\x00\ufffd"), min_size=1, max_size=60))
def test_any_text_costs_what_the_reference_says(text: str) -> None:
    text = "é" + text + " "  # valid, with ASCII at the end, and a sample that begins at its start
    assert cost(we.UTF_8, text.encode()) == reference().cost(condensed(text))


def condensed(text: str) -> str:
    """Return the text without the middle of ASCII that is longer than 32 characters."""
    return re.sub(r"([\x00-\x7f]{16})[\x00-\x7f]+?([\x00-\x7f]{16}|$)(?![\x00-\x7f])", _shortened, text)


def _shortened(run: re.Match[str]) -> str:
    return run[0] if len(run[0]) <= 32 else run[1] + run[2][: 16 if run.end() < len(run.string) else 0]


@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_the_cost_of_any_text_is_what_the_reference_says(text: str) -> None:
    scalar_values = re.sub("[\ud800-\udfff]", "\ufffd", text)
    assert sniff.text_cost(text) == (max(0, reference().cost(scalar_values) + 4) >> 3 if text else 0)


def test_the_cost_of_long_texts() -> None:
    for text in TEXTS.values():
        whole = (text + "\n") * 2000
        longer, costs = [sniff.text_cost(sample) for sample in (whole * 2, whole)]
        assert abs(longer - 2 * costs) <= 10
    languages = [TEXTS[language] * 100 for language in ("ru", "th", "cs", "ja")]
    together, alone = sniff.text_cost(" ".join(languages)), sum(map(sniff.text_cost, languages))
    assert abs(together - alone) < 300  # a piece of 2,048 characters may be in two languages


# -- Texts of which the encoding is known ------------------------------------------------------------------------------

KNOWN = [
    ("cs", "windows-1250"), ("de", "windows-1252"), ("el", "windows-1253"), ("he", "windows-1255"),
    ("ru", "windows-1251"), ("ru", "KOI8-R"), ("ru", "IBM866"), ("ru", "ISO-8859-5"), ("ar", "windows-1256"),
    ("th", "windows-874"), ("tr", "windows-1254"), ("de", "macintosh"), ("ja", "Shift_JIS"), ("ja", "EUC-JP"),
    ("ja", "ISO-2022-JP"), ("ko", "EUC-KR"), ("zh", "GBK"), ("ru", "UTF-16LE"), ("de", "UTF-16BE"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "name"), KNOWN)
def test_the_first_guess(language: str, name: str) -> None:
    data = encoded(language, name)
    (guess, *_), tag = sniff.detect(data), {"zh": "zh-Hans"}.get(language, language)
    assert (guess.encoding.name, guess.language) == (name, "zh" if name.startswith("UTF") and language == "zh" else tag)
    for buffer in (bytearray(data), memoryview(data), memoryview(b"..".join([b"", data]))[2:]):
        assert sniff.detect(buffer) == sniff.detect(data)


@pytest.mark.parametrize(("language", "name"), [pair for pair in KNOWN if not pair[1].startswith(("UTF", "ISO-2022"))])
def test_damage_and_cuts(language: str, name: str) -> None:
    data = encoded(language, name) * 3
    text = we.ENCODINGS[name].decode(data)
    for place in range(0, len(data), 5):
        guess = sniff.detect(data[:place] + b"\xff" + data[place + 1 :])[0].encoding
        assert guess.decode(data) == text, (place, guess)
    for start in range(3):
        assert sniff.detect(data[start:])[0].encoding.name == name
        assert sniff.detect(data[: len(data) - start])[0].encoding.name == name


@pytest.mark.parametrize("language", [language for language in TEXTS if language not in ("emoji", "half-width")])
def test_damaged_utf_8(language: str) -> None:
    data = TEXTS[language].encode()
    first = next(place for place, byte in enumerate(data) if byte >= 0x80)
    for changed in (data[:first] + data[first + 1 :], data + b"\xff", b"\xe9 " + data):
        assert sniff.detect(changed)[0].encoding is we.UTF_8


def test_letters_of_another_script_gain_nothing_from_its_language() -> None:
    text = "Le tende sono qua e lì: a destra e lì sul davanti, più in là; né la scena né l'allestimento è perché."
    assert sniff.detect(text.encode("cp1252"))[0].encoding is we.WINDOWS_1252


def test_a_rare_beginning_does_not_rule_out_valid_sequences() -> None:
    text = "ㅇ ㅏ ㅁ ㅏ 도 그 건 ㄴ ㅓ 였 을 걸 " * 4 + "오래된 도시는 강가에 있으며 많은 사람들이 산다." * 9
    assert sniff.detect(text.encode("euc-kr"))[0].encoding is we.EUC_KR


# -- Guesses -----------------------------------------------------------------------------------------------------------


def test_a_mark_and_valid_utf_8_decide_alone() -> None:
    assert sniff.detect(b"\xef\xbb\xbf\xff") == [sniff.Guess(we.UTF_8, 0, None, None)]
    assert sniff.detect(b"\xff\xfe\xff") == [sniff.Guess(we.UTF_16LE, 0, None, None)]
    for text, language in (("", None), ("a", None), ("café", None), ("日本" * 5000, "zh")):
        assert sniff.detect(text.encode()) == [sniff.Guess(we.UTF_8, 0, None, language)]


@pytest.mark.parametrize("language", [language for language in TEXTS if language not in ("emoji", "half-width")])
@pytest.mark.parametrize("form", ["utf-8", "utf-8-sig", "utf-16", "before markup", "after markup"])
def test_the_language_of_utf_8_and_utf_16(language: str, form: str) -> None:
    markup = '<div class="container"><a href="index.html">'
    text = {"before markup": TEXTS[language] + markup * 99, "after markup": markup * 99 + TEXTS[language]}.get(form)
    data = TEXTS[language].encode(form) if text is None else text.encode()
    assert sniff.detect(data)[0].language == language


def test_candidates() -> None:
    data = "Größe".encode("cp1252")
    assert [guess.encoding for guess in sniff.detect(data, candidates=["koi8-r"])] == [we.KOI8_R]
    some = sniff.detect(data, candidates=["koi8-r", we.WINDOWS_1252, "latin1", "ibm866"])
    assert some[0].encoding is we.WINDOWS_1252
    assert len(some) == 3
    dos = "Příloha č. 1, účtenka".encode("cp852")
    assert sniff.detect(dos, candidates=["cp852", "cp850", "windows-1250"])[0].encoding is we.code_pages.CP852
    # UTF-8 and marks are decided among the candidates, too.
    assert sniff.detect("é".encode(), candidates=["big5", "windows-1252"])[0].encoding is not we.UTF_8
    assert sniff.detect(b"\xff\xfea\0", candidates=["windows-1252"])[0].encoding is we.WINDOWS_1252
    assert sniff.detect(data, candidates=["utf-16le"]) == []  # no NUL
    assert sniff.detect(b"a", exclude=["gbk"], candidates=["gbk"]) == []
    (guess,) = sniff.detect(b"\xef\xbb\xbfab", exclude=["utf-8"], candidates=["utf-8", "gbk"])
    assert guess.encoding is we.GBK
    assert len(sniff.detect(data, candidates=[name for name in we.ENCODINGS if name != "replacement"]))


def test_declarations() -> None:
    data = "Z\u0142oty".encode("iso-8859-2")  # b3 is also a letter of windows-1250, and one of windows-1257
    for declared in ("iso-8859-2", we.ISO_8859_2, ["utf-8", None, "no such label", "l2"]):
        assert sniff.detect(data, declared=declared)[0].encoding is we.ISO_8859_2
    assert sniff.detect("Złoty".encode("cp1250"), declared="latin1")[0].encoding is not we.WINDOWS_1252
    # Declared encodings that are candidates only then, or in the place of one that decodes alike.
    assert sniff.detect("Ķēniņš ģērbies, šūdināja".encode("iso-8859-10"), declared="l6")[0].encoding is we.ISO_8859_10
    assert sniff.detect("中文".encode("gbk"), declared="gb18030")[0].encoding is we.GB18030
    hebrew = "שלום עולם".encode("cp1255")
    assert sniff.detect(hebrew, declared="iso-8859-8-i")[0].encoding is we.ISO_8859_8_I
    # What speaks against a declaration outweighs it.
    assert sniff.detect(encoded("ru", "windows-1251"), declared="shift_jis")[0].encoding is we.WINDOWS_1251
    assert sniff.detect(encoded("ru", "windows-1251"), declared="replacement")[0].encoding is we.WINDOWS_1251


def test_domain_and_language() -> None:
    data = b"\xc0\xc0\xc0"
    scores = {guess.encoding: guess.score for guess in sniff.detect(data)}
    for hints in ({"tld": "ru"}, {"tld": "RU"}, {"language": "ru"}, {"language": "ru-RU"}, {"tld": "рф"}):
        hinted = {guess.encoding: guess.score for guess in sniff.detect(data, **hints)}
        assert {encoding.name for encoding in scores if hinted[encoding] < scores[encoding]} == {
            "windows-1251", "KOI8-R", "IBM866",
        }  # fmt: skip
    assert sniff.detect(data, tld="xyz", language="tlh") == sniff.detect(data)
    assert sniff.detect("äöå".encode("cp1252"), tld="cz") != sniff.detect("äöå".encode("cp1252"))


# -- Hostile input -----------------------------------------------------------------------------------------------------


def test_only_the_sample_counts() -> None:
    """The errors of UTF-8 are counted in all of the data, as in ``crawl``."""
    russian = TEXTS["ru"].encode("cp1251") * 400
    both = [
        [(guess.encoding, guess.score) for guess in guesses if guess.encoding is not we.UTF_8]
        for guesses in (sniff.detect(russian + b"\x80\xff" * 9000), sniff.detect(russian, limit=16384))
    ]
    assert both[0] == both[1]
    assert sniff.detect(b"<p>" * 300_000 + russian)[0].encoding is we.WINDOWS_1251
    assert sniff.detect(russian, limit=1)[0].encoding  # one byte of the sample


def test_one_byte_repeated() -> None:
    for byte in range(256):
        for length in (1, 2, 511, 512, 513, 2047, 2048, 2049, 20_000):
            assert sniff.detect(bytes([byte]) * length)


def test_threads() -> None:
    datas = [encoded(language, name) * 20 for language, name in KNOWN]
    expected = [sniff.detect(data) for data in datas]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(sniff.detect, datas * 80)) == expected * 80


# -- The table ---------------------------------------------------------------------------------------------------------


def test_the_table_is_small_and_has_no_text() -> None:
    context = table.template_context(snapshot.DATA)
    assert context["total"] <= 48 * 1024
    text = (snapshot.DATA / table.FILE).read_text(encoding="utf-8")
    content = json.loads(text)
    assert text.isascii()
    parts = (
        "sources characters levels within across alone endings languages rarities places letters shares lacking words"
    )
    assert list(content) == parts.split()
    assert content["characters"] == "".join(sorted(set(content["characters"])))  # no text, and below rows of digits
    words, content["places"] = content.pop("words"), list(content["places"].values())
    assert all(len(listed.split()) <= table.WORDS for listed in words.values())  # single ones, and the commonest
    del content["sources"], content["characters"]
    assert set(re.findall(r'"([^"]*)"', json.dumps(content))) <= set(re.findall(r'"([0-9a-f]*|[\w -]+)"', text))


def test_a_file_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    content = json.loads((snapshot.DATA / table.FILE).read_text(encoding="utf-8"))
    for change, message in (
        (lambda c: c.pop("alone"), "does not have the form"),
        (lambda c: c.update(alone=c["alone"][1:]), r"detect_alone has rows of \[\d+\] values, not of \[\d+\]"),
        (lambda c: c.update(endings=c["endings"][1:]), "detect_endings has"),
        (lambda c: c["rarities"].update(GREEK=""), "detect_rarities has"),
        (lambda c: c["places"].pop("°"), "places has other rows: °"),
        (lambda c: c["levels"].update(syllable=["0"]), "syllable does not have"),
        (lambda c: c["within"]["GREEK"].pop(), "detect_within has"),
        (
            lambda c: c["within"]["GREEK"].__setitem__(slice(2), ["".join(c["within"]["GREEK"][:2]), ""]),
            "detect_within",
        ),
        (lambda c: c["letters"].update(NONE=""), "letters has other rows: NONE"),
        (lambda c: c["lacking"]["GREEK"].update(xx=""), "lacking, GREEK, has other rows: xx"),
        (lambda c: c["words"].update(xx="a"), "words has other rows: xx"),
    ):
        changed = json.loads(json.dumps(content))
        change(changed)
        (tmp_path / table.FILE).write_text(json.dumps(changed), encoding="utf-8")
        with pytest.raises(table.DetectionError, match=message):
            table.template_context(tmp_path)
    assert table.template_context(tmp_path / "none") == table.template_context(snapshot.DATA)  # the project's


def test_decomposed_tones() -> None:
    text = "Tiếng Việt ở đây"
    decomposed = sources.decompose_tones(text)
    assert unicodedata.normalize("NFC", decomposed) == text
    assert we.WINDOWS_1258.decode(we.WINDOWS_1258.encode(decomposed, "fatal")) == decomposed
    with pytest.raises(UnicodeEncodeError):
        we.WINDOWS_1258.encode(text, "fatal")
