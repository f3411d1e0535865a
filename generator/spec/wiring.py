"""Check what connects handlers: read the emitted texts, and compare each property with the standard's data or programs.

`templates` compares what a handler does; this module, which encoding has which handler, tables, properties and labels.
What is expected comes from the snapshot and from running its algorithms, not from an entry of generator/handlers.py,
which may be the one that is wrong; what is found, from the texts as they are written. Only `decode_shift`,
`encode_capacity` and tables of pairs are those that `templates` has compared with every item.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.model import SINGLE_BYTE_HEADING, Encoding, Snapshot
from generator.spec.emitted import Module
from generator.spec.machine import CONTINUE, Machine, machine
from generator.spec.templates import TemplateError
from generator.tables import constants, single_byte_vectors
from generator.tables.mappings import Mappings, of_encoding

if TYPE_CHECKING:
    from generator.modules import Chapter

UNPAIRED = {"utf_8": "utf-8", "utf_16be": "utf-16-be", "utf_16le": "utf-16-le"}
"""Python's codecs by the functions of src/native/engine/error_policy.h that read a surrogate in their form."""
BOUNDARIES = (0x00, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF)
"""The scalar values where the forms of UTF-8 and UTF-16 begin and end."""
REPLACEMENT = 0xFFFD


Promises = tuple[int, tuple[int, int, int]]
"""The `decode_shift` and the `encode_capacity` of an encoding."""


def check(snapshot: Snapshot, texts: Mapping[str, str], chapters: Sequence[Chapter]) -> None:
    """Raise a TemplateError with a line for each property of the emitted texts that is not the standard's."""
    run = machine(snapshot)
    promises: dict[str, Promises] = {
        codec.name: (codec.handler.decode_shift, codec.handler.encode_capacity)
        for chapter in chapters
        for codec in chapter.encodings
    }
    found = [Expected(run, encoding, promises.get(encoding.name)) for encoding in snapshot.encodings]
    modules = {name.removesuffix(".pyx"): text for name, text in texts.items() if name.endswith(".pyx")}
    headers = {name: arrays(text) for name, text in texts.items() if name.endswith("_tables.h")}
    wrong = [*_headers(headers, chapters), *_registries(found, modules, headers), *_labels(found, modules, texts)]
    wrong += [*_of_c(found, texts["encodings.h"]), *_constants(snapshot, texts["constants.h"])]
    wrong += _pointers(found, texts["pointers.py"])
    if wrong:
        raise TemplateError("\n".join(wrong))


# -- What the standard has ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Expected:
    """The properties of an encoding by the standard's data and programs."""

    run: Machine
    encoding: Encoding
    promised: Promises | None

    @property
    def name(self) -> str:
        return self.encoding.name

    @property
    def constant(self) -> str:
        return self.name.upper().replace("-", "_")

    @cached_property
    def index(self) -> str:
        """The index of a single-byte encoding: its own, or that of the encoding whose name begins its name.

        ISO-8859-8-I has that of ISO-8859-8. https://encoding.spec.whatwg.org/#index-single-byte
        """
        if self.encoding.heading != SINGLE_BYTE_HEADING:
            return ""
        name = self.name.lower()
        return max((one for one in self.run.snapshot.indexes if f"{name}-".startswith(f"{one}-")), key=len, default="")

    @cached_property
    def indexes(self) -> set[str]:
        return {self.index} if self.index else self.run.uses(self.encoding, "decoder", "encoder")[1]

    @cached_property
    def mappings(self) -> Mappings:
        return of_encoding(self.run.snapshot, self.encoding, self.index)

    def program(self, kind: str) -> tuple[object, ...]:
        """Return what distinguishes the program of a handler: the algorithm, and the values of its variables."""
        algorithm = self.run.algorithm(self.encoding, kind)
        if algorithm is None:
            return ()
        base = self.run.programs[algorithm.base or algorithm.anchor]
        return base.anchor, {**dict(base.members), **dict(algorithm.members)}

    def anchor(self, kind: str) -> str | None:
        """Return the anchor of the algorithm whose steps a handler has."""
        return str(self.program(kind)[0]) if self.has(kind) else None

    def has(self, kind: str) -> bool:
        return self.run.algorithm(self.encoding, kind) is not None

    @property
    def output(self) -> str:
        """The name of its output encoding: https://encoding.spec.whatwg.org/#get-an-output-encoding."""
        return self.name if self.has("encoder") else "UTF-8"

    @cached_property
    def is_single_byte(self) -> bool:
        """Whether each byte is an item, and each code point a byte, in the only state that there is."""
        decoder = self.mappings.decoder
        return self.has("encoder") and not decoder.names and all(decoder.handle(one)[0] is not CONTINUE for one in BYTE)

    @cached_property
    def is_ascii_compatible(self) -> bool:
        """Whether ASCII bytes are ASCII code points and vice versa, in the first state; `templates` asks in every."""
        handlers = [self.mappings.decoder, *([self.mappings.encoder] if self.has("encoder") else [])]
        same = {one: (one,) for one in range(0x80)}
        return all(handler.each(range(0x80)) == same for handler in handlers)

    @cached_property
    def surrogates(self) -> str:
        """The function that reads a surrogate as "surrogatepass" does: Python has it for UTF-8 and UTF-16."""
        for name, codec in UNPAIRED.items():
            if all(self.mappings.decoder.items(chr(one).encode(codec)) == [one] for one in BOUNDARIES):
                return f"we_{name}_surrogate"
        return ""

    def kernel(self, kind: str) -> tuple[str, list[str]]:
        """Return the function of src/native/kernels/dispatch.h for its shape, and the flags that it is given."""
        flags = []
        if self.surrogates == "we_utf_8_surrogate":
            shape = "utf_8"
        elif self.surrogates:
            shape, flags = "utf_16", [str(self.surrogates == "we_utf_16be_surrogate")]
        elif not self.has("encoder"):
            return "we_decode_nothing", []
        elif self.is_single_byte:
            shape = "single_byte"
        elif "WE_FLUSHES" in self.properties:
            shape = "iso_2022_jp"
        else:
            shape = "double_byte"
            has_katakana = any(code_point in KATAKANA for (code_point,) in self.mappings.single().values())
            flags = [str(has_katakana)] if kind == "decode" else []
        return f"we_{shape}_{kind}", flags

    @cached_property
    def properties(self) -> set[str]:
        """The macros of the encoder's loop: src/native/engine/encode_loop.h."""
        if not self.has("encoder"):
            return set()
        encoder = self.mappings.encoder
        found = {"WE_PASSES_SURROGATES"}
        if any(encoder.items([one]) != list(chr(one).encode()) for one in BOUNDARIES):
            found.clear()
        # What is encoded alone, and followed by nothing: more bytes than its own are those of end-of-queue.
        for one in (0xA5, 0x4E00):
            own: list[int] = []
            encoder.state, left = encoder.initial, [one]
            while left:
                result, restored = encoder.handle(left.pop())
                own += result if isinstance(result, list) else []
                left += restored
            if isinstance(result, list) and encoder.items([one]) != own:
                found.add("WE_FLUSHES")
        return found

    @cached_property
    def code_points(self) -> dict[int, int]:
        """The code points of single bytes from 0x80 on, by the byte less 0x80."""
        return {byte - 0x80: one[0] for byte, one in self.mappings.single().items() if byte >= 0x80}


BYTE = range(0x100)
KATAKANA = range(0xFF61, 0xFFA0)


# -- Modules -----------------------------------------------------------------------------------------------------------

_REGISTRY = "# -- Registry"
_LOOP = re.compile(r'#define WE_NAME (\w+)\n((?: *#define \w+ \w+\n)*) *#include "(decode|encode)_loop\.h"')
_TABLES = re.compile(
    r"static const we_single_byte_tables (\w+)_tables = \{\s*(\w+), (\w+), (\w+), WE_SINGLE_BYTE_VECTORS\((\w+)\),\s*"
    r"\{(\w+), (\w+)\}\};"
)
_CODEC = re.compile(
    r"static const we_codec (\w+)_codec = \{\s*WE_DECODES\((\w+)\), (?:WE_ENCODES\((\w+)\)|WE_NO_ENCODER), "
    r"\{(\d+), (\d+), (\d+)\},\s*(\d+), ([01]), (?:&(\w+)_tables|NULL)\};"
)
_KERNEL = re.compile(r"^cdef inline size_t (\w+)_(decode|encode)_kernel .*\n.*\n.*:\n    return (\w+)\((.*)\)$", re.M)
_CAPSULE = re.compile(r'"([^"]+)": PyCapsule_New\(<void \*> &(\w+)_codec, ')
_ARRAY = re.compile(r"^static const (\w+) (\w+)\[(\d+)\] = \{\n(.*?)^\};", re.M | re.S)
_ROW = re.compile(r"\[(0x\w+)\] = ([^\n]*),\n")


_LOOKED_UP = {"decode": 0x8000, "encode": 0x10000}
"""The length of the one table that kernels of pairs of bytes look up in: by such a pair, or by a code point."""
_OF_RUN = {"run", "kind", "after_error", "source", "length", "target", "written"}
"""What each kernel is given of its run."""


class _Codec(NamedTuple):
    decoder: str
    encoder: str
    capacity: tuple[str, ...]
    shift: str
    is_ascii_compatible: bool
    tables: str


def arrays(text: str) -> dict[str, list[int]]:
    """Return the arrays of an emitted header by name."""
    found = {}
    for _, name, length, rows in _ARRAY.findall(text):
        values = found[name] = [0] * int(length)
        for label, row in _ROW.findall(rows):
            given = [int(value, 16) for value in row.split(", ")]
            values[int(label, 16) : int(label, 16) + len(given)] = given
    return found


def _headers(headers: Mapping[str, Mapping[str, list[int]]], chapters: Sequence[Chapter]) -> Iterator[str]:
    """Yield which arrays of headers are not those that the handlers have been compared with."""
    for chapter in chapters:
        found = headers.get(chapter.header, {})
        wanted = {array.symbol: array for table in chapter.tables for array in table.arrays()}
        for name in {*found, *wanted}:
            has = wanted.get(name)
            if has is None or found.get(name) != [has.entries.get(at, 0) for at in range(has.length)]:
                yield f"generated/{chapter.header}: {name} does not have the entries of its table"


def _registries(
    expected: list[Expected], modules: Mapping[str, str], headers: Mapping[str, Mapping[str, list[int]]]
) -> Iterator[str]:
    """Yield what is wrong in modules and their registries: kernels, handlers, loops, tables and codecs."""
    by_name = {one.name: one for one in expected}
    registered: list[str] = []
    for module, text in modules.items():
        registry = _Registry(text, headers.get(f"{module}_tables.h", {}))
        registered += [name for name, _ in registry.capsules]
        for name, symbol in registry.capsules:
            wrong = _refusal(module, name)
            if name not in by_name or symbol not in registry.codecs:
                yield wrong("it is no encoding of the standard, or has no codec")
            else:
                yield from map(wrong, registry.refusals(by_name[name], registry.codecs[symbol]))
    if different := {*registered} ^ by_name.keys() or len(registered) != len(by_name):
        yield f"generated/: the codecs are not those of the standard's encodings: {different}"


class _Registry:
    """What connects the handlers of a module: kernels, and its last section, the loops over handlers and the codecs."""

    def __init__(self, text: str, known: Mapping[str, list[int]]) -> None:
        self._module = Module(text, ())
        self._kernels = {
            (name, kind): (function, [one for one in given.split(", ") if one not in _OF_RUN])
            for name, kind, function, given in _KERNEL.findall(text)
        }
        text = text[text.index(_REGISTRY) :]
        self.capsules: list[tuple[str, str]] = _CAPSULE.findall(text)
        self.codecs = {
            name: _Codec(decoder, encoder, tuple(capacity), shift, is_ascii == "1", tables)
            for name, decoder, encoder, *capacity, shift, is_ascii, tables in _CODEC.findall(text)
        }
        self._tables = {name: rest for name, *rest in _TABLES.findall(text)}
        self._arrays = known
        self._loops = {
            (name, kind): {word for line in defined.splitlines() for word in line.split()[1:] if word != "1"}
            for name, defined, kind in _LOOP.findall(text)
        }
        self._first: dict[tuple[str, str], tuple[str, object]] = {}

    def refusals(self, one: Expected, codec: _Codec) -> Iterator[str]:
        """Yield which properties of a codec are not those of the encoding that has it."""
        yield from self._of_handler(one, codec, "decode", codec.decoder, codec.shift)
        yield from self._of_handler(one, codec, "encode", codec.encoder, codec.capacity)
        has = (int(codec.shift), tuple(map(int, codec.capacity)))
        if has != one.promised:
            yield f"its decode_shift and encode_capacity are {has}, those that every item keeps {one.promised}"
        if codec.is_ascii_compatible != one.is_ascii_compatible:
            yield f"is_ascii_compatible is {codec.is_ascii_compatible}, not so by the standard's programs"
        if bool(codec.tables) != one.is_single_byte:
            yield "it has tables of its own only if it is a single-byte encoding"
        elif codec.tables:
            yield from _of_tables(one, self._arrays, self._tables.get(codec.tables))

    def _of_handler(self, one: Expected, codec: _Codec, kind: str, prefix: str, promised: object) -> Iterator[str]:
        program = one.program(f"{kind}r")
        if bool(prefix) != bool(program):
            yield f"its {kind}r is {prefix or 'none'}, the standard's {program or 'none'}"
        if not (prefix and program):
            return
        # The functions have been compared with the program and the promises of the first encoding that uses them.
        what = (program, promised, codec.is_ascii_compatible)
        before, theirs = self._first.setdefault((kind, prefix), (one.name, what))
        if theirs != what:
            yield f"its {kind}r is that of {before}, whose program or properties are others"
        given = self._loops.get((prefix, kind), {"no loop"})
        wanted = one.properties
        if kind == "decode":
            wanted = {"WE_SURROGATE", one.surrogates} if one.surrogates else set()
        if given != wanted:
            yield f"the loop of its {kind}r has {_listed(given)}, the standard's program asks for {_listed(wanted)}"
        yield from self._of_kernel(one, kind, prefix)

    def _of_kernel(self, one: Expected, kind: str, prefix: str) -> Iterator[str]:
        """Yield what is wrong with the kernel of a handler: another shape's, or it is given another table or flag."""
        function, given = self._kernels.get((prefix, kind), ("none", []))
        tables = [each for each in given if each not in ("True", "False")]
        flags = [each for each in given if each not in tables]
        if (function, flags) != one.kernel(kind):
            wanted, its = one.kernel(kind)
            yield f"the kernel of its {kind}r is {function} with {flags}, not {wanted} with {its} as its program is"
            return
        of_handler = re.findall(r"\w+", self._module.source(f"{prefix}_{kind}_item"))
        for table in tables:
            if table not in of_handler or len(self._arrays.get(table, ())) != _LOOKED_UP[kind]:
                yield f"the kernel of its {kind}r is given {table}, in which its handler looks up nothing, or no pairs"
        if len(tables) != (function.startswith(("we_double_byte", "we_iso_2022_jp"))):
            yield f"the kernel of its {kind}r is given {len(tables)} tables"


def _refusal(module: str, name: str) -> Any:
    return lambda what: f"generated/{module}.pyx does not hold for {name}: {what}"


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"


def _of_tables(one: Expected, known: Mapping[str, list[int]], names: list[str] | None) -> Iterator[str]:
    """Yield which tables of a single-byte encoding are not its own: their entries, as the header has them."""
    found = [known.get(name, []) for name in names or ()]
    if len(found) != 6:
        yield "it has no tables"
        return
    code_points = one.code_points
    pointers = range(0x80)
    rows = single_byte_vectors.build("", one.name, [code_points.get(pointer) for pointer in pointers])
    wanted = {
        "index": [code_points.get(pointer, 0) for pointer in pointers],
        "replaced": [code_points.get(pointer, REPLACEMENT) for pointer in pointers],
        "latin1": [each if each <= 0xFF else 0 for each in (code_points.get(pointer, 0) for pointer in pointers)],
        "vectors": [rows.lookup(at) for at in range(rows.length)],
    }
    for (what, entries), (name, has) in zip(wanted.items(), zip(names or (), found, strict=True), strict=False):
        if entries != has:
            at = next((at for at, pair in enumerate(zip(entries, has, strict=False)) if len({*pair}) > 1), len(has))
            yield (
                f"its table `{what}` is {name}, whose entry {at:#04x} is "
                f"{has[at] if at < len(has) else 0:04X}, the standard's {entries[at] if at < len(entries) else 0:04X}"
            )
    stage1, stage2 = found[4:]
    bytes_ = {code: byte[0] for code, byte in one.mappings.sequences.items() if code >= 0x80}
    if len(stage1) != 0x10000 >> 7 or any(128 * (block + 1) > len(stage2) for block in stage1):
        yield "its table `reverse` has blocks that are not there"
        return
    blocks = [stage2[128 * block : 128 * (block + 1)] for block in stage1]
    byte_of = {
        128 * at + place: byte for at, block in enumerate(blocks) if any(block) for place, byte in enumerate(block)
    }
    if {code: byte for code, byte in byte_of.items() if byte} != bytes_:
        yield "its table `reverse` does not have the bytes of the standard's encoder"


# -- Labels and constants ----------------------------------------------------------------------------------------------


class _Constants(dict[str, str]):
    """ENCODINGS as the emitted text uses it: each name stands for itself."""

    def __missing__(self, name: str) -> str:
        return name


def _labels(expected: list[Expected], modules: Mapping[str, str], texts: Mapping[str, str]) -> Iterator[str]:
    """Yield what is wrong in labels.pxi and labels.py."""
    given: list[Any] = []

    def define(found: Any) -> tuple[Any, Any]:
        given.extend(found)
        return _Constants(), None

    names: dict[str, Any] = {"define_encodings": define}
    exec(compile(texts["labels.pxi"], "labels.pxi", "exec"), names)
    wanted = [
        (
            one.name, next((name for name, text in modules.items() if f'"{one.name}": PyCapsule_New(' in text), ""),
            one.output, one.is_single_byte, one.is_ascii_compatible, one.has("encoder"),
            "".join(f"{label} " for label in one.encoding.labels),
        )
        for one in expected
    ]  # fmt: skip
    columns = ("name", "module", "output encoding", "is_single_byte", "is_ascii_compatible", "has_encoder", "labels")
    if [one[0] for one in given] != [one[0] for one in wanted]:
        yield "generated/labels.pxi does not have the encodings of the standard in its order"
    for theirs in wanted:
        ours = next((one for one in given if one[0] == theirs[0]), None)
        for what, mine, its in zip(columns, ours or (), theirs, strict=False):
            if mine != its:
                has = f"its {what} is {mine!r}, the standard's {its!r}"
                yield f"generated/labels.pxi does not hold for {theirs[0]}: {has}"
    constants = {one.constant: one.name for one in expected}
    if names["CONSTANTS"] != constants:
        yield "generated/labels.pxi: the constants are not those of the encodings"
    found = dict(re.findall(r'^(\w+): "Final" = ENCODINGS\["([^"]+)"\]$', texts["labels.py"], re.M))
    if found != constants:
        yield "generated/labels.py: the constants are not those of the encodings"


_PROPERTIES = re.compile(r'^    \{"([^"]+)", (\d+), ([01])\},$', re.M)
_LABEL = re.compile(r'^    \{"([^"]+)", (\d+)\},$', re.M)
_NUMBER = re.compile(r"^    (WE_\w+) = (\d+)", re.M)


def _of_c(expected: list[Expected], text: str) -> Iterator[str]:
    """Yield what is wrong in encodings.h."""
    positions = {one.name: position for position, one in enumerate(expected)}
    wanted = [(one.name, str(positions[one.output]), str(int(one.is_single_byte))) for one in expected]
    if (found := _PROPERTIES.findall(text)) != wanted:
        for ours, theirs in zip(found, wanted, strict=False):
            if ours != theirs:
                yield f"generated/encodings.h does not hold for {theirs[0]}: it has {ours}, the standard {theirs}"
        if len(found) != len(wanted):
            yield f"generated/encodings.h has {len(found)} encodings, the standard {len(wanted)}"
    labels = sorted((label.encode(), str(positions[one.name])) for one in expected for label in one.encoding.labels)
    if [(label.encode(), position) for label, position in _LABEL.findall(text)] != labels:
        yield "generated/encodings.h does not have the standard's labels, each with its encoding, in order of bytes"
    numbers = {name: int(value) for name, value in _NUMBER.findall(text)}
    of_marks = {
        f"WE_POSITION_{name.replace('-', '_')}": positions.get(name) for name in ("UTF-8", "UTF-16BE", "UTF-16LE")
    }
    known = {
        "WE_ENCODINGS": len(expected), "WE_LABELS": len(labels), "WE_LONGEST_LABEL": max(len(one) for one, _ in labels),
        "WE_MULTI_BYTE_ENCODINGS": sum(not one.is_single_byte for one in expected), **of_marks,
    }  # fmt: skip
    yield from (
        f"generated/encodings.h: {name} is {numbers.get(name)}, by the standard {value}"
        for name, value in known.items()
        if numbers.get(name) != value
    )


def _constants(snapshot: Snapshot, text: str) -> Iterator[str]:
    """Yield which numbers in constants.h are not those of the standard's programs."""
    found = {name: int(value, 16) for name, value in re.findall(r"^    WE_(\w+) = (0x\w+),?$", text, re.M)}
    wanted = {name: value for group in constants.of_kernels(snapshot).values() for name, value in group.items()}
    for name in sorted({*found, *wanted}):
        if found.get(name) != wanted.get(name):
            has, its = (f"{one:#x}" if one is not None else "none" for one in (found.get(name), wanted.get(name)))
            yield f"generated/constants.h: WE_{name} is {has}, by the standard {its}"


# -- Pointers ----------------------------------------------------------------------------------------------------------


def _pointers(expected: list[Expected], text: str) -> Iterator[str]:
    """Yield what is wrong in pointers.py: anchors, indexes, where their pointers are, and what is user-defined."""
    names: dict[str, Any] = {"__name__": "pointers"}
    exec(compile(ast.parse(text), "pointers.py", "exec"), names)
    for one in expected:
        wrong = _refusal("pointers", one.name)
        handler = names["HANDLERS"].get(one.name)
        if handler is None:
            yield wrong("it has no entry")
            continue
        for kind in ("decoder", "encoder"):
            if getattr(handler, kind) != one.anchor(kind):
                yield wrong(f"its {kind} is at {getattr(handler, kind)}, the standard's at {one.anchor(kind)}")
        looked_up = {index for index in one.indexes if index in one.mappings.pointers}
        if {each.name for each in handler.indexes} != looked_up:
            yield wrong(f"its indexes are {_listed({each.name for each in handler.indexes})}, not {_listed(looked_up)}")
        yield from map(wrong, _of_pointers(one, handler))


def _of_pointers(one: Expected, handler: Any) -> Iterator[str]:
    for pointers in handler.indexes:
        index = one.run.snapshot.indexes.get(pointers.name)
        sequences = one.mappings.pointers.get(pointers.name)
        if index is None or sequences is None:
            continue
        for pointer in {0, 1, 93, 94, 156, 157, 188, 189, 190, len(sequences) // 2, len(sequences) - 1}:
            sequence = sequences.sequence(pointer) if pointer < len(sequences) else b""
            if sequence and pointers.pointer(sequence) != pointer:
                yield f"pointer {pointer} of index {pointers.name} is not at {sequence.hex(' ').upper()}"
    if handler.indexes and not one.is_single_byte:
        index = one.run.snapshot.indexes[handler.indexes[0].name]
        of_index = {pointer for pointer, code_point in enumerate(index.code_points) if code_point is not None}
        pointer_of = handler.indexes[0].pointer
        computed = {pointer_of(bytes(pair)) for pair, found in one.mappings.computed.items() if len(found) == 1}
        if {*handler.user_defined} != computed - of_index - {None}:
            yield f"its user-defined pointers are {handler.user_defined}, not those of the standard"
