"""Match tokens with the patterns of a grammar.

A pattern is a line of words; ``[…]`` is optional, ``a/b`` is either word, ``{name:rule}`` is what a rule matches,
``{name:rule&}`` is a list of that joined by "and", ``{name:rule|}`` by "or", and ``{name:rule+}`` by commas, with or
without "and". All ways to match are found: a sentence with two meanings is an error, as is one with none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from generator.spec.errors import Misfit
from generator.spec.lexicon import Token

Meanings = list[tuple[Any, int]]
"""The meanings of a run of tokens, each with the place after the run."""

Primitive = Callable[["Matcher", int], Meanings]


@dataclass(frozen=True)
class Pattern:
    """A pattern of sentences or of their parts: the rule it belongs to, an example, and what it means."""

    rule: str
    pattern: str
    example: str
    means: Callable[..., Any]

    def __post_init__(self) -> None:
        object.__setattr__(self, "elements", compiled(self.pattern))

    elements: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class _Words:
    choices: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Part:
    name: str
    rule: str
    joined: str


@dataclass(frozen=True, slots=True)
class _Optional:
    elements: tuple[Any, ...]


_ELEMENT = re.compile(r"\{(\w+):(\w+)([&|+]?)\}|(\[)|(\])|([^\s\[\]{}]+)")


def compiled(pattern: str) -> tuple[Any, ...]:
    """Return the elements of a pattern."""
    stack: list[list[Any]] = [[]]
    for name, rule, joined, opening, closing, words in _ELEMENT.findall(pattern):
        if opening:
            stack.append([])
        elif closing:
            inner = stack.pop()
            stack[-1].append(_Optional(tuple(inner)))
        elif name:
            stack[-1].append(_Part(name, rule, joined))
        else:
            choices = words.split("/") if len(words) > 1 else [words]
            stack[-1].append(_Words(frozenset(choices)))
    (elements,) = stack
    return tuple(elements)


class Grammar:
    """Patterns by rule, and rules that are functions."""

    def __init__(self, patterns: Sequence[Pattern], primitives: dict[str, Primitive]) -> None:
        self.patterns = tuple(patterns)
        self.primitives = primitives
        self.rules: dict[str, list[Pattern]] = {}
        for pattern in patterns:
            self.rules.setdefault(pattern.rule, []).append(pattern)

    def read(self, rule: str, tokens: Sequence[Token], text: str) -> Any:
        """Return the meaning of all of the tokens. Raise a Misfit if there is none, or more than one."""
        matcher = Matcher(self, tokens)
        meanings = matcher.parse(rule, 0)
        whole = [meaning for meaning, end in meanings if end == len(tokens)]
        if not whole:
            reached = " ".join(
                str(token.number or token.value) for token in tokens[matcher.furthest : matcher.furthest + 8]
            )
            where = f"before {reached!r}" if reached else "at its end"
            raise Misfit(f"no pattern of a {rule} covers this; it is understood up to {where}", text, "grammar.py")
        if len(whole) > 1:
            raise Misfit(f"the patterns of a {rule} give this {len(whole)} meanings", text, "grammar.py")
        return whole[0]


class Matcher:
    """One run of tokens, and what was found in it so far."""

    def __init__(self, grammar: Grammar, tokens: Sequence[Token]) -> None:
        self.grammar = grammar
        self.tokens = tokens
        self.furthest = 0
        self._known: dict[tuple[str, int], Meanings] = {}

    def at(self, place: int) -> Token:
        """Return the token at a place, or one of no kind at the end."""
        self.furthest = max(self.furthest, min(place, len(self.tokens)))
        return self.tokens[place] if place < len(self.tokens) else Token("end", "")

    def parse(self, rule: str, place: int) -> Meanings:
        """Return the meanings of the rule from a place on, each with the place after it."""
        key = rule, place
        if key not in self._known:
            self._known[key] = []
            self._known[key] = _distinct(self._parse(rule, place))
        return self._known[key]

    def _parse(self, rule: str, place: int) -> Meanings:
        if rule in self.grammar.primitives:
            return self.grammar.primitives[rule](self, place)
        meanings: Meanings = []
        for pattern in self.grammar.rules[rule]:
            for bound, end in self._elements(pattern.elements, 0, place, {}):
                meaning = pattern.means(**bound)
                if meaning is not None or not bound:
                    meanings.append((meaning, end))
        return meanings

    def _elements(
        self, elements: Sequence[Any], number: int, place: int, bound: dict[str, Any]
    ) -> Iterator[tuple[dict[str, Any], int]]:
        if number == len(elements):
            yield bound, place
            return
        element = elements[number]
        if isinstance(element, _Words):
            if self.at(place).kind in ("word", "symbol") and self.at(place).value in element.choices:
                yield from self._elements(elements, number + 1, place + 1, bound)
        elif isinstance(element, _Optional):
            for inner, end in self._elements(element.elements, 0, place, bound):
                yield from self._elements(elements, number + 1, end, inner)
            yield from self._elements(elements, number + 1, place, bound)
        else:
            for meaning, end in self._part(element, place):
                yield from self._elements(elements, number + 1, end, {**bound, element.name: meaning})

    def _part(self, part: _Part, place: int) -> Meanings:
        if not part.joined:
            return self.parse(part.rule, place)
        return [(items, end) for items, end in self._list(part.rule, part.joined, place)]

    def _list(self, rule: str, joined: str, place: int) -> Iterator[tuple[tuple[Any, ...], int]]:
        """Yield lists: one item, two joined by the word, or more with commas, the last of them with the word."""
        word = {"&": "and", "|": "or", "+": "and"}[joined]
        open_: list[tuple[tuple[Any, ...], int, bool]] = [
            ((item,), end, False) for item, end in self.parse(rule, place)
        ]
        while open_:
            items, end, is_complete = open_.pop()
            if len(items) == 1 or is_complete or joined == "+":
                yield items, end
            if is_complete:
                continue
            comma = self.at(end).value == ","
            after = end + comma
            has_word = self.at(after).kind == "word" and self.at(after).value == word
            if comma or has_word:
                for item, next_ in self.parse(rule, after + has_word):
                    open_.append(((*items, item), next_, has_word))


def _distinct(meanings: Meanings) -> Meanings:
    unique: Meanings = []
    for meaning in meanings:
        if meaning not in unique:
            unique.append(meaning)
    return unique
