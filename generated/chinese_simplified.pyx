# Generated from templates/chapter.pyx.j2: change that, not this. `make generate` or `python -m generator emit` makes it anew.
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

# What a handler's steps leave in code_point for an error, and the encoders' for none: no code point is as large.
cdef enum:
    ERROR = 0xFFFFFFFF
    NO_ERROR = 0xFFFFFFFF

cdef enum:
    # Bytes of a decoder's run, or code points of an encoder's, that was worth it.
    LONG_RUN = 16
    # Items, at most, that a decoder goes over one by one where the last runs were not.
    MOST_PATIENCE = 32
    # Code points that an encoder's run goes over then.
    FEW = 4


cdef inline uint16_t gb18030_ranges(uint32_t key) noexcept nogil:
    """index gb18030 ranges: what to add to a pointer, modulo 65536; 616 keys of 64, 107 blocks, 14312 bytes."""
    # In range: callers pass keys below 0x9A00, and stage 1 holds numbers of stage 2's blocks only.
    return gb18030_ranges_stage2[<uint32_t> gb18030_ranges_stage1[key >> 6] << 6 | key & 0x3F]


cdef inline uint16_t gb18030_ranges_reverse(uint32_t key) noexcept nogil:
    """index gb18030 ranges: what to add to a code point, modulo 65536; 1024 keys of 64, 123 blocks, 16768 bytes."""
    # In range: callers pass keys below 0x10000, and stage 1 holds numbers of stage 2's blocks only.
    return gb18030_ranges_reverse_stage2[<uint32_t> gb18030_ranges_reverse_stage1[key >> 6] << 6 | key & 0x3F]


# --- GBK: decoder ---

cdef inline uint32_t gb18030_ranges_code_point(uint32_t pointer) noexcept nogil:
    """https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point"""
    # 1. Pointers without a code point: null.
    if 39419 < pointer < 189000 or pointer > 1237575:
        return ERROR
    # The last range begins with U+10000 and has no end.
    if pointer >= 189000:
        return 0x10000 + pointer - 189000
    # 2.-4. The exception for pointer 7457 stands in the table like any other.
    return (pointer + gb18030_ranges(pointer)) & 0xFFFF


cdef inline uint32_t gb18030_ranges_pointer(uint32_t code_point) noexcept nogil:
    """https://encoding.spec.whatwg.org/#index-gb18030-ranges-pointer"""
    if code_point >= 0x10000:
        return code_point - 0x10000 + 189000
    return (code_point + gb18030_ranges_reverse(code_point)) & 0xFFFF


cdef we_result gb18030_decode_ucs1(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#gb18030-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef uint8_t byte
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            consumed = we_ascii_run_to_ucs1(run.simd, source + read, length - read, target + written)
            read += consumed
            written += consumed
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        byte = source[read]
        consumed = 1
        if byte < 0x80:
            # 6. An ASCII byte is the code point of its value.
            code_point = byte
        elif byte == 0x80:
            # 7.
            code_point = 0x20AC
        elif byte == 0xFF:
            # 9. The one byte that is neither of those nor a first.
            code_point = ERROR
        elif read + 1 == length:
            # 8. gb18030 first; 2. end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        elif 0x30 <= source[read + 1] <= 0x39:
            # 5.1 gb18030 second.
            if read + 2 == length:
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 2
            elif not 0x81 <= source[read + 2] <= 0xFE:
                # 4.2-4.3 An error; gb18030 second and byte are restored.
                code_point = ERROR
            elif read + 3 == length:
                # 4.1 gb18030 third.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 3
            elif not 0x30 <= source[read + 3] <= 0x39:
                # 3.1 An error; gb18030 second, gb18030 third and byte are restored.
                code_point = ERROR
            else:
                # 3.2-3.5 The index gb18030 ranges code point.
                consumed = 4
                code_point = gb18030_ranges_code_point(((byte - 0x81) * (10 * 126 * 10) + (source[read + 1] - 0x30) * (10 * 126)
                                                        + (source[read + 2] - 0x81) * 10 + source[read + 3] - 0x30))
        else:
            # 5.2-5.7 The index code point for the pointer of lead and byte; null is 0.
            code_point = gb18030_pairs[(byte & 0x7F) << 8 | source[read + 1]]
            consumed = 2
            if code_point == 0:
                # 5.8-5.9 An error; an ASCII byte is restored.
                code_point = ERROR
                if source[read + 1] < 0x80:
                    consumed = 1
        if code_point == ERROR:
            if run.fatal:
                read += consumed
                run.error_length = consumed
                result = WE_MALFORMED
                break
            result = WE_WIDEN
            break
        if code_point > run.max_code_point:
            result = WE_WIDEN
            break
        target[written] = <uint8_t> code_point
        written += 1
        read += consumed
    run.read = read
    run.written = written
    return result


cdef we_result gb18030_decode_ucs2(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#gb18030-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint16_t *target = <uint16_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint8_t byte
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            read += we_double_byte_run_to_ucs2(run.simd, source + read, length - read, gb18030_pairs, 0, target + written, &run_written)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        byte = source[read]
        consumed = 1
        if byte < 0x80:
            # 6. An ASCII byte is the code point of its value.
            code_point = byte
        elif byte == 0x80:
            # 7.
            code_point = 0x20AC
        elif byte == 0xFF:
            # 9. The one byte that is neither of those nor a first.
            code_point = ERROR
        elif read + 1 == length:
            # 8. gb18030 first; 2. end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        elif 0x30 <= source[read + 1] <= 0x39:
            # 5.1 gb18030 second.
            if read + 2 == length:
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 2
            elif not 0x81 <= source[read + 2] <= 0xFE:
                # 4.2-4.3 An error; gb18030 second and byte are restored.
                code_point = ERROR
            elif read + 3 == length:
                # 4.1 gb18030 third.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 3
            elif not 0x30 <= source[read + 3] <= 0x39:
                # 3.1 An error; gb18030 second, gb18030 third and byte are restored.
                code_point = ERROR
            else:
                # 3.2-3.5 The index gb18030 ranges code point.
                consumed = 4
                code_point = gb18030_ranges_code_point(((byte - 0x81) * (10 * 126 * 10) + (source[read + 1] - 0x30) * (10 * 126)
                                                        + (source[read + 2] - 0x81) * 10 + source[read + 3] - 0x30))
        else:
            # 5.2-5.7 The index code point for the pointer of lead and byte; null is 0.
            code_point = gb18030_pairs[(byte & 0x7F) << 8 | source[read + 1]]
            consumed = 2
            if code_point == 0:
                # 5.8-5.9 An error; an ASCII byte is restored.
                code_point = ERROR
                if source[read + 1] < 0x80:
                    consumed = 1
        if code_point == ERROR:
            if run.fatal:
                read += consumed
                run.error_length = consumed
                result = WE_MALFORMED
                break
            code_point = 0xFFFD
            run.error_count += 1
        if code_point > run.max_code_point:
            result = WE_WIDEN
            break
        target[written] = <uint16_t> code_point
        written += 1
        read += consumed
    run.read = read
    run.written = written
    return result


cdef we_result gb18030_decode_ucs4(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#gb18030-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint32_t *target = <uint32_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint8_t byte
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            read += we_double_byte_run_to_ucs4(run.simd, source + read, length - read, gb18030_pairs, 0, target + written, &run_written)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        byte = source[read]
        consumed = 1
        if byte < 0x80:
            # 6. An ASCII byte is the code point of its value.
            code_point = byte
        elif byte == 0x80:
            # 7.
            code_point = 0x20AC
        elif byte == 0xFF:
            # 9. The one byte that is neither of those nor a first.
            code_point = ERROR
        elif read + 1 == length:
            # 8. gb18030 first; 2. end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        elif 0x30 <= source[read + 1] <= 0x39:
            # 5.1 gb18030 second.
            if read + 2 == length:
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 2
            elif not 0x81 <= source[read + 2] <= 0xFE:
                # 4.2-4.3 An error; gb18030 second and byte are restored.
                code_point = ERROR
            elif read + 3 == length:
                # 4.1 gb18030 third.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 3
            elif not 0x30 <= source[read + 3] <= 0x39:
                # 3.1 An error; gb18030 second, gb18030 third and byte are restored.
                code_point = ERROR
            else:
                # 3.2-3.5 The index gb18030 ranges code point.
                consumed = 4
                code_point = gb18030_ranges_code_point(((byte - 0x81) * (10 * 126 * 10) + (source[read + 1] - 0x30) * (10 * 126)
                                                        + (source[read + 2] - 0x81) * 10 + source[read + 3] - 0x30))
        else:
            # 5.2-5.7 The index code point for the pointer of lead and byte; null is 0.
            code_point = gb18030_pairs[(byte & 0x7F) << 8 | source[read + 1]]
            consumed = 2
            if code_point == 0:
                # 5.8-5.9 An error; an ASCII byte is restored.
                code_point = ERROR
                if source[read + 1] < 0x80:
                    consumed = 1
        if code_point == ERROR:
            if run.fatal:
                read += consumed
                run.error_length = consumed
                result = WE_MALFORMED
                break
            code_point = 0xFFFD
            run.error_count += 1
        target[written] = <uint32_t> code_point
        written += 1
        read += consumed
    run.read = read
    run.written = written
    return result


cdef we_result gb18030_decode_utf8(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#gb18030-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint8_t byte
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            read += we_double_byte_run_to_utf8(run.simd, source + read, length - read, gb18030_pairs, 0, target + written, &run_written)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        byte = source[read]
        consumed = 1
        if byte < 0x80:
            # 6. An ASCII byte is the code point of its value.
            code_point = byte
        elif byte == 0x80:
            # 7.
            code_point = 0x20AC
        elif byte == 0xFF:
            # 9. The one byte that is neither of those nor a first.
            code_point = ERROR
        elif read + 1 == length:
            # 8. gb18030 first; 2. end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        elif 0x30 <= source[read + 1] <= 0x39:
            # 5.1 gb18030 second.
            if read + 2 == length:
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 2
            elif not 0x81 <= source[read + 2] <= 0xFE:
                # 4.2-4.3 An error; gb18030 second and byte are restored.
                code_point = ERROR
            elif read + 3 == length:
                # 4.1 gb18030 third.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 3
            elif not 0x30 <= source[read + 3] <= 0x39:
                # 3.1 An error; gb18030 second, gb18030 third and byte are restored.
                code_point = ERROR
            else:
                # 3.2-3.5 The index gb18030 ranges code point.
                consumed = 4
                code_point = gb18030_ranges_code_point(((byte - 0x81) * (10 * 126 * 10) + (source[read + 1] - 0x30) * (10 * 126)
                                                        + (source[read + 2] - 0x81) * 10 + source[read + 3] - 0x30))
        else:
            # 5.2-5.7 The index code point for the pointer of lead and byte; null is 0.
            code_point = gb18030_pairs[(byte & 0x7F) << 8 | source[read + 1]]
            consumed = 2
            if code_point == 0:
                # 5.8-5.9 An error; an ASCII byte is restored.
                code_point = ERROR
                if source[read + 1] < 0x80:
                    consumed = 1
        if code_point == ERROR:
            if run.fatal:
                read += consumed
                run.error_length = consumed
                result = WE_MALFORMED
                break
            code_point = 0xFFFD
            run.error_count += 1
        written += we_put_utf8(target + written, code_point)
        read += consumed
    run.read = read
    run.written = written
    return result


# --- GBK: encoder ---


cdef we_result gbk_encode_ucs1(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#gb18030-encoder"""
    cdef const uint8_t *source = <const uint8_t *> run.source
    cdef uint8_t *target = run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written
    cdef uint32_t code_point, error_code_point
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    # What stops a run comes in crowds: behind it the run goes over a few code points, which takes it less than to set out for more.
    cdef size_t start, end, reach = FEW if run.after_error else length
    while read < length:
        start = read
        end = length if length - read <= reach else read + reach
        read += we_double_byte_run_from_ucs1(run.simd, source + read, end - read, gb18030_reverse, target + written, &run_written)
        written += run_written
        if read == end:
            reach *= 8
            continue
        if read - start < LONG_RUN:
            reach = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # 2. and 6.-7. were the run's, the private-use code points of GB18030-2022 among them, but for U+0000, whose entry means null.
        if code_point == 0:
            target[written] = 0
            written += 1
        elif code_point == 0xE5E5 or 0xD800 <= code_point <= 0xDFFF:
            # 3. An error with code point. (A surrogate is no scalar value: the driver sees to it.)
            error_code_point = code_point
        elif code_point == 0x20AC:
            # 4. is GBK is true and code point is U+20AC.
            target[written] = 0x80
            written += 1
        else:
            # 8. is GBK is true: an error with code point.
            error_code_point = code_point
        read += 1
        if error_code_point != NO_ERROR:
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    run.read = read
    run.written = written
    return result


cdef we_result gbk_encode_ucs2(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#gb18030-encoder"""
    cdef const uint16_t *source = <const uint16_t *> run.source
    cdef uint8_t *target = run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written
    cdef uint32_t code_point, error_code_point
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    # What stops a run comes in crowds: behind it the run goes over a few code points, which takes it less than to set out for more.
    cdef size_t start, end, reach = FEW if run.after_error else length
    while read < length:
        start = read
        end = length if length - read <= reach else read + reach
        read += we_double_byte_run_from_ucs2(run.simd, source + read, end - read, gb18030_reverse, target + written, &run_written)
        written += run_written
        if read == end:
            reach *= 8
            continue
        if read - start < LONG_RUN:
            reach = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # 2. and 6.-7. were the run's, the private-use code points of GB18030-2022 among them, but for U+0000, whose entry means null.
        if code_point == 0:
            target[written] = 0
            written += 1
        elif code_point == 0xE5E5 or 0xD800 <= code_point <= 0xDFFF:
            # 3. An error with code point. (A surrogate is no scalar value: the driver sees to it.)
            error_code_point = code_point
        elif code_point == 0x20AC:
            # 4. is GBK is true and code point is U+20AC.
            target[written] = 0x80
            written += 1
        else:
            # 8. is GBK is true: an error with code point.
            error_code_point = code_point
        read += 1
        if error_code_point != NO_ERROR:
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    run.read = read
    run.written = written
    return result


cdef we_result gbk_encode_ucs4(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#gb18030-encoder"""
    cdef const uint32_t *source = <const uint32_t *> run.source
    cdef uint8_t *target = run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written
    cdef uint32_t code_point, error_code_point
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    # What stops a run comes in crowds: behind it the run goes over a few code points, which takes it less than to set out for more.
    cdef size_t start, end, reach = FEW if run.after_error else length
    while read < length:
        start = read
        end = length if length - read <= reach else read + reach
        read += we_double_byte_run_from_ucs4(run.simd, source + read, end - read, gb18030_reverse, target + written, &run_written)
        written += run_written
        if read == end:
            reach *= 8
            continue
        if read - start < LONG_RUN:
            reach = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # 2. and 6.-7. were the run's, the private-use code points of GB18030-2022 among them, but for U+0000, whose entry means null.
        if code_point == 0:
            target[written] = 0
            written += 1
        elif code_point == 0xE5E5 or 0xD800 <= code_point <= 0xDFFF:
            # 3. An error with code point. (A surrogate is no scalar value: the driver sees to it.)
            error_code_point = code_point
        elif code_point == 0x20AC:
            # 4. is GBK is true and code point is U+20AC.
            target[written] = 0x80
            written += 1
        else:
            # 8. is GBK is true: an error with code point.
            error_code_point = code_point
        read += 1
        if error_code_point != NO_ERROR:
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    run.read = read
    run.written = written
    return result


# --- gb18030: encoder ---


cdef we_result gb18030_encode_ucs1(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#gb18030-encoder"""
    cdef const uint8_t *source = <const uint8_t *> run.source
    cdef uint8_t *target = run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written
    cdef uint32_t code_point, error_code_point
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint32_t pointer
    # What stops a run comes in crowds: behind it the run goes over a few code points, which takes it less than to set out for more.
    cdef size_t start, end, reach = FEW if run.after_error else length
    while read < length:
        start = read
        end = length if length - read <= reach else read + reach
        read += we_double_byte_run_from_ucs1(run.simd, source + read, end - read, gb18030_reverse, target + written, &run_written)
        written += run_written
        if read == end:
            reach *= 8
            continue
        if read - start < LONG_RUN:
            reach = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # 2. and 6.-7. were the run's, the private-use code points of GB18030-2022 among them, but for U+0000, whose entry means null.
        if code_point == 0:
            target[written] = 0
            written += 1
        elif code_point == 0xE5E5 or 0xD800 <= code_point <= 0xDFFF:
            # 3. An error with code point. (A surrogate is no scalar value: the driver sees to it.)
            error_code_point = code_point
        elif code_point == 0x20AC:
            # 6.-7. The table is GBK's too, which has another byte for U+20AC, so it has none.
            we_store_pair(target + written, 0xE3A2)
            written += 2
        else:
            # 9.-15. The index gb18030 ranges pointer, in four digits of base 10, 126, 10 and 10.
            pointer = gb18030_ranges_pointer(code_point)
            target[written] = <uint8_t> (pointer // (10 * 126 * 10) + 0x81)
            target[written + 1] = <uint8_t> (pointer // (10 * 126) % 10 + 0x30)
            target[written + 2] = <uint8_t> (pointer // 10 % 126 + 0x81)
            target[written + 3] = <uint8_t> (pointer % 10 + 0x30)
            written += 4
        read += 1
        if error_code_point != NO_ERROR:
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    run.read = read
    run.written = written
    return result


cdef we_result gb18030_encode_ucs2(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#gb18030-encoder"""
    cdef const uint16_t *source = <const uint16_t *> run.source
    cdef uint8_t *target = run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written
    cdef uint32_t code_point, error_code_point
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint32_t pointer
    # What stops a run comes in crowds: behind it the run goes over a few code points, which takes it less than to set out for more.
    cdef size_t start, end, reach = FEW if run.after_error else length
    while read < length:
        start = read
        end = length if length - read <= reach else read + reach
        read += we_double_byte_run_from_ucs2(run.simd, source + read, end - read, gb18030_reverse, target + written, &run_written)
        written += run_written
        if read == end:
            reach *= 8
            continue
        if read - start < LONG_RUN:
            reach = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # 2. and 6.-7. were the run's, the private-use code points of GB18030-2022 among them, but for U+0000, whose entry means null.
        if code_point == 0:
            target[written] = 0
            written += 1
        elif code_point == 0xE5E5 or 0xD800 <= code_point <= 0xDFFF:
            # 3. An error with code point. (A surrogate is no scalar value: the driver sees to it.)
            error_code_point = code_point
        elif code_point == 0x20AC:
            # 6.-7. The table is GBK's too, which has another byte for U+20AC, so it has none.
            we_store_pair(target + written, 0xE3A2)
            written += 2
        else:
            # 9.-15. The index gb18030 ranges pointer, in four digits of base 10, 126, 10 and 10.
            pointer = gb18030_ranges_pointer(code_point)
            target[written] = <uint8_t> (pointer // (10 * 126 * 10) + 0x81)
            target[written + 1] = <uint8_t> (pointer // (10 * 126) % 10 + 0x30)
            target[written + 2] = <uint8_t> (pointer // 10 % 126 + 0x81)
            target[written + 3] = <uint8_t> (pointer % 10 + 0x30)
            written += 4
        read += 1
        if error_code_point != NO_ERROR:
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    run.read = read
    run.written = written
    return result


cdef we_result gb18030_encode_ucs4(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#gb18030-encoder"""
    cdef const uint32_t *source = <const uint32_t *> run.source
    cdef uint8_t *target = run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written
    cdef uint32_t code_point, error_code_point
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint32_t pointer
    # What stops a run comes in crowds: behind it the run goes over a few code points, which takes it less than to set out for more.
    cdef size_t start, end, reach = FEW if run.after_error else length
    while read < length:
        start = read
        end = length if length - read <= reach else read + reach
        read += we_double_byte_run_from_ucs4(run.simd, source + read, end - read, gb18030_reverse, target + written, &run_written)
        written += run_written
        if read == end:
            reach *= 8
            continue
        if read - start < LONG_RUN:
            reach = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # 2. and 6.-7. were the run's, the private-use code points of GB18030-2022 among them, but for U+0000, whose entry means null.
        if code_point == 0:
            target[written] = 0
            written += 1
        elif code_point == 0xE5E5 or 0xD800 <= code_point <= 0xDFFF:
            # 3. An error with code point. (A surrogate is no scalar value: the driver sees to it.)
            error_code_point = code_point
        elif code_point == 0x20AC:
            # 6.-7. The table is GBK's too, which has another byte for U+20AC, so it has none.
            we_store_pair(target + written, 0xE3A2)
            written += 2
        else:
            # 9.-15. The index gb18030 ranges pointer, in four digits of base 10, 126, 10 and 10.
            pointer = gb18030_ranges_pointer(code_point)
            target[written] = <uint8_t> (pointer // (10 * 126 * 10) + 0x81)
            target[written + 1] = <uint8_t> (pointer // (10 * 126) % 10 + 0x30)
            target[written + 2] = <uint8_t> (pointer // 10 % 126 + 0x81)
            target[written + 3] = <uint8_t> (pointer % 10 + 0x30)
            written += 4
        read += 1
        if error_code_point != NO_ERROR:
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    run.read = read
    run.written = written
    return result


# --- The registry: what the driver takes from this module --------------------------------------------------------------

CODECS = {}

cdef we_codec gbk_codec
gbk_codec.decode[0] = gb18030_decode_ucs1
gbk_codec.decode[1] = gb18030_decode_ucs2
gbk_codec.decode[2] = gb18030_decode_ucs4
gbk_codec.decode[3] = gb18030_decode_utf8
gbk_codec.encode[0] = gbk_encode_ucs1
gbk_codec.encode_room[0] = 2
gbk_codec.encode[1] = gbk_encode_ucs2
gbk_codec.encode_room[1] = 2
gbk_codec.encode[2] = gbk_encode_ucs4
gbk_codec.encode_room[2] = 2
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
gb18030_codec.encode_room[0] = 4
gb18030_codec.encode[1] = gb18030_encode_ucs2
gb18030_codec.encode_room[1] = 4
gb18030_codec.encode[2] = gb18030_encode_ucs4
gb18030_codec.encode_room[2] = 4
gb18030_codec.decode_shift = 0
gb18030_codec.is_ascii_compatible = True
gb18030_codec.tables = NULL
CODECS["gb18030"] = PyCapsule_New(&gb18030_codec, "whatwg_encoding.codec", NULL)
