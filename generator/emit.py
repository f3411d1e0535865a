"""Render the files of ``generated/``, a pure function of data and templates, and write or check them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from generator import contexts, held, levels, names
from generator import handlers as records
from generator import snapshot as snapshots
from generator.detect import table as detection
from generator.handlers import Handler
from generator.model import DATA, ENCODINGS, ROOT, STANDARD, Encoding, GeneratorError, Snapshot
from generator.model import GENERATED as GENERATED
from generator.render import render
from generator.spec import alignment, compare, notation, templates
from generator.spec import reference as compiled
from generator.spec.machine import machine, pinned
from generator.steps import Steps
from generator.tables import Answers, Pointers, Table, TwoStage, facts
from generator.tables.answers import kept

REFERENCE = ROOT / "tests" / "reference" / "compiled"
"""The handlers of the reference that the tests compare with."""

MANIFEST = "MANIFEST.json"
COMMAND = "python -m generator emit"


class EmitError(GeneratorError):
    """Modules cannot be generated from the snapshot."""


@dataclass(frozen=True)
class Codec:
    """An encoding in the form that templates use."""

    name: str
    heading: str
    symbol: str
    constant: str
    module: str
    labels: tuple[str, ...]
    output_encoding: str
    handler: Handler
    decoder: str
    """Prefix of its decoder's functions, which encodings may share."""
    encoder: str
    """Prefix of its encoder's functions, which encodings may share."""
    steps: Mapping[str, Steps]
    """The steps of its ``decoder``, its ``encoder`` and the operations that its template transcribes."""
    data: Mapping[str, object]
    """What the handler's template needs besides tables."""
    pointers: Mapping[str, Pointers]
    """The byte sequences of the pointers of each index that its decoder looks up."""
    answers: Answers | None
    """What its tables are filled with."""


@dataclass(frozen=True)
class Part:
    """The functions of a decoder or encoder, which one or more encodings of a chapter use."""

    codec: Codec
    names: tuple[str, ...]
    """The encodings, in the standard's order."""


@dataclass(frozen=True)
class Chapter:
    """One generated module."""

    name: str
    title: str
    encodings: tuple[Codec, ...]
    tables: tuple[Table, ...]

    @property
    def header(self) -> str:
        """The name of its file of tables."""
        return f"{self.name}_tables.h"

    @property
    def templates(self) -> tuple[str, ...]:
        """The handler templates that its encodings use, in order of first use."""
        return tuple(dict.fromkeys(f"_handlers/{codec.handler.template}.pyx.j2" for codec in self.encodings))

    @property
    def decoders(self) -> tuple[Part, ...]:
        """The decoders to emit, one for each set of functions."""
        return _parts(self.encodings, lambda codec: codec.decoder)

    @property
    def encoders(self) -> tuple[Part, ...]:
        """The encoders to emit, one for each set of functions."""
        return _parts([codec for codec in self.encodings if codec.handler.has_encoder], lambda codec: codec.encoder)

    @property
    def lookups(self) -> tuple[TwoStage, ...]:
        """The two-stage tables that need a lookup function, since no kernel contains their lookup."""
        return tuple(table for table in self.tables if isinstance(table, TwoStage) and not table.kernels)

    @property
    def nbytes(self) -> int:
        return sum(table.nbytes for table in self.tables)


def _parts(codecs: Iterable[Codec], symbol: Callable[[Codec], str]) -> tuple[Part, ...]:
    """Return one part for each set of functions: the first encoding that uses it, and the names of all."""
    groups: dict[str, list[Codec]] = {}
    for codec in codecs:
        groups.setdefault(symbol(codec), []).append(codec)
    return tuple(Part(group[0], tuple(codec.name for codec in group)) for group in groups.values())


def _codec(encoding: Encoding, snapshot: Snapshot) -> Codec:
    handler = records.handler(encoding.name, encoding.heading)
    if handler is None:
        raise EmitError(f"the encoding {encoding.name!r} has no handler: add one to generator/handlers.py")
    symbol = names.symbol(encoding.name)
    found = records.answers(snapshot, encoding)
    pointers = found.pointers if found else {}
    programs = machine(snapshot).programs
    cited = {"decoder": handler.decoder, "encoder": handler.encoder, **handler.operations}
    return Codec(
        name=names.checked_name(encoding.name),
        heading=encoding.heading,
        symbol=symbol,
        constant=names.constant(encoding.name),
        module=records.CHAPTERS[encoding.heading],
        labels=tuple(map(names.checked_label, encoding.labels)),
        output_encoding=encoding.name if handler.has_encoder else "UTF-8",
        handler=handler,
        decoder=handler.decoder_symbol or symbol,
        encoder=handler.encoder_symbol or symbol,
        steps={key: alignment.resolved(steps, programs) for key, steps in cited.items() if steps is not None},
        data=handler.data(snapshot),
        pointers={name: pointers[name] for name in handler.indexes if name in pointers},
        answers=found,
    )


def _chapter_tables(codecs: Iterable[Codec], snapshot: Snapshot) -> tuple[Table, ...]:
    """Return the distinct tables that these encodings use."""
    users: dict[Callable[[Snapshot], list[Table]], tuple[Answers | None, ...]] = {}
    for codec in codecs:
        users[codec.handler.tables] = (*users.get(codec.handler.tables, ()), codec.answers)
    unique: dict[str, Table] = {}
    for build, answers in users.items():
        for table in kept((build, *answers), partial(build, snapshot)):
            unique.setdefault(table.symbol, table)
    return tuple(unique.values())


def codecs(snapshot: Snapshot) -> tuple[Codec, ...]:
    """Return all encodings in the form that templates use, in the standard's order.

    Raise an EmitError that names the handler, and what it does now and did before, of each encoding that its template
    does not fit.
    """
    found: list[Codec] = []
    refusals: list[str] = []
    for encoding in snapshot.encodings:
        try:
            found.append(_codec(encoding, snapshot))
        except names.UnsafeNameError:
            raise
        except GeneratorError as error:
            refusals += _misfit(encoding, snapshot, error)
    if refusals:
        raise EmitError("\n".join(dict.fromkeys(refusals)))
    return tuple(found)


def _misfit(encoding: Encoding, snapshot: Snapshot, error: GeneratorError) -> Iterator[str]:
    """Yield lines on an encoding whose tables or facts its algorithms do not give."""
    handler = records.handler(encoding.name, encoding.heading)
    where = f"templates/_handlers/{handler.template}.pyx.j2 does not fit {encoding.name}: " if handler else ""
    yield f"{where}{error}"
    if snapshot.programs:  # The template fits the pinned algorithms.
        before = replace(snapshot, programs=pinned())
        yield from (f"  {found}" for found in compare.behaviours(before, snapshot, [encoding]))


def chapters(snapshot: Snapshot) -> tuple[Chapter, ...]:
    """Return the modules, in the standard's order."""
    every = codecs(snapshot)
    found, refusals = [], []
    for title, name in records.CHAPTERS.items():
        members = tuple(codec for codec in every if codec.module == name)
        try:
            found.append(Chapter(name, title, members, _chapter_tables(members, snapshot)))
        except GeneratorError as error:
            refusals.append(str(error))
    if refusals:
        raise EmitError("\n".join(refusals))
    return tuple(found)


def outputs(snapshot: Snapshot, data: Path = DATA, modules: tuple[Chapter, ...] | None = None) -> dict[str, str]:
    """Return the text of every generated file, by file name; the manifest is the last.

    `data` is the folder of the table of decode contexts; `modules` is the result of `chapters`, if already known.
    Raise a TemplateError if a template does not do what the standard's algorithm does.
    """
    texts: dict[str, str] = {}

    def text(
        template: str, sources: list[tuple[str, str]], context: Mapping[str, object], handlers: Iterable[str] = ()
    ) -> str:
        used = [f"templates/{one}" for one in (template, *handlers)]
        provenance = {"templates": used, "origin": STANDARD, "sources": sources}
        return render(template, {**context, "provenance": provenance})

    encodings_source = [(ENCODINGS, f"sha256 {snapshot.sha256[ENCODINGS]}")]
    refusals = []
    for chapter in chapters(snapshot) if modules is None else modules:
        used = sorted({name for codec in chapter.encodings for name in codec.handler.indexes})
        identifiers = snapshots.identifiers(snapshot)
        sources = [(f"Index {name}", f"Identifier {identifiers[name]}") for name in used if name in identifiers]
        module = texts[f"{chapter.name}.pyx"] = text("chapter.pyx.j2", sources, {"chapter": chapter}, chapter.templates)
        if chapter.tables:
            texts[chapter.header] = text("tables.h.j2", sources, {"chapter": chapter})
        try:
            held.check(chapter, module, texts.get(chapter.header, ""), machine(snapshot))
        except templates.TemplateError as error:
            refusals.append(str(error))
    if refusals:
        raise templates.TemplateError("\n".join(refusals))
    listed = codecs(snapshot)
    texts["labels.py"] = text("labels.py.j2", encodings_source, {"encodings": listed})
    labels = sorted((label, position) for position, codec in enumerate(listed) for label in codec.labels)
    positions = {codec.name: position for position, codec in enumerate(listed)}
    multi_byte = sum(not codec.handler.is_single_byte for codec in listed)
    longest = max(len(label) for label, _ in labels)
    found = {"encodings": listed, "positions": positions, "labels": labels, "multi_byte": multi_byte}
    found["longest_label"] = longest
    texts["encodings.h"] = text("encodings.h.j2", encodings_source, found)
    texts["constants.h"] = text("constants.h.j2", encodings_source, {"constants": facts.constants(snapshot)})
    texts["pointers.py"] = text("pointers.py.j2", encodings_source, {"encodings": listed})
    for name in ("levels.h", "levels.pxd"):
        texts[name] = render(f"{name}.j2", {"shapes": levels.SHAPES, "wrapped": levels.wrapped})
    texts["contexts.py"] = render("contexts.py.j2", contexts.template_context(data))
    texts["detect_table.h"] = render("detect_table.h.j2", detection.template_context(data))
    digests = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in sorted(texts.items())}
    texts[MANIFEST] = json.dumps({"files": digests}, indent=1) + "\n"
    return texts


def reference(data: Path = DATA) -> Mapping[str, str]:
    """Return the modules of the compiled reference by file name, from the algorithms that a folder of data pins."""
    algorithms = notation.load(data)
    if algorithms is None:
        raise EmitError(f"{notation.FILE}: is missing from {data}, so the reference cannot be compiled")
    return compiled.modules(algorithms.programs)


def emit(snapshot: Snapshot, folder: Path = GENERATED, data: Path = DATA) -> list[str]:
    """Write every file, and the reference's if the folder is the project's. Return the names of the changed ones."""
    return [name for place, texts in _places(snapshot, folder, data) for name in write(place, texts)]


def _places(snapshot: Snapshot, folder: Path, data: Path) -> Iterator[tuple[Path, Mapping[str, str]]]:
    yield folder, outputs(snapshot, data)
    if folder == GENERATED:
        yield REFERENCE, reference(data)


def write(folder: Path, texts: Mapping[str, str]) -> list[str]:
    """Write texts by file name, all or none, and remove other files. Return the names of the changed files."""
    changed = out_of_date(folder, texts)
    if changed:
        snapshots.replace(folder, {name: texts[name].encode() for name in changed if name in texts})
    for name in changed:
        if name not in texts:
            (folder / name).unlink()
    return changed


def check(snapshot: Snapshot, folder: Path = GENERATED, data: Path = DATA) -> list[str]:
    """Return the names of the files that `emit` would change."""
    return [name for place, texts in _places(snapshot, folder, data) for name in out_of_date(place, texts)]


def out_of_date(folder: Path, texts: Mapping[str, str]) -> list[str]:
    """Return the names of the files in ``folder`` that differ from texts by file name, or are not among them."""
    found = {path.name: path.read_bytes() for path in folder.glob("*") if path.is_file()}
    wrong = [name for name, text in texts.items() if found.get(name) != text.encode()]
    return wrong + sorted(found.keys() - texts.keys())
