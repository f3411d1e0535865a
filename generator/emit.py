"""Render the files of ``generated/``, a pure function of data and templates, and write or check them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

from generator import code_pages, contexts, mojibake, name_table
from generator import modules as described
from generator import snapshot as snapshots
from generator.cache import cached
from generator.detect import table as detection
from generator.model import DATA, ENCODINGS, STANDARD, Snapshot
from generator.model import GENERATED as GENERATED
from generator.render import render
from generator.spec import templates
from generator.spec.machine import machine
from generator.tables import constants

COMMAND = "python -m generator emit"


def outputs(snapshot: Snapshot, data: Path = DATA) -> dict[str, str]:
    """Return the text of every generated file by its name, with what else the folder `data` has.

    Raise a TemplateError if templates do not fit the standard's algorithms or do not do what these do; it has them all.
    """
    texts: dict[str, str] = {}

    def text(
        template: str,
        sources: list[tuple[str, str]],
        context: Mapping[str, object],
        handlers: Iterable[str] = (),
        origin: str = f"the Encoding Standard, {STANDARD}, BSD-3-Clause (LICENSE-WHATWG)",
    ) -> str:
        used = [f"templates/{name}" for name in (template, *handlers)]
        provenance = {"templates": used, "origin": origin, "sources": sources}
        return render(template, {**context, "provenance": provenance})

    encodings_source = [(ENCODINGS, f"sha256 {snapshot.sha256[ENCODINGS]}")]
    listed, chapters, refusals = described.fitting(snapshot)
    for chapter in chapters:
        used = sorted({name for codec in chapter.encodings for name in codec.handler.indexes})
        identifiers = snapshots.identifiers(snapshot)
        sources = [(f"Index {name}", f"Identifier {identifiers[name]}") for name in used if name in identifiers]
        module = texts[f"{chapter.name}.pyx"] = text("chapter.pyx.j2", sources, {"chapter": chapter}, chapter.templates)
        if chapter.tables:
            texts[chapter.header] = text("tables.h.j2", sources, {"chapter": chapter})
        try:
            # All that the check depends on: what is in the module, and programs with their indexes.
            inputs = [name for codec in chapter.encodings if codec.mappings for name in codec.mappings.inputs]
            check = partial(templates.check, chapter, module, machine(snapshot))
            cached(("check", module, texts.get(chapter.header, ""), *inputs), check)
        except templates.TemplateError as error:
            refusals.append(str(error))
    if refusals:
        raise templates.TemplateError("\n".join(refusals))
    for name in ("labels.pxi", "labels.py"):
        texts[name] = text(f"{name}.j2", encodings_source, {"encodings": listed})
    labels = sorted((label, position) for position, codec in enumerate(listed) for label in codec.labels)
    pages = code_pages.chapter(snapshot, data)
    facts = {
        "encodings": listed,
        "code_pages": pages.encodings,
        "positions": {codec.name: position for position, codec in enumerate(listed)},
        "labels": labels,
        "multi_byte": sum(not codec.handler.is_single_byte for codec in listed),
        "longest_label": max(len(label) for label, _ in labels),
    }
    texts["encodings.h"] = text("encodings.h.j2", encodings_source, facts)
    texts["constants.h"] = text("constants.h.j2", encodings_source, {"constants": constants.of_kernels(snapshot)})
    texts["pointers.py"] = text("pointers.py.j2", encodings_source, {"encodings": listed})
    for template, name in (
        ("chapter.pyx.j2", f"{pages.name}.pyx"),
        ("tables.h.j2", pages.header),
        ("code_pages.py.j2", f"{pages.name}.py"),
    ):
        handlers = pages.templates if name.endswith(".pyx") else ()
        texts[name] = text(template, [], {"chapter": pages}, handlers, code_pages.ORIGIN)
    texts["contexts.py"] = render("contexts.py.j2", contexts.template_context(data))
    texts["names.py"] = render("names.py.j2", name_table.template_context([codec.name for codec in listed], data))
    texts["detect_table.h"] = render("detect_table.h.j2", detection.template_context(data))
    texts["mojibake_table.h"] = render("mojibake_table.h.j2", mojibake.template_context(data))
    return texts


def emit(snapshot: Snapshot, folder: Path = GENERATED, data: Path = DATA) -> list[str]:
    """Write every file. Return the names of the changed ones."""
    return write(folder, outputs(snapshot, data))


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
    return out_of_date(folder, outputs(snapshot, data))


def out_of_date(folder: Path, texts: Mapping[str, str]) -> list[str]:
    """Return the names of the files in ``folder`` that differ from texts by file name, or are not among them."""
    files = {path.name: path.read_bytes() for path in folder.glob("*") if path.is_file()}
    wrong = [name for name, text in texts.items() if files.get(name) != text.encode()]
    return wrong + sorted(files.keys() - texts.keys())
