# Generated from templates/chapter.pyx.j2: change that, not this; `python -m generator emit` emits it again.
# Handler: templates/_handlers/euc_jp.pyx.j2
# Handler: templates/_handlers/iso_2022_jp.pyx.j2
# Handler: templates/_handlers/double_byte.pyx.j2
# Data: the Encoding Standard, https://encoding.spec.whatwg.org/, BSD-3-Clause (LICENSE-WHATWG).
# Index iso-2022-jp-katakana: Identifier 6ffc12c11f6eab1ccb3dada740d9b0db096ef0b0783c3bd5ec951dcb4a44b95e
# Index jis0208: Identifier cbaa91f3deb7d0841faf5c33041fc15a285da0e87e64ab802c4bf04b7c4da861
# Index jis0212: Identifier 83bf90dd1c591a4355730d8c4567efc499d74da7490531019ef22a879991cfb7

# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Legacy multi-byte Japanese encodings: EUC-JP, ISO-2022-JP, Shift_JIS."""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport uint8_t, uint16_t, uint32_t

from whatwg_encoding._kernels cimport *

cdef extern from "japanese_tables.h" nogil:
    const uint16_t euc_jp_pairs[32768]
    const uint16_t jis0212[8836]
    const uint16_t euc_jp_reverse[65536]
    const uint16_t iso_2022_jp_katakana[63]
    const uint16_t shift_jis_pairs[32768]
    const uint16_t shift_jis_reverse[65536]

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


# -- Decoder: EUC-JP
# Template: templates/_handlers/euc_jp.pyx.j2. Standard: https://encoding.spec.whatwg.org/#euc-jp-decoder


cdef we_result euc_jp_decode_ucs1(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#euc-jp-decoder

    Order: the loop reads whole sequences, where the standard's handler is called for each byte. So the steps for the
    bytes after a lead are within the step that reads it, and those for end-of-queue at the end of the bytes.
    """
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef uint8_t byte
    cdef uint32_t pointer
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
            # euc-jp-decoder 6: an ASCII byte is the code point of its value.
            # Kernel: we_ascii_run_to_ucs1 (src/kernels/ascii.h).
            code_point = byte
        elif byte == 0x8E or byte == 0x8F or 0xA1 <= byte <= 0xFE:
            # euc-jp-decoder 7: a lead.
            if read + 1 == length:
                # euc-jp-decoder 1: end-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            elif byte == 0x8F and 0xA1 <= source[read + 1] <= 0xFE:
                # euc-jp-decoder 4: EUC-JP jis0212 is true, and the second byte is the lead.
                if read + 2 == length:
                    # euc-jp-decoder 1: end-of-queue after it is an error.
                    if not run.end_of_queue:
                        break
                    code_point = ERROR
                    consumed = 2
                else:
                    # euc-jp-decoder 5, 5.1-5.3: the third byte is the trail.
                    # euc-jp-decoder 5.4: the index code point in jis0212. Its pointer is checked, though it follows
                    # from the bytes, since another thread may write to the source between two reads of a byte.
                    byte = source[read + 2]
                    consumed = 3
                    code_point = 0
                    pointer = <uint32_t> ((source[read + 1] - 0xA1) * 94 + byte - 0xA1)
                    if 0xA1 <= byte <= 0xFE and pointer < 94 * 94:
                        # euc-jp-decoder 5.6: it is the code point, unless it is null.
                        code_point = jis0212[pointer]
                    # euc-jp-decoder 5.5: the next sequence starts with EUC-JP jis0212 false.
                    if code_point == 0:
                        # euc-jp-decoder 5.7-5.8: an error; an ASCII byte is restored.
                        code_point = ERROR
                        if byte < 0x80:
                            consumed = 2
            else:
                # euc-jp-decoder 3: the same table has half-width katakana, with the lead 0x8E.
                # euc-jp-decoder 5, 5.1-5.3: the second byte is the trail.
                # euc-jp-decoder 5.4: the index code point in jis0208; null is 0, as for any byte that is no trail.
                # euc-jp-decoder 5.6: it is the code point, unless it is null.
                # The key is below 0x8000, the length of the table, for any two bytes.
                code_point = euc_jp_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
                if code_point == 0:
                    # euc-jp-decoder 5.7-5.8: an error; an ASCII byte is restored.
                    code_point = ERROR
                    if source[read + 1] < 0x80:
                        consumed = 1
        else:
            # euc-jp-decoder 8: any other byte is an error.
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
    # euc-jp-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result euc_jp_decode_ucs2(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#euc-jp-decoder

    Order: the loop reads whole sequences, where the standard's handler is called for each byte. So the steps for the
    bytes after a lead are within the step that reads it, and those for end-of-queue at the end of the bytes.
    """
    cdef const uint8_t *source = run.source
    cdef uint16_t *target = <uint16_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint8_t byte
    cdef uint32_t pointer
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            read += we_double_byte_run_to_ucs2(run.simd, source + read, length - read, euc_jp_pairs, 0,
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
            # euc-jp-decoder 6: an ASCII byte is the code point of its value.
            # Kernel: we_double_byte_run_to_ucs2 (src/kernels/double_byte.h).
            code_point = byte
        elif byte == 0x8E or byte == 0x8F or 0xA1 <= byte <= 0xFE:
            # euc-jp-decoder 7: a lead.
            if read + 1 == length:
                # euc-jp-decoder 1: end-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            elif byte == 0x8F and 0xA1 <= source[read + 1] <= 0xFE:
                # euc-jp-decoder 4: EUC-JP jis0212 is true, and the second byte is the lead.
                if read + 2 == length:
                    # euc-jp-decoder 1: end-of-queue after it is an error.
                    if not run.end_of_queue:
                        break
                    code_point = ERROR
                    consumed = 2
                else:
                    # euc-jp-decoder 5, 5.1-5.3: the third byte is the trail.
                    # euc-jp-decoder 5.4: the index code point in jis0212. Its pointer is checked, though it follows
                    # from the bytes, since another thread may write to the source between two reads of a byte.
                    byte = source[read + 2]
                    consumed = 3
                    code_point = 0
                    pointer = <uint32_t> ((source[read + 1] - 0xA1) * 94 + byte - 0xA1)
                    if 0xA1 <= byte <= 0xFE and pointer < 94 * 94:
                        # euc-jp-decoder 5.6: it is the code point, unless it is null.
                        code_point = jis0212[pointer]
                    # euc-jp-decoder 5.5: the next sequence starts with EUC-JP jis0212 false.
                    if code_point == 0:
                        # euc-jp-decoder 5.7-5.8: an error; an ASCII byte is restored.
                        code_point = ERROR
                        if byte < 0x80:
                            consumed = 2
            else:
                # euc-jp-decoder 3: the same table has half-width katakana, with the lead 0x8E.
                # euc-jp-decoder 5, 5.1-5.3: the second byte is the trail.
                # euc-jp-decoder 5.4: the index code point in jis0208; null is 0, as for any byte that is no trail.
                # euc-jp-decoder 5.6: it is the code point, unless it is null.
                # Kernel: we_double_byte_run_to_ucs2 (src/kernels/double_byte.h).
                # The key is below 0x8000, the length of the table, for any two bytes.
                code_point = euc_jp_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
                if code_point == 0:
                    # euc-jp-decoder 5.7-5.8: an error; an ASCII byte is restored.
                    code_point = ERROR
                    if source[read + 1] < 0x80:
                        consumed = 1
        else:
            # euc-jp-decoder 8: any other byte is an error.
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
    # euc-jp-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result euc_jp_decode_ucs4(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#euc-jp-decoder

    Order: the loop reads whole sequences, where the standard's handler is called for each byte. So the steps for the
    bytes after a lead are within the step that reads it, and those for end-of-queue at the end of the bytes.
    """
    cdef const uint8_t *source = run.source
    cdef uint32_t *target = <uint32_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint8_t byte
    cdef uint32_t pointer
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            read += we_double_byte_run_to_ucs4(run.simd, source + read, length - read, euc_jp_pairs, 0,
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
            # euc-jp-decoder 6: an ASCII byte is the code point of its value.
            # Kernel: we_double_byte_run_to_ucs4 (src/kernels/double_byte.h).
            code_point = byte
        elif byte == 0x8E or byte == 0x8F or 0xA1 <= byte <= 0xFE:
            # euc-jp-decoder 7: a lead.
            if read + 1 == length:
                # euc-jp-decoder 1: end-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            elif byte == 0x8F and 0xA1 <= source[read + 1] <= 0xFE:
                # euc-jp-decoder 4: EUC-JP jis0212 is true, and the second byte is the lead.
                if read + 2 == length:
                    # euc-jp-decoder 1: end-of-queue after it is an error.
                    if not run.end_of_queue:
                        break
                    code_point = ERROR
                    consumed = 2
                else:
                    # euc-jp-decoder 5, 5.1-5.3: the third byte is the trail.
                    # euc-jp-decoder 5.4: the index code point in jis0212. Its pointer is checked, though it follows
                    # from the bytes, since another thread may write to the source between two reads of a byte.
                    byte = source[read + 2]
                    consumed = 3
                    code_point = 0
                    pointer = <uint32_t> ((source[read + 1] - 0xA1) * 94 + byte - 0xA1)
                    if 0xA1 <= byte <= 0xFE and pointer < 94 * 94:
                        # euc-jp-decoder 5.6: it is the code point, unless it is null.
                        code_point = jis0212[pointer]
                    # euc-jp-decoder 5.5: the next sequence starts with EUC-JP jis0212 false.
                    if code_point == 0:
                        # euc-jp-decoder 5.7-5.8: an error; an ASCII byte is restored.
                        code_point = ERROR
                        if byte < 0x80:
                            consumed = 2
            else:
                # euc-jp-decoder 3: the same table has half-width katakana, with the lead 0x8E.
                # euc-jp-decoder 5, 5.1-5.3: the second byte is the trail.
                # euc-jp-decoder 5.4: the index code point in jis0208; null is 0, as for any byte that is no trail.
                # euc-jp-decoder 5.6: it is the code point, unless it is null.
                # Kernel: we_double_byte_run_to_ucs4 (src/kernels/double_byte.h).
                # The key is below 0x8000, the length of the table, for any two bytes.
                code_point = euc_jp_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
                if code_point == 0:
                    # euc-jp-decoder 5.7-5.8: an error; an ASCII byte is restored.
                    code_point = ERROR
                    if source[read + 1] < 0x80:
                        consumed = 1
        else:
            # euc-jp-decoder 8: any other byte is an error.
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
    # euc-jp-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result euc_jp_decode_utf8(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#euc-jp-decoder

    Order: the loop reads whole sequences, where the standard's handler is called for each byte. So the steps for the
    bytes after a lead are within the step that reads it, and those for end-of-queue at the end of the bytes.
    """
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint8_t byte
    cdef uint32_t pointer
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            read += we_double_byte_run_to_utf8(run.simd, source + read, length - read, euc_jp_pairs, 0,
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
            # euc-jp-decoder 6: an ASCII byte is the code point of its value.
            # Kernel: we_double_byte_run_to_utf8 (src/kernels/double_byte.h).
            code_point = byte
        elif byte == 0x8E or byte == 0x8F or 0xA1 <= byte <= 0xFE:
            # euc-jp-decoder 7: a lead.
            if read + 1 == length:
                # euc-jp-decoder 1: end-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            elif byte == 0x8F and 0xA1 <= source[read + 1] <= 0xFE:
                # euc-jp-decoder 4: EUC-JP jis0212 is true, and the second byte is the lead.
                if read + 2 == length:
                    # euc-jp-decoder 1: end-of-queue after it is an error.
                    if not run.end_of_queue:
                        break
                    code_point = ERROR
                    consumed = 2
                else:
                    # euc-jp-decoder 5, 5.1-5.3: the third byte is the trail.
                    # euc-jp-decoder 5.4: the index code point in jis0212. Its pointer is checked, though it follows
                    # from the bytes, since another thread may write to the source between two reads of a byte.
                    byte = source[read + 2]
                    consumed = 3
                    code_point = 0
                    pointer = <uint32_t> ((source[read + 1] - 0xA1) * 94 + byte - 0xA1)
                    if 0xA1 <= byte <= 0xFE and pointer < 94 * 94:
                        # euc-jp-decoder 5.6: it is the code point, unless it is null.
                        code_point = jis0212[pointer]
                    # euc-jp-decoder 5.5: the next sequence starts with EUC-JP jis0212 false.
                    if code_point == 0:
                        # euc-jp-decoder 5.7-5.8: an error; an ASCII byte is restored.
                        code_point = ERROR
                        if byte < 0x80:
                            consumed = 2
            else:
                # euc-jp-decoder 3: the same table has half-width katakana, with the lead 0x8E.
                # euc-jp-decoder 5, 5.1-5.3: the second byte is the trail.
                # euc-jp-decoder 5.4: the index code point in jis0208; null is 0, as for any byte that is no trail.
                # euc-jp-decoder 5.6: it is the code point, unless it is null.
                # Kernel: we_double_byte_run_to_utf8 (src/kernels/double_byte.h).
                # The key is below 0x8000, the length of the table, for any two bytes.
                code_point = euc_jp_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
                if code_point == 0:
                    # euc-jp-decoder 5.7-5.8: an error; an ASCII byte is restored.
                    code_point = ERROR
                    if source[read + 1] < 0x80:
                        consumed = 1
        else:
            # euc-jp-decoder 8: any other byte is an error.
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
    # euc-jp-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


# -- Decoder: ISO-2022-JP
# Template: templates/_handlers/iso_2022_jp.pyx.j2. Standard: https://encoding.spec.whatwg.org/#iso-2022-jp-decoder

cdef inline int iso_2022_jp_escape_state(uint8_t lead, uint8_t byte) noexcept nogil:
    """Return the state that an escape sequence switches to, -1 for null."""
    # iso-2022-jp-decoder [escape].3: ASCII.
    if lead == 0x28 and byte == 0x42:
        return WE_ISO_2022_JP_ASCII
    # iso-2022-jp-decoder [escape].4: Roman.
    if lead == 0x28 and byte == 0x4A:
        return WE_ISO_2022_JP_ROMAN
    # iso-2022-jp-decoder [escape].5: katakana.
    if lead == 0x28 and byte == 0x49:
        return WE_ISO_2022_JP_KATAKANA
    # iso-2022-jp-decoder [escape].6: leading byte.
    if lead == 0x24 and (byte == 0x40 or byte == 0x42):
        return WE_ISO_2022_JP_LEAD_BYTE
    return -1


cdef inline uint16_t iso_2022_jp_ascii(uint32_t code_point, int state) noexcept nogil:
    """Return the byte of a code point that is no control code in the state ASCII; 0 for all others."""
    return <uint16_t> code_point if state == WE_ISO_2022_JP_ASCII and 0x20 <= code_point < 0x80 else 0


cdef we_result iso_2022_jp_decode_ucs1(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#iso-2022-jp-decoder

    Order: the loop reads whole sequences, where the standard's handler is called for each byte. So an escape sequence
    comes first, for all states at once; the trailing byte is within the step that reads its lead, and end-of-queue
    where the bytes end.
    """
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef int state, escape_state
    cdef uint8_t byte
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            # EUC-JP has index jis0208 at the same pairs with their high bits set.
            read += we_iso_2022_jp_run_to_ucs1(run.simd, source + read, length - read, euc_jp_pairs,
                                               target + written, &run_written, &run.state)
            written += run_written
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        byte = source[read]
        state = run.state.iso_2022_jp_decoder_output_state
        consumed = 1
        if byte == 0x1B:
            # iso-2022-jp-decoder [ASCII].[0x1B]: escape start,
            # iso-2022-jp-decoder [Roman].[0x1B]: the same,
            # iso-2022-jp-decoder [katakana].[0x1B]: the same,
            # iso-2022-jp-decoder [leading byte].[0x1B]: the same.
            # Kernel: we_iso_2022_jp_run_to_ucs1 (src/kernels/iso_2022_jp.h).
            # iso-2022-jp-decoder [escape].2: null is -1.
            escape_state = -1
            if read + 1 == length:
                if not run.end_of_queue:
                    break
            elif source[read + 1] == 0x24 or source[read + 1] == 0x28:
                # iso-2022-jp-decoder [escape start].1: escape.
                if read + 2 == length:
                    if not run.end_of_queue:
                        break
                else:
                    # iso-2022-jp-decoder [escape].1: the byte after 0x1B is the lead.
                    escape_state = iso_2022_jp_escape_state(source[read + 1], source[read + 2])
            if escape_state != -1:
                # iso-2022-jp-decoder [escape].7, [escape].7.1: the new state.
                run.state.iso_2022_jp_decoder_output_state = <uint8_t> escape_state
                # iso-2022-jp-decoder [escape].7.2-7.4: an error if there is no character between two escape sequences.
                if not run.state.iso_2022_jp_output:
                    run.state.iso_2022_jp_output = True
                    read += 3
                    continue
                code_point = ERROR
                consumed = 3
            else:
                # iso-2022-jp-decoder [escape start].2-3: an error; byte is restored.
                # iso-2022-jp-decoder [escape].8-9: an error; lead and byte are restored.
                run.state.iso_2022_jp_output = False
                code_point = ERROR
        elif state == WE_ISO_2022_JP_LEAD_BYTE:
            if not 0x21 <= byte <= 0x7E:
                # iso-2022-jp-decoder [leading byte].[Otherwise]: an error.
                code_point = ERROR
            # iso-2022-jp-decoder [leading byte].[0x21 to 0x7E]: a lead.
            elif read + 1 == length:
                # iso-2022-jp-decoder [trailing byte].[end-of-queue]: an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            elif source[read + 1] == 0x1B:
                # iso-2022-jp-decoder [trailing byte].[0x1B]: an error; 0x1B is read as the next item's first byte.
                code_point = ERROR
            else:
                # iso-2022-jp-decoder [trailing byte].[0x21 to 0x7E], [trailing byte].[0x21 to 0x7E].1: a trail.
                consumed = 2
                code_point = 0
                if 0x21 <= source[read + 1] <= 0x7E:
                    # iso-2022-jp-decoder [trailing byte].[0x21 to 0x7E].2-3: the index code point in jis0208.
                    # iso-2022-jp-decoder [trailing byte].[0x21 to 0x7E].5: it is the code point, unless it is null.
                    # Kernel: we_iso_2022_jp_run_to_ucs1 (src/kernels/iso_2022_jp.h).
                    # The key is below 0x7F00, and so within the table, since byte is at most 0x7E.
                    code_point = euc_jp_pairs[byte << 8 | source[read + 1] | 0x80]
                if code_point == 0:
                    # iso-2022-jp-decoder [trailing byte].[0x21 to 0x7E].4: null is an error.
                    # iso-2022-jp-decoder [trailing byte].[Otherwise]: an error; both bytes are consumed.
                    code_point = ERROR
            run.state.iso_2022_jp_output = False
        elif state == WE_ISO_2022_JP_KATAKANA:
            run.state.iso_2022_jp_output = False
            if 0x21 <= byte <= 0x5F:
                # iso-2022-jp-decoder [katakana].[0x21 to 0x5F]: half-width katakana.
                code_point = 0xFF61 - 0x21 + byte
            else:
                # iso-2022-jp-decoder [katakana].[Otherwise]: an error.
                code_point = ERROR
        else:
            run.state.iso_2022_jp_output = False
            if byte >= 0x80 or byte == 0x0E or byte == 0x0F:
                # iso-2022-jp-decoder [ASCII].[Otherwise]: an error,
                # iso-2022-jp-decoder [Roman].[Otherwise]: the same.
                code_point = ERROR
            elif state == WE_ISO_2022_JP_ROMAN and byte == 0x5C:
                # iso-2022-jp-decoder [Roman].[0x5C]: the yen sign.
                code_point = 0x00A5
            elif state == WE_ISO_2022_JP_ROMAN and byte == 0x7E:
                # iso-2022-jp-decoder [Roman].[0x7E]: the overline.
                code_point = 0x203E
            else:
                # iso-2022-jp-decoder [ASCII].[0x00 to 0x7F]: the code point of the same value,
                # Kernel: we_iso_2022_jp_run_to_ucs1 (src/kernels/iso_2022_jp.h).
                # iso-2022-jp-decoder [Roman].[0x00 to 0x7F]: the same.
                code_point = byte
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
    # iso-2022-jp-decoder [ASCII].[end-of-queue]: at end-of-queue the driver ends the stream.
    # iso-2022-jp-decoder [Roman].[end-of-queue]: at end-of-queue the driver ends the stream.
    # iso-2022-jp-decoder [katakana].[end-of-queue]: at end-of-queue the driver ends the stream.
    # iso-2022-jp-decoder [leading byte].[end-of-queue]: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result iso_2022_jp_decode_ucs2(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#iso-2022-jp-decoder

    Order: the loop reads whole sequences, where the standard's handler is called for each byte. So an escape sequence
    comes first, for all states at once; the trailing byte is within the step that reads its lead, and end-of-queue
    where the bytes end.
    """
    cdef const uint8_t *source = run.source
    cdef uint16_t *target = <uint16_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef int state, escape_state
    cdef uint8_t byte
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            # EUC-JP has index jis0208 at the same pairs with their high bits set.
            read += we_iso_2022_jp_run_to_ucs2(run.simd, source + read, length - read, euc_jp_pairs,
                                               target + written, &run_written, &run.state)
            written += run_written
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        byte = source[read]
        state = run.state.iso_2022_jp_decoder_output_state
        consumed = 1
        if byte == 0x1B:
            # iso-2022-jp-decoder [ASCII].[0x1B]: escape start,
            # iso-2022-jp-decoder [Roman].[0x1B]: the same,
            # iso-2022-jp-decoder [katakana].[0x1B]: the same,
            # iso-2022-jp-decoder [leading byte].[0x1B]: the same.
            # Kernel: we_iso_2022_jp_run_to_ucs2 (src/kernels/iso_2022_jp.h).
            # iso-2022-jp-decoder [escape].2: null is -1.
            escape_state = -1
            if read + 1 == length:
                if not run.end_of_queue:
                    break
            elif source[read + 1] == 0x24 or source[read + 1] == 0x28:
                # iso-2022-jp-decoder [escape start].1: escape.
                if read + 2 == length:
                    if not run.end_of_queue:
                        break
                else:
                    # iso-2022-jp-decoder [escape].1: the byte after 0x1B is the lead.
                    escape_state = iso_2022_jp_escape_state(source[read + 1], source[read + 2])
            if escape_state != -1:
                # iso-2022-jp-decoder [escape].7, [escape].7.1: the new state.
                run.state.iso_2022_jp_decoder_output_state = <uint8_t> escape_state
                # iso-2022-jp-decoder [escape].7.2-7.4: an error if there is no character between two escape sequences.
                if not run.state.iso_2022_jp_output:
                    run.state.iso_2022_jp_output = True
                    read += 3
                    continue
                code_point = ERROR
                consumed = 3
            else:
                # iso-2022-jp-decoder [escape start].2-3: an error; byte is restored.
                # iso-2022-jp-decoder [escape].8-9: an error; lead and byte are restored.
                run.state.iso_2022_jp_output = False
                code_point = ERROR
        elif state == WE_ISO_2022_JP_LEAD_BYTE:
            if not 0x21 <= byte <= 0x7E:
                # iso-2022-jp-decoder [leading byte].[Otherwise]: an error.
                code_point = ERROR
            # iso-2022-jp-decoder [leading byte].[0x21 to 0x7E]: a lead.
            elif read + 1 == length:
                # iso-2022-jp-decoder [trailing byte].[end-of-queue]: an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            elif source[read + 1] == 0x1B:
                # iso-2022-jp-decoder [trailing byte].[0x1B]: an error; 0x1B is read as the next item's first byte.
                code_point = ERROR
            else:
                # iso-2022-jp-decoder [trailing byte].[0x21 to 0x7E], [trailing byte].[0x21 to 0x7E].1: a trail.
                consumed = 2
                code_point = 0
                if 0x21 <= source[read + 1] <= 0x7E:
                    # iso-2022-jp-decoder [trailing byte].[0x21 to 0x7E].2-3: the index code point in jis0208.
                    # iso-2022-jp-decoder [trailing byte].[0x21 to 0x7E].5: it is the code point, unless it is null.
                    # Kernel: we_iso_2022_jp_run_to_ucs2 (src/kernels/iso_2022_jp.h).
                    # The key is below 0x7F00, and so within the table, since byte is at most 0x7E.
                    code_point = euc_jp_pairs[byte << 8 | source[read + 1] | 0x80]
                if code_point == 0:
                    # iso-2022-jp-decoder [trailing byte].[0x21 to 0x7E].4: null is an error.
                    # iso-2022-jp-decoder [trailing byte].[Otherwise]: an error; both bytes are consumed.
                    code_point = ERROR
            run.state.iso_2022_jp_output = False
        elif state == WE_ISO_2022_JP_KATAKANA:
            run.state.iso_2022_jp_output = False
            if 0x21 <= byte <= 0x5F:
                # iso-2022-jp-decoder [katakana].[0x21 to 0x5F]: half-width katakana.
                code_point = 0xFF61 - 0x21 + byte
            else:
                # iso-2022-jp-decoder [katakana].[Otherwise]: an error.
                code_point = ERROR
        else:
            run.state.iso_2022_jp_output = False
            if byte >= 0x80 or byte == 0x0E or byte == 0x0F:
                # iso-2022-jp-decoder [ASCII].[Otherwise]: an error,
                # iso-2022-jp-decoder [Roman].[Otherwise]: the same.
                code_point = ERROR
            elif state == WE_ISO_2022_JP_ROMAN and byte == 0x5C:
                # iso-2022-jp-decoder [Roman].[0x5C]: the yen sign.
                code_point = 0x00A5
            elif state == WE_ISO_2022_JP_ROMAN and byte == 0x7E:
                # iso-2022-jp-decoder [Roman].[0x7E]: the overline.
                code_point = 0x203E
            else:
                # iso-2022-jp-decoder [ASCII].[0x00 to 0x7F]: the code point of the same value,
                # Kernel: we_iso_2022_jp_run_to_ucs2 (src/kernels/iso_2022_jp.h).
                # iso-2022-jp-decoder [Roman].[0x00 to 0x7F]: the same.
                code_point = byte
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
    # iso-2022-jp-decoder [ASCII].[end-of-queue]: at end-of-queue the driver ends the stream.
    # iso-2022-jp-decoder [Roman].[end-of-queue]: at end-of-queue the driver ends the stream.
    # iso-2022-jp-decoder [katakana].[end-of-queue]: at end-of-queue the driver ends the stream.
    # iso-2022-jp-decoder [leading byte].[end-of-queue]: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result iso_2022_jp_decode_ucs4(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#iso-2022-jp-decoder

    Order: the loop reads whole sequences, where the standard's handler is called for each byte. So an escape sequence
    comes first, for all states at once; the trailing byte is within the step that reads its lead, and end-of-queue
    where the bytes end.
    """
    cdef const uint8_t *source = run.source
    cdef uint32_t *target = <uint32_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef int state, escape_state
    cdef uint8_t byte
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            # EUC-JP has index jis0208 at the same pairs with their high bits set.
            read += we_iso_2022_jp_run_to_ucs4(run.simd, source + read, length - read, euc_jp_pairs,
                                               target + written, &run_written, &run.state)
            written += run_written
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        byte = source[read]
        state = run.state.iso_2022_jp_decoder_output_state
        consumed = 1
        if byte == 0x1B:
            # iso-2022-jp-decoder [ASCII].[0x1B]: escape start,
            # iso-2022-jp-decoder [Roman].[0x1B]: the same,
            # iso-2022-jp-decoder [katakana].[0x1B]: the same,
            # iso-2022-jp-decoder [leading byte].[0x1B]: the same.
            # Kernel: we_iso_2022_jp_run_to_ucs4 (src/kernels/iso_2022_jp.h).
            # iso-2022-jp-decoder [escape].2: null is -1.
            escape_state = -1
            if read + 1 == length:
                if not run.end_of_queue:
                    break
            elif source[read + 1] == 0x24 or source[read + 1] == 0x28:
                # iso-2022-jp-decoder [escape start].1: escape.
                if read + 2 == length:
                    if not run.end_of_queue:
                        break
                else:
                    # iso-2022-jp-decoder [escape].1: the byte after 0x1B is the lead.
                    escape_state = iso_2022_jp_escape_state(source[read + 1], source[read + 2])
            if escape_state != -1:
                # iso-2022-jp-decoder [escape].7, [escape].7.1: the new state.
                run.state.iso_2022_jp_decoder_output_state = <uint8_t> escape_state
                # iso-2022-jp-decoder [escape].7.2-7.4: an error if there is no character between two escape sequences.
                if not run.state.iso_2022_jp_output:
                    run.state.iso_2022_jp_output = True
                    read += 3
                    continue
                code_point = ERROR
                consumed = 3
            else:
                # iso-2022-jp-decoder [escape start].2-3: an error; byte is restored.
                # iso-2022-jp-decoder [escape].8-9: an error; lead and byte are restored.
                run.state.iso_2022_jp_output = False
                code_point = ERROR
        elif state == WE_ISO_2022_JP_LEAD_BYTE:
            if not 0x21 <= byte <= 0x7E:
                # iso-2022-jp-decoder [leading byte].[Otherwise]: an error.
                code_point = ERROR
            # iso-2022-jp-decoder [leading byte].[0x21 to 0x7E]: a lead.
            elif read + 1 == length:
                # iso-2022-jp-decoder [trailing byte].[end-of-queue]: an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            elif source[read + 1] == 0x1B:
                # iso-2022-jp-decoder [trailing byte].[0x1B]: an error; 0x1B is read as the next item's first byte.
                code_point = ERROR
            else:
                # iso-2022-jp-decoder [trailing byte].[0x21 to 0x7E], [trailing byte].[0x21 to 0x7E].1: a trail.
                consumed = 2
                code_point = 0
                if 0x21 <= source[read + 1] <= 0x7E:
                    # iso-2022-jp-decoder [trailing byte].[0x21 to 0x7E].2-3: the index code point in jis0208.
                    # iso-2022-jp-decoder [trailing byte].[0x21 to 0x7E].5: it is the code point, unless it is null.
                    # Kernel: we_iso_2022_jp_run_to_ucs4 (src/kernels/iso_2022_jp.h).
                    # The key is below 0x7F00, and so within the table, since byte is at most 0x7E.
                    code_point = euc_jp_pairs[byte << 8 | source[read + 1] | 0x80]
                if code_point == 0:
                    # iso-2022-jp-decoder [trailing byte].[0x21 to 0x7E].4: null is an error.
                    # iso-2022-jp-decoder [trailing byte].[Otherwise]: an error; both bytes are consumed.
                    code_point = ERROR
            run.state.iso_2022_jp_output = False
        elif state == WE_ISO_2022_JP_KATAKANA:
            run.state.iso_2022_jp_output = False
            if 0x21 <= byte <= 0x5F:
                # iso-2022-jp-decoder [katakana].[0x21 to 0x5F]: half-width katakana.
                code_point = 0xFF61 - 0x21 + byte
            else:
                # iso-2022-jp-decoder [katakana].[Otherwise]: an error.
                code_point = ERROR
        else:
            run.state.iso_2022_jp_output = False
            if byte >= 0x80 or byte == 0x0E or byte == 0x0F:
                # iso-2022-jp-decoder [ASCII].[Otherwise]: an error,
                # iso-2022-jp-decoder [Roman].[Otherwise]: the same.
                code_point = ERROR
            elif state == WE_ISO_2022_JP_ROMAN and byte == 0x5C:
                # iso-2022-jp-decoder [Roman].[0x5C]: the yen sign.
                code_point = 0x00A5
            elif state == WE_ISO_2022_JP_ROMAN and byte == 0x7E:
                # iso-2022-jp-decoder [Roman].[0x7E]: the overline.
                code_point = 0x203E
            else:
                # iso-2022-jp-decoder [ASCII].[0x00 to 0x7F]: the code point of the same value,
                # Kernel: we_iso_2022_jp_run_to_ucs4 (src/kernels/iso_2022_jp.h).
                # iso-2022-jp-decoder [Roman].[0x00 to 0x7F]: the same.
                code_point = byte
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
    # iso-2022-jp-decoder [ASCII].[end-of-queue]: at end-of-queue the driver ends the stream.
    # iso-2022-jp-decoder [Roman].[end-of-queue]: at end-of-queue the driver ends the stream.
    # iso-2022-jp-decoder [katakana].[end-of-queue]: at end-of-queue the driver ends the stream.
    # iso-2022-jp-decoder [leading byte].[end-of-queue]: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result iso_2022_jp_decode_utf8(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#iso-2022-jp-decoder

    Order: the loop reads whole sequences, where the standard's handler is called for each byte. So an escape sequence
    comes first, for all states at once; the trailing byte is within the step that reads its lead, and end-of-queue
    where the bytes end.
    """
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef int state, escape_state
    cdef uint8_t byte
    # The items that end runs come in groups: while runs are short, ever more items are decoded one by one between two.
    # Starting a run for each instead takes 2 to 6 times as long on text with many of them.
    cdef size_t start, single_items = 1, remaining = 0
    while read < length:
        if remaining == 0:
            start = read
            # EUC-JP has index jis0208 at the same pairs with their high bits set.
            read += we_iso_2022_jp_run_to_utf8(run.simd, source + read, length - read, euc_jp_pairs,
                                               target + written, &run_written, &run.state)
            written += run_written
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        byte = source[read]
        state = run.state.iso_2022_jp_decoder_output_state
        consumed = 1
        if byte == 0x1B:
            # iso-2022-jp-decoder [ASCII].[0x1B]: escape start,
            # iso-2022-jp-decoder [Roman].[0x1B]: the same,
            # iso-2022-jp-decoder [katakana].[0x1B]: the same,
            # iso-2022-jp-decoder [leading byte].[0x1B]: the same.
            # Kernel: we_iso_2022_jp_run_to_utf8 (src/kernels/iso_2022_jp.h).
            # iso-2022-jp-decoder [escape].2: null is -1.
            escape_state = -1
            if read + 1 == length:
                if not run.end_of_queue:
                    break
            elif source[read + 1] == 0x24 or source[read + 1] == 0x28:
                # iso-2022-jp-decoder [escape start].1: escape.
                if read + 2 == length:
                    if not run.end_of_queue:
                        break
                else:
                    # iso-2022-jp-decoder [escape].1: the byte after 0x1B is the lead.
                    escape_state = iso_2022_jp_escape_state(source[read + 1], source[read + 2])
            if escape_state != -1:
                # iso-2022-jp-decoder [escape].7, [escape].7.1: the new state.
                run.state.iso_2022_jp_decoder_output_state = <uint8_t> escape_state
                # iso-2022-jp-decoder [escape].7.2-7.4: an error if there is no character between two escape sequences.
                if not run.state.iso_2022_jp_output:
                    run.state.iso_2022_jp_output = True
                    read += 3
                    continue
                code_point = ERROR
                consumed = 3
            else:
                # iso-2022-jp-decoder [escape start].2-3: an error; byte is restored.
                # iso-2022-jp-decoder [escape].8-9: an error; lead and byte are restored.
                run.state.iso_2022_jp_output = False
                code_point = ERROR
        elif state == WE_ISO_2022_JP_LEAD_BYTE:
            if not 0x21 <= byte <= 0x7E:
                # iso-2022-jp-decoder [leading byte].[Otherwise]: an error.
                code_point = ERROR
            # iso-2022-jp-decoder [leading byte].[0x21 to 0x7E]: a lead.
            elif read + 1 == length:
                # iso-2022-jp-decoder [trailing byte].[end-of-queue]: an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            elif source[read + 1] == 0x1B:
                # iso-2022-jp-decoder [trailing byte].[0x1B]: an error; 0x1B is read as the next item's first byte.
                code_point = ERROR
            else:
                # iso-2022-jp-decoder [trailing byte].[0x21 to 0x7E], [trailing byte].[0x21 to 0x7E].1: a trail.
                consumed = 2
                code_point = 0
                if 0x21 <= source[read + 1] <= 0x7E:
                    # iso-2022-jp-decoder [trailing byte].[0x21 to 0x7E].2-3: the index code point in jis0208.
                    # iso-2022-jp-decoder [trailing byte].[0x21 to 0x7E].5: it is the code point, unless it is null.
                    # Kernel: we_iso_2022_jp_run_to_utf8 (src/kernels/iso_2022_jp.h).
                    # The key is below 0x7F00, and so within the table, since byte is at most 0x7E.
                    code_point = euc_jp_pairs[byte << 8 | source[read + 1] | 0x80]
                if code_point == 0:
                    # iso-2022-jp-decoder [trailing byte].[0x21 to 0x7E].4: null is an error.
                    # iso-2022-jp-decoder [trailing byte].[Otherwise]: an error; both bytes are consumed.
                    code_point = ERROR
            run.state.iso_2022_jp_output = False
        elif state == WE_ISO_2022_JP_KATAKANA:
            run.state.iso_2022_jp_output = False
            if 0x21 <= byte <= 0x5F:
                # iso-2022-jp-decoder [katakana].[0x21 to 0x5F]: half-width katakana.
                code_point = 0xFF61 - 0x21 + byte
            else:
                # iso-2022-jp-decoder [katakana].[Otherwise]: an error.
                code_point = ERROR
        else:
            run.state.iso_2022_jp_output = False
            if byte >= 0x80 or byte == 0x0E or byte == 0x0F:
                # iso-2022-jp-decoder [ASCII].[Otherwise]: an error,
                # iso-2022-jp-decoder [Roman].[Otherwise]: the same.
                code_point = ERROR
            elif state == WE_ISO_2022_JP_ROMAN and byte == 0x5C:
                # iso-2022-jp-decoder [Roman].[0x5C]: the yen sign.
                code_point = 0x00A5
            elif state == WE_ISO_2022_JP_ROMAN and byte == 0x7E:
                # iso-2022-jp-decoder [Roman].[0x7E]: the overline.
                code_point = 0x203E
            else:
                # iso-2022-jp-decoder [ASCII].[0x00 to 0x7F]: the code point of the same value,
                # Kernel: we_iso_2022_jp_run_to_utf8 (src/kernels/iso_2022_jp.h).
                # iso-2022-jp-decoder [Roman].[0x00 to 0x7F]: the same.
                code_point = byte
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
    # iso-2022-jp-decoder [ASCII].[end-of-queue]: at end-of-queue the driver ends the stream.
    # iso-2022-jp-decoder [Roman].[end-of-queue]: at end-of-queue the driver ends the stream.
    # iso-2022-jp-decoder [katakana].[end-of-queue]: at end-of-queue the driver ends the stream.
    # iso-2022-jp-decoder [leading byte].[end-of-queue]: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


# -- Decoder: Shift_JIS
# Template: templates/_handlers/double_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#shift_jis-decoder


cdef we_result shift_jis_decode_ucs1(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#shift_jis-decoder

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
        if byte <= 0x80:
            # shift_jis-decoder 4: an ASCII byte or 0x80 is the code point of its value.
            # Kernel: we_ascii_run_to_ucs1 (src/kernels/ascii.h).
            code_point = byte
        elif 0xA1 <= byte <= 0xDF:
            # shift_jis-decoder 5: half-width katakana.
            code_point = 0xFF61 - 0xA1 + byte
        elif 0x81 <= byte <= 0x9F or 0xE0 <= byte <= 0xFC:
            # shift_jis-decoder 6: a lead.
            if read + 1 == length:
                # shift_jis-decoder 1: end-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            else:
                # shift_jis-decoder 3, 3.1-3.3: its trail.
                # shift_jis-decoder 3.4-3.6: the table's key replaces the pointer; bytes that are not trails have null.
                # shift_jis-decoder 3.7: the table includes the user-defined characters.
                # shift_jis-decoder 3.8-3.9: the index code point, 0 for null.
                # The key is below 0x8000, the length of the table, for any two bytes.
                code_point = shift_jis_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
                if code_point == 0:
                    # shift_jis-decoder 3.10-3.11: an error; an ASCII byte is restored.
                    code_point = ERROR
                    if source[read + 1] < 0x80:
                        consumed = 1
        else:
            # shift_jis-decoder 7: any other byte is an error.
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
    # shift_jis-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result shift_jis_decode_ucs2(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#shift_jis-decoder

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
            read += we_double_byte_run_to_ucs2(run.simd, source + read, length - read, shift_jis_pairs, 1,
                                               target + written, &run_written)
            written += run_written
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        byte = source[read]
        consumed = 1
        if byte <= 0x80:
            # shift_jis-decoder 4: an ASCII byte or 0x80 is the code point of its value.
            # Kernel: we_double_byte_run_to_ucs2 (src/kernels/double_byte.h).
            code_point = byte
        elif 0xA1 <= byte <= 0xDF:
            # shift_jis-decoder 5: half-width katakana.
            # Kernel: we_double_byte_run_to_ucs2 (src/kernels/double_byte.h).
            code_point = 0xFF61 - 0xA1 + byte
        elif 0x81 <= byte <= 0x9F or 0xE0 <= byte <= 0xFC:
            # shift_jis-decoder 6: a lead.
            if read + 1 == length:
                # shift_jis-decoder 1: end-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            else:
                # shift_jis-decoder 3, 3.1-3.3: its trail.
                # shift_jis-decoder 3.4-3.6: the table's key replaces the pointer; bytes that are not trails have null.
                # shift_jis-decoder 3.7: the table includes the user-defined characters.
                # shift_jis-decoder 3.8-3.9: the index code point, 0 for null.
                # Kernel: we_double_byte_run_to_ucs2 (src/kernels/double_byte.h).
                # The key is below 0x8000, the length of the table, for any two bytes.
                code_point = shift_jis_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
                if code_point == 0:
                    # shift_jis-decoder 3.10-3.11: an error; an ASCII byte is restored.
                    code_point = ERROR
                    if source[read + 1] < 0x80:
                        consumed = 1
        else:
            # shift_jis-decoder 7: any other byte is an error.
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
    # shift_jis-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result shift_jis_decode_ucs4(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#shift_jis-decoder

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
            read += we_double_byte_run_to_ucs4(run.simd, source + read, length - read, shift_jis_pairs, 1,
                                               target + written, &run_written)
            written += run_written
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        byte = source[read]
        consumed = 1
        if byte <= 0x80:
            # shift_jis-decoder 4: an ASCII byte or 0x80 is the code point of its value.
            # Kernel: we_double_byte_run_to_ucs4 (src/kernels/double_byte.h).
            code_point = byte
        elif 0xA1 <= byte <= 0xDF:
            # shift_jis-decoder 5: half-width katakana.
            # Kernel: we_double_byte_run_to_ucs4 (src/kernels/double_byte.h).
            code_point = 0xFF61 - 0xA1 + byte
        elif 0x81 <= byte <= 0x9F or 0xE0 <= byte <= 0xFC:
            # shift_jis-decoder 6: a lead.
            if read + 1 == length:
                # shift_jis-decoder 1: end-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            else:
                # shift_jis-decoder 3, 3.1-3.3: its trail.
                # shift_jis-decoder 3.4-3.6: the table's key replaces the pointer; bytes that are not trails have null.
                # shift_jis-decoder 3.7: the table includes the user-defined characters.
                # shift_jis-decoder 3.8-3.9: the index code point, 0 for null.
                # Kernel: we_double_byte_run_to_ucs4 (src/kernels/double_byte.h).
                # The key is below 0x8000, the length of the table, for any two bytes.
                code_point = shift_jis_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
                if code_point == 0:
                    # shift_jis-decoder 3.10-3.11: an error; an ASCII byte is restored.
                    code_point = ERROR
                    if source[read + 1] < 0x80:
                        consumed = 1
        else:
            # shift_jis-decoder 7: any other byte is an error.
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
    # shift_jis-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result shift_jis_decode_utf8(we_decode_run *run) noexcept nogil:
    """Decode a run of bytes: https://encoding.spec.whatwg.org/#shift_jis-decoder

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
            read += we_double_byte_run_to_utf8(run.simd, source + read, length - read, shift_jis_pairs, 1,
                                               target + written, &run_written)
            written += run_written
            if read == length:
                break
            single_items = 1 if read - start >= LONG_RUN else min(single_items * 2, <size_t> MAX_SINGLE_ITEMS)
            remaining = single_items
        remaining -= 1
        byte = source[read]
        consumed = 1
        if byte <= 0x80:
            # shift_jis-decoder 4: an ASCII byte or 0x80 is the code point of its value.
            # Kernel: we_double_byte_run_to_utf8 (src/kernels/double_byte.h).
            code_point = byte
        elif 0xA1 <= byte <= 0xDF:
            # shift_jis-decoder 5: half-width katakana.
            # Kernel: we_double_byte_run_to_utf8 (src/kernels/double_byte.h).
            code_point = 0xFF61 - 0xA1 + byte
        elif 0x81 <= byte <= 0x9F or 0xE0 <= byte <= 0xFC:
            # shift_jis-decoder 6: a lead.
            if read + 1 == length:
                # shift_jis-decoder 1: end-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            else:
                # shift_jis-decoder 3, 3.1-3.3: its trail.
                # shift_jis-decoder 3.4-3.6: the table's key replaces the pointer; bytes that are not trails have null.
                # shift_jis-decoder 3.7: the table includes the user-defined characters.
                # shift_jis-decoder 3.8-3.9: the index code point, 0 for null.
                # Kernel: we_double_byte_run_to_utf8 (src/kernels/double_byte.h).
                # The key is below 0x8000, the length of the table, for any two bytes.
                code_point = shift_jis_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
                if code_point == 0:
                    # shift_jis-decoder 3.10-3.11: an error; an ASCII byte is restored.
                    code_point = ERROR
                    if source[read + 1] < 0x80:
                        consumed = 1
        else:
            # shift_jis-decoder 7: any other byte is an error.
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
    # shift_jis-decoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


# -- Encoder: EUC-JP
# Template: templates/_handlers/euc_jp.pyx.j2. Standard: https://encoding.spec.whatwg.org/#euc-jp-encoder


cdef we_result euc_jp_encode_ucs1(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#euc-jp-encoder

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
            found = euc_jp_reverse[source[read]]
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
            read += we_double_byte_run_from_ucs1(run.simd, source + read, end - read, euc_jp_reverse,
                                                 target + written, &run_written)
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # euc-jp-encoder 2: a byte of the same value; the run stops at U+0000, whose entry would equal null.
        # Kernel: we_double_byte_run_from_ucs1 (src/kernels/double_byte.h).
        if code_point == 0:
            target[written] = 0
            written += 1
        # euc-jp-encoder 3-5: euc_jp_reverse also has the bytes computed from the code point.
        # Kernel: we_double_byte_run_from_ucs1 (src/kernels/double_byte.h).
        # euc-jp-encoder 6: the table has for U+2212 the bytes of U+FF0D.
        # Kernel: we_double_byte_run_from_ucs1 (src/kernels/double_byte.h).
        # euc-jp-encoder 7: euc_jp_reverse has for each code point the bytes of its pointer,
        # euc-jp-encoder 9-11: computed when it was generated.
        # Kernel: we_double_byte_run_from_ucs1 (src/kernels/double_byte.h).
        else:
            # euc-jp-encoder 8: no pointer is an error with code point.
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
                    if read == length or not we_is_unmapped(source[read], euc_jp_reverse):
                        break
            if read != start:
                continue
            read += 1
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    # euc-jp-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result euc_jp_encode_ucs2(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#euc-jp-encoder

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
            found = euc_jp_reverse[source[read]]
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
            read += we_double_byte_run_from_ucs2(run.simd, source + read, end - read, euc_jp_reverse,
                                                 target + written, &run_written)
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # euc-jp-encoder 2: a byte of the same value; the run stops at U+0000, whose entry would equal null.
        # Kernel: we_double_byte_run_from_ucs2 (src/kernels/double_byte.h).
        if code_point == 0:
            target[written] = 0
            written += 1
        # euc-jp-encoder 3-5: euc_jp_reverse also has the bytes computed from the code point.
        # Kernel: we_double_byte_run_from_ucs2 (src/kernels/double_byte.h).
        # euc-jp-encoder 6: the table has for U+2212 the bytes of U+FF0D.
        # Kernel: we_double_byte_run_from_ucs2 (src/kernels/double_byte.h).
        # euc-jp-encoder 7: euc_jp_reverse has for each code point the bytes of its pointer,
        # euc-jp-encoder 9-11: computed when it was generated.
        # Kernel: we_double_byte_run_from_ucs2 (src/kernels/double_byte.h).
        else:
            # euc-jp-encoder 8: no pointer is an error with code point.
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
                    if read == length or not we_is_unmapped(source[read], euc_jp_reverse):
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
    # euc-jp-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result euc_jp_encode_ucs4(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#euc-jp-encoder

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
            found = euc_jp_reverse[source[read]] if source[read] <= 0xFFFF else <uint16_t> 0
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
            read += we_double_byte_run_from_ucs4(run.simd, source + read, end - read, euc_jp_reverse,
                                                 target + written, &run_written)
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # euc-jp-encoder 2: a byte of the same value; the run stops at U+0000, whose entry would equal null.
        # Kernel: we_double_byte_run_from_ucs4 (src/kernels/double_byte.h).
        if code_point == 0:
            target[written] = 0
            written += 1
        # euc-jp-encoder 3-5: euc_jp_reverse also has the bytes computed from the code point.
        # Kernel: we_double_byte_run_from_ucs4 (src/kernels/double_byte.h).
        # euc-jp-encoder 6: the table has for U+2212 the bytes of U+FF0D.
        # Kernel: we_double_byte_run_from_ucs4 (src/kernels/double_byte.h).
        # euc-jp-encoder 7: euc_jp_reverse has for each code point the bytes of its pointer,
        # euc-jp-encoder 9-11: computed when it was generated.
        # Kernel: we_double_byte_run_from_ucs4 (src/kernels/double_byte.h).
        else:
            # euc-jp-encoder 8: no pointer is an error with code point.
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
                    if read == length or not we_is_unmapped(source[read], euc_jp_reverse):
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
    # euc-jp-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


# -- Encoder: ISO-2022-JP
# Template: templates/_handlers/iso_2022_jp.pyx.j2. Standard: https://encoding.spec.whatwg.org/#iso-2022-jp-encoder


cdef we_result iso_2022_jp_encode_ucs1(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#iso-2022-jp-encoder

    Order: end-of-queue is handled after the loop. Where the standard restores the code point and runs again in another
    state, the steps of the second run follow directly.
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
    cdef int state
    cdef uint16_t pair
    # Code points that end runs come in groups, with few others between them. After one, a few are encoded one by one,
    # and the run after those is limited, since short runs start faster.
    cdef size_t start, end, limit = FEW if run.after_error else length
    while read < length:
        few = SINGLE_CODE_POINTS if limit == FEW else 0
        while few != 0 and read < length:
            found = iso_2022_jp_ascii(source[read], run.state.iso_2022_jp_encoder_state)
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
        if few == 0 or not we_is_unmapped(source[read], euc_jp_reverse):
            start = read
            end = length if length - read <= limit else read + limit
            read += we_iso_2022_jp_run_from_ucs1(run.simd, source + read, end - read, euc_jp_reverse,
                                                 target + written, &run_written, &run.state)
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        state = run.state.iso_2022_jp_encoder_state
        if state != WE_ISO_2022_JP_JIS0208 and (code_point == 0x0E or code_point == 0x0F or code_point == 0x1B):
            # iso-2022-jp-encoder 3: an error with U+FFFD, since these code points could form an escape sequence.
            error_code_point = 0xFFFD
        elif code_point < 0x80 and (state == WE_ISO_2022_JP_ASCII
                                    or (state == WE_ISO_2022_JP_ROMAN
                                        and code_point != 0x5C and code_point != 0x7E)):
            # iso-2022-jp-encoder 4: a byte of the same value.
            # Kernel: we_iso_2022_jp_run_from_ucs1 (src/kernels/iso_2022_jp.h).
            # iso-2022-jp-encoder 5: the state Roman also has it.
            # iso-2022-jp-encoder 5.1: a byte of the same value.
            target[written] = <uint8_t> code_point
            written += 1
        elif code_point < 0x80:
            # iso-2022-jp-encoder 6: to ASCII; the code point is restored.
            # Kernel: we_iso_2022_jp_run_from_ucs1 (src/kernels/iso_2022_jp.h).
            run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ASCII
            target[written] = 0x1B
            target[written + 1] = 0x28
            target[written + 2] = 0x42
            written += 3
            if code_point == 0x0E or code_point == 0x0F or code_point == 0x1B:
                # iso-2022-jp-encoder 3: again, in the state ASCII.
                error_code_point = 0xFFFD
            else:
                # iso-2022-jp-encoder 4: again, in the state ASCII.
                target[written] = <uint8_t> code_point
                written += 1
        elif code_point == 0x00A5 or code_point == 0x203E:
            if state != WE_ISO_2022_JP_ROMAN:
                # iso-2022-jp-encoder 7: to Roman; the code point is restored.
                run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ROMAN
                target[written] = 0x1B
                target[written + 1] = 0x28
                target[written + 2] = 0x4A
                written += 3
            # iso-2022-jp-encoder 5: the state Roman has it.
            # iso-2022-jp-encoder 5.2-5.3: its byte.
            target[written] = 0x5C if code_point == 0x00A5 else 0x7E
            written += 1
        else:
            pair = 0
            if 0xFF61 <= code_point <= 0xFF9F:
                # iso-2022-jp-encoder 9: half-width katakana become full-width.
                pair = euc_jp_reverse[iso_2022_jp_katakana[code_point - 0xFF61]]
            elif code_point < 0x10000:
                # iso-2022-jp-encoder 8: the table has for U+2212 the bytes of U+FF0D.
                # iso-2022-jp-encoder 10: the index pointer in jis0208: EUC-JP's bytes but for their high bits.
                # Kernel: we_iso_2022_jp_run_from_ucs1 (src/kernels/iso_2022_jp.h).
                # In range: the table has 0x10000 entries.
                pair = euc_jp_reverse[code_point]
            if pair == 0:
                # iso-2022-jp-encoder 11: no pointer.
                if state == WE_ISO_2022_JP_JIS0208:
                    # iso-2022-jp-encoder 11.1: to ASCII; the code point is restored.
                    run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ASCII
                    target[written] = 0x1B
                    target[written + 1] = 0x28
                    target[written + 2] = 0x42
                    written += 3
                # iso-2022-jp-encoder 11.2: an error with code point.
                error_code_point = code_point
            else:
                if state != WE_ISO_2022_JP_JIS0208:
                    # iso-2022-jp-encoder 12: to jis0208; the code point is restored.
                    # Kernel: we_iso_2022_jp_run_from_ucs1 (src/kernels/iso_2022_jp.h).
                    run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_JIS0208
                    target[written] = 0x1B
                    target[written + 1] = 0x24
                    target[written + 2] = 0x42
                    written += 3
                # iso-2022-jp-encoder 13-15: its two bytes.
                # Kernel: we_iso_2022_jp_run_from_ucs1 (src/kernels/iso_2022_jp.h).
                pair &= 0x7F7F
                we_store_pair(target + written, pair)
                written += 1 + (pair > 0xFF)
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
                    if read == length or not we_is_unmapped(source[read], euc_jp_reverse):
                        break
            if read != start:
                continue
            read += 1
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    if run.end_of_queue and result == WE_INPUT_EMPTY:
        if run.state.iso_2022_jp_encoder_state != WE_ISO_2022_JP_ASCII:
            # iso-2022-jp-encoder 1: back to ASCII.
            run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ASCII
            target[written] = 0x1B
            target[written + 1] = 0x28
            target[written + 2] = 0x42
            written += 3
    # iso-2022-jp-encoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result iso_2022_jp_encode_ucs2(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#iso-2022-jp-encoder

    Order: end-of-queue is handled after the loop. Where the standard restores the code point and runs again in another
    state, the steps of the second run follow directly.
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
    cdef int state
    cdef uint16_t pair
    # Code points that end runs come in groups, with few others between them. After one, a few are encoded one by one,
    # and the run after those is limited, since short runs start faster.
    cdef size_t start, end, limit = FEW if run.after_error else length
    while read < length:
        few = SINGLE_CODE_POINTS if limit == FEW else 0
        while few != 0 and read < length:
            found = iso_2022_jp_ascii(source[read], run.state.iso_2022_jp_encoder_state)
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
        if few == 0 or not we_is_unmapped(source[read], euc_jp_reverse):
            start = read
            end = length if length - read <= limit else read + limit
            read += we_iso_2022_jp_run_from_ucs2(run.simd, source + read, end - read, euc_jp_reverse,
                                                 target + written, &run_written, &run.state)
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        state = run.state.iso_2022_jp_encoder_state
        if state != WE_ISO_2022_JP_JIS0208 and (code_point == 0x0E or code_point == 0x0F or code_point == 0x1B):
            # iso-2022-jp-encoder 3: an error with U+FFFD, since these code points could form an escape sequence.
            error_code_point = 0xFFFD
        elif code_point < 0x80 and (state == WE_ISO_2022_JP_ASCII
                                    or (state == WE_ISO_2022_JP_ROMAN
                                        and code_point != 0x5C and code_point != 0x7E)):
            # iso-2022-jp-encoder 4: a byte of the same value.
            # Kernel: we_iso_2022_jp_run_from_ucs2 (src/kernels/iso_2022_jp.h).
            # iso-2022-jp-encoder 5: the state Roman also has it.
            # iso-2022-jp-encoder 5.1: a byte of the same value.
            target[written] = <uint8_t> code_point
            written += 1
        elif code_point < 0x80:
            # iso-2022-jp-encoder 6: to ASCII; the code point is restored.
            # Kernel: we_iso_2022_jp_run_from_ucs2 (src/kernels/iso_2022_jp.h).
            run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ASCII
            target[written] = 0x1B
            target[written + 1] = 0x28
            target[written + 2] = 0x42
            written += 3
            if code_point == 0x0E or code_point == 0x0F or code_point == 0x1B:
                # iso-2022-jp-encoder 3: again, in the state ASCII.
                error_code_point = 0xFFFD
            else:
                # iso-2022-jp-encoder 4: again, in the state ASCII.
                target[written] = <uint8_t> code_point
                written += 1
        elif code_point == 0x00A5 or code_point == 0x203E:
            if state != WE_ISO_2022_JP_ROMAN:
                # iso-2022-jp-encoder 7: to Roman; the code point is restored.
                run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ROMAN
                target[written] = 0x1B
                target[written + 1] = 0x28
                target[written + 2] = 0x4A
                written += 3
            # iso-2022-jp-encoder 5: the state Roman has it.
            # iso-2022-jp-encoder 5.2-5.3: its byte.
            target[written] = 0x5C if code_point == 0x00A5 else 0x7E
            written += 1
        else:
            pair = 0
            if 0xFF61 <= code_point <= 0xFF9F:
                # iso-2022-jp-encoder 9: half-width katakana become full-width.
                pair = euc_jp_reverse[iso_2022_jp_katakana[code_point - 0xFF61]]
            elif code_point < 0x10000:
                # iso-2022-jp-encoder 8: the table has for U+2212 the bytes of U+FF0D.
                # iso-2022-jp-encoder 10: the index pointer in jis0208: EUC-JP's bytes but for their high bits.
                # Kernel: we_iso_2022_jp_run_from_ucs2 (src/kernels/iso_2022_jp.h).
                # In range: the table has 0x10000 entries.
                pair = euc_jp_reverse[code_point]
            if pair == 0:
                # iso-2022-jp-encoder 11: no pointer.
                if state == WE_ISO_2022_JP_JIS0208:
                    # iso-2022-jp-encoder 11.1: to ASCII; the code point is restored.
                    run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ASCII
                    target[written] = 0x1B
                    target[written + 1] = 0x28
                    target[written + 2] = 0x42
                    written += 3
                # iso-2022-jp-encoder 11.2: an error with code point.
                error_code_point = code_point
            else:
                if state != WE_ISO_2022_JP_JIS0208:
                    # iso-2022-jp-encoder 12: to jis0208; the code point is restored.
                    # Kernel: we_iso_2022_jp_run_from_ucs2 (src/kernels/iso_2022_jp.h).
                    run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_JIS0208
                    target[written] = 0x1B
                    target[written + 1] = 0x24
                    target[written + 2] = 0x42
                    written += 3
                # iso-2022-jp-encoder 13-15: its two bytes.
                # Kernel: we_iso_2022_jp_run_from_ucs2 (src/kernels/iso_2022_jp.h).
                pair &= 0x7F7F
                we_store_pair(target + written, pair)
                written += 1 + (pair > 0xFF)
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
                    if read == length or not we_is_unmapped(source[read], euc_jp_reverse):
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
    if run.end_of_queue and result == WE_INPUT_EMPTY:
        if run.state.iso_2022_jp_encoder_state != WE_ISO_2022_JP_ASCII:
            # iso-2022-jp-encoder 1: back to ASCII.
            run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ASCII
            target[written] = 0x1B
            target[written + 1] = 0x28
            target[written + 2] = 0x42
            written += 3
    # iso-2022-jp-encoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result iso_2022_jp_encode_ucs4(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#iso-2022-jp-encoder

    Order: end-of-queue is handled after the loop. Where the standard restores the code point and runs again in another
    state, the steps of the second run follow directly.
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
    cdef int state
    cdef uint16_t pair
    # Code points that end runs come in groups, with few others between them. After one, a few are encoded one by one,
    # and the run after those is limited, since short runs start faster.
    cdef size_t start, end, limit = FEW if run.after_error else length
    while read < length:
        few = SINGLE_CODE_POINTS if limit == FEW else 0
        while few != 0 and read < length:
            found = iso_2022_jp_ascii(source[read], run.state.iso_2022_jp_encoder_state)
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
        if few == 0 or not we_is_unmapped(source[read], euc_jp_reverse):
            start = read
            end = length if length - read <= limit else read + limit
            read += we_iso_2022_jp_run_from_ucs4(run.simd, source + read, end - read, euc_jp_reverse,
                                                 target + written, &run_written, &run.state)
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        state = run.state.iso_2022_jp_encoder_state
        if state != WE_ISO_2022_JP_JIS0208 and (code_point == 0x0E or code_point == 0x0F or code_point == 0x1B):
            # iso-2022-jp-encoder 3: an error with U+FFFD, since these code points could form an escape sequence.
            error_code_point = 0xFFFD
        elif code_point < 0x80 and (state == WE_ISO_2022_JP_ASCII
                                    or (state == WE_ISO_2022_JP_ROMAN
                                        and code_point != 0x5C and code_point != 0x7E)):
            # iso-2022-jp-encoder 4: a byte of the same value.
            # Kernel: we_iso_2022_jp_run_from_ucs4 (src/kernels/iso_2022_jp.h).
            # iso-2022-jp-encoder 5: the state Roman also has it.
            # iso-2022-jp-encoder 5.1: a byte of the same value.
            target[written] = <uint8_t> code_point
            written += 1
        elif code_point < 0x80:
            # iso-2022-jp-encoder 6: to ASCII; the code point is restored.
            # Kernel: we_iso_2022_jp_run_from_ucs4 (src/kernels/iso_2022_jp.h).
            run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ASCII
            target[written] = 0x1B
            target[written + 1] = 0x28
            target[written + 2] = 0x42
            written += 3
            if code_point == 0x0E or code_point == 0x0F or code_point == 0x1B:
                # iso-2022-jp-encoder 3: again, in the state ASCII.
                error_code_point = 0xFFFD
            else:
                # iso-2022-jp-encoder 4: again, in the state ASCII.
                target[written] = <uint8_t> code_point
                written += 1
        elif code_point == 0x00A5 or code_point == 0x203E:
            if state != WE_ISO_2022_JP_ROMAN:
                # iso-2022-jp-encoder 7: to Roman; the code point is restored.
                run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ROMAN
                target[written] = 0x1B
                target[written + 1] = 0x28
                target[written + 2] = 0x4A
                written += 3
            # iso-2022-jp-encoder 5: the state Roman has it.
            # iso-2022-jp-encoder 5.2-5.3: its byte.
            target[written] = 0x5C if code_point == 0x00A5 else 0x7E
            written += 1
        else:
            pair = 0
            if 0xFF61 <= code_point <= 0xFF9F:
                # iso-2022-jp-encoder 9: half-width katakana become full-width.
                pair = euc_jp_reverse[iso_2022_jp_katakana[code_point - 0xFF61]]
            elif code_point < 0x10000:
                # iso-2022-jp-encoder 8: the table has for U+2212 the bytes of U+FF0D.
                # iso-2022-jp-encoder 10: the index pointer in jis0208: EUC-JP's bytes but for their high bits.
                # Kernel: we_iso_2022_jp_run_from_ucs4 (src/kernels/iso_2022_jp.h).
                # In range: the table has 0x10000 entries.
                pair = euc_jp_reverse[code_point]
            if pair == 0:
                # iso-2022-jp-encoder 11: no pointer.
                if state == WE_ISO_2022_JP_JIS0208:
                    # iso-2022-jp-encoder 11.1: to ASCII; the code point is restored.
                    run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ASCII
                    target[written] = 0x1B
                    target[written + 1] = 0x28
                    target[written + 2] = 0x42
                    written += 3
                # iso-2022-jp-encoder 11.2: an error with code point.
                error_code_point = code_point
            else:
                if state != WE_ISO_2022_JP_JIS0208:
                    # iso-2022-jp-encoder 12: to jis0208; the code point is restored.
                    # Kernel: we_iso_2022_jp_run_from_ucs4 (src/kernels/iso_2022_jp.h).
                    run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_JIS0208
                    target[written] = 0x1B
                    target[written + 1] = 0x24
                    target[written + 2] = 0x42
                    written += 3
                # iso-2022-jp-encoder 13-15: its two bytes.
                # Kernel: we_iso_2022_jp_run_from_ucs4 (src/kernels/iso_2022_jp.h).
                pair &= 0x7F7F
                we_store_pair(target + written, pair)
                written += 1 + (pair > 0xFF)
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
                    if read == length or not we_is_unmapped(source[read], euc_jp_reverse):
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
    if run.end_of_queue and result == WE_INPUT_EMPTY:
        if run.state.iso_2022_jp_encoder_state != WE_ISO_2022_JP_ASCII:
            # iso-2022-jp-encoder 1: back to ASCII.
            run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ASCII
            target[written] = 0x1B
            target[written + 1] = 0x28
            target[written + 2] = 0x42
            written += 3
    # iso-2022-jp-encoder 2: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


# -- Encoder: Shift_JIS
# Template: templates/_handlers/double_byte.pyx.j2. Standard: https://encoding.spec.whatwg.org/#shift_jis-encoder


cdef we_result shift_jis_encode_ucs1(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#shift_jis-encoder

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
            found = shift_jis_reverse[source[read]]
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
            read += we_double_byte_run_from_ucs1(run.simd, source + read, end - read, shift_jis_reverse,
                                                 target + written, &run_written)
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # shift_jis-encoder 2: a byte of the same value; the run stops at U+0000, whose entry would equal null.
        # Kernel: we_double_byte_run_from_ucs1 (src/kernels/double_byte.h).
        if code_point == 0:
            target[written] = 0
            written += 1
        # shift_jis-encoder 3-5: shift_jis_reverse also has the bytes computed from the code point.
        # Kernel: we_double_byte_run_from_ucs1 (src/kernels/double_byte.h).
        # shift_jis-encoder 6: the table has for U+2212 the bytes of U+FF0D.
        # Kernel: we_double_byte_run_from_ucs1 (src/kernels/double_byte.h).
        # shift_jis-encoder 7: shift_jis_reverse has for each code point the bytes of its pointer,
        # shift_jis-encoder 9-13: computed when it was generated.
        # Kernel: we_double_byte_run_from_ucs1 (src/kernels/double_byte.h).
        else:
            # shift_jis-encoder 8: no pointer is an error with code point.
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
                    if read == length or not we_is_unmapped(source[read], shift_jis_reverse):
                        break
            if read != start:
                continue
            read += 1
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    # shift_jis-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result shift_jis_encode_ucs2(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#shift_jis-encoder

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
            found = shift_jis_reverse[source[read]]
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
            read += we_double_byte_run_from_ucs2(run.simd, source + read, end - read, shift_jis_reverse,
                                                 target + written, &run_written)
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # shift_jis-encoder 2: a byte of the same value; the run stops at U+0000, whose entry would equal null.
        # Kernel: we_double_byte_run_from_ucs2 (src/kernels/double_byte.h).
        if code_point == 0:
            target[written] = 0
            written += 1
        # shift_jis-encoder 3-5: shift_jis_reverse also has the bytes computed from the code point.
        # Kernel: we_double_byte_run_from_ucs2 (src/kernels/double_byte.h).
        # shift_jis-encoder 6: the table has for U+2212 the bytes of U+FF0D.
        # Kernel: we_double_byte_run_from_ucs2 (src/kernels/double_byte.h).
        # shift_jis-encoder 7: shift_jis_reverse has for each code point the bytes of its pointer,
        # shift_jis-encoder 9-13: computed when it was generated.
        # Kernel: we_double_byte_run_from_ucs2 (src/kernels/double_byte.h).
        else:
            # shift_jis-encoder 8: no pointer is an error with code point.
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
                    if read == length or not we_is_unmapped(source[read], shift_jis_reverse):
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
    # shift_jis-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


cdef we_result shift_jis_encode_ucs4(we_encode_run *run) noexcept nogil:
    """Encode a run of code points: https://encoding.spec.whatwg.org/#shift_jis-encoder

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
            found = shift_jis_reverse[source[read]] if source[read] <= 0xFFFF else <uint16_t> 0
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
            read += we_double_byte_run_from_ucs4(run.simd, source + read, end - read, shift_jis_reverse,
                                                 target + written, &run_written)
            written += run_written
            if read == end:
                limit *= 8
                continue
            if read - start < LONG_RUN:
                limit = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        # shift_jis-encoder 2: a byte of the same value; the run stops at U+0000, whose entry would equal null.
        # Kernel: we_double_byte_run_from_ucs4 (src/kernels/double_byte.h).
        if code_point == 0:
            target[written] = 0
            written += 1
        # shift_jis-encoder 3-5: shift_jis_reverse also has the bytes computed from the code point.
        # Kernel: we_double_byte_run_from_ucs4 (src/kernels/double_byte.h).
        # shift_jis-encoder 6: the table has for U+2212 the bytes of U+FF0D.
        # Kernel: we_double_byte_run_from_ucs4 (src/kernels/double_byte.h).
        # shift_jis-encoder 7: shift_jis_reverse has for each code point the bytes of its pointer,
        # shift_jis-encoder 9-13: computed when it was generated.
        # Kernel: we_double_byte_run_from_ucs4 (src/kernels/double_byte.h).
        else:
            # shift_jis-encoder 8: no pointer is an error with code point.
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
                    if read == length or not we_is_unmapped(source[read], shift_jis_reverse):
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
    # shift_jis-encoder 1: at end-of-queue the driver ends the stream.
    run.read = read
    run.written = written
    return result


# -- Registry: the codecs of this module, for the driver ---------------------------------------------------------------

CODECS = {}

cdef we_codec euc_jp_codec
euc_jp_codec.decode[0] = euc_jp_decode_ucs1
euc_jp_codec.decode[1] = euc_jp_decode_ucs2
euc_jp_codec.decode[2] = euc_jp_decode_ucs4
euc_jp_codec.decode[3] = euc_jp_decode_utf8
euc_jp_codec.encode[0] = euc_jp_encode_ucs1
euc_jp_codec.encode_capacity[0] = 2
euc_jp_codec.encode[1] = euc_jp_encode_ucs2
euc_jp_codec.encode_capacity[1] = 2
euc_jp_codec.encode[2] = euc_jp_encode_ucs4
euc_jp_codec.encode_capacity[2] = 2
euc_jp_codec.decode_shift = 0
euc_jp_codec.is_ascii_compatible = True
euc_jp_codec.tables = NULL
CODECS["EUC-JP"] = PyCapsule_New(&euc_jp_codec, "whatwg_encoding.codec", NULL)

cdef we_codec iso_2022_jp_codec
iso_2022_jp_codec.decode[0] = iso_2022_jp_decode_ucs1
iso_2022_jp_codec.decode[1] = iso_2022_jp_decode_ucs2
iso_2022_jp_codec.decode[2] = iso_2022_jp_decode_ucs4
iso_2022_jp_codec.decode[3] = iso_2022_jp_decode_utf8
iso_2022_jp_codec.encode[0] = iso_2022_jp_encode_ucs1
iso_2022_jp_codec.encode_capacity[0] = 5
iso_2022_jp_codec.encode[1] = iso_2022_jp_encode_ucs2
iso_2022_jp_codec.encode_capacity[1] = 5
iso_2022_jp_codec.encode[2] = iso_2022_jp_encode_ucs4
iso_2022_jp_codec.encode_capacity[2] = 5
iso_2022_jp_codec.decode_shift = 0
iso_2022_jp_codec.is_ascii_compatible = False
iso_2022_jp_codec.tables = NULL
CODECS["ISO-2022-JP"] = PyCapsule_New(&iso_2022_jp_codec, "whatwg_encoding.codec", NULL)

cdef we_codec shift_jis_codec
shift_jis_codec.decode[0] = shift_jis_decode_ucs1
shift_jis_codec.decode[1] = shift_jis_decode_ucs2
shift_jis_codec.decode[2] = shift_jis_decode_ucs4
shift_jis_codec.decode[3] = shift_jis_decode_utf8
shift_jis_codec.encode[0] = shift_jis_encode_ucs1
shift_jis_codec.encode_capacity[0] = 2
shift_jis_codec.encode[1] = shift_jis_encode_ucs2
shift_jis_codec.encode_capacity[1] = 2
shift_jis_codec.encode[2] = shift_jis_encode_ucs4
shift_jis_codec.encode_capacity[2] = 2
shift_jis_codec.decode_shift = 0
shift_jis_codec.is_ascii_compatible = True
shift_jis_codec.tables = NULL
CODECS["Shift_JIS"] = PyCapsule_New(&shift_jis_codec, "whatwg_encoding.codec", NULL)
