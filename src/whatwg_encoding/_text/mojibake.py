"""Mojibake: text that was decoded with the wrong encoding, once or several times, back to what was meant.

C mends it (src/native/determination/mend.h); what is here calls it, and mends what JSON escapes.
"""

from __future__ import annotations

from collections import namedtuple

from .._native.detect import mend

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable
    from typing import Final, NamedTuple, TypeAlias

    Misreadings: TypeAlias = tuple[tuple[str, str], ...]
    Losses: TypeAlias = tuple[tuple[int, int, str], ...]

    class Repaired(NamedTuple):
        text: str
        steps: Misreadings
        lost: Losses

else:  # as in _api.results
    Repaired = namedtuple("Repaired", "text steps lost", module="whatwg_encoding")
Repaired.__doc__ = """The result of ``repair``: a text, what had happened to it, and what did not come back.

    ``steps``: pairs of names, what the text was read as and what it was, the last misreading first; () if nothing was
    changed. Where parts had been misread in different ways, the steps of each way follow each other.

    ``lost``: where a character of the text is gone: the start, the end, and the characters that may have been there,
    an empty string if too many may.
    """

__all__: list[str] = ["Repaired", "repair", "repair_many"]

_ROUNDS: Final = 8  # of lines so long that they are mended in pieces, which end elsewhere once they are shorter
_ESCAPES: Final = r"(?:\\u00[89a-fA-F][0-9a-fA-F])+"  # in JSON, of the characters up to U+00FF


def repair(text: str, *, legacy: bool = True) -> Repaired:
    """Restore text that was decoded with the wrong encoding. Other text is unchanged.

    Each line is examined separately. Text in UTF-8 is restored word by word, even if it was misread several times, as
    windows-1252, windows-1251, macintosh, GBK, a code page of DOS or one of some twenty other encodings. A sentence in
    another encoding is restored if the detector knows its language. Text about mojibake stays as it is.

    A character comes back only if what is left of it determines it. Where one is certainly gone, U+FFFD stands for it,
    and ``lost`` of the result says what it may have been.

    ``legacy=False``: only text that was in UTF-8 is restored. ``steps`` of the result name the wrong and the right
    encodings. To repair the result changes nothing. Time is linear in the text, and the result is the same on every
    machine. Raise TypeError for anything but a str.

    >>> repair("SchÃ¶ne GrÃ¼ÃŸe")
    Repaired(text='Schöne Grüße', steps=(('windows-1252', 'UTF-8'),), lost=())
    >>> repair("À LA CARTE")
    Repaired(text='À LA CARTE', steps=(), lost=())
    >>> repair("JosÃ© GarcÃa").lost
    ((9, 10, 'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàí'),)
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be str, not {type(text).__name__}")
    if text.isascii():
        return _repair_escapes(text) if "\\u00" in text else Repaired(text, (), ())
    mended = mend(text, legacy)
    if mended is None:
        return Repaired(text, (), ())
    intended, ways, gaps, is_cut = mended
    for _ in range(_ROUNDS if is_cut else 0):
        mended = mend(intended, legacy)
        if mended is None:
            break
        intended, more, gaps, _ = mended
        ways += [way for way in more if way not in ways]
    lost: Losses = ()
    if gaps:
        from .lost import characters  # imported here, as below, since most programs lose none

        lost = tuple((start, end, characters(sequence, is_dropped)) for start, end, sequence, is_dropped in gaps)
    return Repaired(intended, tuple(step for way in ways for step in way), lost)


def repair_many(texts: Iterable[str], *, legacy: bool = True) -> list[Repaired]:
    """Return what ``repair`` returns for each text. Raise TypeError for a text that is not a str.

    >>> [repaired.text for repaired in repair_many(["KÃ¶ln", "Köln"])]
    ['Köln', 'Köln']
    """
    return [repair(text, legacy=legacy) for text in texts]


def _repair_escapes(text: str) -> Repaired:
    """Restore misread UTF-8 in the escapes of JSON, and escape what it was."""
    import re

    steps: list[tuple[str, str]] = []

    def restored(match: re.Match[str]) -> str:
        escaped = match[0]
        characters = bytes.fromhex(escaped.replace("\\u00", "")).decode("latin-1")
        mended = mend(characters, False)
        if mended is None:
            return escaped
        intended, ways, _, _ = mended
        steps.extend(step for way in ways for step in way if step not in steps)
        units = intended.encode("utf-16-be", "surrogatepass")
        return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))

    return Repaired(re.sub(_ESCAPES, restored, text), tuple(steps), ())
