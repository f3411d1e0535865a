# Generated from templates/chapter.pyx.j2: change that, not this. `make generate` or `python -m generator emit` makes it anew.
# Data: the Encoding Standard, https://encoding.spec.whatwg.org/, BSD-3-Clause (LICENSE-WHATWG).
# Index euc-kr: Identifier 1d97134cbf187263585bc8f593ca4196654ed4c7a673f5672eaad4f5d9fdc4ba

# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Legacy multi-byte Korean encodings: EUC-KR."""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from whatwg_encoding._kernels cimport *

cdef extern from "korean_tables.h" nogil:
    const uint16_t euc_kr_pairs[32768]
    const uint16_t euc_kr_reverse[65536]

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


# --- EUC-KR: decoder ---


cdef we_result euc_kr_decode_ucs1(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#euc-kr-decoder"""
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
                code_point = euc_kr_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
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


cdef we_result euc_kr_decode_ucs2(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#euc-kr-decoder"""
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
            read += we_double_byte_run_to_ucs2(run.simd, source + read, length - read, euc_kr_pairs, 0, target + written, &run_written)
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
                code_point = euc_kr_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
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


cdef we_result euc_kr_decode_ucs4(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#euc-kr-decoder"""
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
            read += we_double_byte_run_to_ucs4(run.simd, source + read, length - read, euc_kr_pairs, 0, target + written, &run_written)
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
                code_point = euc_kr_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
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


cdef we_result euc_kr_decode_utf8(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#euc-kr-decoder"""
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
            read += we_double_byte_run_to_utf8(run.simd, source + read, length - read, euc_kr_pairs, 0, target + written, &run_written)
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
                code_point = euc_kr_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
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


# --- EUC-KR: encoder ---


cdef we_result euc_kr_encode_ucs1(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#euc-kr-encoder"""
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
        read += we_double_byte_run_from_ucs1(run.simd, source + read, end - read, euc_kr_reverse, target + written, &run_written)
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


cdef we_result euc_kr_encode_ucs2(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#euc-kr-encoder"""
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
        read += we_double_byte_run_from_ucs2(run.simd, source + read, end - read, euc_kr_reverse, target + written, &run_written)
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


cdef we_result euc_kr_encode_ucs4(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#euc-kr-encoder"""
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
        read += we_double_byte_run_from_ucs4(run.simd, source + read, end - read, euc_kr_reverse, target + written, &run_written)
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


# --- The registry: what the driver takes from this module --------------------------------------------------------------

CODECS = {}

cdef we_codec euc_kr_codec
euc_kr_codec.decode[0] = euc_kr_decode_ucs1
euc_kr_codec.decode[1] = euc_kr_decode_ucs2
euc_kr_codec.decode[2] = euc_kr_decode_ucs4
euc_kr_codec.decode[3] = euc_kr_decode_utf8
euc_kr_codec.encode[0] = euc_kr_encode_ucs1
euc_kr_codec.encode_room[0] = 2
euc_kr_codec.encode[1] = euc_kr_encode_ucs2
euc_kr_codec.encode_room[1] = 2
euc_kr_codec.encode[2] = euc_kr_encode_ucs4
euc_kr_codec.encode_room[2] = 2
euc_kr_codec.decode_shift = 0
euc_kr_codec.is_ascii_compatible = True
euc_kr_codec.tables = NULL
CODECS["EUC-KR"] = PyCapsule_New(&euc_kr_codec, "whatwg_encoding.codec", NULL)
