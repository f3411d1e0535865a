# Generated from templates/chapter.pyx.j2: change that, not this; `python -m generator emit` emits it again.
# Handler: templates/_handlers/gb18030.pyx.j2
# Data: the Encoding Standard, https://encoding.spec.whatwg.org/, BSD-3-Clause (LICENSE-WHATWG).
# Index gb18030: Identifier ff1c9a923b5d24f9761b3a2de2c0f07b395f9f6f36519508944de4f0415be81c
# Index gb18030-ranges: Identifier f963aaa1653f630c523e7b04729fb4e4458f35806c45eb5c179445623138f0c0

# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Legacy multi-byte Chinese (simplified) encodings: GBK, gb18030."""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from whatwg_encoding._kernels cimport *

cdef extern from "chinese_simplified_tables.h" nogil:
    const uint16_t gb18030_pairs[32768]
    const uint8_t gb18030_ranges_stage1[616]
    const uint16_t gb18030_ranges_stage2[6848]
    const uint16_t gb18030_reverse[65536]
    const uint8_t gb18030_ranges_reverse_stage1[1024]
    const uint16_t gb18030_ranges_reverse_stage2[7872]

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


cdef inline uint16_t gb18030_ranges(uint32_t key) noexcept nogil:
    """index gb18030-ranges: offset of a pointer, modulo 65536; 616 blocks of 64 keys, 107 distinct, 14312 bytes."""
    # In range: callers pass keys below 0x9A00, and stage 1 has only numbers of stage 2's blocks.
    cdef uint32_t block = gb18030_ranges_stage1[key >> 6]
    return gb18030_ranges_stage2[block << 6 | key & 0x3F]


cdef inline uint16_t gb18030_ranges_reverse(uint32_t key) noexcept nogil:
    """index gb18030-ranges: offset of a code point, modulo 65536; 1024 blocks of 64 keys, 123 distinct, 16768 bytes."""
    # In range: callers pass keys below 0x10000, and stage 1 has only numbers of stage 2's blocks.
    cdef uint32_t block = gb18030_ranges_reverse_stage1[key >> 6]
    return gb18030_ranges_reverse_stage2[block << 6 | key & 0x3F]


# -- Decoder: GBK, gb18030
# Template: templates/_handlers/gb18030.pyx.j2. Standard: https://encoding.spec.whatwg.org/#gb18030-decoder

cdef inline uint32_t gb18030_ranges_code_point(uint32_t pointer) noexcept nogil:
    """Return the code point, ERROR for null: https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point"""
    # index-gb18030-ranges-code-point 1: pointers without a code point.
    if 39419 < pointer < 189000 or pointer > 1237575:
        return ERROR
    # index-gb18030-ranges-code-point 3-4: the last range begins with U+10000 and has no end.
    if pointer >= 189000:
        return 0x10000 + pointer - 189000
    # index-gb18030-ranges-code-point 2: the table has the exception as a separate offset.
    # index-gb18030-ranges-code-point 3-4: the table holds for each pointer the offset of its range.
    return (pointer + gb18030_ranges(pointer)) & 0xFFFF


cdef inline uint32_t gb18030_ranges_pointer(uint32_t code_point) noexcept nogil:
    """Return the pointer: https://encoding.spec.whatwg.org/#index-gb18030-ranges-pointer"""
    # index-gb18030-ranges-pointer 2-3: the last range begins with U+10000 and has no end.
    if code_point >= 0x10000:
        return code_point - 0x10000 + 189000
    # index-gb18030-ranges-pointer 1: the table has the exception as a separate offset.
    # index-gb18030-ranges-pointer 2-3: the table holds for each code point the offset of its range.
    return (code_point + gb18030_ranges_reverse(code_point)) & 0xFFFF


cdef inline bint gbk_lacks(uint32_t code_point) noexcept nogil:
    """Return whether GBK's encoder has no bytes for a code point. The table does not have its euro sign."""
    return we_is_unmapped(code_point, gb18030_reverse) and code_point != 0x20AC


cdef we_result gb18030_decode_ucs1(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#gb18030-decoder

    Order: the loop reads whole sequences, where the standard's handler is called for each byte. So the steps for the
    second, third and fourth byte are within the step that reads the first, and those for end-of-queue where the bytes
    end. 0xFF, the only byte left for the last step, comes before the step for the first byte, which needs no test then.
    """
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef uint8_t byte
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            consumed = we_ascii_run_to_ucs1(run.simd, source + read, length - read, target + written)
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
            # gb18030-decoder 6: an ASCII byte is the code point of its value.
            # Kernel: we_ascii_run_to_ucs1 (src/kernels/ascii.h).
            code_point = byte
        elif byte == 0x80:
            # gb18030-decoder 7: the euro sign.
            code_point = 0x20AC
        elif byte == 0xFF:
            # gb18030-decoder 9: any other byte is an error.
            code_point = ERROR
        # gb18030-decoder 8: gb18030 first.
        elif read + 1 == length:
            # gb18030-decoder 2: end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        elif 0x30 <= source[read + 1] <= 0x39:
            # gb18030-decoder 5, 5.1: gb18030 second.
            if read + 2 == length:
                # gb18030-decoder 2: end-of-queue after it is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 2
            elif not 0x81 <= source[read + 2] <= 0xFE:
                # gb18030-decoder 4.2: an error; gb18030 second and byte are restored.
                code_point = ERROR
            # gb18030-decoder 4, 4.1: gb18030 third.
            elif read + 3 == length:
                # gb18030-decoder 2: end-of-queue after it is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 3
            # gb18030-decoder 3: the fourth byte.
            elif not 0x30 <= source[read + 3] <= 0x39:
                # gb18030-decoder 3.1, 3.1.1-3.1.3: an error; gb18030 second, gb18030 third and byte are restored.
                code_point = ERROR
            else:
                # gb18030-decoder 3.2-3.3: the index gb18030 ranges code point.
                # gb18030-decoder 3.4: null is ERROR already.
                # gb18030-decoder 3.5: it is the code point.
                consumed = 4
                code_point = gb18030_ranges_code_point(
                    (byte - 0x81) * (10 * 126 * 10) + (source[read + 1] - 0x30) * (10 * 126)
                    + (source[read + 2] - 0x81) * 10 + source[read + 3] - 0x30)
        else:
            # gb18030-decoder 5.2-5.6: the table's key replaces the pointer; bytes that are not trails have null.
            # gb18030-decoder 5.7-5.8: the index code point, 0 for null.
            # The key is below 0x8000, the length of the table, for any two bytes.
            code_point = gb18030_pairs[(byte & 0x7F) << 8 | source[read + 1]]
            consumed = 2
            if code_point == 0:
                # gb18030-decoder 5.9-5.10: an error; an ASCII byte is restored.
                code_point = ERROR
                if source[read + 1] < 0x80:
                    consumed = 1
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
    # gb18030-decoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result gb18030_decode_ucs2(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#gb18030-decoder

    Order: the loop reads whole sequences, where the standard's handler is called for each byte. So the steps for the
    second, third and fourth byte are within the step that reads the first, and those for end-of-queue where the bytes
    end. 0xFF, the only byte left for the last step, comes before the step for the first byte, which needs no test then.
    """
    cdef const uint8_t *source = run.source
    cdef uint16_t *target = <uint16_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint8_t byte
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            read += we_double_byte_run_to_ucs2(run.simd, source + read, length - read, gb18030_pairs, 0,
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
            # gb18030-decoder 6: an ASCII byte is the code point of its value.
            # Kernel: we_double_byte_run_to_ucs2 (src/kernels/double_byte.h).
            code_point = byte
        elif byte == 0x80:
            # gb18030-decoder 7: the euro sign.
            code_point = 0x20AC
        elif byte == 0xFF:
            # gb18030-decoder 9: any other byte is an error.
            code_point = ERROR
        # gb18030-decoder 8: gb18030 first.
        elif read + 1 == length:
            # gb18030-decoder 2: end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        elif 0x30 <= source[read + 1] <= 0x39:
            # gb18030-decoder 5, 5.1: gb18030 second.
            if read + 2 == length:
                # gb18030-decoder 2: end-of-queue after it is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 2
            elif not 0x81 <= source[read + 2] <= 0xFE:
                # gb18030-decoder 4.2: an error; gb18030 second and byte are restored.
                code_point = ERROR
            # gb18030-decoder 4, 4.1: gb18030 third.
            elif read + 3 == length:
                # gb18030-decoder 2: end-of-queue after it is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 3
            # gb18030-decoder 3: the fourth byte.
            elif not 0x30 <= source[read + 3] <= 0x39:
                # gb18030-decoder 3.1, 3.1.1-3.1.3: an error; gb18030 second, gb18030 third and byte are restored.
                code_point = ERROR
            else:
                # gb18030-decoder 3.2-3.3: the index gb18030 ranges code point.
                # gb18030-decoder 3.4: null is ERROR already.
                # gb18030-decoder 3.5: it is the code point.
                consumed = 4
                code_point = gb18030_ranges_code_point(
                    (byte - 0x81) * (10 * 126 * 10) + (source[read + 1] - 0x30) * (10 * 126)
                    + (source[read + 2] - 0x81) * 10 + source[read + 3] - 0x30)
        else:
            # gb18030-decoder 5.2-5.6: the table's key replaces the pointer; bytes that are not trails have null.
            # gb18030-decoder 5.7-5.8: the index code point, 0 for null.
            # Kernel: we_double_byte_run_to_ucs2 (src/kernels/double_byte.h).
            # The key is below 0x8000, the length of the table, for any two bytes.
            code_point = gb18030_pairs[(byte & 0x7F) << 8 | source[read + 1]]
            consumed = 2
            if code_point == 0:
                # gb18030-decoder 5.9-5.10: an error; an ASCII byte is restored.
                code_point = ERROR
                if source[read + 1] < 0x80:
                    consumed = 1
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
    # gb18030-decoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result gb18030_decode_ucs4(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#gb18030-decoder

    Order: the loop reads whole sequences, where the standard's handler is called for each byte. So the steps for the
    second, third and fourth byte are within the step that reads the first, and those for end-of-queue where the bytes
    end. 0xFF, the only byte left for the last step, comes before the step for the first byte, which needs no test then.
    """
    cdef const uint8_t *source = run.source
    cdef uint32_t *target = <uint32_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint8_t byte
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            read += we_double_byte_run_to_ucs4(run.simd, source + read, length - read, gb18030_pairs, 0,
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
            # gb18030-decoder 6: an ASCII byte is the code point of its value.
            # Kernel: we_double_byte_run_to_ucs4 (src/kernels/double_byte.h).
            code_point = byte
        elif byte == 0x80:
            # gb18030-decoder 7: the euro sign.
            code_point = 0x20AC
        elif byte == 0xFF:
            # gb18030-decoder 9: any other byte is an error.
            code_point = ERROR
        # gb18030-decoder 8: gb18030 first.
        elif read + 1 == length:
            # gb18030-decoder 2: end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        elif 0x30 <= source[read + 1] <= 0x39:
            # gb18030-decoder 5, 5.1: gb18030 second.
            if read + 2 == length:
                # gb18030-decoder 2: end-of-queue after it is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 2
            elif not 0x81 <= source[read + 2] <= 0xFE:
                # gb18030-decoder 4.2: an error; gb18030 second and byte are restored.
                code_point = ERROR
            # gb18030-decoder 4, 4.1: gb18030 third.
            elif read + 3 == length:
                # gb18030-decoder 2: end-of-queue after it is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 3
            # gb18030-decoder 3: the fourth byte.
            elif not 0x30 <= source[read + 3] <= 0x39:
                # gb18030-decoder 3.1, 3.1.1-3.1.3: an error; gb18030 second, gb18030 third and byte are restored.
                code_point = ERROR
            else:
                # gb18030-decoder 3.2-3.3: the index gb18030 ranges code point.
                # gb18030-decoder 3.4: null is ERROR already.
                # gb18030-decoder 3.5: it is the code point.
                consumed = 4
                code_point = gb18030_ranges_code_point(
                    (byte - 0x81) * (10 * 126 * 10) + (source[read + 1] - 0x30) * (10 * 126)
                    + (source[read + 2] - 0x81) * 10 + source[read + 3] - 0x30)
        else:
            # gb18030-decoder 5.2-5.6: the table's key replaces the pointer; bytes that are not trails have null.
            # gb18030-decoder 5.7-5.8: the index code point, 0 for null.
            # Kernel: we_double_byte_run_to_ucs4 (src/kernels/double_byte.h).
            # The key is below 0x8000, the length of the table, for any two bytes.
            code_point = gb18030_pairs[(byte & 0x7F) << 8 | source[read + 1]]
            consumed = 2
            if code_point == 0:
                # gb18030-decoder 5.9-5.10: an error; an ASCII byte is restored.
                code_point = ERROR
                if source[read + 1] < 0x80:
                    consumed = 1
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
    # gb18030-decoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result gb18030_decode_utf8(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#gb18030-decoder

    Order: the loop reads whole sequences, where the standard's handler is called for each byte. So the steps for the
    second, third and fourth byte are within the step that reads the first, and those for end-of-queue where the bytes
    end. 0xFF, the only byte left for the last step, comes before the step for the first byte, which needs no test then.
    """
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint8_t byte
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            read += we_double_byte_run_to_utf8(run.simd, source + read, length - read, gb18030_pairs, 0,
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
            # gb18030-decoder 6: an ASCII byte is the code point of its value.
            # Kernel: we_double_byte_run_to_utf8 (src/kernels/double_byte.h).
            code_point = byte
        elif byte == 0x80:
            # gb18030-decoder 7: the euro sign.
            code_point = 0x20AC
        elif byte == 0xFF:
            # gb18030-decoder 9: any other byte is an error.
            code_point = ERROR
        # gb18030-decoder 8: gb18030 first.
        elif read + 1 == length:
            # gb18030-decoder 2: end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        elif 0x30 <= source[read + 1] <= 0x39:
            # gb18030-decoder 5, 5.1: gb18030 second.
            if read + 2 == length:
                # gb18030-decoder 2: end-of-queue after it is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 2
            elif not 0x81 <= source[read + 2] <= 0xFE:
                # gb18030-decoder 4.2: an error; gb18030 second and byte are restored.
                code_point = ERROR
            # gb18030-decoder 4, 4.1: gb18030 third.
            elif read + 3 == length:
                # gb18030-decoder 2: end-of-queue after it is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 3
            # gb18030-decoder 3: the fourth byte.
            elif not 0x30 <= source[read + 3] <= 0x39:
                # gb18030-decoder 3.1, 3.1.1-3.1.3: an error; gb18030 second, gb18030 third and byte are restored.
                code_point = ERROR
            else:
                # gb18030-decoder 3.2-3.3: the index gb18030 ranges code point.
                # gb18030-decoder 3.4: null is ERROR already.
                # gb18030-decoder 3.5: it is the code point.
                consumed = 4
                code_point = gb18030_ranges_code_point(
                    (byte - 0x81) * (10 * 126 * 10) + (source[read + 1] - 0x30) * (10 * 126)
                    + (source[read + 2] - 0x81) * 10 + source[read + 3] - 0x30)
        else:
            # gb18030-decoder 5.2-5.6: the table's key replaces the pointer; bytes that are not trails have null.
            # gb18030-decoder 5.7-5.8: the index code point, 0 for null.
            # Kernel: we_double_byte_run_to_utf8 (src/kernels/double_byte.h).
            # The key is below 0x8000, the length of the table, for any two bytes.
            code_point = gb18030_pairs[(byte & 0x7F) << 8 | source[read + 1]]
            consumed = 2
            if code_point == 0:
                # gb18030-decoder 5.9-5.10: an error; an ASCII byte is restored.
                code_point = ERROR
                if source[read + 1] < 0x80:
                    consumed = 1
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
    # gb18030-decoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


# -- Encoder: GBK
# Template: templates/_handlers/gb18030.pyx.j2. Standard: https://encoding.spec.whatwg.org/#gb18030-encoder


cdef we_result gbk_encode_ucs1(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#gb18030-encoder
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
    # Code points that end runs come in groups, with few others between them. After one, a few are encoded one by one,
    # and the run after those is limited, since short runs start faster.
    cdef size_t start, end, limit = FEW if run.after_error else length
    while read < length:
        few = SINGLE_CODE_POINTS if limit == FEW else 0
        while few != 0 and read < length:
            found = gb18030_reverse[source[read]]
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
        if few == 0:
            start = read
            end = length if length - read <= limit else read + limit
            read += we_double_byte_run_from_ucs1(run.simd, source + read, end - read, gb18030_reverse,
                                                 target + written, &run_written)
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # gb18030-encoder 2: a byte of the same value; the run stops at U+0000, whose entry would equal null.
        # Kernel: we_double_byte_run_from_ucs1 (src/kernels/double_byte.h).
        if code_point == 0:
            target[written] = 0
            written += 1
        elif code_point == 0xE5E5 or 0xD800 <= code_point <= 0xDFFF:
            # gb18030-encoder 3: an error with code point. (A surrogate is no scalar value: the driver replaces it.)
            error_code_point = code_point
        elif code_point == 0x20AC:
            # gb18030-encoder 4: is GBK is true.
            target[written] = 0x80
            written += 1
        # gb18030-encoder 5: gb18030_reverse has the bytes of the standard's table,
        # Kernel: we_double_byte_run_from_ucs1 (src/kernels/double_byte.h).
        # gb18030-encoder 6-7, 7.1-7.4: and of each code point in index gb18030, computed when it was generated.
        # Kernel: we_double_byte_run_from_ucs1 (src/kernels/double_byte.h).
        else:
            # gb18030-encoder 8: is GBK is true, so no pointer is an error with code point.
            # gb18030-encoder 9: never taken where is GBK is true.
            # gb18030-encoder 10-16: never taken where is GBK is true.
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
                    if read == length or not gbk_lacks(source[read]):
                        break
            if read != start:
                continue
            read += 1
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    # gb18030-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result gbk_encode_ucs2(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#gb18030-encoder
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
    # Code points that end runs come in groups, with few others between them. After one, a few are encoded one by one,
    # and the run after those is limited, since short runs start faster.
    cdef size_t start, end, limit = FEW if run.after_error else length
    while read < length:
        few = SINGLE_CODE_POINTS if limit == FEW else 0
        while few != 0 and read < length:
            found = gb18030_reverse[source[read]]
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
        if few == 0:
            start = read
            end = length if length - read <= limit else read + limit
            read += we_double_byte_run_from_ucs2(run.simd, source + read, end - read, gb18030_reverse,
                                                 target + written, &run_written)
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # gb18030-encoder 2: a byte of the same value; the run stops at U+0000, whose entry would equal null.
        # Kernel: we_double_byte_run_from_ucs2 (src/kernels/double_byte.h).
        if code_point == 0:
            target[written] = 0
            written += 1
        elif code_point == 0xE5E5 or 0xD800 <= code_point <= 0xDFFF:
            # gb18030-encoder 3: an error with code point. (A surrogate is no scalar value: the driver replaces it.)
            error_code_point = code_point
        elif code_point == 0x20AC:
            # gb18030-encoder 4: is GBK is true.
            target[written] = 0x80
            written += 1
        # gb18030-encoder 5: gb18030_reverse has the bytes of the standard's table,
        # Kernel: we_double_byte_run_from_ucs2 (src/kernels/double_byte.h).
        # gb18030-encoder 6-7, 7.1-7.4: and of each code point in index gb18030, computed when it was generated.
        # Kernel: we_double_byte_run_from_ucs2 (src/kernels/double_byte.h).
        else:
            # gb18030-encoder 8: is GBK is true, so no pointer is an error with code point.
            # gb18030-encoder 9: never taken where is GBK is true.
            # gb18030-encoder 10-16: never taken where is GBK is true.
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
                    if read == length or not gbk_lacks(source[read]):
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
    # gb18030-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result gbk_encode_ucs4(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#gb18030-encoder
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
    # Code points that end runs come in groups, with few others between them. After one, a few are encoded one by one,
    # and the run after those is limited, since short runs start faster.
    cdef size_t start, end, limit = FEW if run.after_error else length
    while read < length:
        few = SINGLE_CODE_POINTS if limit == FEW else 0
        while few != 0 and read < length:
            found = gb18030_reverse[source[read]] if source[read] <= 0xFFFF else <uint16_t> 0
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
        if few == 0:
            start = read
            end = length if length - read <= limit else read + limit
            read += we_double_byte_run_from_ucs4(run.simd, source + read, end - read, gb18030_reverse,
                                                 target + written, &run_written)
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # gb18030-encoder 2: a byte of the same value; the run stops at U+0000, whose entry would equal null.
        # Kernel: we_double_byte_run_from_ucs4 (src/kernels/double_byte.h).
        if code_point == 0:
            target[written] = 0
            written += 1
        elif code_point == 0xE5E5 or 0xD800 <= code_point <= 0xDFFF:
            # gb18030-encoder 3: an error with code point. (A surrogate is no scalar value: the driver replaces it.)
            error_code_point = code_point
        elif code_point == 0x20AC:
            # gb18030-encoder 4: is GBK is true.
            target[written] = 0x80
            written += 1
        # gb18030-encoder 5: gb18030_reverse has the bytes of the standard's table,
        # Kernel: we_double_byte_run_from_ucs4 (src/kernels/double_byte.h).
        # gb18030-encoder 6-7, 7.1-7.4: and of each code point in index gb18030, computed when it was generated.
        # Kernel: we_double_byte_run_from_ucs4 (src/kernels/double_byte.h).
        else:
            # gb18030-encoder 8: is GBK is true, so no pointer is an error with code point.
            # gb18030-encoder 9: never taken where is GBK is true.
            # gb18030-encoder 10-16: never taken where is GBK is true.
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
                    if read == length or not gbk_lacks(source[read]):
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
    # gb18030-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


# -- Encoder: gb18030
# Template: templates/_handlers/gb18030.pyx.j2. Standard: https://encoding.spec.whatwg.org/#gb18030-encoder


cdef we_result gb18030_encode_ucs1(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#gb18030-encoder
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
    cdef uint32_t pointer
    # Code points that end runs come in groups, with few others between them. After one, a few are encoded one by one,
    # and the run after those is limited, since short runs start faster.
    cdef size_t start, end, limit = FEW if run.after_error else length
    while read < length:
        few = SINGLE_CODE_POINTS if limit == FEW else 0
        while few != 0 and read < length:
            found = gb18030_reverse[source[read]]
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
        if few == 0:
            start = read
            end = length if length - read <= limit else read + limit
            read += we_double_byte_run_from_ucs1(run.simd, source + read, end - read, gb18030_reverse,
                                                 target + written, &run_written)
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # gb18030-encoder 2: a byte of the same value; the run stops at U+0000, whose entry would equal null.
        # Kernel: we_double_byte_run_from_ucs1 (src/kernels/double_byte.h).
        if code_point == 0:
            target[written] = 0
            written += 1
        elif code_point == 0xE5E5 or 0xD800 <= code_point <= 0xDFFF:
            # gb18030-encoder 3: an error with code point. (A surrogate is no scalar value: the driver replaces it.)
            error_code_point = code_point
        # gb18030-encoder 4: is GBK is false.
        # gb18030-encoder 5: gb18030_reverse has the bytes of the standard's table,
        # Kernel: we_double_byte_run_from_ucs1 (src/kernels/double_byte.h).
        # gb18030-encoder 6-7, 7.1-7.4: and of each code point in index gb18030, computed when it was generated.
        # Kernel: we_double_byte_run_from_ucs1 (src/kernels/double_byte.h).
        elif code_point == 0x20AC:
            # gb18030-encoder 6-7, 7.1-7.4: the table is also GBK's, and does not have the euro sign.
            we_store_pair(target + written, 0xE3A2)
            written += 2
        # gb18030-encoder 8: is GBK is false.
        else:
            # gb18030-encoder 9: the index gb18030 ranges pointer.
            pointer = gb18030_ranges_pointer(code_point)
            # gb18030-encoder 10-16: its four digits, of base 10, 126, 10 and 10.
            target[written] = <uint8_t> (pointer // (10 * 126 * 10) + 0x81)
            target[written + 1] = <uint8_t> (pointer // (10 * 126) % 10 + 0x30)
            target[written + 2] = <uint8_t> (pointer // 10 % 126 + 0x81)
            target[written + 3] = <uint8_t> (pointer % 10 + 0x30)
            written += 4
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
                    if read == length or not False:
                        break
            if read != start:
                continue
            read += 1
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    # gb18030-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result gb18030_encode_ucs2(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#gb18030-encoder
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
    cdef uint32_t pointer
    # Code points that end runs come in groups, with few others between them. After one, a few are encoded one by one,
    # and the run after those is limited, since short runs start faster.
    cdef size_t start, end, limit = FEW if run.after_error else length
    while read < length:
        few = SINGLE_CODE_POINTS if limit == FEW else 0
        while few != 0 and read < length:
            found = gb18030_reverse[source[read]]
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
        if few == 0:
            start = read
            end = length if length - read <= limit else read + limit
            read += we_double_byte_run_from_ucs2(run.simd, source + read, end - read, gb18030_reverse,
                                                 target + written, &run_written)
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # gb18030-encoder 2: a byte of the same value; the run stops at U+0000, whose entry would equal null.
        # Kernel: we_double_byte_run_from_ucs2 (src/kernels/double_byte.h).
        if code_point == 0:
            target[written] = 0
            written += 1
        elif code_point == 0xE5E5 or 0xD800 <= code_point <= 0xDFFF:
            # gb18030-encoder 3: an error with code point. (A surrogate is no scalar value: the driver replaces it.)
            error_code_point = code_point
        # gb18030-encoder 4: is GBK is false.
        # gb18030-encoder 5: gb18030_reverse has the bytes of the standard's table,
        # Kernel: we_double_byte_run_from_ucs2 (src/kernels/double_byte.h).
        # gb18030-encoder 6-7, 7.1-7.4: and of each code point in index gb18030, computed when it was generated.
        # Kernel: we_double_byte_run_from_ucs2 (src/kernels/double_byte.h).
        elif code_point == 0x20AC:
            # gb18030-encoder 6-7, 7.1-7.4: the table is also GBK's, and does not have the euro sign.
            we_store_pair(target + written, 0xE3A2)
            written += 2
        # gb18030-encoder 8: is GBK is false.
        else:
            # gb18030-encoder 9: the index gb18030 ranges pointer.
            pointer = gb18030_ranges_pointer(code_point)
            # gb18030-encoder 10-16: its four digits, of base 10, 126, 10 and 10.
            target[written] = <uint8_t> (pointer // (10 * 126 * 10) + 0x81)
            target[written + 1] = <uint8_t> (pointer // (10 * 126) % 10 + 0x30)
            target[written + 2] = <uint8_t> (pointer // 10 % 126 + 0x81)
            target[written + 3] = <uint8_t> (pointer % 10 + 0x30)
            written += 4
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
                    if read == length or not we_is_surrogate(source[read]):
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
    # gb18030-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result gb18030_encode_ucs4(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#gb18030-encoder
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
    cdef uint32_t pointer
    # Code points that end runs come in groups, with few others between them. After one, a few are encoded one by one,
    # and the run after those is limited, since short runs start faster.
    cdef size_t start, end, limit = FEW if run.after_error else length
    while read < length:
        few = SINGLE_CODE_POINTS if limit == FEW else 0
        while few != 0 and read < length:
            found = gb18030_reverse[source[read]] if source[read] <= 0xFFFF else <uint16_t> 0
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
        if few == 0:
            start = read
            end = length if length - read <= limit else read + limit
            read += we_double_byte_run_from_ucs4(run.simd, source + read, end - read, gb18030_reverse,
                                                 target + written, &run_written)
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # gb18030-encoder 2: a byte of the same value; the run stops at U+0000, whose entry would equal null.
        # Kernel: we_double_byte_run_from_ucs4 (src/kernels/double_byte.h).
        if code_point == 0:
            target[written] = 0
            written += 1
        elif code_point == 0xE5E5 or 0xD800 <= code_point <= 0xDFFF:
            # gb18030-encoder 3: an error with code point. (A surrogate is no scalar value: the driver replaces it.)
            error_code_point = code_point
        # gb18030-encoder 4: is GBK is false.
        # gb18030-encoder 5: gb18030_reverse has the bytes of the standard's table,
        # Kernel: we_double_byte_run_from_ucs4 (src/kernels/double_byte.h).
        # gb18030-encoder 6-7, 7.1-7.4: and of each code point in index gb18030, computed when it was generated.
        # Kernel: we_double_byte_run_from_ucs4 (src/kernels/double_byte.h).
        elif code_point == 0x20AC:
            # gb18030-encoder 6-7, 7.1-7.4: the table is also GBK's, and does not have the euro sign.
            we_store_pair(target + written, 0xE3A2)
            written += 2
        # gb18030-encoder 8: is GBK is false.
        else:
            # gb18030-encoder 9: the index gb18030 ranges pointer.
            pointer = gb18030_ranges_pointer(code_point)
            # gb18030-encoder 10-16: its four digits, of base 10, 126, 10 and 10.
            target[written] = <uint8_t> (pointer // (10 * 126 * 10) + 0x81)
            target[written + 1] = <uint8_t> (pointer // (10 * 126) % 10 + 0x30)
            target[written + 2] = <uint8_t> (pointer // 10 % 126 + 0x81)
            target[written + 3] = <uint8_t> (pointer % 10 + 0x30)
            written += 4
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
                    if read == length or not we_is_surrogate(source[read]):
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
    # gb18030-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


# -- Registry: the codecs of this module, for the driver ---------------------------------------------------------------

CODECS = {}

cdef we_codec gbk_codec
gbk_codec.decode[0] = gb18030_decode_ucs1
gbk_codec.decode[1] = gb18030_decode_ucs2
gbk_codec.decode[2] = gb18030_decode_ucs4
gbk_codec.decode[3] = gb18030_decode_utf8
gbk_codec.encode[0] = gbk_encode_ucs1
gbk_codec.encode_capacity[0] = 2
gbk_codec.encode[1] = gbk_encode_ucs2
gbk_codec.encode_capacity[1] = 2
gbk_codec.encode[2] = gbk_encode_ucs4
gbk_codec.encode_capacity[2] = 2
gbk_codec.decode_shift = 0
gbk_codec.is_ascii_compatible = True
gbk_codec.tables = NULL
CODECS["GBK"] = PyCapsule_New(&gbk_codec, "whatwg_encoding.codec", NULL)

cdef we_codec gb18030_codec
gb18030_codec.decode[0] = gb18030_decode_ucs1
gb18030_codec.decode[1] = gb18030_decode_ucs2
gb18030_codec.decode[2] = gb18030_decode_ucs4
gb18030_codec.decode[3] = gb18030_decode_utf8
gb18030_codec.encode[0] = gb18030_encode_ucs1
gb18030_codec.encode_capacity[0] = 4
gb18030_codec.encode[1] = gb18030_encode_ucs2
gb18030_codec.encode_capacity[1] = 4
gb18030_codec.encode[2] = gb18030_encode_ucs4
gb18030_codec.encode_capacity[2] = 4
gb18030_codec.decode_shift = 0
gb18030_codec.is_ascii_compatible = True
gb18030_codec.tables = NULL
CODECS["gb18030"] = PyCapsule_New(&gb18030_codec, "whatwg_encoding.codec", NULL)
