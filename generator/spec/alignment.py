"""Look up the steps of one program in another: whatever their numbers and names are now.

Statements are compared by their tokens, with the names of variables left out. What is new belongs to the step before
it. So a name that a template has for a step follows the step, and no number is written by hand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
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


class _Line(NamedTuple):
    step: str
    tokens: tuple[str, ...]
    """The statement's tokens without the names of variables."""
    names: tuple[str, ...]


@cache
def _lines(outline: Sequence[notation.Line]) -> tuple[_Line, ...]:
    lines = []
    for line in outline:
        tokens, names = [], []
        for token in _TOKEN.findall(line.text):
            is_name = token[0] == '"' or (token[0].isalpha() and token not in _FIXED and not token.startswith("index_"))
            tokens.append("·" if is_name else token)
            names += [token] * is_name
        lines.append(_Line(line.step, tuple(tokens), tuple(names)))
    return tuple(lines)


def _numbered(algorithm: Algorithm) -> tuple[_Line, ...]:
    """Return the numbered statements: programs are equal whatever their numbers are, but these are not."""
    return _lines(tuple(line for line in notation.lines(algorithm.body) if line.step))


@cache
def _matched(old: Sequence[_Line], new: Sequence[_Line]) -> Mapping[int, int]:
    """Return for each statement of `new` that is one of `old`, changed or not, its place there."""
    places: dict[int, int] = {}
    # With names first, since statements of two states may differ in these alone.
    matcher = SequenceMatcher(None, [line[1:] for line in old], [line[1:] for line in new], autojunk=False)
    for _, a, b, c, d in matcher.get_opcodes():
        inner = SequenceMatcher(None, [line[1] for line in old[a:b]], [line[1] for line in new[c:d]], autojunk=False)
        for _, first, last, at, end in inner.get_opcodes():
            places.update(zip(range(c + at, c + end), range(a + first, a + last), strict=False))
    return places


def align(old: Algorithm, new: Algorithm) -> Mapping[str, tuple[str, ...]]:
    """Return the steps of `new` for each step of `old`, in order; none has no counterpart."""
    before, after = _numbered(old), _numbered(new)
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
    counterparts = {step: tuple(sorted({b for a, b in pairs if a == step}, key=order.__getitem__)) for step in steps}
    # A step without a counterpart is part of the next one that has any, or else of the one before it.
    for place, step in enumerate(steps):
        if not counterparts[step]:
            near = [*steps[place + 1 :], *reversed(steps[:place])]
            counterparts[step] = next((counterparts[other][:1] for other in near if counterparts[other]), ())
    return counterparts


def added(old: Algorithm, new: Algorithm) -> Iterator[tuple[str, str]]:
    """Yield each step that is like none of the old program, and the name that it has of a step beside it."""
    before, after = _numbered(old), _numbered(new)
    known = {after[j].step for j in _matched(before, after)}
    names = {step: name for name, numbers in new.names for step in expand(numbers)}
    for step in dict.fromkeys(line.step for line in after):
        if step not in known and step in names:
            yield step, names[step]


def named(old: Algorithm, new: Algorithm) -> Algorithm:
    """Return a program with the names that its steps have in the one before."""
    steps = align(old, new)
    order = {step: place for place, step in enumerate(dict.fromkeys(line.step for line in _numbered(new)))}
    names = []
    for name, numbers in old.names:
        now = {step for path in expand(numbers) for step in steps.get(path, ())}
        names.append((name, compressed(sorted(now, key=order.__getitem__))))
    return replace(new, names=tuple(names))


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
        before = next((like for like in known if like is not None and like.names), None)
        if before is None:
            raise GeneratorError(
                f"the steps of #{steps.anchor} have no names: say in its entry in generator/handlers.py, which "
                "algorithm it is like"
            )
        program = named(before, program)
    return replace(steps, numbers=dict(program.names))


def renamed(old: Algorithm, new: Algorithm) -> Mapping[str, str]:
    """Return the new name of each variable and value of `old` that has another one in the statements that both have."""
    before, after = _numbered(old), _numbered(new)
    pairs: Counter[tuple[str, str]] = Counter()
    for j, i in _matched(before, after).items():
        if before[i].tokens == after[j].tokens:
            pairs.update(zip(before[i].names, after[j].names, strict=True))
    renames: dict[str, str] = {}
    for (name, other), _ in pairs.most_common():
        if name not in renames and other not in renames.values():
            renames[name] = other
    return {name: other for name, other in renames.items() if name != other}


def with_names(text: str, names: Mapping[str, str]) -> str:
    """Return statements with other names of variables and values."""
    return _TOKEN.sub(lambda match: names.get(match[0], match[0]), text)


def renumbered(old: Algorithm, new: Algorithm) -> Iterator[tuple[str, str]]:
    """Yield the numbers of each step that has others now, and these."""
    for step, now in align(old, new).items():
        if now and now != (step,):
            yield step, compressed(now)
