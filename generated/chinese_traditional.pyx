# Generated from templates/chapter.pyx.j2: change that, not this. `make generate` or `python -m generator emit` makes it anew.
# Data: the Encoding Standard, https://encoding.spec.whatwg.org/, BSD-3-Clause (LICENSE-WHATWG).
# Index big5: Identifier 8dfc771062e7be0810919082c2c06baa2236147909e0ecc235b1cb9ad782ac82

# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Legacy multi-byte Chinese (traditional) encodings: Big5."""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from whatwg_encoding._kernels cimport *

cdef extern from "chinese_traditional_tables.h" nogil:
    const uint16_t big5_pairs[32768]
    const uint8_t big5_astral_stage1[1024]
    const uint32_t big5_astral_stage2[4608]
    const uint16_t big5_reverse[65536]
    const uint8_t big5_astral_reverse_stage1[2048]
    const uint16_t big5_astral_reverse_stage2[7232]

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


cdef inline uint32_t big5_astral(uint32_t key) noexcept nogil:
    """index Big5 above U+FFFF by byte pair; 1024 keys of 32, 144 blocks, 19456 bytes."""
    # In range: callers pass keys below 0x8000, and stage 1 holds numbers of stage 2's blocks only.
    return big5_astral_stage2[<uint32_t> big5_astral_stage1[key >> 5] << 5 | key & 0x1F]


cdef inline uint16_t big5_astral_reverse(uint32_t key) noexcept nogil:
    """bytes of Big5 by code point above U+FFFF; 2048 keys of 32, 226 blocks, 16512 bytes."""
    # In range: callers pass keys below 0x10000, and stage 1 holds numbers of stage 2's blocks only.
    return big5_astral_reverse_stage2[<uint32_t> big5_astral_reverse_stage1[key >> 5] << 5 | key & 0x1F]


# --- Big5: decoder ---

cdef inline uint32_t big5_two_code_points(uint8_t lead, uint8_t trail) noexcept nogil:
    """The two code points that a few pointers stand for, the first in the upper half; 0 for any other."""
    if lead == 0x88 and trail == 0x62:  # pointer 1133
        return 0x00CA << 16 | 0x0304
    if lead == 0x88 and trail == 0x64:  # pointer 1135
        return 0x00CA << 16 | 0x030C
    if lead == 0x88 and trail == 0xA3:  # pointer 1164
        return 0x00EA << 16 | 0x0304
    if lead == 0x88 and trail == 0xA5:  # pointer 1166
        return 0x00EA << 16 | 0x030C
    return 0


cdef we_result big5_decode_ucs1(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#big5-decoder"""
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
            # 4. An ASCII byte is the code point of its value.
            code_point = byte
        elif 0x81 <= byte <= 0xFE:
            # 5./6. A lead, if a trail follows.
            if read + 1 == length:
                # 1. End-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            else:
                # 3.1-3.5 The index code point for the pointer of lead and byte; null is 0.
                code_point = big5_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
                if code_point == 0:
                    code_point = big5_astral((byte & 0x7F) << 8 | source[read + 1])
                if code_point == 0:
                    # 3.3 The pointers of the table below step 3.3 stand for two code points.
                    code_point = big5_two_code_points(byte, source[read + 1])
                    if code_point != 0:
                        # The second of them needs a wider target.
                        result = WE_WIDEN
                        break
                if code_point == 0:
                    # 3.6-3.7 An error; an ASCII byte is restored.
                    code_point = ERROR
                    if source[read + 1] < 0x80:
                        consumed = 1
        else:
            # Any other byte is an error.
            code_point = ERROR
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


cdef we_result big5_decode_ucs2(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#big5-decoder"""
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
            read += we_double_byte_run_to_ucs2(run.simd, source + read, length - read, big5_pairs, 0, target + written, &run_written)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        byte = source[read]
        consumed = 1
        if byte < 0x80:
            # 4. An ASCII byte is the code point of its value.
            code_point = byte
        elif 0x81 <= byte <= 0xFE:
            # 5./6. A lead, if a trail follows.
            if read + 1 == length:
                # 1. End-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            else:
                # 3.1-3.5 The index code point for the pointer of lead and byte; null is 0.
                code_point = big5_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
                if code_point == 0:
                    code_point = big5_astral((byte & 0x7F) << 8 | source[read + 1])
                if code_point == 0:
                    # 3.3 The pointers of the table below step 3.3 stand for two code points.
                    code_point = big5_two_code_points(byte, source[read + 1])
                    if code_point != 0:
                        target[written] = <uint16_t> (code_point >> 16)
                        written += 1
                        code_point &= 0xFFFF
                if code_point == 0:
                    # 3.6-3.7 An error; an ASCII byte is restored.
                    code_point = ERROR
                    if source[read + 1] < 0x80:
                        consumed = 1
        else:
            # Any other byte is an error.
            code_point = ERROR
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


cdef we_result big5_decode_ucs4(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#big5-decoder"""
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
            read += we_double_byte_run_to_ucs4(run.simd, source + read, length - read, big5_pairs, 0, target + written, &run_written)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        byte = source[read]
        consumed = 1
        if byte < 0x80:
            # 4. An ASCII byte is the code point of its value.
            code_point = byte
        elif 0x81 <= byte <= 0xFE:
            # 5./6. A lead, if a trail follows.
            if read + 1 == length:
                # 1. End-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            else:
                # 3.1-3.5 The index code point for the pointer of lead and byte; null is 0.
                code_point = big5_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
                if code_point == 0:
                    code_point = big5_astral((byte & 0x7F) << 8 | source[read + 1])
                if code_point == 0:
                    # 3.3 The pointers of the table below step 3.3 stand for two code points.
                    code_point = big5_two_code_points(byte, source[read + 1])
                    if code_point != 0:
                        target[written] = <uint32_t> (code_point >> 16)
                        written += 1
                        code_point &= 0xFFFF
                if code_point == 0:
                    # 3.6-3.7 An error; an ASCII byte is restored.
                    code_point = ERROR
                    if source[read + 1] < 0x80:
                        consumed = 1
        else:
            # Any other byte is an error.
            code_point = ERROR
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


cdef we_result big5_decode_utf8(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#big5-decoder"""
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
            read += we_double_byte_run_to_utf8(run.simd, source + read, length - read, big5_pairs, 0, target + written, &run_written)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        byte = source[read]
        consumed = 1
        if byte < 0x80:
            # 4. An ASCII byte is the code point of its value.
            code_point = byte
        elif 0x81 <= byte <= 0xFE:
            # 5./6. A lead, if a trail follows.
            if read + 1 == length:
                # 1. End-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            else:
                # 3.1-3.5 The index code point for the pointer of lead and byte; null is 0.
                code_point = big5_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
                if code_point == 0:
                    code_point = big5_astral((byte & 0x7F) << 8 | source[read + 1])
                if code_point == 0:
                    # 3.3 The pointers of the table below step 3.3 stand for two code points.
                    code_point = big5_two_code_points(byte, source[read + 1])
                    if code_point != 0:
                        written += we_put_utf8(target + written, code_point >> 16)
                        code_point &= 0xFFFF
                if code_point == 0:
                    # 3.6-3.7 An error; an ASCII byte is restored.
                    code_point = ERROR
                    if source[read + 1] < 0x80:
                        consumed = 1
        else:
            # Any other byte is an error.
            code_point = ERROR
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


# --- Big5: encoder ---


cdef we_result big5_encode_ucs1(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#big5-encoder"""
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
        read += we_double_byte_run_from_ucs1(run.simd, source + read, end - read, big5_reverse, target + written, &run_written)
        written += run_written
        if read == end:
            reach *= 8
            continue
        if read - start < LONG_RUN:
            reach = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # 2. and the steps up to the last were the run's, but for U+0000, whose entry means null.
        if code_point == 0:
            target[written] = 0
            written += 1
        else:
            # 4. No pointer: an error with code point.
            error_code_point = code_point
        read += 1
        if error_code_point != NO_ERROR:
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    run.read = read
    run.written = written
    return result


cdef we_result big5_encode_ucs2(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#big5-encoder"""
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
        read += we_double_byte_run_from_ucs2(run.simd, source + read, end - read, big5_reverse, target + written, &run_written)
        written += run_written
        if read == end:
            reach *= 8
            continue
        if read - start < LONG_RUN:
            reach = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # 2. and the steps up to the last were the run's, but for U+0000, whose entry means null.
        if code_point == 0:
            target[written] = 0
            written += 1
        else:
            # 4. No pointer: an error with code point.
            error_code_point = code_point
        read += 1
        if error_code_point != NO_ERROR:
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    run.read = read
    run.written = written
    return result


cdef we_result big5_encode_ucs4(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#big5-encoder"""
    cdef const uint32_t *source = <const uint32_t *> run.source
    cdef uint8_t *target = run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written
    cdef uint32_t code_point, error_code_point
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint16_t pair
    # What stops a run comes in crowds: behind it the run goes over a few code points, which takes it less than to set out for more.
    cdef size_t start, end, reach = FEW if run.after_error else length
    while read < length:
        start = read
        end = length if length - read <= reach else read + reach
        read += we_double_byte_run_from_ucs4(run.simd, source + read, end - read, big5_reverse, target + written, &run_written)
        written += run_written
        if read == end:
            reach *= 8
            continue
        if read - start < LONG_RUN:
            reach = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # 2. and the steps up to the last were the run's, but for U+0000, whose entry means null.
        if code_point == 0:
            target[written] = 0
            written += 1
        elif 0x20000 <= code_point < 0x30000:
            # 3. The pointer of a code point above U+FFFF: they all lie in plane 2.
            pair = big5_astral_reverse(code_point - 0x20000)
            if pair == 0:
                error_code_point = code_point
            else:
                we_store_pair(target + written, pair)
                written += 1 + (pair > 0xFF)
        else:
            # 4. No pointer: an error with code point.
            error_code_point = code_point
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

cdef we_codec big5_codec
big5_codec.decode[0] = big5_decode_ucs1
big5_codec.decode[1] = big5_decode_ucs2
big5_codec.decode[2] = big5_decode_ucs4
big5_codec.decode[3] = big5_decode_utf8
big5_codec.encode[0] = big5_encode_ucs1
big5_codec.encode_room[0] = 2
big5_codec.encode[1] = big5_encode_ucs2
big5_codec.encode_room[1] = 2
big5_codec.encode[2] = big5_encode_ucs4
big5_codec.encode_room[2] = 2
big5_codec.decode_shift = 0
big5_codec.is_ascii_compatible = True
big5_codec.tables = NULL
CODECS["Big5"] = PyCapsule_New(&big5_codec, "whatwg_encoding.codec", NULL)
