# Generated from templates/chapter.pyx.j2: change that, not this. `make generate` or `python -m generator emit` makes it anew.
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


# --- EUC-JP: decoder ---


cdef we_result euc_jp_decode_ucs1(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#euc-jp-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef uint8_t byte
    cdef uint32_t pointer
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
        elif byte == 0x8E or byte == 0x8F or 0xA1 <= byte <= 0xFE:
            # 7. A lead, if a trail follows.
            if read + 1 == length:
                # 1. End-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            elif byte == 0x8F and 0xA1 <= source[read + 1] <= 0xFE:
                # 4. EUC-JP jis0212 is true, and the second byte the lead.
                if read + 2 == length:
                    if not run.end_of_queue:
                        break
                    code_point = ERROR
                    consumed = 2
                else:
                    # 5.1-5.4 The index code point in jis0212. With both bytes in 0xA1 to 0xFE the pointer is one of its 8836; that is checked
                    # and not taken for granted, since another thread may write to the source.
                    byte = source[read + 2]
                    consumed = 3
                    code_point = 0
                    pointer = <uint32_t> ((source[read + 1] - 0xA1) * 94 + byte - 0xA1)
                    if 0xA1 <= byte <= 0xFE and pointer < 94 * 94:
                        code_point = jis0212[pointer]
                    if code_point == 0:
                        # 5.5-5.6 An error; an ASCII byte is restored.
                        code_point = ERROR
                        if byte < 0x80:
                            consumed = 2
            else:
                # 3. and 5.1-5.4 Half-width katakana and the index code point in jis0208; null is 0.
                code_point = euc_jp_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
                if code_point == 0:
                    # 5.5-5.6 An error; an ASCII byte is restored.
                    code_point = ERROR
                    if source[read + 1] < 0x80:
                        consumed = 1
        else:
            # 8. Any other byte is an error.
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


cdef we_result euc_jp_decode_ucs2(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#euc-jp-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint16_t *target = <uint16_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint8_t byte
    cdef uint32_t pointer
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            read += we_double_byte_run_to_ucs2(run.simd, source + read, length - read, euc_jp_pairs, 0, target + written, &run_written)
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
        elif byte == 0x8E or byte == 0x8F or 0xA1 <= byte <= 0xFE:
            # 7. A lead, if a trail follows.
            if read + 1 == length:
                # 1. End-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            elif byte == 0x8F and 0xA1 <= source[read + 1] <= 0xFE:
                # 4. EUC-JP jis0212 is true, and the second byte the lead.
                if read + 2 == length:
                    if not run.end_of_queue:
                        break
                    code_point = ERROR
                    consumed = 2
                else:
                    # 5.1-5.4 The index code point in jis0212. With both bytes in 0xA1 to 0xFE the pointer is one of its 8836; that is checked
                    # and not taken for granted, since another thread may write to the source.
                    byte = source[read + 2]
                    consumed = 3
                    code_point = 0
                    pointer = <uint32_t> ((source[read + 1] - 0xA1) * 94 + byte - 0xA1)
                    if 0xA1 <= byte <= 0xFE and pointer < 94 * 94:
                        code_point = jis0212[pointer]
                    if code_point == 0:
                        # 5.5-5.6 An error; an ASCII byte is restored.
                        code_point = ERROR
                        if byte < 0x80:
                            consumed = 2
            else:
                # 3. and 5.1-5.4 Half-width katakana and the index code point in jis0208; null is 0.
                code_point = euc_jp_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
                if code_point == 0:
                    # 5.5-5.6 An error; an ASCII byte is restored.
                    code_point = ERROR
                    if source[read + 1] < 0x80:
                        consumed = 1
        else:
            # 8. Any other byte is an error.
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


cdef we_result euc_jp_decode_ucs4(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#euc-jp-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint32_t *target = <uint32_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint8_t byte
    cdef uint32_t pointer
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            read += we_double_byte_run_to_ucs4(run.simd, source + read, length - read, euc_jp_pairs, 0, target + written, &run_written)
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
        elif byte == 0x8E or byte == 0x8F or 0xA1 <= byte <= 0xFE:
            # 7. A lead, if a trail follows.
            if read + 1 == length:
                # 1. End-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            elif byte == 0x8F and 0xA1 <= source[read + 1] <= 0xFE:
                # 4. EUC-JP jis0212 is true, and the second byte the lead.
                if read + 2 == length:
                    if not run.end_of_queue:
                        break
                    code_point = ERROR
                    consumed = 2
                else:
                    # 5.1-5.4 The index code point in jis0212. With both bytes in 0xA1 to 0xFE the pointer is one of its 8836; that is checked
                    # and not taken for granted, since another thread may write to the source.
                    byte = source[read + 2]
                    consumed = 3
                    code_point = 0
                    pointer = <uint32_t> ((source[read + 1] - 0xA1) * 94 + byte - 0xA1)
                    if 0xA1 <= byte <= 0xFE and pointer < 94 * 94:
                        code_point = jis0212[pointer]
                    if code_point == 0:
                        # 5.5-5.6 An error; an ASCII byte is restored.
                        code_point = ERROR
                        if byte < 0x80:
                            consumed = 2
            else:
                # 3. and 5.1-5.4 Half-width katakana and the index code point in jis0208; null is 0.
                code_point = euc_jp_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
                if code_point == 0:
                    # 5.5-5.6 An error; an ASCII byte is restored.
                    code_point = ERROR
                    if source[read + 1] < 0x80:
                        consumed = 1
        else:
            # 8. Any other byte is an error.
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


cdef we_result euc_jp_decode_utf8(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#euc-jp-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef uint8_t byte
    cdef uint32_t pointer
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            read += we_double_byte_run_to_utf8(run.simd, source + read, length - read, euc_jp_pairs, 0, target + written, &run_written)
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
        elif byte == 0x8E or byte == 0x8F or 0xA1 <= byte <= 0xFE:
            # 7. A lead, if a trail follows.
            if read + 1 == length:
                # 1. End-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            elif byte == 0x8F and 0xA1 <= source[read + 1] <= 0xFE:
                # 4. EUC-JP jis0212 is true, and the second byte the lead.
                if read + 2 == length:
                    if not run.end_of_queue:
                        break
                    code_point = ERROR
                    consumed = 2
                else:
                    # 5.1-5.4 The index code point in jis0212. With both bytes in 0xA1 to 0xFE the pointer is one of its 8836; that is checked
                    # and not taken for granted, since another thread may write to the source.
                    byte = source[read + 2]
                    consumed = 3
                    code_point = 0
                    pointer = <uint32_t> ((source[read + 1] - 0xA1) * 94 + byte - 0xA1)
                    if 0xA1 <= byte <= 0xFE and pointer < 94 * 94:
                        code_point = jis0212[pointer]
                    if code_point == 0:
                        # 5.5-5.6 An error; an ASCII byte is restored.
                        code_point = ERROR
                        if byte < 0x80:
                            consumed = 2
            else:
                # 3. and 5.1-5.4 Half-width katakana and the index code point in jis0208; null is 0.
                code_point = euc_jp_pairs[(byte & 0x7F) << 8 | source[read + 1]]
                consumed = 2
                if code_point == 0:
                    # 5.5-5.6 An error; an ASCII byte is restored.
                    code_point = ERROR
                    if source[read + 1] < 0x80:
                        consumed = 1
        else:
            # 8. Any other byte is an error.
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


# --- ISO-2022-JP: decoder ---

cdef inline int iso_2022_jp_escape_state(uint8_t lead, uint8_t byte) noexcept nogil:
    """Steps 3 to 6 of the escape state: the state that an escape sequence asks for; -1 for null."""
    if lead == 0x28 and byte == 0x42:
        return WE_ISO_2022_JP_ASCII
    if lead == 0x28 and byte == 0x4A:
        return WE_ISO_2022_JP_ROMAN
    if lead == 0x28 and byte == 0x49:
        return WE_ISO_2022_JP_KATAKANA
    if lead == 0x24 and (byte == 0x40 or byte == 0x42):
        return WE_ISO_2022_JP_LEAD_BYTE
    return -1


cdef we_result iso_2022_jp_decode_ucs1(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#iso-2022-jp-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef int state, escape_state
    cdef uint8_t byte
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            # EUC-JP has index jis0208 at the same pairs with their high bits set.
            read += we_iso_2022_jp_run_to_ucs1(run.simd, source + read, length - read, euc_jp_pairs, target + written, &run_written, &run.state)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        byte = source[read]
        state = run.state.iso_2022_jp_decoder_output_state
        consumed = 1
        if byte == 0x1B:
            # Every state: escape start.
            escape_state = -1
            if read + 1 == length:
                if not run.end_of_queue:
                    break
            elif source[read + 1] == 0x24 or source[read + 1] == 0x28:
                # Escape.
                if read + 2 == length:
                    if not run.end_of_queue:
                        break
                else:
                    escape_state = iso_2022_jp_escape_state(source[read + 1], source[read + 2])
            if escape_state != -1:
                # Escape 7: the new state; an error if it follows another escape sequence at once.
                run.state.iso_2022_jp_decoder_output_state = <uint8_t> escape_state
                if not run.state.iso_2022_jp_output:
                    run.state.iso_2022_jp_output = True
                    read += 3
                    continue
                code_point = ERROR
                consumed = 3
            else:
                # Escape start 2-3, escape 8-9: an error; what followed the 0x1B is restored.
                run.state.iso_2022_jp_output = False
                code_point = ERROR
        elif state == WE_ISO_2022_JP_LEAD_BYTE:
            if not 0x21 <= byte <= 0x7E:
                # Lead byte: anything else is an error.
                code_point = ERROR
            elif read + 1 == length:
                # Trail byte: end-of-queue is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            elif source[read + 1] == 0x1B:
                # Trail byte: an error, and escape start; the 0x1B belongs to what comes.
                code_point = ERROR
            else:
                # Trail byte: the index code point in jis0208; null and anything else is an error.
                consumed = 2
                code_point = 0
                if 0x21 <= source[read + 1] <= 0x7E:
                    code_point = euc_jp_pairs[byte << 8 | source[read + 1] | 0x80]
                if code_point == 0:
                    code_point = ERROR
            run.state.iso_2022_jp_output = False
        elif state == WE_ISO_2022_JP_KATAKANA:
            run.state.iso_2022_jp_output = False
            if 0x21 <= byte <= 0x5F:
                code_point = 0xFF61 - 0x21 + byte
            else:
                code_point = ERROR
        else:
            run.state.iso_2022_jp_output = False
            if byte >= 0x80 or byte == 0x0E or byte == 0x0F:
                code_point = ERROR
            elif state == WE_ISO_2022_JP_ROMAN and byte == 0x5C:
                code_point = 0x00A5
            elif state == WE_ISO_2022_JP_ROMAN and byte == 0x7E:
                code_point = 0x203E
            else:
                code_point = byte
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


cdef we_result iso_2022_jp_decode_ucs2(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#iso-2022-jp-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint16_t *target = <uint16_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef int state, escape_state
    cdef uint8_t byte
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            # EUC-JP has index jis0208 at the same pairs with their high bits set.
            read += we_iso_2022_jp_run_to_ucs2(run.simd, source + read, length - read, euc_jp_pairs, target + written, &run_written, &run.state)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        byte = source[read]
        state = run.state.iso_2022_jp_decoder_output_state
        consumed = 1
        if byte == 0x1B:
            # Every state: escape start.
            escape_state = -1
            if read + 1 == length:
                if not run.end_of_queue:
                    break
            elif source[read + 1] == 0x24 or source[read + 1] == 0x28:
                # Escape.
                if read + 2 == length:
                    if not run.end_of_queue:
                        break
                else:
                    escape_state = iso_2022_jp_escape_state(source[read + 1], source[read + 2])
            if escape_state != -1:
                # Escape 7: the new state; an error if it follows another escape sequence at once.
                run.state.iso_2022_jp_decoder_output_state = <uint8_t> escape_state
                if not run.state.iso_2022_jp_output:
                    run.state.iso_2022_jp_output = True
                    read += 3
                    continue
                code_point = ERROR
                consumed = 3
            else:
                # Escape start 2-3, escape 8-9: an error; what followed the 0x1B is restored.
                run.state.iso_2022_jp_output = False
                code_point = ERROR
        elif state == WE_ISO_2022_JP_LEAD_BYTE:
            if not 0x21 <= byte <= 0x7E:
                # Lead byte: anything else is an error.
                code_point = ERROR
            elif read + 1 == length:
                # Trail byte: end-of-queue is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            elif source[read + 1] == 0x1B:
                # Trail byte: an error, and escape start; the 0x1B belongs to what comes.
                code_point = ERROR
            else:
                # Trail byte: the index code point in jis0208; null and anything else is an error.
                consumed = 2
                code_point = 0
                if 0x21 <= source[read + 1] <= 0x7E:
                    code_point = euc_jp_pairs[byte << 8 | source[read + 1] | 0x80]
                if code_point == 0:
                    code_point = ERROR
            run.state.iso_2022_jp_output = False
        elif state == WE_ISO_2022_JP_KATAKANA:
            run.state.iso_2022_jp_output = False
            if 0x21 <= byte <= 0x5F:
                code_point = 0xFF61 - 0x21 + byte
            else:
                code_point = ERROR
        else:
            run.state.iso_2022_jp_output = False
            if byte >= 0x80 or byte == 0x0E or byte == 0x0F:
                code_point = ERROR
            elif state == WE_ISO_2022_JP_ROMAN and byte == 0x5C:
                code_point = 0x00A5
            elif state == WE_ISO_2022_JP_ROMAN and byte == 0x7E:
                code_point = 0x203E
            else:
                code_point = byte
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


cdef we_result iso_2022_jp_decode_ucs4(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#iso-2022-jp-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint32_t *target = <uint32_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef int state, escape_state
    cdef uint8_t byte
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            # EUC-JP has index jis0208 at the same pairs with their high bits set.
            read += we_iso_2022_jp_run_to_ucs4(run.simd, source + read, length - read, euc_jp_pairs, target + written, &run_written, &run.state)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        byte = source[read]
        state = run.state.iso_2022_jp_decoder_output_state
        consumed = 1
        if byte == 0x1B:
            # Every state: escape start.
            escape_state = -1
            if read + 1 == length:
                if not run.end_of_queue:
                    break
            elif source[read + 1] == 0x24 or source[read + 1] == 0x28:
                # Escape.
                if read + 2 == length:
                    if not run.end_of_queue:
                        break
                else:
                    escape_state = iso_2022_jp_escape_state(source[read + 1], source[read + 2])
            if escape_state != -1:
                # Escape 7: the new state; an error if it follows another escape sequence at once.
                run.state.iso_2022_jp_decoder_output_state = <uint8_t> escape_state
                if not run.state.iso_2022_jp_output:
                    run.state.iso_2022_jp_output = True
                    read += 3
                    continue
                code_point = ERROR
                consumed = 3
            else:
                # Escape start 2-3, escape 8-9: an error; what followed the 0x1B is restored.
                run.state.iso_2022_jp_output = False
                code_point = ERROR
        elif state == WE_ISO_2022_JP_LEAD_BYTE:
            if not 0x21 <= byte <= 0x7E:
                # Lead byte: anything else is an error.
                code_point = ERROR
            elif read + 1 == length:
                # Trail byte: end-of-queue is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            elif source[read + 1] == 0x1B:
                # Trail byte: an error, and escape start; the 0x1B belongs to what comes.
                code_point = ERROR
            else:
                # Trail byte: the index code point in jis0208; null and anything else is an error.
                consumed = 2
                code_point = 0
                if 0x21 <= source[read + 1] <= 0x7E:
                    code_point = euc_jp_pairs[byte << 8 | source[read + 1] | 0x80]
                if code_point == 0:
                    code_point = ERROR
            run.state.iso_2022_jp_output = False
        elif state == WE_ISO_2022_JP_KATAKANA:
            run.state.iso_2022_jp_output = False
            if 0x21 <= byte <= 0x5F:
                code_point = 0xFF61 - 0x21 + byte
            else:
                code_point = ERROR
        else:
            run.state.iso_2022_jp_output = False
            if byte >= 0x80 or byte == 0x0E or byte == 0x0F:
                code_point = ERROR
            elif state == WE_ISO_2022_JP_ROMAN and byte == 0x5C:
                code_point = 0x00A5
            elif state == WE_ISO_2022_JP_ROMAN and byte == 0x7E:
                code_point = 0x203E
            else:
                code_point = byte
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


cdef we_result iso_2022_jp_decode_utf8(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#iso-2022-jp-decoder"""
    cdef const uint8_t *source = run.source
    cdef uint8_t *target = <uint8_t *> run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written, consumed = 0
    cdef uint32_t code_point = 0
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef int state, escape_state
    cdef uint8_t byte
    # What stops a run comes in crowds: the shorter the last runs were, the more items the steps below go over before the next.
    cdef size_t start, patience = 1, steps = 0
    while read < length:
        if steps == 0:
            start = read
            # EUC-JP has index jis0208 at the same pairs with their high bits set.
            read += we_iso_2022_jp_run_to_utf8(run.simd, source + read, length - read, euc_jp_pairs, target + written, &run_written, &run.state)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        byte = source[read]
        state = run.state.iso_2022_jp_decoder_output_state
        consumed = 1
        if byte == 0x1B:
            # Every state: escape start.
            escape_state = -1
            if read + 1 == length:
                if not run.end_of_queue:
                    break
            elif source[read + 1] == 0x24 or source[read + 1] == 0x28:
                # Escape.
                if read + 2 == length:
                    if not run.end_of_queue:
                        break
                else:
                    escape_state = iso_2022_jp_escape_state(source[read + 1], source[read + 2])
            if escape_state != -1:
                # Escape 7: the new state; an error if it follows another escape sequence at once.
                run.state.iso_2022_jp_decoder_output_state = <uint8_t> escape_state
                if not run.state.iso_2022_jp_output:
                    run.state.iso_2022_jp_output = True
                    read += 3
                    continue
                code_point = ERROR
                consumed = 3
            else:
                # Escape start 2-3, escape 8-9: an error; what followed the 0x1B is restored.
                run.state.iso_2022_jp_output = False
                code_point = ERROR
        elif state == WE_ISO_2022_JP_LEAD_BYTE:
            if not 0x21 <= byte <= 0x7E:
                # Lead byte: anything else is an error.
                code_point = ERROR
            elif read + 1 == length:
                # Trail byte: end-of-queue is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            elif source[read + 1] == 0x1B:
                # Trail byte: an error, and escape start; the 0x1B belongs to what comes.
                code_point = ERROR
            else:
                # Trail byte: the index code point in jis0208; null and anything else is an error.
                consumed = 2
                code_point = 0
                if 0x21 <= source[read + 1] <= 0x7E:
                    code_point = euc_jp_pairs[byte << 8 | source[read + 1] | 0x80]
                if code_point == 0:
                    code_point = ERROR
            run.state.iso_2022_jp_output = False
        elif state == WE_ISO_2022_JP_KATAKANA:
            run.state.iso_2022_jp_output = False
            if 0x21 <= byte <= 0x5F:
                code_point = 0xFF61 - 0x21 + byte
            else:
                code_point = ERROR
        else:
            run.state.iso_2022_jp_output = False
            if byte >= 0x80 or byte == 0x0E or byte == 0x0F:
                code_point = ERROR
            elif state == WE_ISO_2022_JP_ROMAN and byte == 0x5C:
                code_point = 0x00A5
            elif state == WE_ISO_2022_JP_ROMAN and byte == 0x7E:
                code_point = 0x203E
            else:
                code_point = byte
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


# --- Shift_JIS: decoder ---


cdef we_result shift_jis_decode_ucs1(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#shift_jis-decoder"""
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
        if byte <= 0x80:
            # 4. An ASCII byte or 0x80 is the code point of its value.
            code_point = byte
        elif 0xA1 <= byte <= 0xDF:
            # 5. Half-width katakana.
            code_point = 0xFF61 - 0xA1 + byte
        elif 0x81 <= byte <= 0x9F or 0xE0 <= byte <= 0xFC:
            # 5./6. A lead, if a trail follows.
            if read + 1 == length:
                # 1. End-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            else:
                # 3.1-3.5 The index code point for the pointer of lead and byte; null is 0.
                code_point = shift_jis_pairs[(byte & 0x7F) << 8 | source[read + 1]]
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


cdef we_result shift_jis_decode_ucs2(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#shift_jis-decoder"""
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
            read += we_double_byte_run_to_ucs2(run.simd, source + read, length - read, shift_jis_pairs, 1, target + written, &run_written)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        byte = source[read]
        consumed = 1
        if byte <= 0x80:
            # 4. An ASCII byte or 0x80 is the code point of its value.
            code_point = byte
        elif 0xA1 <= byte <= 0xDF:
            # 5. Half-width katakana.
            code_point = 0xFF61 - 0xA1 + byte
        elif 0x81 <= byte <= 0x9F or 0xE0 <= byte <= 0xFC:
            # 5./6. A lead, if a trail follows.
            if read + 1 == length:
                # 1. End-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            else:
                # 3.1-3.5 The index code point for the pointer of lead and byte; null is 0.
                code_point = shift_jis_pairs[(byte & 0x7F) << 8 | source[read + 1]]
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


cdef we_result shift_jis_decode_ucs4(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#shift_jis-decoder"""
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
            read += we_double_byte_run_to_ucs4(run.simd, source + read, length - read, shift_jis_pairs, 1, target + written, &run_written)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        byte = source[read]
        consumed = 1
        if byte <= 0x80:
            # 4. An ASCII byte or 0x80 is the code point of its value.
            code_point = byte
        elif 0xA1 <= byte <= 0xDF:
            # 5. Half-width katakana.
            code_point = 0xFF61 - 0xA1 + byte
        elif 0x81 <= byte <= 0x9F or 0xE0 <= byte <= 0xFC:
            # 5./6. A lead, if a trail follows.
            if read + 1 == length:
                # 1. End-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            else:
                # 3.1-3.5 The index code point for the pointer of lead and byte; null is 0.
                code_point = shift_jis_pairs[(byte & 0x7F) << 8 | source[read + 1]]
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


cdef we_result shift_jis_decode_utf8(we_decode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#shift_jis-decoder"""
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
            read += we_double_byte_run_to_utf8(run.simd, source + read, length - read, shift_jis_pairs, 1, target + written, &run_written)
            written += run_written
            if read == length:
                break
            patience = 1 if read - start >= LONG_RUN else min(patience * 2, <size_t> MOST_PATIENCE)
            steps = patience
        steps -= 1
        byte = source[read]
        consumed = 1
        if byte <= 0x80:
            # 4. An ASCII byte or 0x80 is the code point of its value.
            code_point = byte
        elif 0xA1 <= byte <= 0xDF:
            # 5. Half-width katakana.
            code_point = 0xFF61 - 0xA1 + byte
        elif 0x81 <= byte <= 0x9F or 0xE0 <= byte <= 0xFC:
            # 5./6. A lead, if a trail follows.
            if read + 1 == length:
                # 1. End-of-queue after a lead is an error.
                if not run.end_of_queue:
                    break
                code_point = ERROR
                consumed = 1
            else:
                # 3.1-3.5 The index code point for the pointer of lead and byte; null is 0.
                code_point = shift_jis_pairs[(byte & 0x7F) << 8 | source[read + 1]]
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


# --- EUC-JP: encoder ---


cdef we_result euc_jp_encode_ucs1(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#euc-jp-encoder"""
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
        read += we_double_byte_run_from_ucs1(run.simd, source + read, end - read, euc_jp_reverse, target + written, &run_written)
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


cdef we_result euc_jp_encode_ucs2(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#euc-jp-encoder"""
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
        read += we_double_byte_run_from_ucs2(run.simd, source + read, end - read, euc_jp_reverse, target + written, &run_written)
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


cdef we_result euc_jp_encode_ucs4(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#euc-jp-encoder"""
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
        read += we_double_byte_run_from_ucs4(run.simd, source + read, end - read, euc_jp_reverse, target + written, &run_written)
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


# --- ISO-2022-JP: encoder ---


cdef we_result iso_2022_jp_encode_ucs1(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#iso-2022-jp-encoder"""
    cdef const uint8_t *source = <const uint8_t *> run.source
    cdef uint8_t *target = run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written
    cdef uint32_t code_point, error_code_point
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef int state
    cdef uint16_t pair
    # What stops a run comes in crowds: behind it the run goes over a few code points, which takes it less than to set out for more.
    cdef size_t start, end, reach = FEW if run.after_error else length
    while read < length:
        start = read
        end = length if length - read <= reach else read + reach
        read += we_iso_2022_jp_run_from_ucs1(run.simd, source + read, end - read, euc_jp_reverse, target + written, &run_written, &run.state)
        written += run_written

        state = run.state.iso_2022_jp_encoder_state
        if read == end:
            reach *= 8
            continue
        if read - start < LONG_RUN:
            reach = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        if state != WE_ISO_2022_JP_JIS0208 and (code_point == 0x0E or code_point == 0x0F or code_point == 0x1B):
            # 3. An error with U+FFFD, so that nobody smuggles in an escape sequence.
            error_code_point = 0xFFFD
        elif code_point < 0x80 and (state == WE_ISO_2022_JP_ASCII
                                    or (state == WE_ISO_2022_JP_ROMAN and code_point != 0x5C and code_point != 0x7E)):
            # 4.-5. A byte of the same value.
            target[written] = <uint8_t> code_point
            written += 1
        elif code_point < 0x80:
            # 6. To ASCII; the code point is restored.
            run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ASCII
            target[written] = 0x1B
            target[written + 1] = 0x28
            target[written + 2] = 0x42
            written += 3
            if code_point == 0x0E or code_point == 0x0F or code_point == 0x1B:
                # 3. again, in the state ASCII.
                error_code_point = 0xFFFD
            else:
                target[written] = <uint8_t> code_point
                written += 1
        elif code_point == 0x00A5 or code_point == 0x203E:
            if state != WE_ISO_2022_JP_ROMAN:
                # 7. To Roman; the code point is restored.
                run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ROMAN
                target[written] = 0x1B
                target[written + 1] = 0x28
                target[written + 2] = 0x4A
                written += 3
            # 5.
            target[written] = 0x5C if code_point == 0x00A5 else 0x7E
            written += 1
        else:
            pair = 0
            if 0xFF61 <= code_point <= 0xFF9F:
                # 9. Half-width katakana become full-width.
                pair = euc_jp_reverse[iso_2022_jp_katakana[code_point - 0xFF61]]
            elif code_point < 0x10000:
                # 8., 10. The pointer in index jis0208: EUC-JP's bytes are its digits, U+2212 among them, but for the high bits.
                pair = euc_jp_reverse[code_point]
            if pair == 0:
                # 11. No pointer: to ASCII from jis0208, then an error with code point.
                if state == WE_ISO_2022_JP_JIS0208:
                    run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ASCII
                    target[written] = 0x1B
                    target[written + 1] = 0x28
                    target[written + 2] = 0x42
                    written += 3
                error_code_point = code_point
            else:
                if state != WE_ISO_2022_JP_JIS0208:
                    # 12. To jis0208; the code point is restored.
                    run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_JIS0208
                    target[written] = 0x1B
                    target[written + 1] = 0x24
                    target[written + 2] = 0x42
                    written += 3
                # 13.-15.
                pair &= 0x7F7F
                we_store_pair(target + written, pair)
                written += 1 + (pair > 0xFF)
        read += 1
        if error_code_point != NO_ERROR:
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    if run.end_of_queue and result == WE_INPUT_EMPTY:
        if run.state.iso_2022_jp_encoder_state != WE_ISO_2022_JP_ASCII:
            # 1. Back to ASCII.
            run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ASCII
            target[written] = 0x1B
            target[written + 1] = 0x28
            target[written + 2] = 0x42
            written += 3
    run.read = read
    run.written = written
    return result


cdef we_result iso_2022_jp_encode_ucs2(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#iso-2022-jp-encoder"""
    cdef const uint16_t *source = <const uint16_t *> run.source
    cdef uint8_t *target = run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written
    cdef uint32_t code_point, error_code_point
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef int state
    cdef uint16_t pair
    # What stops a run comes in crowds: behind it the run goes over a few code points, which takes it less than to set out for more.
    cdef size_t start, end, reach = FEW if run.after_error else length
    while read < length:
        start = read
        end = length if length - read <= reach else read + reach
        read += we_iso_2022_jp_run_from_ucs2(run.simd, source + read, end - read, euc_jp_reverse, target + written, &run_written, &run.state)
        written += run_written

        state = run.state.iso_2022_jp_encoder_state
        if read == end:
            reach *= 8
            continue
        if read - start < LONG_RUN:
            reach = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        if state != WE_ISO_2022_JP_JIS0208 and (code_point == 0x0E or code_point == 0x0F or code_point == 0x1B):
            # 3. An error with U+FFFD, so that nobody smuggles in an escape sequence.
            error_code_point = 0xFFFD
        elif code_point < 0x80 and (state == WE_ISO_2022_JP_ASCII
                                    or (state == WE_ISO_2022_JP_ROMAN and code_point != 0x5C and code_point != 0x7E)):
            # 4.-5. A byte of the same value.
            target[written] = <uint8_t> code_point
            written += 1
        elif code_point < 0x80:
            # 6. To ASCII; the code point is restored.
            run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ASCII
            target[written] = 0x1B
            target[written + 1] = 0x28
            target[written + 2] = 0x42
            written += 3
            if code_point == 0x0E or code_point == 0x0F or code_point == 0x1B:
                # 3. again, in the state ASCII.
                error_code_point = 0xFFFD
            else:
                target[written] = <uint8_t> code_point
                written += 1
        elif code_point == 0x00A5 or code_point == 0x203E:
            if state != WE_ISO_2022_JP_ROMAN:
                # 7. To Roman; the code point is restored.
                run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ROMAN
                target[written] = 0x1B
                target[written + 1] = 0x28
                target[written + 2] = 0x4A
                written += 3
            # 5.
            target[written] = 0x5C if code_point == 0x00A5 else 0x7E
            written += 1
        else:
            pair = 0
            if 0xFF61 <= code_point <= 0xFF9F:
                # 9. Half-width katakana become full-width.
                pair = euc_jp_reverse[iso_2022_jp_katakana[code_point - 0xFF61]]
            elif code_point < 0x10000:
                # 8., 10. The pointer in index jis0208: EUC-JP's bytes are its digits, U+2212 among them, but for the high bits.
                pair = euc_jp_reverse[code_point]
            if pair == 0:
                # 11. No pointer: to ASCII from jis0208, then an error with code point.
                if state == WE_ISO_2022_JP_JIS0208:
                    run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ASCII
                    target[written] = 0x1B
                    target[written + 1] = 0x28
                    target[written + 2] = 0x42
                    written += 3
                error_code_point = code_point
            else:
                if state != WE_ISO_2022_JP_JIS0208:
                    # 12. To jis0208; the code point is restored.
                    run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_JIS0208
                    target[written] = 0x1B
                    target[written + 1] = 0x24
                    target[written + 2] = 0x42
                    written += 3
                # 13.-15.
                pair &= 0x7F7F
                we_store_pair(target + written, pair)
                written += 1 + (pair > 0xFF)
        read += 1
        if error_code_point != NO_ERROR:
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    if run.end_of_queue and result == WE_INPUT_EMPTY:
        if run.state.iso_2022_jp_encoder_state != WE_ISO_2022_JP_ASCII:
            # 1. Back to ASCII.
            run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ASCII
            target[written] = 0x1B
            target[written + 1] = 0x28
            target[written + 2] = 0x42
            written += 3
    run.read = read
    run.written = written
    return result


cdef we_result iso_2022_jp_encode_ucs4(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#iso-2022-jp-encoder"""
    cdef const uint32_t *source = <const uint32_t *> run.source
    cdef uint8_t *target = run.target
    cdef size_t length = run.source_length, read = run.read, written = run.written
    cdef uint32_t code_point, error_code_point
    cdef we_result result = WE_INPUT_EMPTY
    cdef size_t run_written = 0
    cdef int state
    cdef uint16_t pair
    # What stops a run comes in crowds: behind it the run goes over a few code points, which takes it less than to set out for more.
    cdef size_t start, end, reach = FEW if run.after_error else length
    while read < length:
        start = read
        end = length if length - read <= reach else read + reach
        read += we_iso_2022_jp_run_from_ucs4(run.simd, source + read, end - read, euc_jp_reverse, target + written, &run_written, &run.state)
        written += run_written

        state = run.state.iso_2022_jp_encoder_state
        if read == end:
            reach *= 8
            continue
        if read - start < LONG_RUN:
            reach = FEW
        code_point = source[read]
        error_code_point = NO_ERROR
        if state != WE_ISO_2022_JP_JIS0208 and (code_point == 0x0E or code_point == 0x0F or code_point == 0x1B):
            # 3. An error with U+FFFD, so that nobody smuggles in an escape sequence.
            error_code_point = 0xFFFD
        elif code_point < 0x80 and (state == WE_ISO_2022_JP_ASCII
                                    or (state == WE_ISO_2022_JP_ROMAN and code_point != 0x5C and code_point != 0x7E)):
            # 4.-5. A byte of the same value.
            target[written] = <uint8_t> code_point
            written += 1
        elif code_point < 0x80:
            # 6. To ASCII; the code point is restored.
            run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ASCII
            target[written] = 0x1B
            target[written + 1] = 0x28
            target[written + 2] = 0x42
            written += 3
            if code_point == 0x0E or code_point == 0x0F or code_point == 0x1B:
                # 3. again, in the state ASCII.
                error_code_point = 0xFFFD
            else:
                target[written] = <uint8_t> code_point
                written += 1
        elif code_point == 0x00A5 or code_point == 0x203E:
            if state != WE_ISO_2022_JP_ROMAN:
                # 7. To Roman; the code point is restored.
                run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ROMAN
                target[written] = 0x1B
                target[written + 1] = 0x28
                target[written + 2] = 0x4A
                written += 3
            # 5.
            target[written] = 0x5C if code_point == 0x00A5 else 0x7E
            written += 1
        else:
            pair = 0
            if 0xFF61 <= code_point <= 0xFF9F:
                # 9. Half-width katakana become full-width.
                pair = euc_jp_reverse[iso_2022_jp_katakana[code_point - 0xFF61]]
            elif code_point < 0x10000:
                # 8., 10. The pointer in index jis0208: EUC-JP's bytes are its digits, U+2212 among them, but for the high bits.
                pair = euc_jp_reverse[code_point]
            if pair == 0:
                # 11. No pointer: to ASCII from jis0208, then an error with code point.
                if state == WE_ISO_2022_JP_JIS0208:
                    run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ASCII
                    target[written] = 0x1B
                    target[written + 1] = 0x28
                    target[written + 2] = 0x42
                    written += 3
                error_code_point = code_point
            else:
                if state != WE_ISO_2022_JP_JIS0208:
                    # 12. To jis0208; the code point is restored.
                    run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_JIS0208
                    target[written] = 0x1B
                    target[written + 1] = 0x24
                    target[written + 2] = 0x42
                    written += 3
                # 13.-15.
                pair &= 0x7F7F
                we_store_pair(target + written, pair)
                written += 1 + (pair > 0xFF)
        read += 1
        if error_code_point != NO_ERROR:
            run.code_point = error_code_point
            result = WE_UNMAPPABLE
            break
    if run.end_of_queue and result == WE_INPUT_EMPTY:
        if run.state.iso_2022_jp_encoder_state != WE_ISO_2022_JP_ASCII:
            # 1. Back to ASCII.
            run.state.iso_2022_jp_encoder_state = WE_ISO_2022_JP_ASCII
            target[written] = 0x1B
            target[written + 1] = 0x28
            target[written + 2] = 0x42
            written += 3
    run.read = read
    run.written = written
    return result


# --- Shift_JIS: encoder ---


cdef we_result shift_jis_encode_ucs1(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#shift_jis-encoder"""
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
        read += we_double_byte_run_from_ucs1(run.simd, source + read, end - read, shift_jis_reverse, target + written, &run_written)
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


cdef we_result shift_jis_encode_ucs2(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#shift_jis-encoder"""
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
        read += we_double_byte_run_from_ucs2(run.simd, source + read, end - read, shift_jis_reverse, target + written, &run_written)
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


cdef we_result shift_jis_encode_ucs4(we_encode_run *run) noexcept nogil:
    """https://encoding.spec.whatwg.org/#shift_jis-encoder"""
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
        read += we_double_byte_run_from_ucs4(run.simd, source + read, end - read, shift_jis_reverse, target + written, &run_written)
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

cdef we_codec euc_jp_codec
euc_jp_codec.decode[0] = euc_jp_decode_ucs1
euc_jp_codec.decode[1] = euc_jp_decode_ucs2
euc_jp_codec.decode[2] = euc_jp_decode_ucs4
euc_jp_codec.decode[3] = euc_jp_decode_utf8
euc_jp_codec.encode[0] = euc_jp_encode_ucs1
euc_jp_codec.encode_room[0] = 2
euc_jp_codec.encode[1] = euc_jp_encode_ucs2
euc_jp_codec.encode_room[1] = 2
euc_jp_codec.encode[2] = euc_jp_encode_ucs4
euc_jp_codec.encode_room[2] = 2
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
iso_2022_jp_codec.encode_room[0] = 5
iso_2022_jp_codec.encode[1] = iso_2022_jp_encode_ucs2
iso_2022_jp_codec.encode_room[1] = 5
iso_2022_jp_codec.encode[2] = iso_2022_jp_encode_ucs4
iso_2022_jp_codec.encode_room[2] = 5
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
shift_jis_codec.encode_room[0] = 2
shift_jis_codec.encode[1] = shift_jis_encode_ucs2
shift_jis_codec.encode_room[1] = 2
shift_jis_codec.encode[2] = shift_jis_encode_ucs4
shift_jis_codec.encode_room[2] = 2
shift_jis_codec.decode_shift = 0
shift_jis_codec.is_ascii_compatible = True
shift_jis_codec.tables = NULL
CODECS["Shift_JIS"] = PyCapsule_New(&shift_jis_codec, "whatwg_encoding.codec", NULL)
