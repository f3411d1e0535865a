# Generated from templates/chapter.pyx.j2: change that, not this; `python -m generator emit` emits it again.
# Handler: templates/_handlers/single_byte.pyx.j2
# Data: the Encoding Standard, https://encoding.spec.whatwg.org/, BSD-3-Clause (LICENSE-WHATWG).
# Index ibm866: Identifier db6fe14a559d1601a7667338d83704773d5708dbc641e1ad3c5e21405770f05e
# Index iso-8859-10: Identifier 02c2b5590d8ccda9931008c471f6ee2c590b2c8fe5e6ccb3b08638115d778507
# Index iso-8859-13: Identifier 40736338e964ab520407cebcb01329f8d450abf6ce12bf88b74b655b60e43300
# Index iso-8859-14: Identifier 2c8651cfc08b1f35b17919ee5379f2fa006af3ec809f11b3b7f470785580542b
# Index iso-8859-15: Identifier a560aba47bccd7510a6ac77f671fe75dca3800f05cf6d676910c311a8f8ff079
# Index iso-8859-16: Identifier 55676320d2d1b6e6909f5b3d741a7cf0cefc84e920aa4474afc091459111c2e3
# Index iso-8859-2: Identifier 9569c67f22d0b57790e1c407c6eecf227e4562322dc296de43cdab7a0152ec73
# Index iso-8859-3: Identifier af8f1e12df79b768322b5e83613698cdc619438270a2fc359554331c805054a3
# Index iso-8859-4: Identifier 72f29c92344d351fe9e74a946e7e0468d76d542c6894ff82982cb652ebe0feb7
# Index iso-8859-5: Identifier fa9b1f3f5242df43e2e7bca80e9b6997c67944f20a4af91ee06bacc4e132d9c9
# Index iso-8859-6: Identifier 85bb7b5c2dc75975afebe5743935ba4ed5a09c1e9e34e9bfb2ff80293f5d8bbc
# Index iso-8859-7: Identifier f53d8aeba36314ef950eef02ffcf11dff540638ce27dfe7a86b6ccc6875afb24
# Index iso-8859-8: Identifier 7657a9ca3fa875990da960d3f812eea28dcd0ae6ed55a18d5394303c86f5484b
# Index koi8-r: Identifier c5497cd9071cb352c0e56b219154e539badf63de40b71578f09e2e11fe7d50ae
# Index koi8-u: Identifier 19a4da2c3f245118bbc8019326f45a07832949938ff903f03d62ac4da1f61f40
# Index macintosh: Identifier f2c6a4f6406b3e86a50a5dba4d2b7dd48e2e33c0d82aefe764535c934ec11764
# Index windows-1250: Identifier 0669455a7a1c70ba6003ea737991e8ee9adc455125c13cfe6705a361358de5fa
# Index windows-1251: Identifier 7592ef921679ba168b00a9e9afa3b4eebd67bf13dc7e84c4b6e120de856826e0
# Index windows-1252: Identifier e56d49d9176e9a412283cf29ac9bd613f5620462f2a080a84eceaf974cfa18b7
# Index windows-1253: Identifier 49fdc881a3488904dd1e8dfba9aef3258454249958b611bcded1d4c981ab5561
# Index windows-1254: Identifier e80a27adf377438be8ba5bd223875ea56d6a4d47f958cce1c957a2c446825caa
# Index windows-1255: Identifier cd7fb43c97eefa1651084d92d02af53ad668bd848528c18c3b1af5c06b499651
# Index windows-1256: Identifier 161bdb381f16408e8bebcc8f5310c4190af0e359de8d9bbaa3628ce2f0875509
# Index windows-1257: Identifier cc7256bdd10a5b8dc7fb6f994659f307dfcae60def9aa6c29d811f85e2842c47
# Index windows-1258: Identifier 198bacedfcf24390e219240a7b776b6cec34cff070330b08a601a69c67f7eb24
# Index windows-874: Identifier b416583ce125e38474381b31b401a98b19ecf2e57e0998e78a1e18b14894905d
# Index x-mac-cyrillic: Identifier 73e8e7642c6fa9de29d42819b47fba55b58666fb1e339faeb4a89a0bd7c24d43

# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Legacy single-byte encodings: IBM866, ISO-8859-2, ISO-8859-3, ISO-8859-4, ISO-8859-5, ISO-8859-6, ISO-8859-7,
ISO-8859-8, ISO-8859-8-I, ISO-8859-10, ISO-8859-13, ISO-8859-14, ISO-8859-15, ISO-8859-16, KOI8-R, KOI8-U, macintosh,
windows-874, windows-1250, windows-1251, windows-1252, windows-1253, windows-1254, windows-1255, windows-1256,
windows-1257, windows-1258, x-mac-cyrillic.

Comments cite the standard's steps by anchor and number. "(kernel)": the handler's kernel takes the common case, too.
"""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from whatwg_encoding._native.text.kernels cimport *

cdef extern from "single_byte_tables.h" nogil:
    const uint16_t ibm866[128]
    const uint8_t ibm866_latin1[128]
    const uint8_t ibm866_rows[208]
    const uint8_t ibm866_reverse_stage1[512]
    const uint8_t ibm866_reverse_stage2[896]
    const uint16_t iso_8859_2[128]
    const uint8_t iso_8859_2_latin1[128]
    const uint8_t iso_8859_2_rows[176]
    const uint8_t iso_8859_2_reverse_stage1[512]
    const uint8_t iso_8859_2_reverse_stage2[512]
    const uint16_t iso_8859_3_replaced[128]
    const uint16_t iso_8859_3[128]
    const uint8_t iso_8859_3_latin1[128]
    const uint8_t iso_8859_3_rows[176]
    const uint8_t iso_8859_3_reverse_stage1[512]
    const uint8_t iso_8859_3_reverse_stage2[512]
    const uint16_t iso_8859_4[128]
    const uint8_t iso_8859_4_latin1[128]
    const uint8_t iso_8859_4_rows[176]
    const uint8_t iso_8859_4_reverse_stage1[512]
    const uint8_t iso_8859_4_reverse_stage2[512]
    const uint16_t iso_8859_5[128]
    const uint8_t iso_8859_5_latin1[128]
    const uint8_t iso_8859_5_rows[80]
    const uint8_t iso_8859_5_reverse_stage1[512]
    const uint8_t iso_8859_5_reverse_stage2[512]
    const uint16_t iso_8859_6_replaced[128]
    const uint16_t iso_8859_6[128]
    const uint8_t iso_8859_6_latin1[128]
    const uint8_t iso_8859_6_rows[80]
    const uint8_t iso_8859_6_reverse_stage1[512]
    const uint8_t iso_8859_6_reverse_stage2[384]
    const uint16_t iso_8859_7_replaced[128]
    const uint16_t iso_8859_7[128]
    const uint8_t iso_8859_7_latin1[128]
    const uint8_t iso_8859_7_rows[80]
    const uint8_t iso_8859_7_reverse_stage1[512]
    const uint8_t iso_8859_7_reverse_stage2[768]
    const uint16_t iso_8859_8_replaced[128]
    const uint16_t iso_8859_8[128]
    const uint8_t iso_8859_8_latin1[128]
    const uint8_t iso_8859_8_rows[80]
    const uint8_t iso_8859_8_reverse_stage1[512]
    const uint8_t iso_8859_8_reverse_stage2[512]
    const uint16_t iso_8859_10[128]
    const uint8_t iso_8859_10_latin1[128]
    const uint8_t iso_8859_10_rows[176]
    const uint8_t iso_8859_10_reverse_stage1[512]
    const uint8_t iso_8859_10_reverse_stage2[512]
    const uint16_t iso_8859_13[128]
    const uint8_t iso_8859_13_latin1[128]
    const uint8_t iso_8859_13_rows[144]
    const uint8_t iso_8859_13_reverse_stage1[512]
    const uint8_t iso_8859_13_reverse_stage2[512]
    const uint16_t iso_8859_14[128]
    const uint8_t iso_8859_14_latin1[128]
    const uint8_t iso_8859_14_rows[144]
    const uint8_t iso_8859_14_reverse_stage1[512]
    const uint8_t iso_8859_14_reverse_stage2[640]
    const uint16_t iso_8859_15[128]
    const uint8_t iso_8859_15_latin1[128]
    const uint8_t iso_8859_15_rows[80]
    const uint8_t iso_8859_15_reverse_stage1[512]
    const uint8_t iso_8859_15_reverse_stage2[512]
    const uint16_t iso_8859_16[128]
    const uint8_t iso_8859_16_latin1[128]
    const uint8_t iso_8859_16_rows[176]
    const uint8_t iso_8859_16_reverse_stage1[512]
    const uint8_t iso_8859_16_reverse_stage2[768]
    const uint16_t koi8_r[128]
    const uint8_t koi8_r_latin1[128]
    const uint8_t koi8_r_rows[208]
    const uint8_t koi8_r_reverse_stage1[512]
    const uint8_t koi8_r_reverse_stage2[896]
    const uint16_t koi8_u[128]
    const uint8_t koi8_u_latin1[128]
    const uint8_t koi8_u_rows[240]
    const uint8_t koi8_u_reverse_stage1[512]
    const uint8_t koi8_u_reverse_stage2[1024]
    const uint16_t macintosh[128]
    const uint8_t macintosh_latin1[128]
    const uint8_t macintosh_rows[176]
    const uint8_t macintosh_reverse_stage1[512]
    const uint8_t macintosh_reverse_stage2[1664]
    const uint16_t windows_874_replaced[128]
    const uint16_t windows_874[128]
    const uint8_t windows_874_latin1[128]
    const uint8_t windows_874_rows[144]
    const uint8_t windows_874_reverse_stage1[512]
    const uint8_t windows_874_reverse_stage2[640]
    const uint16_t windows_1250[128]
    const uint8_t windows_1250_latin1[128]
    const uint8_t windows_1250_rows[176]
    const uint8_t windows_1250_reverse_stage1[512]
    const uint8_t windows_1250_reverse_stage2[896]
    const uint16_t windows_1251[128]
    const uint8_t windows_1251_latin1[128]
    const uint8_t windows_1251_rows[240]
    const uint8_t windows_1251_reverse_stage1[512]
    const uint8_t windows_1251_reverse_stage2[896]
    const uint16_t windows_1252[128]
    const uint8_t windows_1252_latin1[128]
    const uint8_t windows_1252_rows[144]
    const uint8_t windows_1252_reverse_stage1[512]
    const uint8_t windows_1252_reverse_stage2[1024]
    const uint16_t windows_1253_replaced[128]
    const uint16_t windows_1253[128]
    const uint8_t windows_1253_latin1[128]
    const uint8_t windows_1253_rows[176]
    const uint8_t windows_1253_reverse_stage1[512]
    const uint8_t windows_1253_reverse_stage2[896]
    const uint16_t windows_1254[128]
    const uint8_t windows_1254_latin1[128]
    const uint8_t windows_1254_rows[144]
    const uint8_t windows_1254_reverse_stage1[512]
    const uint8_t windows_1254_reverse_stage2[1024]
    const uint16_t windows_1255_replaced[128]
    const uint16_t windows_1255[128]
    const uint8_t windows_1255_latin1[128]
    const uint8_t windows_1255_rows[144]
    const uint8_t windows_1255_reverse_stage1[512]
    const uint8_t windows_1255_reverse_stage2[1024]
    const uint16_t windows_1256[128]
    const uint8_t windows_1256_latin1[128]
    const uint8_t windows_1256_rows[176]
    const uint8_t windows_1256_reverse_stage1[512]
    const uint8_t windows_1256_reverse_stage2[1280]
    const uint16_t windows_1257_replaced[128]
    const uint16_t windows_1257[128]
    const uint8_t windows_1257_latin1[128]
    const uint8_t windows_1257_rows[144]
    const uint8_t windows_1257_reverse_stage1[512]
    const uint8_t windows_1257_reverse_stage2[896]
    const uint16_t windows_1258[128]
    const uint8_t windows_1258_latin1[128]
    const uint8_t windows_1258_rows[144]
    const uint8_t windows_1258_reverse_stage1[512]
    const uint8_t windows_1258_reverse_stage2[1152]
    const uint16_t x_mac_cyrillic[128]
    const uint8_t x_mac_cyrillic_latin1[128]
    const uint8_t x_mac_cyrillic_rows[240]
    const uint8_t x_mac_cyrillic_reverse_stage1[512]
    const uint8_t x_mac_cyrillic_reverse_stage2[1152]


# -- Decoder: IBM866, ISO-8859-2, ISO-8859-3, ISO-8859-4, ISO-8859-5, ISO-8859-6, ISO-8859-7, ISO-8859-8, ISO-8859-8-I,
# ISO-8859-10, ISO-8859-13, ISO-8859-14, ISO-8859-15, ISO-8859-16, KOI8-R, KOI8-U, macintosh, windows-874, windows-1250,
# windows-1251, windows-1252, windows-1253, windows-1254, windows-1255, windows-1256, windows-1257, windows-1258,
# x-mac-cyrillic
# Template: templates/_handlers/single_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#single-byte-decoder

cdef inline size_t single_byte_decode_kernel "single_byte_decode_kernel"(
    we_decode_run *run, int kind, bint after_error, const uint8_t *source, size_t length, void *target, size_t *written
) noexcept nogil:
    return we_single_byte_decode(run, kind, source, length, target, written)


cdef inline uint32_t single_byte_decode_item "single_byte_decode_item"(
    we_decode_run *run, const uint8_t *source, size_t length, size_t *consumed
) noexcept nogil:
    """Return the code point of the item at `source`: https://encoding.spec.whatwg.org/#single-byte-decoder"""
    cdef uint8_t byte = source[0]
    cdef uint32_t code_point
    # single-byte-decoder 1: at end-of-queue the loop ends.
    # single-byte-decoder 2 (kernel): an ASCII byte is the code point of its value.
    if byte < 0x80:
        return byte
    # single-byte-decoder 3 (kernel): the index code point for byte - 0x80.
    # In range: the index has 0x80 entries.
    code_point = (<const we_single_byte_tables *> run.tables).index[byte - 0x80]
    # single-byte-decoder 4: null is an error.
    # single-byte-decoder 5 (kernel): otherwise it is the code point.
    return code_point if code_point != 0 else WE_ITEM_ERROR


# -- Encoder: IBM866, ISO-8859-2, ISO-8859-3, ISO-8859-4, ISO-8859-5, ISO-8859-6, ISO-8859-7, ISO-8859-8, ISO-8859-8-I,
# ISO-8859-10, ISO-8859-13, ISO-8859-14, ISO-8859-15, ISO-8859-16, KOI8-R, KOI8-U, macintosh, windows-874, windows-1250,
# windows-1251, windows-1252, windows-1253, windows-1254, windows-1255, windows-1256, windows-1257, windows-1258,
# x-mac-cyrillic
# Template: templates/_handlers/single_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#single-byte-encoder

cdef inline size_t single_byte_encode_kernel "single_byte_encode_kernel"(
    we_encode_run *run, int kind, const void *source, size_t length, uint8_t *target, size_t *written
) noexcept nogil:
    return we_single_byte_encode(run, kind, source, length, target, written)


cdef inline size_t single_byte_encode_item "single_byte_encode_item"(
    we_encode_run *run, uint32_t code_point, uint8_t *target, uint32_t *error
) noexcept nogil:
    """Write the bytes of a code point, and return how many: https://encoding.spec.whatwg.org/#single-byte-encoder"""
    cdef uint8_t byte
    # single-byte-encoder 1: at end-of-queue the loop ends.
    # single-byte-encoder 2 (kernel): a byte of the same value.
    if code_point < 0x80:
        target[0] = <uint8_t> code_point
        return 1
    # single-byte-encoder 3 (kernel): the table has the byte of each code point, 0 for null.
    byte = we_single_byte_of(&(<const we_single_byte_tables *> run.tables).reverse, code_point)
    # single-byte-encoder 4: null is an error with code point.
    if byte == 0:
        error[0] = code_point
        return 0
    # single-byte-encoder 5 (kernel): the byte.
    target[0] = byte
    return 1


# -- Registry: the loops over these handlers, one for each kind of text, and the codecs --------------------------------

cdef extern from *:
    """
    #define WE_NAME single_byte
    #include "decode_loop.h"
    #define WE_NAME single_byte
    #include "encode_loop.h"
    static const we_single_byte_tables ibm866_tables = {
        ibm866, ibm866, ibm866_latin1, WE_SINGLE_BYTE_VECTORS(ibm866_rows),
        {ibm866_reverse_stage1, ibm866_reverse_stage2}};
    static const we_codec ibm866_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &ibm866_tables};
    static const we_single_byte_tables iso_8859_2_tables = {
        iso_8859_2, iso_8859_2, iso_8859_2_latin1, WE_SINGLE_BYTE_VECTORS(iso_8859_2_rows),
        {iso_8859_2_reverse_stage1, iso_8859_2_reverse_stage2}};
    static const we_codec iso_8859_2_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &iso_8859_2_tables};
    static const we_single_byte_tables iso_8859_3_tables = {
        iso_8859_3, iso_8859_3_replaced, iso_8859_3_latin1, WE_SINGLE_BYTE_VECTORS(iso_8859_3_rows),
        {iso_8859_3_reverse_stage1, iso_8859_3_reverse_stage2}};
    static const we_codec iso_8859_3_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &iso_8859_3_tables};
    static const we_single_byte_tables iso_8859_4_tables = {
        iso_8859_4, iso_8859_4, iso_8859_4_latin1, WE_SINGLE_BYTE_VECTORS(iso_8859_4_rows),
        {iso_8859_4_reverse_stage1, iso_8859_4_reverse_stage2}};
    static const we_codec iso_8859_4_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &iso_8859_4_tables};
    static const we_single_byte_tables iso_8859_5_tables = {
        iso_8859_5, iso_8859_5, iso_8859_5_latin1, WE_SINGLE_BYTE_VECTORS(iso_8859_5_rows),
        {iso_8859_5_reverse_stage1, iso_8859_5_reverse_stage2}};
    static const we_codec iso_8859_5_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &iso_8859_5_tables};
    static const we_single_byte_tables iso_8859_6_tables = {
        iso_8859_6, iso_8859_6_replaced, iso_8859_6_latin1, WE_SINGLE_BYTE_VECTORS(iso_8859_6_rows),
        {iso_8859_6_reverse_stage1, iso_8859_6_reverse_stage2}};
    static const we_codec iso_8859_6_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &iso_8859_6_tables};
    static const we_single_byte_tables iso_8859_7_tables = {
        iso_8859_7, iso_8859_7_replaced, iso_8859_7_latin1, WE_SINGLE_BYTE_VECTORS(iso_8859_7_rows),
        {iso_8859_7_reverse_stage1, iso_8859_7_reverse_stage2}};
    static const we_codec iso_8859_7_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &iso_8859_7_tables};
    static const we_single_byte_tables iso_8859_8_tables = {
        iso_8859_8, iso_8859_8_replaced, iso_8859_8_latin1, WE_SINGLE_BYTE_VECTORS(iso_8859_8_rows),
        {iso_8859_8_reverse_stage1, iso_8859_8_reverse_stage2}};
    static const we_codec iso_8859_8_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &iso_8859_8_tables};
    static const we_single_byte_tables iso_8859_8_i_tables = {
        iso_8859_8, iso_8859_8_replaced, iso_8859_8_latin1, WE_SINGLE_BYTE_VECTORS(iso_8859_8_rows),
        {iso_8859_8_reverse_stage1, iso_8859_8_reverse_stage2}};
    static const we_codec iso_8859_8_i_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &iso_8859_8_i_tables};
    static const we_single_byte_tables iso_8859_10_tables = {
        iso_8859_10, iso_8859_10, iso_8859_10_latin1, WE_SINGLE_BYTE_VECTORS(iso_8859_10_rows),
        {iso_8859_10_reverse_stage1, iso_8859_10_reverse_stage2}};
    static const we_codec iso_8859_10_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &iso_8859_10_tables};
    static const we_single_byte_tables iso_8859_13_tables = {
        iso_8859_13, iso_8859_13, iso_8859_13_latin1, WE_SINGLE_BYTE_VECTORS(iso_8859_13_rows),
        {iso_8859_13_reverse_stage1, iso_8859_13_reverse_stage2}};
    static const we_codec iso_8859_13_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &iso_8859_13_tables};
    static const we_single_byte_tables iso_8859_14_tables = {
        iso_8859_14, iso_8859_14, iso_8859_14_latin1, WE_SINGLE_BYTE_VECTORS(iso_8859_14_rows),
        {iso_8859_14_reverse_stage1, iso_8859_14_reverse_stage2}};
    static const we_codec iso_8859_14_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &iso_8859_14_tables};
    static const we_single_byte_tables iso_8859_15_tables = {
        iso_8859_15, iso_8859_15, iso_8859_15_latin1, WE_SINGLE_BYTE_VECTORS(iso_8859_15_rows),
        {iso_8859_15_reverse_stage1, iso_8859_15_reverse_stage2}};
    static const we_codec iso_8859_15_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &iso_8859_15_tables};
    static const we_single_byte_tables iso_8859_16_tables = {
        iso_8859_16, iso_8859_16, iso_8859_16_latin1, WE_SINGLE_BYTE_VECTORS(iso_8859_16_rows),
        {iso_8859_16_reverse_stage1, iso_8859_16_reverse_stage2}};
    static const we_codec iso_8859_16_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &iso_8859_16_tables};
    static const we_single_byte_tables koi8_r_tables = {
        koi8_r, koi8_r, koi8_r_latin1, WE_SINGLE_BYTE_VECTORS(koi8_r_rows),
        {koi8_r_reverse_stage1, koi8_r_reverse_stage2}};
    static const we_codec koi8_r_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &koi8_r_tables};
    static const we_single_byte_tables koi8_u_tables = {
        koi8_u, koi8_u, koi8_u_latin1, WE_SINGLE_BYTE_VECTORS(koi8_u_rows),
        {koi8_u_reverse_stage1, koi8_u_reverse_stage2}};
    static const we_codec koi8_u_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &koi8_u_tables};
    static const we_single_byte_tables macintosh_tables = {
        macintosh, macintosh, macintosh_latin1, WE_SINGLE_BYTE_VECTORS(macintosh_rows),
        {macintosh_reverse_stage1, macintosh_reverse_stage2}};
    static const we_codec macintosh_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &macintosh_tables};
    static const we_single_byte_tables windows_874_tables = {
        windows_874, windows_874_replaced, windows_874_latin1, WE_SINGLE_BYTE_VECTORS(windows_874_rows),
        {windows_874_reverse_stage1, windows_874_reverse_stage2}};
    static const we_codec windows_874_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &windows_874_tables};
    static const we_single_byte_tables windows_1250_tables = {
        windows_1250, windows_1250, windows_1250_latin1, WE_SINGLE_BYTE_VECTORS(windows_1250_rows),
        {windows_1250_reverse_stage1, windows_1250_reverse_stage2}};
    static const we_codec windows_1250_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &windows_1250_tables};
    static const we_single_byte_tables windows_1251_tables = {
        windows_1251, windows_1251, windows_1251_latin1, WE_SINGLE_BYTE_VECTORS(windows_1251_rows),
        {windows_1251_reverse_stage1, windows_1251_reverse_stage2}};
    static const we_codec windows_1251_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &windows_1251_tables};
    static const we_single_byte_tables windows_1252_tables = {
        windows_1252, windows_1252, windows_1252_latin1, WE_SINGLE_BYTE_VECTORS(windows_1252_rows),
        {windows_1252_reverse_stage1, windows_1252_reverse_stage2}};
    static const we_codec windows_1252_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &windows_1252_tables};
    static const we_single_byte_tables windows_1253_tables = {
        windows_1253, windows_1253_replaced, windows_1253_latin1, WE_SINGLE_BYTE_VECTORS(windows_1253_rows),
        {windows_1253_reverse_stage1, windows_1253_reverse_stage2}};
    static const we_codec windows_1253_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &windows_1253_tables};
    static const we_single_byte_tables windows_1254_tables = {
        windows_1254, windows_1254, windows_1254_latin1, WE_SINGLE_BYTE_VECTORS(windows_1254_rows),
        {windows_1254_reverse_stage1, windows_1254_reverse_stage2}};
    static const we_codec windows_1254_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &windows_1254_tables};
    static const we_single_byte_tables windows_1255_tables = {
        windows_1255, windows_1255_replaced, windows_1255_latin1, WE_SINGLE_BYTE_VECTORS(windows_1255_rows),
        {windows_1255_reverse_stage1, windows_1255_reverse_stage2}};
    static const we_codec windows_1255_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &windows_1255_tables};
    static const we_single_byte_tables windows_1256_tables = {
        windows_1256, windows_1256, windows_1256_latin1, WE_SINGLE_BYTE_VECTORS(windows_1256_rows),
        {windows_1256_reverse_stage1, windows_1256_reverse_stage2}};
    static const we_codec windows_1256_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &windows_1256_tables};
    static const we_single_byte_tables windows_1257_tables = {
        windows_1257, windows_1257_replaced, windows_1257_latin1, WE_SINGLE_BYTE_VECTORS(windows_1257_rows),
        {windows_1257_reverse_stage1, windows_1257_reverse_stage2}};
    static const we_codec windows_1257_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &windows_1257_tables};
    static const we_single_byte_tables windows_1258_tables = {
        windows_1258, windows_1258, windows_1258_latin1, WE_SINGLE_BYTE_VECTORS(windows_1258_rows),
        {windows_1258_reverse_stage1, windows_1258_reverse_stage2}};
    static const we_codec windows_1258_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &windows_1258_tables};
    static const we_single_byte_tables x_mac_cyrillic_tables = {
        x_mac_cyrillic, x_mac_cyrillic, x_mac_cyrillic_latin1, WE_SINGLE_BYTE_VECTORS(x_mac_cyrillic_rows),
        {x_mac_cyrillic_reverse_stage1, x_mac_cyrillic_reverse_stage2}};
    static const we_codec x_mac_cyrillic_codec = {
        WE_DECODES(single_byte), WE_ENCODES(single_byte), {1, 1, 1},
        0, 1, &x_mac_cyrillic_tables};
    """
    const we_codec ibm866_codec
    const we_codec iso_8859_2_codec
    const we_codec iso_8859_3_codec
    const we_codec iso_8859_4_codec
    const we_codec iso_8859_5_codec
    const we_codec iso_8859_6_codec
    const we_codec iso_8859_7_codec
    const we_codec iso_8859_8_codec
    const we_codec iso_8859_8_i_codec
    const we_codec iso_8859_10_codec
    const we_codec iso_8859_13_codec
    const we_codec iso_8859_14_codec
    const we_codec iso_8859_15_codec
    const we_codec iso_8859_16_codec
    const we_codec koi8_r_codec
    const we_codec koi8_u_codec
    const we_codec macintosh_codec
    const we_codec windows_874_codec
    const we_codec windows_1250_codec
    const we_codec windows_1251_codec
    const we_codec windows_1252_codec
    const we_codec windows_1253_codec
    const we_codec windows_1254_codec
    const we_codec windows_1255_codec
    const we_codec windows_1256_codec
    const we_codec windows_1257_codec
    const we_codec windows_1258_codec
    const we_codec x_mac_cyrillic_codec

CODECS = {
    "IBM866": PyCapsule_New(<void *> &ibm866_codec, "whatwg_encoding.codec", NULL),
    "ISO-8859-2": PyCapsule_New(<void *> &iso_8859_2_codec, "whatwg_encoding.codec", NULL),
    "ISO-8859-3": PyCapsule_New(<void *> &iso_8859_3_codec, "whatwg_encoding.codec", NULL),
    "ISO-8859-4": PyCapsule_New(<void *> &iso_8859_4_codec, "whatwg_encoding.codec", NULL),
    "ISO-8859-5": PyCapsule_New(<void *> &iso_8859_5_codec, "whatwg_encoding.codec", NULL),
    "ISO-8859-6": PyCapsule_New(<void *> &iso_8859_6_codec, "whatwg_encoding.codec", NULL),
    "ISO-8859-7": PyCapsule_New(<void *> &iso_8859_7_codec, "whatwg_encoding.codec", NULL),
    "ISO-8859-8": PyCapsule_New(<void *> &iso_8859_8_codec, "whatwg_encoding.codec", NULL),
    "ISO-8859-8-I": PyCapsule_New(<void *> &iso_8859_8_i_codec, "whatwg_encoding.codec", NULL),
    "ISO-8859-10": PyCapsule_New(<void *> &iso_8859_10_codec, "whatwg_encoding.codec", NULL),
    "ISO-8859-13": PyCapsule_New(<void *> &iso_8859_13_codec, "whatwg_encoding.codec", NULL),
    "ISO-8859-14": PyCapsule_New(<void *> &iso_8859_14_codec, "whatwg_encoding.codec", NULL),
    "ISO-8859-15": PyCapsule_New(<void *> &iso_8859_15_codec, "whatwg_encoding.codec", NULL),
    "ISO-8859-16": PyCapsule_New(<void *> &iso_8859_16_codec, "whatwg_encoding.codec", NULL),
    "KOI8-R": PyCapsule_New(<void *> &koi8_r_codec, "whatwg_encoding.codec", NULL),
    "KOI8-U": PyCapsule_New(<void *> &koi8_u_codec, "whatwg_encoding.codec", NULL),
    "macintosh": PyCapsule_New(<void *> &macintosh_codec, "whatwg_encoding.codec", NULL),
    "windows-874": PyCapsule_New(<void *> &windows_874_codec, "whatwg_encoding.codec", NULL),
    "windows-1250": PyCapsule_New(<void *> &windows_1250_codec, "whatwg_encoding.codec", NULL),
    "windows-1251": PyCapsule_New(<void *> &windows_1251_codec, "whatwg_encoding.codec", NULL),
    "windows-1252": PyCapsule_New(<void *> &windows_1252_codec, "whatwg_encoding.codec", NULL),
    "windows-1253": PyCapsule_New(<void *> &windows_1253_codec, "whatwg_encoding.codec", NULL),
    "windows-1254": PyCapsule_New(<void *> &windows_1254_codec, "whatwg_encoding.codec", NULL),
    "windows-1255": PyCapsule_New(<void *> &windows_1255_codec, "whatwg_encoding.codec", NULL),
    "windows-1256": PyCapsule_New(<void *> &windows_1256_codec, "whatwg_encoding.codec", NULL),
    "windows-1257": PyCapsule_New(<void *> &windows_1257_codec, "whatwg_encoding.codec", NULL),
    "windows-1258": PyCapsule_New(<void *> &windows_1258_codec, "whatwg_encoding.codec", NULL),
    "x-mac-cyrillic": PyCapsule_New(<void *> &x_mac_cyrillic_codec, "whatwg_encoding.codec", NULL),
}
