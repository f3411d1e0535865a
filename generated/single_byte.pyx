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
windows-1257, windows-1258, x-mac-cyrillic."""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from whatwg_encoding._kernels cimport *

cdef extern from "single_byte_tables.h" nogil:
    const uint16_t ibm866[128]
    const uint8_t ibm866_latin1[128]
    const uint8_t ibm866_reverse_stage1[512]
    const uint8_t ibm866_reverse_stage2[896]
    const uint16_t iso_8859_2[128]
    const uint8_t iso_8859_2_latin1[128]
    const uint8_t iso_8859_2_reverse_stage1[512]
    const uint8_t iso_8859_2_reverse_stage2[512]
    const uint16_t iso_8859_3_replaced[128]
    const uint16_t iso_8859_3[128]
    const uint8_t iso_8859_3_latin1[128]
    const uint8_t iso_8859_3_reverse_stage1[512]
    const uint8_t iso_8859_3_reverse_stage2[512]
    const uint16_t iso_8859_4[128]
    const uint8_t iso_8859_4_latin1[128]
    const uint8_t iso_8859_4_reverse_stage1[512]
    const uint8_t iso_8859_4_reverse_stage2[512]
    const uint16_t iso_8859_5[128]
    const uint8_t iso_8859_5_latin1[128]
    const uint8_t iso_8859_5_reverse_stage1[512]
    const uint8_t iso_8859_5_reverse_stage2[512]
    const uint16_t iso_8859_6_replaced[128]
    const uint16_t iso_8859_6[128]
    const uint8_t iso_8859_6_latin1[128]
    const uint8_t iso_8859_6_reverse_stage1[512]
    const uint8_t iso_8859_6_reverse_stage2[384]
    const uint16_t iso_8859_7_replaced[128]
    const uint16_t iso_8859_7[128]
    const uint8_t iso_8859_7_latin1[128]
    const uint8_t iso_8859_7_reverse_stage1[512]
    const uint8_t iso_8859_7_reverse_stage2[768]
    const uint16_t iso_8859_8_replaced[128]
    const uint16_t iso_8859_8[128]
    const uint8_t iso_8859_8_latin1[128]
    const uint8_t iso_8859_8_reverse_stage1[512]
    const uint8_t iso_8859_8_reverse_stage2[512]
    const uint16_t iso_8859_10[128]
    const uint8_t iso_8859_10_latin1[128]
    const uint8_t iso_8859_10_reverse_stage1[512]
    const uint8_t iso_8859_10_reverse_stage2[512]
    const uint16_t iso_8859_13[128]
    const uint8_t iso_8859_13_latin1[128]
    const uint8_t iso_8859_13_reverse_stage1[512]
    const uint8_t iso_8859_13_reverse_stage2[512]
    const uint16_t iso_8859_14[128]
    const uint8_t iso_8859_14_latin1[128]
    const uint8_t iso_8859_14_reverse_stage1[512]
    const uint8_t iso_8859_14_reverse_stage2[640]
    const uint16_t iso_8859_15[128]
    const uint8_t iso_8859_15_latin1[128]
    const uint8_t iso_8859_15_reverse_stage1[512]
    const uint8_t iso_8859_15_reverse_stage2[512]
    const uint16_t iso_8859_16[128]
    const uint8_t iso_8859_16_latin1[128]
    const uint8_t iso_8859_16_reverse_stage1[512]
    const uint8_t iso_8859_16_reverse_stage2[768]
    const uint16_t koi8_r[128]
    const uint8_t koi8_r_latin1[128]
    const uint8_t koi8_r_reverse_stage1[512]
    const uint8_t koi8_r_reverse_stage2[896]
    const uint16_t koi8_u[128]
    const uint8_t koi8_u_latin1[128]
    const uint8_t koi8_u_reverse_stage1[512]
    const uint8_t koi8_u_reverse_stage2[1024]
    const uint16_t macintosh[128]
    const uint8_t macintosh_latin1[128]
    const uint8_t macintosh_reverse_stage1[512]
    const uint8_t macintosh_reverse_stage2[1664]
    const uint16_t windows_874_replaced[128]
    const uint16_t windows_874[128]
    const uint8_t windows_874_latin1[128]
    const uint8_t windows_874_reverse_stage1[512]
    const uint8_t windows_874_reverse_stage2[640]
    const uint16_t windows_1250[128]
    const uint8_t windows_1250_latin1[128]
    const uint8_t windows_1250_reverse_stage1[512]
    const uint8_t windows_1250_reverse_stage2[896]
    const uint16_t windows_1251[128]
    const uint8_t windows_1251_latin1[128]
    const uint8_t windows_1251_reverse_stage1[512]
    const uint8_t windows_1251_reverse_stage2[896]
    const uint16_t windows_1252[128]
    const uint8_t windows_1252_latin1[128]
    const uint8_t windows_1252_reverse_stage1[512]
    const uint8_t windows_1252_reverse_stage2[1024]
    const uint16_t windows_1253_replaced[128]
    const uint16_t windows_1253[128]
    const uint8_t windows_1253_latin1[128]
    const uint8_t windows_1253_reverse_stage1[512]
    const uint8_t windows_1253_reverse_stage2[896]
    const uint16_t windows_1254[128]
    const uint8_t windows_1254_latin1[128]
    const uint8_t windows_1254_reverse_stage1[512]
    const uint8_t windows_1254_reverse_stage2[1024]
    const uint16_t windows_1255_replaced[128]
    const uint16_t windows_1255[128]
    const uint8_t windows_1255_latin1[128]
    const uint8_t windows_1255_reverse_stage1[512]
    const uint8_t windows_1255_reverse_stage2[1024]
    const uint16_t windows_1256[128]
    const uint8_t windows_1256_latin1[128]
    const uint8_t windows_1256_reverse_stage1[512]
    const uint8_t windows_1256_reverse_stage2[1280]
    const uint16_t windows_1257_replaced[128]
    const uint16_t windows_1257[128]
    const uint8_t windows_1257_latin1[128]
    const uint8_t windows_1257_reverse_stage1[512]
    const uint8_t windows_1257_reverse_stage2[896]
    const uint16_t windows_1258[128]
    const uint8_t windows_1258_latin1[128]
    const uint8_t windows_1258_reverse_stage1[512]
    const uint8_t windows_1258_reverse_stage2[1152]
    const uint16_t x_mac_cyrillic[128]
    const uint8_t x_mac_cyrillic_latin1[128]
    const uint8_t x_mac_cyrillic_reverse_stage1[512]
    const uint8_t x_mac_cyrillic_reverse_stage2[1152]

# Sentinels: the value of code_point for an error, and of error_code_point for none. Code points are smaller.
cdef enum:
    ERROR = 0xFFFFFFFF
    NO_ERROR = 0xFFFFFFFF

cdef enum:
    # Threshold: the bytes of a decoder's run, or code points of an encoder's, from which the call of a kernel pays.
    LONG_RUN = 16
    # Upper bound on the items that a decoder handles one by one between two runs.
    MAX_SINGLE_ITEMS = 32
    # Initial limit on the code points of an encoder's run after a short one.
    FEW = 4
    # Upper bound on the code points that an encoder then encodes one by one, before the run.
    SINGLE_CODE_POINTS = 8


# -- Decoder: IBM866, ISO-8859-2, ISO-8859-3, ISO-8859-4, ISO-8859-5, ISO-8859-6, ISO-8859-7, ISO-8859-8, ISO-8859-8-I,
# ISO-8859-10, ISO-8859-13, ISO-8859-14, ISO-8859-15, ISO-8859-16, KOI8-R, KOI8-U, macintosh, windows-874, windows-1250,
# windows-1251, windows-1252, windows-1253, windows-1254, windows-1255, windows-1256, windows-1257, windows-1258,
# x-mac-cyrillic
# Template: templates/_handlers/single_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#single-byte-decoder

ctypedef struct single_byte_tables:
    const uint16_t *index
    const uint16_t *replaced  # the index with U+FFFD for null; the index itself where it has no null
    const uint8_t *latin1
    we_single_byte_reverse reverse


cdef we_result single_byte_decode_ucs1(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#single-byte-decoder
    """
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef const single_byte_tables *tables = <const single_byte_tables *> run.tables
    cdef uint8_t byte
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            consumed = we_single_byte_run_to_ucs1(run.simd, source + read, length - read, tables.index, tables.latin1,
                                                  target + written, run.max_code_point, &run.bits)
            read += consumed
            written += consumed
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        byte = source[read]
        consumed = 1
        if byte < 0x80:
            # single-byte-decoder 2: an ASCII byte is the code point of its value.
            # Kernel: we_single_byte_run_to_ucs1 (src/kernels/single_byte.h).
            code_point = byte
        else:
            # single-byte-decoder 3: the index code point for byte - 0x80.
            # Kernel: we_single_byte_run_to_ucs1 (src/kernels/single_byte.h).
            # In range: the index has 0x80 entries.
            code_point = tables.index[byte - 0x80]
            # single-byte-decoder 4: null is an error.
            if code_point == 0:
                code_point = ERROR
            # single-byte-decoder 5: otherwise it is the code point.
        if code_point == ERROR:
            if run.fatal:
                run.error_length = consumed
                # In range: of an error handler's target the caller offers as many bytes as suffice (see errors.h).
                result = we_handle_error(run, WE_UCS1, source + read, target, written)
                if result == WE_INPUT_EMPTY:
                    read += run.error_length
                    written = run.written
                    continue
                if result == WE_MALFORMED:
                    read += consumed
                break
            result = WE_WIDEN
            break
        if code_point > run.max_code_point:
            result = WE_WIDEN
            break
        target[written] = <uint8_t> code_point
        written += 1
        read += consumed
    # single-byte-decoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result single_byte_decode_ucs2(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#single-byte-decoder
    """
    cdef const uint8_t *source = run.source
    cdef uint16_t *target = <uint16_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef const single_byte_tables *tables = <const single_byte_tables *> run.tables
    cdef uint8_t byte
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            consumed = we_single_byte_run_to_ucs2(run.simd, source + read, length - read, tables.index,
                                                  target + written, &run.bits)
            if consumed < length - read and not run.fatal:
                # From the first error on the run replaces errors: a long series of them would be slow one by one.
                run_written = consumed
                consumed += we_single_byte_run_to_ucs2(run.simd, source + read + consumed, length - read - consumed,
                                                       tables.replaced, target + written + consumed, &run.bits)
                run.error_count += we_replacement_character_count_ucs2(run.simd, target + written + run_written,
                                                                       consumed - run_written)
            read += consumed
            written += consumed
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        byte = source[read]
        consumed = 1
        if byte < 0x80:
            # single-byte-decoder 2: an ASCII byte is the code point of its value.
            # Kernel: we_single_byte_run_to_ucs2 (src/kernels/single_byte.h).
            code_point = byte
        else:
            # single-byte-decoder 3: the index code point for byte - 0x80.
            # Kernel: we_single_byte_run_to_ucs2 (src/kernels/single_byte.h).
            # In range: the index has 0x80 entries.
            code_point = tables.index[byte - 0x80]
            # single-byte-decoder 4: null is an error.
            if code_point == 0:
                code_point = ERROR
            # single-byte-decoder 5: otherwise it is the code point.
        if code_point == ERROR:
            if run.fatal:
                run.error_length = consumed
                # In range: of an error handler's target the caller offers as many bytes as suffice (see errors.h).
                result = we_handle_error(run, WE_UCS2, source + read, target, written)
                if result == WE_INPUT_EMPTY:
                    read += run.error_length
                    written = run.written
                    continue
                if result == WE_MALFORMED:
                    read += consumed
                break
            code_point = 0xFFFD
            run.error_count += 1
        if code_point > run.max_code_point:
            result = WE_WIDEN
            break
        target[written] = <uint16_t> code_point
        written += 1
        read += consumed
    # single-byte-decoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result single_byte_decode_ucs4(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#single-byte-decoder
    """
    cdef const uint8_t *source = run.source
    cdef uint32_t *target = <uint32_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef const single_byte_tables *tables = <const single_byte_tables *> run.tables
    cdef uint8_t byte
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            consumed = we_single_byte_run_to_ucs4(run.simd, source + read, length - read, tables.index,
                                                  target + written)
            read += consumed
            written += consumed
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        byte = source[read]
        consumed = 1
        if byte < 0x80:
            # single-byte-decoder 2: an ASCII byte is the code point of its value.
            # Kernel: we_single_byte_run_to_ucs4 (src/kernels/single_byte.h).
            code_point = byte
        else:
            # single-byte-decoder 3: the index code point for byte - 0x80.
            # Kernel: we_single_byte_run_to_ucs4 (src/kernels/single_byte.h).
            # In range: the index has 0x80 entries.
            code_point = tables.index[byte - 0x80]
            # single-byte-decoder 4: null is an error.
            if code_point == 0:
                code_point = ERROR
            # single-byte-decoder 5: otherwise it is the code point.
        if code_point == ERROR:
            if run.fatal:
                run.error_length = consumed
                # In range: of an error handler's target the caller offers as many bytes as suffice (see errors.h).
                result = we_handle_error(run, WE_UCS4, source + read, target, written)
                if result == WE_INPUT_EMPTY:
                    read += run.error_length
                    written = run.written
                    continue
                if result == WE_MALFORMED:
                    read += consumed
                break
            code_point = 0xFFFD
            run.error_count += 1
        target[written] = <uint32_t> code_point
        written += 1
        read += consumed
    # single-byte-decoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result single_byte_decode_utf8(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#single-byte-decoder
    """
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef const single_byte_tables *tables = <const single_byte_tables *> run.tables
    cdef uint8_t byte
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            read += we_single_byte_run_to_utf8(run.simd, source + read, length - read, tables.index,
                                               target + written, &run_written)
            written += run_written
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        byte = source[read]
        consumed = 1
        if byte < 0x80:
            # single-byte-decoder 2: an ASCII byte is the code point of its value.
            # Kernel: we_single_byte_run_to_utf8 (src/kernels/single_byte.h).
            code_point = byte
        else:
            # single-byte-decoder 3: the index code point for byte - 0x80.
            # Kernel: we_single_byte_run_to_utf8 (src/kernels/single_byte.h).
            # In range: the index has 0x80 entries.
            code_point = tables.index[byte - 0x80]
            # single-byte-decoder 4: null is an error.
            if code_point == 0:
                code_point = ERROR
            # single-byte-decoder 5: otherwise it is the code point.
        if code_point == ERROR:
            if run.fatal:
                run.error_length = consumed
                result = WE_MALFORMED
                if result == WE_MALFORMED:
                    read += consumed
                break
            code_point = 0xFFFD
            run.error_count += 1
        written += we_put_utf8(target + written, code_point)
        read += consumed
    # single-byte-decoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


# -- Encoder: IBM866, ISO-8859-2, ISO-8859-3, ISO-8859-4, ISO-8859-5, ISO-8859-6, ISO-8859-7, ISO-8859-8, ISO-8859-8-I,
# ISO-8859-10, ISO-8859-13, ISO-8859-14, ISO-8859-15, ISO-8859-16, KOI8-R, KOI8-U, macintosh, windows-874, windows-1250,
# windows-1251, windows-1252, windows-1253, windows-1254, windows-1255, windows-1256, windows-1257, windows-1258,
# x-mac-cyrillic
# Template: templates/_handlers/single_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#single-byte-encoder


cdef we_result single_byte_encode_ucs1(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#single-byte-encoder

    Order: the kernel encodes all code points that have a byte, so null comes last.
    """
    cdef const uint8_t *source = <const uint8_t *> run.source
    cdef uint8_t *target = run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written
    cdef uint32_t code_point, error_code_point
    cdef int mode
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef unsigned few
    cdef uint16_t found
    cdef const we_single_byte_reverse *reverse = &(<const single_byte_tables *> run.tables).reverse
    # Code points that end runs come in groups, with few others between them. After one, a few are encoded one by one,
    # and the run after those is limited, since short runs start faster.
    cdef size_t start, end, limit = FEW if run.after_error else length
    while read < length:
        few = SINGLE_CODE_POINTS if limit == FEW else 0
        while few != 0 and read < length:
            found = we_single_byte_of(reverse, source[read])
            if found == 0:
                break
            we_store_pair(target + written, found)
            written += 1 + (found > 0xFF)
            read += 1
            few -= 1
            if few == 0:
                limit = FEW * 8
        if read == length:
            break
        if few == 0 or not we_single_byte_is_null(reverse, source[read]):
            start = read
            end = length if length - read <= limit else read + limit
            run_written = we_single_byte_run_from_ucs1(run.simd, source + read, end - read, reverse, target + written)
            read += run_written
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # single-byte-encoder 2: a byte of the same value.
        # Kernel: we_single_byte_run_from_ucs1 (src/kernels/single_byte.h).
        # single-byte-encoder 3: the table has the byte of each code point,
        # Kernel: we_single_byte_run_from_ucs1 (src/kernels/single_byte.h).
        # single-byte-encoder 5: with 0x80 added to the pointer.
        # Kernel: we_single_byte_run_from_ucs1 (src/kernels/single_byte.h).
        # single-byte-encoder 4: an error with code point. The run stops at these code points only.
        error_code_point = code_point
        read += 1
        if error_code_point != NO_ERROR:
            # In range: no code point that is encoded takes fewer bytes than a replacement.
            read -= 1
            start = read
            mode = run.error_mode
            if mode == WE_IGNORE or mode == WE_QUESTION_MARK:
                # The byte is written in both modes, and counted in one. (ISO-2022-JP is in ASCII or Roman.)
                while True:
                    target[written] = c"?"
                    written += mode == WE_QUESTION_MARK
                    read += 1
                    if read == length or not we_single_byte_is_null(reverse, source[read]):
                        break
            if read != start:
                continue
            read += 1
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    # single-byte-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result single_byte_encode_ucs2(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#single-byte-encoder

    Order: the kernel encodes all code points that have a byte, so null comes last.
    """
    cdef const uint16_t *source = <const uint16_t *> run.source
    cdef uint8_t *target = run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written
    cdef uint32_t code_point, error_code_point
    cdef int mode
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef unsigned few
    cdef uint16_t found
    cdef const we_single_byte_reverse *reverse = &(<const single_byte_tables *> run.tables).reverse
    # Code points that end runs come in groups, with few others between them. After one, a few are encoded one by one,
    # and the run after those is limited, since short runs start faster.
    cdef size_t start, end, limit = FEW if run.after_error else length
    while read < length:
        few = SINGLE_CODE_POINTS if limit == FEW else 0
        while few != 0 and read < length:
            found = we_single_byte_of(reverse, source[read])
            if found == 0:
                break
            we_store_pair(target + written, found)
            written += 1 + (found > 0xFF)
            read += 1
            few -= 1
            if few == 0:
                limit = FEW * 8
        if read == length:
            break
        if few == 0 or not we_single_byte_is_null(reverse, source[read]):
            start = read
            end = length if length - read <= limit else read + limit
            run_written = we_single_byte_run_from_ucs2(run.simd, source + read, end - read, reverse, target + written)
            read += run_written
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # single-byte-encoder 2: a byte of the same value.
        # Kernel: we_single_byte_run_from_ucs2 (src/kernels/single_byte.h).
        # single-byte-encoder 3: the table has the byte of each code point,
        # Kernel: we_single_byte_run_from_ucs2 (src/kernels/single_byte.h).
        # single-byte-encoder 5: with 0x80 added to the pointer.
        # Kernel: we_single_byte_run_from_ucs2 (src/kernels/single_byte.h).
        # single-byte-encoder 4: an error with code point. The run stops at these code points only.
        error_code_point = code_point
        read += 1
        if error_code_point != NO_ERROR:
            # In range: no code point that is encoded takes fewer bytes than a replacement.
            read -= 1
            start = read
            mode = run.error_mode
            if mode == WE_IGNORE or mode == WE_QUESTION_MARK:
                # The byte is written in both modes, and counted in one. (ISO-2022-JP is in ASCII or Roman.)
                while True:
                    target[written] = c"?"
                    written += mode == WE_QUESTION_MARK
                    read += 1
                    if read == length or not we_single_byte_is_null(reverse, source[read]):
                        break
            elif mode == WE_SURROGATE_ESCAPE:
                # The bytes that U+DC80 to U+DCFF stand for, in any state.
                while read < length:
                    code_point = source[read]
                    if not 0xDC80 <= code_point <= 0xDCFF:
                        break
                    target[written] = <uint8_t> (code_point & 0xFF)
                    written += 1
                    read += 1
            if read != start:
                continue
            read += 1
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    # single-byte-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result single_byte_encode_ucs4(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#single-byte-encoder

    Order: the kernel encodes all code points that have a byte, so null comes last.
    """
    cdef const uint32_t *source = <const uint32_t *> run.source
    cdef uint8_t *target = run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written
    cdef uint32_t code_point, error_code_point
    cdef int mode
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef unsigned few
    cdef uint16_t found
    cdef const we_single_byte_reverse *reverse = &(<const single_byte_tables *> run.tables).reverse
    # Code points that end runs come in groups, with few others between them. After one, a few are encoded one by one,
    # and the run after those is limited, since short runs start faster.
    cdef size_t start, end, limit = FEW if run.after_error else length
    while read < length:
        few = SINGLE_CODE_POINTS if limit == FEW else 0
        while few != 0 and read < length:
            found = we_single_byte_of(reverse, source[read])
            if found == 0:
                break
            we_store_pair(target + written, found)
            written += 1 + (found > 0xFF)
            read += 1
            few -= 1
            if few == 0:
                limit = FEW * 8
        if read == length:
            break
        if few == 0 or not we_single_byte_is_null(reverse, source[read]):
            start = read
            end = length if length - read <= limit else read + limit
            run_written = we_single_byte_run_from_ucs4(run.simd, source + read, end - read, reverse, target + written)
            read += run_written
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # single-byte-encoder 2: a byte of the same value.
        # Kernel: we_single_byte_run_from_ucs4 (src/kernels/single_byte.h).
        # single-byte-encoder 3: the table has the byte of each code point,
        # Kernel: we_single_byte_run_from_ucs4 (src/kernels/single_byte.h).
        # single-byte-encoder 5: with 0x80 added to the pointer.
        # Kernel: we_single_byte_run_from_ucs4 (src/kernels/single_byte.h).
        # single-byte-encoder 4: an error with code point. The run stops at these code points only.
        error_code_point = code_point
        read += 1
        if error_code_point != NO_ERROR:
            # In range: no code point that is encoded takes fewer bytes than a replacement.
            read -= 1
            start = read
            mode = run.error_mode
            if mode == WE_IGNORE or mode == WE_QUESTION_MARK:
                # The byte is written in both modes, and counted in one. (ISO-2022-JP is in ASCII or Roman.)
                while True:
                    target[written] = c"?"
                    written += mode == WE_QUESTION_MARK
                    read += 1
                    if read == length or not we_single_byte_is_null(reverse, source[read]):
                        break
            elif mode == WE_SURROGATE_ESCAPE:
                # The bytes that U+DC80 to U+DCFF stand for, in any state.
                while read < length:
                    code_point = source[read]
                    if not 0xDC80 <= code_point <= 0xDCFF:
                        break
                    target[written] = <uint8_t> (code_point & 0xFF)
                    written += 1
                    read += 1
            if read != start:
                continue
            read += 1
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    # single-byte-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


# -- Registry: the codecs of this module, for the driver ---------------------------------------------------------------

CODECS = {}

cdef we_codec ibm866_codec
ibm866_codec.decode[0] = single_byte_decode_ucs1
ibm866_codec.decode[1] = single_byte_decode_ucs2
ibm866_codec.decode[2] = single_byte_decode_ucs4
ibm866_codec.decode[3] = single_byte_decode_utf8
ibm866_codec.encode[0] = single_byte_encode_ucs1
ibm866_codec.encode_capacity[0] = 1
ibm866_codec.encode[1] = single_byte_encode_ucs2
ibm866_codec.encode_capacity[1] = 1
ibm866_codec.encode[2] = single_byte_encode_ucs4
ibm866_codec.encode_capacity[2] = 1
ibm866_codec.decode_shift = 0
ibm866_codec.is_ascii_compatible = True
cdef single_byte_tables ibm866_tables
ibm866_tables.index = ibm866
ibm866_tables.replaced = ibm866
ibm866_tables.latin1 = ibm866_latin1
ibm866_tables.reverse.stage1 = ibm866_reverse_stage1
ibm866_tables.reverse.stage2 = ibm866_reverse_stage2
ibm866_codec.tables = &ibm866_tables
CODECS["IBM866"] = PyCapsule_New(&ibm866_codec, "whatwg_encoding.codec", NULL)

cdef we_codec iso_8859_2_codec
iso_8859_2_codec.decode[0] = single_byte_decode_ucs1
iso_8859_2_codec.decode[1] = single_byte_decode_ucs2
iso_8859_2_codec.decode[2] = single_byte_decode_ucs4
iso_8859_2_codec.decode[3] = single_byte_decode_utf8
iso_8859_2_codec.encode[0] = single_byte_encode_ucs1
iso_8859_2_codec.encode_capacity[0] = 1
iso_8859_2_codec.encode[1] = single_byte_encode_ucs2
iso_8859_2_codec.encode_capacity[1] = 1
iso_8859_2_codec.encode[2] = single_byte_encode_ucs4
iso_8859_2_codec.encode_capacity[2] = 1
iso_8859_2_codec.decode_shift = 0
iso_8859_2_codec.is_ascii_compatible = True
cdef single_byte_tables iso_8859_2_tables
iso_8859_2_tables.index = iso_8859_2
iso_8859_2_tables.replaced = iso_8859_2
iso_8859_2_tables.latin1 = iso_8859_2_latin1
iso_8859_2_tables.reverse.stage1 = iso_8859_2_reverse_stage1
iso_8859_2_tables.reverse.stage2 = iso_8859_2_reverse_stage2
iso_8859_2_codec.tables = &iso_8859_2_tables
CODECS["ISO-8859-2"] = PyCapsule_New(&iso_8859_2_codec, "whatwg_encoding.codec", NULL)

cdef we_codec iso_8859_3_codec
iso_8859_3_codec.decode[0] = single_byte_decode_ucs1
iso_8859_3_codec.decode[1] = single_byte_decode_ucs2
iso_8859_3_codec.decode[2] = single_byte_decode_ucs4
iso_8859_3_codec.decode[3] = single_byte_decode_utf8
iso_8859_3_codec.encode[0] = single_byte_encode_ucs1
iso_8859_3_codec.encode_capacity[0] = 1
iso_8859_3_codec.encode[1] = single_byte_encode_ucs2
iso_8859_3_codec.encode_capacity[1] = 1
iso_8859_3_codec.encode[2] = single_byte_encode_ucs4
iso_8859_3_codec.encode_capacity[2] = 1
iso_8859_3_codec.decode_shift = 0
iso_8859_3_codec.is_ascii_compatible = True
cdef single_byte_tables iso_8859_3_tables
iso_8859_3_tables.index = iso_8859_3
iso_8859_3_tables.replaced = iso_8859_3_replaced
iso_8859_3_tables.latin1 = iso_8859_3_latin1
iso_8859_3_tables.reverse.stage1 = iso_8859_3_reverse_stage1
iso_8859_3_tables.reverse.stage2 = iso_8859_3_reverse_stage2
iso_8859_3_codec.tables = &iso_8859_3_tables
CODECS["ISO-8859-3"] = PyCapsule_New(&iso_8859_3_codec, "whatwg_encoding.codec", NULL)

cdef we_codec iso_8859_4_codec
iso_8859_4_codec.decode[0] = single_byte_decode_ucs1
iso_8859_4_codec.decode[1] = single_byte_decode_ucs2
iso_8859_4_codec.decode[2] = single_byte_decode_ucs4
iso_8859_4_codec.decode[3] = single_byte_decode_utf8
iso_8859_4_codec.encode[0] = single_byte_encode_ucs1
iso_8859_4_codec.encode_capacity[0] = 1
iso_8859_4_codec.encode[1] = single_byte_encode_ucs2
iso_8859_4_codec.encode_capacity[1] = 1
iso_8859_4_codec.encode[2] = single_byte_encode_ucs4
iso_8859_4_codec.encode_capacity[2] = 1
iso_8859_4_codec.decode_shift = 0
iso_8859_4_codec.is_ascii_compatible = True
cdef single_byte_tables iso_8859_4_tables
iso_8859_4_tables.index = iso_8859_4
iso_8859_4_tables.replaced = iso_8859_4
iso_8859_4_tables.latin1 = iso_8859_4_latin1
iso_8859_4_tables.reverse.stage1 = iso_8859_4_reverse_stage1
iso_8859_4_tables.reverse.stage2 = iso_8859_4_reverse_stage2
iso_8859_4_codec.tables = &iso_8859_4_tables
CODECS["ISO-8859-4"] = PyCapsule_New(&iso_8859_4_codec, "whatwg_encoding.codec", NULL)

cdef we_codec iso_8859_5_codec
iso_8859_5_codec.decode[0] = single_byte_decode_ucs1
iso_8859_5_codec.decode[1] = single_byte_decode_ucs2
iso_8859_5_codec.decode[2] = single_byte_decode_ucs4
iso_8859_5_codec.decode[3] = single_byte_decode_utf8
iso_8859_5_codec.encode[0] = single_byte_encode_ucs1
iso_8859_5_codec.encode_capacity[0] = 1
iso_8859_5_codec.encode[1] = single_byte_encode_ucs2
iso_8859_5_codec.encode_capacity[1] = 1
iso_8859_5_codec.encode[2] = single_byte_encode_ucs4
iso_8859_5_codec.encode_capacity[2] = 1
iso_8859_5_codec.decode_shift = 0
iso_8859_5_codec.is_ascii_compatible = True
cdef single_byte_tables iso_8859_5_tables
iso_8859_5_tables.index = iso_8859_5
iso_8859_5_tables.replaced = iso_8859_5
iso_8859_5_tables.latin1 = iso_8859_5_latin1
iso_8859_5_tables.reverse.stage1 = iso_8859_5_reverse_stage1
iso_8859_5_tables.reverse.stage2 = iso_8859_5_reverse_stage2
iso_8859_5_codec.tables = &iso_8859_5_tables
CODECS["ISO-8859-5"] = PyCapsule_New(&iso_8859_5_codec, "whatwg_encoding.codec", NULL)

cdef we_codec iso_8859_6_codec
iso_8859_6_codec.decode[0] = single_byte_decode_ucs1
iso_8859_6_codec.decode[1] = single_byte_decode_ucs2
iso_8859_6_codec.decode[2] = single_byte_decode_ucs4
iso_8859_6_codec.decode[3] = single_byte_decode_utf8
iso_8859_6_codec.encode[0] = single_byte_encode_ucs1
iso_8859_6_codec.encode_capacity[0] = 1
iso_8859_6_codec.encode[1] = single_byte_encode_ucs2
iso_8859_6_codec.encode_capacity[1] = 1
iso_8859_6_codec.encode[2] = single_byte_encode_ucs4
iso_8859_6_codec.encode_capacity[2] = 1
iso_8859_6_codec.decode_shift = 0
iso_8859_6_codec.is_ascii_compatible = True
cdef single_byte_tables iso_8859_6_tables
iso_8859_6_tables.index = iso_8859_6
iso_8859_6_tables.replaced = iso_8859_6_replaced
iso_8859_6_tables.latin1 = iso_8859_6_latin1
iso_8859_6_tables.reverse.stage1 = iso_8859_6_reverse_stage1
iso_8859_6_tables.reverse.stage2 = iso_8859_6_reverse_stage2
iso_8859_6_codec.tables = &iso_8859_6_tables
CODECS["ISO-8859-6"] = PyCapsule_New(&iso_8859_6_codec, "whatwg_encoding.codec", NULL)

cdef we_codec iso_8859_7_codec
iso_8859_7_codec.decode[0] = single_byte_decode_ucs1
iso_8859_7_codec.decode[1] = single_byte_decode_ucs2
iso_8859_7_codec.decode[2] = single_byte_decode_ucs4
iso_8859_7_codec.decode[3] = single_byte_decode_utf8
iso_8859_7_codec.encode[0] = single_byte_encode_ucs1
iso_8859_7_codec.encode_capacity[0] = 1
iso_8859_7_codec.encode[1] = single_byte_encode_ucs2
iso_8859_7_codec.encode_capacity[1] = 1
iso_8859_7_codec.encode[2] = single_byte_encode_ucs4
iso_8859_7_codec.encode_capacity[2] = 1
iso_8859_7_codec.decode_shift = 0
iso_8859_7_codec.is_ascii_compatible = True
cdef single_byte_tables iso_8859_7_tables
iso_8859_7_tables.index = iso_8859_7
iso_8859_7_tables.replaced = iso_8859_7_replaced
iso_8859_7_tables.latin1 = iso_8859_7_latin1
iso_8859_7_tables.reverse.stage1 = iso_8859_7_reverse_stage1
iso_8859_7_tables.reverse.stage2 = iso_8859_7_reverse_stage2
iso_8859_7_codec.tables = &iso_8859_7_tables
CODECS["ISO-8859-7"] = PyCapsule_New(&iso_8859_7_codec, "whatwg_encoding.codec", NULL)

cdef we_codec iso_8859_8_codec
iso_8859_8_codec.decode[0] = single_byte_decode_ucs1
iso_8859_8_codec.decode[1] = single_byte_decode_ucs2
iso_8859_8_codec.decode[2] = single_byte_decode_ucs4
iso_8859_8_codec.decode[3] = single_byte_decode_utf8
iso_8859_8_codec.encode[0] = single_byte_encode_ucs1
iso_8859_8_codec.encode_capacity[0] = 1
iso_8859_8_codec.encode[1] = single_byte_encode_ucs2
iso_8859_8_codec.encode_capacity[1] = 1
iso_8859_8_codec.encode[2] = single_byte_encode_ucs4
iso_8859_8_codec.encode_capacity[2] = 1
iso_8859_8_codec.decode_shift = 0
iso_8859_8_codec.is_ascii_compatible = True
cdef single_byte_tables iso_8859_8_tables
iso_8859_8_tables.index = iso_8859_8
iso_8859_8_tables.replaced = iso_8859_8_replaced
iso_8859_8_tables.latin1 = iso_8859_8_latin1
iso_8859_8_tables.reverse.stage1 = iso_8859_8_reverse_stage1
iso_8859_8_tables.reverse.stage2 = iso_8859_8_reverse_stage2
iso_8859_8_codec.tables = &iso_8859_8_tables
CODECS["ISO-8859-8"] = PyCapsule_New(&iso_8859_8_codec, "whatwg_encoding.codec", NULL)

cdef we_codec iso_8859_8_i_codec
iso_8859_8_i_codec.decode[0] = single_byte_decode_ucs1
iso_8859_8_i_codec.decode[1] = single_byte_decode_ucs2
iso_8859_8_i_codec.decode[2] = single_byte_decode_ucs4
iso_8859_8_i_codec.decode[3] = single_byte_decode_utf8
iso_8859_8_i_codec.encode[0] = single_byte_encode_ucs1
iso_8859_8_i_codec.encode_capacity[0] = 1
iso_8859_8_i_codec.encode[1] = single_byte_encode_ucs2
iso_8859_8_i_codec.encode_capacity[1] = 1
iso_8859_8_i_codec.encode[2] = single_byte_encode_ucs4
iso_8859_8_i_codec.encode_capacity[2] = 1
iso_8859_8_i_codec.decode_shift = 0
iso_8859_8_i_codec.is_ascii_compatible = True
cdef single_byte_tables iso_8859_8_i_tables
iso_8859_8_i_tables.index = iso_8859_8
iso_8859_8_i_tables.replaced = iso_8859_8_replaced
iso_8859_8_i_tables.latin1 = iso_8859_8_latin1
iso_8859_8_i_tables.reverse.stage1 = iso_8859_8_reverse_stage1
iso_8859_8_i_tables.reverse.stage2 = iso_8859_8_reverse_stage2
iso_8859_8_i_codec.tables = &iso_8859_8_i_tables
CODECS["ISO-8859-8-I"] = PyCapsule_New(&iso_8859_8_i_codec, "whatwg_encoding.codec", NULL)

cdef we_codec iso_8859_10_codec
iso_8859_10_codec.decode[0] = single_byte_decode_ucs1
iso_8859_10_codec.decode[1] = single_byte_decode_ucs2
iso_8859_10_codec.decode[2] = single_byte_decode_ucs4
iso_8859_10_codec.decode[3] = single_byte_decode_utf8
iso_8859_10_codec.encode[0] = single_byte_encode_ucs1
iso_8859_10_codec.encode_capacity[0] = 1
iso_8859_10_codec.encode[1] = single_byte_encode_ucs2
iso_8859_10_codec.encode_capacity[1] = 1
iso_8859_10_codec.encode[2] = single_byte_encode_ucs4
iso_8859_10_codec.encode_capacity[2] = 1
iso_8859_10_codec.decode_shift = 0
iso_8859_10_codec.is_ascii_compatible = True
cdef single_byte_tables iso_8859_10_tables
iso_8859_10_tables.index = iso_8859_10
iso_8859_10_tables.replaced = iso_8859_10
iso_8859_10_tables.latin1 = iso_8859_10_latin1
iso_8859_10_tables.reverse.stage1 = iso_8859_10_reverse_stage1
iso_8859_10_tables.reverse.stage2 = iso_8859_10_reverse_stage2
iso_8859_10_codec.tables = &iso_8859_10_tables
CODECS["ISO-8859-10"] = PyCapsule_New(&iso_8859_10_codec, "whatwg_encoding.codec", NULL)

cdef we_codec iso_8859_13_codec
iso_8859_13_codec.decode[0] = single_byte_decode_ucs1
iso_8859_13_codec.decode[1] = single_byte_decode_ucs2
iso_8859_13_codec.decode[2] = single_byte_decode_ucs4
iso_8859_13_codec.decode[3] = single_byte_decode_utf8
iso_8859_13_codec.encode[0] = single_byte_encode_ucs1
iso_8859_13_codec.encode_capacity[0] = 1
iso_8859_13_codec.encode[1] = single_byte_encode_ucs2
iso_8859_13_codec.encode_capacity[1] = 1
iso_8859_13_codec.encode[2] = single_byte_encode_ucs4
iso_8859_13_codec.encode_capacity[2] = 1
iso_8859_13_codec.decode_shift = 0
iso_8859_13_codec.is_ascii_compatible = True
cdef single_byte_tables iso_8859_13_tables
iso_8859_13_tables.index = iso_8859_13
iso_8859_13_tables.replaced = iso_8859_13
iso_8859_13_tables.latin1 = iso_8859_13_latin1
iso_8859_13_tables.reverse.stage1 = iso_8859_13_reverse_stage1
iso_8859_13_tables.reverse.stage2 = iso_8859_13_reverse_stage2
iso_8859_13_codec.tables = &iso_8859_13_tables
CODECS["ISO-8859-13"] = PyCapsule_New(&iso_8859_13_codec, "whatwg_encoding.codec", NULL)

cdef we_codec iso_8859_14_codec
iso_8859_14_codec.decode[0] = single_byte_decode_ucs1
iso_8859_14_codec.decode[1] = single_byte_decode_ucs2
iso_8859_14_codec.decode[2] = single_byte_decode_ucs4
iso_8859_14_codec.decode[3] = single_byte_decode_utf8
iso_8859_14_codec.encode[0] = single_byte_encode_ucs1
iso_8859_14_codec.encode_capacity[0] = 1
iso_8859_14_codec.encode[1] = single_byte_encode_ucs2
iso_8859_14_codec.encode_capacity[1] = 1
iso_8859_14_codec.encode[2] = single_byte_encode_ucs4
iso_8859_14_codec.encode_capacity[2] = 1
iso_8859_14_codec.decode_shift = 0
iso_8859_14_codec.is_ascii_compatible = True
cdef single_byte_tables iso_8859_14_tables
iso_8859_14_tables.index = iso_8859_14
iso_8859_14_tables.replaced = iso_8859_14
iso_8859_14_tables.latin1 = iso_8859_14_latin1
iso_8859_14_tables.reverse.stage1 = iso_8859_14_reverse_stage1
iso_8859_14_tables.reverse.stage2 = iso_8859_14_reverse_stage2
iso_8859_14_codec.tables = &iso_8859_14_tables
CODECS["ISO-8859-14"] = PyCapsule_New(&iso_8859_14_codec, "whatwg_encoding.codec", NULL)

cdef we_codec iso_8859_15_codec
iso_8859_15_codec.decode[0] = single_byte_decode_ucs1
iso_8859_15_codec.decode[1] = single_byte_decode_ucs2
iso_8859_15_codec.decode[2] = single_byte_decode_ucs4
iso_8859_15_codec.decode[3] = single_byte_decode_utf8
iso_8859_15_codec.encode[0] = single_byte_encode_ucs1
iso_8859_15_codec.encode_capacity[0] = 1
iso_8859_15_codec.encode[1] = single_byte_encode_ucs2
iso_8859_15_codec.encode_capacity[1] = 1
iso_8859_15_codec.encode[2] = single_byte_encode_ucs4
iso_8859_15_codec.encode_capacity[2] = 1
iso_8859_15_codec.decode_shift = 0
iso_8859_15_codec.is_ascii_compatible = True
cdef single_byte_tables iso_8859_15_tables
iso_8859_15_tables.index = iso_8859_15
iso_8859_15_tables.replaced = iso_8859_15
iso_8859_15_tables.latin1 = iso_8859_15_latin1
iso_8859_15_tables.reverse.stage1 = iso_8859_15_reverse_stage1
iso_8859_15_tables.reverse.stage2 = iso_8859_15_reverse_stage2
iso_8859_15_codec.tables = &iso_8859_15_tables
CODECS["ISO-8859-15"] = PyCapsule_New(&iso_8859_15_codec, "whatwg_encoding.codec", NULL)

cdef we_codec iso_8859_16_codec
iso_8859_16_codec.decode[0] = single_byte_decode_ucs1
iso_8859_16_codec.decode[1] = single_byte_decode_ucs2
iso_8859_16_codec.decode[2] = single_byte_decode_ucs4
iso_8859_16_codec.decode[3] = single_byte_decode_utf8
iso_8859_16_codec.encode[0] = single_byte_encode_ucs1
iso_8859_16_codec.encode_capacity[0] = 1
iso_8859_16_codec.encode[1] = single_byte_encode_ucs2
iso_8859_16_codec.encode_capacity[1] = 1
iso_8859_16_codec.encode[2] = single_byte_encode_ucs4
iso_8859_16_codec.encode_capacity[2] = 1
iso_8859_16_codec.decode_shift = 0
iso_8859_16_codec.is_ascii_compatible = True
cdef single_byte_tables iso_8859_16_tables
iso_8859_16_tables.index = iso_8859_16
iso_8859_16_tables.replaced = iso_8859_16
iso_8859_16_tables.latin1 = iso_8859_16_latin1
iso_8859_16_tables.reverse.stage1 = iso_8859_16_reverse_stage1
iso_8859_16_tables.reverse.stage2 = iso_8859_16_reverse_stage2
iso_8859_16_codec.tables = &iso_8859_16_tables
CODECS["ISO-8859-16"] = PyCapsule_New(&iso_8859_16_codec, "whatwg_encoding.codec", NULL)

cdef we_codec koi8_r_codec
koi8_r_codec.decode[0] = single_byte_decode_ucs1
koi8_r_codec.decode[1] = single_byte_decode_ucs2
koi8_r_codec.decode[2] = single_byte_decode_ucs4
koi8_r_codec.decode[3] = single_byte_decode_utf8
koi8_r_codec.encode[0] = single_byte_encode_ucs1
koi8_r_codec.encode_capacity[0] = 1
koi8_r_codec.encode[1] = single_byte_encode_ucs2
koi8_r_codec.encode_capacity[1] = 1
koi8_r_codec.encode[2] = single_byte_encode_ucs4
koi8_r_codec.encode_capacity[2] = 1
koi8_r_codec.decode_shift = 0
koi8_r_codec.is_ascii_compatible = True
cdef single_byte_tables koi8_r_tables
koi8_r_tables.index = koi8_r
koi8_r_tables.replaced = koi8_r
koi8_r_tables.latin1 = koi8_r_latin1
koi8_r_tables.reverse.stage1 = koi8_r_reverse_stage1
koi8_r_tables.reverse.stage2 = koi8_r_reverse_stage2
koi8_r_codec.tables = &koi8_r_tables
CODECS["KOI8-R"] = PyCapsule_New(&koi8_r_codec, "whatwg_encoding.codec", NULL)

cdef we_codec koi8_u_codec
koi8_u_codec.decode[0] = single_byte_decode_ucs1
koi8_u_codec.decode[1] = single_byte_decode_ucs2
koi8_u_codec.decode[2] = single_byte_decode_ucs4
koi8_u_codec.decode[3] = single_byte_decode_utf8
koi8_u_codec.encode[0] = single_byte_encode_ucs1
koi8_u_codec.encode_capacity[0] = 1
koi8_u_codec.encode[1] = single_byte_encode_ucs2
koi8_u_codec.encode_capacity[1] = 1
koi8_u_codec.encode[2] = single_byte_encode_ucs4
koi8_u_codec.encode_capacity[2] = 1
koi8_u_codec.decode_shift = 0
koi8_u_codec.is_ascii_compatible = True
cdef single_byte_tables koi8_u_tables
koi8_u_tables.index = koi8_u
koi8_u_tables.replaced = koi8_u
koi8_u_tables.latin1 = koi8_u_latin1
koi8_u_tables.reverse.stage1 = koi8_u_reverse_stage1
koi8_u_tables.reverse.stage2 = koi8_u_reverse_stage2
koi8_u_codec.tables = &koi8_u_tables
CODECS["KOI8-U"] = PyCapsule_New(&koi8_u_codec, "whatwg_encoding.codec", NULL)

cdef we_codec macintosh_codec
macintosh_codec.decode[0] = single_byte_decode_ucs1
macintosh_codec.decode[1] = single_byte_decode_ucs2
macintosh_codec.decode[2] = single_byte_decode_ucs4
macintosh_codec.decode[3] = single_byte_decode_utf8
macintosh_codec.encode[0] = single_byte_encode_ucs1
macintosh_codec.encode_capacity[0] = 1
macintosh_codec.encode[1] = single_byte_encode_ucs2
macintosh_codec.encode_capacity[1] = 1
macintosh_codec.encode[2] = single_byte_encode_ucs4
macintosh_codec.encode_capacity[2] = 1
macintosh_codec.decode_shift = 0
macintosh_codec.is_ascii_compatible = True
cdef single_byte_tables macintosh_tables
macintosh_tables.index = macintosh
macintosh_tables.replaced = macintosh
macintosh_tables.latin1 = macintosh_latin1
macintosh_tables.reverse.stage1 = macintosh_reverse_stage1
macintosh_tables.reverse.stage2 = macintosh_reverse_stage2
macintosh_codec.tables = &macintosh_tables
CODECS["macintosh"] = PyCapsule_New(&macintosh_codec, "whatwg_encoding.codec", NULL)

cdef we_codec windows_874_codec
windows_874_codec.decode[0] = single_byte_decode_ucs1
windows_874_codec.decode[1] = single_byte_decode_ucs2
windows_874_codec.decode[2] = single_byte_decode_ucs4
windows_874_codec.decode[3] = single_byte_decode_utf8
windows_874_codec.encode[0] = single_byte_encode_ucs1
windows_874_codec.encode_capacity[0] = 1
windows_874_codec.encode[1] = single_byte_encode_ucs2
windows_874_codec.encode_capacity[1] = 1
windows_874_codec.encode[2] = single_byte_encode_ucs4
windows_874_codec.encode_capacity[2] = 1
windows_874_codec.decode_shift = 0
windows_874_codec.is_ascii_compatible = True
cdef single_byte_tables windows_874_tables
windows_874_tables.index = windows_874
windows_874_tables.replaced = windows_874_replaced
windows_874_tables.latin1 = windows_874_latin1
windows_874_tables.reverse.stage1 = windows_874_reverse_stage1
windows_874_tables.reverse.stage2 = windows_874_reverse_stage2
windows_874_codec.tables = &windows_874_tables
CODECS["windows-874"] = PyCapsule_New(&windows_874_codec, "whatwg_encoding.codec", NULL)

cdef we_codec windows_1250_codec
windows_1250_codec.decode[0] = single_byte_decode_ucs1
windows_1250_codec.decode[1] = single_byte_decode_ucs2
windows_1250_codec.decode[2] = single_byte_decode_ucs4
windows_1250_codec.decode[3] = single_byte_decode_utf8
windows_1250_codec.encode[0] = single_byte_encode_ucs1
windows_1250_codec.encode_capacity[0] = 1
windows_1250_codec.encode[1] = single_byte_encode_ucs2
windows_1250_codec.encode_capacity[1] = 1
windows_1250_codec.encode[2] = single_byte_encode_ucs4
windows_1250_codec.encode_capacity[2] = 1
windows_1250_codec.decode_shift = 0
windows_1250_codec.is_ascii_compatible = True
cdef single_byte_tables windows_1250_tables
windows_1250_tables.index = windows_1250
windows_1250_tables.replaced = windows_1250
windows_1250_tables.latin1 = windows_1250_latin1
windows_1250_tables.reverse.stage1 = windows_1250_reverse_stage1
windows_1250_tables.reverse.stage2 = windows_1250_reverse_stage2
windows_1250_codec.tables = &windows_1250_tables
CODECS["windows-1250"] = PyCapsule_New(&windows_1250_codec, "whatwg_encoding.codec", NULL)

cdef we_codec windows_1251_codec
windows_1251_codec.decode[0] = single_byte_decode_ucs1
windows_1251_codec.decode[1] = single_byte_decode_ucs2
windows_1251_codec.decode[2] = single_byte_decode_ucs4
windows_1251_codec.decode[3] = single_byte_decode_utf8
windows_1251_codec.encode[0] = single_byte_encode_ucs1
windows_1251_codec.encode_capacity[0] = 1
windows_1251_codec.encode[1] = single_byte_encode_ucs2
windows_1251_codec.encode_capacity[1] = 1
windows_1251_codec.encode[2] = single_byte_encode_ucs4
windows_1251_codec.encode_capacity[2] = 1
windows_1251_codec.decode_shift = 0
windows_1251_codec.is_ascii_compatible = True
cdef single_byte_tables windows_1251_tables
windows_1251_tables.index = windows_1251
windows_1251_tables.replaced = windows_1251
windows_1251_tables.latin1 = windows_1251_latin1
windows_1251_tables.reverse.stage1 = windows_1251_reverse_stage1
windows_1251_tables.reverse.stage2 = windows_1251_reverse_stage2
windows_1251_codec.tables = &windows_1251_tables
CODECS["windows-1251"] = PyCapsule_New(&windows_1251_codec, "whatwg_encoding.codec", NULL)

cdef we_codec windows_1252_codec
windows_1252_codec.decode[0] = single_byte_decode_ucs1
windows_1252_codec.decode[1] = single_byte_decode_ucs2
windows_1252_codec.decode[2] = single_byte_decode_ucs4
windows_1252_codec.decode[3] = single_byte_decode_utf8
windows_1252_codec.encode[0] = single_byte_encode_ucs1
windows_1252_codec.encode_capacity[0] = 1
windows_1252_codec.encode[1] = single_byte_encode_ucs2
windows_1252_codec.encode_capacity[1] = 1
windows_1252_codec.encode[2] = single_byte_encode_ucs4
windows_1252_codec.encode_capacity[2] = 1
windows_1252_codec.decode_shift = 0
windows_1252_codec.is_ascii_compatible = True
cdef single_byte_tables windows_1252_tables
windows_1252_tables.index = windows_1252
windows_1252_tables.replaced = windows_1252
windows_1252_tables.latin1 = windows_1252_latin1
windows_1252_tables.reverse.stage1 = windows_1252_reverse_stage1
windows_1252_tables.reverse.stage2 = windows_1252_reverse_stage2
windows_1252_codec.tables = &windows_1252_tables
CODECS["windows-1252"] = PyCapsule_New(&windows_1252_codec, "whatwg_encoding.codec", NULL)

cdef we_codec windows_1253_codec
windows_1253_codec.decode[0] = single_byte_decode_ucs1
windows_1253_codec.decode[1] = single_byte_decode_ucs2
windows_1253_codec.decode[2] = single_byte_decode_ucs4
windows_1253_codec.decode[3] = single_byte_decode_utf8
windows_1253_codec.encode[0] = single_byte_encode_ucs1
windows_1253_codec.encode_capacity[0] = 1
windows_1253_codec.encode[1] = single_byte_encode_ucs2
windows_1253_codec.encode_capacity[1] = 1
windows_1253_codec.encode[2] = single_byte_encode_ucs4
windows_1253_codec.encode_capacity[2] = 1
windows_1253_codec.decode_shift = 0
windows_1253_codec.is_ascii_compatible = True
cdef single_byte_tables windows_1253_tables
windows_1253_tables.index = windows_1253
windows_1253_tables.replaced = windows_1253_replaced
windows_1253_tables.latin1 = windows_1253_latin1
windows_1253_tables.reverse.stage1 = windows_1253_reverse_stage1
windows_1253_tables.reverse.stage2 = windows_1253_reverse_stage2
windows_1253_codec.tables = &windows_1253_tables
CODECS["windows-1253"] = PyCapsule_New(&windows_1253_codec, "whatwg_encoding.codec", NULL)

cdef we_codec windows_1254_codec
windows_1254_codec.decode[0] = single_byte_decode_ucs1
windows_1254_codec.decode[1] = single_byte_decode_ucs2
windows_1254_codec.decode[2] = single_byte_decode_ucs4
windows_1254_codec.decode[3] = single_byte_decode_utf8
windows_1254_codec.encode[0] = single_byte_encode_ucs1
windows_1254_codec.encode_capacity[0] = 1
windows_1254_codec.encode[1] = single_byte_encode_ucs2
windows_1254_codec.encode_capacity[1] = 1
windows_1254_codec.encode[2] = single_byte_encode_ucs4
windows_1254_codec.encode_capacity[2] = 1
windows_1254_codec.decode_shift = 0
windows_1254_codec.is_ascii_compatible = True
cdef single_byte_tables windows_1254_tables
windows_1254_tables.index = windows_1254
windows_1254_tables.replaced = windows_1254
windows_1254_tables.latin1 = windows_1254_latin1
windows_1254_tables.reverse.stage1 = windows_1254_reverse_stage1
windows_1254_tables.reverse.stage2 = windows_1254_reverse_stage2
windows_1254_codec.tables = &windows_1254_tables
CODECS["windows-1254"] = PyCapsule_New(&windows_1254_codec, "whatwg_encoding.codec", NULL)

cdef we_codec windows_1255_codec
windows_1255_codec.decode[0] = single_byte_decode_ucs1
windows_1255_codec.decode[1] = single_byte_decode_ucs2
windows_1255_codec.decode[2] = single_byte_decode_ucs4
windows_1255_codec.decode[3] = single_byte_decode_utf8
windows_1255_codec.encode[0] = single_byte_encode_ucs1
windows_1255_codec.encode_capacity[0] = 1
windows_1255_codec.encode[1] = single_byte_encode_ucs2
windows_1255_codec.encode_capacity[1] = 1
windows_1255_codec.encode[2] = single_byte_encode_ucs4
windows_1255_codec.encode_capacity[2] = 1
windows_1255_codec.decode_shift = 0
windows_1255_codec.is_ascii_compatible = True
cdef single_byte_tables windows_1255_tables
windows_1255_tables.index = windows_1255
windows_1255_tables.replaced = windows_1255_replaced
windows_1255_tables.latin1 = windows_1255_latin1
windows_1255_tables.reverse.stage1 = windows_1255_reverse_stage1
windows_1255_tables.reverse.stage2 = windows_1255_reverse_stage2
windows_1255_codec.tables = &windows_1255_tables
CODECS["windows-1255"] = PyCapsule_New(&windows_1255_codec, "whatwg_encoding.codec", NULL)

cdef we_codec windows_1256_codec
windows_1256_codec.decode[0] = single_byte_decode_ucs1
windows_1256_codec.decode[1] = single_byte_decode_ucs2
windows_1256_codec.decode[2] = single_byte_decode_ucs4
windows_1256_codec.decode[3] = single_byte_decode_utf8
windows_1256_codec.encode[0] = single_byte_encode_ucs1
windows_1256_codec.encode_capacity[0] = 1
windows_1256_codec.encode[1] = single_byte_encode_ucs2
windows_1256_codec.encode_capacity[1] = 1
windows_1256_codec.encode[2] = single_byte_encode_ucs4
windows_1256_codec.encode_capacity[2] = 1
windows_1256_codec.decode_shift = 0
windows_1256_codec.is_ascii_compatible = True
cdef single_byte_tables windows_1256_tables
windows_1256_tables.index = windows_1256
windows_1256_tables.replaced = windows_1256
windows_1256_tables.latin1 = windows_1256_latin1
windows_1256_tables.reverse.stage1 = windows_1256_reverse_stage1
windows_1256_tables.reverse.stage2 = windows_1256_reverse_stage2
windows_1256_codec.tables = &windows_1256_tables
CODECS["windows-1256"] = PyCapsule_New(&windows_1256_codec, "whatwg_encoding.codec", NULL)

cdef we_codec windows_1257_codec
windows_1257_codec.decode[0] = single_byte_decode_ucs1
windows_1257_codec.decode[1] = single_byte_decode_ucs2
windows_1257_codec.decode[2] = single_byte_decode_ucs4
windows_1257_codec.decode[3] = single_byte_decode_utf8
windows_1257_codec.encode[0] = single_byte_encode_ucs1
windows_1257_codec.encode_capacity[0] = 1
windows_1257_codec.encode[1] = single_byte_encode_ucs2
windows_1257_codec.encode_capacity[1] = 1
windows_1257_codec.encode[2] = single_byte_encode_ucs4
windows_1257_codec.encode_capacity[2] = 1
windows_1257_codec.decode_shift = 0
windows_1257_codec.is_ascii_compatible = True
cdef single_byte_tables windows_1257_tables
windows_1257_tables.index = windows_1257
windows_1257_tables.replaced = windows_1257_replaced
windows_1257_tables.latin1 = windows_1257_latin1
windows_1257_tables.reverse.stage1 = windows_1257_reverse_stage1
windows_1257_tables.reverse.stage2 = windows_1257_reverse_stage2
windows_1257_codec.tables = &windows_1257_tables
CODECS["windows-1257"] = PyCapsule_New(&windows_1257_codec, "whatwg_encoding.codec", NULL)

cdef we_codec windows_1258_codec
windows_1258_codec.decode[0] = single_byte_decode_ucs1
windows_1258_codec.decode[1] = single_byte_decode_ucs2
windows_1258_codec.decode[2] = single_byte_decode_ucs4
windows_1258_codec.decode[3] = single_byte_decode_utf8
windows_1258_codec.encode[0] = single_byte_encode_ucs1
windows_1258_codec.encode_capacity[0] = 1
windows_1258_codec.encode[1] = single_byte_encode_ucs2
windows_1258_codec.encode_capacity[1] = 1
windows_1258_codec.encode[2] = single_byte_encode_ucs4
windows_1258_codec.encode_capacity[2] = 1
windows_1258_codec.decode_shift = 0
windows_1258_codec.is_ascii_compatible = True
cdef single_byte_tables windows_1258_tables
windows_1258_tables.index = windows_1258
windows_1258_tables.replaced = windows_1258
windows_1258_tables.latin1 = windows_1258_latin1
windows_1258_tables.reverse.stage1 = windows_1258_reverse_stage1
windows_1258_tables.reverse.stage2 = windows_1258_reverse_stage2
windows_1258_codec.tables = &windows_1258_tables
CODECS["windows-1258"] = PyCapsule_New(&windows_1258_codec, "whatwg_encoding.codec", NULL)

cdef we_codec x_mac_cyrillic_codec
x_mac_cyrillic_codec.decode[0] = single_byte_decode_ucs1
x_mac_cyrillic_codec.decode[1] = single_byte_decode_ucs2
x_mac_cyrillic_codec.decode[2] = single_byte_decode_ucs4
x_mac_cyrillic_codec.decode[3] = single_byte_decode_utf8
x_mac_cyrillic_codec.encode[0] = single_byte_encode_ucs1
x_mac_cyrillic_codec.encode_capacity[0] = 1
x_mac_cyrillic_codec.encode[1] = single_byte_encode_ucs2
x_mac_cyrillic_codec.encode_capacity[1] = 1
x_mac_cyrillic_codec.encode[2] = single_byte_encode_ucs4
x_mac_cyrillic_codec.encode_capacity[2] = 1
x_mac_cyrillic_codec.decode_shift = 0
x_mac_cyrillic_codec.is_ascii_compatible = True
cdef single_byte_tables x_mac_cyrillic_tables
x_mac_cyrillic_tables.index = x_mac_cyrillic
x_mac_cyrillic_tables.replaced = x_mac_cyrillic
x_mac_cyrillic_tables.latin1 = x_mac_cyrillic_latin1
x_mac_cyrillic_tables.reverse.stage1 = x_mac_cyrillic_reverse_stage1
x_mac_cyrillic_tables.reverse.stage2 = x_mac_cyrillic_reverse_stage2
x_mac_cyrillic_codec.tables = &x_mac_cyrillic_tables
CODECS["x-mac-cyrillic"] = PyCapsule_New(&x_mac_cyrillic_codec, "whatwg_encoding.codec", NULL)
