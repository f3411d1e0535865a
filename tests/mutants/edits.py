"""Texts of Cython and C with one change: emitted handlers, kernels, and the engine.

The table of operators is below: what may stand in place of a token, a statement, or a condition. A mutant is named by
its file, its function, and the lines that it removes and adds, so that edits elsewhere do not rename it. A list of
those that survive has their file, their function and their operator, which an edit of a line does not change.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tests.mutants.mutation import Change

# -- The table of operators --------------------------------------------------------------------------------------------

BOUNDARIES = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
"""A comparison takes its boundary or leaves it; equality is negated."""

OPERATORS = {
    "+": "-", "-": "+", "*": "+", "/": "*", "//": "%", "%": "+", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|",
    "&&": "||", "||": "&&", "and": "or", "or": "and", "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "^=": "|=",
}  # fmt: skip
"""Another operator in place of one between two operands."""

PREFIXES = ("~", "!", "not ")
"""Operators before an operand, which are left out."""

OUTCOMES = {
    "WE_ITEM_ERROR": "WE_ITEM_INCOMPLETE", "WE_ITEM_INCOMPLETE": "WE_ITEM_ERROR", "WE_ITEM_NONE": "WE_ITEM_ERROR",
    "True": "False", "False": "True", "WE_ISO_2022_JP_ASCII": "WE_ISO_2022_JP_ROMAN",
    "WE_ISO_2022_JP_ROMAN": "WE_ISO_2022_JP_ASCII", "WE_ISO_2022_JP_KATAKANA": "WE_ISO_2022_JP_ROMAN",
    "WE_ISO_2022_JP_LEADING_BYTE": "WE_ISO_2022_JP_KATAKANA", "WE_ISO_2022_JP_JIS0208": "WE_ISO_2022_JP_ASCII",
    "WE_UCS1": "WE_UCS2", "WE_UCS2": "WE_UCS4", "WE_UCS4": "WE_UCS2", "WE_UTF8": "WE_UCS1", "leading": "trailing",
    "trailing": "leading", "first": "second", "second": "first",
}  # fmt: skip
"""Another result, state, kind of text or variable."""

INTRINSICS = (
    ("low", "high"), ("high", "low"), ("unpacklo", "unpackhi"), ("unpackhi", "unpacklo"), ("slli", "srli"),
    ("srli", "slli"), ("adds", "subs"), ("subs", "adds"), ("_and_", "_or_"), ("_or_", "_and_"), ("andnot", "and"),
    ("cmpgt", "cmpge"), ("cmpge", "cmpgt"), ("cmplt", "cmple"), ("cmple", "cmplt"), ("cmpeq", "cmpneq"),
    ("max", "min"), ("min", "max"), ("_test_", "_testn_"), ("_testn_", "_test_"), ("any", "all"),
)  # fmt: skip
"""Another function on vectors: a part of its name, and what replaces it."""

# Besides: a number is one more or one less, and a mask loses its highest bit; a condition is negated; the first two
# arguments of a call change places; a statement is left out.

# -- Tokens ------------------------------------------------------------------------------------------------------------

_TOKEN = r"""
    (?P<number>\b(?:0[xX][0-9A-Fa-f]+|\d+))
    | (?P<name>[A-Za-z_]\w*)
    | (?P<operator><<=|>>=|&&|\|\||<<|>>|<=|>=|==|!=|->|\+\+|--|[-+*/%&|^]=|{slashes}[-+*/%&|^~!<>=?:;,.(){{}}[\]])
"""
_C = re.compile(
    r"""(?P<skipped>/\*.*?\*/|"[^"\n]*"|'[^'\n]*'|^\#(?!define)[^\n]*)|""" + _TOKEN.format(slashes=""),
    re.M | re.S | re.X,
)
_CYTHON = re.compile(
    r"""(?P<skipped>\#[^\n]*|\"{3}.*?\"{3}|"[^"\n]*"|^cdef\ [^:]*:|^\ +cdef\ (?!.*=)[^\n]*)|"""
    + _TOKEN.format(slashes="//|"),
    re.M | re.S | re.X,
)
_C_STATEMENT = re.compile(
    r"^\ +(?!(?:const|static|return|if|for|while|else|do|case|goto|enum|struct|typedef|default|unsigned|int|void)\b)"
    r"(?!\w+ \**\w+(?:\[[^\]]*\])?(?: =|;|,))[A-Za-z_*(][^;{}\\#]*;",
    re.M,
)
_CYTHON_STATEMENT = re.compile(r"^\ +(?!cdef\b|if\b|elif\b|else\b|while\b|pass\b|#|\"|const\b)\w[^\n]*", re.M)
_CYTHON_CONDITION = re.compile(r"^( +(?:if|elif|while) )(.*)(:)$", re.M)
_CYTHON_CHOICE = re.compile(r"(?<=return )(\S+) if (.+) else (\S+)$", re.M)
_C_CONDITION = re.compile(r"\b(?:if|while) \(")
_EQUALITY = re.compile(r"[\w.>\[\]-]+ [=!]= [\w.]+")
_ARGUMENTS = re.compile(r"(?<=\w\()(\w+), (\w+)(?=[,)])")
_DEFINITION = re.compile(
    r"^(?:\#define (\w+)|(?=[A-Za-z_])[^\n(\[=]*?"
    r"(?:\bWE_(?:AT_\w+|OF_HANDLER)\((\w+)\)|\b(\w+)(?: \"\w+\")?(?:\(|\[| =)))",
    re.M,
)


class Edit(NamedTuple):
    """A part of a text, and what replaces it."""

    start: int
    end: int
    replacement: str
    operator: str


@dataclass(frozen=True, slots=True, eq=False)
class Mutant(Change):
    """A file of Cython or C with one change."""

    edit: Edit

    def apply(self, text: str) -> str:
        return text[: self.edit.start] + self.edit.replacement + text[self.edit.end :]


class Text:
    """A file, by its name, whose functions are changed."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text
        self.is_c = not name.endswith(".pyx")

    def __reduce__(self) -> tuple[type[Text], tuple[str, str]]:
        return Text, (self.name, self.text)  # without tokens, which no other process takes

    def mutants(self) -> Iterator[Mutant]:
        """Yield each mutant once, in order."""
        seen: Counter[tuple[str, str]] = Counter()
        for edit in sorted(set(self._edits())):
            step, change = self._function(edit.start), self._change(edit)
            seen[step, change] += 1
            if (count := seen[step, change]) > 1:
                change += f" ({count})"
            yield Mutant(self.name, step, change, edit.operator, edit)

    @cached_property
    def _tokens(self) -> list[re.Match[str]]:
        return [match for match in (_C if self.is_c else _CYTHON).finditer(self.text) if not match["skipped"]]

    @cached_property
    def _first(self) -> int:
        """Where the functions of a module begin."""
        return 0 if self.is_c else self.text.index("cdef inline")

    @cached_property
    def _last(self) -> int:
        return len(self.text) if self.is_c else self.text.index("# -- Registry")

    def _function(self, place: int) -> str:
        return next((one for at, one in reversed(self._definitions) if at <= place), "")

    @cached_property
    def _definitions(self) -> list[tuple[int, str]]:
        return [(match.start(), match[match.lastindex or 0]) for match in _DEFINITION.finditer(self.text)]

    def _change(self, edit: Edit) -> str:
        """Return the lines that differ, without indentation and comments: ``- old + new``."""
        start = self.text.rfind("\n", 0, edit.start) + 1
        end = self.text.find("\n", edit.end)
        after = self.text[start : edit.start] + edit.replacement + self.text[edit.end : end]
        shown = (re.sub(r"\s*\\?\n\s*|\s*\\$|/\*.*?\*/", " ", one).strip() for one in (self.text[start:end], after))
        return "- {} + {}".format(*(re.sub(r"\s+", " ", one) for one in shown))

    def _edits(self) -> Iterator[Edit]:
        for edit in (*self._of_tokens(), *self._of_statements(), *self._of_conditions()):
            if self._first <= edit.start and edit.end <= self._last:
                yield edit

    def _of_tokens(self) -> Iterator[Edit]:
        for before, token in zip([None, *self._tokens], self._tokens, strict=False):
            start, end = token.span()
            for operator, replacement in self._instead(before[0] if before else "", token):
                yield Edit(start, end, replacement, operator)
        for match in _ARGUMENTS.finditer(self.text):
            if self.is_c and self._is_code(match.start()) and match[1] != match[2]:
                yield Edit(*match.span(), f"{match[2]}, {match[1]}", "arguments")

    def _instead(self, before: str, token: re.Match[str]) -> Iterator[tuple[str, str]]:
        """Yield each operator that applies to a token, and what it writes instead."""
        written = token[0]
        if token["number"]:
            yield from (("number", other) for other in _other_numbers(written, is_mask=before in ("&", "&=")))
        elif written in BOUNDARIES or written in OPERATORS:
            start, end = token.span()
            if self.text[start - 1].isspace() and self.text[end].isspace():  # between two operands
                boundary = BOUNDARIES.get(written)
                yield ("boundary", boundary) if boundary else ("operator", OPERATORS[written])
        elif written in OUTCOMES:
            yield "outcome", OUTCOMES[written]
        elif token["name"] and self.is_c and self.text[token.end()] == "(":
            others = sorted({written.replace(*pair, 1) for pair in INTRINSICS} - {written})
            yield from (("intrinsic", other) for other in others)
        elif written in PREFIXES:
            yield "prefix", ""

    def _of_statements(self) -> Iterator[Edit]:
        for match in (_C_STATEMENT if self.is_c else _CYTHON_STATEMENT).finditer(self.text):
            start = match.start() + len(match[0]) - len(match[0].lstrip())
            if self._is_code(start) and match[0].count("(") == match[0].count(")"):
                yield Edit(start, match.end(), ";" if self.is_c else "pass", "statement")

    def _of_conditions(self) -> Iterator[Edit]:
        if not self.is_c:
            for match in _CYTHON_CONDITION.finditer(self.text):
                if not _EQUALITY.fullmatch(match[2]) and not match[2].startswith("not "):
                    yield Edit(*match.span(2), f"not ({match[2]})", "condition")
            for match in _CYTHON_CHOICE.finditer(self.text):
                yield Edit(*match.span(), f"{match[3]} if {match[2]} else {match[1]}", "condition")
            return
        for match in _C_CONDITION.finditer(self.text):
            if self._is_code(match.start()):
                condition = self.text[match.end() : self._closing(match.end() - 1)]
                if not _EQUALITY.fullmatch(condition):
                    yield Edit(match.end(), match.end() + len(condition), f"!({condition})", "condition")
        for at, token in enumerate(self._tokens):
            if token[0] == "?" and (start := self._start_of_condition(at)) is not None:
                condition = self.text[start : token.start()].rstrip()
                yield Edit(start, start + len(condition), f"!({condition})", "condition")

    def _is_code(self, place: int) -> bool:
        return place in self._starts

    @cached_property
    def _starts(self) -> frozenset[int]:
        return frozenset(token.start() for token in self._tokens)

    def _closing(self, place: int) -> int:
        depth = 0
        for token in self._tokens:
            if token.start() >= place:
                depth += {"(": 1, ")": -1}.get(token[0], 0)
                if depth == 0:
                    return token.start()
        raise ValueError(f"{self.name}: a parenthesis is not closed")

    def _start_of_condition(self, at: int) -> int | None:
        """Return where the condition before a question mark begins."""
        depth = 0
        for place in range(at - 1, -1, -1):
            written = self._tokens[place][0]
            depth += {")": 1, "]": 1, "(": -1, "[": -1}.get(written, 0)
            if depth < 0 or (depth == 0 and written in ("=", ",", ":", "?", ";", "return", "{", "+=", "|=")):
                return self._tokens[place + 1].start()
        return None


def _other_numbers(written: str, *, is_mask: bool) -> Iterator[str]:
    value = int(written, 0)
    others = {value + 1, value - 1} | ({value & ~(1 << value.bit_length() - 1)} if is_mask and value else set())
    for other in sorted(others - {value}):
        if other >= 0:
            yield f"0x{other:0{len(written) - 2}X}" if written[:2].lower() == "0x" else str(other)
