# Generated from templates/chapter.pyx.j2: change that, not this; `python -m generator emit` emits it again.
# Handler: templates/_handlers/double_byte.pyx.j2
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


# -- Decoder: EUC-KR
# Template: templates/_handlers/double_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#euc-kr-decoder


cdef we_result euc_kr_decode_ucs1(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#euc-kr-decoder

    Order: the loop reads whole sequences, where the standard's handler is called for each byte. So the steps for a
    trail are within the step that reads its lead, and those for end-of-queue at the end of the bytes.
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
            # euc-kr-decoder 4: an ASCII byte is the code point of its value.
            # Kernel: we_ascii_run_to_ucs1 (src/kernels/ascii.h).
            code_point = byte
        elif 0x81 <= byte <= 0xFE:
            # euc-kr-decoder 5: a lead.
            if read + 1 == length:
                # euc-kr-decoder 1: end-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            else:
                # euc-kr-decoder 3, 3.1-3.3: its trail.
                # euc-kr-decoder 3.4: the table's key replaces the pointer; bytes that are not trails have null.
                # euc-kr-decoder 3.5-3.6: the index code point, 0 for null.
                # The key is below 0x8000, the length of the table, for any two bytes.
                code_point = euc_kr_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
                if code_point == 0:
                    # euc-kr-decoder 3.7-3.8: an error; an ASCII byte is restored.
                    code_point = ERROR
                    if source[read + 1] < 0x80:
                        consumed = 1
        else:
            # euc-kr-decoder 6: any other byte is an error.
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
    # euc-kr-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result euc_kr_decode_ucs2(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#euc-kr-decoder

    Order: the loop reads whole sequences, where the standard's handler is called for each byte. So the steps for a
    trail are within the step that reads its lead, and those for end-of-queue at the end of the bytes.
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
            read += we_double_byte_run_to_ucs2(run.simd, source + read, length - read, euc_kr_pairs, 0,
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
            # euc-kr-decoder 4: an ASCII byte is the code point of its value.
            # Kernel: we_double_byte_run_to_ucs2 (src/kernels/double_byte.h).
            code_point = byte
        elif 0x81 <= byte <= 0xFE:
            # euc-kr-decoder 5: a lead.
            if read + 1 == length:
                # euc-kr-decoder 1: end-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            else:
                # euc-kr-decoder 3, 3.1-3.3: its trail.
                # euc-kr-decoder 3.4: the table's key replaces the pointer; bytes that are not trails have null.
                # euc-kr-decoder 3.5-3.6: the index code point, 0 for null.
                # Kernel: we_double_byte_run_to_ucs2 (src/kernels/double_byte.h).
                # The key is below 0x8000, the length of the table, for any two bytes.
                code_point = euc_kr_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
                if code_point == 0:
                    # euc-kr-decoder 3.7-3.8: an error; an ASCII byte is restored.
                    code_point = ERROR
                    if source[read + 1] < 0x80:
                        consumed = 1
        else:
            # euc-kr-decoder 6: any other byte is an error.
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
    # euc-kr-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result euc_kr_decode_ucs4(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#euc-kr-decoder

    Order: the loop reads whole sequences, where the standard's handler is called for each byte. So the steps for a
    trail are within the step that reads its lead, and those for end-of-queue at the end of the bytes.
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
            read += we_double_byte_run_to_ucs4(run.simd, source + read, length - read, euc_kr_pairs, 0,
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
            # euc-kr-decoder 4: an ASCII byte is the code point of its value.
            # Kernel: we_double_byte_run_to_ucs4 (src/kernels/double_byte.h).
            code_point = byte
        elif 0x81 <= byte <= 0xFE:
            # euc-kr-decoder 5: a lead.
            if read + 1 == length:
                # euc-kr-decoder 1: end-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            else:
                # euc-kr-decoder 3, 3.1-3.3: its trail.
                # euc-kr-decoder 3.4: the table's key replaces the pointer; bytes that are not trails have null.
                # euc-kr-decoder 3.5-3.6: the index code point, 0 for null.
                # Kernel: we_double_byte_run_to_ucs4 (src/kernels/double_byte.h).
                # The key is below 0x8000, the length of the table, for any two bytes.
                code_point = euc_kr_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
                if code_point == 0:
                    # euc-kr-decoder 3.7-3.8: an error; an ASCII byte is restored.
                    code_point = ERROR
                    if source[read + 1] < 0x80:
                        consumed = 1
        else:
            # euc-kr-decoder 6: any other byte is an error.
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
    # euc-kr-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result euc_kr_decode_utf8(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#euc-kr-decoder

    Order: the loop reads whole sequences, where the standard's handler is called for each byte. So the steps for a
    trail are within the step that reads its lead, and those for end-of-queue at the end of the bytes.
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
            read += we_double_byte_run_to_utf8(run.simd, source + read, length - read, euc_kr_pairs, 0,
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
            # euc-kr-decoder 4: an ASCII byte is the code point of its value.
            # Kernel: we_double_byte_run_to_utf8 (src/kernels/double_byte.h).
            code_point = byte
        elif 0x81 <= byte <= 0xFE:
            # euc-kr-decoder 5: a lead.
            if read + 1 == length:
                # euc-kr-decoder 1: end-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            else:
                # euc-kr-decoder 3, 3.1-3.3: its trail.
                # euc-kr-decoder 3.4: the table's key replaces the pointer; bytes that are not trails have null.
                # euc-kr-decoder 3.5-3.6: the index code point, 0 for null.
                # Kernel: we_double_byte_run_to_utf8 (src/kernels/double_byte.h).
                # The key is below 0x8000, the length of the table, for any two bytes.
                code_point = euc_kr_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
                if code_point == 0:
                    # euc-kr-decoder 3.7-3.8: an error; an ASCII byte is restored.
                    code_point = ERROR
                    if source[read + 1] < 0x80:
                        consumed = 1
        else:
            # euc-kr-decoder 6: any other byte is an error.
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
    # euc-kr-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


# -- Encoder: EUC-KR
# Template: templates/_handlers/double_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#euc-kr-encoder


cdef we_result euc_kr_encode_ucs1(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#euc-kr-encoder

    Order: the table has the bytes of each code point, so that one load both finds the pointer and computes its bytes,
    and null comes last.
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
            found = euc_kr_reverse[source[read]]
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
            read += we_double_byte_run_from_ucs1(run.simd, source + read, end - read, euc_kr_reverse,
                                                 target + written, &run_written)
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # euc-kr-encoder 2: a byte of the same value; the run stops at U+0000, whose entry would equal null.
        # Kernel: we_double_byte_run_from_ucs1 (src/kernels/double_byte.h).
        if code_point == 0:
            target[written] = 0
            written += 1
        # euc-kr-encoder 3: euc_kr_reverse has for each code point the bytes of its pointer,
        # euc-kr-encoder 5-7: computed when it was generated.
        # Kernel: we_double_byte_run_from_ucs1 (src/kernels/double_byte.h).
        else:
            # euc-kr-encoder 4: no pointer is an error with code point.
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
                    if read == length or not we_is_unmapped(source[read], euc_kr_reverse):
                        break
            if read != start:
                continue
            read += 1
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    # euc-kr-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result euc_kr_encode_ucs2(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#euc-kr-encoder

    Order: the table has the bytes of each code point, so that one load both finds the pointer and computes its bytes,
    and null comes last.
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
            found = euc_kr_reverse[source[read]]
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
            read += we_double_byte_run_from_ucs2(run.simd, source + read, end - read, euc_kr_reverse,
                                                 target + written, &run_written)
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # euc-kr-encoder 2: a byte of the same value; the run stops at U+0000, whose entry would equal null.
        # Kernel: we_double_byte_run_from_ucs2 (src/kernels/double_byte.h).
        if code_point == 0:
            target[written] = 0
            written += 1
        # euc-kr-encoder 3: euc_kr_reverse has for each code point the bytes of its pointer,
        # euc-kr-encoder 5-7: computed when it was generated.
        # Kernel: we_double_byte_run_from_ucs2 (src/kernels/double_byte.h).
        else:
            # euc-kr-encoder 4: no pointer is an error with code point.
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
                    if read == length or not we_is_unmapped(source[read], euc_kr_reverse):
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
    # euc-kr-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result euc_kr_encode_ucs4(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#euc-kr-encoder

    Order: the table has the bytes of each code point, so that one load both finds the pointer and computes its bytes,
    and null comes last.
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
            found = euc_kr_reverse[source[read]] if source[read] <= 0xFFFF else <uint16_t> 0
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
            read += we_double_byte_run_from_ucs4(run.simd, source + read, end - read, euc_kr_reverse,
                                                 target + written, &run_written)
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # euc-kr-encoder 2: a byte of the same value; the run stops at U+0000, whose entry would equal null.
        # Kernel: we_double_byte_run_from_ucs4 (src/kernels/double_byte.h).
        if code_point == 0:
            target[written] = 0
            written += 1
        # euc-kr-encoder 3: euc_kr_reverse has for each code point the bytes of its pointer,
        # euc-kr-encoder 5-7: computed when it was generated.
        # Kernel: we_double_byte_run_from_ucs4 (src/kernels/double_byte.h).
        else:
            # euc-kr-encoder 4: no pointer is an error with code point.
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
                    if read == length or not we_is_unmapped(source[read], euc_kr_reverse):
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
    # euc-kr-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


# -- Registry: the codecs of this module, for the driver ---------------------------------------------------------------

CODECS = {}

cdef we_codec euc_kr_codec
euc_kr_codec.decode[0] = euc_kr_decode_ucs1
euc_kr_codec.decode[1] = euc_kr_decode_ucs2
euc_kr_codec.decode[2] = euc_kr_decode_ucs4
euc_kr_codec.decode[3] = euc_kr_decode_utf8
euc_kr_codec.encode[0] = euc_kr_encode_ucs1
euc_kr_codec.encode_capacity[0] = 2
euc_kr_codec.encode[1] = euc_kr_encode_ucs2
euc_kr_codec.encode_capacity[1] = 2
euc_kr_codec.encode[2] = euc_kr_encode_ucs4
euc_kr_codec.encode_capacity[2] = 2
euc_kr_codec.decode_shift = 0
euc_kr_codec.is_ascii_compatible = True
euc_kr_codec.tables = NULL
CODECS["EUC-KR"] = PyCapsule_New(&euc_kr_codec, "whatwg_encoding.codec", NULL)
