"""Mojibake: text that was decoded with the wrong encoding, once or several times, back to what was meant.

C judges each line and dismisses good ones (src/native/determination/repair.h); what is here is for the others. The
detector's model of text decides: what was meant must cost fewer bits than what is there, by a margin.
"""

from __future__ import annotations

from collections import namedtuple

from .._native.detect import (
    IN_LEGACY,
    IN_UTF_8,
    READINGS,
    WEIGHTS,
    excess,
    first_sequence,
    judge,
    likewise,
    line_cost,
    suspects,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, NamedTuple, TypeAlias

    from . import misreadings

    Misreadings: TypeAlias = tuple[tuple[str, str], ...]

    class Repaired(NamedTuple):
        text: str
        steps: Misreadings

else:  # as in _api.results
    Repaired = namedtuple("Repaired", "text steps", module="whatwg_encoding")
Repaired.__doc__ = """The result of ``repair``: a text, and what had happened to it.

    ``steps``: pairs of names, what the text was read as and what it was, the last misreading first; () if nothing was
    changed. Where parts had been misread in different ways, the steps of each way follow each other.
    """

__all__: list[str] = ["Repaired", "repair"]

_LAYERS: Final = 4  # misreadings of the same text
_WIDTH: Final = 3  # texts of a layer that are examined further
_WORSE: Final = WEIGHTS["on_the_way"]  # bits by which these may cost more than the text
_LAYER: Final = WEIGHTS["layer"]  # bits against each misreading
_FAR_LIKELIER: Final = 0.7  # of the bits of a text: what was meant may be unlikely in itself
_MARGIN: Final = WEIGHTS["margin"]  # bits by which the whole must be likelier
_AMBIGUOUS: Final = 1  # bits by which a reading must be likelier than the next
_LIKEWISE: Final = WEIGHTS["likewise"]  # bits against each misreading that lines before had
_KNOWN: Final = 4  # ways that are remembered
_SAMPLE: Final = 2048  # characters of a line that decide how it was misread
# Work is bounded, so that time is: lines that are searched, lines that are tried as other ones were, and encodings that
# the detector is asked for. A text has a number of each, and one more for so many characters.
_SEARCHES: Final = 64, 240
_LIKE_LINES_BEFORE: Final = 1024, 40
_TRIES: Final = 48, 400
_TRIES_OF_A_LINE: Final = 24


class _Repair:
    """The repair of a text, line by line, with what is known from lines before."""

    def __init__(self, text: str, legacy: bool) -> None:
        global misreadings
        from . import misreadings  # imported here, since good text does not need it

        self.steps: list[Misreadings] = []
        self.known: list[Misreadings] = []
        self.legacy = legacy
        self.searches, self.likewise, self.tries = (
            number + len(text) // to_one for number, to_one in (_SEARCHES, _LIKE_LINES_BEFORE, _TRIES)
        )

    def line(self, line: str, kind: int) -> str:
        """Return a line as it was meant. ``kind``: what C says that it may be."""
        for steps in self.known:
            before = self.as_before(line, steps)
            if before is not None:
                return before
        if not kind or not self.searches:
            return line
        self.searches -= 1
        sample = line
        if len(line) > _SAMPLE:
            at = max(0, first_sequence(line) - _SAMPLE // 2) if kind & IN_UTF_8 else 0
            sample = line[at : at + _SAMPLE]
        intended, steps = self.search(sample, line_cost(sample), kind)
        if not steps:
            return line
        if sample is not line:
            undone = _undo(line, steps)
            if undone is None or line_cost(undone[0]) + _MARGIN >= line_cost(line):
                return line
            intended = undone[0]
        if misreadings.is_about_mojibake(line, intended):
            return line
        if steps not in self.steps:
            self.steps.append(steps)
        self.known = self.steps[-_KNOWN:]
        return intended

    def as_before(self, line: str, steps: Misreadings) -> str | None:
        """Return a line as it was meant if it was misread as one before, else None."""
        if len(steps) == 1 and steps[0][1] == "UTF-8" and steps[0][0] in READINGS:
            found = likewise(line, READINGS.index(steps[0][0]), _LIKEWISE)
            if found is None or misreadings.is_about_mojibake(line, found[0], found[1]):
                return None
            return found[0]
        if not self.likewise:
            return None
        self.likewise -= 1
        undone = _undo(line, steps)
        if undone is None or line_cost(undone[0]) + undone[1] + _LIKEWISE * len(steps) >= line_cost(line):
            return None
        return None if misreadings.is_about_mojibake(line, undone[0]) else undone[0]

    def search(self, text: str, own: int, kind: int) -> tuple[str, Misreadings]:
        """Return the likeliest text before some misreadings, and these; none if the text itself is."""
        best, intended = own - _MARGIN, text
        steps: Misreadings = ()
        seen = {text}
        tries = min(self.tries, _TRIES_OF_A_LINE)
        self.tries -= tries
        layer: list[tuple[int, str, Misreadings, int, int]] = [(own, text, (), 0, kind)]
        for _ in range(_LAYERS):
            found = []
            for cost, each, before, penalty, of_each in layer:
                candidates = misreadings.of_utf_8(each, of_each)
                least = min((candidate.cost for candidate in candidates), default=cost)
                if self.legacy and of_each & IN_LEGACY and least > _FAR_LIKELIER * cost:
                    for others in (misreadings.of_legacy, misreadings.of_parts):
                        legacy, used = others(each, tries)
                        tries -= used
                        candidates += legacy
                for candidate in candidates:
                    if candidate.text in seen:
                        continue
                    seen.add(candidate.text)
                    more = penalty + candidate.penalty + _LAYER
                    if candidate.step[1] != "UTF-8":
                        bits, is_likely = excess(candidate.text)
                        if not is_likely and bits > _FAR_LIKELIER * excess(each)[0]:
                            continue
                    found.append(
                        (candidate.cost + more, candidate.text, (*before, candidate.step), more, judge(candidate.text))
                    )
            found.sort(key=_first)
            if len(found) > 1 and found[1][0] - found[0][0] < _AMBIGUOUS and _are_utf_8(found[:2]):
                break
            layer = [each for each in found[:_WIDTH] if each[0] < own + _WORSE]
            for cost, each, before, _, _ in layer:
                if cost < best and not misreadings.is_never_text(each, text):
                    best, intended, steps = cost, each, before
                    break
            if not layer or (layer[0][1] is intended and not layer[0][4]):
                break
        self.tries += tries
        return intended, steps


def _are_utf_8(found: list[tuple[int, str, Misreadings, int, int]]) -> bool:
    return all(steps[-1][1] == "UTF-8" for _, _, steps, _, _ in found)


def _first(each: tuple[int, str, Misreadings, int, int]) -> int:
    return each[0]


def _undo(text: str, steps: Misreadings) -> tuple[str, int] | None:
    """Return what a text was before misreadings that are known, and the bits against that; None if it was not."""
    intended, penalty = text, 0
    for step in steps:
        candidate = misreadings.reread(intended, step)
        if candidate is None:
            return None
        intended, penalty = candidate.text, penalty + candidate.penalty // 2
    return None if intended == text or misreadings.is_never_text(intended, text) else (intended, penalty)


def repair(text: str, *, legacy: bool = True) -> Repaired:
    """Restore text that was decoded with the wrong encoding, if the result is far likelier. Other text is unchanged.

    Each line is examined separately. It may have been read as windows-1252, windows-1251, KOI8-R, macintosh, GBK,
    Shift_JIS, Python's iso-8859-1, the code pages 437, 850, 852, 857 and 866, or some others. It may have been in UTF-8
    or in any encoding that ``sniff.detect`` finds, and have been misread up to four times. UTF-8 needs a sequence that
    good text does not contain, and another encoding needs a second sign. Single words of a line are restored, too.
    Characters that were lost stay U+FFFD. Text about mojibake stays as it is.

    ``legacy=False``: only text that was in UTF-8 is restored. ``steps`` of the result name the wrong and the right
    encodings. Time is linear in the text, and the result is the same on every machine. Raise TypeError for anything but
    a str.

    >>> repair("SchÃ¶ne GrÃ¼ÃŸe")
    Repaired(text='Schöne Grüße', steps=(('windows-1252', 'UTF-8'),))
    >>> repair("À LA CARTE")
    Repaired(text='À LA CARTE', steps=())
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be str, not {type(text).__name__}")
    found = [] if text.isascii() else suspects(text)
    if not found:
        return Repaired(text, ())
    work = _Repair(text, legacy)
    parts: list[str] = []
    done = 0
    for start, end, kind in found:
        if work.known:  # lines that look good alone may not be
            break
        line = work.line(text[start:end], kind)
        parts += text[done:start], line
        done = end
    if work.known and done < len(text):
        kinds = {start: kind for start, _, kind in found}
        for line in text[done:].split("\n"):
            parts += line if line.isascii() else work.line(line, kinds.get(done, 0)), "\n"
            done += len(line) + 1
        parts.pop()
    else:
        parts.append(text[done:])
    intended = "".join(parts)
    return Repaired(intended, tuple(step for steps in work.steps for step in steps) if intended != text else ())
