"""A producer of arbitrary Arrow data, valid or not, which counts releases; and a reader of results, by ctypes alone."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


class Schema(ctypes.Structure):
    """struct ArrowSchema."""


class Array(ctypes.Structure):
    """struct ArrowArray."""


class Stream(ctypes.Structure):
    """struct ArrowArrayStream."""


SchemaRelease = ctypes.CFUNCTYPE(None, ctypes.POINTER(Schema))
ArrayRelease = ctypes.CFUNCTYPE(None, ctypes.POINTER(Array))
StreamRelease = ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))
GetSchema = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))
GetNext = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))
GetLastError = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Stream))

Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("children", ctypes.POINTER(ctypes.POINTER(Schema))),
    ("dictionary", ctypes.POINTER(Schema)), ("release", SchemaRelease), ("private_data", ctypes.c_void_p),
]  # fmt: skip
Array._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))), ("dictionary", ctypes.POINTER(Array)),
    ("release", ArrayRelease), ("private_data", ctypes.c_void_p),
]  # fmt: skip
Stream._fields_ = [
    ("get_schema", GetSchema), ("get_next", GetNext), ("get_last_error", GetLastError), ("release", StreamRelease),
    ("private_data", ctypes.c_void_p),
]  # fmt: skip

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.malloc.argtypes = [ctypes.c_size_t]
libc.free.argtypes = [ctypes.c_void_p]


def integers(values: Sequence[int], width: int) -> bytes:
    return b"".join((value % (1 << 8 * width)).to_bytes(width, "little") for value in values)


def view(data: bytes, buffer: int = 0, start: int = 0) -> bytes:
    """Return a view of data, which is stored in the view, or at ``start`` of a buffer if it is longer."""
    size = len(data).to_bytes(4, "little")
    if len(data) <= 12:
        return size + data.ljust(12, b"\0")
    return size + data[:4] + integers([buffer, start], 4)


@dataclass
class Declared:
    """The declared properties of an array, valid or not. ``buffers`` are allocated in their exact sizes."""

    format: str
    buffers: Sequence[bytes | None]
    length: int
    null_count: int = 0
    offset: int = 0
    n_buffers: int | None = None
    dictionary: Declared | None = None
    children: Sequence[Declared | None] = ()
    n_children: int | None = None
    schema_children: Sequence[Declared] | None = None
    released: bool = False
    without_buffers: bool = False
    in_schema: bool = True
    """Whether the schema has the dictionary."""
    in_array: bool = True
    """Whether the array has it."""


@dataclass
class Producer:
    """Exports arrays with the given properties: one, or a stream of several. Records what is created and released."""

    declared: Sequence[Declared]
    is_stream: bool = False
    fails_at: int = -1
    """The array at which the stream fails."""
    schema_released: bool = False
    released: list[str] = field(default_factory=list)
    made: list[str] = field(default_factory=list)
    _kept: list[Any] = field(default_factory=list)
    _capsules: list[Any] = field(default_factory=list)

    def schema(self, declared: Declared, out: Schema) -> None:
        given = declared.schema_children
        children = [child for child in declared.children if child] if given is None else given
        out.format = declared.format.encode()
        out.name = b""
        out.flags = 2
        out.n_children = len(children)
        pointers = (ctypes.POINTER(Schema) * (len(children) + 1))()
        for i, child in enumerate(children):
            inner = Schema()
            self.schema(child, inner)
            pointers[i] = ctypes.pointer(inner)
        out.children = pointers if children else None
        if declared.dictionary is not None and declared.in_schema:
            inner = Schema()
            self.schema(declared.dictionary, inner)
            out.dictionary = ctypes.pointer(inner)

        def release(schema: Any) -> None:
            self.released.append("schema")
            schema.contents.release = SchemaRelease()

        callback = SchemaRelease(release)
        self._kept += [pointers, callback, out]
        out.release = callback

    def array(self, declared: Declared, out: Array, kind: str = "array") -> None:
        blocks = []
        count = len(declared.buffers)
        pointers = (ctypes.c_void_p * (count + 1))()
        for i, buffer in enumerate(declared.buffers):
            if buffer is not None:
                block = libc.malloc(max(len(buffer), 1))
                ctypes.memmove(block, buffer, len(buffer))
                blocks.append(block)
                pointers[i] = block
        out.length, out.null_count, out.offset = declared.length, declared.null_count, declared.offset
        out.n_buffers = count if declared.n_buffers is None else declared.n_buffers
        out.buffers = None if declared.without_buffers else pointers
        children = (ctypes.POINTER(Array) * (len(declared.children) + 1))()
        for i, child in enumerate(declared.children):
            if child is not None:
                inner = Array()
                self.array(child, inner, "child")
                children[i] = ctypes.pointer(inner)
        out.children = children if declared.children else None
        out.n_children = len(declared.children) if declared.n_children is None else declared.n_children
        if declared.dictionary is not None and declared.in_array:
            inner = Array()
            self.array(declared.dictionary, inner, "child")
            out.dictionary = ctypes.pointer(inner)

        def release(array: Any) -> None:
            self.released.append(kind)
            for i in range(len(declared.children)):
                if declared.children[i] is not None and array.contents.children[i].contents.release:
                    array.contents.children[i].contents.release(array.contents.children[i])
            if array.contents.dictionary and array.contents.dictionary.contents.release:
                array.contents.dictionary.contents.release(array.contents.dictionary)
            for block in blocks:
                libc.free(block)
            array.contents.release = ArrayRelease()

        callback = ArrayRelease(release)
        self._kept += [pointers, children, callback, out]
        if not declared.released:
            self.made.append(kind)
            out.release = callback
        else:
            for block in blocks:
                libc.free(block)

    def _capsule(self, struct: Any, name: bytes) -> Any:
        self._capsules += [struct]
        self._kept += [name]
        return _new_capsule(ctypes.addressof(struct), name, None)

    def _schema_capsule(self) -> Any:
        schema = Schema()
        self.schema(self.declared[0], schema)
        self.made.append("schema")
        if self.schema_released:
            schema.release = SchemaRelease()
            self.made.pop()
        return self._capsule(schema, b"arrow_schema")

    def export(self) -> Any:
        return _Streamed(self) if self.is_stream else _Single(self)

    def drop(self) -> None:
        """Release what a consumer has not moved out of the capsules, as their destructors would."""
        for struct in self._capsules:
            if struct.release:
                struct.release(ctypes.pointer(struct))


class _Single:
    def __init__(self, producer: Producer) -> None:
        self.producer = producer

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        array = Array()
        self.producer.array(self.producer.declared[0], array)
        return self.producer._schema_capsule(), self.producer._capsule(array, b"arrow_array")


class _Streamed:
    def __init__(self, producer: Producer) -> None:
        self.producer = producer

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        producer, position = self.producer, 0
        message = ctypes.create_string_buffer(b"the disk is on fire")

        def get_schema(stream: Any, out: Any) -> int:
            producer.made.append("schema")
            producer.schema(producer.declared[0], out.contents)
            return 0

        def get_next(stream: Any, out: Any) -> int:
            nonlocal position
            if position == producer.fails_at:
                return 5
            if position == len(producer.declared):
                out.contents.release = ArrayRelease()
                return 0
            producer.array(producer.declared[position], out.contents)
            position += 1
            return 0

        def release(stream: Any) -> None:
            producer.released.append("stream")
            stream.contents.release = StreamRelease()

        stream = Stream(
            GetSchema(get_schema),
            GetNext(get_next),
            GetLastError(lambda _: ctypes.addressof(message)),
            StreamRelease(release),
        )
        producer._kept += [message, get_schema, get_next, release]
        producer.made.append("stream")
        return producer._capsule(stream, b"arrow_array_stream")


def bits(flags: Sequence[bool]) -> bytes:
    return bytes(
        sum(flag << place for place, flag in enumerate(flags[start : start + 8])) for start in range(0, len(flags), 8)
    )


def declared_of(rows: Sequence[bytes | None], format_: str, before: int = 0) -> Declared:
    """Return the properties of a column (``z Z vz u U vu``) of these rows, at an offset of ``before`` others."""
    values = [b"before", None] * before + list(rows)
    buffers: list[bytes | None] = [bits([row is not None for row in values])]
    data = b"".join(row or b"" for row in values)
    if format_ in ("vz", "vu"):
        views, start = [], 0
        for row in values:
            views.append(view(row or b"", 0, start))
            start += len(row or b"")
        buffers += [b"".join(views), data, integers([len(data)], 8)]
    else:
        ends = [0]
        for row in values:
            ends.append(ends[-1] + len(row or b""))
        buffers += [integers(ends, 8 if format_ in ("Z", "U") else 4), data]
    return Declared(format_, buffers, len(rows), list(rows).count(None), 2 * before)


_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype = ctypes.c_void_p
_capsule_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


def _values(format_: str, array: Array) -> list[bytes | None]:
    def at(buffer: int, start: int, length: int) -> bytes:
        return ctypes.string_at(array.buffers[buffer] + start, length) if length else b""

    def integer(buffer: int, place: int, width: int) -> int:
        return int.from_bytes(at(buffer, place * width, width), "little", signed=True)

    rows: list[bytes | None] = []
    for row in range(array.offset, array.offset + array.length):
        if array.buffers[0] and not at(0, row // 8, 1)[0] >> row % 8 & 1:
            rows.append(None)
        elif format_ in ("vz", "vu"):
            length = integer(1, row * 4, 4)
            if length <= 12:
                rows.append(at(1, row * 16 + 4, length))
                continue
            buffer, start = integer(1, row * 4 + 2, 4), integer(1, row * 4 + 3, 4)
            assert 0 <= buffer < array.n_buffers - 3
            assert 0 <= start <= integer(array.n_buffers - 1, buffer, 8) - length
            rows.append(at(2 + buffer, start, length))
            assert at(1, row * 16 + 4, 4) == rows[-1][:4]
        else:
            width = 8 if format_ in ("Z", "U") else 4
            start, end = integer(1, row, width), integer(1, row + 1, width)
            assert 0 <= start <= end
            rows.append(at(2, start, end - start))
    assert rows.count(None) == array.null_count
    return rows


def rows_of(column: Any) -> list[bytes | None]:
    """Return the rows of what a column exports as a stream, plain or in a dictionary with indices of 8 bits."""
    capsule = column.__arrow_c_stream__()
    stream = Stream.from_address(_capsule_pointer(capsule, b"arrow_array_stream"))
    schema, rows = Schema(), []
    assert stream.get_schema(ctypes.pointer(stream), ctypes.pointer(schema)) == 0
    while True:
        array = Array()
        assert stream.get_next(ctypes.pointer(stream), ctypes.pointer(array)) == 0
        if not array.release:
            break
        if array.dictionary:
            values = _values(schema.dictionary.contents.format.decode(), array.dictionary.contents)
            indices = ctypes.string_at(array.buffers[1] + array.offset, array.length) if array.length else b""
            valid = array.buffers[0]
            for row, index in enumerate(indices, array.offset):
                is_null = valid and not ctypes.string_at(valid + row // 8, 1)[0] >> row % 8 & 1
                rows.append(None if is_null else values[index])
        else:
            rows += _values(schema.format.decode(), array)
        array.release(ctypes.pointer(array))
    schema.release(ctypes.pointer(schema))
    return rows
