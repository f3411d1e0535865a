"""Misreadings: what a text becomes if the bytes that it was read from are read again, as what they were.

A program that takes UTF-8 for windows-1252 reads ``Ã©`` for ``é``. To undo it, encode the text with what it was read
as, and decode the bytes with what they were. A byte that the first reading has lost is U+FFFD in the text. UTF-8 that
was read as a single-byte encoding is C's; the rest is here.
"""

from __future__ import annotations

import re
from collections import Counter, namedtuple

from .. import ENCODINGS
from .._native import detect as native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NamedTuple

    from .. import Encoding
    from ..sniff import Guess

    class Candidate(NamedTuple):
        cost: int
        penalty: int
        text: str
        step: tuple[str, str]

else:
    Candidate = namedtuple("Candidate", "cost penalty text step")
Candidate.__doc__ = "A text, the bits that it costs, other bits against it, and what it was read as and was."

_BITS: Final = native.WEIGHTS
# What text other than UTF-8 is read as, and what UTF-8 is beside single-byte encodings. The rest differ in few letters.
_READ_AS: Final = (
    "windows-1252", "windows-1251", "KOI8-R", "macintosh", "iso-8859-1", "windows-1250", "cp866", "cp437", "cp850",
    "GBK", "Shift_JIS", "EUC-KR", "Big5",
)  # fmt: skip
_MULTI_BYTE: Final = ("GBK", "Shift_JIS", "EUC-KR", "Big5", "EUC-JP")
_ALL: Final = (1 << 32) - 1  # the readings of C
_FEW: Final = 10  # characters beyond ASCII: fewer are short, and accented letters in a row are no word
_FEWEST_OF_A_WORD: Final = 6
_FEWEST_OF_A_PART: Final = 2  # letters of words of another script
_FEWEST_BESIDE_LATIN: Final = 6  # ASCII letters of a text in which letters of another script become Latin ones
_FEW_KANA: Final = 8  # half-width katakana that are a name
_LONG_KANA: Final = 24  # and those that are none

_LOST: Final = "\x1a"  # in place of a byte that is lost: a control that is the same in all encodings, and in no text
_DAMAGE: Final = "\ufffd?\x1a\ufffd{0,3}"  # a lost byte, and what is left of its character
_SYMBOL_IN_WORD: Final = (  # or a capital letter
    r"[^\W\d_]{2}(?:[^\w\s\x00-\x7f©®™]|[\u02b0-\u02ff])(?:[^\W\d_]|(?!\w))|[a-z]{2}[À-ÖØ-Þ][a-z]"
)
_CONTROL: Final = "[\x80-\x9f]"
_BEYOND_ASCII: Final = r"[^\x00-\x7f]"
# Cyrillic letters that pass for Latin ones in a word, or in capitals; Greek letters that are signs.
_LOOK_ALIKE: Final = frozenset("аеорсухіАВЕКМНОРСТХІµπΔΣΠΩ")
_AS_LOOK_ALIKE: Final = r"[аеорсухі]\B|(?<![a-z])[АВЕКМНОРСТХІ]|[µπΔΣΠΩ]"
_CATALAN: Final = "l·l"
_RULE: Final = "[\u2500-\u259f]"
_ASCII_LETTER: Final = "[A-Za-z]"
_LETTER: Final = r"[^\W\d_\x00-\x7f\u02b0-\u02ff]"
_WORD: Final = r"[^\W\d_]{3}"
_SPACES: Final = frozenset("\xa0\u2002\u2003\u2007\u2009\u202f\u3000")
_EAST_ASIAN_RUN: Final = "[\u2e80-\ud7ff\uf900-\ufaff]{4}"
_FIRST_EAST_ASIAN: Final = "\u2e80"
_LAST_LATIN: Final = "\u024f"


def detect(data: bytes) -> list[Guess]:
    """Return the detector's guesses. It is imported here, since most mojibake was UTF-8."""
    from ..sniff import detect

    return detect(data)


def of_utf_8(text: str, kind: int) -> list[Candidate]:
    """Return what a line was if it was UTF-8: all of it, or the words that are nothing else."""
    if _LOST in text:
        return []
    found = []
    if kind & native.IN_UTF_8:
        found = [
            Candidate(cost, penalty, intended, (native.READINGS[reading], "UTF-8"))
            for cost, penalty, intended, reading in native.intended(text, _ALL, False)
        ]
    if kind & native.IN_MULTI_BYTE:
        for name in _MULTI_BYTE:
            words = _words_as_utf_8(text, name)
            if words is not None:
                intended, has_others = words
                penalty = _BITS["multi_byte"] + (_BITS["unusual_part"] if has_others else 0)
                found.append(Candidate(native.line_cost(intended), penalty, intended, (name, "UTF-8")))
    return found


def of_legacy(text: str, tries: int) -> tuple[list[Candidate], int]:
    """Return what all of a line was if it was in a legacy encoding, and how often the detector was asked."""
    found: list[Candidate] = []
    used = 0
    if _LOST in text or _is_half_width(text):
        return found, used
    marked = text.replace("\ufffd", _LOST)
    has_controls = re.search(_CONTROL, text)
    for name in _READ_AS:
        if name == "iso-8859-1" and not has_controls:  # as windows-1252
            continue
        data = _encoded(marked, name)
        if data is None:
            continue
        if used >= tries:
            break
        used += 1
        for was in [guess.encoding for guess in detect(data)[:1]]:
            intended = None if was.name in (name, "UTF-8") else _without_errors(was.decode(data))
            penalty = None if intended is None or intended == text else _legacy_penalty(text, intended, name, was)
            if (
                intended is None
                or penalty is None
                or re.search(_HALF_WIDTH_WORD, intended)
                or not _has_few_lost(intended)
            ):
                continue
            if was.is_single_byte and not re.search(_WORD, intended):  # letters without a word prove nothing
                continue
            found.append(Candidate(native.line_cost(intended), penalty, intended, (name, was.name)))
    return found, used


def of_parts(text: str, tries: int) -> tuple[list[Candidate], int]:
    """Return what words of another script than the rest of a line were, if that is the rest's; as ``of_legacy``."""
    words = text.split(" ")
    blocks = [{ord(each) >> 8 for each in re.findall(_LETTER, word)} for word in words]
    found: list[Candidate] = []
    if not any(blocks):
        return found, 0
    usual, _ = Counter(map(frozenset, filter(None, blocks))).most_common(1)[0]
    others = [not own <= usual for own in blocks]
    part = " ".join(word for word, is_other in zip(words, others, strict=True) if is_other)
    letters = len(re.findall(_LETTER, part))
    is_apart = all(not is_other or own.isdisjoint(usual) for own, is_other in zip(blocks, others, strict=True))
    if letters < _FEWEST_OF_A_PART or not is_apart:
        return found, 0
    candidates, used = of_legacy(part, tries)
    for candidate in candidates:
        intended = candidate.text.split(" ")
        if (
            len(intended) != sum(others)
            or not {ord(each) >> 8 for each in re.findall(_LETTER, candidate.text)} <= usual
        ):
            continue
        parts = iter(intended)
        line = " ".join(next(parts) if is_other else word for word, is_other in zip(words, others, strict=True))
        penalty = candidate.penalty + _BITS["unusual_part"] + letters
        found.append(Candidate(native.line_cost(line), penalty, line, candidate.step))
    return found, used


def reread(text: str, step: tuple[str, str]) -> Candidate | None:
    """Return what the text was before a step that is known, or None if it cannot have been one."""
    name, was = step
    if _LOST in text:
        return None
    if was == "UTF-8":
        if name in native.READINGS:
            found = native.intended(text, 1 << native.READINGS.index(name), True)
            return Candidate(*found[0][:3], step) if found else None
        words = _words_as_utf_8(text, name)
        return None if words is None else Candidate(native.line_cost(words[0]), 0, words[0], step)
    data = _encoded(text.replace("\ufffd", _LOST), name)
    intended = None if data is None else _without_errors(ENCODINGS[was].decode(data))
    penalty = None if intended is None else _legacy_penalty(text, intended, name, ENCODINGS[was])
    return (
        None if intended is None or penalty is None else Candidate(native.line_cost(intended), penalty, intended, step)
    )


def is_never_text(intended: str, text: str) -> bool:
    """Return whether a text has a control of C1, or a symbol within a word, that another has not."""
    return any(re.search(each, intended) and not re.search(each, text) for each in (_CONTROL, _SYMBOL_IN_WORD_INTENDED))


_BESIDE_A_NAME: Final = "A-Za-z\u00c0-\u024f\u0370-\u052f\u3041-\u9fff\uff61-\uff9f"
_HALF_WIDTH_WORD: Final = f"(?<![{_BESIDE_A_NAME}])[\uff61-\uff9f]+(?![{_BESIDE_A_NAME}])"
_HALF_WIDTH: Final = "[\uff61-\uff9f]"


def _is_half_width(text: str) -> bool:
    """Return whether a line's letters are half-width katakana: it is a name, unless it is long."""
    return re.search(_HALF_WIDTH_WORD, text) is not None and len(re.findall(_HALF_WIDTH, text)) < _LONG_KANA


_ABOUT: Final = r"(?i)mojibake|\butf-?8|\butf8|latin-?1\b|iso-?8859|cp-?125\d|windows-125\d|\bencoding|charset"
_QUOTE: Final = """['"`/|“‘«„]"""
_QUOTED: Final = """['"`/|“‘«„][\x80-\u2e7f]['"`/|”’»“]"""
_MARKS: Final = "\"'`“‘(<|>→=/"
_ALONE: Final = r"[^\x00-\x2f:-@\[-`{-\x7f\xa0]+"
_TOKEN: Final = r"[^\x00-\x2f:-@\[-`{-\x7f\xa0“”‘’«»]+"
_SYMBOL_IN_WORD_INTENDED: Final = r"[^\W\d_][\u2190-\u23ff\u2600-\u2bff][^\W\d_]"


def is_about_mojibake(text: str, intended: str, has_others: bool = True) -> bool:
    """Return whether a line is about mojibake: it names an encoding, quotes nothing else, or has what was meant, too.

    ``has_others``: it has letters that stay.
    """
    if re.search(_ABOUT, text):
        return True
    if not has_others and not re.search(_QUOTE, text):
        return False
    words, words_intended = (
        Counter(word for word in re.findall(_TOKEN, each) if not word.isascii()) for each in (text, intended)
    )
    for word, count in words.items():
        if words_intended[word] > count:
            at = text.index(word)
            if len(word) < 3 or text[:at].rstrip()[-1:] in _MARKS or text[at + len(word) :].lstrip()[:1] in _MARKS:
                return True
    # A quotation mark or a dash that stands alone is intended itself.
    alone, alone_intended = (Counter(re.findall(_ALONE, each)) for each in (text, intended))
    for each, count in alone_intended.items():
        if count > alone[each] > 0 and not re.search(_TOKEN, each):
            return True
    quoted, quoted_intended = (Counter(re.findall(_QUOTED, each)) for each in (text, intended))
    return any(count > quoted[each] for each, count in quoted_intended.items())


def _encoded(text: str, name: str) -> bytes | None:
    """Return the bytes that were read as the text, or None if there are none."""
    try:
        return ENCODINGS[name].encode(text, "fatal") if name in ENCODINGS else text.encode(name)
    except UnicodeEncodeError:
        return None


def _words_as_utf_8(text: str, name: str) -> tuple[str, bool] | None:
    """Return a line with its words that were UTF-8 as these, and whether others have letters; None if none was.

    One character alone is no evidence, nor are a few half-width katakana, which are a name. The rest must be likely.
    """
    kana = len(re.findall(_HALF_WIDTH, text))
    if kana < _FEW_KANA and kana and kana == len("".join(re.findall(_HALF_WIDTH_WORD, text))):
        return None
    words = text.replace("\ufffd", _LOST).split(" ")
    undone = [None if word.isascii() else _as_utf_8(word, name) for word in words]
    if all(word is None or len(word) < 2 for word in undone):
        return None
    others = [word for word, intended in zip(words, undone, strict=True) if intended is None and not word.isascii()]
    if any(re.search(_HALF_WIDTH_WORD, word) or not native.excess(word)[1] for word in others):
        return None
    intended = " ".join(word if each is None else each for word, each in zip(words, undone, strict=True))
    if _LOST in intended or not _has_few_lost(intended):
        return None
    return intended, bool(others)


def _as_utf_8(marked: str, name: str) -> str | None:
    """Return what a word was if it was UTF-8, or None."""
    data = _encoded(marked, name)
    return None if data is None else _without_errors(data.decode("utf-8", "replace"))


def _without_errors(text: str) -> str | None:
    """Return a decoded text with U+FFFD for each byte that is lost, or None if it has other errors."""
    if _LOST not in text:
        return None if "\ufffd" in text else text
    text = re.sub(_DAMAGE, _LOST, text)
    return None if "\ufffd" in text else text.replace(_LOST, "\ufffd")


def _has_few_lost(text: str) -> bool:
    return text.count("\ufffd") <= len(re.findall(_LETTER, text))


def _legacy_penalty(text: str, intended: str, name: str, was: Encoding) -> int | None:
    """Return the bits against a text in a legacy encoding, some for what may be chance; None if it cannot be meant."""
    before, after = re.findall(_LETTER, text), re.findall(_LETTER, intended)
    if (re.search(_RULE, intended) and not re.search(_RULE, text)) or _is_no_evidence(text, before):
        return None
    is_short = len(re.findall(_BEYOND_ASCII, text)) < _FEW
    penalty = _BITS["usual_legacy" if name == "windows-1252" else "legacy"]
    if not was.is_single_byte:
        if 4 * len(after) < len(before):
            return None
        was_east_asian = max(before, default="") >= _FIRST_EAST_ASIAN
        return penalty + _BITS["few_east_asian"] * is_short + _BITS["east_asian"] * was_east_asian
    if 2 * len(after) < len(before) or (name in _MULTI_BYTE and _cannot_be_pairs(text, before, after)):
        return None
    penalty += _BITS["rare_legacy"] * (was.name in native.RARE)
    changes = len(after)
    if len(text) == len(intended):
        changes = sum(map(str.__ne__, text, intended))
        if changes == sum(old != new and old in _SPACES for old, new in zip(text, intended, strict=True)):
            return None
    was_latin, is_latin = (max(letters, default="") <= _LAST_LATIN for letters in (before, after))
    if not is_latin:
        # Accented letters and katakana stand in rows, and abbreviations are as likely in any script.
        is_usual = was_latin or max(before) >= _FIRST_EAST_ASIAN or len(before) < _FEWEST_OF_A_WORD
        few = is_short and is_usual
        return penalty + changes * _BITS["other_letter"] + _BITS["few"] * few
    if not was_latin and len(re.findall(_ASCII_LETTER, text)) < _FEWEST_BESIDE_LATIN:
        return None
    is_plain = was_latin and not re.search(_SYMBOL_IN_WORD, text)
    if is_plain and was.name in native.RARE:
        return None
    return penalty + changes * (_BITS["latin_letter"] + is_plain) + _BITS["plain"] * is_plain


def _is_no_evidence(text: str, before: list[str]) -> bool:
    """Return whether all beyond ASCII is symbols outside of words, letters that pass for Latin ones, or signs."""
    if _CATALAN in text.lower() or not (before or re.search(_SYMBOL_IN_WORD, text)):
        return True
    return _LOOK_ALIKE.issuperset(before) and re.search(_AS_LOOK_ALIKE, text) is not None


def _cannot_be_pairs(text: str, before: list[str], after: list[str]) -> bool:
    """Return whether an East Asian encoding cannot have made a text of letters in a single-byte encoding.

    Pairs of bytes become ideographs, of which Latin text, with ASCII between its letters, has no long run.
    """
    if 2 * sum(each >= _FIRST_EAST_ASIAN for each in before) < len(before):
        return True
    return max(after, default="") <= _LAST_LATIN and re.search(_EAST_ASIAN_RUN, text) is not None
