"""Short, ordinary texts in which a few bytes decide. Right values are the texts themselves, written for these tests."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

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
    ("Le titre à’", "cp1252"), ("1 à’", "cp1252"), ("Erreur de lecture à’", "cp1252"),  # à’ is 瓢 in Shift_JIS
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


# --- Rare encodings are for declarations ---


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("<title>À propos</title>", "cp1252"), ("<title>À la une</title>", "cp1252"), ("À bientôt", "cp1252"),
        ("<a href=/a>À lire aussi</a>", "cp1252"), ("<title>É necessário</title>", "cp1252"),
        ("// я вижу", "cp1251"), ("# а вот и комментарий", "cp1251"), ("/* в файле */", "cp1251"),
        ("Menù Sì/No più", "cp1252"), ("Sì, più giù", "cp1252"), ("Evit ar brezhoneg, deus ‘ta!", "cp1252"),
        ("Daveet eo gant añ", "cp1252"), ("Tha seo fìor mhath", "cp1252"), ("Càit a bheil thu?", "cp1252"),
    ],
)  # fmt: skip
def test_an_encoding_of_windows_explains_it(text: str, codec: str) -> None:
    data = text.encode(codec)
    assert texts(data) == {text}
    assert sniff.detect(data)[0].encoding.decode(data) == text
    header = {"cp1252": "iso-8859-1", "cp1251": "windows-1251"}[codec]
    assert texts(data, charset(header)) == {text}


@pytest.mark.parametrize("name", ["ISO-8859-4", "ISO-8859-10", "ISO-8859-14", "ISO-8859-16"])
def test_rare_encodings_are_found_where_they_are_declared(name: str) -> None:
    text = {"ISO-8859-14": "Mae’r tŷ ar y bryn a’r dŵr yn oer".replace("’", "'"), "ISO-8859-16": "Țara și orașul"}
    data = we.lookup(name).encode(text.get(name, "Jūras krastā dzīvo čūska un ķērpis"))
    assert name not in {guess.encoding.name for guess in sniff.detect(data)}
    assert sniff.crawl(data, charset(name)).encoding is we.lookup(name)
    assert sniff.detect(data, candidates=[name])[0].encoding is we.lookup(name)


@pytest.mark.parametrize(
    "name", ["ISO-8859-15", "windows-1250", "windows-1251", "KOI8-R", "ISO-8859-2", "windows-1253"]
)
def test_macintosh_and_ibm866_never_replace_another_legacy_encoding(name: str) -> None:
    """Nor where the declared one has errors, or what never is text."""
    random = Random(name)
    replacing = (we.MACINTOSH, we.IBM866)
    for _ in range(300):
        data = bytes(random.choices(b"abcde ., " + bytes(range(0x80, 0x100)), k=random.randint(1, 12)))
        assert sniff.crawl(data, charset(name)).encoding not in replacing, data
    assert sniff.crawl(b"b\x8e", charset(name)).encoding not in replacing
    page = meta("utf-8") + "Поезд опоздал из-за сильного снега. Пассажиры ждали на вокзале.".encode("cp866")
    assert sniff.crawl(page, charset("utf-8")).encoding is we.IBM866


# --- Siblings ---

# What is written, in which encoding, and its sibling that is declared for it.
SIBLINGS = [
    ("Άγνωστη επιλογή", "windows-1253", "iso-8859-7"), ("Άννα και Άρης", "iso-8859-7", "windows-1253"),
    ("Η Άνοιξη έρχεται. Άλλος ένας χειμώνας πέρασε.", "windows-1253", "iso-8859-7"),
    ("žluťoučký kůň, šaty a ťuhýk", "windows-1250", "iso-8859-2"), ("šablona a škola", "iso-8859-2", "windows-1250"),
    ("Prix : 15 €", "iso-8859-15", "windows-1252"), ("€ 15, plus la taxe", "iso-8859-15", "iso-8859-1"),
    ("Тамільська і їжа", "koi8-u", "koi8-r"), ("Опция и описание задания", "x-mac-cyrillic", "windows-1251"),
    ("Пароль не задан. Пожалуйста, введите", "windows-1251", "x-mac-cyrillic"),
    ("שָׁלוֹם", "windows-1255", "iso-8859-8"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "name", "declared"), SIBLINGS)
def test_a_sibling_explains_the_bytes_with_letters(text: str, name: str, declared: str) -> None:
    data = we.lookup(name).encode(text)
    assert texts(data, charset(declared)) == {text}
    if sum(map(str.isalpha, text)) == sum(map(str.isalpha, we.lookup(declared).decode(data))) and "€" not in text:
        return  # other letters alone are not enough against header and page
    lines = "".join(f"<p>{text}</p>\n" for _ in range(40))
    page = meta(declared).decode() + lines
    assert texts(we.lookup(name).encode(page), charset(declared)) == {page}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("key <AE04> { [ 4, ¤ ] };", "windows-1252"), ("currency\t¤", "windows-1252"), ("¤", "iso-8859-1"),
        ("§ 5 ¶ κείμενο", "windows-1253"), ("‘Αθήνα’", "windows-1253"), ("Ο ’δικος", "iso-8859-7"),
        ("Ľubľana", "iso-8859-2"), ("Kīngitanga", "windows-1257"), ("Čekų kalba", "iso-8859-4"),
        ("BİLGİ", "windows-1254"), ("Þór á Íslandi", "windows-1252"),
    ],
)  # fmt: skip
def test_a_right_declaration_stays_for_what_a_sibling_reads_otherwise(text: str, name: str) -> None:
    data = we.lookup(name).encode(text)
    expected = we.lookup(name).decode(data)
    assert texts(data, charset(name)) == {expected}
    page = meta(name) + data
    assert texts(page, charset(name)) == {meta(name).decode() + expected}


def test_a_few_inserted_bytes_are_no_sibling() -> None:
    """A third of what header and page declare is likelier in the sibling, or the declaration stands."""
    greek = "Η θάλασσα είναι κοντά, και ο ήλιος λάμπει. "
    page = meta("iso-8859-7") + (greek * 60).encode("iso8859_7")
    attack = page[:1000] + ("Άννα, Άρης, Άγγελος. " * 9).encode("cp1253") + page[1000:]
    assert sniff.crawl(attack, charset("iso-8859-7")).encoding is we.ISO_8859_7


# --- Lists of letters ---

FORMS = [
    "abcdefghijklmnopqrstuvwxyz{}", "[a-z{}]", "[^{}]", '"{}"', 'alphabet = "abcdefghijklmnopqrstuvwxyz{}"',
    "SFX A   0   er   [^{}]",
]  # fmt: skip
LETTERS = [
    ("äöüß", "cp1252"), ("æøå", "cp1252"), ("áéíñóúü", "cp1252"), ("áðéíóúýþæö", "cp1252"), ("ąćęłńóśźż", "cp1250"),
    ("áčďéěíňóřšťúůýž", "cp1250"), ("áéíóöőúüű", "cp1250"), ("čćđšž", "cp1250"), ("ąčęėįšųūž", "cp1257"),
    ("āčēģīķļņšūž", "cp1257"), ("çğıöşü", "cp1254"), ("абвгдеёжзийклмнопрстуфхцчшщъыьэюя", "cp1251"),
    ("אבגדהוזחטיכלמנסעפצקרשת", "cp1255"),
]  # fmt: skip


@pytest.mark.parametrize(("letters", "codec"), LETTERS)
def test_letters_in_a_list(letters: str, codec: str) -> None:
    for form in FORMS:
        text = form.format(letters)
        assert texts(text.encode(codec)) == {text}


@pytest.mark.parametrize(("letters", "codec"), [*LETTERS, ("àâæçéèêëîïôœùûüÿ", "cp1252"), ("äõöüšž", "cp1257")])
def test_letters_in_a_list_that_is_declared_rightly(letters: str, codec: str) -> None:
    for form in FORMS:
        text = form.format(letters)
        assert texts(text.encode(codec), charset("windows-" + codec[2:])) == {text}


OTHERWISE = pytest.mark.xfail(strict=True, reason="letters of a larger alphabet follow each other as often")


@pytest.mark.parametrize(
    ("letters", "codec"),
    [
        ("äõöüšž", "cp1257"), pytest.param("ãáàâçéêíóôõú", "cp1252", marks=OTHERWISE),
        pytest.param("αβγδεζηθικλμνξοπρστυφχψω", "cp1253", marks=OTHERWISE),
    ],
)  # fmt: skip
def test_letters_and_nothing_else(letters: str, codec: str) -> None:
    assert texts(letters.encode(codec)) == {letters}


KEYBOARDS = [
    ("äöüß", "windows-1252"), ("ąćęłńóśźż", "iso-8859-2"),
    ("áčďéěíňóřšťúůýž", "windows-1250"), ("čćđšž", "windows-1250"), ("ąčęėįšųūž", "windows-1257"),
    ("абвгдеёжзийклмнопрстуфхцчшщъыьэюя", "koi8-r"), ("абвгдеёжзийклмнопрстуфхцчшщъыьэюя", "ibm866"),
    ("абвгдеєжзиіїйклмнопрстуфхцчшщьюя", "iso-8859-5"), ("абвгдђежзијклљмнњопрстћуфхцчџш", "windows-1251"),
    ("αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώ", "windows-1253"), ("אבגדהוזחטיךכלםמןנסעףפץצקרשת", "windows-1255"),
]  # fmt: skip


def keymap(letters: str) -> str:
    """Return the file of a keyboard's layout: the names of keys, and a letter of each, in either case."""
    rows = ((f"{letter}\n", f"{letter.upper() if len(letter.upper()) == 1 else letter}\n") for letter in letters)
    keys = "qwertyuiopasdfghjklzxcvbnm1234567890-="
    lines = [f"{key}\t{low}{key.upper()}\t{high}" for key, (low, high) in zip(keys, rows, strict=False)]
    return '" A keymap file\n\nlet name = "keys"\n\nloadkeymap\n' + "".join(lines)


@pytest.mark.parametrize(("letters", "name"), KEYBOARDS)
def test_letters_that_stand_alone_are_of_one_alphabet(letters: str, name: str) -> None:
    """Symbols of another encoding are commoner alone than letters, but not so many of them in a list."""
    text = keymap(letters)
    data = we.lookup(name).encode(text)
    assert texts(data) == {text}
    assert texts(data, charset(name)) == {text}


@pytest.mark.parametrize(("letters", "name"), [("àâæçéèêëîïôœùûü", "iso-8859-15"), ("ãáàâçéêíóôõú", "iso-8859-1")])
def test_letters_that_stand_alone_are_those_of_a_right_declaration(letters: str, name: str) -> None:
    """Undeclared, the same bytes are letters of a larger alphabet, too."""
    text = keymap(letters)
    assert texts(we.lookup(name).encode(text), charset(name)) == {text}


@pytest.mark.parametrize(
    ("text", "codec"),
    [("¡Ñandú!", "cp1252"), ("        s='Июнь '", "cp1251"), ("PFX g 0 שכשככו ו[^ו]", "cp1255")],
)
def test_an_error_costs_more_than_a_rare_place(text: str, codec: str) -> None:
    """In Big5, EUC-JP or EUC-KR other bytes of these are characters, and one is an error."""
    data = text.encode(codec)
    assert texts(data) == {text}


# --- Words of one letter, and symbols ---


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("Il file è corrotto. È necessario", "cp1252"), ("Å", "cp1252"), ("È", "cp1252"),
        ("<td>È</td>", "cp1252"), ("å gå", "cp1252"), ("Å være", "cp1252"),
        ("À 5 km", "cp1252"), ("O é", "cp1252"), ("Ja, ö", "cp1252"), ("¿ y ?", "cp1252"), ("« a »", "cp1252"),
        ("// я вижу", "cp1251"), ("Запись в журнале", "cp1251"), ("Метод с аргументами", "cp1251"),
        ("С новым годом", "cp1251"), ("Я и ты", "cp1251"), ("а потом", "cp1251"),
        ("Ø 25 mm", "cp1252"), ("Rohr Ø 25 mm", "cp1252"), ("tube Ø 50", "cp1252"), ("Ø20", "cp1252"),
    ],
)  # fmt: skip
def test_a_word_of_one_letter(text: str, codec: str) -> None:
    data = text.encode(codec)
    assert texts(data) == {text}
    assert sniff.detect(data)[0].encoding.decode(data) == text


@pytest.mark.parametrize(
    "text",
    [
        "SFX A   0   ei   [^aeiouräüö]l", "SFX Y   0   n   [aiouyøå]", "TRY esianrtolcdugmphbyfvkwzäüößjxq",
        "KEY qwertzuiopü|asdfghjklöä|yxcvbnm",
    ],
)  # fmt: skip
def test_a_list_of_letters_is_of_one_alphabet(text: str) -> None:
    data = text.encode("cp1252")
    assert texts(data) == {text}
    assert texts(data, charset("windows-1252")) == {text}


# --- UTF-16 ---

SCRIPTS = {
    "ru": "Спасибо, что зашли на нашу страницу. ", "ja": "新しい商品が入荷しました。お問い合わせはこちら。",
    "zh": "欢迎访问我们的网站。这里有最新的消息。", "ko": "최신 소식을 알려 드립니다. ", "el": "Καλώς ήρθατε. ",
    "th": "ยินดีต้อนรับสู่เว็บไซต์ของเรา ข่าวสารล่าสุด ", "ar": "مرحبا بكم في موقعنا. ", "he": "ברוכים הבאים לאתר שלנו. ",
}  # fmt: skip


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("language", SCRIPTS)
def test_utf_16_without_a_mark(language: str, codec: str) -> None:
    """Undeclared, whatever stands first; and without a NUL, if it is declared."""
    text, name = SCRIPTS[language], codec[:6] + codec[-2:]
    assert texts((text * 3)[:40].encode(codec)) == {(text * 3)[:40]}
    page = "".join(f'<p class="{number}">{text}</p>\n' for number in range(50))
    for start in range(0, 200, 13):
        piece = page[start : start + 1800]
        assert texts(piece.encode(codec)) == {piece}, start
    for word in (text.split()[0], text.replace(" ", ""), text[:7].strip()):
        assert texts(word.encode(codec), charset(name)) == {word}


def test_controls_in_ascii_are_not_utf_16() -> None:
    for data in (b"\x01a", b"a\x01b\x02c\x03", b"\x02text\x03\r\n", b"name\x01value\x02" * 9, b"\x04"):
        assert texts(data) == {data.decode()}
        assert texts(data, charset("iso-8859-15")) == {data.decode()}


# --- ISO-2022-JP ---

JAPANESE = "日本語のページです。お問い合わせはこちら。"


def test_iso_2022_jp_that_is_declared_once_stands() -> None:
    """Whatever escapes someone inserts: no markup comes alive that a browser does not read."""
    random = Random("escapes")
    body = f"<p>{JAPANESE}</p><div title='{JAPANESE}'>{JAPANESE}</div>".encode("iso2022_jp")
    parts = [b"<p>", b"\x1b(I", b"\x1b$B", b"\x1b(B", b"\x1b(J", b"<script>", b"abc", b"<", b'"', b"\x1b$@", b"\x1b"]
    for _ in range(200):
        inserted = b"".join(random.choices(parts, k=random.randint(1, 14)))
        at = random.choice([0, 3, len(body)])
        page = body[:at] + inserted + body[at:]
        for data, header in ((page, charset("iso-2022-jp")), (meta("iso-2022-jp") + page, None)):
            assert texts(data, header) == {oracle.decode("ISO-2022-JP", data).text}


@pytest.mark.parametrize("other", ["utf-8", "shift_jis", "iso-8859-1"])
def test_one_of_two_declarations_says_iso_2022_jp(other: str) -> None:
    """It stands where the bytes have no error. If none says so, the text is what a browser shows."""
    body = f"<p>{JAPANESE}</p>".encode("iso2022_jp")
    for header, page in ((other, "iso-2022-jp"), ("iso-2022-jp", other)):
        data = meta(page) + body
        assert texts(data, charset(header)) == {oracle.decode("ISO-2022-JP", data).text}
    data = meta(other) + body
    assert texts(data, charset(other)) == {data.decode()}


@pytest.mark.parametrize(
    ("codec", "lines"),
    [("cp1251", "Файлът не може да бъде отворен, Опитайте отново по-късно, Списъкът е празен, Запазване и изход"),
     ("cp1255", "פתיחת היומן נכשלה, נסו שוב מאוחר יותר, הרשימה ריקה, שמירה ויציאה")],
)  # fmt: skip
def test_letters_of_another_alphabet_are_no_list_of_accents(codec: str, lines: str) -> None:
    """Even if header and page say iso-8859-1, in which all of them are accented Latin letters."""
    body = "".join(f"<li>{line}\n" for line in lines.split(", "))
    data = meta("iso-8859-1") + body.encode(codec)
    assert texts(data, charset("iso-8859-1")) == {data.decode(codec)}


def test_a_page_does_not_outweigh_a_confirmed_header() -> None:
    page = meta("iso-2022-jp") + meta("utf-8") + f"<p>{JAPANESE}</p>".encode("iso2022_jp")
    assert sniff.crawl(page, charset("utf-8")).encoding is we.UTF_8
