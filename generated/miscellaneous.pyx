# Generated from templates/chapter.pyx.j2: change that, not this; `python -m generator emit` emits it again.
# Handler: templates/_handlers/replacement.pyx.j2
# Handler: templates/_handlers/utf_16.pyx.j2
# Handler: templates/_handlers/single_byte.pyx.j2
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


# -- Decoder: replacement
# Template: templates/_handlers/replacement.pyx.j2. Standard: https://encoding.spec.whatwg.org/#replacement-decoder


cdef we_result replacement_decode_ucs1(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#replacement-decoder"""
    cdef we_result result
    # replacement-decoder 1: at end-of-queue the driver ends the stream.
    if run.read == run.source_length:
        return WE_INPUT_EMPTY
    # replacement-decoder 2: the first byte is an error.
    if not run.state.replacement_error_returned:
        if not run.fatal:
            return WE_WIDEN
        if run.fatal:
            run.error_length = 1
            # In range: of an error handler's target the caller offers as many bytes as suffice (see errors.h).
            result = we_handle_error(run, WE_UCS1, run.source + run.read, run.target, run.written)
            if result == WE_WIDEN:
                return result
            run.state.replacement_error_returned = True
            run.read = run.read + 1 if result == WE_MALFORMED else run.source_length
            return result
        run.state.replacement_error_returned = True
        run.read += 1
        run.error_count += 1
    # replacement-decoder 3: finished, so the rest is skipped.
    run.read = run.source_length
    return WE_INPUT_EMPTY


cdef we_result replacement_decode_ucs2(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#replacement-decoder"""
    cdef we_result result
    # replacement-decoder 1: at end-of-queue the driver ends the stream.
    if run.read == run.source_length:
        return WE_INPUT_EMPTY
    # replacement-decoder 2: the first byte is an error.
    if not run.state.replacement_error_returned:
        if run.fatal:
            run.error_length = 1
            # In range: of an error handler's target the caller offers as many bytes as suffice (see errors.h).
            result = we_handle_error(run, WE_UCS2, run.source + run.read, run.target, run.written)
            if result == WE_WIDEN:
                return result
            run.state.replacement_error_returned = True
            run.read = run.read + 1 if result == WE_MALFORMED else run.source_length
            return result
        run.state.replacement_error_returned = True
        run.read += 1
        (<uint16_t *> run.target)[run.written] = 0xFFFD
        run.written += 1
        run.error_count += 1
    # replacement-decoder 3: finished, so the rest is skipped.
    run.read = run.source_length
    return WE_INPUT_EMPTY


cdef we_result replacement_decode_ucs4(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#replacement-decoder"""
    cdef we_result result
    # replacement-decoder 1: at end-of-queue the driver ends the stream.
    if run.read == run.source_length:
        return WE_INPUT_EMPTY
    # replacement-decoder 2: the first byte is an error.
    if not run.state.replacement_error_returned:
        if run.fatal:
            run.error_length = 1
            # In range: of an error handler's target the caller offers as many bytes as suffice (see errors.h).
            result = we_handle_error(run, WE_UCS4, run.source + run.read, run.target, run.written)
            if result == WE_WIDEN:
                return result
            run.state.replacement_error_returned = True
            run.read = run.read + 1 if result == WE_MALFORMED else run.source_length
            return result
        run.state.replacement_error_returned = True
        run.read += 1
        (<uint32_t *> run.target)[run.written] = 0xFFFD
        run.written += 1
        run.error_count += 1
    # replacement-decoder 3: finished, so the rest is skipped.
    run.read = run.source_length
    return WE_INPUT_EMPTY


cdef we_result replacement_decode_utf8(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#replacement-decoder"""
    cdef we_result result
    # replacement-decoder 1: at end-of-queue the driver ends the stream.
    if run.read == run.source_length:
        return WE_INPUT_EMPTY
    # replacement-decoder 2: the first byte is an error.
    if not run.state.replacement_error_returned:
        if run.fatal:
            run.error_length = 1
            result = WE_MALFORMED
            if result == WE_WIDEN:
                return result
            run.state.replacement_error_returned = True
            run.read = run.read + 1 if result == WE_MALFORMED else run.source_length
            return result
        run.state.replacement_error_returned = True
        run.read += 1
        run.written += we_put_utf8(<uint8_t *> run.target + run.written, 0xFFFD)
        run.error_count += 1
    # replacement-decoder 3: finished, so the rest is skipped.
    run.read = run.source_length
    return WE_INPUT_EMPTY


# -- Decoder: UTF-16BE
# Template: templates/_handlers/utf_16.pyx.j2. Standard: https://encoding.spec.whatwg.org/#shared-utf-16-decoder


cdef we_result utf_16be_decode_ucs1(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#shared-utf-16-decoder

    Order: the loop reads whole code units and pairs, where the standard's handler is called for each byte. So the steps
    for a second code unit are within the step that reads the first, and those for end-of-queue at the end of the bytes.
    """
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            read += we_utf_16_run_to_ucs1(run.simd, source + read, length - read, 1,
                                          target + written, &run_written, run.max_code_point)
            written += run_written
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        consumed = 2
        # shared-utf-16-decoder 3: UTF-16 leading byte.
        if read + 1 == length:
            # shared-utf-16-decoder 1: end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        else:
            # shared-utf-16-decoder 4-5: the code unit; is UTF-16BE decoder is true.
            code_point = source[read] << 8 | source[read + 1]
            if 0xD800 <= code_point <= 0xDBFF:
                # shared-utf-16-decoder 7: UTF-16 leading surrogate.
                if length - read < 4:
                    # shared-utf-16-decoder 1: end-of-queue after it, or after one more byte, is one error.
                    if not run.end_of_queue:
                        break
                    if run.fatal != WE_SURROGATE_PASS:
                        code_point = ERROR
                        consumed = length - read
                # shared-utf-16-decoder 6, 6.1-6.2: the code unit after it.
                elif source[read + 2] & 0xFC == 0xDC:
                    # shared-utf-16-decoder 6.3: a trailing surrogate.
                    # Kernel: we_utf_16_run_to_ucs1 (src/kernels/utf_16.h).
                    code_point = (0x10000 + ((code_point - 0xD800) << 10)
                                  + (((source[read + 2] & 0x3) << 8) | source[read + 3]))
                    consumed = 4
                elif run.fatal != WE_SURROGATE_PASS:
                    # shared-utf-16-decoder 6.4-6.7: an error; the bytes of the second code unit are restored.
                    code_point = ERROR
            elif 0xDC00 <= code_point <= 0xDFFF and run.fatal != WE_SURROGATE_PASS:
                # shared-utf-16-decoder 8: an unpaired trailing surrogate is an error.
                code_point = ERROR
            # shared-utf-16-decoder 9: otherwise it is the code point.
            # Kernel: we_utf_16_run_to_ucs1 (src/kernels/utf_16.h).
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
    # shared-utf-16-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result utf_16be_decode_ucs2(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#shared-utf-16-decoder

    Order: the loop reads whole code units and pairs, where the standard's handler is called for each byte. So the steps
    for a second code unit are within the step that reads the first, and those for end-of-queue at the end of the bytes.
    """
    cdef const uint8_t *source = run.source
    cdef uint16_t *target = <uint16_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            read += we_utf_16_run_to_ucs2(run.simd, source + read, length - read, 1,
                                          target + written, &run_written, &run.bits)
            written += run_written
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        consumed = 2
        # shared-utf-16-decoder 3: UTF-16 leading byte.
        if read + 1 == length:
            # shared-utf-16-decoder 1: end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        else:
            # shared-utf-16-decoder 4-5: the code unit; is UTF-16BE decoder is true.
            code_point = source[read] << 8 | source[read + 1]
            if 0xD800 <= code_point <= 0xDBFF:
                # shared-utf-16-decoder 7: UTF-16 leading surrogate.
                if length - read < 4:
                    # shared-utf-16-decoder 1: end-of-queue after it, or after one more byte, is one error.
                    if not run.end_of_queue:
                        break
                    if run.fatal != WE_SURROGATE_PASS:
                        code_point = ERROR
                        consumed = length - read
                # shared-utf-16-decoder 6, 6.1-6.2: the code unit after it.
                elif source[read + 2] & 0xFC == 0xDC:
                    # shared-utf-16-decoder 6.3: a trailing surrogate.
                    # Kernel: we_utf_16_run_to_ucs2 (src/kernels/utf_16.h).
                    code_point = (0x10000 + ((code_point - 0xD800) << 10)
                                  + (((source[read + 2] & 0x3) << 8) | source[read + 3]))
                    consumed = 4
                elif run.fatal != WE_SURROGATE_PASS:
                    # shared-utf-16-decoder 6.4-6.7: an error; the bytes of the second code unit are restored.
                    code_point = ERROR
            elif 0xDC00 <= code_point <= 0xDFFF and run.fatal != WE_SURROGATE_PASS:
                # shared-utf-16-decoder 8: an unpaired trailing surrogate is an error.
                code_point = ERROR
            # shared-utf-16-decoder 9: otherwise it is the code point.
            # Kernel: we_utf_16_run_to_ucs2 (src/kernels/utf_16.h).
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
    # shared-utf-16-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result utf_16be_decode_ucs4(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#shared-utf-16-decoder

    Order: the loop reads whole code units and pairs, where the standard's handler is called for each byte. So the steps
    for a second code unit are within the step that reads the first, and those for end-of-queue at the end of the bytes.
    """
    cdef const uint8_t *source = run.source
    cdef uint32_t *target = <uint32_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            read += we_utf_16_run_to_ucs4(run.simd, source + read, length - read, 1,
                                          target + written, &run_written)
            written += run_written
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        consumed = 2
        # shared-utf-16-decoder 3: UTF-16 leading byte.
        if read + 1 == length:
            # shared-utf-16-decoder 1: end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        else:
            # shared-utf-16-decoder 4-5: the code unit; is UTF-16BE decoder is true.
            code_point = source[read] << 8 | source[read + 1]
            if 0xD800 <= code_point <= 0xDBFF:
                # shared-utf-16-decoder 7: UTF-16 leading surrogate.
                if length - read < 4:
                    # shared-utf-16-decoder 1: end-of-queue after it, or after one more byte, is one error.
                    if not run.end_of_queue:
                        break
                    if run.fatal != WE_SURROGATE_PASS:
                        code_point = ERROR
                        consumed = length - read
                # shared-utf-16-decoder 6, 6.1-6.2: the code unit after it.
                elif source[read + 2] & 0xFC == 0xDC:
                    # shared-utf-16-decoder 6.3: a trailing surrogate.
                    # Kernel: we_utf_16_run_to_ucs4 (src/kernels/utf_16.h).
                    code_point = (0x10000 + ((code_point - 0xD800) << 10)
                                  + (((source[read + 2] & 0x3) << 8) | source[read + 3]))
                    consumed = 4
                elif run.fatal != WE_SURROGATE_PASS:
                    # shared-utf-16-decoder 6.4-6.7: an error; the bytes of the second code unit are restored.
                    code_point = ERROR
            elif 0xDC00 <= code_point <= 0xDFFF and run.fatal != WE_SURROGATE_PASS:
                # shared-utf-16-decoder 8: an unpaired trailing surrogate is an error.
                code_point = ERROR
            # shared-utf-16-decoder 9: otherwise it is the code point.
            # Kernel: we_utf_16_run_to_ucs4 (src/kernels/utf_16.h).
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
    # shared-utf-16-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result utf_16be_decode_utf8(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#shared-utf-16-decoder

    Order: the loop reads whole code units and pairs, where the standard's handler is called for each byte. So the steps
    for a second code unit are within the step that reads the first, and those for end-of-queue at the end of the bytes.
    """
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            read += we_utf_16_run_to_utf8(run.simd, source + read, length - read, 1,
                                          target + written, &run_written)
            written += run_written
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        consumed = 2
        # shared-utf-16-decoder 3: UTF-16 leading byte.
        if read + 1 == length:
            # shared-utf-16-decoder 1: end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        else:
            # shared-utf-16-decoder 4-5: the code unit; is UTF-16BE decoder is true.
            code_point = source[read] << 8 | source[read + 1]
            if 0xD800 <= code_point <= 0xDBFF:
                # shared-utf-16-decoder 7: UTF-16 leading surrogate.
                if length - read < 4:
                    # shared-utf-16-decoder 1: end-of-queue after it, or after one more byte, is one error.
                    if not run.end_of_queue:
                        break
                    if run.fatal != WE_SURROGATE_PASS:
                        code_point = ERROR
                        consumed = length - read
                # shared-utf-16-decoder 6, 6.1-6.2: the code unit after it.
                elif source[read + 2] & 0xFC == 0xDC:
                    # shared-utf-16-decoder 6.3: a trailing surrogate.
                    # Kernel: we_utf_16_run_to_utf8 (src/kernels/utf_16.h).
                    code_point = (0x10000 + ((code_point - 0xD800) << 10)
                                  + (((source[read + 2] & 0x3) << 8) | source[read + 3]))
                    consumed = 4
                elif run.fatal != WE_SURROGATE_PASS:
                    # shared-utf-16-decoder 6.4-6.7: an error; the bytes of the second code unit are restored.
                    code_point = ERROR
            elif 0xDC00 <= code_point <= 0xDFFF and run.fatal != WE_SURROGATE_PASS:
                # shared-utf-16-decoder 8: an unpaired trailing surrogate is an error.
                code_point = ERROR
            # shared-utf-16-decoder 9: otherwise it is the code point.
            # Kernel: we_utf_16_run_to_utf8 (src/kernels/utf_16.h).
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
    # shared-utf-16-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


# -- Decoder: UTF-16LE
# Template: templates/_handlers/utf_16.pyx.j2. Standard: https://encoding.spec.whatwg.org/#shared-utf-16-decoder


cdef we_result utf_16le_decode_ucs1(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#shared-utf-16-decoder

    Order: the loop reads whole code units and pairs, where the standard's handler is called for each byte. So the steps
    for a second code unit are within the step that reads the first, and those for end-of-queue at the end of the bytes.
    """
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            read += we_utf_16_run_to_ucs1(run.simd, source + read, length - read, 0,
                                          target + written, &run_written, run.max_code_point)
            written += run_written
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        consumed = 2
        # shared-utf-16-decoder 3: UTF-16 leading byte.
        if read + 1 == length:
            # shared-utf-16-decoder 1: end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        else:
            # shared-utf-16-decoder 4-5: the code unit; is UTF-16BE decoder is false.
            code_point = source[read + 1] << 8 | source[read]
            if 0xD800 <= code_point <= 0xDBFF:
                # shared-utf-16-decoder 7: UTF-16 leading surrogate.
                if length - read < 4:
                    # shared-utf-16-decoder 1: end-of-queue after it, or after one more byte, is one error.
                    if not run.end_of_queue:
                        break
                    if run.fatal != WE_SURROGATE_PASS:
                        code_point = ERROR
                        consumed = length - read
                # shared-utf-16-decoder 6, 6.1-6.2: the code unit after it.
                elif source[read + 3] & 0xFC == 0xDC:
                    # shared-utf-16-decoder 6.3: a trailing surrogate.
                    # Kernel: we_utf_16_run_to_ucs1 (src/kernels/utf_16.h).
                    code_point = (0x10000 + ((code_point - 0xD800) << 10)
                                  + (((source[read + 3] & 0x3) << 8) | source[read + 2]))
                    consumed = 4
                elif run.fatal != WE_SURROGATE_PASS:
                    # shared-utf-16-decoder 6.4-6.7: an error; the bytes of the second code unit are restored.
                    code_point = ERROR
            elif 0xDC00 <= code_point <= 0xDFFF and run.fatal != WE_SURROGATE_PASS:
                # shared-utf-16-decoder 8: an unpaired trailing surrogate is an error.
                code_point = ERROR
            # shared-utf-16-decoder 9: otherwise it is the code point.
            # Kernel: we_utf_16_run_to_ucs1 (src/kernels/utf_16.h).
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
    # shared-utf-16-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result utf_16le_decode_ucs2(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#shared-utf-16-decoder

    Order: the loop reads whole code units and pairs, where the standard's handler is called for each byte. So the steps
    for a second code unit are within the step that reads the first, and those for end-of-queue at the end of the bytes.
    """
    cdef const uint8_t *source = run.source
    cdef uint16_t *target = <uint16_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            read += we_utf_16_run_to_ucs2(run.simd, source + read, length - read, 0,
                                          target + written, &run_written, &run.bits)
            written += run_written
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        consumed = 2
        # shared-utf-16-decoder 3: UTF-16 leading byte.
        if read + 1 == length:
            # shared-utf-16-decoder 1: end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        else:
            # shared-utf-16-decoder 4-5: the code unit; is UTF-16BE decoder is false.
            code_point = source[read + 1] << 8 | source[read]
            if 0xD800 <= code_point <= 0xDBFF:
                # shared-utf-16-decoder 7: UTF-16 leading surrogate.
                if length - read < 4:
                    # shared-utf-16-decoder 1: end-of-queue after it, or after one more byte, is one error.
                    if not run.end_of_queue:
                        break
                    if run.fatal != WE_SURROGATE_PASS:
                        code_point = ERROR
                        consumed = length - read
                # shared-utf-16-decoder 6, 6.1-6.2: the code unit after it.
                elif source[read + 3] & 0xFC == 0xDC:
                    # shared-utf-16-decoder 6.3: a trailing surrogate.
                    # Kernel: we_utf_16_run_to_ucs2 (src/kernels/utf_16.h).
                    code_point = (0x10000 + ((code_point - 0xD800) << 10)
                                  + (((source[read + 3] & 0x3) << 8) | source[read + 2]))
                    consumed = 4
                elif run.fatal != WE_SURROGATE_PASS:
                    # shared-utf-16-decoder 6.4-6.7: an error; the bytes of the second code unit are restored.
                    code_point = ERROR
            elif 0xDC00 <= code_point <= 0xDFFF and run.fatal != WE_SURROGATE_PASS:
                # shared-utf-16-decoder 8: an unpaired trailing surrogate is an error.
                code_point = ERROR
            # shared-utf-16-decoder 9: otherwise it is the code point.
            # Kernel: we_utf_16_run_to_ucs2 (src/kernels/utf_16.h).
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
    # shared-utf-16-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result utf_16le_decode_ucs4(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#shared-utf-16-decoder

    Order: the loop reads whole code units and pairs, where the standard's handler is called for each byte. So the steps
    for a second code unit are within the step that reads the first, and those for end-of-queue at the end of the bytes.
    """
    cdef const uint8_t *source = run.source
    cdef uint32_t *target = <uint32_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            read += we_utf_16_run_to_ucs4(run.simd, source + read, length - read, 0,
                                          target + written, &run_written)
            written += run_written
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        consumed = 2
        # shared-utf-16-decoder 3: UTF-16 leading byte.
        if read + 1 == length:
            # shared-utf-16-decoder 1: end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        else:
            # shared-utf-16-decoder 4-5: the code unit; is UTF-16BE decoder is false.
            code_point = source[read + 1] << 8 | source[read]
            if 0xD800 <= code_point <= 0xDBFF:
                # shared-utf-16-decoder 7: UTF-16 leading surrogate.
                if length - read < 4:
                    # shared-utf-16-decoder 1: end-of-queue after it, or after one more byte, is one error.
                    if not run.end_of_queue:
                        break
                    if run.fatal != WE_SURROGATE_PASS:
                        code_point = ERROR
                        consumed = length - read
                # shared-utf-16-decoder 6, 6.1-6.2: the code unit after it.
                elif source[read + 3] & 0xFC == 0xDC:
                    # shared-utf-16-decoder 6.3: a trailing surrogate.
                    # Kernel: we_utf_16_run_to_ucs4 (src/kernels/utf_16.h).
                    code_point = (0x10000 + ((code_point - 0xD800) << 10)
                                  + (((source[read + 3] & 0x3) << 8) | source[read + 2]))
                    consumed = 4
                elif run.fatal != WE_SURROGATE_PASS:
                    # shared-utf-16-decoder 6.4-6.7: an error; the bytes of the second code unit are restored.
                    code_point = ERROR
            elif 0xDC00 <= code_point <= 0xDFFF and run.fatal != WE_SURROGATE_PASS:
                # shared-utf-16-decoder 8: an unpaired trailing surrogate is an error.
                code_point = ERROR
            # shared-utf-16-decoder 9: otherwise it is the code point.
            # Kernel: we_utf_16_run_to_ucs4 (src/kernels/utf_16.h).
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
    # shared-utf-16-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result utf_16le_decode_utf8(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#shared-utf-16-decoder

    Order: the loop reads whole code units and pairs, where the standard's handler is called for each byte. So the steps
    for a second code unit are within the step that reads the first, and those for end-of-queue at the end of the bytes.
    """
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            read += we_utf_16_run_to_utf8(run.simd, source + read, length - read, 0,
                                          target + written, &run_written)
            written += run_written
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        consumed = 2
        # shared-utf-16-decoder 3: UTF-16 leading byte.
        if read + 1 == length:
            # shared-utf-16-decoder 1: end-of-queue after it is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = 1
        else:
            # shared-utf-16-decoder 4-5: the code unit; is UTF-16BE decoder is false.
            code_point = source[read + 1] << 8 | source[read]
            if 0xD800 <= code_point <= 0xDBFF:
                # shared-utf-16-decoder 7: UTF-16 leading surrogate.
                if length - read < 4:
                    # shared-utf-16-decoder 1: end-of-queue after it, or after one more byte, is one error.
                    if not run.end_of_queue:
                        break
                    if run.fatal != WE_SURROGATE_PASS:
                        code_point = ERROR
                        consumed = length - read
                # shared-utf-16-decoder 6, 6.1-6.2: the code unit after it.
                elif source[read + 3] & 0xFC == 0xDC:
                    # shared-utf-16-decoder 6.3: a trailing surrogate.
                    # Kernel: we_utf_16_run_to_utf8 (src/kernels/utf_16.h).
                    code_point = (0x10000 + ((code_point - 0xD800) << 10)
                                  + (((source[read + 3] & 0x3) << 8) | source[read + 2]))
                    consumed = 4
                elif run.fatal != WE_SURROGATE_PASS:
                    # shared-utf-16-decoder 6.4-6.7: an error; the bytes of the second code unit are restored.
                    code_point = ERROR
            elif 0xDC00 <= code_point <= 0xDFFF and run.fatal != WE_SURROGATE_PASS:
                # shared-utf-16-decoder 8: an unpaired trailing surrogate is an error.
                code_point = ERROR
            # shared-utf-16-decoder 9: otherwise it is the code point.
            # Kernel: we_utf_16_run_to_utf8 (src/kernels/utf_16.h).
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
    # shared-utf-16-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


# -- Decoder: x-user-defined
# Template: templates/_handlers/single_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#x-user-defined-decoder

ctypedef struct single_byte_tables:
    const uint16_t *index
    const uint16_t *replaced  # the index with U+FFFD for null; the index itself where it has no null
    const uint8_t *latin1
    we_single_byte_reverse reverse


cdef we_result x_user_defined_decode_ucs1(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#x-user-defined-decoder
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
            # x-user-defined-decoder 2: an ASCII byte is the code point of its value.
            # Kernel: we_single_byte_run_to_ucs1 (src/kernels/single_byte.h).
            code_point = byte
        else:
            # x-user-defined-decoder 3: the table has the code points that the formula gives; none of them is null.
            # Kernel: we_single_byte_run_to_ucs1 (src/kernels/single_byte.h).
            # In range: the index has 0x80 entries.
            code_point = tables.index[byte - 0x80]
            if code_point == 0:
                code_point = ERROR
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
    # x-user-defined-decoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result x_user_defined_decode_ucs2(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#x-user-defined-decoder
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
            # x-user-defined-decoder 2: an ASCII byte is the code point of its value.
            # Kernel: we_single_byte_run_to_ucs2 (src/kernels/single_byte.h).
            code_point = byte
        else:
            # x-user-defined-decoder 3: the table has the code points that the formula gives; none of them is null.
            # Kernel: we_single_byte_run_to_ucs2 (src/kernels/single_byte.h).
            # In range: the index has 0x80 entries.
            code_point = tables.index[byte - 0x80]
            if code_point == 0:
                code_point = ERROR
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
    # x-user-defined-decoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result x_user_defined_decode_ucs4(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#x-user-defined-decoder
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
            # x-user-defined-decoder 2: an ASCII byte is the code point of its value.
            # Kernel: we_single_byte_run_to_ucs4 (src/kernels/single_byte.h).
            code_point = byte
        else:
            # x-user-defined-decoder 3: the table has the code points that the formula gives; none of them is null.
            # Kernel: we_single_byte_run_to_ucs4 (src/kernels/single_byte.h).
            # In range: the index has 0x80 entries.
            code_point = tables.index[byte - 0x80]
            if code_point == 0:
                code_point = ERROR
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
    # x-user-defined-decoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result x_user_defined_decode_utf8(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#x-user-defined-decoder
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
            # x-user-defined-decoder 2: an ASCII byte is the code point of its value.
            # Kernel: we_single_byte_run_to_utf8 (src/kernels/single_byte.h).
            code_point = byte
        else:
            # x-user-defined-decoder 3: the table has the code points that the formula gives; none of them is null.
            # Kernel: we_single_byte_run_to_utf8 (src/kernels/single_byte.h).
            # In range: the index has 0x80 entries.
            code_point = tables.index[byte - 0x80]
            if code_point == 0:
                code_point = ERROR
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
    # x-user-defined-decoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


# -- Encoder: x-user-defined
# Template: templates/_handlers/single_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#x-user-defined-encoder


cdef we_result x_user_defined_encode_ucs1(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#x-user-defined-encoder

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
        # x-user-defined-encoder 2: a byte of the same value.
        # Kernel: we_single_byte_run_from_ucs1 (src/kernels/single_byte.h).
        # x-user-defined-encoder 3: the table has the byte of each code point,
        # Kernel: we_single_byte_run_from_ucs1 (src/kernels/single_byte.h).
        # x-user-defined-encoder 4: an error with code point. The run stops at these code points only.
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
    # x-user-defined-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result x_user_defined_encode_ucs2(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#x-user-defined-encoder

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
        # x-user-defined-encoder 2: a byte of the same value.
        # Kernel: we_single_byte_run_from_ucs2 (src/kernels/single_byte.h).
        # x-user-defined-encoder 3: the table has the byte of each code point,
        # Kernel: we_single_byte_run_from_ucs2 (src/kernels/single_byte.h).
        # x-user-defined-encoder 4: an error with code point. The run stops at these code points only.
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
    # x-user-defined-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result x_user_defined_encode_ucs4(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#x-user-defined-encoder

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
        # x-user-defined-encoder 2: a byte of the same value.
        # Kernel: we_single_byte_run_from_ucs4 (src/kernels/single_byte.h).
        # x-user-defined-encoder 3: the table has the byte of each code point,
        # Kernel: we_single_byte_run_from_ucs4 (src/kernels/single_byte.h).
        # x-user-defined-encoder 4: an error with code point. The run stops at these code points only.
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
    # x-user-defined-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


# -- Registry: the codecs of this module, for the driver ---------------------------------------------------------------

CODECS = {}

cdef we_codec replacement_codec
replacement_codec.decode[0] = replacement_decode_ucs1
replacement_codec.decode[1] = replacement_decode_ucs2
replacement_codec.decode[2] = replacement_decode_ucs4
replacement_codec.decode[3] = replacement_decode_utf8
replacement_codec.encode[0] = NULL
replacement_codec.encode_capacity[0] = 2
replacement_codec.encode[1] = NULL
replacement_codec.encode_capacity[1] = 2
replacement_codec.encode[2] = NULL
replacement_codec.encode_capacity[2] = 2
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
utf_16be_codec.encode_capacity[0] = 2
utf_16be_codec.encode[1] = NULL
utf_16be_codec.encode_capacity[1] = 2
utf_16be_codec.encode[2] = NULL
utf_16be_codec.encode_capacity[2] = 2
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
utf_16le_codec.encode_capacity[0] = 2
utf_16le_codec.encode[1] = NULL
utf_16le_codec.encode_capacity[1] = 2
utf_16le_codec.encode[2] = NULL
utf_16le_codec.encode_capacity[2] = 2
utf_16le_codec.decode_shift = 1
utf_16le_codec.is_ascii_compatible = False
utf_16le_codec.tables = NULL
CODECS["UTF-16LE"] = PyCapsule_New(&utf_16le_codec, "whatwg_encoding.codec", NULL)

cdef we_codec x_user_defined_codec
x_user_defined_codec.decode[0] = x_user_defined_decode_ucs1
x_user_defined_codec.decode[1] = x_user_defined_decode_ucs2
x_user_defined_codec.decode[2] = x_user_defined_decode_ucs4
x_user_defined_codec.decode[3] = x_user_defined_decode_utf8
x_user_defined_codec.encode[0] = x_user_defined_encode_ucs1
x_user_defined_codec.encode_capacity[0] = 1
x_user_defined_codec.encode[1] = x_user_defined_encode_ucs2
x_user_defined_codec.encode_capacity[1] = 1
x_user_defined_codec.encode[2] = x_user_defined_encode_ucs4
x_user_defined_codec.encode_capacity[2] = 1
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
