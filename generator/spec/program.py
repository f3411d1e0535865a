"""What the sentences of an algorithm mean: a typed tree of statements, conditions and expressions.

Two programs are equal if they mean the same; the numbers of steps and the notation of numbers do not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import chain
from typing import Any, ClassVar, TypeVar, dataclass_transform


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Node:
    """A part of a program. Its subclasses are frozen dataclasses."""

    form: ClassVar[str]
    """What `notation` writes for it, with its fields in braces; empty if that depends on them."""

    def __init_subclass__(cls, form: str = "") -> None:
        dataclass(frozen=True)(cls)
        cls.form = form


class Condition(Node):
    """What holds or does not."""


# -- Values ------------------------------------------------------------------------------------------------------------


class Number(Node):
    """A byte, a code point or a number."""

    value: int
    is_hexadecimal: bool = field(default=False, compare=False)


class Constant(Node):
    """null, true or false."""

    value: bool | None


class Local(Node, form="{name}"):
    """A variable of one run of an algorithm."""

    name: str


class Member(Node, form="self.{name}"):
    """A variable of a decoder or encoder, which lasts from one item to the next."""

    name: str


class Symbol(Node, form='"{name}"'):
    """One of a few named values, such as a state."""

    name: str


class EndOfQueue(Node, form="END_OF_QUEUE"):
    """The item at the end of an I/O queue."""


class Arithmetic(Node):
    """An operator of Python and its operands; ``//`` rounds down."""

    operator: str
    left: Node
    right: Node


class Choice(Node, form="({then} if {condition} else {otherwise})"):
    """One value if a condition holds, another otherwise."""

    condition: Node
    then: Node
    otherwise: Node


class Items(Node):
    """A list of items: what a handler returns or restores."""

    items: tuple[Node, ...]


class Index(Node, form='INDEXES["{name}"]'):
    """An index, by its name in indexes.json."""

    name: str


class IndexSingleByte(Node, form="self.index_single_byte"):
    """The index of the single-byte encoding in use."""


class Excluding(Node, form="{index}.excluding(lambda pointer: {condition})"):
    """An index without the entries whose ``pointer`` meets a condition."""

    index: Node
    condition: Node


class Lookup(Node, form="{index}.{what}({key})"):
    """The ``code_point`` of a pointer, or the first ``pointer`` or the ``last_pointer`` of a code point."""

    what: str
    index: Node
    key: Node


class LastRange(Node, form='{index}.last_range("{what}", {key})'):
    """The last range of an index whose ``pointer`` or ``code_point`` is at most a key: that one, and the other."""

    what: str
    index: Node
    key: Node


class Operation(Node, form="{name}({argument})"):
    """The result of an operation on an index, such as ``index_big5_pointer``."""

    name: str
    argument: Node


class Surrogates(Node, form="scalar_value_from_surrogates({leading}, {trailing})"):
    """The scalar value of a leading and a trailing surrogate."""

    leading: Node
    trailing: Node


class Row(Node, form="TABLE[{key}]"):
    """The items that a table of the standard has for a key."""

    table: Rows
    key: Node


class Rows(Node):
    """A table: the items of each key."""

    entries: tuple[tuple[int, tuple[int, ...]], ...]


# -- Conditions --------------------------------------------------------------------------------------------------------


class Compare(Condition):
    """A comparison by an operator of Python; equality with null, a boolean or end-of-queue is identity."""

    operator: str
    left: Node
    right: Node


class InRange(Condition, form="in_range({value}, {first}, {last})"):
    """Whether a value is an item from the first to the last, inclusive. End-of-queue is in no range."""

    value: Node
    first: Node
    last: Node


class InTable(Condition, form="{key} in TABLE"):
    """Whether a table has a row for a key."""

    key: Node
    table: Rows


class Not(Condition):
    """The opposite of a condition."""

    condition: Node


class Junction(Condition):
    """Whether all conditions hold (``and``), or one of them (``or``)."""

    operator: str
    conditions: tuple[Node, ...]


# -- Results -----------------------------------------------------------------------------------------------------------


class Signal(Node):
    """``finished`` or ``continue``."""

    name: str


class Error(Node, form="Error({code_point})"):
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


class Append(Statement, form="{target}.append({value})"):
    """Append an item to a list."""

    target: Node
    value: Node


class Restore(Statement, form="restore({queue}, {value})"):
    """Restore an item or a list of items to an I/O queue."""

    queue: Node
    value: Node


class Return(Statement, form="return {value}"):
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
    names: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    """What templates call its steps, with the numbers that these have (`generator.steps`)."""


Programs = Mapping[str, Algorithm]
"""Algorithms by their anchors, in the standard's order."""


def walk(node: Any) -> Iterator[Node]:
    """Yield a node and all nodes below it, in order."""
    left = [node]
    while left:
        node = left.pop()
        if isinstance(node, Node):
            yield node
            left += reversed(vars(node).values())
        elif isinstance(node, tuple):
            left += reversed(node)


def named(algorithms: Iterable[Algorithm]) -> set[int]:
    """Return the numbers that algorithms name, and those next to them."""
    nodes = [node for algorithm in algorithms for node in walk(algorithm.body)]
    keys = (key for node in nodes if isinstance(node, Rows) for key, _ in node.entries)
    return near(chain(keys, (node.value for node in nodes if isinstance(node, Number))))


def near(numbers: Iterable[int]) -> set[int]:
    """Return numbers and those next to them, from 0 on."""
    return {max(number + step, 0) for number in numbers for step in (-1, 0, 1)}


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
    below = {member.name: mapped(getattr(changed, member.name), change) for member in fields(changed)}  # type: ignore[arg-type]
    return replace(changed, **below)  # type: ignore[type-var]


def put(tree: Tree, old: Node, new: Node) -> Tree:
    """Return a tree with one node in place of another."""
    changed: Tree = mapped(tree, lambda node: new if node == old and type(node) is type(old) else node)
    return changed


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
            case Symbol(name) | Index(name) if not re.fullmatch(r"[\w -]+", name):
                raise ValueError(f"{name!a} is no name for a value or an index")
            case Lookup(what) | LastRange(what) if what not in ("code_point", "pointer", "last_pointer"):
                raise ValueError(f"{what!a} is not looked up in an index")
            case Operation(name) if not (name.isidentifier() and name.startswith("index_")):
                raise ValueError(f"{name!a} is no operation on an index")
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
