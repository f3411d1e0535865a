"""The grammar of the standard's algorithms: each pattern has an example of its own, and what it means.

A rule is a part of speech; `matching` describes the notation of patterns. Examples are made up: tests read each one and
check that its pattern, and no other, gives its meaning. In examples ``‹x›`` is a variable, ``⟦x⟧`` a link, ``⟪x⟫`` a
definition; ``⟦m1⟧`` and ``⟦m2⟧`` are variables that last, ``⟦v1⟧`` and ``⟦v2⟧`` named values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from generator.spec import program as ir
from generator.spec.lexicon import identifier
from generator.spec.matching import Grammar, Matcher, Meanings, Pattern

# -- What patterns leave open ------------------------------------------------------------------------------------------


IT = ir.Local("it")
"""The subject of a predicate, and what "it" refers to, until they are known."""

TABLE = ir.Rows(())
"""The table below a sentence, until it is read."""


class Below(ir.Statement):
    """What the list below a sentence holds: ``steps``, ``cases`` of a subject, ``values`` or ``results``."""

    holds: str
    subject: ir.Node | None = None
    targets: tuple[ir.Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Header:
    """The sentence before a handler's steps."""

    encoding: str
    kind: str
    parameters: tuple[ir.Local, ...]
    switching_on: str = ""


@dataclass(frozen=True, slots=True)
class Declared:
    """Names that an algorithm defines with an initial value: variables that last."""

    names: tuple[str, ...]
    initial: ir.Node | None


@dataclass(frozen=True, slots=True)
class Variant:
    """A decoder or encoder that is another one, perhaps with a variable set."""

    encoding: str
    base: str
    member: str = ""


def joined(operator: str, conditions: Sequence[ir.Node]) -> ir.Node:
    """Return the junction of conditions; one within another is part of it."""
    parts: list[ir.Node] = []
    for condition in conditions:
        parts += (
            condition.conditions
            if isinstance(condition, ir.Junction) and condition.operator == operator
            else (condition,)
        )
    return parts[0] if len(parts) == 1 else ir.Junction(operator, tuple(parts))


all_of, any_of = partial(joined, "and"), partial(joined, "or")


def is_(value: ir.Node) -> ir.Node:
    return ir.Compare("==", IT, value)


def when(condition: ir.Node, *body: ir.Statement, otherwise: Sequence[ir.Statement] = ()) -> tuple[ir.Statement, ...]:
    """Return an `If`; "it" in its statements is the condition's subject."""
    subjects = {node.left if isinstance(node, ir.Compare) else node.value for node in _tests(condition)}
    subject = subjects.pop() if len(subjects) == 1 else IT
    cases = [ir.Case(condition, ir.put(tuple(body), IT, subject))]
    if otherwise:
        cases.append(ir.Case(None, tuple(otherwise)))
    return (ir.If(tuple(cases)),)


def _tests(condition: ir.Node) -> list[ir.Compare | ir.InRange]:
    match condition:
        case ir.Junction(_, conditions):
            return [test for part in conditions for test in _tests(part)]
        case ir.Not(inner):
            return _tests(inner)
        case ir.Compare() | ir.InRange():
            return [condition]
    return []


def between(a: ir.Node, b: ir.Node) -> ir.Node:
    return ir.InRange(IT, a, b)


def ascii_(excluded: Sequence[ir.Node] = ()) -> ir.Node:
    is_ascii = ir.InRange(IT, ir.Number(0, True), ir.Number(0x7F, True))
    return all_of([is_ascii, *(ir.Not(is_(number)) for number in excluded)])


def last_range(what: str) -> Callable[..., tuple[ir.Statement, ...]]:
    return lambda n, i, k, m: (ir.Assign((n, m), ir.LastRange(what, i, k)),)


def counted(number: int) -> Callable[..., ir.Items | None]:
    """Return what makes items of values if their number is right."""
    return lambda v: ir.Items(tuple(v)) if len(v) == number else None


def choice_of_pairs(
    n: ir.Node, a: Sequence[ir.Node], c: ir.Node, b: Sequence[ir.Node]
) -> tuple[ir.Statement, ...] | None:
    if len(a) != 2 or len(b) != 2:
        return None
    return (ir.Assign((n,), ir.Choice(c, ir.Items(tuple(a)), ir.Items(tuple(b)))),)


# -- Rules that are functions ------------------------------------------------------------------------------------------

_LEVELS = (("|",), ("&",), ("<<", ">>"), ("+", "-"), ("*", "/", "%"))
"""Operators from the loosest to the tightest."""


def _sum(level: int) -> Callable[[Matcher, int], Meanings]:
    """Return the rule of a level's operators, which are left-associative."""
    below = f"level{level + 1}" if level + 1 < len(_LEVELS) else "term"

    def parse(matcher: Matcher, place: int) -> Meanings:
        sums: Meanings = []
        open_ = list(matcher.parse(below, place))
        while open_:
            left, end = open_.pop()
            sums.append((left, end))
            token = matcher.at(end)
            if token.kind == "symbol" and token.value in _LEVELS[level]:
                operator = "//" if token.value == "/" else token.value
                open_ += [
                    (ir.Arithmetic(operator, left, right), next_) for right, next_ in matcher.parse(below, end + 1)
                ]
        return sums

    return parse


def _token(kind: str, means: Callable[[Any], Any]) -> Callable[[Matcher, int], Meanings]:
    def parse(matcher: Matcher, place: int) -> Meanings:
        token = matcher.at(place)
        return [(means(token), place + 1)] if token.kind == kind else []

    return parse


def _name(matcher: Matcher, place: int) -> Meanings:
    token = matcher.at(place)
    if token.kind == "word" and token.value == "the":
        return [meaning for meaning in _name(matcher, place + 1) if isinstance(meaning[0], ir.Member)]
    kinds = {"var": ir.Local, "member": ir.Member}
    return [(kinds[token.kind](token.value), place + 1)] if token.kind in kinds else []


def _link(matcher: Matcher, place: int) -> Meanings:
    token = matcher.at(place)
    return [(token.links, place + token.words)] if token.links else []


def _is_operation(term: str) -> bool:
    return term.startswith("index ") and term.endswith((" code point", " pointer"))


def _index(matcher: Matcher, place: int) -> Meanings:
    indexes: Meanings = []
    for term, end in _link(matcher, place):
        if term == "index single-byte":
            indexes.append((ir.IndexSingleByte(), end))
        elif term.startswith("index ") and not _is_operation(term):
            indexes.append((ir.Index(term.removeprefix("index ").replace(" ", "-")), end))
    token = matcher.at(place)
    return [*indexes, (ir.Local(token.value), place + 1)] if token.kind == "var" else indexes


def _operation(matcher: Matcher, place: int) -> Meanings:
    plain = ("index code point", "index pointer")
    links = _link(matcher, place)
    return [
        (identifier(term.replace("-", " ")), end) for term, end in links if _is_operation(term) and term not in plain
    ]


def _adjacent(matcher: Matcher, place: int) -> Meanings:
    """Numbers side by side."""
    matches: Meanings = []
    numbers: tuple[ir.Node, ...] = ()
    while matcher.at(place).kind == "number":
        numbers, place = (*numbers, _number(matcher.at(place))), place + 1
        matches.append((numbers, place))
    return matches


def _number(token: Any) -> ir.Number:
    return ir.Number(token.number, token.value == "hexadecimal")


PRIMITIVES: dict[str, Callable[[Matcher, int], Meanings]] = {
    "number": _token("number", _number),
    "named": _token("value", lambda token: ir.Symbol(token.value)),
    "dfn": _token("dfn", lambda token: token.value),
    "member": _token("member", lambda token: ir.Member(token.value)),
    "name": _name,
    "link": _link,
    "index": _index,
    "operation": _operation,
    "adjacent": _adjacent,
    **{f"level{level}" if level else "value": _sum(level) for level in range(len(_LEVELS))},
}

# -- Patterns ----------------------------------------------------------------------------------------------------------

P = Pattern

PATTERNS = (
    # What stands in arithmetic.
    P("term", "{n:number}", "7", lambda n: n),
    P("term", "{n:named}", "⟦v1⟧", lambda n: n),
    P("term", "{n:name}", "‹x›", lambda n: n),
    P("term", "null", "null", lambda: ir.Constant(None)),
    P("term", "true", "true", lambda: ir.Constant(True)),
    P("term", "false", "false", lambda: ir.Constant(False)),
    P("term", "( {v:value} )", "(‹x› + 1)", lambda v: v),
    P("operand", "the value of {n:name}", "the value of ⟦m1⟧", lambda n: n),
    P("term", "« {v:value+} »", "« ‹x›, ‹y› »", lambda v: ir.Items(v)),
    P("operand", "a byte sequence whose first byte is {v:value}", "a byte sequence whose first byte is ‹x›",
      lambda v: ir.Items((v,))),
    P("operand", "{v:lookup}", "the ⟦index pointer⟧ for ‹x› in ⟦index a⟧", lambda v: v),
    P("lookup", "the index code point for {k:value} in {i:index}", "the ⟦index code point⟧ for ‹x› in ⟦index a⟧",
      lambda k, i: ir.Lookup("code_point", i, k)),
    P("lookup", "the index code point for {k:value} in {i:index} if {c:condition} and in {j:index} otherwise",
      "the ⟦index code point⟧ for ‹x› in ⟦index a⟧ if ⟦m1⟧ is true and in ⟦index b⟧ otherwise",
      lambda k, i, c, j: ir.Lookup("code_point", ir.Choice(c, i, j), k)),
    P("lookup", "the index pointer for {k:value} in {i:index}", "the ⟦index pointer⟧ for ‹x› in ⟦index a⟧",
      lambda k, i: ir.Lookup("pointer", i, k)),
    P("lookup", "the last pointer corresponding to {k:value} in {i:index}",
      "the last pointer corresponding to ‹x› in ‹y›", lambda k, i: ir.Lookup("last_pointer", i, k)),
    P("lookup", "the {o:operation} for {k:value}", "the ⟦index a pointer⟧ for ‹x›", lambda o, k: ir.Operation(o, k)),
    # A value that may depend on a condition.
    P("operand", "{v:value}", "‹x› + 0x10", lambda v: v),
    P("choice", "{v:operand}", "‹x› + 0x10", lambda v: v),
    P("choice", "{a:operand} [,] if {c:condition} ;/, otherwise {b:operand}", "1 if ‹x› is null; otherwise 2",
      lambda a, c, b: ir.Choice(c, a, b)),
    # What is said of a subject.
    P("predicate", "{v:number}", "0x30", lambda v: is_(v)),
    P("predicate", "{v:named}", "⟦v1⟧", lambda v: is_(v)),
    P("predicate", "end-of-queue/end-of-stream", "⟦end-of-queue⟧", lambda: is_(ir.EndOfQueue())),
    P("predicate", "null", "null", lambda: is_(ir.Constant(None))),
    P("predicate", "non-null", "non-null", lambda: ir.Not(is_(ir.Constant(None)))),
    P("predicate", "true/set", "true", lambda: is_(ir.Constant(True))),
    P("predicate", "false/unset", "false", lambda: is_(ir.Constant(False))),
    P("predicate", "equal to {v:value}", "equal to ‹y›", lambda v: is_(v)),
    P("predicate", "less than {v:value}", "less than 3", lambda v: ir.Compare("<", IT, v)),
    P("predicate", "greater than {v:value}", "greater than 3", lambda v: ir.Compare(">", IT, v)),
    P("predicate", "less than or equal to {v:value}", "less than or equal to 3", lambda v: ir.Compare("<=", IT, v)),
    P("predicate", "greater than or equal to {v:value}", "greater than or equal to 3",
      lambda v: ir.Compare(">=", IT, v)),
    P("predicate", "greater than {a:value} and less than {b:value}", "greater than 3 and less than 9",
      lambda a, b: all_of((ir.Compare(">", IT, a), ir.Compare("<", IT, b)))),
    P("predicate", "[in the range] {a:value} to {b:value} , inclusive", "in the range 3 to 9, inclusive", between),
    P("predicate", "an ascii byte", "an ⟦ASCII byte⟧", ascii_),
    P("predicate", "an ascii code point", "an ⟦ASCII code point⟧", ascii_),
    P("predicate", "an ascii code point , excluding {x:number&}", "an ⟦ASCII code point⟧, excluding U+0040 and U+0041",
      lambda x: ascii_(x)),
    P("predicate", "a leading/lead surrogate", "a ⟦leading surrogate⟧",
      lambda: between(ir.Number(0xD800, True), ir.Number(0xDBFF, True))),
    P("predicate", "a trailing/trail surrogate", "a ⟦trailing surrogate⟧",
      lambda: between(ir.Number(0xDC00, True), ir.Number(0xDFFF, True))),
    P("predicates", "[either] {p:predicate|}", "either 3 or 4", lambda p: any_of(p)),
    P("predicates", "not {p:predicate}", "not 3", lambda p: ir.Not(p)),
    P("predicates", "{a:predicate} , or is {b:predicates}", "an ⟦ASCII byte⟧, or is 0xA0",
      lambda a, b: any_of((a, b))),
    # Conditions.
    P("clause", "{s:name&} are [both] {p:predicates}", "‹x› and ‹y› are null",
      lambda s, p: all_of([ir.put(p, IT, name) for name in s])),
    P("clause", "[either] {s:name|} is {p:predicates}", "either ‹x› or ‹y› is null",
      lambda s, p: any_of([ir.put(p, IT, name) for name in s])),
    P("clause", "there is a row in the table below whose first column is {k:name}",
      "there is a row in the table below whose first column is ‹x›", lambda k: ir.InTable(k, TABLE)),
    P("condition", "{c:clause&}", "‹x› is null and ‹y› is 3", lambda c: all_of(c)),
    P("condition", "{c:clause|}", "‹x› is null, or ‹y› is 3", lambda c: any_of(c)),
    # What a handler or an operation returns.
    P("signal", "finished", "⟦finished⟧", lambda: ir.Signal("finished")),
    P("signal", "continue", "⟦continue⟧", lambda: ir.Signal("continue")),
    P("signal", "[an] error", "⟦error⟧", lambda: ir.Error()),
    P("signal", "error with {v:value}", "⟦error⟧ with ‹x›", lambda v: ir.Error(v)),
    P("result", "{s:signal}", "⟦finished⟧", lambda s: s),
    P("result", "{a:signal} [,] if {c:condition} , and {b:signal} otherwise",
      "⟦finished⟧, if ‹x› is null, and ⟦error⟧ otherwise", lambda a, c, b: ir.Choice(c, a, b)),
    P("result", "null", "null", lambda: ir.Constant(None)),
    P("result", "{v:lookup}", "the ⟦index a pointer⟧ for ‹x›", lambda v: v),
    P("result", "a byte whose value is {v:value}", "a byte whose value is ‹x›", lambda v: ir.Items((v,))),
    P("result", "a code point whose value is {v:value}", "a code point whose value is ‹x›", lambda v: ir.Items((v,))),
    P("result", "a pointer whose value is {v:value}", "a pointer whose value is ‹x›", lambda v: v),
    P("result", "byte {v:value}", "byte 0x41", lambda v: ir.Items((v,))),
    P("result", "code point {v:value}", "code point U+0041", lambda v: ir.Items((v,))),
    P("result", "pointer {v:value}", "pointer 9", lambda v: v),
    P("result", "three bytes {v:adjacent}", "three bytes 0x41 0x42 0x43", counted(3)),
    P("result", "two bytes whose values are {v:value+}", "two bytes whose values are ‹x› and ‹y›", counted(2)),
    P("result", "four bytes whose values are {v:value+}", "four bytes whose values are 1, 2, 3, 4", counted(4)),
    P("result", "bytes {n:name} , in order", "bytes ‹x›, in order", lambda n: n),
    P("result", "the two bytes on the same row listed in the second column",
      "the two bytes on the same row listed in the second column", lambda: ir.Row(TABLE, IT)),
    P("result", "the two code points listed in its second column [( the third column is irrelevant )]",
      "the two code points listed in its second column", lambda: ir.Row(TABLE, IT)),
    P("result", "a scalar value from surrogates given {a:name} and {b:name}",
      "a ⟦scalar value from surrogates⟧ given ‹x› and ‹y›", lambda a, b: ir.Items((ir.Surrogates(a, b),))),
    # Statements: each means one or more.
    P("statement", "let {n:name} be {v:choice}", "let ‹x› be 3", lambda n, v: (ir.Assign((n,), v),)),
    P("statement", "let {n:name} be {i:index} excluding all entries whose pointer is {p:predicates}",
      "let ‹x› be ⟦index a⟧ excluding all entries whose pointer is less than 9",
      lambda n, i, p: (ir.Assign((n,), ir.Excluding(i, ir.put(p, IT, ir.Local("pointer")))),)),
    P("statement", "let {n:name} be the last pointer in {i:index} that is less than or equal to {k:name} and let"
      " {m:name} be its corresponding code point",
      "let ‹x› be the last pointer in ⟦index a⟧ that is less than or equal to ‹y› and let ‹z› be its corresponding code"
      " point", last_range("pointer")),
    P("statement", "let {n:name} be the last code point in {i:index} that is less than or equal to {k:name} and let"
      " {m:name} be its corresponding pointer",
      "let ‹x› be the last code point in ⟦index a⟧ that is less than or equal to ‹y› and let ‹z› be its corresponding"
      " pointer", last_range("code_point")),
    P("statement", "let {n:name} be a list of two bytes whose values are {a:value+} [,] if {c:condition} ; otherwise"
      " {b:value+}",
      "let ‹x› be a list of two bytes whose values are 1 and 2, if ‹y› is null; otherwise 2 and 1", choice_of_pairs),
    P("statement", "let {n:name} be two bytes whose values are {a:value+} [,] if {c:condition} , and {b:value+}"
      " otherwise",
      "let ‹x› be two bytes whose values are 1 and 2, if ‹y› is null, and 2 and 1 otherwise", choice_of_pairs),
    P("statement", "set {a:assignment+}", "set ‹x› to 3 and ⟦m1⟧ to 4", lambda a: tuple(a)),
    P("assignment", "{n:name&} to {v:choice}", "‹x› and ⟦m1⟧ to 3", lambda n, v: ir.Assign(n, v)),
    P("statement", "set it to {v:choice}", "set it to U+0041", lambda v: (ir.Assign((IT,), v),)),
    P("statement", "set {n:name}", "set the ⟦m1⟧", lambda n: (ir.Assign((n,), ir.Constant(True)),)),
    P("statement", "increase {n:name} by one", "increase ⟦m1⟧ by one",
      lambda n: (ir.Assign((n,), ir.Arithmetic("+", n, ir.Number(1))),)),
    P("statement", "decrease {n:name} by one", "decrease ‹x› by one",
      lambda n: (ir.Assign((n,), ir.Arithmetic("-", n, ir.Number(1))),)),
    P("statement", "append to {n:name} {v:value}", "append to ‹x› 0x80 | ‹y›", lambda n, v: (ir.Append(n, v),)),
    P("statement", "restore/prepend [the] {n:name} to {q:name}", "⟦restore⟧ ‹x› to ‹q›",
      lambda n, q: (ir.Restore(q, n),)),
    P("statement", "restore/prepend « {v:value+} » to {q:name}", "⟦restore⟧ « ‹x›, ‹y› » to ‹q›",
      lambda v, q: (ir.Restore(q, ir.Items(v)),)),
    P("statement", "restore/prepend {a:name} followed by {b:name} to {q:name}",
      "⟦restore⟧ ‹x› followed by ‹y› to ‹q›", lambda a, b, q: (ir.Restore(q, ir.Items((a, b))),)),
    P("statement", "restore/prepend {a:name&} to {q:name}", "⟦restore⟧ ‹x› and ‹y› to ‹q›",
      lambda a, q: (ir.Restore(q, ir.Items(a)),) if len(a) > 1 else None),
    P("statement", "return {r:result}", "return ⟦error⟧", lambda r: (ir.Return(r),)),
    P("sequence", "{s:statement}", "return ⟦error⟧", lambda s: s),
    P("sequence", "{s:statement} , [and] [then] {r:sequence}", "set ‹x› to 3, and return ⟦error⟧",
      lambda s, r: (*s, *r)),
    P("sequence", "{s:statement} and [then] {r:sequence}", "set ‹x› to 3 and return ⟦error⟧", lambda s, r: (*s, *r)),
    # Sentences: each means statements, which may leave open what stands below.
    P("sentence", "{s:sequence} [.]", "Return ⟦error⟧.", lambda s: s),
    P("sentence", "then {s:sequence} [.]", "Then return ⟦error⟧.", lambda s: s),
    P("sentence", "if {c:condition} [,] [then] {s:sequence} [.]", "If ‹x› is null, then return ⟦error⟧.",
      lambda c, s: when(c, *s)),
    P("sentence", "if {c:condition} [,] [then] {s:sequence} ;/. otherwise [,] {o:sequence} [.]",
      "If ‹x› is null, then set ‹y› to 1; otherwise set ‹y› to 2.", lambda c, s, o: when(c, *s, otherwise=o)),
    P("sentence", "if {c:condition} [,] [then] :", "If ‹x› is null, then:", lambda c: when(c, Below("steps"))),
    P("sentence", "if {c:condition} [,] [then] {s:sequence} [,] and [then] [run these substeps] :",
      "If ‹x› is null, set ‹y› to 1, and then:", lambda c, s: when(c, *s, Below("steps"))),
    P("sentence", "if {c:condition} [,] [then] {s:sequence} :",
      "If there is a row in the table below whose first column is ‹x›, then return the two bytes on the same row"
      " listed in the second column:", lambda c, s: when(c, *s) if isinstance(c, ir.InTable) else None),
    P("sentence", "if {c:condition} [,] [then] based on {n:name} :", "If ⟦m1⟧ is 0, based on ‹x›:",
      lambda c, n: when(c, Below("cases", n))),
    P("sentence", "based on {n:name} :", "Based on ‹x›:", lambda n: (Below("cases", n),)),
    P("sentence", "while {c:condition} [,] [run these substeps] :", "While ‹x› is greater than 0:",
      lambda c: (ir.While(c, (Below("steps"),)),)),
    P("sentence", "set {a:name} and {b:name} based on the range {n:name} is in :",
      "Set ‹x› and ‹y› based on the range ‹z› is in:", lambda a, b, n: (Below("values", n, (a, b)),)),
    P("sentence", "let {n:name} be the result of :", "Let ‹x› be the result of:",
      lambda n: (Below("results", None, (n,)),)),
    # Cases of a list of terms.
    P("case", "otherwise", "Otherwise", lambda: None),
    P("case", "{p:predicate}", "0x1B", lambda p: p),
    P("case", "{a:number} to {b:number}", "0x20 to 0x3F", between),
    P("case", "{a:number} to {b:number} , excluding {x:number&}", "0x20 to 0x3F, excluding 0x22 and 0x23",
      lambda a, b, x: all_of([between(a, b), *(ir.Not(is_(number)) for number in x)])),
    P("result_case", "{c:condition} [.]", "⟦m1⟧ is true", lambda c: c),
    P("result_value", "{v:value} [.]", "(⟦m1⟧ << 8) + ‹x›.", lambda v: v),
    P("values", "{v:value+} [.]", "1 and 0xC0", lambda v: tuple(v)),
    # What a section says before its steps.
    P("owner", "{a:link} 's decoder", "⟦A⟧'s decoder", lambda a: (a, "decoder")),
    P("owner", "{a:link} 's encoder", "⟦A⟧'s encoder", lambda a: (a, "encoder")),
    P("owner", "{a:link}", "⟦shared decoder⟧", lambda a: (a, a.rpartition(" ")[2])),
    P("header", "{o:owner} 's handler , given [a] {p:name&} , runs these steps :",
      "⟦A⟧'s decoder's ⟦handler⟧, given ‹q› and ‹x›, runs these steps:", lambda o, p: Header(o[0], o[1], p)),
    P("header", "{o:owner} 's handler , given [a] {p:name&} , runs these steps , switching on {m:link} :",
      "⟦A⟧'s decoder's ⟦handler⟧, given ‹q› and ‹x›, runs these steps, switching on ⟦S⟧:",
      lambda o, p, m: Header(o[0], o[1], p, m)),
    P("operation_header", "the {n:dfn} for {p:name} is the return value of these steps :",
      "The ⟪index a pointer⟫ for ‹x› is the return value of these steps:", lambda n, p: p),
    P("variant", "{o:owner} is [the] {b:owner} [.]", "⟦A⟧'s decoder is ⟦B⟧'s decoder.",
      lambda o, b: Variant(o[0], b[0])),
    P("variant", "{o:owner} is [the] {b:owner} with its {m:link} set [to true] [.]",
      "⟦A⟧'s encoder is ⟦B⟧'s encoder with its ⟦m⟧ set to true.", lambda o, b, m: Variant(o[0], b[0], m)),
    P("initial", "{n:number}", "0x00", lambda n: n),
    P("initial", "null", "null", lambda: ir.Constant(None)),
    P("initial", "true/set", "true", lambda: ir.Constant(True)),
    P("initial", "false/unset", "false", lambda: ir.Constant(False)),
    P("initial", "{a:link}", "⟦S⟧", lambda a: ir.Symbol(a)),
    P("kind", "byte/number/boolean/state", "byte", lambda: True),
    P("kind", "leading/lead surrogate", "leading surrogate", lambda: True),
    P("sort", "[each] a/an {k:kind}", "a byte", lambda k: True),
    P("sort", "null or a {k:kind}", "null or a byte", lambda k: True),
    P("described", "{s:sort} , initially {v:initial} [.]", "Each a byte, initially 0x00.", lambda s, v: v),
    P("group", "[a/an] {d:dfn&} ( [all/both] initially {v:initial} )", "⟪a⟫ and ⟪b⟫ (all initially 0)",
      lambda d, v: (Declared(d, v),)),
    P("group", "[a/an] {d:dfn} [,] which is {s:described}", "⟪a⟫, which is a byte, initially 0x00",
      lambda d, s: (Declared((d,), s),)),
    P("group", "[a/an] {d:dfn} [,] which is {x:dfn|} [,] initially {v:initial}",
      "⟪a⟫ which is ⟪b⟫ or ⟪c⟫, initially ⟦b⟧", lambda d, x, v: (Declared((d,), v), Declared(x, None))),
    P("group", "[a/an] {d:dfn} [,] which is {x:dfn|} ( initially {v:initial} )",
      "⟪a⟫ which is ⟪b⟫ or ⟪c⟫ (initially ⟦b⟧)", lambda d, x, v: (Declared((d,), v), Declared(x, None))),
    P("declaration", "{o:owner} ['s] has an associated {g:group&} [.]",
      "⟦A⟧'s decoder has an associated ⟪a⟫ (initially 0).",
      lambda o, g: tuple(name for declared in g for name in declared)),
    P("introduction", "{v:variant}", "⟦A⟧'s decoder is ⟦B⟧'s decoder.", lambda v: (v,)),
    P("introduction", "{d:declaration}", "⟦A⟧'s decoder has an associated:", lambda d: d),
    P("introduction", "{h:header}", "⟦A⟧'s decoder's ⟦handler⟧, given ‹x›, runs these steps:", lambda h: (h,)),
    P("introduction", "{d:declaration} {h:header}",
      "⟦A⟧'s decoder has an associated ⟪a⟫ (initially 0). ⟦A⟧'s decoder's ⟦handler⟧, given ‹x›, runs these steps:",
      lambda d, h: (*d, h)),
    P("declaration", "{o:owner} ['s] has an associated :", "⟦A⟧'s decoder has an associated:", lambda o: ()),
)  # fmt: skip

GRAMMAR = Grammar(PATTERNS, PRIMITIVES)
