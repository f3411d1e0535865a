"""Wrong edits of kernels that the proofs have to refuse: at least one for each clause of docs/security.md on them.

`QUICK` are refused on every run of the tests, all of them each night.
"""

from __future__ import annotations

from typing import NamedTuple

from proofs.kernels.lemmas import AVX2, BYTES_16, SCALAR, UCS1, UCS2, UCS4, UTF8, X86_64_V2, Lemma


class Refusal(NamedTuple):
    """An edit of a kernel's file, the lemma that refuses it, and what it says."""

    clause: str
    lemma: Lemma
    file: str
    before: str
    after: str
    said: str


def kernel(
    chapter: str, name: str, kind: int, length: int, *, level: int = SCALAR, tables: str = "", least: int = 0
) -> Lemma:
    return Lemma(chapter, name, (level, kind, length, 0, length, least), "", tables)


def within(chapter: str, name: str, kind: int, level: int, *sizes: int, tables: str = "") -> Lemma:
    return Lemma(chapter, name, (level, kind, *sizes), "", tables)


TABLES = "windows_874_tables"

REFUSALS = [
    # -- Capacity -----------------------------------------------------------------------------------------------------
    Refusal(
        "capacity, UTF-8",
        kernel("unicode", "utf_8_decode", UCS2, 3),
        "utf_8/scalar.h",
        "while (read < length && out < room) {",
        "while (read < length) {",
        "it writes 2 bytes of target",
    ),
    Refusal(
        "capacity, UTF-8 to UCS-4",
        kernel("unicode", "utf_8_decode", UCS4, 3),
        "utf_8/scalar.h",
        "while (read < length && out < room) {",
        "while (read < length) {",
        "it writes 4 bytes of target",
    ),
    Refusal(
        "capacity, single-byte",
        kernel("single_byte", "single_byte_decode", UCS2, 3, tables=TABLES),
        "dispatch.h",
        "length = we_that_fit(kind, length, written);",
        "",
        "it writes .* bytes of target",
    ),
    Refusal(
        "capacity, after an error",
        kernel("unicode", "utf_8_decode", UCS2, 3),
        "dispatch.h",
        "const size_t fits = we_that_fit(kind, length, written);",
        "const size_t fits = length;",
        "it writes .* bytes of target",
    ),
    Refusal(
        "capacity, ISO-2022-JP",
        kernel("japanese", "iso_2022_jp_decode", UCS2, 3),
        "iso_2022_jp/kernels.h",
        "left = room - out;",
        "left = rest;",
        "it writes .* bytes of target",
    ),
    Refusal(
        "capacity, pairs of ISO-2022-JP",
        kernel("japanese", "iso_2022_jp_decode", UCS2, 4),
        "iso_2022_jp/kernels.h",
        "rest / 2 > left",
        "rest / 4 > left",
        "it writes .* bytes of target",
    ),
    Refusal(
        "capacity, two-byte encodings",
        kernel("korean", "euc_kr_decode", UCS2, 3),
        "double_byte/scalar.h",
        "while (read < length && out < room) {",
        "while (read < length) {",
        "it writes .* bytes of target",
    ),
    Refusal(
        "capacity, katakana",
        kernel("japanese", "shift_jis_decode", UCS2, 3),
        "double_byte/scalar.h",
        "while (read < length && out < room) {",
        "while (read < length) {",
        "it writes .* bytes of target",
    ),
    Refusal(
        "capacity, UTF-16",
        kernel("miscellaneous", "utf_16le_decode", UCS2, 5),
        "dispatch.h",
        "length / 2 < room ? length : room * 2;",
        "length;",
        "it writes .* bytes of target",
    ),
    Refusal(
        "capacity, UTF-16 to UCS-4",
        kernel("miscellaneous", "utf_16be_decode", UCS4, 5),
        "dispatch.h",
        "length / 2 < room ? length : room * 2;",
        "length;",
        "it writes .* bytes of target",
    ),
    Refusal(
        "capacity, ISO-2022-JP's escape sequences",
        kernel("japanese", "iso_2022_jp_encode", UCS2, 2),
        "iso_2022_jp/kernels.h",
        "    return 3;\n",
        "    return 13;\n",
        "it writes .* bytes of target|the bytes of the code point",
    ),
    # -- After an error, and each error mode --------------------------------------------------------------------------
    Refusal(
        "after an error, nothing written",
        kernel("unicode", "utf_8_decode", UCS2, 2),
        "dispatch.h",
        "(*written = we_ascii_run_to_ucs2(run->simd, source, fits, (uint16_t *)target))",
        "(*written = fits)",
        "the code point of the item|no error",
    ),
    Refusal(
        "after an error, UCS-4",
        kernel("unicode", "utf_8_decode", UCS4, 2),
        "dispatch.h",
        "(*written = we_ascii_run_to_ucs4(run->simd, source, fits, (uint32_t *)target))",
        "(*written = fits)",
        "the code point of the item|no error",
    ),
    Refusal(
        "error modes, which table replaces",
        within("single_byte", "single_byte_block", UCS2, SCALAR, 3, 0, 3, 0, tables=TABLES),
        "dispatch.h",
        "length - read, tables->replaced, &tables->vectors, units",
        "length - read, tables->index, &tables->vectors, units",
        "errors are replaced",
    ),
    Refusal(
        "error modes, replaced where it is to stop",
        kernel("single_byte", "single_byte_decode", UCS2, 3, tables=TABLES),
        "dispatch.h",
        "if (read == length || run->error_mode != WE_REPLACE)",
        "if (read == length)",
        "what the kernel has read is no error",
    ),
    Refusal(
        "error modes, how many are replaced",
        kernel("single_byte", "single_byte_decode", UCS2, 3, tables=TABLES),
        "dispatch.h",
        "run->error_count += we_replacement",
        "(void)we_replacement",
        "how many errors are replaced",
    ),
    Refusal(
        "error modes, UTF-8",
        kernel("single_byte", "single_byte_decode", UTF8, 3, tables=TABLES),
        "single_byte/kernels.h",
        "replacements != NULL ? tables->replaced : tables->index",
        "tables->replaced",
        "what the kernel has read is no error|how much|REFUTED",
    ),
    Refusal(
        "the largest code point",
        kernel("unicode", "utf_8_decode", UCS1, 2),
        "utf_8/kernels.h",
        "if (max_code_point < 0x80) {",
        "if (max_code_point < 0x10) {",
        "what the kernel has read is no error",
    ),
    Refusal(
        "the largest code point, single-byte",
        kernel("single_byte", "single_byte_decode", UCS1, 3, tables=TABLES),
        "single_byte/kernels.h",
        "if (max_code_point < 0x80)",
        "if (0)",
        "what the kernel has read is no error",
    ),
    # -- What is converted is what the handler makes of it ------------------------------------------------------------
    Refusal(
        "UTF-8, a lower boundary",
        kernel("unicode", "utf_8_decode", UCS2, 3),
        "utf_8/scalar.h",
        "code_point < 0x800 ||",
        "code_point < 0x7FF ||",
        r"what the kernel has read is no error, for source e0 9f bf",
    ),
    Refusal(
        "UTF-8, surrogates",
        kernel("unicode", "utf_8_encode", UCS2, 1),
        "utf_8/scalar.h",
        "(code_point & 0xFFFFF800) == 0xD800",
        "(code_point & 0xFFFFFC00) == 0xD800",
        "what the kernel has read is no error, for source .* d[cdef]",
    ),
    Refusal(
        "UTF-8, ASCII",
        kernel("unicode", "utf_8_encode", UCS4, 1),
        "utf_8/scalar.h",
        "target[out] = (uint8_t)code_point;",
        "target[out] = (uint8_t)(code_point | 1);",
        "the bytes of the code point",
    ),
    Refusal(
        "two-byte encodings, pairs",
        kernel("chinese_traditional", "big5_decode", UCS2, 2),
        "double_byte/scalar.h",
        "(size_t)(leading & 0x7F) << 8 | trailing",
        "(size_t)(leading & 0x3F) << 8 | trailing",
        "the code point of the item|no error|REFUTED",
    ),
    Refusal(
        "two-byte encodings, what is unmapped",
        kernel("korean", "euc_kr_encode", UCS4, 1),
        "double_byte/scalar.h",
        "return unit > 0xFFFF || ",
        "return unit > 0x1FFFF || ",
        "reads|REFUTED",
    ),
    Refusal(
        "EUC-JP and Shift_JIS, katakana",
        kernel("japanese", "shift_jis_decode", UCS2, 2),
        "double_byte/scalar.h",
        "byte <= WE_KATAKANA_LAST",
        "byte <= WE_KATAKANA_LAST + 1",
        "the code point of the item|REFUTED",
    ),
    Refusal(
        "UTF-16, which unit is trailing",
        kernel("miscellaneous", "utf_16le_decode", UCS4, 4),
        "utf_16/scalar.h",
        "(low_surrogate & 0xFC00) != 0xDC00",
        "(low_surrogate & 0xF800) != 0xD800",
        "what the kernel has read is no error|REFUTED",
    ),
    Refusal(
        "UTF-16, the order of bytes",
        kernel("miscellaneous", "utf_16be_decode", UCS2, 2),
        "utf_16/scalar.h",
        "big_endian == low_byte_first",
        "big_endian != low_byte_first",
        "the code point of the item|no error",
    ),
    Refusal(
        "single-byte, what is unmapped",
        kernel("single_byte", "single_byte_encode", UCS2, 3, tables=TABLES),
        "single_byte/scalar.h",
        "if (found == 0 && unit != 0)",
        "if (0)",
        "what the kernel has read is no error",
    ),
    # -- ISO-2022-JP's states -----------------------------------------------------------------------------------------
    Refusal(
        "a state",
        kernel("japanese", "iso_2022_jp_decode", UCS2, 4),
        "iso_2022_jp/kernels.h",
        "return WE_ISO_2022_JP_ROMAN;",
        "return WE_ISO_2022_JP_ASCII;",
        "for source .*1b 28 4a",
    ),
    Refusal(
        "the state afterwards",
        kernel("japanese", "iso_2022_jp_encode", UCS2, 1),
        "iso_2022_jp/kernels.h",
        "run->iso_2022_jp_encoder_state = WE_ISO_2022_JP_JIS0208;",
        "",
        "the state after it",
    ),
    Refusal(
        "an escape sequence after another",
        kernel("japanese", "iso_2022_jp_decode", UCS2, 4),
        "iso_2022_jp/kernels.h",
        "escaped == -1 || run->iso_2022_jp_output",
        "escaped == -1",
        "what the kernel has read is no error",
    ),
    Refusal(
        "a code point that could escape",
        kernel("japanese", "iso_2022_jp_encode", UCS2, 1),
        "iso_2022_jp/scalar.h",
        "&& byte != WE_SHIFT_IN &&",
        "&&",
        "what the kernel has read is no error, for source 0f 00",
    ),
    # -- Accesses of the source ---------------------------------------------------------------------------------------
    Refusal(
        "within the source, an incomplete pair",
        kernel("korean", "euc_kr_decode", UCS2, 1),
        "double_byte/scalar.h",
        "length - read >= 2 ? pairs",
        "length - read >= 1 ? pairs",
        "it reads 1 bytes of source",
    ),
    Refusal(
        "within the source, UTF-16",
        kernel("miscellaneous", "utf_16le_decode", UCS2, 3),
        "utf_16/scalar.h",
        "while (length - read >= 2) {",
        "while (length - read >= 1) {",
        "it reads .* bytes of source",
    ),
    Refusal(
        "within the source, vectors",
        Lemma("ascii", "ascii_run_to_ucs1", (BYTES_16, 31), ""),
        "ascii/scalar.h",
        "; length - i > (block); i += (block)) {",
        "; length - i > 14; i += (block)) {",
        "it reads 16 bytes of source, which has 31",
    ),
    # -- Vectors ------------------------------------------------------------------------------------------------------
    Refusal(
        "ASCII in words of eight",
        Lemma("ascii", "ascii_run_to_ucs1", (SCALAR, 9), ""),
        "ascii/scalar.h",
        "0x8080808080808080",
        "0x8080808080808000",
        "ASCII is kept, .*, for source (?!00 00 00 00 00 00 00 00 00)",
    ),
    Refusal(
        "the length of ASCII",
        Lemma("ascii", "ascii_length", (AVX2, 70), ""),
        "ascii/vector.h",
        "return i == length ? length : length - WE_WIDTH",
        "return i == length ? length : i",
        "the length",
    ),
    Refusal(
        "widening",
        Lemma("ascii", "ascii_run_to_ucs2", (BYTES_16, 20), ""),
        "vectors.h",
        "we_store_16(target + 8, we_zip_high_u8_16",
        "we_store_16(target + 7, we_zip_high_u8_16",
        "ASCII is kept",
    ),
    Refusal(
        "narrowing",
        Lemma("ascii", "narrow_ucs4_to_ucs2", (AVX2, 37), ""),
        "ascii/vector.h",
        "we_low_units(we_load(source + i), we_load(source + i + WE_WIDTH / 4))",
        "we_low_units(we_load(source + i), we_load(source + i))",
        "the unit is kept",
    ),
    Refusal(
        "the OR of units",
        Lemma("ascii", "or_ucs2", (AVX2, 85), ""),
        "ascii/vector.h",
        "b |= we_peek(source + WE_WIDTH);",
        "",
        "the OR of all units",
    ),
    Refusal(
        "a block of UTF-8, a surrogate",
        Lemma("utf_8", "block_vector_16", (UCS2,), ""),
        "utf_8/vector.h",
        "WE_TOO_SHORT | WE_BELOW_A0 | WE_OVER_9F",
        "WE_TOO_SHORT | WE_BELOW_A0",
        "an error where the handler has one, for source [0-9a-f ]*ed [ab]",
    ),
    Refusal(
        "a vector of single bytes",
        within("single_byte", "single_byte_block", UCS2, X86_64_V2, 64, 30, 2, 64, tables=TABLES),
        "single_byte/scalar.h",
        "WE_ROW_OF_EXCEPTIONS = 2",
        "WE_ROW_OF_EXCEPTIONS = 1",
        "the code point of the handler|REFUTED",
    ),
    # -- What the proofs of handlers have in Python -------------------------------------------------------------------
    Refusal(
        "we_single_byte_of, above the plane",
        Lemma("single_byte", "single_byte_of", (), "", TABLES),
        "single_byte/scalar.h",
        "code_point <= 0xFFFF ?",
        "code_point <= 0x1FFFF ?",
        "it reads 1 bytes of|the byte",
    ),
    Refusal(
        "we_single_byte_of, ASCII",
        Lemma("single_byte", "single_byte_of", (), "", TABLES),
        "single_byte/scalar.h",
        "code_point < 0x80      ?",
        "code_point < 0x81      ?",
        "the byte",
    ),
    Refusal(
        "we_put_utf8",
        Lemma("utf_8", "put_utf8", (), ""),
        "units.h",
        "0x80 | (code_point >> 12 & 0x3F)",
        "0x80 | (code_point >> 12 & 0x1F)",
        "the byte",
    ),
    Refusal(
        "we_store_pair",
        Lemma("utf_8", "store_pair", (), ""),
        "double_byte/scalar.h",
        "target[1] = (uint8_t)(pair >> 8);",
        "target[1] = (uint8_t)(pair >> 9);",
        "the second byte",
    ),
]

QUICK = {
    "capacity, UTF-8", "capacity, after an error", "error modes, which table replaces", "a state",
    "within the source, vectors", "we_single_byte_of, above the plane",
}  # fmt: skip
