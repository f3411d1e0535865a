"""The kernels of src/native/kernels and their variants, from which ``generated/levels.h`` and ``levels.pxd`` are made.

A kernel is called as ``name(simd, ...)``, and its variants, which take the same parameters without the level, are
called ``name_<level>``. Most are written by hand, in the file of their level or in vector.h. One that is in
`Kernel.calls` is a call of a function that several kernels share, with constants for what differs between them.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

#: The names of each architecture's levels, by their numbers from 0 on. src/native/kernels/cpu.h says what each needs.
NAMES = {"x86_64": ("scalar", "sse2", "x86-64-v2", "avx2", "avx512"), "aarch64": ("scalar", "neon")}
NUMBERS = {name: number for names in NAMES.values() for number, name in enumerate(names)}
#: Those of vectors of 16 bytes that one source is for: the whole of vectors.h, and its part for the baseline.
SHARED = {"x86-64-v2": "vector_16", "sse2": "bytes_16"}
#: Those that a variant is written for, in the order in which a kernel tries them; some exclude one another.
LEVELS = tuple(
    level.replace("-", "_") for name in reversed(NAMES["x86_64"]) for level in (name, SHARED.get(name, "")) if level
)
#: The bytes of vectors, and the level of which a loop of steps takes what is left, by level.
VECTOR_BYTES = {"bytes_16": 16, "avx2": 32, "avx512": 64}
BELOW = {"bytes_16": "scalar", "avx2": "bytes_16", "avx512": "avx2"}
#: The kinds of text and their units; for decoders UTF-8 is one, in bytes.
UNITS = {"ucs1": "uint8_t", "ucs2": "uint16_t", "ucs4": "uint32_t", "utf8": "uint8_t"}
WIDTH = 120


@dataclass(frozen=True)
class Kernel:
    """A function that calls its best variant that is not above a level.

    One for several kinds of text has ``<kind>``, ``<KIND>`` and ``<unit>`` for what differs.
    """

    name: str
    parameters: str
    """Those of C, without the level."""
    levels: str
    """Those that have a variant."""
    meaning: str = ""
    """What it returns or does, where its name does not say it."""
    kinds: str = ""
    by_kind: bool = False
    """Whether there is a function, too, that takes the kind as a parameter, a constant wherever it is inlined."""
    returns: str = "size_t"
    calls: Mapping[str, str] = field(default_factory=dict)
    """The calls that variants consist of, by levels. ``<level>`` is the level's name, ``<flag>`` the value of `flag`,
    ``<vectors>`` whether a scalar loop takes ASCII by vectors of 16 bytes."""
    flag: str = ""
    """The parameter that shared functions take as a constant, 1 or 0."""
    only: Mapping[str, str] = field(default_factory=dict)
    """The levels whose variants take a parameter, by its name, if not all do."""
    step: str = ""
    """The function that converts as many items as vectors have bytes, without that number. A run's returns how many are
    ASCII; where text switches between scripts a run ends within a few items, so its first sixteen are taken inline, and
    otherwise again by the variant. Variants with vectors are loops of steps: WE_ASCII_RUN or WE_CONVERT."""
    vectors_from: int = 0
    """The length below which a source is too short to amortize the constants of vectors."""
    is_apart: bool = False
    """Whether wide variants can be compiled apart (apart.c), since they take most of the time of the modules that have
    them."""
    stops: str = ""
    """Whether the first item stops the run. Items that do often follow one another."""

    def of_kind(self, kind: str, unit: str) -> Kernel:
        """Return the kernel for one kind of text."""

        def of(text: str) -> str:
            return text.replace("<kind>", kind).replace("<KIND>", f"WE_{kind.upper()}").replace("<unit>", unit)

        calls = {levels: of(call) for levels, call in self.calls.items()}
        name, parameters, step = map(of, (self.name, self.parameters, self.step))
        return replace(self, name=name, parameters=parameters, step=step, calls=calls, kinds=kind)

    @property
    def each(self) -> list[Kernel]:
        """The kernels for its kinds; itself if it has none."""
        return [self.of_kind(kind, UNITS[kind]) for kind in self.kinds.split()] or [self]

    @property
    def for_kinds(self) -> Kernel:
        """The function that takes the kind as a parameter, and text without a unit."""
        kernel = self.of_kind("", "void")
        return replace(kernel, name=kernel.name.removesuffix("_"), parameters=f"int kind, {kernel.parameters}")

    @property
    def arguments(self) -> str:
        """The parameters' names."""
        return ", ".join(re.findall(r"\w+(?=,|$)", self.parameters))

    @property
    def comment(self) -> str:
        return comment(self.meaning)

    @property
    def prototype(self) -> str:
        """The declaration without ``static inline``, in the form of C and of Cython, on one line."""
        return f"{self.returns} {self.name}(int simd, {self.parameters})"

    @property
    def variants(self) -> list[Variant]:
        """Its variants, best first: each takes the parameters that it has a use for."""
        found = []
        for level in LEVELS:
            if level in self.levels.split():
                unused = [name for name, levels in self.only.items() if level not in levels.split()]
                used = [it for it in self.parameters.split(", ") if re.findall(r"\w+", it)[-1] not in unused]
                found.append(Variant(replace(self, name=f"{self.name}_{level}", parameters=", ".join(used)), level))
        return found


@dataclass(frozen=True)
class Variant:
    """A kernel at a level."""

    kernel: Kernel
    level: str

    @property
    def call(self) -> str:
        return f"{self.kernel.name}({self.kernel.arguments})"

    @property
    def head(self) -> str:
        """The definition without its body, on one line."""
        target = f"WE_TARGET_{self.level.upper()} " if self.is_wide else ""
        return f"{target}{'WE_APART' if self.is_apart else 'static inline'} {self.declaration}"

    @property
    def declaration(self) -> str:
        return f"{self.kernel.returns} {self.kernel.name}({self.kernel.parameters})"

    @property
    def is_wide(self) -> bool:
        """Whether it needs more than the compiler's baseline."""
        return self.level not in ("scalar", "bytes_16")

    @property
    def is_apart(self) -> bool:
        """Whether apart.c can define it; where the kernel has a flag, it can define the parts."""
        return self.kernel.is_apart and self.is_wide and not self.kernel.flag

    @property
    def parts(self) -> list[Variant]:
        """The functions for a flag of 1 and of 0, of which a module links what it calls, if they can be apart."""
        if not (self.kernel.is_apart and self.is_wide and self.kernel.flag):
            return []
        parameters = self.kernel.parameters.replace(f"int {self.kernel.flag}, ", "")
        part = replace(self.kernel, parameters=parameters, flag="")
        return [
            Variant(replace(part, name=f"{part.name}_{name}", calls={self.level: call}), self.level)
            for name, call in zip((self.kernel.flag, "plain"), self._shared, strict=True)
        ]

    @property
    def loop(self) -> str:
        """The macro that defines it as a loop of steps, if it is one."""
        if not self.kernel.step or self.level == "scalar":
            return ""
        source, target = re.findall(r"\w+(?= \*)", self.kernel.parameters)
        vector = VECTOR_BYTES[self.level]
        rest = self.kernel.name.replace(self.level, BELOW[self.level])
        attribute = "" if self.level == "bytes_16" else f"WE_TARGET_{self.level.upper()}"
        macro = "WE_CONVERT" if self.kernel.returns == "void" else "WE_ASCII_RUN"
        step = f"{self.kernel.step}_{vector}"
        return f"{macro}({self.kernel.name}, {attribute}, {source}, {target}, {vector}, {step}, {rest})"

    @property
    def calls(self) -> list[str]:
        """The call that it consists of, if it does; where the kernel has a flag, the two for 1 and 0."""
        return [part.call for part in self.parts] or self._shared

    @property
    def _shared(self) -> list[str]:
        """Its calls of functions that several kernels share."""
        call = next((call for levels, call in self.kernel.calls.items() if self.level in levels.split()), "")
        call = call.replace("<level>", self.level).replace("<vectors>", "0" if self.level == "scalar" else "1")
        return [call.replace("<flag>", flag) for flag in ("10" if self.kernel.flag else "0")] if call else []


@dataclass(frozen=True)
class Shape:
    """The kernels of one folder of src/native/kernels."""

    folder: str
    headers: tuple[str, ...]
    """What defines its variants. They may call the kernels of the shapes before."""
    equals: str
    """The handlers of generated/*.pyx that its kernels must equal on the items that they convert, and their anchors."""
    kernels: tuple[Kernel, ...]
    for_cython: bool = False
    """Whether Cython sources call its kernels themselves: those of other shapes are called through the engine."""

    @property
    def comment(self) -> str:
        return comment(f"Each kernel must equal a handler on the items that it converts: {self.equals}.")


def wrapped(code: str, indent: int = 0) -> str:
    """Return the head of a definition, or a call at an indent, in lines of at most WIDTH characters, aligned."""
    start = " " * (indent + code.index("(") + 1)
    whole = " " * indent + re.sub(r"(?<!,) ", "\0", code)
    return textwrap.fill(whole, WIDTH, subsequent_indent=start, break_on_hyphens=False).replace("\0", " ").lstrip()


def comment(text: str) -> str:
    """Return a comment in C, empty if the text is."""
    return textwrap.fill(f"/* {text} */", WIDTH, subsequent_indent=" * ") if text else ""


# fmt: off
BYTES = "const uint8_t *source, size_t length"
UNITS_OF_KIND = "const <unit> *source, size_t length"
AVX2 = "scalar bytes_16 avx2"
FULL = "scalar bytes_16 vector_16 avx2 avx512"
LOOPS, VECTORS = "scalar bytes_16", "vector_16 avx2 avx512"
ASCII_ALONE = {"scalar": "*written = we_ascii_run_to_ucs1_scalar(source, length, target)"}
PAIRS = "source, length, pairs"

ASCII = (
    Kernel("we_ascii_length", BYTES, AVX2, "Return the length of the run of ASCII bytes."),
    Kernel("we_ascii_run_to_ucs1", f"{BYTES}, uint8_t *target", f"{AVX2} avx512", step="we_ascii_step_to_ucs1"),
    Kernel("we_ascii_run_to_<kind>", f"{BYTES}, <unit> *target", AVX2, kinds="ucs2 ucs4",
           step="we_ascii_step_to_<kind>"),
    Kernel("we_ascii_run_from_<kind>", f"{UNITS_OF_KIND}, uint8_t *target", AVX2, kinds="ucs2 ucs4",
           step="we_ascii_step_from_<kind>"),
    Kernel("we_widen_ucs1_to_<kind>", f"{BYTES}, <unit> *target", AVX2, kinds="ucs2 ucs4", returns="void",
           step="we_widen_step_ucs1_to_<kind>"),
    Kernel("we_widen_ucs2_to_ucs4", "const uint16_t *source, size_t length, uint32_t *target", AVX2, returns="void",
           step="we_widen_step_ucs2_to_ucs4"),
    Kernel("we_narrow_<kind>_to_ucs1", f"{UNITS_OF_KIND}, uint8_t *target", AVX2,
           "Keep the low bits. The caller guarantees that every unit fits.", kinds="ucs2 ucs4", returns="void",
           step="we_narrow_step_<kind>_to_ucs1"),
    Kernel("we_narrow_ucs4_to_ucs2", "const uint32_t *source, size_t length, uint16_t *target", AVX2,
           "Keep the low bits. The caller guarantees that every unit fits.", returns="void",
           step="we_narrow_step_ucs4_to_ucs2"),
    Kernel("we_or_blocks", "const uint8_t *source, size_t blocks", AVX2,
           "Return the OR of blocks * 64 bytes, as eight bytes.", returns="uint64_t"),
    # Compilers vectorize the scalar loops that count for AVX2.
    Kernel("we_non_ascii_count_<kind>", UNITS_OF_KIND, AVX2, kinds="ucs1 ucs2 ucs4",
           calls={"avx2": "we_non_ascii_count_<kind>_scalar(source, length)"}),
    Kernel("we_replacement_character_count_ucs2", "const uint16_t *source, size_t length", AVX2,
           calls={"avx2": "we_replacement_character_count_ucs2_scalar(source, length)"}),
)

UTF_8 = (
    Kernel("we_utf_8_run_to_latin1", f"{BYTES}, uint8_t *target, size_t *written", FULL,
           "Return the bytes read up to the first sequence that is malformed, incomplete or above U+00FF.",
           calls={LOOPS: "we_utf_8_decode_loop(source, length, target, WE_UCS1, <vectors>, written)",
                  "vector_16 avx2": "we_utf_8_decode_<level>(source, length, target, WE_UCS1, written)"}),
    Kernel("we_utf_8_run_to_<kind>", f"{BYTES}, <unit> *target, size_t *written", FULL,
           "Return the bytes read up to the first sequence that is malformed, incomplete or, to UCS-2, of four bytes.",
           kinds="ucs2 ucs4",
           calls={LOOPS: "we_utf_8_decode_loop(source, length, target, <KIND>, <vectors>, written)",
                  VECTORS: "we_utf_8_decode_<level>(source, length, target, <KIND>, written)"}),
    Kernel("we_utf_8_copy_run", f"{BYTES}, uint8_t *target", FULL,
           "Copy the longest prefix of complete, valid sequences and return its length in bytes. What is copied was "
           "checked, even if the source changes.",
           calls={LOOPS: "we_utf_8_validate_loop(source, length, target, <vectors>)",
                  VECTORS: "we_utf_8_validate_<level>(source, length, target)"}),
    Kernel("we_utf_8_run_from_<kind>", f"{UNITS_OF_KIND}, uint8_t *target, size_t *written", FULL,
           "Return the units read up to the first surrogate, which UCS-1 does not have.",
           kinds="ucs1 ucs2 ucs4", by_kind=True, vectors_from=8,
           calls={LOOPS: "we_utf_8_encode_loop(source, <KIND>, length, target, <vectors>, written)",
                  VECTORS: "we_utf_8_encode_<level>(source, <KIND>, length, target, written)"}),
)

UTF_16 = (
    Kernel("we_utf_16_run_to_ucs1",
           f"{BYTES}, int big_endian, uint8_t *target, size_t *written, uint32_t max_code_point",
           "scalar vector_16 avx2",
           "Return the bytes read up to the first code unit above max_code_point (0x7F or 0xFF).",
           flag="big_endian",
           calls={FULL: "we_utf_16_decode_<level>(source, length, <flag>, target, WE_UCS1, max_code_point, written)"}),
    Kernel("we_utf_16_run_to_ucs2", f"{BYTES}, int big_endian, uint16_t *target, size_t *written",
           "scalar vector_16 avx2",
           "Return the bytes read up to the first surrogate.", flag="big_endian",
           calls={"scalar": "we_utf_16_decode_<level>(source, length, <flag>, target, WE_UCS2, 0xFFFF, written)",
                  VECTORS: "we_utf_16_copy_run_<level>(source, length, <flag>, target, written)"}),
    Kernel("we_utf_16_run_to_ucs4", f"{BYTES}, int big_endian, uint32_t *target, size_t *written", f"scalar {VECTORS}",
           "Return the bytes read up to the first surrogate that is unpaired or whose other half is not there yet.",
           flag="big_endian",
           calls={"scalar vector_16 avx2":
                  "we_utf_16_decode_<level>(source, length, <flag>, target, WE_UCS4, 0x10FFFF, written)",
                  "avx512": "we_utf_16_to_ucs4_avx512(source, length, <flag>, target, written)"}),
    Kernel("we_utf_16_put", "const uint32_t *source, size_t length, uint16_t *target, size_t capacity", "scalar avx512",
           "Write code points as UTF-16 in native byte order; return how many units. Write nothing beyond the "
           "capacity, which suffices."),
)

SINGLE_BYTE = (
    Kernel("we_single_byte_map", f"{BYTES}, const uint8_t *map, uint8_t *target",
           "scalar bytes_16 x86_64_v2 avx2 avx512"),
    Kernel("we_single_byte_run_to_ucs2", f"{BYTES}, const uint16_t *table, const we_single_byte_vectors *vectors, "
           "uint16_t *target", "scalar bytes_16 x86_64_v2 avx2 avx512", only={"vectors": "x86_64_v2 avx2"}),
    Kernel("we_single_byte_run_from_ucs2",
           "const uint16_t *source, size_t length, const we_single_byte_reverse *table, uint8_t *target",
           "scalar sse2 vector_16 avx2 avx512", vectors_from=8),
    Kernel("we_single_byte_sparse_to_utf8", f"{BYTES}, const uint16_t *table, uint8_t *target, size_t *written", AVX2,
           "Decode bytes of which most are ASCII, up to where they are not, or to the last block.",
           calls=ASCII_ALONE, only={"table": "bytes_16 avx2"}),
    Kernel("we_single_byte_sparse_from_utf8",
           f"{BYTES}, const we_single_byte_reverse *table, uint8_t *target, size_t *written", AVX2,
           "The same from UTF-8. The capacity is a byte for each byte.",
           calls=ASCII_ALONE, only={"table": "bytes_16 avx2"}),
)

DOUBLE_BYTE = (
    Kernel("we_double_byte_run_to_<kind>",
           f"{BYTES}, const uint16_t *pairs, int katakana, <unit> *target, size_t *written", FULL,
           kinds="ucs2 ucs4 utf8", by_kind=True, is_apart=True,
           flag="katakana", stops="we_double_byte_stops(source, length, pairs, katakana)",
           calls={LOOPS: f"we_double_byte_decode_loop({PAIRS}, <flag>, <vectors>, <KIND>, target, written)",
                  VECTORS: f"we_double_byte_run_<level>({PAIRS}, <flag>, <KIND>, target, written)"}),
    Kernel("we_double_byte_run_from_<kind>",
           f"{UNITS_OF_KIND}, const uint16_t *reverse, uint8_t *target, size_t *written", FULL,
           kinds="ucs1 ucs2 ucs4", by_kind=True, is_apart=True,
           stops="length >= 1 && we_is_unmapped(source[0], reverse)",
           calls={LOOPS: "we_double_byte_encode_loop(source, <KIND>, length, reverse, <vectors>, target, written)",
                  "vector_16 avx2":
                  "we_double_byte_run_from_vector_16(source, <KIND>, length, reverse, target, written)",
                  "avx512": "we_double_byte_run_from_avx512(source, <KIND>, length, reverse, target, written)"}),
)

ISO_2022_JP = (
    Kernel("we_iso_2022_jp_blocks_to_<kind>",
           f"{BYTES}, const uint16_t *pairs, <unit> *target, size_t *written, we_decoder_state *run",
           "scalar avx2",
           "Decode blocks, escape sequences included; return the bytes read. Some may be left: without AVX2, all.",
           kinds="ucs2 ucs4", by_kind=True,
           only=dict.fromkeys(("source", "length", "pairs", "target", "run"), "avx2"),
           calls={"scalar": "we_decode_nothing(written)",
                  "avx2": f"we_iso_2022_jp_blocks_<level>({PAIRS}, <KIND>, target, written, run)"}),
    Kernel("we_iso_2022_jp_pairs_to_<kind>", f"{BYTES}, const uint16_t *pairs, <unit> *target, size_t *written",
           "scalar vector_16", kinds="ucs2 ucs4 utf8", by_kind=True,
           calls={FULL: f"we_iso_2022_jp_decode_pairs_<level>({PAIRS}, <KIND>, target, written)"}),
    Kernel("we_iso_2022_jp_pairs_from_<kind>", f"{UNITS_OF_KIND}, const uint16_t *reverse, uint8_t *target",
           "scalar vector_16", kinds="ucs1 ucs2 ucs4", by_kind=True,
           calls={FULL: "we_iso_2022_jp_encode_pairs_<level>(source, <KIND>, length, reverse, target)"}),
)

SPEC = "https://encoding.spec.whatwg.org/#"
SHAPES = (
    Shape("ascii", ("ascii/avx512.h", "ascii/count.h"),
          f"the step of each for ASCII, as in single_byte_decode_item ({SPEC}single-byte-decoder)", ASCII,
          for_cython=True),
    Shape("utf_8", ("utf_8/avx512.h",),
          f"utf_8_decode_item ({SPEC}utf-8-decoder), utf_8_encode_item (#utf-8-encoder)", UTF_8),
    Shape("utf_16", ("utf_16/avx512.h",),
          f"utf_16be_decode_item, utf_16le_decode_item ({SPEC}shared-utf-16-decoder)", UTF_16),
    Shape("single_byte", ("single_byte/avx512.h",),
          f"single_byte_decode_item ({SPEC}single-byte-decoder), single_byte_encode_item (#single-byte-encoder)",
          SINGLE_BYTE),
    Shape("double_byte", ("double_byte/avx512.h",),
          "shift_jis, euc_jp, euc_kr, big5 or gb18030 _decode_item, shift_jis, euc_jp, euc_kr, big5, gbk or gb18030 "
          f"_encode_item ({SPEC}shift_jis-decoder to #gb18030-encoder)", DOUBLE_BYTE),
    Shape("iso_2022_jp", ("iso_2022_jp/avx2.h",),
          f"iso_2022_jp_decode_item ({SPEC}iso-2022-jp-decoder), iso_2022_jp_encode_item (#iso-2022-jp-encoder)",
          ISO_2022_JP),
)
# fmt: on
