"""``lookup_codec``: its table and the figures in it are derived here from Python's codecs."""

from __future__ import annotations

import codecs
import encodings
import json
import pickle
import pkgutil
import re
from collections.abc import Callable
from functools import cache, partial
from itertools import product
from pathlib import Path

import pytest

import whatwg_encoding as we
from tests.programs import python
from whatwg_encoding import code_pages
from whatwg_encoding.names import FAR as REASONS
from whatwg_encoding.names import NEAREST

CODECS = sorted({module.name for module in pkgutil.iter_modules(encodings.__path__)} - {"aliases"})

SINGLE = [bytes([byte]) for byte in range(0x100)]
PAIRS = [bytes(pair) for pair in product(range(0x80, 0x100), range(0x20, 0x100))]
# In ISO-2022-JP, the pairs of JIS X 0208.
JIS = [b"\x1b$B%c%c\x1b(B" % pair for pair in product(range(0x21, 0x7F), repeat=2)]

# Codecs whose output is ASCII-compatible are compared by single bytes and by pairs.
STATEFUL = {name for name in CODECS if name.startswith(("iso2022_", "hz"))}
UTF = {name: name.replace("_sig", "") for name in CODECS if name.startswith("utf_")}

PAGES = {name.lower().replace("-", "_"): page for name, page in code_pages.CODE_PAGES.items()}
PAGES |= {"utf_32_le": code_pages.UTF_32LE, "utf_32_be": code_pages.UTF_32BE, "utf_32": code_pages.UTF_32LE}

# The documentation's rows: codec → the nearest encoding, and the numbers of single bytes and of pairs that the two
# decode differently, errors included.
FIGURES = Path(__file__).parents[2] / "docs" / "codecs.json"
ROWS: dict[str, tuple[str, int, int]] = {codec: tuple(row) for codec, row in json.loads(FIGURES.read_bytes()).items()}

Answers = dict[bytes, str | None]


def answer(decode: Callable[[bytes], str], data: bytes) -> str | None:
    try:
        return decode(data)
    except ValueError:
        return None


def answers(decode: Callable[[bytes], str], inputs: list[bytes]) -> Answers:
    return {data: answer(decode, data) for data in inputs}


def all_answers(decode: Callable[[bytes], str]) -> tuple[Answers, Answers]:
    """Decode every single byte, and every pair that means more than its two bytes."""
    single, pairs = answers(decode, SINGLE), answers(decode, PAIRS)
    for data, text in pairs.items():
        first, second = single[data[:1]], single[data[1:]]
        if first is not None and second is not None and text == first + second:
            pairs[data] = None
    return single, pairs


def decode_fatal(name: str) -> Callable[[bytes], str]:
    return lambda data: we.ENCODINGS[name].decode(data, "fatal")


def of_codec(name: str) -> tuple[Answers, Answers]:
    return all_answers(lambda data: codecs.decode(data, name))


@cache
def of_encoding(name: str) -> tuple[Answers, Answers]:
    return all_answers(decode_fatal(name))


def differences(answers: Answers, other: Answers) -> int:
    return sum(text != other[data] for data, text in answers.items())


def share(answers: Answers, other: Answers) -> float:
    """Return the share of printable characters of one codec that mean another character in the other."""
    printable = {data: text for data, text in answers.items() if text is not None and text.isprintable()}
    return differences(printable, other) / len(printable) if printable else 0


def is_text(name: str) -> bool:
    try:
        return codecs.lookup(name)._is_text_encoding
    except LookupError:  # a codec of another operating system
        return False


# Not character encodings, although they convert bytes to text.
ESCAPES = {"charmap", "idna", "punycode", "raw_unicode_escape", "undefined", "unicode_escape"}
COMPARED = [name for name in CODECS if is_text(name) and name not in ESCAPES | STATEFUL | set(UTF)]


@pytest.mark.repeated  # what a change of Python's codecs or of the standard's data alone could change
@pytest.mark.parametrize("codec", COMPARED)
def test_the_nearest_encoding(codec: str) -> None:
    """At most 2 % of the printable bytes and pairs differ, and no other encoding has fewer differences."""
    single, pairs = of_codec(codec)
    distances = {}
    for name, encoding in we.ENCODINGS.items():
        if not encoding.is_ascii_compatible:
            continue
        theirs = of_encoding(name)
        if all(share(*both) <= 0.02 for both in ((single, theirs[0]), (pairs, theirs[1]))):
            distances[name] = differences(single, theirs[0]) + differences(pairs, theirs[1])
    if codec in REASONS:
        assert not distances
        return
    name, bytes_, pairs_ = ROWS[codec]
    theirs = of_encoding(name)
    assert (bytes_, pairs_) == (differences(single, theirs[0]), differences(pairs, theirs[1]))
    if codec == "ascii":
        assert name == we.lookup("ascii").name  # all are equally near; the standard names this one
    elif codec in ("gbk", "gb2312", "gb18030"):
        assert distances["GBK"] == distances["gb18030"] == min(distances.values())  # both decode alike
        assert name == we.lookup(codec).name
    else:
        assert distances[name] == min(distances.values())


def test_iso_2022_jp() -> None:
    """ISO-2022-JP decodes at least 98 % of iso2022_jp's characters as Python does, and less for its variants."""
    for codec in sorted(STATEFUL & {name for name in CODECS if name.startswith("iso2022_jp")}):
        total = other = 0
        for character in map(chr, [*range(0xD800), *range(0xE000, 0x10000)]):
            try:
                data = character.encode(codec)
            except UnicodeEncodeError:
                continue
            total += 1
            other += answer(decode_fatal("ISO-2022-JP"), data) != character
        if codec == "iso2022_jp":
            assert other / total <= 0.02
            sides = (partial(codecs.decode, encoding=codec), decode_fatal("ISO-2022-JP"))
            single, pairs = ([answers(decode, inputs) for decode in sides] for inputs in (SINGLE, JIS))
            assert ROWS[codec] == ("ISO-2022-JP", differences(*single), differences(*pairs))
        else:
            assert other / total > 0.02
            assert codec in REASONS


@pytest.mark.parametrize("codec", UTF)
def test_utf(codec: str) -> None:
    if codec == "utf_16":  # without a byte order mark, the standard means little-endian
        assert ROWS[codec] == ("UTF-16LE", 0, 0)
    elif codec in NEAREST:
        text = "".join(map(chr, [*range(1, 0xD800), *range(0xE000, 0x11000)]))
        assert we.lookup_codec(codec).decode(text.encode(UTF[codec]), "fatal") == text
        assert ROWS[codec][1:] == (0, 0)
    else:
        assert codec in REASONS


def test_every_codec_has_its_row() -> None:
    """The names of every supported Python version are known; some versions lack a few."""
    assert not NEAREST.keys() & REASONS.keys()
    assert not CODECS - NEAREST.keys() - REASONS.keys()
    assert {name for name in NEAREST if name not in CODECS} == set()


@pytest.mark.parametrize("codec", CODECS)
def test_every_name_of_a_codec(codec: str) -> None:
    names = [codec, codec.upper(), codec.replace("_", "-"), codec.replace("_", " "), f" {codec}", f'"{codec}"']
    aliases = [alias for alias, target in encodings.aliases.aliases.items() if target == codec]
    names += [alias for alias in aliases if alias == alias.lower()]  # Python finds no other spelling
    for name in names:
        if codec in NEAREST:
            assert we.lookup_codec(name).name == NEAREST[codec]
        elif codec in PAGES:
            assert we.lookup_codec(name) is PAGES[codec]
        else:
            with pytest.raises(we.UnknownLabelError, match="no encoding is near to Python's codec") as raised:
                we.lookup_codec(name)
            assert REASONS[codec] in str(raised.value)
            assert repr(name) in str(raised.value)


# Among them a number with more digits than int() takes.
@pytest.mark.parametrize(
    "name", ["", "no-such-codec", "x" * 100_000, "8" * 5000, "cp85", "cp９３２", "utf\0-8x", "web-sjis", "os"]
)
def test_names_of_no_codec(name: str) -> None:
    with pytest.raises(we.UnknownLabelError, match="is not the name of a codec of Python") as raised:
        we.lookup_codec(name)
    assert len(str(raised.value)) < 200


WRITTEN = {
    "ANSI 1252": "windows-1252", "ansi1250": "windows-1250", "windows1252": "windows-1252", "WIN1251": "windows-1251",
    "1252": "windows-1252", "CP 1252": "windows-1252", "gb-18030": "gb18030", "88591": "windows-1252",
    "88592": "ISO-8859-2", "885915": "ISO-8859-15", "8859-15": "ISO-8859-15", "ISO 8859-7": "ISO-8859-7",
    "OEM 850": "cp850", "OEM437": "cp437", "ansi 850": "cp850", "oem 866": "IBM866", "65001": "UTF-8",
    "CP65001": "UTF-8", "28592": "ISO-8859-2", "10000": "macintosh", "10029": "mac_latin2", "20866": "KOI8-R",
    "932": "Shift_JIS", "ms 936": "GBK", "1200": "UTF-16LE", "12000": "UTF-32LE", "code page 737": "cp737",
    "LDID/87": "windows-1252", "ldid/0x57": "windows-1252", "LDID/101": "IBM866", "0x65": "IBM866", "DBF 0x64": "cp852",
    "LDID/3": "windows-1252", "LDID/1": "cp437", "LDID/2": "cp850", "LDID/0": None, "LDID/255": None, "0x68": None,
    "LDID/": None, "LDID/0xZZ": None, "ansi 12": None, "12521": None, "99999": None, "iso-8859-12": None,
}  # fmt: skip


@pytest.mark.parametrize("name", WRITTEN)
def test_names_as_people_write_them(name: str) -> None:
    """In .cpg files beside shapefiles, DBF headers, settings: the numbers are those of Windows and of dBASE."""
    expected = WRITTEN[name]
    if expected is not None:
        assert we.lookup_codec(name).name == expected
        return
    with pytest.raises(we.UnknownLabelError, match="is not the name of a codec of Python"):
        we.lookup_codec(name)


def test_detectors_of_pages_and_w3lib_know_no_code_page() -> None:
    for name in ("cp850", "mac_greek", "ANSI 850", "utf-32"):
        with pytest.raises(we.UnknownLabelError):
            we.sniff.html(b"\x81", detector=lambda data, name=name: name)
    assert we.w3lib.resolve_encoding("cp850") == "cp850"  # Python's codec, as in w3lib


def test_no_codec_is_imported() -> None:
    program = "import sys, whatwg_encoding as we; we.lookup_codec('cp932'); assert 'encodings.cp932' not in sys.modules"
    python(program)


TAKES_A_LABEL: dict[str, Callable[[str], object]] = {
    "lookup": we.lookup,
    "open_utf8": lambda label: we.open_utf8("missing", label),
    "recode": lambda label: we.recode(b"", label, "utf-8"),
    "decode": lambda label: we.decode(b"", label),
    "decode_many": lambda label: we.decode_many([(b"", label)]),
    "TextDecoder": we.TextDecoder,
    "sniff.html": lambda label: we.sniff.html(b"", known=label),
    "urls": lambda label: we.urls.serialize_form([], label),
}


@pytest.mark.parametrize("function", TAKES_A_LABEL.values(), ids=TAKES_A_LABEL)
@pytest.mark.parametrize(
    ("label", "suggested"),
    [
        ("cp932", "; 'Shift_JIS' is nearest to Python's codec of that name (whatwg_encoding.lookup_codec)"),
        ("\tCP932 ", "; 'Shift_JIS' is nearest to Python's codec of that name (whatwg_encoding.lookup_codec)"),
        ("utf-9", "; did you mean 'utf-8'?"),
        ("hz", "; no encoding is near to Python's codec of that name: the standard does not decode it, for security"),
        ("klingon", "; whatwg_encoding.LABELS has all of them, as `whatwg-encoding labels` prints"),
        ("x" * 1_000_000, "; whatwg_encoding.LABELS has all of them, as `whatwg-encoding labels` prints"),
    ],
)
def test_every_message_on_a_label_suggests(function: Callable[[str], object], label: str, suggested: str) -> None:
    with pytest.raises(we.UnknownLabelError) as raised:
        function(label)
    assert f"unknown encoding label {label!r}"[:60] in str(raised.value)
    assert str(raised.value).endswith(suggested)
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


def test_a_suggestion_is_made_for_every_codec_and_for_every_label_with_a_typo() -> None:
    for codec in sorted({*NEAREST, *REASONS} - {*we.LABELS}):
        with pytest.raises(we.UnknownLabelError) as raised:
            we.lookup(codec)
        assert (repr(NEAREST[codec]) if codec in NEAREST else REASONS[codec]) in str(raised.value)
    for label in we.LABELS:
        with pytest.raises(we.UnknownLabelError, match=rf"; did you mean '{re.escape(label)}'\?$"):
            we.lookup(f"{label[:-2]}q{label[-2:]}")


def test_a_suggestion_is_made_when_it_is_shown() -> None:
    """Most errors are caught, such as those for the labels of pages."""
    program = (
        "import sys, whatwg_encoding as we\n"
        "try: we.lookup('utf-9')\n"
        "except LookupError as error: assert 'difflib' not in sys.modules; assert 'utf-8' in str(error)\n"
        "assert 'difflib' in sys.modules"
    )
    python(program)


def test_the_table_in_the_documentation() -> None:
    assert {codec: name for codec, (name, *_) in ROWS.items()} == NEAREST


def valid_inputs(encoding: we.Encoding) -> list[bytes]:
    """Return bytes, pairs and some longer sequences that an encoding decodes without an error."""
    inputs = [*SINGLE]
    if not encoding.is_single_byte:
        inputs += PAIRS
    if encoding is we.EUC_JP:
        inputs += [b"\x8f%c%c" % pair for pair in product(range(0xA1, 0xFF), repeat=2)]
    if encoding is we.ISO_2022_JP:
        inputs += JIS
    if encoding in (we.GBK, we.GB18030):
        inputs += [
            b"%c%c%c%c" % four for four in product(range(0x81, 0xE4, 7), range(0x30, 0x3A), range(0x81, 0xFF, 9), b"5")
        ]
        inputs += ["\u1e3f".encode("gb18030")]
    if encoding.is_utf_16 or encoding is we.UTF_8:
        codec = encoding.name.lower().replace("utf-16b", "utf-16-b").replace("utf-16l", "utf-16-l")
        inputs += [chr(code_point).encode(codec) for code_point in (*range(0, 0xD800, 5), *range(0xE000, 0x110000, 97))]
    return [data for data in inputs if encoding.valid_up_to(data) == len(data)]


def same(codec: str, data: bytes, text: str) -> bool:
    return answer(partial(codecs.decode, encoding=codec), data) == text


@pytest.mark.parametrize("name", [name for name in we.ENCODINGS if name != "replacement"])  # it has no valid input
def test_the_codec_that_decodes_as_an_encoding_does(name: str) -> None:
    encoding = we.ENCODINGS[name]
    decoded = {data: encoding.decode(data, "fatal") for data in valid_inputs(encoding)}
    codec = encoding.python_codec()
    if codec is not None:
        assert all(same(codec, data, text) for data, text in decoded.items())
    else:
        for other in {codec for codec in CODECS if is_text(codec) or codec in STATEFUL} - ESCAPES - {"mbcs", "oem"}:
            assert not all(same(other, data, text) for data, text in decoded.items()), other
    for data, text in list(decoded.items())[:: max(1, len(decoded) // 500)]:
        own = encoding.python_codec(memoryview(data))
        assert own is None or same(own, data, text)
        if own is None:
            assert not any(same(other, data, text) for other in NEAREST if NEAREST[other] == name and other != "utf_16")


def test_data_with_an_error_has_no_codec() -> None:
    assert we.SHIFT_JIS.python_codec(b"\xff") is None
    assert we.UTF_8.python_codec(b"\xe9") is None
    assert we.WINDOWS_1252.python_codec(b"\x81") == "latin_1"
    assert we.WINDOWS_1252.python_codec(b"\x80") == "cp1252"
    assert we.REPLACEMENT.python_codec(b"") is None
