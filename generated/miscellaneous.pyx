# Generated from templates/chapter.pyx.j2: change that, not this. `make generate` or `python -m generator emit` makes it anew.
# Data: the Encoding Standard, https://encoding.spec.whatwg.org/, BSD-3-Clause (LICENSE-WHATWG).

# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Legacy miscellaneous encodings: replacement, UTF-16BE, UTF-16LE, x-user-defined."""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from whatwg_encoding._kernels cimport *

cdef extern from "miscellaneous_tables.h" nogil:
    const uint16_t x_user_defined[128]
    const uint8_t x_user_defined_latin1[128]
    const uint8_t x_user_defined_reverse_stage1[512]
    const uint8_t x_user_defined_reverse_stage2[256]

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


# --- replacement: decoder ---


cdef we_result replacement_decode_ucs1(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#replacement-decoder"""
    # 1. End-of-queue is finished.
    if run.read == run.source_length:
        return WE_INPUT_EMPTY
    # 2. The first byte is an error.
    if not run.state.replacement_error_returned:
        if not run.fatal:
            return WE_WIDEN
        run.state.replacement_error_returned = True
        run.read += 1
        if run.fatal:
            run.error_length = 1
            return WE_MALFORMED
        run.error_count += 1
    # 3. Then it is finished: nothing else is ever read.
    run.read = run.source_length
    return WE_INPUT_EMPTY


cdef we_result replacement_decode_ucs2(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#replacement-decoder"""
    # 1. End-of-queue is finished.
    if run.read == run.source_length:
        return WE_INPUT_EMPTY
    # 2. The first byte is an error.
    if not run.state.replacement_error_returned:
        run.state.replacement_error_returned = True
        run.read += 1
        if run.fatal:
            run.error_length = 1
            return WE_MALFORMED
        (<uint16_t *> run.target)[run.written] = 0xFFFD
        run.written += 1
        run.error_count += 1
    # 3. Then it is finished: nothing else is ever read.
    run.read = run.source_length
    return WE_INPUT_EMPTY


cdef we_result replacement_decode_ucs4(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#replacement-decoder"""
    # 1. End-of-queue is finished.
    if run.read == run.source_length:
        return WE_INPUT_EMPTY
    # 2. The first byte is an error.
    if not run.state.replacement_error_returned:
        run.state.replacement_error_returned = True
        run.read += 1
        if run.fatal:
            run.error_length = 1
            return WE_MALFORMED
        (<uint32_t *> run.target)[run.written] = 0xFFFD
        run.written += 1
        run.error_count += 1
    # 3. Then it is finished: nothing else is ever read.
    run.read = run.source_length
    return WE_INPUT_EMPTY


cdef we_result replacement_decode_utf8(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#replacement-decoder"""
    # 1. End-of-queue is finished.
    if run.read == run.source_length:
        return WE_INPUT_EMPTY
    # 2. The first byte is an error.
    if not run.state.replacement_error_returned:
        run.state.replacement_error_returned = True
        run.read += 1
        if run.fatal:
            run.error_length = 1
            return WE_MALFORMED
        run.written += we_put_utf8(<uint8_t *> run.target + run.written, 0xFFFD)
        run.error_count += 1
    # 3. Then it is finished: nothing else is ever read.
    run.read = run.source_length
    return WE_INPUT_EMPTY


# --- UTF-16BE: decoder ---


cdef we_result utf_16be_decode_ucs1(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#shared-utf-16-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            read += we_utf_16_run_to_ucs1(run.simd, source + read, length - read, 1, target + written, &run_written, run.max_code_point)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        consumed = 2
        if read + 1 == length:
            # 1., 3. UTF-16 lead byte; end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        else:
            # 4. The code unit.
            code_point = source[read] << 8 | source[read + 1]
            if 0xD800 <= code_point <= 0xDBFF:
                # 6. UTF-16 leading surrogate.
                if length - read < 4:
                    # 1. End-of-queue after it, or after another lead byte, is one error.
                    if not run.end_of_queue:
                        break
                    code_point = ERROR
                    consumed = length - read
                elif source[read + 2] & 0xFC == 0xDC:
                    # 5.1 A trailing surrogate.
                    code_point = 0x10000 + ((code_point - 0xD800) << 10) + (((source[read + 2] & 0x3) << 8) | source[read + 3])
                    consumed = 4
                else:
                    # 5.2-5.4 An error; the second code unit's bytes are restored.
                    code_point = ERROR
            elif 0xDC00 <= code_point <= 0xDFFF:
                # 7. A trailing surrogate on its own is an error.
                code_point = ERROR
            # 8. Otherwise it is the code point.
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


cdef we_result utf_16be_decode_ucs2(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#shared-utf-16-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint16_t *target = <uint16_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            read += we_utf_16_run_to_ucs2(run.simd, source + read, length - read, 1, target + written, &run_written, &run.bits)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        consumed = 2
        if read + 1 == length:
            # 1., 3. UTF-16 lead byte; end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        else:
            # 4. The code unit.
            code_point = source[read] << 8 | source[read + 1]
            if 0xD800 <= code_point <= 0xDBFF:
                # 6. UTF-16 leading surrogate.
                if length - read < 4:
                    # 1. End-of-queue after it, or after another lead byte, is one error.
                    if not run.end_of_queue:
                        break
                    code_point = ERROR
                    consumed = length - read
                elif source[read + 2] & 0xFC == 0xDC:
                    # 5.1 A trailing surrogate.
                    code_point = 0x10000 + ((code_point - 0xD800) << 10) + (((source[read + 2] & 0x3) << 8) | source[read + 3])
                    consumed = 4
                else:
                    # 5.2-5.4 An error; the second code unit's bytes are restored.
                    code_point = ERROR
            elif 0xDC00 <= code_point <= 0xDFFF:
                # 7. A trailing surrogate on its own is an error.
                code_point = ERROR
            # 8. Otherwise it is the code point.
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


cdef we_result utf_16be_decode_ucs4(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#shared-utf-16-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint32_t *target = <uint32_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            read += we_utf_16_run_to_ucs4(run.simd, source + read, length - read, 1, target + written, &run_written)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        consumed = 2
        if read + 1 == length:
            # 1., 3. UTF-16 lead byte; end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        else:
            # 4. The code unit.
            code_point = source[read] << 8 | source[read + 1]
            if 0xD800 <= code_point <= 0xDBFF:
                # 6. UTF-16 leading surrogate.
                if length - read < 4:
                    # 1. End-of-queue after it, or after another lead byte, is one error.
                    if not run.end_of_queue:
                        break
                    code_point = ERROR
                    consumed = length - read
                elif source[read + 2] & 0xFC == 0xDC:
                    # 5.1 A trailing surrogate.
                    code_point = 0x10000 + ((code_point - 0xD800) << 10) + (((source[read + 2] & 0x3) << 8) | source[read + 3])
                    consumed = 4
                else:
                    # 5.2-5.4 An error; the second code unit's bytes are restored.
                    code_point = ERROR
            elif 0xDC00 <= code_point <= 0xDFFF:
                # 7. A trailing surrogate on its own is an error.
                code_point = ERROR
            # 8. Otherwise it is the code point.
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


cdef we_result utf_16be_decode_utf8(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#shared-utf-16-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            read += we_utf_16_run_to_utf8(run.simd, source + read, length - read, 1, target + written, &run_written)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        consumed = 2
        if read + 1 == length:
            # 1., 3. UTF-16 lead byte; end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        else:
            # 4. The code unit.
            code_point = source[read] << 8 | source[read + 1]
            if 0xD800 <= code_point <= 0xDBFF:
                # 6. UTF-16 leading surrogate.
                if length - read < 4:
                    # 1. End-of-queue after it, or after another lead byte, is one error.
                    if not run.end_of_queue:
                        break
                    code_point = ERROR
                    consumed = length - read
                elif source[read + 2] & 0xFC == 0xDC:
                    # 5.1 A trailing surrogate.
                    code_point = 0x10000 + ((code_point - 0xD800) << 10) + (((source[read + 2] & 0x3) << 8) | source[read + 3])
                    consumed = 4
                else:
                    # 5.2-5.4 An error; the second code unit's bytes are restored.
                    code_point = ERROR
            elif 0xDC00 <= code_point <= 0xDFFF:
                # 7. A trailing surrogate on its own is an error.
                code_point = ERROR
            # 8. Otherwise it is the code point.
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


# --- UTF-16LE: decoder ---


cdef we_result utf_16le_decode_ucs1(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#shared-utf-16-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            read += we_utf_16_run_to_ucs1(run.simd, source + read, length - read, 0, target + written, &run_written, run.max_code_point)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        consumed = 2
        if read + 1 == length:
            # 1., 3. UTF-16 lead byte; end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        else:
            # 4. The code unit.
            code_point = source[read + 1] << 8 | source[read]
            if 0xD800 <= code_point <= 0xDBFF:
                # 6. UTF-16 leading surrogate.
                if length - read < 4:
                    # 1. End-of-queue after it, or after another lead byte, is one error.
                    if not run.end_of_queue:
                        break
                    code_point = ERROR
                    consumed = length - read
                elif source[read + 3] & 0xFC == 0xDC:
                    # 5.1 A trailing surrogate.
                    code_point = 0x10000 + ((code_point - 0xD800) << 10) + (((source[read + 3] & 0x3) << 8) | source[read + 2])
                    consumed = 4
                else:
                    # 5.2-5.4 An error; the second code unit's bytes are restored.
                    code_point = ERROR
            elif 0xDC00 <= code_point <= 0xDFFF:
                # 7. A trailing surrogate on its own is an error.
                code_point = ERROR
            # 8. Otherwise it is the code point.
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


cdef we_result utf_16le_decode_ucs2(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#shared-utf-16-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint16_t *target = <uint16_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            read += we_utf_16_run_to_ucs2(run.simd, source + read, length - read, 0, target + written, &run_written, &run.bits)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        consumed = 2
        if read + 1 == length:
            # 1., 3. UTF-16 lead byte; end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        else:
            # 4. The code unit.
            code_point = source[read + 1] << 8 | source[read]
            if 0xD800 <= code_point <= 0xDBFF:
                # 6. UTF-16 leading surrogate.
                if length - read < 4:
                    # 1. End-of-queue after it, or after another lead byte, is one error.
                    if not run.end_of_queue:
                        break
                    code_point = ERROR
                    consumed = length - read
                elif source[read + 3] & 0xFC == 0xDC:
                    # 5.1 A trailing surrogate.
                    code_point = 0x10000 + ((code_point - 0xD800) << 10) + (((source[read + 3] & 0x3) << 8) | source[read + 2])
                    consumed = 4
                else:
                    # 5.2-5.4 An error; the second code unit's bytes are restored.
                    code_point = ERROR
            elif 0xDC00 <= code_point <= 0xDFFF:
                # 7. A trailing surrogate on its own is an error.
                code_point = ERROR
            # 8. Otherwise it is the code point.
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


cdef we_result utf_16le_decode_ucs4(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#shared-utf-16-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint32_t *target = <uint32_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            read += we_utf_16_run_to_ucs4(run.simd, source + read, length - read, 0, target + written, &run_written)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        consumed = 2
        if read + 1 == length:
            # 1., 3. UTF-16 lead byte; end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        else:
            # 4. The code unit.
            code_point = source[read + 1] << 8 | source[read]
            if 0xD800 <= code_point <= 0xDBFF:
                # 6. UTF-16 leading surrogate.
                if length - read < 4:
                    # 1. End-of-queue after it, or after another lead byte, is one error.
                    if not run.end_of_queue:
                        break
                    code_point = ERROR
                    consumed = length - read
                elif source[read + 3] & 0xFC == 0xDC:
                    # 5.1 A trailing surrogate.
                    code_point = 0x10000 + ((code_point - 0xD800) << 10) + (((source[read + 3] & 0x3) << 8) | source[read + 2])
                    consumed = 4
                else:
                    # 5.2-5.4 An error; the second code unit's bytes are restored.
                    code_point = ERROR
            elif 0xDC00 <= code_point <= 0xDFFF:
                # 7. A trailing surrogate on its own is an error.
                code_point = ERROR
            # 8. Otherwise it is the code point.
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


cdef we_result utf_16le_decode_utf8(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#shared-utf-16-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            read += we_utf_16_run_to_utf8(run.simd, source + read, length - read, 0, target + written, &run_written)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        consumed = 2
        if read + 1 == length:
            # 1., 3. UTF-16 lead byte; end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        else:
            # 4. The code unit.
            code_point = source[read + 1] << 8 | source[read]
            if 0xD800 <= code_point <= 0xDBFF:
                # 6. UTF-16 leading surrogate.
                if length - read < 4:
                    # 1. End-of-queue after it, or after another lead byte, is one error.
                    if not run.end_of_queue:
                        break
                    code_point = ERROR
                    consumed = length - read
                elif source[read + 3] & 0xFC == 0xDC:
                    # 5.1 A trailing surrogate.
                    code_point = 0x10000 + ((code_point - 0xD800) << 10) + (((source[read + 3] & 0x3) << 8) | source[read + 2])
                    consumed = 4
                else:
                    # 5.2-5.4 An error; the second code unit's bytes are restored.
                    code_point = ERROR
            elif 0xDC00 <= code_point <= 0xDFFF:
                # 7. A trailing surrogate on its own is an error.
                code_point = ERROR
            # 8. Otherwise it is the code point.
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


# --- Single-byte encodings: decoder ---

ctypedef struct single_byte_tables:
    const uint16_t *index
    const uint16_t *replaced  # the index with U+FFFD for null; the index itself where nothing is null
    const uint8_t *latin1
    we_single_byte_reverse reverse


cdef we_result single_byte_decode_ucs1(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#x-user-defined-decoder"""
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
            consumed = we_single_byte_run_to_ucs1(run.simd, source + read, length - read, (<const single_byte_tables *> run.tables).index, (<const single_byte_tables *> run.tables).latin1,
                                                  target + written, run.max_code_point, &run.bits)
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
            # 2. An ASCII byte is the code point of its value.
            code_point = byte
        else:
            # 3. The index code point for byte - 0x80.
            code_point = (<const single_byte_tables *> run.tables).index[byte - 0x80]
            # 4. Null is an error.
            if code_point == 0:
                code_point = ERROR
            # 5. Otherwise it is the code point.
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


cdef we_result single_byte_decode_ucs2(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#x-user-defined-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint16_t *target = <uint16_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef uint8_t byte
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            # Where errors are replaced the run does that, too: a long run of errors would be slow one by one.
            consumed = we_single_byte_run_to_ucs2(run.simd, source + read, length - read,
                                                  (<const single_byte_tables *> run.tables).index if run.fatal else (<const single_byte_tables *> run.tables).replaced, target + written,
                                                  &run.bits)
            if not run.fatal and (<const single_byte_tables *> run.tables).replaced != (<const single_byte_tables *> run.tables).index:
                run.error_count += we_replacement_character_count_ucs2(run.simd, target + written, consumed)
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
            # 2. An ASCII byte is the code point of its value.
            code_point = byte
        else:
            # 3. The index code point for byte - 0x80.
            code_point = (<const single_byte_tables *> run.tables).index[byte - 0x80]
            # 4. Null is an error.
            if code_point == 0:
                code_point = ERROR
            # 5. Otherwise it is the code point.
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


cdef we_result single_byte_decode_ucs4(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#x-user-defined-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint32_t *target = <uint32_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef uint8_t byte
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            consumed = we_single_byte_run_to_ucs4(run.simd, source + read, length - read, (<const single_byte_tables *> run.tables).index,
                                                  target + written)
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
            # 2. An ASCII byte is the code point of its value.
            code_point = byte
        else:
            # 3. The index code point for byte - 0x80.
            code_point = (<const single_byte_tables *> run.tables).index[byte - 0x80]
            # 4. Null is an error.
            if code_point == 0:
                code_point = ERROR
            # 5. Otherwise it is the code point.
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


cdef we_result single_byte_decode_utf8(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#x-user-defined-decoder"""
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
            read += we_single_byte_run_to_utf8(run.simd, source + read, length - read, (<const single_byte_tables *> run.tables).index, target + written, &run_written)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        byte = source[read]
        consumed = 1
        if byte < 0x80:
            # 2. An ASCII byte is the code point of its value.
            code_point = byte
        else:
            # 3. The index code point for byte - 0x80.
            code_point = (<const single_byte_tables *> run.tables).index[byte - 0x80]
            # 4. Null is an error.
            if code_point == 0:
                code_point = ERROR
            # 5. Otherwise it is the code point.
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


# --- Single-byte encodings: encoder ---


cdef we_result single_byte_encode_ucs1(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#x-user-defined-encoder"""
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
        run_written = we_single_byte_run_from_ucs1(run.simd, source + read, end - read,
                                                &(<const single_byte_tables *> run.tables).reverse, target + written)
        read += run_written
        written += run_written
        if read == end:
            reach *= 8
            continue
        if read - start < LONG_RUN:
            reach = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # 2.-3., 5. were the run's: it stops only where step 4 has an error, at a code point that is neither ASCII nor in the index.
        error_code_point = code_point
        read += 1
        if error_code_point != NO_ERROR:
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    run.read = read
    run.written = written
    return result


cdef we_result single_byte_encode_ucs2(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#x-user-defined-encoder"""
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
        run_written = we_single_byte_run_from_ucs2(run.simd, source + read, end - read,
                                                &(<const single_byte_tables *> run.tables).reverse, target + written)
        read += run_written
        written += run_written
        if read == end:
            reach *= 8
            continue
        if read - start < LONG_RUN:
            reach = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # 2.-3., 5. were the run's: it stops only where step 4 has an error, at a code point that is neither ASCII nor in the index.
        error_code_point = code_point
        read += 1
        if error_code_point != NO_ERROR:
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    run.read = read
    run.written = written
    return result


cdef we_result single_byte_encode_ucs4(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#x-user-defined-encoder"""
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
        run_written = we_single_byte_run_from_ucs4(run.simd, source + read, end - read,
                                                &(<const single_byte_tables *> run.tables).reverse, target + written)
        read += run_written
        written += run_written
        if read == end:
            reach *= 8
            continue
        if read - start < LONG_RUN:
            reach = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # 2.-3., 5. were the run's: it stops only where step 4 has an error, at a code point that is neither ASCII nor in the index.
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

cdef we_codec replacement_codec
replacement_codec.decode[0] = replacement_decode_ucs1
replacement_codec.decode[1] = replacement_decode_ucs2
replacement_codec.decode[2] = replacement_decode_ucs4
replacement_codec.decode[3] = replacement_decode_utf8
replacement_codec.encode[0] = NULL
replacement_codec.encode_room[0] = 2
replacement_codec.encode[1] = NULL
replacement_codec.encode_room[1] = 2
replacement_codec.encode[2] = NULL
replacement_codec.encode_room[2] = 2
replacement_codec.decode_shift = 12
replacement_codec.is_ascii_compatible = False
replacement_codec.tables = NULL
CODECS["replacement"] = PyCapsule_New(&replacement_codec, "whatwg_encoding.codec", NULL)

cdef we_codec utf_16be_codec
utf_16be_codec.decode[0] = utf_16be_decode_ucs1
utf_16be_codec.decode[1] = utf_16be_decode_ucs2
utf_16be_codec.decode[2] = utf_16be_decode_ucs4
utf_16be_codec.decode[3] = utf_16be_decode_utf8
utf_16be_codec.encode[0] = NULL
utf_16be_codec.encode_room[0] = 2
utf_16be_codec.encode[1] = NULL
utf_16be_codec.encode_room[1] = 2
utf_16be_codec.encode[2] = NULL
utf_16be_codec.encode_room[2] = 2
utf_16be_codec.decode_shift = 1
utf_16be_codec.is_ascii_compatible = False
utf_16be_codec.tables = NULL
CODECS["UTF-16BE"] = PyCapsule_New(&utf_16be_codec, "whatwg_encoding.codec", NULL)

cdef we_codec utf_16le_codec
utf_16le_codec.decode[0] = utf_16le_decode_ucs1
utf_16le_codec.decode[1] = utf_16le_decode_ucs2
utf_16le_codec.decode[2] = utf_16le_decode_ucs4
utf_16le_codec.decode[3] = utf_16le_decode_utf8
utf_16le_codec.encode[0] = NULL
utf_16le_codec.encode_room[0] = 2
utf_16le_codec.encode[1] = NULL
utf_16le_codec.encode_room[1] = 2
utf_16le_codec.encode[2] = NULL
utf_16le_codec.encode_room[2] = 2
utf_16le_codec.decode_shift = 1
utf_16le_codec.is_ascii_compatible = False
utf_16le_codec.tables = NULL
CODECS["UTF-16LE"] = PyCapsule_New(&utf_16le_codec, "whatwg_encoding.codec", NULL)

cdef we_codec x_user_defined_codec
x_user_defined_codec.decode[0] = single_byte_decode_ucs1
x_user_defined_codec.decode[1] = single_byte_decode_ucs2
x_user_defined_codec.decode[2] = single_byte_decode_ucs4
x_user_defined_codec.decode[3] = single_byte_decode_utf8
x_user_defined_codec.encode[0] = single_byte_encode_ucs1
x_user_defined_codec.encode_room[0] = 1
x_user_defined_codec.encode[1] = single_byte_encode_ucs2
x_user_defined_codec.encode_room[1] = 1
x_user_defined_codec.encode[2] = single_byte_encode_ucs4
x_user_defined_codec.encode_room[2] = 1
x_user_defined_codec.decode_shift = 0
x_user_defined_codec.is_ascii_compatible = True
cdef single_byte_tables x_user_defined_tables
x_user_defined_tables.index = x_user_defined
x_user_defined_tables.replaced = x_user_defined
x_user_defined_tables.latin1 = x_user_defined_latin1
x_user_defined_tables.reverse.stage1 = x_user_defined_reverse_stage1
x_user_defined_tables.reverse.stage2 = x_user_defined_reverse_stage2
x_user_defined_codec.tables = &x_user_defined_tables
CODECS["x-user-defined"] = PyCapsule_New(&x_user_defined_codec, "whatwg_encoding.codec", NULL)
