"""What templates render: each encoding, and each chapter of them, which is one module with its tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from generator import handlers, names
from generator.cache import cached
from generator.handlers import Handler
from generator.model import Encoding, GeneratorError, Snapshot
from generator.spec import step_names
from generator.spec.machine import machine
from generator.steps import StepNumbers
from generator.tables import Mappings, Pointers, Table, TwoStage


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
    steps: Mapping[str, StepNumbers]
    """The steps of its ``decoder``, its ``encoder`` and the operations that its template transcribes."""
    data: Mapping[str, object]
    """What the handler's template needs besides tables."""
    pointers: Mapping[str, Pointers]
    """The byte sequences of the pointers of each index that its decoder looks up."""
    mappings: Mappings | None
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


def _parts(codecs: Iterable[Codec], symbol: Callable[[Codec], str]) -> tuple[Part, ...]:
    """Return one part for each set of functions: the first encoding that uses it, and the names of all."""
    groups: dict[str, list[Codec]] = {}
    for codec in codecs:
        groups.setdefault(symbol(codec), []).append(codec)
    return tuple(Part(group[0], tuple(codec.name for codec in group)) for group in groups.values())


def _codec(encoding: Encoding, snapshot: Snapshot) -> Codec:
    handler = handlers.handler(encoding.name, encoding.heading)
    if handler is None:
        raise EmitError(f"the encoding {encoding.name!r} has no handler: add one to generator/handlers.py")
    cited = {"decoder": handler.decoder, "encoder": handler.encoder, **handler.operations}
    module, mappings = handlers.CHAPTERS[encoding.heading], handlers.mappings(snapshot, encoding)
    return codec(encoding, handler, module, cited, handler.data(snapshot), snapshot, mappings)


def codec(
    encoding: Encoding,
    handler: Handler,
    module: str,
    cited: Mapping[str, StepNumbers | None],
    data: Mapping[str, object],
    snapshot: Snapshot,
    mappings: Mappings | None = None,
) -> Codec:
    """Return an encoding as its handler's template uses it, which has `data` and cites the steps of `cited`."""
    symbol, programs = names.symbol(encoding.name), machine(snapshot).programs
    pointers = mappings.pointers if mappings else {}
    return Codec(
        name=names.checked_name(encoding.name),
        heading=encoding.heading,
        symbol=symbol,
        constant=names.constant(encoding.name),
        module=module,
        labels=tuple(map(names.checked_label, encoding.labels)),
        output_encoding=encoding.name if handler.has_encoder else "UTF-8",
        handler=handler,
        decoder=handler.decoder_symbol or symbol,
        encoder=handler.encoder_symbol or symbol,
        steps={key: step_names.resolved(steps, programs) for key, steps in cited.items() if steps is not None},
        data=data,
        pointers={name: pointers[name] for name in handler.indexes if name in pointers},
        mappings=mappings,
    )


def _chapter_tables(codecs: Iterable[Codec], snapshot: Snapshot, refusals: list[str]) -> tuple[Table, ...]:
    """Return the distinct tables that these encodings use; add why others cannot be filled to `refusals`."""
    users: dict[Callable[[Snapshot], list[Table]], list[Codec]] = {}
    for codec in codecs:
        users.setdefault(codec.handler.tables, []).append(codec)
    unique: dict[str, Table] = {}
    for build, sharing in users.items():
        inputs = tuple(table_input for codec in sharing if codec.mappings for table_input in codec.mappings.inputs)
        fill = partial(build, snapshot)
        try:
            for table in cached(("tables", *inputs), fill) if inputs else fill():
                unique.setdefault(table.symbol, table)
        except _FAILURES as error:
            refusals.append(_misfit(sharing[0].name, sharing[0].heading, error))
    return tuple(unique.values())


_FAILURES = (GeneratorError, ArithmeticError, AttributeError, LookupError, StopIteration, TypeError, ValueError)
"""What is raised where an algorithm does not have the form of which tables and constants are made."""


def _misfit(name: str, heading: str, error: Exception) -> str:
    """Return a line on an encoding whose tables or constants its algorithms do not give."""
    handler = handlers.handler(name, heading)
    where = f"templates/_handlers/{handler.template}.pyx.j2 does not fit {name}: " if handler else ""
    return where + (
        str(error) if isinstance(error, GeneratorError) else f"what it is made of cannot be found: {error!r}"
    )


def fitting(snapshot: Snapshot) -> tuple[list[Codec], list[Chapter], list[str]]:
    """Return the encodings in the standard's order, their modules, and in lines which templates do not fit, and why.

    An encoding that its template does not fit is in no module. A chapter without encodings is no module.
    """
    codecs: list[Codec] = []
    refusals: list[str] = []
    for encoding in snapshot.encodings:
        try:
            codecs.append(_codec(encoding, snapshot))
        except names.UnsafeNameError:
            raise
        except _FAILURES as error:
            refusals.append(_misfit(encoding.name, encoding.heading, error))
    chapters = []
    for title, name in handlers.CHAPTERS.items():
        if members := tuple(codec for codec in codecs if codec.module == name):
            chapters.append(Chapter(name, title, members, _chapter_tables(members, snapshot, refusals)))
    return codecs, chapters, list(dict.fromkeys(refusals))
