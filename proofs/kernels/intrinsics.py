"""What compilers have of processors' instructions, and what lemmas call: over symbolic numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import z3

from generator.spec import of_c
from proofs.handlers.numbers import C, promoted
from proofs.handlers.paths import Path
from proofs.kernels import terms
from proofs.kernels.ir import Instruction
from proofs.kernels.terms import Number

if TYPE_CHECKING:
    from proofs.kernels.machine import Machine

IGNORED = re.compile(r"@llvm\.(lifetime|assume|x86\.avx\.vzeroupper|donothing|prefetch)\b")


def call(machine: Machine, instruction: Instruction, values: list[Any]) -> Any:
    """Return what a function that no module defines makes of its arguments."""
    name = instruction.detail
    if name == "asm":  # without instructions: it hides a value, or memory
        return values[0] if instruction.result else None
    if IGNORED.match(name):
        return None
    if name in OF_LEMMAS:
        return OF_LEMMAS[name](machine, *values)
    if name.startswith("@llvm.mem"):
        return _memory(machine, name.split(".")[1], *values[:3])
    for pattern, function in KNOWN.items():
        if pattern.fullmatch(name):
            kinds = [operand.type for operand in instruction.operands]
            return function(machine, kinds, [_defined(machine, *each) for each in zip(kinds, values, strict=True)])
    from proofs.kernels.machine import UndecidedError

    raise UndecidedError(f"{name} is not known to {__file__}")


def _defined(machine: Machine, kind: Any, value: Any) -> Any:
    if kind.kind == "vector":
        return [machine.fresh(kind.parts[0].bits) if each is None else each for each in value]
    return value


# -- What lemmas call --------------------------------------------------------------------------------------------------


def _text(machine: Machine, pointer: Any) -> str:
    found = machine._object(pointer)
    assert found.cells is not None
    return bytes(found.cells[pointer.offset : found.cells.index(0, pointer.offset)]).decode()


def _any(machine: Machine, target: Any, size: Number, name: Any) -> None:
    machine.input(target, machine.known(size), _text(machine, name))


def _room(machine: Machine, size: Number, name: Any) -> Any:
    return machine.room(machine.known(size), _text(machine, name))


def _assume(machine: Machine, condition: Number) -> None:
    machine.assume(terms.compared("ne", condition, 0, 32))


def _claim(machine: Machine, condition: Number, what: Any) -> None:
    machine.claim(terms.compared("ne", condition, 0, 32), _text(machine, what))


def _claim_equal(machine: Machine, ours: Number, theirs: Number, what: Any) -> None:
    machine.claim(terms.compared("eq", ours, theirs, 64), _text(machine, what), (ours, theirs))


def _converted(machine: Machine, count: Number) -> None:
    machine.converted(terms.compared("ne", count, 0, 64))


OF_LEMMAS: dict[str, Callable[..., Any]] = {
    "@any_bytes": _any,
    "@room": _room,
    "@assume": _assume,
    "@claim": _claim,
    "@claim_equal": _claim_equal,
    "@converted": _converted,
    "@bcmp": lambda machine, *values: _compared(machine, *values),
    "@chosen": lambda _machine, condition, then, otherwise: terms.chosen(
        terms.compared("ne", condition, 0, 32), then, otherwise, 32
    ),
    "@known": lambda machine, value: machine.known(value),
    "@model_put_utf8": lambda machine, target, code_point: of_c.put_utf8(
        _Target(machine, target), _number(machine, code_point)
    ),
    "@model_store_pair": lambda machine, target, pair: of_c.store_pair(
        _Target(machine, target), _number(machine, pair)
    ),
    "@model_is_surrogate": lambda machine, code_point: int(bool(of_c.is_surrogate(_number(machine, code_point)))),
    "@model_single_byte_of": lambda machine, stage1, stage2, code_point: _byte(
        of_c.single_byte_of(_Stage(machine, stage1), _Stage(machine, stage2), _number(machine, code_point))
    ),
}


# -- What the proofs of handlers have in Python in place of C, over the numbers of this machine ------------------------


class _Way(Path):
    """A way of the machine, for the numbers that the proofs of handlers calculate with."""

    def __init__(self, machine: Machine) -> None:
        super().__init__()
        self._machine = machine

    def branch(self, condition: z3.BoolRef | bool) -> bool:
        if isinstance(condition, bool):
            return condition
        return self._machine.decide(z3.If(condition, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1)))


def _number(machine: Machine, value: Number) -> Any:
    return value if isinstance(value, int) else promoted(_Way(machine), value)


def _byte(value: Any) -> Number:
    return terms.part(value.term if isinstance(value, C) else value, 0, 8)


class _Target:
    def __init__(self, machine: Machine, pointer: Any) -> None:
        self._machine, self._pointer = machine, pointer

    def __setitem__(self, at: int, value: Any) -> None:
        self._machine.store(self._pointer._replace(offset=self._pointer.offset + at), _byte(value), 1)


class _Stage:
    def __init__(self, machine: Machine, pointer: Any) -> None:
        self._machine, self._pointer = machine, pointer

    def __getitem__(self, index: Any) -> Any:
        pointer = self._pointer
        if isinstance(index, int):
            pointer = pointer._replace(offset=pointer.offset + index)
        else:
            pointer = pointer._replace(terms=((1, z3.ZeroExt(32, index.term)),))
        return _number(self._machine, self._machine.load(pointer, 1))


# -- Memory ------------------------------------------------------------------------------------------------------------


def _memory(machine: Machine, what: str, target: Any, source: Any, size: Number) -> None:
    count = machine.known(size)
    if what == "memset":
        machine.store_bytes(target, [source] * count)
    elif count:
        machine._within(source, count, "it reads")
        found = machine._object(source)
        if found.cells is not None and not source.terms:
            machine.store_bytes(target, found.cells[source.offset : source.offset + count])
        else:
            machine.store_bytes(target, machine.load_bytes(source, count))


def _compared(machine: Machine, one: Any, other: Any, size: Number) -> Number:
    """BCMP: 0 if the first ``size`` bytes are equal, else 1."""
    count = machine.known(size)
    pairs = zip(machine.load_bytes(one, count), machine.load_bytes(other, count), strict=True)
    differences = [terms.calculated("xor", a, b, 8) for a, b in pairs]
    return terms.extended(terms.inverted(none_set(differences, 8), 1), 1, 32)


def _masked_load(machine: Machine, kinds: list[Any], values: list[Any]) -> list[Number]:
    pointer, _, mask, otherwise = values
    size = kinds[3].parts[0].size
    return [
        machine.load(pointer._replace(offset=pointer.offset + at * size), size) if machine.decide(is_set) else default
        for at, (is_set, default) in enumerate(zip(mask, otherwise, strict=True))
    ]


def _masked_store(machine: Machine, kinds: list[Any], values: list[Any]) -> None:
    lanes, pointer, _, mask = values
    size = kinds[0].parts[0].size
    stored = [machine.decide(is_set) for is_set in mask]  # before any is, since each may fork
    for at, (lane, is_set) in enumerate(zip(lanes, stored, strict=True)):
        if is_set:
            machine.store(pointer._replace(offset=pointer.offset + at * size), lane, size)


# -- Numbers -----------------------------------------------------------------------------------------------------------


def _bits(value: Number, width: int) -> list[Number]:
    return [terms.part(value, at, 1) for at in range(width)]


def trailing_zeros(value: Number, width: int) -> Number:
    found: Number = width
    for at in reversed(range(width)):
        found = terms.chosen(terms.part(value, at, 1), at, found, width)
    return found


def leading_zeros(value: Number, width: int) -> Number:
    found: Number = width
    for at in range(width):
        found = terms.chosen(terms.part(value, at, 1), width - 1 - at, found, width)
    return found


def population(value: Number, width: int) -> Number:
    if isinstance(value, int):
        return value.bit_count()
    small = width.bit_length()
    counts = [terms.extended(each, 1, small) for each in _bits(value, width)]
    while len(counts) > 1:
        pairs = zip(counts[::2], [*counts[1::2], *[0] * (len(counts) % 2)], strict=True)
        counts = [terms.calculated("add", one, other, small) for one, other in pairs]
    return terms.extended(counts[0], small, width) if small < width else terms.part(counts[0], 0, width)


def _of_lanes(function: Callable[..., Number]) -> Callable[[Machine, list[Any], list[Any]], Any]:
    """Return an operation on numbers or on the lanes of vectors, given one that takes the numbers and their bits."""

    def operation(_machine: Machine, kinds: list[Any], values: list[Any]) -> Any:
        if kinds[0].kind != "vector":
            return function(*values, kinds[0].bits)
        count = kinds[0].count
        lanes = zip(*(each if isinstance(each, list) else [each] * count for each in values), strict=True)
        return [function(*each, kinds[0].parts[0].bits) for each in lanes]

    return operation


def _extreme(predicate: str) -> Callable[[Number, Number, int], Number]:
    return lambda a, b, width: terms.chosen(terms.compared(predicate, a, b, width), a, b, width)


def _less_saturated(a: Number, b: Number, width: int) -> Number:
    return terms.chosen(terms.compared("uge", a, b, width), terms.calculated("sub", a, b, width), 0, width)


def _signed_saturated(operation: str) -> Callable[[Number, Number, int], Number]:
    def saturated(a: Number, b: Number, width: int) -> Number:
        one, other = (terms.extended(each, width, width + 1, is_signed=True) for each in (a, b))
        return terms.saturated(terms.calculated(operation, one, other, width + 1), width + 1, width, is_signed=True)

    return saturated


def _more_saturated(a: Number, b: Number, width: int) -> Number:
    total = terms.calculated("add", a, b, width)
    return terms.chosen(terms.compared("ult", total, a, width), terms.mask(width), total, width)


def _swapped(value: Number, width: int) -> Number:
    return terms.joined([(terms.part(value, at, 8), 8) for at in reversed(range(0, width, 8))])


def _funnel(low_first: bool) -> Callable[[Number, Number, Number, int], Number]:
    def shifted(high: Number, low: Number, by: Number, width: int) -> Number:
        both = terms.joined([(low, width), (high, width)])
        by = terms.extended(terms.calculated("urem", by, width, width), width, 2 * width)
        if low_first:
            return terms.part(terms.calculated("lshr", both, by, 2 * width), 0, width)
        return terms.part(terms.calculated("shl", both, by, 2 * width), width, width)

    return shifted


def _low_bits(value: Number, count: Number, width: int) -> Number:
    """BZHI: the bits below a number of bits."""
    count = terms.part(count, 0, 8)
    if isinstance(count, int):
        return terms.calculated("and", value, terms.mask(min(count, width)), width)
    wide = terms.extended(count, 8, width)
    ones = terms.calculated("sub", terms.calculated("shl", 1, wide, width), 1, width)
    below = terms.calculated("and", value, ones, width)
    return terms.chosen(terms.compared("ult", wide, width, width), below, value, width)


# -- Vectors of x86-64 -------------------------------------------------------------------------------------------------


def _shuffle(_machine: Machine, _kinds: list[Any], values: list[Any]) -> list[Number]:
    """PSHUFB: within each sixteen bytes."""
    source, indexes = values
    found = []
    for at, index in enumerate(indexes):
        row = source[at // 16 * 16 : at // 16 * 16 + 16]
        one = terms.looked_up(row, terms.part(index, 0, 4), 8)
        found.append(terms.chosen(terms.part(index, 7, 1), 0, one, 8))
    return found


def _packed(is_signed: bool) -> Callable[[Machine, list[Any], list[Any]], list[Number]]:
    """PACK…: within each sixteen bytes, those of the first vector before those of the second."""

    def packed(_machine: Machine, kinds: list[Any], values: list[Any]) -> list[Number]:
        width = kinds[0].parts[0].bits
        each = 128 // width
        found = []
        for at in range(0, kinds[0].count, each):
            lanes = values[0][at : at + each] + values[1][at : at + each]
            found += [terms.saturated(lane, width, width // 2, is_signed=is_signed) for lane in lanes]
        return found

    return packed


def _test_zero(_machine: Machine, kinds: list[Any], values: list[Any]) -> Number:
    """PTEST: whether no bit is set in both."""
    width = kinds[0].parts[0].bits
    both = [terms.calculated("and", one, other, width) for one, other in zip(*values, strict=True)]
    return terms.extended(none_set(both, width), 1, 32)


def none_set(lanes: list[Number], width: int) -> Number:
    if any(isinstance(lane, int) and lane for lane in lanes):
        return 0
    conditions = [terms.truth(terms.compared("eq", lane, 0, width)) for lane in lanes]
    unknown = [each for each in conditions if not isinstance(each, bool)]
    return terms.bit(z3.And(unknown)) if unknown else 1


def _blend(_machine: Machine, _kinds: list[Any], values: list[Any]) -> list[Number]:
    """PBLENDVB: bytes of the second where the mask has the high bit."""
    return [terms.chosen(terms.part(by, 7, 1), b, a, 8) for a, b, by in zip(*values, strict=True)]


def _sums(_machine: Machine, kinds: list[Any], values: list[Any]) -> list[Number]:
    """PSADBW: the sum of the differences of each eight bytes."""
    found = []
    for at in range(0, kinds[0].count, 8):
        total: Number = 0
        for a, b in zip(values[0][at : at + 8], values[1][at : at + 8], strict=True):
            larger = terms.chosen(terms.compared("uge", a, b, 8), a, b, 8)
            smaller = terms.chosen(terms.compared("uge", a, b, 8), b, a, 8)
            difference = terms.extended(terms.calculated("sub", larger, smaller, 8), 8, 64)
            total = terms.calculated("add", total, difference, 64)
        found.append(total)
    return found


def _high_bits(_machine: Machine, _kinds: list[Any], values: list[Any]) -> Number:
    """PMOVMSKB: bit n for byte n."""
    bits = terms.joined([(terms.part(lane, 7, 1), 1) for lane in values[0]])
    return terms.extended(bits, len(values[0]), 32) if len(values[0]) < 32 else bits


def _permuted(_machine: Machine, kinds: list[Any], values: list[Any]) -> list[Number]:
    """VPERM…: any lane of the first, by the second."""
    bits, count = kinds[0].parts[0].bits, kinds[0].count
    return [terms.looked_up(values[0], terms.part(index, 0, count.bit_length() - 1), bits) for index in values[1]]


def _permuted_of_two(_machine: Machine, kinds: list[Any], values: list[Any]) -> list[Number]:
    """VPERMI2…: any lane of the first and the third, by the second."""
    bits, count = kinds[0].parts[0].bits, kinds[0].count
    both = values[0] + values[2]
    return [terms.looked_up(both, terms.part(index, 0, count.bit_length()), bits) for index in values[1]]


def _ternary(_machine: Machine, kinds: list[Any], values: list[Any]) -> list[Number]:
    """VPTERNLOG: each bit by a table of eight."""
    *vectors, table = values
    width = kinds[0].parts[0].bits
    found = []
    for lanes in zip(*vectors, strict=True):
        total: Number = 0
        for row in range(8):
            if table >> row & 1:
                each = [lane if row >> (2 - at) & 1 else terms.inverted(lane, width) for at, lane in enumerate(lanes)]
                both = terms.calculated("and", each[0], each[1], width)
                total = terms.calculated("or", total, terms.calculated("and", both, each[2], width), width)
        found.append(total)
    return found


def _multishift(_machine: Machine, _kinds: list[Any], values: list[Any]) -> list[Number]:
    """VPMULTISHIFTQB: eight bits of each 64, from any bit on."""
    found = []
    for at in range(0, len(values[0]), 8):
        whole = terms.joined([(lane, 8) for lane in values[1][at : at + 8]])
        for control in values[0][at : at + 8]:
            by = terms.extended(terms.part(control, 0, 6), 6, 64)
            rotated = _funnel(True)(whole, whole, by, 64)
            found.append(terms.part(rotated, 0, 8))
    return found


def _compressed(machine: Machine, kinds: list[Any], values: list[Any]) -> list[Number]:
    """VPCOMPRESS: the lanes that a mask has, one way for each mask; then those of another vector."""
    lanes, otherwise, mask = values
    kept = [lane for lane, is_set in zip(lanes, mask, strict=True) if machine.decide(is_set)]
    return [*kept, *otherwise[len(kept) :]]


def _reduced(operation: str) -> Callable[[Machine, list[Any], list[Any]], Number]:
    def reduced(_machine: Machine, kinds: list[Any], values: list[Any]) -> Number:
        width = kinds[-1].parts[0].bits
        found = values[-1][0]
        for lane in values[-1][1:]:
            if operation == "umax":
                found = _extreme("uge")(found, lane, width)
            else:
                found = terms.calculated(operation, found, lane, width)
        return found

    return reduced


_SUFFIX = r"(\.v\d+i\d+|\.i\d+)?"
KNOWN: dict[re.Pattern[str], Callable[[Machine, list[Any], list[Any]], Any]] = {
    re.compile(pattern): function
    for pattern, function in {
        rf"@llvm\.cttz{_SUFFIX}": _of_lanes(lambda value, _, width: trailing_zeros(value, width)),
        rf"@llvm\.ctlz{_SUFFIX}": _of_lanes(lambda value, _, width: leading_zeros(value, width)),
        rf"@llvm\.ctpop{_SUFFIX}": _of_lanes(population),
        rf"@llvm\.bswap{_SUFFIX}": _of_lanes(_swapped),
        rf"@llvm\.umax{_SUFFIX}": _of_lanes(_extreme("uge")),
        rf"@llvm\.umin{_SUFFIX}": _of_lanes(_extreme("ule")),
        rf"@llvm\.smax{_SUFFIX}": _of_lanes(_extreme("sge")),
        rf"@llvm\.smin{_SUFFIX}": _of_lanes(_extreme("sle")),
        rf"@llvm\.usub\.sat{_SUFFIX}": _of_lanes(_less_saturated),
        rf"@llvm\.ssub\.sat{_SUFFIX}": _of_lanes(_signed_saturated("sub")),
        rf"@llvm\.sadd\.sat{_SUFFIX}": _of_lanes(_signed_saturated("add")),
        rf"@llvm\.uadd\.sat{_SUFFIX}": _of_lanes(_more_saturated),
        rf"@llvm\.fshl{_SUFFIX}": _of_lanes(_funnel(False)),
        rf"@llvm\.fshr{_SUFFIX}": _of_lanes(_funnel(True)),
        r"@llvm\.expect\.i\d+": lambda _machine, _kinds, values: values[0],
        r"@llvm\.x86\.bmi\.bzhi\.\d+": _of_lanes(_low_bits),
        r"@llvm\.masked\.load\..*": _masked_load,
        r"@llvm\.masked\.store\..*": _masked_store,
        r"@llvm\.x86\.(ssse3\.pshuf\.b\.128|avx2\.pshuf\.b|avx512\.pshuf\.b\.512)": _shuffle,
        r"@llvm\.x86\.\w+\.packss(wb|dw)(\.128|\.512)?": _packed(True),
        r"@llvm\.x86\.\w+\.packus(wb|dw)(\.128|\.512)?": _packed(False),
        r"@llvm\.x86\.(sse41\.ptestz|avx\.ptestz\.256)": _test_zero,
        r"@llvm\.x86\.(sse41\.pblendvb|avx2\.pblendvb)": _blend,
        r"@llvm\.x86\.(sse2|avx2|avx512)\.psad\.bw(\.512)?": _sums,
        r"@llvm\.x86\.(sse2|avx2)\.pmovmskb(\.128)?": _high_bits,
        r"@llvm\.x86\.avx512\.permvar\.\w+\.\d+|@llvm\.x86\.avx2\.permd": _permuted,
        r"@llvm\.x86\.avx512\.vpermi2var\.\w+\.\d+": _permuted_of_two,
        r"@llvm\.x86\.avx512\.pternlog\.[dq]\.\d+": _ternary,
        r"@llvm\.x86\.avx512\.pmultishift\.qb\.\d+": _multishift,
        r"@llvm\.x86\.avx512\.mask\.compress\..*": _compressed,
        r"@llvm\.vector\.reduce\.(or|and|add|xor|umax)\..*": lambda machine, kinds, values: _reduced("or")(
            machine, kinds, values
        ),
    }.items()
}
