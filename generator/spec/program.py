"""What the sentences of an algorithm mean: a typed tree of statements, conditions and expressions.

Two programs are equal if they mean the same; the numbers of steps and the notation of numbers do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, TypeVar, dataclass_transform


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Node:
    """A part of a program. Its subclasses are frozen dataclasses."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True)(cls)


# -- Values ------------------------------------------------------------------------------------------------------------


class Number(Node):
    """A byte, a code point or a number."""

    value: int
    is_hexadecimal: bool = field(default=False, compare=False)


class Constant(Node):
    """null, true or false."""

    value: bool | None


class Local(Node):
    """A variable of one run of an algorithm."""

    name: str


class Member(Node):
    """A variable of a decoder or encoder, which lasts from one item to the next."""

    name: str


class Symbol(Node):
    """One of a few named values, such as a state."""

    name: str


class EndOfQueue(Node):
    """The item at the end of an I/O queue."""


class Arithmetic(Node):
    """An operator of Python and its operands; ``//`` rounds down."""

    operator: str
    left: Node
    right: Node


class Choice(Node):
    """One value if a condition holds, another otherwise."""

    condition: Node
    then: Node
    otherwise: Node


class Items(Node):
    """A list of items: what a handler returns or restores."""

    items: tuple[Node, ...]


class Index(Node):
    """An index, by its name in indexes.json."""

    name: str


class IndexSingleByte(Node):
    """The index of the single-byte encoding in use."""


class Excluding(Node):
    """An index without the entries whose ``pointer`` meets a condition."""

    index: Node
    condition: Node


class Lookup(Node):
    """The ``code_point`` of a pointer, or the first ``pointer`` or the ``last_pointer`` of a code point."""

    what: str
    index: Node
    key: Node


class LastRange(Node):
    """The last range of an index whose ``pointer`` or ``code_point`` is at most a key: that one, and the other."""

    what: str
    index: Node
    key: Node


class Operation(Node):
    """The result of an operation on an index, such as ``index_big5_pointer``."""

    name: str
    argument: Node


class Surrogates(Node):
    """The scalar value of a leading and a trailing surrogate."""

    leading: Node
    trailing: Node


class Row(Node):
    """The items that a table of the standard has for a key."""

    table: Rows
    key: Node


class Rows(Node):
    """A table: the items of each key."""

    entries: tuple[tuple[int, tuple[int, ...]], ...]


# -- Conditions --------------------------------------------------------------------------------------------------------


class Compare(Node):
    """A comparison by an operator of Python; equality with null, a boolean or end-of-queue is identity."""

    operator: str
    left: Node
    right: Node


class InRange(Node):
    """Whether a value is an item from the first to the last, inclusive. End-of-queue is in no range."""

    value: Node
    first: Node
    last: Node


class InTable(Node):
    """Whether a table has a row for a key."""

    key: Node
    table: Rows


class Not(Node):
    """The opposite of a condition."""

    condition: Node


class All(Node):
    """Whether all conditions hold."""

    conditions: tuple[Node, ...]


class Any_(Node):
    """Whether one of the conditions holds."""

    conditions: tuple[Node, ...]


# -- Results -----------------------------------------------------------------------------------------------------------


class Signal(Node):
    """``finished`` or ``continue``."""

    name: str


class Error(Node):
    """An error, with the code point that could not be encoded."""

    code_point: Node | None = None


# -- Statements --------------------------------------------------------------------------------------------------------


class Statement(Node):
    """A statement and the number of its step, such as ``3.1`` or ``3.[0xC2 to 0xDF].2``."""

    step: str = field(default="", compare=False, kw_only=True)


class Assign(Statement):
    """Give a variable, or each of several, a value; a pair of variables takes a pair of values."""

    targets: tuple[Node, ...]
    value: Node


class Append(Statement):
    """Append an item to a list."""

    target: Node
    value: Node


class Restore(Statement):
    """Restore an item or a list of items to an I/O queue."""

    queue: Node
    value: Node


class Return(Statement):
    """Return a result."""

    value: Node


class Case(Node):
    """A condition and what is run if it is the first that holds; no condition means otherwise."""

    condition: Node | None
    body: tuple[Statement, ...]
    step: str = field(default="", compare=False, kw_only=True)


class If(Statement):
    """Run the first case whose condition holds."""

    cases: tuple[Case, ...]


class While(Statement):
    """Run statements as long as a condition holds."""

    condition: Node
    body: tuple[Statement, ...]


# -- Algorithms --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A decoder, an encoder, or an operation on an index."""

    anchor: str
    digest: str = field(compare=False)
    """The SHA-256 of its text, in hexadecimal."""
    chapter: str = field(compare=False)
    """The anchor of its chapter."""
    kind: str
    """``decoder``, ``encoder`` or ``operation``."""
    encoding: str = ""
    """The encoding that it belongs to, empty for an operation and for what several encodings share."""
    parameters: tuple[str, ...] = ()
    members: tuple[tuple[str, Node], ...] = ()
    """The variables that last, with their initial values."""
    base: str = ""
    """The anchor of the algorithm that this one is, with `members` as its initial values; empty if it has steps."""
    body: tuple[Statement, ...] = ()


Programs = Mapping[str, Algorithm]
"""Algorithms by their anchors, in the standard's order."""


def walk(node: Any) -> Iterator[Node]:
    """Yield a node and all nodes below it, in order."""
    if isinstance(node, tuple):
        for item in node:
            yield from walk(item)
    elif is_dataclass(node) and not isinstance(node, type):
        if isinstance(node, Node):
            yield node
        for each in fields(node):
            yield from walk(getattr(node, each.name))


Tree = TypeVar("Tree")


def mapped(tree: Any, change: Callable[[Node], Node]) -> Any:
    """Return a tree with each node replaced by what `change` returns for it, from the outermost inwards."""
    if isinstance(tree, tuple):
        return tuple(mapped(item, change) for item in tree)
    if not isinstance(tree, Node):
        return tree
    changed = change(tree)
    if changed is not tree:
        return changed
    below = {one.name: mapped(getattr(changed, one.name), change) for one in fields(changed)}  # type: ignore[arg-type]
    return replace(changed, **below)  # type: ignore[type-var]


def put(tree: Tree, old: Node, new: Node) -> Tree:
    """Return a tree with one node in place of another."""
    changed: Tree = mapped(tree, lambda node: new if node == old and type(node) is type(old) else node)
    return changed


def steps(body: tuple[Statement, ...]) -> Iterator[str]:
    """Yield the number of each step, in order, once."""
    seen = set()
    for node in walk(body):
        step = getattr(node, "step", "")
        if step and step not in seen:
            seen.add(step)
            yield step


LARGEST = 0x1FFFFF
"""The largest number in a program: more than any code point or pointer."""


def check(algorithm: Algorithm) -> None:
    """Raise a ValueError if a program uses a name that nothing defines, returns what its kind does not, or may not end.

    So whatever a source of the standard says, its programs do nothing but calculate, for a bounded time.
    """
    names = {*algorithm.parameters, "pointer"}
    members = {name for name, _ in algorithm.members}
    for node in walk(algorithm.body):
        if isinstance(node, Assign):
            names |= {target.name for target in node.targets if isinstance(target, Local)}
    for name in {*names, *members, *algorithm.parameters}:
        if not (name.isascii() and name.isidentifier()) or name.startswith("_"):
            raise ValueError(f"{name!a} is no name for a variable")
    for node in walk((algorithm.body, tuple(value for _, value in algorithm.members))):
        match node:
            case Local(name) if name not in names:
                raise ValueError(f"the variable {name!a} has no value")
            case Member(name) if name not in members:
                raise ValueError(f"the variable {name!a} is not declared")
            case Number(value) if not 0 <= value <= LARGEST:
                raise ValueError("a number is larger than any code point or pointer")
            case Return(value) if not _fits(value, algorithm.kind):
                raise ValueError(f"a result is not that of an {algorithm.kind}")
            case While(condition, body) if not _counts_down(condition, body):
                raise ValueError("a loop does not count down to 0")


def _fits(value: Node, kind: str) -> bool:
    if isinstance(value, Choice):
        return _fits(value.then, kind) and _fits(value.otherwise, kind)
    is_result = isinstance(value, Signal | Error | Items | Row)
    return not is_result if kind == "operation" else is_result or isinstance(value, Local)


def _counts_down(condition: Node, body: tuple[Statement, ...]) -> bool:
    """Return whether a loop runs while a variable is above 0, which each turn decreases by one and no more."""
    match condition:
        case Compare(">", Local() as counter, Number(0)):
            changes = [node for node in walk(body) if isinstance(node, Assign) and counter in node.targets]
            return len(changes) == 1 and changes[0] in body and changes[0].value == Arithmetic("-", counter, Number(1))
    return False
