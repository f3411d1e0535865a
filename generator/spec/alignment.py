"""Align two programs: which steps of a new one are those of the one before, whatever their numbers and names are now.

Statements are compared with the names of variables left out. Most stay in order, so the best order-preserving match
counts; a statement that moved is matched afterwards if another says the same. What is new belongs to the step before
it. So a name that a template has for a step follows the step, and no number is written by hand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from generator.model import GeneratorError
from generator.spec import notation
from generator.spec.machine import pinned
from generator.spec.program import Algorithm, Programs
from generator.steps import StepNumbers, compressed, expand

_TOKEN = re.compile(r'"[^"]*"|self\.\w+|\w+|\S')
_STATEMENTS = ("if", "elif", "else", "while", "return", "restore")
_CONSTANTS = ("None", "True", "False", "Error", "FINISHED", "CONTINUE", "END_OF_QUEUE", "TABLE", "INDEXES")
_OPERATORS = ("not", "and", "or", "is", "in", "in_range", "lambda", "excluding", "append")
_LOOKUPS = ("code_point", "pointer", "last_pointer", "last_range")
_FIXED = frozenset({*_STATEMENTS, *_CONSTANTS, *_OPERATORS, *_LOOKUPS})
"""The words of the notation; any other word is a name."""

LEAST = 0.5
"""How alike two statements have to be to be the same step, from 0 to 1, in place; elsewhere they have to be `MOVED`."""

MOVED = 0.95


class _Line(NamedTuple):
    step: str
    kind: str
    tokens: tuple[str, ...]
    """The statement's tokens without the names of variables."""
    names: tuple[str, ...]


def _outline(algorithm: Algorithm) -> tuple[notation.Line, ...]:
    """Return the numbered statements: programs are equal whatever their numbers are, but these are not."""
    return tuple(line for line in notation.lines(algorithm.body) if line.step)


def _lines(outline: Sequence[notation.Line]) -> list[_Line]:
    found = []
    for line in outline:
        tokens, names = [], []
        for token in _TOKEN.findall(line.text):
            is_name = token[0] == '"' or (token[0].isalpha() and token not in _FIXED and not token.startswith("index_"))
            tokens.append("·" if is_name else token)
            names += [token] * is_name
        kind = tokens[0].replace("elif", "if") if tokens[0] in _STATEMENTS else "="
        found.append(_Line(line.step, kind, tuple(tokens), tuple(names)))
    return found


def _likeness(one: _Line, other: _Line) -> float:
    """Return how alike two statements are: 1 if they are equal but for names, somewhat more if these are equal."""
    if one.kind != other.kind:
        return 0
    # Of statements that are as alike, such as those of two states, the one with the same number counts.
    same_names = (0.1 if one.names == other.names else 0) + (0.001 if one.step == other.step else 0)
    if one.tokens == other.tokens:
        return 1 + same_names
    common = sum((Counter(one.tokens) & Counter(other.tokens)).values())
    return 0.9 * 2 * common / (len(one.tokens) + len(other.tokens)) + same_names


def _matched(old: Sequence[_Line], new: Sequence[_Line]) -> dict[int, int]:
    """Return for each matched statement of `new` that of `old`, by their places."""
    alike = [[_likeness(a, b) for b in new] for a in old]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in range(len(old)):
        for j in range(len(new)):
            here = best[i][j] + alike[i][j] if alike[i][j] >= LEAST else 0
            best[i + 1][j + 1] = max(here, best[i][j + 1], best[i + 1][j])
    found: dict[int, int] = {}
    i, j = len(old), len(new)
    while i and j:
        if best[i][j] == best[i - 1][j]:
            i -= 1
        elif best[i][j] == best[i][j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            found[j] = i
    left = [i for i in range(len(old)) if i not in found.values()]
    for j in range(len(new)):
        if j not in found:
            moved = [i for i in left if alike[i][j] >= MOVED]
            if moved:
                found[j] = max(moved, key=lambda i: alike[i][j])
                left.remove(found[j])
    return found


def align(old: Algorithm, new: Algorithm) -> Mapping[str, tuple[str, ...]]:
    """Return the steps of `new` for each step of `old`, in order; none has no counterpart."""
    return _aligned(_outline(old), _outline(new))


@cache
def _aligned(old: Sequence[notation.Line], new: Sequence[notation.Line]) -> Mapping[str, tuple[str, ...]]:
    before, after = _lines(old), _lines(new)
    matched = _matched(before, after)
    pairs = {(before[i].step, after[j].step) for j, i in matched.items()}
    known = {step for _, step in pairs}
    # A step of which no statement is matched belongs to the nearest one before it, or else after it.
    for j, line in enumerate(after):
        if line.step not in known:
            nearest = min(matched, key=lambda other: (other > j, abs(other - j)), default=None)
            if nearest is not None:
                pairs.add((before[matched[nearest]].step, line.step))
    steps = list(dict.fromkeys(line.step for line in before))
    order = {step: place for place, step in enumerate(dict.fromkeys(line.step for line in after))}
    found = {one: tuple(sorted({b for a, b in pairs if a == one}, key=order.__getitem__)) for one in steps}
    # A step without a counterpart is part of the next one that has any, or else of the one before it.
    for place, step in enumerate(steps):
        if not found[step]:
            near = [*steps[place + 1 :], *reversed(steps[:place])]
            found[step] = next((found[other][:1] for other in near if found[other]), ())
    return found


def added(old: Algorithm, new: Algorithm) -> Iterator[tuple[str, str]]:
    """Yield each step that is like none of the old program, and the name that it has of a step beside it."""
    before, after = _lines(_outline(old)), _lines(_outline(new))
    known = {after[j].step for j in _matched(before, after)}
    names = {step: name for name, numbers in new.names for step in expand(numbers)}
    for step in dict.fromkeys(line.step for line in after):
        if step not in known and step in names:
            yield step, names[step]


def named(old: Algorithm, new: Algorithm) -> Algorithm:
    """Return a program with the names that its steps have in the one before."""
    steps = align(old, new)
    order = {step: place for place, step in enumerate(dict.fromkeys(line.step for line in _outline(new)))}
    found = []
    for name, numbers in old.names:
        now = {step for path in expand(numbers) for step in steps.get(path, ())}
        found.append((name, compressed(sorted(now, key=order.__getitem__))))
    return replace(new, names=tuple(found))


def carried(old: Algorithm | None, new: Algorithm) -> Algorithm:
    """Return a program with the names of the one before, if there is one that has any."""
    return named(old, new) if old is not None and old.names else new


def resolved(steps: StepNumbers, programs: Programs) -> StepNumbers:
    """Return a handler's steps with the numbers that they have in the programs.

    A program that has no names is aligned with the pinned one, or with the one that the handler says it is like. Raise
    a GeneratorError if there is none.
    """
    program = programs.get(steps.anchor)
    if program is None:
        raise GeneratorError(f"the standard has no #{steps.anchor}, whose steps a template cites")
    if not program.names:
        known = (pinned().get(steps.anchor), programs.get(steps.like), pinned().get(steps.like))
        before = next((one for one in known if one is not None and one.names), None)
        if before is None:
            raise GeneratorError(
                f"the steps of #{steps.anchor} have no names: say in its entry in generator/handlers.py, which "
                "algorithm it is like"
            )
        program = named(before, program)
    return replace(steps, numbers=dict(program.names))


def renamed(old: Algorithm, new: Algorithm) -> Mapping[str, str]:
    """Return the new name of each variable and value of `old` that has another one in the statements that both have."""
    before, after = _lines(_outline(old)), _lines(_outline(new))
    pairs: Counter[tuple[str, str]] = Counter()
    for j, i in _matched(before, after).items():
        if before[i].tokens == after[j].tokens:
            pairs.update(zip(before[i].names, after[j].names, strict=True))
    found: dict[str, str] = {}
    for (name, other), _ in pairs.most_common():
        if name not in found and other not in found.values():
            found[name] = other
    return {name: other for name, other in found.items() if name != other}


def with_names(text: str, names: Mapping[str, str]) -> str:
    """Return statements with other names of variables and values."""
    return _TOKEN.sub(lambda match: names.get(match[0], match[0]), text)


def renumbered(old: Algorithm, new: Algorithm) -> Iterator[tuple[str, str]]:
    """Yield the numbers of each step that has others now, and these."""
    for step, now in align(old, new).items():
        if now and now != (step,):
            yield step, compressed(now)
