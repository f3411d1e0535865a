"""Compile the sections of the source into programs. What the grammar does not cover is a fault, never left out."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from types import MappingProxyType
from typing import Any

from generator.spec import program as ir
from generator.spec import step_names
from generator.spec.errors import Misfit, SpecError
from generator.spec.grammar import GRAMMAR, IT, TABLE, Below, Declared, Header, Variant
from generator.spec.lexicon import Names, identifier, tokens
from generator.spec.notation import Algorithms, Unread
from generator.spec.source import Block, Cases, Document, Item, NumberedList, Paragraph, Section, Table

SHOWN = 20
"""Maximum number of faults that a message lists."""


def digest(lines: Sequence[str]) -> str:
    """Return the SHA-256 of an algorithm's text, in hexadecimal."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _compiled(document: Document, known: ir.Programs) -> tuple[ir.Programs, tuple[Unread, ...], list[str]]:
    """Return the program of each decoder, encoder and operation on indexes in the source, in the standard's order.

    Of a section that is not understood, the known program is taken, and the section is among the unread ones, which
    follow. The last are the anchors of all.
    """
    programs: dict[str, ir.Algorithm] = {}
    unread: list[Unread] = []
    misfits: dict[str, list[tuple[Misfit, str]]] = {}
    lines: dict[str, tuple[str, ...]] = {}
    for anchor, section in document.algorithms().items():
        if isinstance(section, Misfit):
            misfits[anchor] = [(section, "")]
            lines[anchor] = document.text(anchor) or ()
            continue
        compiler = _Compiler(section)
        program = compiler.algorithm()
        lines[anchor] = section.lines
        if program is not None:
            programs[anchor] = step_names.named(known[anchor], program) if anchor in known else program
        else:
            misfits[anchor] = compiler.misfits
    bases = {*programs, *(anchor for anchor in misfits if anchor in known)}
    for anchor, program in list(programs.items()):
        if program.base and program.base not in bases:
            misfits[anchor] = [(Misfit(f"it is #{program.base}, which is absent", program.encoding), "")]
            del programs[anchor]
    for anchor, misfits_of_anchor in misfits.items():
        pinned, now = known.get(anchor), digest(lines[anchor])
        if pinned is not None:
            programs[anchor] = pinned
        if pinned is None or pinned.digest != now:
            faults = tuple(misfit.at(anchor, path) for misfit, path in misfits_of_anchor)
            steps = frozenset(path for _, path in misfits_of_anchor)
            unread.append(Unread(anchor, faults, pinned, steps))
    ordered = {anchor: programs[anchor] for anchor in lines if anchor in programs}
    return MappingProxyType(ordered), tuple(unread), list(lines)


class _Compiler:
    """The compilation of one section, which goes on after a fault, to find them all."""

    def __init__(self, section: Section) -> None:
        self.section = section
        self.misfits: list[tuple[Misfit, str]] = []
        """What is not understood, and the number of the step."""
        self.names = Names()

    def algorithm(self) -> ir.Algorithm | None:
        """Return the section's program, None if there is a fault."""
        section = self.section
        common = {"anchor": section.anchor, "digest": digest(section.lines)}
        try:
            if section.title and isinstance(section.blocks[0], Paragraph) and "these steps" in section.title:
                compiled = self._operation(common)
            else:
                compiled = self._handler(common)
            if not self.misfits:
                ir.check(compiled)
        except Misfit as misfit:
            self._fault(misfit)
        except ValueError as error:
            self._fault(Misfit(str(error), section.title))
        return None if self.misfits else compiled

    def _fault(self, misfit: Misfit, path: str = "") -> None:
        self.misfits.append((misfit, path))

    # -- What a section says before its steps ------------------------------------------------------------------------

    def _operation(self, common: dict[str, Any]) -> ir.Algorithm:
        header, *blocks = self.section.blocks
        assert isinstance(header, Paragraph)
        parameter = GRAMMAR.read("operation_header", tokens(header, self.names), header.text)
        body = self._blocks(blocks, "", steps_expected=True)
        return ir.Algorithm(
            kind="operation", parameters=(parameter.name,), body=ir.mapped(tuple(body), _bare), **common
        )

    def _handler(self, common: dict[str, Any]) -> ir.Algorithm:
        blocks = list(self.section.blocks)
        declared: list[Declared] = []
        terms = {piece.term.lower(): piece for piece in _definitions(blocks)}
        header: Header | Variant | None = None
        while blocks and header is None:
            block = blocks.pop(0)
            if not isinstance(block, Paragraph):
                raise Misfit("this list is not introduced", _shown(block))
            for declaration in GRAMMAR.read("introduction", tokens(block, Names()), block.text):
                if isinstance(declaration, Declared):
                    declared.append(declaration)
                else:
                    header = declaration
            if block.text.endswith("associated:") and blocks and isinstance(blocks[0], Cases):
                declared += self._declarations(blocks.pop(0))
        if isinstance(header, Variant):
            return self._variant(header, blocks, common)
        if header is None:
            raise Misfit("the section has no handler", self.section.title)
        values = [name for declaration in declared if declaration.initial is None for name in declaration.names]
        if header.switching_on:
            values += [piece.term for piece in _definitions(blocks)]
        self.names = Names(
            {
                name.lower(): identifier(name)
                for declaration in declared
                if declaration.initial is not None
                for name in declaration.names
            },
            {name.lower(): _value(terms[name.lower()].text, name) for name in values},
        )
        members = tuple(
            (identifier(name), self._initial(declaration.initial))
            for declaration in declared
            if declaration.initial is not None
            for name in declaration.names
        )
        if header.switching_on:
            subject = ir.Member(self.names.members.get(header.switching_on, ""))
            (cases,) = [block for block in blocks if isinstance(block, Cases)] if len(blocks) == 1 else [Cases(())]
            body = self._cases(cases, "", subject)
        else:
            body = self._blocks(blocks, "", steps_expected=True)
        parameters = tuple(declaration.name for declaration in header.parameters)
        if len(parameters) == 1:
            parameters = ("unused", *parameters)
        shared = header.encoding == f"shared utf-16 {header.kind}"
        return ir.Algorithm(
            kind=header.kind, encoding="" if shared else header.encoding, parameters=parameters, members=members,
            body=tuple(body), **common,
        )  # fmt: skip

    def _variant(self, variant: Variant, blocks: Sequence[Block], common: dict[str, Any]) -> ir.Algorithm:
        if blocks:
            raise Misfit("a section that names another one has more to say", _shown(blocks[0]))
        kind = self.section.anchor.rpartition("-")[2]
        base = variant.base.replace(" ", "-")
        base = base if base.endswith(f"-{kind}") else f"{base}-{kind}"
        members = ((identifier(variant.member), ir.Constant(True)),) if variant.member else ()
        return ir.Algorithm(kind=kind, encoding=variant.encoding, base=base, members=members, **common)

    def _declarations(self, block: Block) -> Iterator[Declared]:
        assert isinstance(block, Cases)
        for item in block.items:
            names = [piece.term for term in item.terms for piece in term.pieces if piece.kind == "dfn"]
            text = _paragraph(item, Paragraph(()))
            initial = GRAMMAR.read(
                "described", tokens(text, Names()), text.text or "a definition without a description"
            )
            yield Declared(tuple(names), initial)

    def _initial(self, initial: ir.Node) -> ir.Node:
        if not isinstance(initial, ir.Symbol):
            return initial
        if initial.name not in self.names.values:
            raise Misfit("this initial value is not defined", initial.name)
        return ir.Symbol(self.names.values[initial.name])

    # -- Steps ---------------------------------------------------------------------------------------------------------

    def _blocks(self, blocks: Sequence[Block], path: str, *, steps_expected: bool = False) -> list[ir.Statement]:
        """Return the statements of sibling blocks; a sentence may take the list or table after it."""
        remaining, statements = list(blocks), []
        while remaining:
            block = remaining.pop(0)
            if isinstance(block, NumberedList) and steps_expected:
                statements += self._steps(block, path)
                steps_expected = False
            elif isinstance(block, Paragraph):
                try:
                    statements += self._sentence(block, remaining, path)
                except Misfit as misfit:
                    self._fault(misfit, path)
                    while remaining and not isinstance(remaining[0], Paragraph):
                        remaining.pop(0)
            else:
                self._fault(Misfit("no sentence introduces this list", _shown(block)), path)
        return statements

    def _steps(self, block: NumberedList, path: str) -> list[ir.Statement]:
        statements: list[ir.Statement] = []
        for number, item in enumerate(block.items, 1):
            statements += self._blocks(item.blocks, f"{path}.{number}" if path else str(number))
        return statements

    def _sentence(self, paragraph: Paragraph, following: list[Block], path: str) -> list[ir.Statement]:
        read = tokens(paragraph, self.names)
        meaning: tuple[ir.Statement, ...] = GRAMMAR.read("sentence", read, paragraph.text)
        meaning = _placed(meaning, path)
        if any(node is TABLE for node in ir.walk(meaning)):
            if not (following and isinstance(following[0], Table)):
                raise Misfit("no table is below", paragraph.text)
            meaning = self._with_table(meaning, following.pop(0))
        below = next((node for node in ir.walk(meaning) if isinstance(node, Below)), None)
        if below is not None:
            if not following:
                raise Misfit("nothing is below", paragraph.text)
            body = self._below(below, following.pop(0), path, paragraph.text)
            if following and not isinstance(meaning[0], Below):
                # What follows the list in the same item is under the same condition.
                body += tuple(self._blocks([following.pop(0) for _ in range(len(following))], path))
            meaning = _placed(meaning, path, body)
        if any(node == IT for node in ir.walk(meaning)):
            raise Misfit('what "it" stands for is not known', paragraph.text, "grammar.py")
        return list(meaning)

    def _below(self, below: Below, block: Block, path: str, text: str) -> tuple[ir.Statement, ...]:
        if below.holds == "steps" and isinstance(block, NumberedList):
            return tuple(self._steps(block, path))
        if below.holds == "cases" and isinstance(block, Cases) and below.subject is not None:
            return tuple(self._cases(block, path, below.subject))
        if below.holds in ("values", "results") and isinstance(block, Cases):
            return (self._values(below, block, path),)
        raise Misfit(f"what is below is not its {below.holds}", text)

    def _cases(self, block: Cases, path: str, subject: ir.Node) -> list[ir.Statement]:
        """Return a choice between the cases of a list of terms."""
        cases = []
        for item in block.items:
            term = _only(item)
            definition = [piece for piece in term.pieces if piece.kind == "dfn"]
            if definition:
                name = self.names.values.get(definition[0].term.lower())
                if name is None or term.text != definition[0].text:
                    raise Misfit("this case is no value of what is switched on", term.text)
                condition: ir.Node | None = ir.Compare("==", subject, ir.Symbol(name))
                label = name
            else:
                condition = ir.put(self._read("case", term, path), IT, subject)
                label = term.text.partition(",")[0]
            step = f"{path}.[{label}]" if path else f"[{label}]"
            body = self._blocks(item.blocks, step, steps_expected=True)
            # A state is the place of its steps, not a step itself.
            cases.append(ir.Case(condition, tuple(body), step="" if definition else step))
        return [ir.If(tuple(cases), step=path)]

    def _values(self, below: Below, block: Cases, path: str) -> ir.Statement:
        """Return a choice between the values of a list of terms, for one or more variables."""
        cases = []
        for item in block.items:
            value = _paragraph(item, _only(item))
            if below.holds == "results":
                condition = self._read("result_case", _only(item), path)
                values: Any = (self._read("result_value", value, path),)
            else:
                condition = ir.put(self._read("case", _only(item), path), IT, below.subject or IT)
                values = self._read(below.holds, value, path)
            if values is None or len(values) != len(below.targets):
                raise Misfit(f"there are not {len(below.targets)} values", value.text)
            assigned = tuple(
                ir.Assign((target,), term, step=path) for target, term in zip(below.targets, values, strict=True)
            )
            cases.append(ir.Case(condition, assigned, step=path))
        return ir.If(tuple(cases), step=path)

    def _read(self, rule: str, paragraph: Paragraph, path: str) -> Any:
        try:
            return GRAMMAR.read(rule, tokens(paragraph, self.names), paragraph.text)
        except Misfit as misfit:
            self._fault(misfit, path)
            return None

    def _with_table(self, meaning: tuple[ir.Statement, ...], block: Block) -> tuple[ir.Statement, ...]:
        """Return statements with the table below them: the first column is the key, the second has its items."""
        assert isinstance(block, Table)
        entries: dict[int, tuple[int, ...]] = {}
        for row in block.rows[1:]:
            read = [tokens(cell, Names()) for cell in row[:2]]
            numbers = [tuple(token.number for token in cell if token.kind == "number") for cell in read]
            plain = all(token.kind == "number" for cell in read for token in cell)
            if len(row) < 2 or not plain or len(numbers[0]) != 1 or not numbers[1] or numbers[0][0] in entries:
                raise Misfit("this table row is not a key and its items", " | ".join(cell.text for cell in row))
            entries[numbers[0][0]] = numbers[1]
        if len({len(items) for items in entries.values()}) != 1:
            raise Misfit("the rows of this table have different numbers of items", _shown(block))
        table = ir.Rows(tuple(entries.items()))
        key = next(node.key for node in ir.walk(meaning) if hasattr(node, "key") and not isinstance(node, ir.Row))
        return ir.put(ir.put(meaning, IT, key), TABLE, table)


def _bare(node: ir.Node) -> ir.Node:
    """Return a result as the value itself: an operation returns one, where a handler returns a list of one item."""
    match node:
        case ir.Return(ir.Items((value,))):
            return replace(node, value=value)
    return node


def _placed(tree: Any, path: str, below: tuple[ir.Statement, ...] | None = None) -> Any:
    """Return statements and their cases with the number of their step, and with what stands below, if it is given."""
    if isinstance(tree, tuple):
        placed = [
            below if below is not None and isinstance(item, Below) else (_placed(item, path, below),) for item in tree
        ]
        return tuple(chain.from_iterable(placed))
    inner = {name: _placed(getattr(tree, name), path, below) for name in ("cases", "body") if hasattr(tree, name)}
    return replace(tree, step=path, **inner)


def _definitions(blocks: Sequence[Block]) -> Iterator[Any]:
    for block in blocks:
        if isinstance(block, Paragraph):
            yield from (piece for piece in block.pieces if piece.kind == "dfn")
        elif not isinstance(block, Table):
            for item in block.items:
                yield from _definitions((*item.terms, *item.blocks))


def _value(text: str, term: str) -> str:
    """Return the name of a named value: of its term, as many words as its text has."""
    return " ".join(term.split()[-len(text.split()) :])


def _paragraph(item: Item, otherwise: Paragraph) -> Paragraph:
    """Return the only block of an item, a paragraph, or `otherwise` if it has none."""
    match item.blocks:
        case ():
            return otherwise
        case (Paragraph() as paragraph,):
            return paragraph
    raise Misfit("this is not one sentence", " ".join(map(_shown, item.blocks)))


def _only(item: Item) -> Paragraph:
    if len(item.terms) != 1:
        raise Misfit("a case has not one term", " / ".join(term.text for term in item.terms))
    return item.terms[0]


def _shown(block: Block) -> str:
    return " ".join(Section("", "", (block,)).lines)


_PAIRED = ("ol", "dl", "ul", "table", "div")
"""Elements that the source closes, as it does not close all."""


def cut_off(text: str, known: Sequence[str], present: Sequence[str]) -> list[str]:
    """Return the known algorithms that a source lacks since it ends too early, none if it is whole.

    They are the last ones that are known, and the text ends within a line or an element, or before what is last in it.
    """
    places = [place for place, anchor in enumerate(known) if anchor in present]
    missing = list(known[max(places, default=-1) + 1 :])
    is_open = any(len(re.findall(rf"<{tag}\b", text)) > text.count(f"</{tag}>") for tag in _PAIRED)
    ends_early = bool(places) and len(known) > FEW and not re.search("acknowledg", text, re.I)
    return missing if not text.endswith("\n") or is_open or ends_early else []


FEW = 10
"""The standard has more algorithms than that, and thanks after them; a source that a test made up has fewer."""


def read(text: str, *, origin: str, day: str, known: Algorithms | None = None) -> Algorithms:
    """Return the algorithms of the standard's source.

    `day` is its ISO 8601 date, empty if it is not known. Names of steps, the programs of sections that are not
    understood, and which algorithms are transcribed by hand are those of the `known` algorithms. Raise a SpecError for
    a section that is not understood if `known` is None, and for what is no source of the standard.
    """
    document = Document(text)
    programs, unread, anchors = _compiled(document, known.programs if known else {})
    if known and (missing := cut_off(text, list(known.programs), anchors)):
        last = f"#{anchors[-1]}" if anchors else "its first line"
        raise SpecError(
            f"encoding.bs is cut off after {last}: its end is missing, and with it "
            f"{len(missing)} of {len(known.programs)} algorithms, from #{missing[0]} on"
        )
    if known is None and unread:
        faults = [fault for section in unread for fault in section.faults]
        more = [f"and {len(faults) - SHOWN} more"] if len(faults) > SHOWN else []
        raise SpecError("\n".join(faults[:SHOWN] + more))
    transcribed = known.transcribed if known else ()
    by_hand = {anchor: digest(lines) for anchor in transcribed if (lines := document.text(anchor)) is not None}
    return Algorithms(origin, day, programs, MappingProxyType(by_hand), unread)
