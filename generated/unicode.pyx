# Generated from templates/chapter.pyx.j2: change that, not this. `make generate` or `python -m generator emit` makes it anew.
# Data: the Encoding Standard, https://encoding.spec.whatwg.org/, BSD-3-Clause (LICENSE-WHATWG).

# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The Encoding: UTF-8."""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from whatwg_encoding._kernels cimport *

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


# --- UTF-8: decoder ---


cdef we_result utf_8_decode_ucs1(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#utf-8-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint8_t byte, lower_boundary, upper_boundary, bytes_needed
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            read += we_utf_8_run_to_ucs1(run.simd, source + read, length - read, target + written, &run_written, run.max_code_point)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        byte = source[read]
        lower_boundary = 0x80
        upper_boundary = 0xBF
        bytes_needed = 0
        code_point = ERROR
        # 3. The first byte.
        if byte < 0x80:
            code_point = byte
        elif 0xC2 <= byte <= 0xDF:
            bytes_needed = 1
            code_point = byte & 0x1F
        elif 0xE0 <= byte <= 0xEF:
            if byte == 0xE0:
                lower_boundary = 0xA0
            if byte == 0xED:
                upper_boundary = 0x9F
            bytes_needed = 2
            code_point = byte & 0xF
        elif 0xF0 <= byte <= 0xF4:
            if byte == 0xF0:
                lower_boundary = 0x90
            if byte == 0xF4:
                upper_boundary = 0x8F
            bytes_needed = 3
            code_point = byte & 0x7
        # 4.-10. The bytes after it. `consumed` is UTF-8 bytes seen and the first byte.
        consumed = 1
        while consumed <= bytes_needed and read + consumed < length:
            byte = source[read + consumed]
            if not lower_boundary <= byte <= upper_boundary:
                # 4. An error; byte is restored.
                code_point = ERROR
                bytes_needed = 0
                break
            # 5.-7.
            lower_boundary = 0x80
            upper_boundary = 0xBF
            code_point = code_point << 6 | byte & 0x3F
            consumed += 1
        if consumed <= bytes_needed:
            # 1. End-of-queue inside a sequence is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = length - read
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


cdef we_result utf_8_decode_ucs2(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#utf-8-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint16_t *target = <uint16_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint8_t byte, lower_boundary, upper_boundary, bytes_needed
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            read += we_utf_8_run_to_ucs2(run.simd, source + read, length - read, target + written, &run_written)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        byte = source[read]
        lower_boundary = 0x80
        upper_boundary = 0xBF
        bytes_needed = 0
        code_point = ERROR
        # 3. The first byte.
        if byte < 0x80:
            code_point = byte
        elif 0xC2 <= byte <= 0xDF:
            bytes_needed = 1
            code_point = byte & 0x1F
        elif 0xE0 <= byte <= 0xEF:
            if byte == 0xE0:
                lower_boundary = 0xA0
            if byte == 0xED:
                upper_boundary = 0x9F
            bytes_needed = 2
            code_point = byte & 0xF
        elif 0xF0 <= byte <= 0xF4:
            if byte == 0xF0:
                lower_boundary = 0x90
            if byte == 0xF4:
                upper_boundary = 0x8F
            bytes_needed = 3
            code_point = byte & 0x7
        # 4.-10. The bytes after it. `consumed` is UTF-8 bytes seen and the first byte.
        consumed = 1
        while consumed <= bytes_needed and read + consumed < length:
            byte = source[read + consumed]
            if not lower_boundary <= byte <= upper_boundary:
                # 4. An error; byte is restored.
                code_point = ERROR
                bytes_needed = 0
                break
            # 5.-7.
            lower_boundary = 0x80
            upper_boundary = 0xBF
            code_point = code_point << 6 | byte & 0x3F
            consumed += 1
        if consumed <= bytes_needed:
            # 1. End-of-queue inside a sequence is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = length - read
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


cdef we_result utf_8_decode_ucs4(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#utf-8-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint32_t *target = <uint32_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint8_t byte, lower_boundary, upper_boundary, bytes_needed
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            read += we_utf_8_run_to_ucs4(run.simd, source + read, length - read, target + written, &run_written)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        byte = source[read]
        lower_boundary = 0x80
        upper_boundary = 0xBF
        bytes_needed = 0
        code_point = ERROR
        # 3. The first byte.
        if byte < 0x80:
            code_point = byte
        elif 0xC2 <= byte <= 0xDF:
            bytes_needed = 1
            code_point = byte & 0x1F
        elif 0xE0 <= byte <= 0xEF:
            if byte == 0xE0:
                lower_boundary = 0xA0
            if byte == 0xED:
                upper_boundary = 0x9F
            bytes_needed = 2
            code_point = byte & 0xF
        elif 0xF0 <= byte <= 0xF4:
            if byte == 0xF0:
                lower_boundary = 0x90
            if byte == 0xF4:
                upper_boundary = 0x8F
            bytes_needed = 3
            code_point = byte & 0x7
        # 4.-10. The bytes after it. `consumed` is UTF-8 bytes seen and the first byte.
        consumed = 1
        while consumed <= bytes_needed and read + consumed < length:
            byte = source[read + consumed]
            if not lower_boundary <= byte <= upper_boundary:
                # 4. An error; byte is restored.
                code_point = ERROR
                bytes_needed = 0
                break
            # 5.-7.
            lower_boundary = 0x80
            upper_boundary = 0xBF
            code_point = code_point << 6 | byte & 0x3F
            consumed += 1
        if consumed <= bytes_needed:
            # 1. End-of-queue inside a sequence is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = length - read
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


cdef we_result utf_8_decode_utf8(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#utf-8-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef uint8_t byte, lower_boundary, upper_boundary, bytes_needed
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            consumed = we_utf_8_copy_run(run.simd, source + read, length - read, target + written)
            read += consumed
            written += consumed
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        byte = source[read]
        lower_boundary = 0x80
        upper_boundary = 0xBF
        bytes_needed = 0
        code_point = ERROR
        # 3. The first byte.
        if byte < 0x80:
            code_point = byte
        elif 0xC2 <= byte <= 0xDF:
            bytes_needed = 1
            code_point = byte & 0x1F
        elif 0xE0 <= byte <= 0xEF:
            if byte == 0xE0:
                lower_boundary = 0xA0
            if byte == 0xED:
                upper_boundary = 0x9F
            bytes_needed = 2
            code_point = byte & 0xF
        elif 0xF0 <= byte <= 0xF4:
            if byte == 0xF0:
                lower_boundary = 0x90
            if byte == 0xF4:
                upper_boundary = 0x8F
            bytes_needed = 3
            code_point = byte & 0x7
        # 4.-10. The bytes after it. `consumed` is UTF-8 bytes seen and the first byte.
        consumed = 1
        while consumed <= bytes_needed and read + consumed < length:
            byte = source[read + consumed]
            if not lower_boundary <= byte <= upper_boundary:
                # 4. An error; byte is restored.
                code_point = ERROR
                bytes_needed = 0
                break
            # 5.-7.
            lower_boundary = 0x80
            upper_boundary = 0xBF
            code_point = code_point << 6 | byte & 0x3F
            consumed += 1
        if consumed <= bytes_needed:
            # 1. End-of-queue inside a sequence is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = length - read
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


# --- UTF-8: encoder ---


cdef we_result utf_8_encode_ucs1(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#utf-8-encoder"""
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
        read += we_utf_8_run_from_ucs1(run.simd, source + read, end - read, target + written, &run_written)
        written += run_written
        if read == end:
            reach *= 8
            continue
        if read - start < LONG_RUN:
            reach = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # Every scalar value has its bytes: the run stops only at a surrogate, which is none. The driver sees to it.
        error_code_point = code_point
        read += 1
        if error_code_point != NO_ERROR:
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    run.read = read
    run.written = written
    return result


cdef we_result utf_8_encode_ucs2(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#utf-8-encoder"""
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
        read += we_utf_8_run_from_ucs2(run.simd, source + read, end - read, target + written, &run_written)
        written += run_written
        if read == end:
            reach *= 8
            continue
        if read - start < LONG_RUN:
            reach = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # Every scalar value has its bytes: the run stops only at a surrogate, which is none. The driver sees to it.
        error_code_point = code_point
        read += 1
        if error_code_point != NO_ERROR:
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    run.read = read
    run.written = written
    return result


cdef we_result utf_8_encode_ucs4(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#utf-8-encoder"""
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
        read += we_utf_8_run_from_ucs4(run.simd, source + read, end - read, target + written, &run_written)
        written += run_written
        if read == end:
            reach *= 8
            continue
        if read - start < LONG_RUN:
            reach = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # Every scalar value has its bytes: the run stops only at a surrogate, which is none. The driver sees to it.
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

cdef we_codec utf_8_codec
utf_8_codec.decode[0] = utf_8_decode_ucs1
utf_8_codec.decode[1] = utf_8_decode_ucs2
utf_8_codec.decode[2] = utf_8_decode_ucs4
utf_8_codec.decode[3] = utf_8_decode_utf8
utf_8_codec.encode[0] = utf_8_encode_ucs1
utf_8_codec.encode_room[0] = 2
utf_8_codec.encode[1] = utf_8_encode_ucs2
utf_8_codec.encode_room[1] = 3
utf_8_codec.encode[2] = utf_8_encode_ucs4
utf_8_codec.encode_room[2] = 4
utf_8_codec.decode_shift = 0
utf_8_codec.is_ascii_compatible = True
utf_8_codec.tables = NULL
CODECS["UTF-8"] = PyCapsule_New(&utf_8_codec, "whatwg_encoding.codec", NULL)
