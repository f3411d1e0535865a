"""The kernels of src/kernels and their variants: what ``generated/levels.h`` and ``generated/levels.pxd`` are made of.

A kernel is called as ``name(simd, ...)``, and its variants, which take the same parameters without the level, are
called ``name_<level>``. Most are written by hand, in the file of their level; a variant with an entry in `instances` is
a call of a function that several kernels share, with constants for what differs between them.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

#: In the order in which a kernel tries them. src/kernels/cpu.h says what each needs; some exclude one another.
LEVELS = ("avx512", "avx2", "x86_64_v2", "vector_16", "sse2", "bytes_16", "scalar")

WIDTH = 120


@dataclass(frozen=True)
class Kernel:
    """A function that calls its best variant that is not above a level."""

    name: str
    parameters: str
    """Those of C, without the level."""
    levels: tuple[str, ...]
    meaning: str = ""
    """What it returns or does, where its name does not say it."""
    kind: str = ""
    """The kind of text of a kernel that has one function for several: the end of its name."""
    returns: str = "size_t"
    instances: Mapping[str, str] = field(default_factory=dict)
    """The calls that variants consist of, by level; ``{}`` is `flag`."""
    flag: str = ""
    """The parameter that shared functions take as a constant, 1 or 0."""
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The levels whose variants take a parameter, by its name, if not all do."""
    first_16: str = ""
    """A step that converts sixteen items and returns how many are ASCII. Where text switches between scripts a run ends
    within a few items, so these are taken inline; otherwise the variant for long runs starts at the first."""
    vectors_from: int = 0
    """The length below which a source is too short to amortize the constants of vectors."""
    stops: str = ""
    """Whether the first item stops the run. Items that do often follow one another."""

    @property
    def arguments(self) -> list[str]:
        """The parameters' names."""
        return [_name(parameter) for parameter in self.parameters.split(", ")]

    @property
    def comment(self) -> str:
        """Its meaning as a comment, empty if it has none."""
        return _comment(self.meaning)

    @property
    def prototype(self) -> str:
        """The declaration without ``static inline``, in the form of C and of Cython, on one line."""
        return f"{self.returns} {self.name}(int simd, {self.parameters})"

    @property
    def head(self) -> str:
        """The definition's first lines."""
        return _wrapped(f"static inline {self.prototype}")

    @property
    def unused(self) -> str:
        """Marks the parameters as used that some builds have no variant for."""
        return ", ".join(f"(void){name}" for name in ("simd", *self.only))

    @property
    def variants(self) -> list[Variant]:
        """Its variants, best first."""
        return [Variant(self, level) for level in LEVELS if level in self.levels]


@dataclass(frozen=True)
class Variant:
    """A kernel at a level."""

    kernel: Kernel
    level: str

    @property
    def name(self) -> str:
        return f"{self.kernel.name}_{self.level}"

    @property
    def available(self) -> str:
        """The macro that is defined where this level is; empty for the scalar one."""
        return "" if self.level == "scalar" else f"WE_HAVE_{self.level.upper()}"

    @property
    def simd(self) -> str:
        """The level's number."""
        return f"WE_SIMD_{self.level.upper()}"

    @property
    def call(self) -> str:
        arguments = ", ".join(name for name in self.kernel.arguments if self._takes(name))
        return _wrapped(f"{self.name}({arguments})", 8 + len("return "))

    @property
    def head(self) -> str:
        """The first lines of its definition."""
        target = "" if self.level in ("scalar", "bytes_16") else f"WE_TARGET_{self.level.upper()} "
        parameters = [it for it in self.kernel.parameters.split(", ") if self._takes(_name(it))]
        return _wrapped(f"{target}static inline {self.kernel.returns} {self.name}({', '.join(parameters)})")

    @property
    def calls(self) -> list[str]:
        """Of an instance, the calls where the kernel's flag is 1 and 0, one if it has none; empty if it is none."""
        shared = self.kernel.instances.get(self.level)
        if shared is None:
            return []
        if not self.kernel.flag:
            return [_wrapped(shared, 4 + len("return "))]
        return [_wrapped(shared.format(1), 8 + len("return ")), _wrapped(shared.format(0), 4 + len("return "))]

    def _takes(self, parameter: str) -> bool:
        return self.level in self.kernel.only.get(parameter, LEVELS)


@dataclass(frozen=True)
class ByKind:
    """A function that calls the kernel for a kind of text, which is a constant wherever it is inlined."""

    kernels: tuple[Kernel, ...]

    @property
    def head(self) -> str:
        """The definition's first lines: the pointer to text has no unit."""
        first = self.kernels[0]
        parameters = ", ".join(
            re.sub(r"\w+ \*", "void *", parameters[0]) if len(set(parameters)) > 1 else parameters[0]
            for parameters in zip(*(kernel.parameters.split(", ") for kernel in self.kernels), strict=True)
        )
        name = first.name.removesuffix(f"_{first.kind}")
        return _wrapped(f"WE_ALWAYS_INLINE {first.returns} {name}(int simd, int kind, {parameters})")

    def call(self, kernel: Kernel, indent: int) -> str:
        """Return the call of one of its kernels, which is to stand at an indent."""
        arguments = ", ".join(
            f"({parameter.removesuffix(_name(parameter))}){_name(parameter)}" if len(set(parameters)) > 1
            else _name(parameter)
            for parameter, parameters in zip(
                kernel.parameters.split(", "),
                zip(*(kernel.parameters.split(", ") for kernel in self.kernels), strict=True),
                strict=True,
            )
        )  # fmt: skip
        return _wrapped(f"{kernel.name}(simd, {arguments})", indent + len("return "))


def _name(parameter: str) -> str:
    found = re.search(r"\w+$", parameter)
    assert found is not None
    return found[0]


def _wrapped(code: str, indent: int = 0) -> str:
    """Return the head of a definition, or a call at an indent, in lines of at most WIDTH characters, aligned."""
    start = " " * (indent + code.index("(") + 1)
    whole = " " * indent + re.sub(r"(?<!,) ", "\0", code)
    return textwrap.fill(whole, WIDTH, subsequent_indent=start, break_on_hyphens=False).replace("\0", " ").lstrip()


def _comment(text: str) -> str:
    return textwrap.fill(f"/* {text} */", WIDTH, subsequent_indent=" * ") if text else ""


@dataclass(frozen=True)
class Shape:
    """The kernels of one folder of src/kernels."""

    folder: str
    headers: tuple[str, ...]
    """What defines its variants. They may call the kernels of the shapes before."""
    equals: str
    """The handlers of generated/*.pyx that its kernels must equal on the items that they convert, and their anchors."""
    kernels: tuple[Kernel, ...]
    for_cython: bool = False
    """Whether Cython sources call its kernels themselves: those of other shapes are called through src/engine."""

    @property
    def comment(self) -> str:
        return _comment(f"Each kernel must equal a handler on the items that it converts: {self.equals}.")

    @property
    def by_kind(self) -> list[ByKind]:
        """The functions that call a kernel by kind."""
        groups: dict[str, list[Kernel]] = {}
        for kernel in self.kernels:
            if kernel.kind:
                groups.setdefault(kernel.name.removesuffix(kernel.kind), []).append(kernel)
        return [ByKind(tuple(group)) for group in groups.values()]


#: The kinds of text and their units; for decoders UTF-8 is one, in bytes.
UNITS = {"ucs1": "uint8_t", "ucs2": "uint16_t", "ucs4": "uint32_t", "utf8": "uint8_t"}
STRINGS = ("ucs1", "ucs2", "ucs4")

BYTES = "const uint8_t *source, size_t length"


def _loop(call: str) -> dict[str, str]:
    """Return the instances of a plain loop: ``VECTORS`` is whether it takes ASCII by the vectors of the baseline."""
    return {"scalar": call.replace("VECTORS", "0"), "bytes_16": call.replace("VECTORS", "1")}


def _at(levels: tuple[str, ...], call: str) -> dict[str, str]:
    """Return the instances of functions whose names end in the level, ``LEVEL``."""
    return {level: call.replace("LEVEL", level) for level in levels}


def _ascii() -> Iterator[Kernel]:
    baseline_and_avx2 = ("scalar", "bytes_16", "avx2")
    every = (*baseline_and_avx2, "avx512")
    yield Kernel("we_ascii_length", BYTES, every, "Return the length of the run of ASCII bytes.")
    for kind in STRINGS:
        yield Kernel(
            f"we_ascii_run_to_{kind}",
            f"{BYTES}, {UNITS[kind]} *target",
            baseline_and_avx2 if kind == "ucs4" else every,
            first_16=f"we_ascii_step_to_{kind}_16",
        )
    for kind in ("ucs2", "ucs4"):
        yield Kernel(
            f"we_ascii_run_from_{kind}",
            f"const {UNITS[kind]} *source, size_t length, uint8_t *target",
            baseline_and_avx2 if kind == "ucs4" else every,
            first_16=f"we_ascii_step_from_{kind}_16",
        )
    for verb, source, target in (
        ("widen", "ucs1", "ucs2"), ("widen", "ucs1", "ucs4"), ("widen", "ucs2", "ucs4"),
        ("narrow", "ucs2", "ucs1"), ("narrow", "ucs4", "ucs2"), ("narrow", "ucs4", "ucs1"),
    ):  # fmt: skip
        yield Kernel(
            f"we_{verb}_{source}_to_{target}",
            f"const {UNITS[source]} *source, size_t length, {UNITS[target]} *target",
            baseline_and_avx2,
            "Keep the low bits. The caller guarantees that every unit fits." if verb == "narrow" else "",
            returns="void",
        )
    yield Kernel(
        "we_or_blocks",
        "const uint8_t *source, size_t blocks",
        baseline_and_avx2,
        "Return the OR of blocks * 64 bytes, as eight bytes.",
        returns="uint64_t",
    )
    for what, kind in (
        ("non_ascii", "ucs1"), ("non_ascii", "ucs2"), ("non_ascii", "ucs4"), ("replacement_character", "ucs2")
    ):  # fmt: skip
        name = f"we_{what}_count_{kind}"
        yield Kernel(
            name,
            f"const {UNITS[kind]} *source, size_t length",
            baseline_and_avx2,
            instances=_at(("avx2",), f"{name}_scalar(source, length)"),  # compilers vectorize it
        )


def _utf_8() -> Iterator[Kernel]:
    vectors = ("vector_16", "avx2", "avx512")
    every = ("scalar", "bytes_16", *vectors)
    yield Kernel(
        "we_utf_8_run_to_latin1",
        f"{BYTES}, uint8_t *target, size_t *written",
        every,
        "Return the bytes read up to the first sequence that is malformed, incomplete or above U+00FF.",
        instances=_loop("we_utf_8_decode_loop(source, length, target, WE_UCS1, VECTORS, written)")
        | _at(("vector_16", "avx2"), "we_utf_8_decode_LEVEL(source, length, target, WE_UCS1, written)"),
    )
    for kind, what in (("ucs2", "malformed, incomplete or of four bytes"), ("ucs4", "malformed or incomplete")):
        yield Kernel(
            f"we_utf_8_run_to_{kind}",
            f"{BYTES}, {UNITS[kind]} *target, size_t *written",
            every,
            f"Return the bytes read up to the first sequence that is {what}.",
            instances=_loop(f"we_utf_8_decode_loop(source, length, target, WE_{kind.upper()}, VECTORS, written)")
            | _at(vectors, f"we_utf_8_decode_LEVEL(source, length, target, WE_{kind.upper()}, written)"),
        )
    yield Kernel(
        "we_utf_8_copy_run",
        f"{BYTES}, uint8_t *target",
        every,
        "Copy the longest prefix of complete, valid sequences and return its length in bytes. The copied bytes "
        "are those that were checked, even if the source changes.",
        instances=_loop("we_utf_8_validate_loop(source, length, target, VECTORS)")
        | _at(vectors, "we_utf_8_validate_LEVEL(source, length, target)"),
    )
    for kind in STRINGS:
        yield Kernel(
            f"we_utf_8_run_from_{kind}",
            f"const {UNITS[kind]} *source, size_t length, uint8_t *target, size_t *written",
            every,
            "" if kind == "ucs1" else "Return the units read up to the first surrogate.",
            kind=kind,
            instances=_loop(f"we_utf_8_encode_loop(source, WE_{kind.upper()}, length, target, VECTORS, written)")
            | _at(vectors, f"we_utf_8_encode_LEVEL(source, WE_{kind.upper()}, length, target, written)"),
            vectors_from=8 if kind == "ucs2" else 0,
        )


def _utf_16() -> Iterator[Kernel]:
    vectors = ("vector_16", "avx2", "avx512")
    source = f"{BYTES}, int big_endian"
    yield Kernel(
        "we_utf_16_run_to_ucs1",
        f"{source}, uint8_t *target, size_t *written, uint32_t max_code_point",
        ("scalar", *vectors),
        "Return the bytes read up to the first code unit above max_code_point (0x7F or 0xFF).",
        instances=_at(
            ("scalar", *vectors),
            "we_utf_16_decode_LEVEL(source, length, {}, target, WE_UCS1, max_code_point, written)",
        ),
        flag="big_endian",
    )
    copying = ("vector_16", "avx512")
    yield Kernel(
        "we_utf_16_run_to_ucs2",
        f"{source}, uint16_t *target, size_t *written, uint32_t *bits",
        ("scalar", *vectors),
        "Return the bytes read up to the first surrogate. `bits` is the run's: see codec.h.",
        instances=_at(
            ("scalar", "avx2"), "we_utf_16_decode_LEVEL(source, length, {}, target, WE_UCS2, 0xFFFF, written)"
        )
        | _at(copying, "we_utf_16_copy_run_LEVEL(source, length, {}, target, written, bits)"),
        flag="big_endian",
        only={"bits": copying},
    )
    yield Kernel(
        "we_utf_16_run_to_ucs4",
        f"{source}, uint32_t *target, size_t *written",
        ("scalar", *vectors),
        "Return the bytes read up to the first surrogate that is unpaired or whose other half is not there yet.",
        instances=_at(
            ("scalar", *vectors), "we_utf_16_decode_LEVEL(source, length, {}, target, WE_UCS4, 0x10FFFF, written)"
        ),
        flag="big_endian",
    )


def _single_byte() -> Iterator[Kernel]:
    every = ("scalar", "bytes_16", "x86_64_v2", "avx2", "avx512")
    yield Kernel(
        "we_single_byte_map",
        f"{BYTES}, const uint8_t *map, uint8_t *target, uint32_t *bits",
        every,
        only={"bits": ("avx512",)},
    )
    yield Kernel(
        "we_single_byte_run_to_ucs2",
        f"{BYTES}, const uint16_t *table, const we_single_byte_vectors *vectors, uint16_t *target, uint32_t *bits",
        every,
        "`bits` is that of we_decode_run. Only the AVX-512 variants set it, where that takes hardly any time.",
        only={"vectors": ("x86_64_v2", "avx2"), "bits": ("avx512",)},
    )
    yield Kernel(
        "we_single_byte_run_from_ucs2",
        "const uint16_t *source, size_t length, const we_single_byte_reverse *table, uint8_t *target",
        ("scalar", "sse2", "vector_16", "avx2", "avx512"),
        vectors_from=8,
    )


def _double_byte() -> Iterator[Kernel]:
    every = ("scalar", "bytes_16", "vector_16", "avx2", "avx512")
    for kind in ("ucs2", "ucs4", "utf8"):
        rest = f"WE_{kind.upper()}, target, written)"
        yield Kernel(
            f"we_double_byte_run_to_{kind}",
            f"{BYTES}, const uint16_t *pairs, int katakana, {UNITS[kind]} *target, size_t *written",
            every,
            kind=kind,
            instances=_loop(f"we_double_byte_decode_loop(source, length, pairs, {{}}, VECTORS, {rest}")
            | _at(every[2:], f"we_double_byte_run_LEVEL(source, length, pairs, {{}}, {rest}"),
            flag="katakana",
            stops="we_double_byte_stops(source, length, pairs, katakana)",
        )
    for kind in STRINGS:
        start, rest = f"(source, WE_{kind.upper()}, length, reverse, ", "target, written)"
        yield Kernel(
            f"we_double_byte_run_from_{kind}",
            f"const {UNITS[kind]} *source, size_t length, const uint16_t *reverse, uint8_t *target, size_t *written",
            every,
            kind=kind,
            instances=_loop(f"we_double_byte_encode_loop{start}VECTORS, {rest}")
            | _at(("vector_16", "avx2"), f"we_double_byte_run_from_vector_16{start}{rest}")
            | _at(("avx512",), f"we_double_byte_run_from_avx512{start}{rest}"),
            stops="length >= 1 && we_is_unmapped(source[0], reverse)",
        )


def _iso_2022_jp() -> Iterator[Kernel]:
    for kind in ("ucs2", "ucs4", "utf8"):
        arguments = f"(source, length, pairs, WE_{kind.upper()}, target, written)"
        # Most runs are short: blocks of eight pairs are faster than AVX-512's of 32, except for UTF-8, whose units have
        # to be encoded.
        vectors = ("vector_16", "avx512") if kind == "utf8" else ("vector_16",)
        yield Kernel(
            f"we_iso_2022_jp_pairs_to_{kind}",
            f"{BYTES}, const uint16_t *pairs, {UNITS[kind]} *target, size_t *written",
            ("scalar", *vectors),
            kind=kind,
            instances=_at(("scalar", *vectors), f"we_iso_2022_jp_decode_pairs_LEVEL{arguments}"),
        )
    for kind in UNITS:
        plain = f"(source, length, roman, WE_{kind.upper()}, target"
        yield Kernel(
            f"we_iso_2022_jp_plain_to_{kind}",
            f"{BYTES}, int roman, {UNITS[kind]} *target",
            ("scalar", "bytes_16", "avx512"),
            kind=kind,
            instances=_loop(f"we_iso_2022_jp_decode_plain{plain}, VECTORS)")
            | _at(("avx512",), f"we_iso_2022_jp_decode_plain_LEVEL{plain})"),
        )
    for kind in STRINGS:
        arguments = f"(source, WE_{kind.upper()}, length, reverse, target)"
        yield Kernel(
            f"we_iso_2022_jp_pairs_from_{kind}",
            f"const {UNITS[kind]} *source, size_t length, const uint16_t *reverse, uint8_t *target",
            ("scalar", "vector_16"),
            kind=kind,
            instances=_at(("scalar", "vector_16"), f"we_iso_2022_jp_encode_pairs_LEVEL{arguments}"),
        )


SHAPES = (
    Shape(
        "ascii",
        ("ascii/avx512.h", "ascii/count.h"),
        "the step of every handler for ASCII (#ascii-byte of Infra), as in single_byte_decode_item, "
        "https://encoding.spec.whatwg.org/#single-byte-decoder",
        tuple(_ascii()),
        for_cython=True,
    ),
    Shape(
        "utf_8",
        ("utf_8/avx512.h",),
        "utf_8_decode_item (https://encoding.spec.whatwg.org/#utf-8-decoder) and utf_8_encode_item (#utf-8-encoder)",
        tuple(_utf_8()),
    ),
    Shape(
        "utf_16",
        ("utf_16/avx512.h",),
        "utf_16be_decode_item and utf_16le_decode_item (https://encoding.spec.whatwg.org/#shared-utf-16-decoder)",
        tuple(_utf_16()),
    ),
    Shape(
        "single_byte",
        ("single_byte/avx512.h",),
        "single_byte_decode_item (https://encoding.spec.whatwg.org/#single-byte-decoder) and single_byte_encode_item "
        "(#single-byte-encoder)",
        tuple(_single_byte()),
    ),
    Shape(
        "double_byte",
        ("double_byte/avx512.h",),
        "shift_jis, euc_jp, euc_kr, big5 or gb18030 _decode_item and shift_jis, euc_jp, euc_kr, big5, gbk or gb18030 "
        "_encode_item (https://encoding.spec.whatwg.org/#shift_jis-decoder to #gb18030-encoder)",
        tuple(_double_byte()),
    ),
    Shape(
        "iso_2022_jp",
        ("iso_2022_jp/avx512.h",),
        "iso_2022_jp_decode_item (https://encoding.spec.whatwg.org/#iso-2022-jp-decoder) and iso_2022_jp_encode_item "
        "(#iso-2022-jp-encoder)",
        tuple(_iso_2022_jp()),
    ),
)
