"""Mojibake: text that was decoded with the wrong encoding, once or several times, back to what was meant.

The detector's model of text decides: what was meant must cost fewer bits than what is there, by a margin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from .. import sniff
from .misreadings import may_be_misread, may_have_sequences, misreadings, reread

__all__: list[str] = ["Repaired", "repair"]

Steps: TypeAlias = tuple[tuple[str, str], ...]


class Repaired(NamedTuple):
    """The result of ``repair``: a text, and what had happened to it.

    ``steps``: pairs of names, what the text was read as and what it was, the last misreading first; () if nothing was
    changed. Where parts had been misread in different ways, the steps of each way follow each other.
    """

    text: str
    steps: Steps


Repaired.__module__ = "whatwg_encoding"  # the public name, in pickles

_LAYERS: Final = 4  # misreadings of the same text
_WIDTH: Final = 3  # texts of a layer that are examined further
_WORSE: Final = 30  # bits by which these may cost more than the text
_FAR_LIKELIER: Final = 0.5  # of the bits of a text beside its ASCII: what was meant may be unlikely in itself
_LAYER: Final = 4  # bits against each misreading
_MARGIN: Final = 3  # bits by which the whole must be likelier
_OF_A_PART: Final = 9  # more, if it is a part of a line
_OF_AN_UNUSUAL_PART: Final = 16  # more, if it was read as something else than
_USUAL: Final = frozenset({"windows-1252", "iso-8859-1"})
# Of a part that was not UTF-8: the fewest letters beyond ASCII, the fewest different ones, and more bits for each.
_FEWEST_LETTERS: Final = 5
_FEWEST_DIFFERENT: Final = 4
_OF_A_LETTER: Final = 3
_LIKEWISE: Final = 5  # bits instead, if lines before were misread the same way
_KNOWN: Final = 4  # ways that are remembered
_PARTS: Final = 16  # unlikely parts of a line: if there are more, it is in an unknown language
_SAMPLE: Final = 2048  # characters of a line that are examined at a time
_WINDOW: Final = 96  # characters that are likely or not, each for itself

# Bits that good text costs at most, beside its ASCII. Most does, and is not examined further.
_LIKELY_CHARACTER: Final = 6
_LIKELY_EAST_ASIAN: Final = 13
_LIKELY: Final = 10
# Bits that any text costs at least, and what speaks against a legacy encoding.
_LEAST_CHARACTER: Final = 4
_AGAINST_LEGACY: Final = 24

# What the model does not know, and bits for each: characters of other scripts within a Latin word, or next to one, as
# abbreviations in Chinese are, too, are mojibake; rows and columns of box drawings are not, nor repeated characters.
_IDEOGRAPH: Final = "(?![和与與或及的在是以为為等到于於中用者含])[\u3400-\u9fff\uff61-\uff9f]"  # none that joins words
_FOREIGN: Final = re.compile(
    rf"(?<=[a-z])(?:[\u0400-\u052f]|{_IDEOGRAPH}){{1,2}}(?=[a-z])"
    "|(?<=[a-z]{2})[\u0370-\u03ff](?=[a-z]{2})|(?<=[a-z])[‚„‡‰](?=[a-z])"
    rf"|(?:(?<=[a-z]{{2}})|(?<=\s[a-z]))[\u0400-\u052f](?!\w)|(?<=[a-z]{{2}}){_IDEOGRAPH}(?!\w)"
)
_FOREIGN_BEFORE: Final = re.compile(rf"(?<!\w){_IDEOGRAPH}(?=[a-z]{{2}})")
_OF_FOREIGN: Final = 16
_OF_FOREIGN_BEFORE: Final = 8
_RULES: Final = re.compile(
    r"(?<![\xa0-\u052f])(?:(?<!\w)[\u2500-\u259f]+(?![\xa0-\u052f])|[\u2500-\u259f]+(?![\xa0-\u052f\w]))"
)
_REPEATED: Final = re.compile(r"([^\x00-\x7f])\1+")
# What is reason to try legacy encodings, and bits for each: these characters, and symbols and capitals in a Latin word.
_STRANGE: Final = re.compile(
    f"{_FOREIGN.pattern}|{_FOREIGN_BEFORE.pattern}|(?<=[a-z])[À-ÖØ-Þ](?=[a-z])"
    "|(?<=[a-z]{2})[‚„‡‰ˆ˜¯˘˙˚¸˝˛ˇ\u2500-\u259f](?=[a-z])"
    r"|(?<=[a-z]{3})[‡‰ˆ˜¯˘˙˚¸˝˛ˇ](?!\w)"
)
_OF_STRANGE: Final = 16
_OF_THE_FIRST: Final = 8  # more

_EAST_ASIAN: Final = re.compile("[\u3000-\ud7ff\uf900-\ufaff\uff00-\uffef]")
_LETTER: Final = re.compile(r"[^\W\d_\x00-\x7f]")
_WORDS: Final = re.compile(r"[^\x00-\x20]+")


def _cost(text: str) -> int:
    if text.isascii():
        return sniff.text_cost(text)
    text = _REPEATED.sub(r"\1", _RULES.sub(" ", text))
    foreign = _OF_FOREIGN * len(_FOREIGN.findall(text)) + _OF_FOREIGN_BEFORE * len(_FOREIGN_BEFORE.findall(text))
    return sniff.text_cost(text) + foreign


def _excess(text: str) -> tuple[int, int]:
    """Return what a text costs beside its ASCII, and the number of characters beyond."""
    ascii = text.encode("ascii", "ignore").decode("ascii")
    return sniff.text_cost(text) - sniff.text_cost(ascii), len(text) - len(ascii)


def _is_likely(text: str) -> bool:
    """Return whether a text is as likely as good text is, or has no character that a misreading makes."""
    if text.isascii():
        return True
    excess, count = _excess(text)
    likely = _LIKELY + _LIKELY_CHARACTER * count
    if excess <= likely:
        return True
    east_asian = len(_EAST_ASIAN.findall(text))
    if east_asian > 2 and excess <= likely + (_LIKELY_EAST_ASIAN - _LIKELY_CHARACTER) * east_asian:
        return _FOREIGN.search(text) is None
    return not may_be_misread(text)


def _may_be_legacy(text: str) -> bool:
    excess, count = _excess(text)
    strange = len(_STRANGE.findall(text))
    unlikely = (
        excess + _OF_STRANGE * strange + _OF_THE_FIRST * (strange > 0) > _AGAINST_LEGACY + _LEAST_CHARACTER * count
    )
    return unlikely and (strange > 0 or not _is_likely(text))


def _is_far_likelier(meant: str, text: str) -> bool:
    return _excess(meant)[0] < _FAR_LIKELIER * _excess(text)[0]


def _search(text: str) -> tuple[int, str, Steps]:
    """Return the likeliest text before some misreadings, the bits by which it is likelier, and the misreadings."""
    own = _cost(text)
    best, meant = own, text
    steps: Steps = ()
    seen = {text}
    layer: list[tuple[int, str, Steps, int]] = [(own, text, (), 0)]
    for _ in range(_LAYERS):
        found = []
        for _, each, before, against in layer:
            for candidate in misreadings(each, _may_be_legacy(each)):
                if candidate.text in seen:
                    continue
                seen.add(candidate.text)
                more = against + candidate.against + _LAYER
                cost = _cost(candidate.text) + more
                if candidate.step[1] == "UTF-8" or _is_likely(candidate.text) or _is_far_likelier(candidate.text, each):
                    found.append((cost, candidate.text, (*before, candidate.step), more))
        found.sort(key=lambda each: each[0])
        layer = [each for each in found[:_WIDTH] if each[0] < own + _WORSE]
        if layer and layer[0][0] < best:
            best, meant, steps, _ = layer[0]
        if not layer or _is_likely(meant):
            break
    return own - best, meant, steps


class _Repair:
    """The repair of a text, line by line, with what is known from lines before."""

    def __init__(self) -> None:
        self.steps: list[Steps] = []
        self.known: list[Steps] = []

    def line(self, line: str) -> str:
        """Return a line as it was meant."""
        if line.isascii():
            return line
        for steps in self.known:
            undone = _undo(line, steps)
            if undone is not None and _cost(undone[0]) + undone[1] // 2 + _LIKEWISE * len(steps) < _cost(line):
                return undone[0]
        if self._is_likely(line) and not may_have_sequences(line) and not _STRANGE.search(line):
            return line
        if len(line) > _SAMPLE:
            return self._long_line(line)
        gain, meant, steps = _search(line)
        if gain < _MARGIN:
            return self._words(line)
        if not self._is_likely(meant):
            words = self._words(line)
            if _cost(words) + _MARGIN < _cost(meant):
                return words
        self._note(steps)
        return meant

    @staticmethod
    def _is_likely(line: str) -> bool:
        if len(line) <= _WINDOW:
            return _is_likely(line)
        if len(line) <= _SAMPLE and not _is_likely(line):
            return False
        return all(_is_likely(line[at : at + _WINDOW]) for at in range(0, len(line), _WINDOW))

    def _long_line(self, line: str) -> str:
        """Return a long line as it was meant: in whole as its first unlikely part, or else part by part."""
        parts = list(_parts(line))
        unlikely = next((part for part in parts if not self._is_likely(part) or may_have_sequences(part)), "")
        gain, _, steps = _search(unlikely)
        undone = _undo(line, steps) if gain >= _MARGIN else None
        if undone is not None and _cost(undone[0]) + _MARGIN < _cost(line):
            self._note(steps)
            return undone[0]
        return "".join(map(self.line, parts))

    def _words(self, line: str) -> str:
        """Return a line with those of its words as they were meant that were misread."""
        runs: list[list[int]] = []
        for word in _WORDS.finditer(line):
            if _is_likely(word[0]) and not _STRANGE.search(word[0]):
                continue
            if runs and runs[-1][1] + 1 >= word.start():
                runs[-1][1] = word.end()
            else:
                runs.append([*word.span()])
        for start, end in reversed(runs if len(runs) <= _PARTS else ()):
            gain, meant, steps = _search(line[start:end])
            if gain < _MARGIN:
                continue
            changed = line[:start] + meant + line[end:]
            margin = _MARGIN + (_OF_A_PART if {read_as for read_as, _ in steps} <= _USUAL else _OF_AN_UNUSUAL_PART)
            part, rest = line[start:end], line[:start] + line[end:]
            is_strange = _STRANGE.search(part) and not (_EAST_ASIAN.search(part) and _EAST_ASIAN.search(rest))
            if any(was != "UTF-8" for _, was in steps) and not is_strange:
                letters = _LETTER.findall(part)
                fits = _is_of_the_rest(letters, _LETTER.findall(meant), _LETTER.findall(rest))
                if len(letters) < _FEWEST_LETTERS - fits or len(set(letters)) < _FEWEST_DIFFERENT - fits:
                    continue
                margin += (1 if fits else _OF_A_LETTER) * len(letters)
            if _cost(changed) + margin <= _cost(line):
                line = changed
                self._note(steps)
        return line

    def _note(self, steps: Steps) -> None:
        if steps not in self.steps:
            self.steps.append(steps)
        self.known = self.steps[-_KNOWN:]


def _is_of_the_rest(letters: list[str], meant: list[str], rest: list[str]) -> bool:
    """Return whether a part's letters are of another script than the rest of its line, and those meant are not."""
    blocks, meant_blocks, of_the_rest = ({ord(each) >> 8 for each in part} for part in (letters, meant, rest))
    return meant_blocks <= of_the_rest and blocks.isdisjoint(of_the_rest)


def _undo(text: str, steps: Steps) -> tuple[str, int] | None:
    """Return what a text was before misreadings that are known, and the bits against that; None if it was not."""
    meant, against = text, 0
    for step in steps:
        candidate = reread(meant, step)
        if candidate is None:
            return None
        meant, against = candidate.text, against + candidate.against
    return None if meant == text else (meant, against)


def _parts(line: str) -> Iterator[str]:
    """Yield a line in parts of at most _SAMPLE characters, cut after a space if there is one."""
    at = 0
    while at < len(line):
        end = at + _SAMPLE
        if end < len(line):
            end = line.rfind(" ", at, end) + 1 or end
        yield line[at:end]
        at = end


def repair(text: str) -> Repaired:
    """Return a text that was decoded with the wrong encoding as it was meant, if that is far likelier; else unchanged.

    Each line is examined by itself: what it was read as (windows-1252, windows-1251, KOI8-R, macintosh, GBK, Shift_JIS
    and some others, Python's iso-8859-1 and the code pages 437, 850 and 866 among them), and what it was, UTF-8 or any
    encoding that ``sniff.detect`` finds, up to four times one after the other. Single words of a line may be misread,
    too. Where a reading had lost a byte, U+FFFD stays. All else stays as it is: a text is changed only if
    ``sniff.text_cost`` is less by a margin, which grows with what may be chance.

    ``steps`` of the result are what had happened. Time is linear in the text, and the result the same on every
    machine. Raise TypeError for anything but a str.

    >>> repair("SchÃ¶ne GrÃ¼ÃŸe")
    Repaired(text='Schöne Grüße', steps=(('windows-1252', 'UTF-8'),))
    >>> repair("À LA CARTE")
    Repaired(text='À LA CARTE', steps=())
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be str, not {type(text).__name__}")
    if text.isascii():
        return Repaired(text, ())
    work = _Repair()
    meant = "\n".join(map(work.line, text.split("\n")))
    return Repaired(meant, tuple(step for steps in work.steps for step in steps))
