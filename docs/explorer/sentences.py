"""The steps of the standard's algorithms as plain English sentences, made from the compiled programs."""

from __future__ import annotations

from collections.abc import Sequence

from generator.spec import program as ir

_COMPARISONS = {"==": "is", "<": "is less than", ">": "is greater than", "<=": "is at most", ">=": "is at least"}
_OPERATORS = {"*": "×", "-": "−", "//": "÷", "%": "modulo"}
_LOOKUPS = {"code_point": "code point", "pointer": "pointer", "last_pointer": "last pointer"}
_NOUNS = {
    "leading": "leading byte", "trailing": "trailing byte", "first": "first byte", "second": "second byte",
    "third": "third byte", "bytes_needed": "number of bytes needed", "bytes_seen": "number of bytes seen",
    "byte1": "first byte", "byte2": "second byte", "byte3": "third byte", "byte4": "fourth byte",
}  # fmt: skip
_FLAGS = {"is_gbk": "the GBK encoder", "is_utf_16be_decoder": "the UTF-16BE decoder"}
_UNSTORED = ("state", "boundary", "needed", "seen", "returned")
"""How the names of variables end that need no word to distinguish them from those of one call."""


def sentence(node: ir.Statement | ir.Case, algorithm: ir.Algorithm) -> str:
    """Return what a step does or has found true, as one sentence; empty for a statement that only holds cases."""
    return _Writer(algorithm).sentence(node)


def _listed(parts: Sequence[str], word: str = "and") -> str:
    *first, last = parts
    return f"{', '.join(first)} {word} {last}" if first else last


class _Writer:
    def __init__(self, algorithm: ir.Algorithm) -> None:
        base = algorithm.anchor.rpartition("-")[0].removeprefix("shared-")
        self.prefix = base.replace("-", "_") + "_"
        self.unit = "byte" if algorithm.kind == "decoder" else "character"
        self.handles = algorithm.kind != "operation"

    def sentence(self, node: ir.Statement | ir.Case) -> str:
        text = self._statement(node)
        return f"{text[0].upper()}{text[1:]}." if text else ""

    def _statement(self, node: ir.Statement | ir.Case) -> str:
        match node:
            case ir.If() | ir.Case(ir.Constant()):
                return ""
            case ir.Case(None):
                return "otherwise"
            case ir.Case(condition) if condition is not None:
                return self.condition(condition)
            case ir.While(condition):
                return f"repeat while {self.condition(condition)}"
            case ir.Assign(targets, value):
                return f"set {_listed([self.value(variable) for variable in targets])} to {self.value(value)}"
            case ir.Append(target, value):
                return f"append {self.value(value)} to {self.value(target)}"
            case ir.Restore(_, value):
                return f"put {self.value(value)} back, to be read again"
            case ir.Return(value):
                return self._result(value)
        raise TypeError(f"{node} has no sentence")

    def _result(self, node: ir.Node) -> str:
        match node:
            case ir.Signal("finished"):
                return "finish"
            case ir.Signal():
                return f"continue with the next {self.unit}"
            case ir.Choice(condition, then, otherwise):
                return f"{self._result(then)} if {self.condition(condition)}, otherwise {self._result(otherwise)}"
            case ir.Error(None):
                return "report an error"
            case ir.Error(code_point) if code_point is not None:
                return f"report an error for {self.value(code_point)}"
            case ir.Items():
                return f"emit {self.value(node)}"
        return f"{'emit' if self.handles else 'the result is'} {self.value(node)}"

    def condition(self, node: ir.Node, is_denied: bool = False) -> str:
        """Return a condition or its negation as a clause."""
        no = " not" if is_denied else ""
        match node:
            case ir.Compare("==", _, ir.EndOfQueue()):
                return f"the input has{no} ended"
            case ir.Compare("==", ir.Member(name), ir.Constant(value)) if name in _FLAGS:
                return f"this is{'' if bool(value) != is_denied else ' not'} {_FLAGS[name]}"
            case ir.Compare("==", left, right):
                return f"{self.value(left)} is{no} {self.value(right)}"
            case ir.Compare(operator, left, right) if not is_denied:
                return f"{self.value(left)} {_COMPARISONS[operator]} {self.value(right)}"
            case ir.InRange(value, first, last):
                return f"{self.value(value)} is{no} in the range {self.value(first)} to {self.value(last)}"
            case ir.InTable(key, _):
                return f"{self.value(key)} is{no} in the table"
            case ir.Not(inner) if not is_denied:
                return self.condition(inner, True)
            case ir.Junction(operator, conditions) if not is_denied:
                if same := self._same(operator, conditions):
                    return same
                joined = (
                    f", {operator} " if any(isinstance(part, ir.Junction) for part in conditions) else f" {operator} "
                )
                return joined.join(self.condition(part) for part in conditions)
            case ir.Member(name) if name in _FLAGS:
                return f"this is{no} {_FLAGS[name]}"
            case ir.Member() | ir.Local():
                return f"{self.value(node)} is {'false' if is_denied else 'true'}"
            case ir.Constant(value):
                return "never" if bool(value) == is_denied else "always"
        if not is_denied:
            raise TypeError(f"{node} has no sentence")
        return f"it is not true that {self.condition(node)}"

    def _same(self, operator: str, conditions: Sequence[ir.Node]) -> str:
        """Return conditions about one value with that value written once, empty if they concern others."""
        subjects, clauses = [], []
        for part in conditions:
            inner = part.condition if isinstance(part, ir.Not) else part
            match inner:
                case ir.Compare(_, subject, _) | ir.InRange(subject, _, _):
                    subjects.append(self.value(subject))
                    clauses.append(self.condition(part))
                case _:
                    return ""
        if len(set(subjects)) > 1 or "the input has ended" in clauses:
            return ""
        for head in ("is in the range ", "is "):
            whole = f"{subjects[0]} {head}"
            if operator == "or" and all(clause.startswith(whole) for clause in clauses):
                return whole + _listed([clause.removeprefix(whole) for clause in clauses], "or")
        return _listed([clauses[0], *(clause.removeprefix(f"{subjects[0]} ") for clause in clauses[1:])], operator)

    def value(self, node: ir.Node) -> str:
        """Return a value as a noun phrase."""
        match node:
            case ir.Number(value, is_hexadecimal):
                return f"0x{value:02X}" if is_hexadecimal else str(value)
            case ir.Constant(None):
                return "null"
            case ir.Constant(value):
                return str(value).lower()
            case ir.Local(name):
                return f"the {self._noun(name)}"
            case ir.Member(name):
                own = name.removeprefix(self.prefix)
                words = own if own != name else name.removeprefix(self.prefix.partition("_decoder")[0])
                return f"the {'' if words.endswith(_UNSTORED) else 'stored '}{self._noun(words)}"
            case ir.Symbol(name):
                return f"“{name}”"
            case ir.EndOfQueue():
                return "the end of the input"
            case ir.Arithmetic(operator, left, right):
                sign = _OPERATORS.get(operator, operator)
                return f"{self._operand(left, operator, False)} {sign} {self._operand(right, operator, True)}"
            case ir.Choice(condition, then, otherwise):
                return f"{self.value(then)} if {self.condition(condition)}, otherwise {self.value(otherwise)}"
            case ir.Items(items):
                return _listed([self.value(item) for item in items]) if items else "an empty list"
            case ir.Index(name):
                return f"index {name}"
            case ir.IndexSingleByte():
                return "the index of this encoding"
            case ir.Excluding(index, condition):
                return f"{self.value(index)} (except where {self.condition(condition)})"
            case ir.Lookup(what, index, key):
                return f"the {_LOOKUPS.get(what, what.replace('_', ' '))} of {self.value(key)} in {self.value(index)}"
            case ir.LastRange(what, index, key):
                named = what.replace("_", " ")
                return f"the last range in {self.value(index)} whose {named} is at most {self.value(key)}"
            case ir.Operation(name, argument):
                words = name.replace("_", " ").replace("shift jis", "Shift_JIS").replace("big5", "Big5")
                return f"the {words} for {self.value(argument)}"
            case ir.Surrogates(leading, trailing):
                return f"the character of the surrogates {self.value(leading)} and {self.value(trailing)}"
            case ir.Row(_, key):
                return f"the table’s row for {self.value(key)}"
        return self.condition(node)

    @staticmethod
    def _noun(name: str) -> str:
        return _NOUNS.get(name, name.rstrip("_").replace("_", " "))

    def _operand(self, node: ir.Node, operator: str, is_right: bool) -> str:
        text = self.value(node)
        tight = {"|": 1, "&": 2, "<<": 3, ">>": 3, "+": 4, "-": 4, "*": 5, "//": 5, "%": 5}
        is_loose = isinstance(node, ir.Arithmetic) and tight[node.operator] < tight[operator] + is_right
        return f"({text})" if is_loose or isinstance(node, ir.Choice) else text
