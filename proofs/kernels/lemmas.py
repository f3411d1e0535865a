"""What is proved: which lemma of which C file, at which levels, for which lengths of source."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Invariant = Callable[[Any, Any], Any]
"""A condition on an index of a table and on the entry there, as arrays of numpy and as terms of z3."""


def _is_pair(leading: Callable[[Any], Any], trailing: Callable[[Any], Any]) -> Invariant:
    return lambda key, entry: (entry == 0) | (leading(key >> 8 | 0x80) & trailing(key & 0xFF))


def _from(first: int, last: int) -> Callable[[Any], Any]:
    return lambda byte: (byte >= first) & (byte <= last)


def _ascii(key: Any, entry: Any) -> Any:
    return (key >= 0x80) | (entry == key)


INVARIANTS: Mapping[str, Invariant] = {
    "euc_jp_pairs": _is_pair(lambda byte: (byte == 0x8E) | _from(0xA1, 0xFE)(byte), _from(0xA1, 0xFE)),
    "shift_jis_pairs": _is_pair(lambda byte: _from(0x81, 0x9F)(byte) | _from(0xE0, 0xFC)(byte), _from(0x40, 0xFC)),
    "euc_kr_pairs": _is_pair(_from(0x81, 0xFE), _from(0x41, 0xFE)),
    "big5_pairs": _is_pair(_from(0x81, 0xFE), _from(0x40, 0xFE)),
    "gb18030_pairs": _is_pair(_from(0x81, 0xFE), _from(0x40, 0xFE)),
    # Both bytes of a pair are above 0x80. Half-width katakana begin with 8E, which is no byte of jis0208, and what the
    # state Roman has is not in jis0208.
    "euc_jp_reverse": lambda key, entry: (
        _ascii(key, entry)
        & ((key < 0x80) | (entry < 0x80) | (entry & 0x8080 == 0x8080))
        & ((key < 0xFF61) | (key > 0xFF9F) | (entry & 0xFF == 0x8E))
        & (((key != 0xA5) & (key != 0x203E)) | (entry < 0x80))
    ),
    "shift_jis_reverse": _ascii,
    "euc_kr_reverse": _ascii,
    "big5_reverse": _ascii,
    # Of two bytes each; without the euro sign, which GBK has elsewhere, what is excluded, and surrogates.
    "gb18030_reverse": lambda key, entry: (
        _ascii(key, entry)
        & ((key < 0x80) | (entry == 0) | (entry > 0xFF))
        & (((key != 0x20AC) & (key != 0xE5E5) & ((key < 0xD800) | (key > 0xDFFF))) | (entry == 0))
    ),
}
"""What the handlers and the kernels need of the large tables, whatever else is in them."""


# -- The lemmas --------------------------------------------------------------------------------------------------------

SCALAR, BYTES_16, X86_64_V2, AVX2, AVX512 = range(5)
LEVELS = ("scalar", "bytes_16", "x86-64-v2", "avx2", "avx512")
UCS1, UCS2, UCS4, UTF8 = range(4)
KINDS = ("UCS1", "UCS2", "UCS4", "UTF-8")


@dataclass(frozen=True)
class Lemma:
    """A function ``prove_<name>`` of a C text, and its arguments."""

    text: str
    """The name of a file of this folder, without its suffix, or of a chapter of generated/."""
    name: str
    arguments: tuple[int, ...]
    label: str
    tables: str = ""
    """The tables that a handler of single-byte encodings is given."""


def _ascii_lemmas(nightly: bool) -> Iterator[Lemma]:
    # Two turns of each loop and a rest. A rest by item takes a way for each unit.
    lengths = {SCALAR: 19, BYTES_16: 37, AVX2: 69 + 16, AVX512: 133}
    for name in (
        "ascii_run_to_ucs1", "ascii_run_to_ucs2", "ascii_run_to_ucs4", "ascii_run_from_ucs2", "ascii_run_from_ucs4",
        "ascii_length", "widen_ucs1_to_ucs2", "widen_ucs1_to_ucs4", "widen_ucs2_to_ucs4", "narrow_ucs2_to_ucs1",
        "narrow_ucs4_to_ucs2", "narrow_ucs4_to_ucs1", "or_ucs1", "or_ucs2", "or_ucs4",
    ):  # fmt: skip
        for level, length in lengths.items():
            if level == AVX512 and name != "ascii_run_to_ucs1":
                continue  # the code of AVX2
            if not nightly and "run_from" in name and level == AVX2:
                length = 35
            yield Lemma("ascii", name, (level, length), f"{LEVELS[level]}, {length} units")


def _block_lemmas(nightly: bool) -> Iterator[Lemma]:
    yield from (Lemma("utf_8", "reader", (kind,), KINDS[kind]) for kind in range(4))
    yield from (Lemma("utf_8", name, (), "any argument") for name in ("put_utf8", "store_pair", "is_surrogate"))
    for name in ("utf_8", "utf_16be", "utf_16le"):
        yield from (Lemma("utf_8", f"{name}_surrogate", (length,), f"any {length} bytes") for length in range(1, 5))
    for level in ("vector_16", "avx2"):
        yield from (Lemma("utf_8", f"store_{level}", (kind, 0), KINDS[kind]) for kind in (UCS2, UCS4))
        yield Lemma("utf_8", f"store_{level}", (UCS4, 1), "UCS4, with bits above sixteen")
        for kind in range(4):
            if nightly or (level, kind) in (("vector_16", UCS2), ("avx2", UTF8)):
                yield Lemma("utf_8", f"block_{level}", (kind,), KINDS[kind])


def _kernel(
    chapter: str, name: str, kinds: Iterable[int], level: int, *sizes: int, tables: str = "", least: int | None = None
) -> Iterator[Lemma]:
    """Yield lemmas of a kernel: for sources of that length, of which some units are any.

    The capacity is any from ``least`` units on, by default from none if all units are any, else what suffices.
    """
    length, first, count = sizes if len(sizes) == 3 else (sizes[0], 0, sizes[0])
    among = f" from {first} on among {length}" if count < length else ""
    if least is None:
        least = length if among else 0
    for kind in kinds:
        label = f"{LEVELS[level]}, {KINDS[kind]}, any {count} units{among}"
        if among and least < length:
            label += f", capacities from {least} on"
        arguments = (level, kind, length, first, count, least)
        yield Lemma(chapter, name, arguments, label + (tables and f", {tables}"), tables)


DOUBLE_BYTE = {
    "chinese_simplified": ("gb18030_decode", "gb18030_encode", "gbk_encode"),
    "chinese_traditional": ("big5_decode", "big5_encode"),
    "japanese": ("euc_jp_decode", "euc_jp_encode", "shift_jis_decode", "shift_jis_encode"),
    "korean": ("euc_kr_decode", "euc_kr_encode"),
}


def _kernel_lemmas(nightly: bool) -> Iterator[Lemma]:
    every, wide, from_text = (UCS1, UCS2, UCS4, UTF8), (UCS2, UTF8), (UCS1, UCS2, UCS4)
    more = int(nightly)
    for length in range(1, 5 + 2 * more):
        yield from _kernel("unicode", "utf_8_decode", every, SCALAR, length)
    for length in range(1, 4 + more):
        yield from _kernel("unicode", "utf_8_encode", from_text, SCALAR, length)
    for chapter, names in DOUBLE_BYTE.items():
        for name in names:
            for length in range(1, 4 + more):
                kinds = every if name.endswith("decode") else from_text
                yield from _kernel(chapter, name, kinds, SCALAR, length)
            # A block without vectors, of four pairs or units.
            yield from _kernel(chapter, name, (UCS2,), SCALAR, 18, 0, 3 + more)
    for level in (SCALAR, X86_64_V2):
        for length in range(1, 5 + 2 * more):
            yield from _kernel("japanese", "iso_2022_jp_decode", every if nightly else wide, level, length)
        for length in range(1, 4 + more):
            yield from _kernel("japanese", "iso_2022_jp_encode", from_text, level, length)
    for name in ("utf_16be_decode", "utf_16le_decode"):
        for length in range(2, 6 + more):
            yield from _kernel("miscellaneous", name, from_text, SCALAR, length)
        for length in range(8, 11 + more):  # the kernel leaves the last six bytes
            yield from _kernel("miscellaneous", name, (UTF8,), SCALAR, length)
    for length in (1, 2, 3):
        tables = "x_user_defined_tables"
        yield from _kernel("miscellaneous", "x_user_defined_decode", every, SCALAR, length, tables=tables)
        yield from _kernel("miscellaneous", "x_user_defined_encode", from_text, SCALAR, length, tables=tables)
    yield from _single_byte_lemmas(nightly)
    yield from _vector_lemmas(nightly)


def _single_byte_lemmas(nightly: bool) -> Iterator[Lemma]:
    some = SINGLE_BYTE if nightly else ("windows_1252", "windows_874")
    for tables in (f"{name}_tables" for name in some):
        yield Lemma("single_byte", "single_byte_of", (), f"any code point, {tables}", tables)
        for name, kinds in (("single_byte_decode", (UCS1, UCS2, UCS4, UTF8)), ("single_byte_encode", (UCS1, UCS2))):
            yield from _kernel("single_byte", name, kinds, SCALAR, 3, tables=tables)
            yield from _kernel("single_byte", name, kinds[:2], SCALAR, 10, 2, 3, tables=tables)
        yield from _kernel("single_byte", "single_byte_block", (UCS1, UCS2), SCALAR, 3, tables=tables)
        for level in (X86_64_V2, AVX2, AVX512):
            yield from _kernel("single_byte", "single_byte_block", (UCS2,), level, 64, 30, 2, tables=tables)
    # By rows of the table, where Latin-1 is not kept.
    for level, first, count in ((X86_64_V2, 0, 16), (AVX2, 16, 8), (AVX512, 20, 8)):
        yield from _kernel(
            "single_byte", "single_byte_block", (UCS1,), level, 64, first, count, tables="windows_874_tables"
        )


def _vector_lemmas(nightly: bool) -> Iterator[Lemma]:
    """Few units at places of a block: what goes on from one block to the next, and the last one."""
    for level in (X86_64_V2, AVX2):
        for at in (0, 15, 31) if nightly else (31,):
            yield from _kernel("unicode", "utf_8_decode", (UCS1, UCS2, UCS4) if nightly else (UCS2,), level, 34, at, 2)
    for level in (X86_64_V2, AVX2, AVX512):
        for at in (0, 15) if nightly else (15,):
            yield from _kernel("unicode", "utf_8_encode", (UCS1, UCS2, UCS4) if nightly else (UCS2,), level, 18, at, 2)


SINGLE_BYTE = (
    "ibm866", "iso_8859_2", "iso_8859_3", "iso_8859_4", "iso_8859_5", "iso_8859_6", "iso_8859_7", "iso_8859_8",
    "iso_8859_10", "iso_8859_13", "iso_8859_14", "iso_8859_15", "iso_8859_16", "koi8_r", "koi8_u", "macintosh",
    "windows_874", "windows_1250", "windows_1251", "windows_1252", "windows_1253", "windows_1254", "windows_1255",
    "windows_1256", "windows_1257", "windows_1258", "x_mac_cyrillic",
)  # fmt: skip


def lemmas(*, nightly: bool = False) -> list[Lemma]:
    """Return the lemmas that are quickly proved, or all."""
    return [*_ascii_lemmas(nightly), *_block_lemmas(nightly), *_kernel_lemmas(nightly)]
