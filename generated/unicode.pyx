# Generated from templates/chapter.pyx.j2: change that, not this; `python -m generator emit` emits it again.
# Handler: templates/_handlers/utf_8.pyx.j2
# Data: the Encoding Standard, https://encoding.spec.whatwg.org/, BSD-3-Clause (LICENSE-WHATWG).

# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""The Encoding: UTF-8."""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from whatwg_encoding._kernels cimport *

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


# -- Decoder: UTF-8
# Template: templates/_handlers/utf_8.pyx.j2. Standard: https://encoding.spec.whatwg.org/#utf-8-decoder


cdef we_result utf_8_decode_ucs1(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#utf-8-decoder

    Order: the loop reads whole sequences, where the standard's handler is called for each byte. So the steps for
    end-of-queue are at the end of the bytes.
    """
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint8_t byte, lower_boundary, upper_boundary, bytes_needed
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            read += we_utf_8_run_to_ucs1(run.simd, source + read, length - read, target + written, &run_written,
                                         run.max_code_point)
            written += run_written
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        byte = source[read]
        lower_boundary = 0x80
        upper_boundary = 0xBF
        bytes_needed = 0
        # utf-8-decoder 3: the first byte.
        # utf-8-decoder 3.[Otherwise]: an error, unless it is one of the following.
        code_point = ERROR
        if byte < 0x80:
            # utf-8-decoder 3.[0x00 to 0x7F]: the code point of its value.
            # Kernel: we_utf_8_run_to_ucs1 (src/kernels/utf_8.h).
            code_point = byte
        elif 0xC2 <= byte <= 0xDF:
            # utf-8-decoder 3.[0xC2 to 0xDF], 3.[0xC2 to 0xDF].1-2: one more byte.
            # Kernel: we_utf_8_run_to_ucs1 (src/kernels/utf_8.h).
            bytes_needed = 1
            code_point = byte & 0x1F
        elif 0xE0 <= byte <= 0xEF:
            # utf-8-decoder 3.[0xE0 to 0xEF], 3.[0xE0 to 0xEF].1-4: two more bytes.
            # Kernel: we_utf_8_run_to_ucs1 (src/kernels/utf_8.h).
            if byte == 0xE0:
                lower_boundary = 0xA0
            if byte == 0xED and run.fatal != WE_SURROGATE_PASS:
                upper_boundary = 0x9F
            bytes_needed = 2
            code_point = byte & 0xF
        elif 0xF0 <= byte <= 0xF4:
            # utf-8-decoder 3.[0xF0 to 0xF4], 3.[0xF0 to 0xF4].1-4: three more bytes.
            # Kernel: we_utf_8_run_to_ucs1 (src/kernels/utf_8.h).
            if byte == 0xF0:
                lower_boundary = 0x90
            if byte == 0xF4:
                upper_boundary = 0x8F
            bytes_needed = 3
            code_point = byte & 0x7
        # The bytes after it. `consumed` is UTF-8 bytes seen and the first byte.
        consumed = 1
        while consumed <= bytes_needed and read + consumed < length:
            byte = source[read + consumed]
            if not lower_boundary <= byte <= upper_boundary:
                # utf-8-decoder 4, 4.1-4.3: an error; byte is restored.
                code_point = ERROR
                bytes_needed = 0
                if consumed == 2 and source[read] == 0xED and source[read + 1] > 0x9F:
                    # An incomplete surrogate: its second byte, out of the standard's range, is restored as well.
                    consumed = 1
                break
            # utf-8-decoder 5-8: the next bits.
            # Kernel: we_utf_8_run_to_ucs1 (src/kernels/utf_8.h).
            lower_boundary = 0x80
            upper_boundary = 0xBF
            code_point = code_point << 6 | byte & 0x3F
            consumed += 1
        # utf-8-decoder 9-11: the code point is complete, unless more bytes are needed.
        if consumed <= bytes_needed:
            # utf-8-decoder 1: end-of-queue within a sequence is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = length - read
            if consumed == 2 and source[read] == 0xED and source[read + 1] > 0x9F:
                # An incomplete surrogate: its second byte, out of the standard's range, is restored as well.
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
    # utf-8-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result utf_8_decode_ucs2(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#utf-8-decoder

    Order: the loop reads whole sequences, where the standard's handler is called for each byte. So the steps for
    end-of-queue are at the end of the bytes.
    """
    cdef const uint8_t *source = run.source
    cdef uint16_t *target = <uint16_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint8_t byte, lower_boundary, upper_boundary, bytes_needed
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            if code_point == ERROR or code_point == 0xFFFD:
                # After an error little but ASCII is likely before the next one, and a run of ASCII starts faster.
                code_point = 0
                run_written = we_ascii_run_to_ucs2(run.simd, source + read, length - read, target + written)
                read += run_written
            else:
                read += we_utf_8_run_to_ucs2(run.simd, source + read, length - read, target + written, &run_written)
            written += run_written
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        byte = source[read]
        lower_boundary = 0x80
        upper_boundary = 0xBF
        bytes_needed = 0
        # utf-8-decoder 3: the first byte.
        # utf-8-decoder 3.[Otherwise]: an error, unless it is one of the following.
        code_point = ERROR
        if byte < 0x80:
            # utf-8-decoder 3.[0x00 to 0x7F]: the code point of its value.
            # Kernel: we_ascii_run_to_ucs2 (src/kernels/ascii.h).
            code_point = byte
        elif 0xC2 <= byte <= 0xDF:
            # utf-8-decoder 3.[0xC2 to 0xDF], 3.[0xC2 to 0xDF].1-2: one more byte.
            # Kernel: we_utf_8_run_to_ucs2 (src/kernels/utf_8.h).
            bytes_needed = 1
            code_point = byte & 0x1F
        elif 0xE0 <= byte <= 0xEF:
            # utf-8-decoder 3.[0xE0 to 0xEF], 3.[0xE0 to 0xEF].1-4: two more bytes.
            # Kernel: we_utf_8_run_to_ucs2 (src/kernels/utf_8.h).
            if byte == 0xE0:
                lower_boundary = 0xA0
            if byte == 0xED and run.fatal != WE_SURROGATE_PASS:
                upper_boundary = 0x9F
            bytes_needed = 2
            code_point = byte & 0xF
        elif 0xF0 <= byte <= 0xF4:
            # utf-8-decoder 3.[0xF0 to 0xF4], 3.[0xF0 to 0xF4].1-4: three more bytes.
            # Kernel: we_utf_8_run_to_ucs2 (src/kernels/utf_8.h).
            if byte == 0xF0:
                lower_boundary = 0x90
            if byte == 0xF4:
                upper_boundary = 0x8F
            bytes_needed = 3
            code_point = byte & 0x7
        # The bytes after it. `consumed` is UTF-8 bytes seen and the first byte.
        consumed = 1
        while consumed <= bytes_needed and read + consumed < length:
            byte = source[read + consumed]
            if not lower_boundary <= byte <= upper_boundary:
                # utf-8-decoder 4, 4.1-4.3: an error; byte is restored.
                code_point = ERROR
                bytes_needed = 0
                if consumed == 2 and source[read] == 0xED and source[read + 1] > 0x9F:
                    # An incomplete surrogate: its second byte, out of the standard's range, is restored as well.
                    consumed = 1
                break
            # utf-8-decoder 5-8: the next bits.
            # Kernel: we_utf_8_run_to_ucs2 (src/kernels/utf_8.h).
            lower_boundary = 0x80
            upper_boundary = 0xBF
            code_point = code_point << 6 | byte & 0x3F
            consumed += 1
        # utf-8-decoder 9-11: the code point is complete, unless more bytes are needed.
        if consumed <= bytes_needed:
            # utf-8-decoder 1: end-of-queue within a sequence is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = length - read
            if consumed == 2 and source[read] == 0xED and source[read + 1] > 0x9F:
                # An incomplete surrogate: its second byte, out of the standard's range, is restored as well.
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
    # utf-8-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result utf_8_decode_ucs4(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#utf-8-decoder

    Order: the loop reads whole sequences, where the standard's handler is called for each byte. So the steps for
    end-of-queue are at the end of the bytes.
    """
    cdef const uint8_t *source = run.source
    cdef uint32_t *target = <uint32_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint8_t byte, lower_boundary, upper_boundary, bytes_needed
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            if code_point == ERROR or code_point == 0xFFFD:
                # After an error little but ASCII is likely before the next one, and a run of ASCII starts faster.
                code_point = 0
                run_written = we_ascii_run_to_ucs4(run.simd, source + read, length - read, target + written)
                read += run_written
            else:
                read += we_utf_8_run_to_ucs4(run.simd, source + read, length - read, target + written, &run_written)
            written += run_written
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        byte = source[read]
        lower_boundary = 0x80
        upper_boundary = 0xBF
        bytes_needed = 0
        # utf-8-decoder 3: the first byte.
        # utf-8-decoder 3.[Otherwise]: an error, unless it is one of the following.
        code_point = ERROR
        if byte < 0x80:
            # utf-8-decoder 3.[0x00 to 0x7F]: the code point of its value.
            # Kernel: we_ascii_run_to_ucs4 (src/kernels/ascii.h).
            code_point = byte
        elif 0xC2 <= byte <= 0xDF:
            # utf-8-decoder 3.[0xC2 to 0xDF], 3.[0xC2 to 0xDF].1-2: one more byte.
            # Kernel: we_utf_8_run_to_ucs4 (src/kernels/utf_8.h).
            bytes_needed = 1
            code_point = byte & 0x1F
        elif 0xE0 <= byte <= 0xEF:
            # utf-8-decoder 3.[0xE0 to 0xEF], 3.[0xE0 to 0xEF].1-4: two more bytes.
            # Kernel: we_utf_8_run_to_ucs4 (src/kernels/utf_8.h).
            if byte == 0xE0:
                lower_boundary = 0xA0
            if byte == 0xED and run.fatal != WE_SURROGATE_PASS:
                upper_boundary = 0x9F
            bytes_needed = 2
            code_point = byte & 0xF
        elif 0xF0 <= byte <= 0xF4:
            # utf-8-decoder 3.[0xF0 to 0xF4], 3.[0xF0 to 0xF4].1-4: three more bytes.
            # Kernel: we_utf_8_run_to_ucs4 (src/kernels/utf_8.h).
            if byte == 0xF0:
                lower_boundary = 0x90
            if byte == 0xF4:
                upper_boundary = 0x8F
            bytes_needed = 3
            code_point = byte & 0x7
        # The bytes after it. `consumed` is UTF-8 bytes seen and the first byte.
        consumed = 1
        while consumed <= bytes_needed and read + consumed < length:
            byte = source[read + consumed]
            if not lower_boundary <= byte <= upper_boundary:
                # utf-8-decoder 4, 4.1-4.3: an error; byte is restored.
                code_point = ERROR
                bytes_needed = 0
                if consumed == 2 and source[read] == 0xED and source[read + 1] > 0x9F:
                    # An incomplete surrogate: its second byte, out of the standard's range, is restored as well.
                    consumed = 1
                break
            # utf-8-decoder 5-8: the next bits.
            # Kernel: we_utf_8_run_to_ucs4 (src/kernels/utf_8.h).
            lower_boundary = 0x80
            upper_boundary = 0xBF
            code_point = code_point << 6 | byte & 0x3F
            consumed += 1
        # utf-8-decoder 9-11: the code point is complete, unless more bytes are needed.
        if consumed <= bytes_needed:
            # utf-8-decoder 1: end-of-queue within a sequence is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = length - read
            if consumed == 2 and source[read] == 0xED and source[read + 1] > 0x9F:
                # An incomplete surrogate: its second byte, out of the standard's range, is restored as well.
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
    # utf-8-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result utf_8_decode_utf8(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#utf-8-decoder

    Order: the loop reads whole sequences, where the standard's handler is called for each byte. So the steps for
    end-of-queue are at the end of the bytes.
    """
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef uint8_t byte, lower_boundary, upper_boundary, bytes_needed
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            consumed = we_utf_8_copy_run(run.simd, source + read, length - read, target + written)
            read += consumed
            written += consumed
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        byte = source[read]
        lower_boundary = 0x80
        upper_boundary = 0xBF
        bytes_needed = 0
        # utf-8-decoder 3: the first byte.
        # utf-8-decoder 3.[Otherwise]: an error, unless it is one of the following.
        code_point = ERROR
        if byte < 0x80:
            # utf-8-decoder 3.[0x00 to 0x7F]: the code point of its value.
            # Kernel: we_utf_8_copy_run (src/kernels/utf_8.h).
            code_point = byte
        elif 0xC2 <= byte <= 0xDF:
            # utf-8-decoder 3.[0xC2 to 0xDF], 3.[0xC2 to 0xDF].1-2: one more byte.
            # Kernel: we_utf_8_copy_run (src/kernels/utf_8.h).
            bytes_needed = 1
            code_point = byte & 0x1F
        elif 0xE0 <= byte <= 0xEF:
            # utf-8-decoder 3.[0xE0 to 0xEF], 3.[0xE0 to 0xEF].1-4: two more bytes.
            # Kernel: we_utf_8_copy_run (src/kernels/utf_8.h).
            if byte == 0xE0:
                lower_boundary = 0xA0
            if byte == 0xED and run.fatal != WE_SURROGATE_PASS:
                upper_boundary = 0x9F
            bytes_needed = 2
            code_point = byte & 0xF
        elif 0xF0 <= byte <= 0xF4:
            # utf-8-decoder 3.[0xF0 to 0xF4], 3.[0xF0 to 0xF4].1-4: three more bytes.
            # Kernel: we_utf_8_copy_run (src/kernels/utf_8.h).
            if byte == 0xF0:
                lower_boundary = 0x90
            if byte == 0xF4:
                upper_boundary = 0x8F
            bytes_needed = 3
            code_point = byte & 0x7
        # The bytes after it. `consumed` is UTF-8 bytes seen and the first byte.
        consumed = 1
        while consumed <= bytes_needed and read + consumed < length:
            byte = source[read + consumed]
            if not lower_boundary <= byte <= upper_boundary:
                # utf-8-decoder 4, 4.1-4.3: an error; byte is restored.
                code_point = ERROR
                bytes_needed = 0
                if consumed == 2 and source[read] == 0xED and source[read + 1] > 0x9F:
                    # An incomplete surrogate: its second byte, out of the standard's range, is restored as well.
                    consumed = 1
                break
            # utf-8-decoder 5-8: the next bits.
            # Kernel: we_utf_8_copy_run (src/kernels/utf_8.h).
            lower_boundary = 0x80
            upper_boundary = 0xBF
            code_point = code_point << 6 | byte & 0x3F
            consumed += 1
        # utf-8-decoder 9-11: the code point is complete, unless more bytes are needed.
        if consumed <= bytes_needed:
            # utf-8-decoder 1: end-of-queue within a sequence is an error.
            if not run.end_of_queue:
                break
            code_point = ERROR
            consumed = length - read
            if consumed == 2 and source[read] == 0xED and source[read + 1] > 0x9F:
                # An incomplete surrogate: its second byte, out of the standard's range, is restored as well.
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
    # utf-8-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


# -- Encoder: UTF-8
# Template: templates/_handlers/utf_8.pyx.j2. Standard: https://encoding.spec.whatwg.org/#utf-8-encoder


cdef we_result utf_8_encode_ucs1(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#utf-8-encoder
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
            found = <uint16_t> (source[read] if source[read] < 0x80 else 0)
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
        if few == 0 or not False:
            start = read
            end = length if length - read <= limit else read + limit
            read += we_utf_8_run_from_ucs1(run.simd, source + read, end - read, target + written, &run_written)
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # utf-8-encoder 2: a byte of the same value.
        # Kernel: we_utf_8_run_from_ucs1 (src/kernels/utf_8.h).
        # utf-8-encoder 3-5, 5.1-5.3, 6: the bytes of every other scalar value.
        # Kernel: we_utf_8_run_from_ucs1 (src/kernels/utf_8.h).
        # The run stops at surrogates only, which are no scalar values: the driver replaces them.
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
                    if read == length or not False:
                        break
            if read != start:
                continue
            read += 1
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    # utf-8-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result utf_8_encode_ucs2(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#utf-8-encoder
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
            found = <uint16_t> (source[read] if source[read] < 0x80 else 0)
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
        if few == 0 or not we_is_surrogate(source[read]):
            start = read
            end = length if length - read <= limit else read + limit
            read += we_utf_8_run_from_ucs2(run.simd, source + read, end - read, target + written, &run_written)
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # utf-8-encoder 2: a byte of the same value.
        # Kernel: we_utf_8_run_from_ucs2 (src/kernels/utf_8.h).
        # utf-8-encoder 3-5, 5.1-5.3, 6: the bytes of every other scalar value.
        # Kernel: we_utf_8_run_from_ucs2 (src/kernels/utf_8.h).
        # The run stops at surrogates only, which are no scalar values: the driver replaces them.
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
            elif mode == WE_SURROGATE_PASS:
                # The bytes that the formula for scalar values gives. In range: a code point takes at most as many.
                while read < length and we_is_surrogate(source[read]):
                    target[written] = 0xED
                    target[written + 1] = <uint8_t> (0x80 | source[read] >> 6 & 0x3F)
                    target[written + 2] = <uint8_t> (0x80 | source[read] & 0x3F)
                    written += 3
                    read += 1
            if read != start:
                continue
            read += 1
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    # utf-8-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result utf_8_encode_ucs4(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#utf-8-encoder
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
            found = <uint16_t> (source[read] if source[read] < 0x80 else 0)
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
        if few == 0 or not we_is_surrogate(source[read]):
            start = read
            end = length if length - read <= limit else read + limit
            read += we_utf_8_run_from_ucs4(run.simd, source + read, end - read, target + written, &run_written)
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # utf-8-encoder 2: a byte of the same value.
        # Kernel: we_utf_8_run_from_ucs4 (src/kernels/utf_8.h).
        # utf-8-encoder 3-5, 5.1-5.3, 6: the bytes of every other scalar value.
        # Kernel: we_utf_8_run_from_ucs4 (src/kernels/utf_8.h).
        # The run stops at surrogates only, which are no scalar values: the driver replaces them.
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
            elif mode == WE_SURROGATE_PASS:
                # The bytes that the formula for scalar values gives. In range: a code point takes at most as many.
                while read < length and we_is_surrogate(source[read]):
                    target[written] = 0xED
                    target[written + 1] = <uint8_t> (0x80 | source[read] >> 6 & 0x3F)
                    target[written + 2] = <uint8_t> (0x80 | source[read] & 0x3F)
                    written += 3
                    read += 1
            if read != start:
                continue
            read += 1
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    # utf-8-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


# -- Registry: the codecs of this module, for the driver ---------------------------------------------------------------

CODECS = {}

cdef we_codec utf_8_codec
utf_8_codec.decode[0] = utf_8_decode_ucs1
utf_8_codec.decode[1] = utf_8_decode_ucs2
utf_8_codec.decode[2] = utf_8_decode_ucs4
utf_8_codec.decode[3] = utf_8_decode_utf8
utf_8_codec.encode[0] = utf_8_encode_ucs1
utf_8_codec.encode_capacity[0] = 2
utf_8_codec.encode[1] = utf_8_encode_ucs2
utf_8_codec.encode_capacity[1] = 3
utf_8_codec.encode[2] = utf_8_encode_ucs4
utf_8_codec.encode_capacity[2] = 4
utf_8_codec.decode_shift = 0
utf_8_codec.is_ascii_compatible = True
utf_8_codec.tables = NULL
CODECS["UTF-8"] = PyCapsule_New(&utf_8_codec, "whatwg_encoding.codec", NULL)
