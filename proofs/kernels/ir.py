"""Read LLVM's intermediate representation, as Clang prints it: the functions of a module, and its constants.

Only what Clang makes of the kernels is known; any other text raises an `UnknownTextError`, which shows the line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

_TOKEN = re.compile(
    r"""\s*(?: (?P<string> c?"[^"]*") | (?P<name> [%@](?:"[^"]*"|[\w.$-]+)) | (?P<meta> [!#][\w.]*)
        | (?P<number> -?\d+) | (?P<word> [A-Za-z_][\w.]*) | (?P<mark> \.\.\.|[<>\[\]{}()=,*:|]) )""",
    re.VERBOSE,
)


class UnknownTextError(Exception):
    """A line that this file does not know."""


@dataclass(frozen=True)
class Type:
    """A type: an integer of `bits`, a "pointer", a "vector", an "array" or a "struct" of parts, or "void"."""

    kind: str
    bits: int = 0
    count: int = 0
    parts: tuple[Type, ...] = ()
    is_packed: bool = False

    @property
    def size(self) -> int:
        """The bytes that a value takes in memory."""
        match self.kind:
            case "integer":
                return (self.bits + 7) // 8
            case "pointer":
                return 8
            case "vector":
                return (self.count * self.parts[0].bits + 7) // 8
            case "array":
                return self.count * self.parts[0].size
            case "struct":
                return self.offset(len(self.parts))
        raise UnknownTextError(f"a value of the type {self.kind} has no size")

    @property
    def alignment(self) -> int:
        if self.kind == "struct":
            return 1 if self.is_packed else max((part.alignment for part in self.parts), default=1)
        return self.parts[0].alignment if self.kind == "array" else self.size

    def offset(self, number: int) -> int:
        """The offset of a part of a struct; of what follows the last, its size."""
        at = 0
        for part in self.parts[:number]:
            at = self._aligned(at, part.alignment) + part.size
        last = number == len(self.parts)
        return self._aligned(at, self.alignment if last else self.parts[number].alignment)

    def _aligned(self, at: int, alignment: int) -> int:
        return at if self.is_packed else -(-at // alignment) * alignment


POINTER = Type("pointer")
VOID = Type("void")


@dataclass(frozen=True)
class Operand:
    """What an instruction is given: a "local", a "global", or a "constant" with its value, by its type.

    A constant's value is a number, None if it is undefined, a list of operands, or an `Instruction` without operands
    that are local.
    """

    kind: str
    type: Type
    value: Any


@dataclass
class Instruction:
    """An instruction: what it does, its operands, and what else stands in its line."""

    name: str
    result: str
    type: Type
    operands: list[Operand]
    detail: Any = None
    line: str = ""


@dataclass
class Function:
    name: str
    result: Type
    parameters: list[tuple[str, Type, bool]]
    """The name and the type of each, and whether it points to a copy of the caller's."""
    blocks: dict[str, list[Any]] = field(default_factory=dict)
    """The lines of each block, read as instructions when they are first needed."""
    entry: str = ""


@dataclass
class Module:
    types: dict[str, Type]
    constants: dict[str, tuple[Type, Operand]]
    functions: dict[str, Function]

    def instruction(self, block: list[Any], at: int) -> Instruction:
        found = block[at]
        if isinstance(found, str):
            found = block[at] = _Line(found, self.types).instruction()
        assert isinstance(found, Instruction)
        return found


_OPERATIONS = {
    "add", "sub", "mul", "udiv", "urem", "sdiv", "srem", "shl", "lshr", "ashr", "and", "or", "xor",
}  # fmt: skip
_CASTS = {"zext", "sext", "trunc", "bitcast", "ptrtoint", "inttoptr", "freeze"}


def _character(escaped: re.Match[str]) -> str:
    """Return a character of a string: a backslash is written as two."""
    return "\\" if escaped[1] == "\\" else chr(int(escaped[1], 16))


_FLAGS = {"nuw", "nsw", "exact", "inbounds", "volatile", "disjoint", "nneg", "samesign", "nusw"}
_CALLS = {"tail", "musttail", "notail"}


class _Line:
    """The tokens of a line, read from the left."""

    def __init__(self, text: str, types: dict[str, Type]) -> None:
        self.text, self.types = text, types
        self.tokens: list[str] = []
        at = 0
        while at < len(text):
            if (found := _TOKEN.match(text, at)) is None:
                if text[at:].isspace():
                    break
                raise self.unknown()
            self.tokens.append(found[0].strip())
            at = found.end()
        self.at = 0

    def unknown(self) -> UnknownTextError:
        return UnknownTextError(f"{self.text.strip()!r} is not known to {__file__}")

    @property
    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, *expected: str) -> str:
        token = self.next
        if expected and token not in expected:
            raise self.unknown()
        self.at += 1
        return token

    def skips(self, token: str) -> bool:
        """Whether a token comes next; it is skipped."""
        found = self.next == token
        self.at += found
        return found

    def skip_any(self, tokens: set[str]) -> None:
        while self.next in tokens:
            self.at += 1

    def type(self) -> Type:
        found = self._type()
        while True:
            if self.skips("*"):
                found = POINTER
            elif self.next == "(" and found.kind != "pointer":  # of a function
                self._parenthesized()
                found = Type("function", parts=(found,))
            else:
                return found

    def _type(self) -> Type:
        token = self.take()
        if re.fullmatch(r"i\d+", token):
            return Type("integer", int(token[1:]))
        if token in ("ptr", "metadata", "label"):
            return POINTER
        if token == "void":
            return VOID
        if token in ("float", "double"):
            return Type("float")
        if token.startswith("%"):
            return self.types.get(token, VOID)
        if token == "[" or (token == "<" and self.next != "{"):
            count = int(self.take())
            self.take("x")
            part = self.type()
            self.take("]" if token == "[" else ">")
            return Type("array" if token == "[" else "vector", count=count, parts=(part,))
        packed = token == "<"
        if packed:
            self.take("{")
        elif token != "{":
            raise self.unknown()
        parts: list[Type] = []
        while not self.skips("}"):
            parts.append(self.type())
            self.skips(",")
        if packed:
            self.take(">")
        return Type("struct", parts=tuple(parts), is_packed=packed)

    def _parenthesized(self) -> None:
        depth = 0
        while True:
            token = self.take()
            depth += (token == "(") - (token == ")")
            if depth == 0:
                return

    def attributes(self) -> set[str]:
        """Skip the attributes of a parameter or a result, and return their names."""
        found = set()
        while self.next and (re.fullmatch(r"[a-z_]\w*", self.next) or self.next.startswith(("#", '"'))):
            if re.fullmatch(r"(i\d+|ptr|void|null|true|false|undef|poison|zeroinitializer|metadata)", self.next):
                break
            if self.next in _CASTS or self.next in _OPERATIONS or self.next in ("getelementptr", "asm", "select"):
                break
            name = self.take()
            found.add(name)
            if self.next == "(":
                self._parenthesized()
            elif name == "align":
                self.take()
        return found

    def operand(self, kind: Type | None = None) -> Operand:
        if kind is None:
            kind = self.type()
            self.attributes()
        token = self.take()
        if token.startswith("%"):
            return Operand("local", kind, token)
        if token.startswith("@"):
            return Operand("global", kind, token)
        if token in ("undef", "poison"):
            return Operand("constant", kind, None)
        if token in ("zeroinitializer", "null", "false"):
            return Operand("constant", kind, 0)
        if token == "true":
            return Operand("constant", kind, 1)
        if re.fullmatch(r"-?\d+", token):
            return Operand("constant", kind, int(token) & ((1 << kind.bits) - 1))
        if token.startswith('c"'):
            raw = re.sub(r"\\(\\|[0-9A-Fa-f]{2})", _character, token[2:-1])
            if len(raw) != kind.count:
                raise self.unknown()
            part = kind.parts[0]
            return Operand("constant", kind, [Operand("constant", part, ord(each)) for each in raw])
        if token in ("<", "[", "{"):
            packed = self.skips("{") if token == "<" else False
            values: list[Operand] = []
            while not self.skips("}" if packed else {"<": ">", "[": "]", "{": "}"}[token]):
                values.append(self.operand())
                self.skips(",")
            if packed:
                self.take(">")
            return Operand("constant", kind, values)
        if token == "getelementptr":
            self.skip_any(_FLAGS)
            self.take("(")
            return Operand("constant", kind, self.address("", ")"))
        if token in _CASTS:
            self.take("(")
            value = self.operand()
            self.take("to")
            return Operand("constant", kind, Instruction(token, "", self.type_closed(), [value]))
        raise self.unknown()

    def type_closed(self) -> Type:
        found = self.type()
        self.take(")")
        return found

    def address(self, result: str, end: str) -> Instruction:
        within = self.type()
        self.take(",")
        operands = [self.operand()]
        while self.skips(","):
            if self.next.startswith("!"):
                break
            self.skips("inrange")
            operands.append(self.operand())
        if end:
            self.take(end)
        return Instruction("getelementptr", result, POINTER, operands, within, self.text)

    # -- Instructions --------------------------------------------------------------------------------------------------

    def instruction(self) -> Instruction:
        result = ""
        if self.next.startswith("%"):
            result = self.take()
            self.take("=")
        self.skip_any(_CALLS)
        name = self.take()
        self.skip_any(_FLAGS)
        found = self._instruction(name, result)
        found.line = self.text.strip()
        return found

    def _instruction(self, name: str, result: str) -> Instruction:
        if name in _OPERATIONS:
            left = self.operand()
            self.take(",")
            return Instruction(name, result, left.type, [left, self.operand(left.type)])
        if name in _CASTS:
            value = self.operand()
            if name == "freeze":
                return Instruction(name, result, value.type, [value])
            self.take("to")
            return Instruction(name, result, self.type(), [value])
        match name:
            case "icmp":
                predicate = self.take()
                left = self.operand()
                self.take(",")
                bit = Type("integer", 1)
                kind = Type("vector", count=left.type.count, parts=(bit,)) if left.type.kind == "vector" else bit
                return Instruction(name, result, kind, [left, self.operand(left.type)], predicate)
            case "br":
                if self.next == "label":
                    return Instruction(name, "", VOID, [], [self._label()])
                condition = self.operand()
                self.take(",")
                then = self._label()
                self.take(",")
                return Instruction(name, "", VOID, [condition], [then, self._label()])
            case "switch":
                value = self.operand()
                self.take(",")
                default = self._label()
                self.take("[")
                cases = {}
                while not self.skips("]"):
                    number = self.operand().value
                    self.take(",")
                    cases[number] = self._label()
                return Instruction(name, "", VOID, [value], (default, cases))
            case "phi":
                kind = self.type()
                operands, labels = [], []
                while True:
                    self.take("[")
                    operands.append(self.operand(kind))
                    self.take(",")
                    labels.append(self.take())
                    self.take("]")
                    if not self.skips(","):
                        break
                return Instruction(name, result, kind, operands, labels)
            case "ret":
                operands = [] if self.next == "void" else [self.operand()]
                return Instruction(name, "", VOID, operands)
            case "unreachable":
                return Instruction(name, "", VOID, [])
            case "load":
                kind = self.type()
                self.take(",")
                return Instruction(name, result, kind, [self.operand()])
            case "store":
                value = self.operand()
                self.take(",")
                return Instruction(name, "", VOID, [value, self.operand()])
            case "alloca":
                return Instruction(name, result, POINTER, [], self.type())
            case "getelementptr":
                return self.address(result, "")
            case "select" | "shufflevector" | "insertelement" | "extractelement":
                operands = [self.operand()]
                while self.skips(","):
                    if self.next.startswith("!"):
                        break
                    operands.append(self.operand())
                return Instruction(name, result, self._result(name, operands), operands)
            case "extractvalue" | "insertvalue":
                operands = [self.operand()]
                self.take(",")
                if name == "insertvalue":
                    operands.append(self.operand())
                    self.take(",")
                places = [int(self.take())]
                while self.skips(",") and self.next.isdigit():
                    places.append(int(self.take()))
                kind = operands[0].type
                if name == "extractvalue":
                    for place in places:
                        kind = kind.parts[place] if kind.kind == "struct" else kind.parts[0]
                return Instruction(name, result, kind, operands, places)
            case "call":
                return self._call(result)
        raise self.unknown()

    def _result(self, name: str, operands: Sequence[Operand]) -> Type:
        if name == "select":
            return operands[1].type
        if name == "extractelement":
            return operands[0].type.parts[0]
        if name == "shufflevector":
            return Type("vector", count=operands[2].type.count, parts=operands[0].type.parts)
        return operands[0].type

    def _label(self) -> str:
        self.take("label")
        return self.take()

    def _call(self, result: str) -> Instruction:
        self.attributes()
        kind = self.type()
        if kind.kind == "function":
            kind = kind.parts[0]
        self.attributes()
        if self.next == "asm":
            self.take()
            self.skips("sideeffect")
            if self.take() != '""':
                raise self.unknown()
            name = "asm"
            self.take(",")
            self.take()
        else:
            name = self.take()
        self.take("(")
        operands = []
        while not self.skips(")"):
            if self.next == "metadata":
                raise self.unknown()
            operands.append(self.operand())
            self.skips(",")
        return Instruction("call", result, kind, operands, name)


def read(text: str) -> Module:
    """Read a module. Raise `UnknownTextError` for a line that is not known."""
    types: dict[str, Type] = {}
    constants: dict[str, tuple[Type, Operand]] = {}
    functions: dict[str, Function] = {}
    function: Function | None = None
    block: list[Any] = []
    joined = re.sub(
        r"\[\n((?:\s+i\d+ -?\d+, label %[^\n]+\n)+)\s*\]", lambda each: f"[{each[1]}]".replace("\n", " "), text
    )
    lines = joined.splitlines()
    waiting = {line.partition(" = ")[0]: line for line in lines if re.match(r"%\S+ = type", line)}
    while waiting:  # in the order in which they need each other
        before = len(waiting)
        for name, line in list(waiting.items()):
            needed = set(re.findall(r"%[\w.]+(?!\w)(?!\*)", line.partition(" type ")[2]))
            if not needed & (waiting.keys() - {name}):
                body = line.partition(" type ")[2]
                types[name] = VOID if body == "opaque" else _Line(body, types).type()
                del waiting[name]
        if len(waiting) == before:
            raise UnknownTextError("types refer to each other")
    for whole in lines:
        line = re.sub(r"\s*;[^\"]*$", "", whole)
        if not line or line.startswith((";", "source_filename", "target", "attributes", "!", "declare", "%", "$")):
            continue
        if line.startswith("@"):
            name, _, rest = line.partition(" = ")
            if (found := re.search(r"\b(constant|global) ", rest)) is None or "external" in rest[: found.start()]:
                continue
            parsed = _Line(rest[found.end() :], types)
            constants[name] = parsed.type(), Operand("constant", VOID, None)
            constants[name] = constants[name][0], parsed.operand(constants[name][0])
        elif line.startswith("define"):
            function, block = _head(line, types), []
            functions[function.name] = function
        elif line == "}":
            function = None
        elif function is not None and (label := re.match(r'("[^"]*"|[\w.$-]+):', line)):
            block = function.blocks[f"%{label[1]}"] = []
            function.entry = function.entry or f"%{label[1]}"
        elif function is not None:
            if "@llvm.dbg" in line or "noalias.scope" in line:
                continue
            block.append(line)
        else:
            raise UnknownTextError(f"{line!r} is not known to {__file__}")
    return Module(types, constants, functions)


def _head(text: str, types: dict[str, Type]) -> Function:
    line = _Line(text.rpartition("{")[0], types)
    line.take("define")
    line.attributes()
    result = line.type()
    name = line.take()
    line.take("(")
    parameters = []
    while not line.skips(")"):
        kind = line.type()
        attributes = line.attributes()
        parameters.append((line.take(), kind, "byval" in attributes))
        line.skips(",")
    return Function(name, result, parameters)
