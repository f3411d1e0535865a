"""Run functions of LLVM's intermediate representation over symbolic bytes, once for each way through them.

Memory consists of objects of known size: an access outside one is refuted as a false claim is. What functions
claim is decided by z3 for all values of the symbolic bytes at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import z3

from proofs.kernels import intrinsics, terms
from proofs.kernels.ir import Instruction, Module, Operand, Type
from proofs.kernels.state import Fork, Frame, Object, Pointer, State
from proofs.kernels.terms import Number

SECONDS = 120
"""After which a claim counts as not decided."""
LARGEST = 4096
"""Bytes of a constant array; a larger one stands for any array with the invariants that are given for it."""


class RefutedError(Exception):
    """A claim that does not hold, with inputs for which it does not."""


class UndecidedError(Exception):
    """A claim that z3 does not decide, or code that is not known here."""


class Machine:
    """A run of functions of a module."""

    def __init__(self, module: Module, invariants: Mapping[str, Callable[[Any, Any], Any]] | None = None) -> None:
        self.module = module
        self._invariants = invariants or {}
        self.ways = 0
        """How many ways come to the end."""
        self.claims = 0
        self._met: dict[tuple[str, str, int], bool] = {}
        """Whether each assumption is met on one way at least, by where it is."""
        self._has_converted: bool | None = None
        self._constants: dict[str, Pointer] = {}
        self._shared: dict[int, Object] = {}
        self._arrays: dict[str, bytes] = {}
        self._fresh = 0
        self._solver = z3.Solver()
        self._assumed: list[z3.BoolRef] = []
        self.state = State()

    def prove(self, name: str, *arguments: int | Pointer) -> None:
        """Run a function on all its ways. Raise a `RefutedError` or an `UndecidedError` for a claim."""
        function = self.module.functions[f"@{name}"]
        self.state = State()
        self._solver, self._assumed = z3.Solver(), []
        self._solver.set("timeout", 1000 * SECONDS)
        self._solver.check()
        self.state.model = self._solver.model()
        values = {parameter: value for (parameter, _, _), value in zip(function.parameters, arguments, strict=True)}
        self.state.frames.append(Frame(function, function.entry, values=values))
        self._explore()
        if not all(self._met.values()):
            raise UndecidedError("an assumption is met by no input")
        if not self.ways or not self.claims:
            raise UndecidedError("nothing is claimed of any input")
        if self._has_converted is False:
            raise UndecidedError("the kernel converts none of these inputs")

    def _explore(self) -> None:
        waiting: list[tuple[State, int, z3.BoolRef | None]] = [(self.state, 0, None)]
        levels: list[int] = []
        while waiting:
            self.state, depth, condition = waiting.pop()
            while len(levels) > depth:
                self._solver.pop()
                del self._assumed[levels.pop() :]
            if condition is not None:
                levels.append(len(self._assumed))
                self._solver.push()
                self._assume(condition)
            try:
                while self.state.frames:
                    self._step()
                self.ways += not self.state.is_left_out
            except Fork as fork:
                for is_so in (False, True):
                    other = self.state.copy() if is_so is False else self.state
                    chosen = fork.condition if is_so else z3.Not(fork.condition)
                    other.decided[fork.condition.get_id()] = fork.condition, is_so
                    other.model = fork.models[is_so]
                    waiting.append((other, len(levels), chosen))

    # -- What is assumed, decided and claimed --------------------------------------------------------------------------

    def _assume(self, condition: z3.BoolRef) -> None:
        self._solver.add(condition)
        self._assumed.append(condition)

    def assume(self, value: Number) -> None:
        """Leave out all inputs but those of a condition; raise `Fork` so that none may be left."""
        frame = self.state.frames[-1]
        where = frame.function.name, frame.block, frame.at
        self._met.setdefault(where, False)
        if self.decide(value):
            self._met[where] = True
        else:
            self.state.is_left_out = True
            self.state.frames.clear()

    def _check(self, condition: z3.BoolRef, *, alone: bool = False) -> z3.ModelRef | None:
        result = z3.unknown if alone else self._solver.check(condition)
        if result == z3.unknown:
            solver = z3.SolverFor("QF_AUFBV")
            solver.set("timeout", 1000 * SECONDS)
            solver.add(*self._assumed, condition)
            result = solver.check()
            if result == z3.unknown:
                raise UndecidedError(f"z3 does not decide within {SECONDS} seconds{self._where()}")
            return solver.model() if result == z3.sat else None
        return self._solver.model() if result == z3.sat else None

    def decide(self, value: Number) -> bool:
        """Return whether a bit is set on this way; where it may be both, raise `Fork`."""
        condition = terms.truth(value)
        if isinstance(condition, bool):
            return condition
        if (known := self.state.decided.get(condition.get_id())) is not None:
            return known[1]
        assert self.state.model is not None
        is_so = bool(z3.is_true(self.state.model.eval(condition, model_completion=True)))
        other = self._check(z3.Not(condition) if is_so else condition)
        if other is not None:
            raise Fork(condition, {is_so: self.state.model, not is_so: other})
        self.state.decided[condition.get_id()] = condition, is_so
        return is_so

    def known(self, value: Number) -> int:
        """Return a number, one way for each that it may be."""
        while not isinstance(value, int):
            assert self.state.model is not None
            guess: int = self.state.model.eval(value, model_completion=True).as_long()
            if self.decide(terms.compared("eq", value, guess, value.size())):
                return guess
            # `decide` has found it impossible, although the model has it: a contradiction.
            raise UndecidedError(f"no value{self._where()}")
        return value

    def converted(self, value: Number) -> None:
        """Note whether a bit can be set on this way: for one of them it has to be."""
        if not self._has_converted:
            condition = terms.truth(value)
            self._has_converted = condition if isinstance(condition, bool) else self._check(condition) is not None

    def claim(self, value: Number, what: str, outcomes: tuple[Number, Number] | None = None) -> None:
        """Show that a bit is set on this way."""
        self.claims += 1
        condition = terms.truth(value)
        if isinstance(condition, bool):
            if condition:
                return
            raise self._refuted(what, self.state.model, outcomes)
        simple = z3.simplify(condition)
        if z3.is_true(simple):
            return
        assert self.state.model is not None
        model: z3.ModelRef | None = self.state.model
        if not z3.is_false(self.state.model.eval(simple, model_completion=True)):
            model = self._check(z3.Not(simple), alone=True)
        if model is not None:
            raise self._refuted(what, model, outcomes)

    def _refuted(self, what: str, model: Any, outcomes: tuple[Number, Number] | None) -> RefutedError:
        def number(value: Number) -> int:
            found: int = value if isinstance(value, int) else model.eval(value, model_completion=True).as_long()
            return found

        given = [f"{name} {bytes(map(number, parts)).hex(' ')}" for name, parts in self.state.inputs if parts]
        text = f"{what}, for {', '.join(given) or 'any input'}"
        if outcomes is not None:
            text += f": {number(outcomes[0]):#x}, not {number(outcomes[1]):#x}"
        return RefutedError(text + self._where())

    def _where(self) -> str:
        names = [frame.function.name[1:] for frame in self.state.frames]
        return f" (in {names[-1]})" if names else ""

    # -- Memory --------------------------------------------------------------------------------------------------------

    def room(self, size: int, name: str) -> Pointer:
        number = len(self.state.objects) + 1
        self.state.objects[number] = Object(name, size, [None] * size)
        return Pointer(number)

    def fresh(self, width: int) -> z3.BitVecRef:
        self._fresh += 1
        return z3.BitVec(f"undefined_{self._fresh}", width)

    def input(self, pointer: Pointer, size: int, name: str) -> None:
        parts = [z3.BitVec(f"{name}_{len(self.state.inputs)}_{at}", 8) for at in range(size)]
        self.state.inputs.append((name, parts))
        self.store_bytes(pointer, list(parts), "filled")

    def _object(self, pointer: Pointer) -> Object:
        found = self.state.objects.get(pointer.object) or self._shared.get(pointer.object)
        if found is None:
            raise RefutedError(f"a null pointer is used{self._where()}")
        return found

    def _within(self, pointer: Pointer, size: int, what: str) -> tuple[Object, Number]:
        """Claim that the bytes accessed are within the object, and return their offset."""
        if not isinstance(pointer, Pointer):
            raise UndecidedError(f"a number is used as an address{self._where()}")
        found = self._object(pointer)
        offset: Number = pointer.offset & terms.mask(64)
        for each, number in pointer.terms:
            offset = terms.calculated("add", offset, terms.calculated("mul", number, each, 64), 64)
        if size and (not isinstance(offset, int) or offset + size > found.size):
            text = f"{what} {size} bytes of {found.name}, which has {found.size}"
            room = found.size - size
            self.claim(terms.compared("ule", offset, room, 64) if room >= 0 else 0, text, (offset, max(room, 0)))
        return found, offset

    def load_bytes(self, pointer: Pointer, size: int) -> list[Number]:
        """Return bytes, each as a number of eight bits."""
        found, offset = self._within(pointer, size, "it reads")
        if isinstance(offset, int):
            return [self._byte(found, offset + at) for at in range(size)]
        return [terms.part(self._selected(found, pointer, size), 8 * at, 8) for at in range(size)]

    def load(self, pointer: Pointer, size: int) -> Number:
        """Return a number of this size in bytes."""
        found, offset = self._within(pointer, size, "it reads")
        if not isinstance(offset, int):
            return self._selected(found, pointer, size)
        if found.cells is None:
            return self._any(found, offset, size)
        first = found.cells[offset]
        if type(first) is tuple and first[2] == size:
            cells = enumerate(found.cells[offset : offset + size])
            if all(type(cell) is tuple and cell[0] is first[0] and cell[1] == at for at, cell in cells):
                return first[0]
        return terms.joined([(self._byte(found, offset + at), 8) for at in range(size)])

    def _byte(self, found: Object, at: int) -> Number:
        if found.cells is None:
            return self._any(found, at, 1)
        cell = found.cells[at]
        if cell is None:
            cell = found.cells[at] = self.fresh(8)
        if type(cell) is tuple:
            return terms.part(cell[0], 8 * cell[1], 8)
        return cell

    def _selected(self, found: Object, pointer: Pointer, size: int) -> Number:
        """Return a number at an address that is not known."""
        step, index, start = 1, None, pointer.offset
        if len(pointer.terms) == 1 and start >= 0:
            step, index = pointer.terms[0]
            skipped, start = divmod(start, step)
            index = terms.calculated("add", index, skipped, 64)
        else:
            index, start = self._within(pointer, 0, "")[1], 0
        if found.cells is None:
            if step != size or start:
                raise UndecidedError(f"{found.name} is read by {size} bytes{self._where()}")
            return self._any(found, index, size)
        if size >= 8:  # the shuffles of a mask, one way for each
            return self.load(Pointer(pointer.object, start + step * self.known(index)), size)
        values = []
        at = start
        while at + size <= found.size:
            values.append(self.load(Pointer(pointer.object, at), size))
            at += step
        return terms.looked_up(values, index, 8 * size)

    def _any(self, found: Object, index: Number, size: int) -> Number:
        """Return a number of an array of which only what `invariants` has is known, by its index."""
        function = z3.Function(f"{found.name} by {size}", z3.BitVecSort(64), z3.BitVecSort(8 * size))
        if isinstance(index, int):
            value = int.from_bytes(self._arrays[found.name][index : index + size], "little")
            self._learn(function(z3.BitVecVal(index // size, 64)) == value)
            return value
        value = function(index)
        if found.name in self._invariants:
            self._learn(self._invariants[found.name](index, z3.ZeroExt(64 - 8 * size, value)))
        return value

    def _learn(self, condition: z3.BoolRef) -> None:
        """Assume what is known to be so."""
        if condition.get_id() not in self.state.learned:
            self.state.learned[condition.get_id()] = condition
            self._assume(condition)
            assert self.state.model is not None
            if not z3.is_true(self.state.model.eval(condition, model_completion=True)):
                self.state.model = self._check(z3.BoolVal(True))

    def store(self, pointer: Pointer, value: Number, size: int) -> None:
        if isinstance(value, int):
            self.store_bytes(pointer, list(value.to_bytes(size, "little")))
        else:
            self.store_bytes(pointer, [(value, at, size) for at in range(size)])

    def store_bytes(self, pointer: Pointer, cells: list[Any], what: str = "it writes") -> None:
        found, offset = self._within(pointer, len(cells), what)
        if found.cells is None or pointer.object in self._shared:
            raise RefutedError(f"{found.name} is written to{self._where()}")
        if isinstance(offset, int):
            found.cells[offset : offset + len(cells)] = cells
            return
        values = [terms.part(cell[0], 8 * cell[1], 8) if type(cell) is tuple else cell for cell in cells]
        before = [self._byte(found, at) for at in range(found.size)]
        narrow = terms.part(offset, 0, max(found.size.bit_length(), 1))
        for at in range(found.size - len(cells) + 1):
            is_here = terms.compared("eq", narrow, at, narrow.size())
            for number, value in enumerate(values):
                before[at + number] = terms.chosen(is_here, value, before[at + number], 8)
        found.cells = before

    # -- Values --------------------------------------------------------------------------------------------------------

    def value(self, operand: Operand) -> Any:
        if operand.kind == "local":
            return self.state.frames[-1].values[operand.value]
        if operand.kind == "global":
            return self.constant(operand.value)
        return self._literal(operand)

    def _literal(self, operand: Operand) -> Any:
        kind, value = operand.type, operand.value
        if isinstance(value, Instruction):
            return self._calculate(value)
        if kind.kind == "integer":
            return self.fresh(kind.bits) if value is None else value
        if kind.kind == "pointer":
            return Pointer(0)
        if kind.kind == "vector":
            if value is None:
                return [None] * kind.count
            if value == 0:
                return [0] * kind.count
            return [self.value(each) if each.value is not None else None for each in value]
        if kind.kind in ("struct", "array"):
            parts = kind.parts if kind.kind == "struct" else kind.parts * kind.count
            if not value:
                return [self._literal(Operand("constant", part, value)) for part in parts]
            return [self.value(each) for each in value]
        raise UndecidedError(f"a constant of the type {kind.kind}{self._where()}")

    def constant(self, name: str) -> Pointer:
        if (known := self._constants.get(name)) is not None:
            return known
        kind, content = self.module.constants[name]
        pointer = Pointer(1_000_000 + len(self._constants))
        self._constants[name] = pointer
        cells: list[Any] = [0] * kind.size
        self._place(cells, 0, kind, self._literal(content))
        if kind.size > LARGEST:
            self._shared[pointer.object] = Object(name[1:], kind.size, None)
            self._arrays[name[1:]] = bytes(cells)
            if (invariant := self._invariants.get(name[1:])) is not None:
                entries = np.frombuffer(bytes(cells), dtype="<u2").astype(np.int64)
                if not np.all(invariant(np.arange(len(entries)), entries)):
                    raise RefutedError(f"{name[1:]} is not as proofs/kernels/lemmas.py takes it to be")
            return pointer
        self._shared[pointer.object] = Object(name[1:], kind.size, cells)
        return pointer

    def _place(self, cells: list[Any], at: int, kind: Type, value: Any) -> None:
        if kind.kind == "pointer":
            cells[at : at + 8] = [(value, number, 8) for number in range(8)]
        elif kind.kind == "integer":
            cells[at : at + kind.size] = value.to_bytes(kind.size, "little")
        elif kind.kind == "struct":
            for number, part in enumerate(kind.parts):
                self._place(cells, at + kind.offset(number), part, value[number])
        else:
            for number, each in enumerate(value):
                self._place(cells, at + number * kind.parts[0].size, kind.parts[0], each)

    # -- Instructions --------------------------------------------------------------------------------------------------

    def _step(self) -> None:
        frame = self.state.frames[-1]
        instruction = self.module.instruction(frame.function.blocks[frame.block], frame.at)
        match instruction.name:
            case "br":
                labels = instruction.detail
                then = len(labels) == 1 or self.decide(self.value(instruction.operands[0]))
                self._jump(labels[0] if then else labels[1])
            case "switch":
                default, cases = instruction.detail
                value, width = self.value(instruction.operands[0]), instruction.operands[0].type.bits
                for number, label in cases.items():
                    if self.decide(terms.compared("eq", value, number, width)):
                        self._jump(label)
                        return
                self._jump(default)
            case "ret":
                result = self.value(instruction.operands[0]) if instruction.operands else None
                self.state.frames.pop()
                if self.state.frames and frame.result:
                    self.state.frames[-1].values[frame.result] = result
            case "unreachable":
                raise RefutedError(f"code that is not to be reached is reached{self._where()}")
            case "call":
                self._call(instruction)
            case _:
                value = self._calculate(instruction)
                if instruction.result:
                    frame.values[instruction.result] = value
                frame.at += 1

    def _jump(self, label: str) -> None:
        frame = self.state.frames[-1]
        block = frame.function.blocks[label]
        found = {}
        at = 0
        while (phi := self.module.instruction(block, at)).name == "phi":
            found[phi.result] = self.value(phi.operands[phi.detail.index(frame.block)])
            at += 1
        frame.values.update(found)
        frame.before, frame.block, frame.at = frame.block, label, at

    def _call(self, instruction: Instruction) -> None:
        frame = self.state.frames[-1]
        values = [self.value(operand) for operand in instruction.operands]
        function = self.module.functions.get(instruction.detail)
        if function is not None:
            inner = Frame(function, function.entry, result=instruction.result)
            for (name, _, is_copied), value in zip(function.parameters, values, strict=True):
                if is_copied:
                    value = self._copied(value)
                inner.values[name] = value
            frame.at += 1
            self.state.frames.append(inner)
            return
        value = intrinsics.call(self, instruction, values)
        if not self.state.frames:  # what was assumed does not hold
            return
        if instruction.result:
            frame.values[instruction.result] = value
        frame.at += 1

    def _copied(self, pointer: Pointer) -> Pointer:
        found = self._object(pointer)
        copy = self.room(found.size - pointer.offset, found.name)
        assert found.cells is not None
        self.store_bytes(copy, found.cells[pointer.offset :])
        return copy

    def _calculate(self, instruction: Instruction) -> Any:
        name, kind = instruction.name, instruction.type
        operands = instruction.operands
        match name:
            case "load":
                return self._load(kind, self.value(operands[0]))
            case "store":
                self._store(operands[0].type, self.value(operands[0]), self.value(operands[1]))
                return None
            case "alloca":
                return self.room(instruction.detail.size, instruction.result[1:])
            case "getelementptr":
                return self._address(instruction)
        values = [self.value(operand) for operand in operands]
        if name in ("extractvalue", "insertvalue"):
            return self._of_struct(name, values, instruction.detail)
        if name == "freeze":
            return self._defined(kind, values[0])
        if name in ("insertelement", "extractelement"):
            lanes, place = list(values[0]), self.known(values[-1])
            if name == "extractelement":
                return self._defined(kind, lanes[place])
            lanes[place] = values[1]
            return lanes
        if name == "shufflevector":
            both = values[0] + values[1]
            return [None if each is None else both[each] for each in values[2]]
        if name == "select" and not isinstance(values[0], list):
            return self._selected_value(kind, *values)
        if name == "bitcast":
            return self._bitcast(values[0], operands[0].type, kind)
        if name in ("ptrtoint", "inttoptr"):
            return self._as_number(values[0]) if name == "ptrtoint" else self._as_pointer(values[0])
        width = (operands[0].type.parts[0] if kind.kind == "vector" else operands[0].type).bits
        wanted = (kind.parts[0] if kind.kind == "vector" else kind).bits
        if kind.kind != "vector":
            return self._one(instruction, width, wanted, values)
        lanes = [self._defined_lanes(operand.type, value) for operand, value in zip(operands, values, strict=True)]
        return [self._one(instruction, width, wanted, list(each)) for each in zip(*lanes, strict=True)]

    def _one(self, instruction: Instruction, width: int, wanted: int, values: list[Any]) -> Any:
        match instruction.name:
            case "icmp":
                if isinstance(values[0], Pointer):
                    values = [self._as_number(value) for value in values]
                    width = 64
                return terms.compared(instruction.detail, values[0], values[1], width)
            case "zext" | "sext":
                return terms.extended(values[0], width, wanted, is_signed=instruction.name == "sext")
            case "trunc":
                return terms.part(values[0], 0, wanted)
            case "select":
                return terms.chosen(values[0], values[1], values[2], wanted)
        return terms.calculated(instruction.name, values[0], values[1], width)

    def _defined(self, kind: Type, value: Any) -> Any:
        return self.fresh(kind.bits) if value is None else value

    def _defined_lanes(self, kind: Type, value: list[Any]) -> list[Any]:
        return [self._defined(kind.parts[0], each) for each in value]

    def _selected_value(self, kind: Type, condition: Number, then: Any, otherwise: Any) -> Any:
        if kind.kind == "integer":
            return terms.chosen(condition, then, otherwise, kind.bits)
        if kind.kind == "vector" and not isinstance(condition, int):
            bits = kind.parts[0].bits
            lanes = zip(self._defined_lanes(kind, then), self._defined_lanes(kind, otherwise), strict=True)
            return [terms.chosen(condition, one, other, bits) for one, other in lanes]
        return then if self.decide(condition) else otherwise

    def _of_struct(self, name: str, values: list[Any], places: list[int]) -> Any:
        if name == "extractvalue":
            found = values[0]
            for place in places:
                found = found[place]
            return found
        copy = list(values[0])
        inner = copy
        for place in places[:-1]:
            inner[place] = list(inner[place])
            inner = inner[place]
        inner[places[-1]] = values[1]
        return copy

    def _bitcast(self, value: Any, kind: Type, wanted: Type) -> Any:
        if kind.kind == "pointer":
            return value
        lanes = self._defined_lanes(kind, value) if kind.kind == "vector" else [value]
        width = kind.parts[0].bits if kind.kind == "vector" else kind.bits
        bits = wanted.parts[0].bits if wanted.kind == "vector" else wanted.bits
        if bits > width:
            each = bits // width
            found = [
                terms.joined([(lane, width) for lane in lanes[at : at + each]]) for at in range(0, len(lanes), each)
            ]
        elif bits < width:
            found = [terms.part(lane, at, bits) for lane in lanes for at in range(0, width, bits)]
        else:
            found = lanes
        return found if wanted.kind == "vector" else found[0]

    def _load(self, kind: Type, pointer: Any) -> Any:
        if kind.kind == "integer":
            value = self.load(pointer, kind.size)
            return terms.part(value, 0, kind.bits) if kind.bits % 8 else value
        if kind.kind == "pointer":
            found, offset = self._within(pointer, 8, "it reads")
            cell = found.cells[offset] if found.cells is not None and isinstance(offset, int) else None
            if type(cell) is not tuple or not isinstance(cell[0], Pointer):
                raise UndecidedError(f"an address is read that was not written{self._where()}")
            return cell[0]
        if kind.kind == "vector":
            part = kind.parts[0]
            if pointer.terms or part.bits % 8:  # at once
                whole = self.load(pointer, kind.size)
                return [terms.part(whole, at * part.bits, part.bits) for at in range(kind.count)]
            self._within(pointer, kind.size, "it reads")
            return [
                self.load(pointer._replace(offset=pointer.offset + at * part.size), part.size)
                for at in range(kind.count)
            ]
        parts = kind.parts if kind.kind == "struct" else kind.parts * kind.count
        at = [kind.offset(number) if kind.kind == "struct" else number * parts[0].size for number in range(len(parts))]
        return [
            self._load(part, pointer._replace(offset=pointer.offset + each))
            for part, each in zip(parts, at, strict=True)
        ]

    def _store(self, kind: Type, value: Any, pointer: Any) -> None:
        if kind.kind == "integer":
            width = 8 * kind.size
            self.store(pointer, terms.extended(value, kind.bits, width) if width > kind.bits else value, kind.size)
        elif kind.kind == "pointer":
            self.store_bytes(pointer, [(value, at, 8) for at in range(8)])
        elif kind.kind == "vector":
            part = kind.parts[0]
            lanes = self._defined_lanes(kind, value)
            if part.bits % 8:
                whole = terms.joined([(lane, part.bits) for lane in lanes])
                self.store(pointer, whole, kind.size)
                return
            cells: list[Any] = []
            for lane in lanes:
                if isinstance(lane, int):
                    cells += lane.to_bytes(part.size, "little")
                else:
                    cells += [(lane, at, part.size) for at in range(part.size)]
            self.store_bytes(pointer, cells)
        else:
            parts = kind.parts if kind.kind == "struct" else kind.parts * kind.count
            for number, part in enumerate(parts):
                at = kind.offset(number) if kind.kind == "struct" else number * part.size
                self._store(part, value[number], pointer._replace(offset=pointer.offset + at))

    def _address(self, instruction: Instruction) -> Pointer:
        pointer, *indexes = (self.value(operand) for operand in instruction.operands)
        if not isinstance(pointer, Pointer):
            raise UndecidedError(f"an array of addresses{self._where()}")
        kind, offset, found = instruction.detail, pointer.offset, list(pointer.terms)
        for number, (index, operand) in enumerate(zip(indexes, instruction.operands[1:], strict=True)):
            if number and kind.kind == "struct":
                offset += kind.offset(index)
                kind = kind.parts[index]
                continue
            if number:
                kind = kind.parts[0]
            if isinstance(index, int):
                offset += terms.signed(index, operand.type.bits) * kind.size
            else:
                bits = operand.type.bits
                found.append((kind.size, terms.extended(index, bits, 64, is_signed=True) if bits < 64 else index))
        return Pointer(pointer.object, offset, tuple(found))

    def _as_number(self, value: Any) -> Number:
        return value.address if isinstance(value, Pointer) else value

    def _as_pointer(self, value: Any) -> Any:
        return Pointer(value >> 32, value & terms.mask(32)) if isinstance(value, int) else value
