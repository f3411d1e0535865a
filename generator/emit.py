"""From a snapshot to the files of ``generated/``: a pure function from data and templates to text, and its writing."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from generator import contexts, handlers, names
from generator.handlers import STANDARD, Handler
from generator.model import ENCODINGS, Encoding, GeneratorError, Snapshot
from generator.render import render
from generator.tables import Table, TwoStage
from generator.tables import encodings as tables

GENERATED = Path(__file__).resolve().parent.parent / "generated"
MANIFEST = "MANIFEST.json"
COMMAND = "python -m generator emit"


class EmitError(GeneratorError):
    """The snapshot can't be turned into modules."""


@dataclass(frozen=True)
class Sink:
    """A kind of target that decoders write to."""

    name: str
    unit: str
    narrow: str
    """The kind whose ASCII looks the same."""
    position: int


@dataclass(frozen=True)
class Kind:
    """A kind of string that encoders read."""

    name: str
    unit: str


SINKS = (
    Sink("ucs1", "uint8_t", "ucs1", 0),
    Sink("ucs2", "uint16_t", "ucs2", 1),
    Sink("ucs4", "uint32_t", "ucs4", 2),
    Sink("utf8", "uint8_t", "ucs1", 3),
)
KINDS = (Kind("ucs1", "uint8_t"), Kind("ucs2", "uint16_t"), Kind("ucs4", "uint32_t"))


@dataclass(frozen=True)
class Codec:
    """One encoding as the templates see it."""

    name: str
    symbol: str
    constant: str
    module: str
    labels: tuple[str, ...]
    output_encoding: str
    handler: Handler
    decoder: str
    """Prefix of the functions that decode it; encodings may share them."""
    encoder: str
    single_byte: str | None
    """Symbol of its single-byte tables."""
    extra: Mapping[str, object] = field(default_factory=dict)

    @property
    def section(self) -> str:
        """What the emitted handler is headed with."""
        return "Single-byte encodings" if self.single_byte else self.name

    def __getattr__(self, name: str) -> object:
        # Templates read the handler's fields, and what only one handler has, as the encoding's own.
        extra: Mapping[str, object] = self.__dict__["extra"]
        return extra[name] if name in extra else getattr(self.__dict__["handler"], name)


@dataclass(frozen=True)
class Chapter:
    """One module."""

    name: str
    title: str
    encodings: tuple[Codec, ...]
    tables: tuple[Table, ...]

    @property
    def header(self) -> str:
        return f"{self.name}_tables.h"

    @property
    def decoders(self) -> tuple[Codec, ...]:
        """The encodings whose decoders are emitted: one for each set of functions."""
        return _first_of(self.encodings, "decoder")

    @property
    def encoders(self) -> tuple[Codec, ...]:
        """The encodings whose encoders are emitted: one for each set of functions."""
        return tuple(codec for codec in _first_of(self.encodings, "encoder") if codec.handler.has_encoder)

    @property
    def lookups(self) -> tuple[TwoStage, ...]:
        """The tables that need a look-up function; the kernels look single-byte tables up themselves."""
        return tuple(
            table
            for table in self.tables
            if isinstance(table, TwoStage)
            and not any(
                codec.single_byte and table.symbol == f"{codec.single_byte}_reverse" for codec in self.encodings
            )
        )

    @property
    def nbytes(self) -> int:
        return sum(table.nbytes for table in self.tables)


def _first_of(codecs: tuple[Codec, ...], attribute: str) -> tuple[Codec, ...]:
    """The first of all that have the same value there."""
    first: dict[object, Codec] = {}
    for codec in codecs:
        first.setdefault(getattr(codec, attribute), codec)
    return tuple(first.values())


def _handler(encoding: Encoding) -> Handler:
    handler = handlers.handler(encoding.name, encoding.heading)
    if handler is None:
        raise EmitError(f"no handler for the encoding {encoding.name!r}: add it to generator/handlers.py")
    return handler


def _extra(handler: Handler, snapshot: Snapshot) -> dict[str, object]:
    """What only one handler's template needs."""
    if handler.template == "gb18030":
        euro = tables.index_pointer(tables.entries(snapshot.indexes["gb18030"])).get(handlers.GBK_EURO)
        return {
            "reverse": "gb18030_reverse",
            "euro_pair": None if euro is None else int.from_bytes(bytes(tables.gb18030_bytes(euro)), "little"),
            "last_bmp_pointer": handlers.GB18030_LAST_BMP_POINTER,
            "first_astral_pointer": handlers.GB18030_FIRST_ASTRAL_POINTER,
            "last_pointer": handlers.GB18030_LAST_POINTER,
            "exception_pointer": handlers.GB18030_EXCEPTION[0],
        }
    rows: list[dict[str, int]] = []
    if handler.anchor == "big5":
        for pointer, (first, second) in handlers.BIG5_TWO_CODE_POINTS.items():
            lead, trail = tables.big5_bytes(pointer)
            rows.append({"pointer": pointer, "lead": lead, "trail": trail, "first": first, "second": second})
    return {"two_code_points": rows, "lead_test": _lead_test(handler.lead_ranges)}


def _lead_test(ranges: str) -> str:
    """The condition that a byte is a lead: ``0x81-0xFE`` → ``0x81 <= byte <= 0xFE``."""
    tests = [f"{first} <= byte <= {last}" for first, last in (item.split("-") for item in ranges.split())]
    return " or ".join(tests)


def _codec(encoding: Encoding, snapshot: Snapshot) -> Codec:
    handler = _handler(encoding)
    symbol = names.symbol(encoding.name)
    single_byte = None
    decoder = encoder = symbol
    extra = _extra(handler, snapshot)
    if handler.template == "single_byte":
        single_byte = names.symbol(handler.indexes[0])
        decoder = encoder = "single_byte"
        index = snapshot.indexes.get(handler.indexes[0])
        is_complete = index is None or None not in index.code_points
        extra["replaced"] = single_byte if is_complete else f"{single_byte}_replaced"
    elif handler.template == "gb18030":
        decoder = "gb18030"
    return Codec(
        name=names.checked_name(encoding.name),
        symbol=symbol,
        constant=names.constant(encoding.name),
        module=handlers.CHAPTERS[encoding.heading],
        labels=tuple(map(names.checked_label, encoding.labels)),
        output_encoding=encoding.name if handler.has_encoder else "UTF-8",
        handler=handler,
        decoder=decoder,
        encoder=encoder,
        single_byte=single_byte,
        extra=extra,
    )


def _chapter_tables(codecs: tuple[Codec, ...], snapshot: Snapshot) -> tuple[Table, ...]:
    """The tables that these encodings use, each once."""
    index = snapshot.indexes
    found: list[Table] = []
    for codec in codecs:
        match codec.handler.anchor:
            case "single-byte":
                name = codec.handler.indexes[0]
                found += tables.single_byte(names.symbol(name), name, index[name].code_points)
            case "x-user-defined":
                found += tables.single_byte(codec.symbol, codec.name, tables.x_user_defined())
            case "gbk" | "gb18030":
                found += tables.gb18030(index["gb18030"], snapshot.ranges)
            case "big5":
                found += tables.big5(index["big5"])
            case "euc-jp":
                found += tables.euc_jp(index["jis0208"], index["jis0212"])
            case "iso-2022-jp":
                found += tables.iso_2022_jp(index["iso-2022-jp-katakana"])
            case "shift_jis":
                found += tables.shift_jis(index["jis0208"])
            case "euc-kr":
                found += tables.euc_kr(index["euc-kr"])
    unique: dict[str, Table] = {}
    for table in found:
        unique.setdefault(table.symbol, table)
    return tuple(unique.values())


def codecs(snapshot: Snapshot) -> tuple[Codec, ...]:
    """All encodings, in the standard's order, as the templates see them."""
    found = tuple(_codec(encoding, snapshot) for encoding in snapshot.encodings)
    for attribute in ("symbol", "constant"):
        seen: dict[str, str] = {}
        for codec in found:
            other = seen.setdefault(getattr(codec, attribute), codec.name)
            if other != codec.name:
                raise EmitError(f"the encodings {other!r} and {codec.name!r} have one {attribute}")
    return found


def chapters(snapshot: Snapshot) -> tuple[Chapter, ...]:
    """The modules, in the standard's order."""
    every = codecs(snapshot)
    found = []
    for title, name in handlers.CHAPTERS.items():
        members = tuple(codec for codec in every if codec.module == name)
        found.append(Chapter(name, title, members, _chapter_tables(members, snapshot)))
    return tuple(found)


def _names_and_labels(listed: tuple[Codec, ...]) -> dict[str, object]:
    """Names and labels as encodings.h has them: encodings by position, labels sorted."""
    positions = {codec.name: position for position, codec in enumerate(listed)}
    labels = sorted((label, positions[codec.name]) for codec in listed for label in codec.labels)
    return {
        "encodings": [{"name": codec.name, "output": positions[codec.output_encoding]} for codec in listed],
        "labels": [{"label": label, "position": position} for label, position in labels],
    }


def outputs(snapshot: Snapshot, data: Path = contexts.DATA) -> dict[str, str]:
    """Return the text of every generated file, by file name; the manifest is the last.

    `data` is the folder of the table of decode contexts.
    """
    texts: dict[str, str] = {}

    def add(name: str, template: str, sources: list[tuple[str, str]], context: Mapping[str, object]) -> None:
        provenance = {"template": f"templates/{template}", "origin": STANDARD, "sources": sources}
        texts[name] = render(template, {**context, "provenance": provenance})

    encodings_source = [(ENCODINGS, f"sha256 {snapshot.sha256[ENCODINGS]}")]
    for chapter in chapters(snapshot):
        used = sorted({name for codec in chapter.encodings for name in codec.handler.indexes})
        identifiers = {name: index.identifier for name, index in snapshot.indexes.items()}
        identifiers[snapshot.ranges.name] = snapshot.ranges.identifier
        sources = [(f"Index {name}", f"Identifier {identifiers[name]}") for name in used if name in identifiers]
        context = {"chapter": chapter, "sinks": SINKS, "kinds": KINDS}
        add(f"{chapter.name}.pyx", "chapter.pyx.j2", sources, context)
        if chapter.tables:
            add(chapter.header, "tables.h.j2", sources, {"chapter": chapter})
    listed = codecs(snapshot)
    add("labels.pyx", "labels.pyx.j2", encodings_source, {"encodings": listed})
    add("labels.pyi", "labels.pyi.j2", encodings_source, {"encodings": listed})
    add("encodings.h", "encodings.h.j2", encodings_source, _names_and_labels(listed))
    texts["contexts.py"] = render("contexts.py.j2", contexts.template_context(data))
    texts[MANIFEST] = _manifest(texts)
    return texts


def _manifest(texts: Mapping[str, str]) -> str:
    digests = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in sorted(texts.items())}
    return json.dumps({"files": digests}, indent=1) + "\n"


def emit(snapshot: Snapshot, folder: Path = GENERATED, data: Path = contexts.DATA) -> list[str]:
    """Write each file in one step, remove those that are not generated; return the names of the files that changed."""
    texts = outputs(snapshot, data)
    folder.mkdir(parents=True, exist_ok=True)
    changed = []
    for name, text in texts.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != text.encode():
            _replace(path, text)
            changed.append(name)
    for path in _stale(folder, texts):
        path.unlink()
        changed.append(path.name)
    return changed


def check(snapshot: Snapshot, folder: Path = GENERATED, data: Path = contexts.DATA) -> list[str]:
    """Return the names of the files in ``folder`` that are not what the snapshot and the templates give."""
    texts = outputs(snapshot, data)
    wrong = [name for name, text in texts.items() if not _holds(folder / name, text)]
    return wrong + [path.name for path in _stale(folder, texts)]


def _holds(path: Path, text: str) -> bool:
    return path.exists() and path.read_bytes() == text.encode()


def _stale(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file() and path.name not in texts)


def _replace(path: Path, text: str) -> None:
    """Writes a file in one step, so that a run that is cut off leaves none half written."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".emit-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
