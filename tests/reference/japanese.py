"""The EUC-JP, ISO-2022-JP and Shift_JIS handlers.

https://encoding.spec.whatwg.org/#legacy-multi-byte-japanese-encodings
"""

from __future__ import annotations

from enum import Enum

from .indexes import index, shift_jis_pointer
from .io_queue import END_OF_QUEUE, IOQueue, Item, in_range
from .processing import CONTINUE, FINISHED, Decoder, Encoder, Error, Result, is_ascii


class EUCJPDecoder(Decoder):
    """EUC-JP's decoder: https://encoding.spec.whatwg.org/#euc-jp-decoder."""

    def __init__(self) -> None:
        self.jis0212 = False
        self.leading = 0x00

    @property
    def in_sequence(self) -> bool:
        return self.leading != 0x00

    def handler(self, io_queue: IOQueue, byte: Item) -> Result:
        # 1. If byte is end-of-queue and EUC-JP leading is not 0x00, set EUC-JP leading to 0x00, and return error.
        if byte is END_OF_QUEUE and self.leading != 0x00:
            self.leading = 0x00
            return Error()
        # 2. If byte is end-of-queue and EUC-JP leading is 0x00, return finished.
        if byte is END_OF_QUEUE:
            return FINISHED
        # 3. If EUC-JP leading is 0x8E and byte is in the range 0xA1 to 0xDF, inclusive, set EUC-JP leading to 0x00 and
        #    return a code point whose value is 0xFF61 - 0xA1 + byte.
        if self.leading == 0x8E and in_range(byte, 0xA1, 0xDF):
            self.leading = 0x00
            return [0xFF61 - 0xA1 + byte]
        # 4. If EUC-JP leading is 0x8F and byte is in the range 0xA1 to 0xFE, inclusive, set EUC-JP jis0212 to true, set
        #    EUC-JP leading to byte, and return continue.
        if self.leading == 0x8F and in_range(byte, 0xA1, 0xFE):
            self.jis0212 = True
            self.leading = byte
            return CONTINUE
        # 5. If EUC-JP leading is not 0x00:
        if self.leading != 0x00:
            # 1. Let leading be EUC-JP leading.
            leading = self.leading
            # 2. Set EUC-JP leading to 0x00.
            self.leading = 0x00
            # 3. Let code point be null.
            code_point = None
            # 4. If leading and byte are both in the range 0xA1 to 0xFE, inclusive, then set code point to the index
            #    code point for (leading - 0xA1) x 94 + byte - 0xA1 in index jis0208 if EUC-JP jis0212 is false and in
            #    index jis0212 otherwise.
            if in_range(leading, 0xA1, 0xFE) and in_range(byte, 0xA1, 0xFE):
                which = index("jis0212") if self.jis0212 else index("jis0208")
                code_point = which.code_point((leading - 0xA1) * 94 + byte - 0xA1)
            # 5. Set EUC-JP jis0212 to false.
            self.jis0212 = False
            # 6. If code point is non-null, return a code point whose value is code point.
            if code_point is not None:
                return [code_point]
            # 7. If byte is an ASCII byte, restore byte to ioQueue.
            if is_ascii(byte):
                io_queue.restore(byte)
            # 8. Return error.
            return Error()
        # 6. If byte is an ASCII byte, return a code point whose value is byte.
        if is_ascii(byte):
            return [byte]
        # 7. If byte is 0x8E, 0x8F, or in the range 0xA1 to 0xFE, inclusive, set EUC-JP leading to byte and return
        #    continue.
        if byte in (0x8E, 0x8F) or in_range(byte, 0xA1, 0xFE):
            self.leading = byte
            return CONTINUE
        # 8. Return error.
        return Error()


class EUCJPEncoder(Encoder):
    """EUC-JP's encoder: https://encoding.spec.whatwg.org/#euc-jp-encoder."""

    def handler(self, io_queue: IOQueue, code_point: Item) -> Result:
        # 1. If code point is end-of-queue, return finished.
        if code_point is END_OF_QUEUE:
            return FINISHED
        # 2. If code point is an ASCII code point, return a byte whose value is code point.
        if is_ascii(code_point):
            return [code_point]
        # 3. If code point is U+00A5, return byte 0x5C.
        if code_point == 0x00A5:
            return [0x5C]
        # 4. If code point is U+203E, return byte 0x7E.
        if code_point == 0x203E:
            return [0x7E]
        # 5. If code point is in the range U+FF61 to U+FF9F, inclusive, return two bytes whose values are 0x8E and
        #    code point - 0xFF61 + 0xA1.
        if in_range(code_point, 0xFF61, 0xFF9F):
            return [0x8E, code_point - 0xFF61 + 0xA1]
        # 6. If code point is U+2212, set it to U+FF0D. The error below then has that code point.
        if code_point == 0x2212:
            code_point = 0xFF0D
        # 7. Let pointer be the index pointer for code point in index jis0208.
        pointer = index("jis0208").pointer(code_point)
        # 8. If pointer is null, return error with code point.
        if pointer is None:
            return Error(code_point)
        # 9. Let leading be pointer / 94 + 0xA1.
        leading = pointer // 94 + 0xA1
        # 10. Let trailing be pointer % 94 + 0xA1.
        trailing = pointer % 94 + 0xA1
        # 11. Return two bytes whose values are leading and trailing.
        return [leading, trailing]


class State(Enum):
    """ISO-2022-JP decoder state; its first four are also those of the decoder's output state."""

    ASCII = "ASCII"
    ROMAN = "Roman"
    KATAKANA = "katakana"
    LEADING_BYTE = "leading byte"
    TRAILING_BYTE = "trailing byte"
    ESCAPE_START = "escape start"
    ESCAPE = "escape"


class ISO2022JPDecoder(Decoder):
    """ISO-2022-JP's decoder: https://encoding.spec.whatwg.org/#iso-2022-jp-decoder."""

    def __init__(self) -> None:
        self.decoder_state = State.ASCII
        self.decoder_output_state = State.ASCII
        self.leading = 0x00
        self.output = False

    @property
    def in_sequence(self) -> bool:
        return self.decoder_state in (State.TRAILING_BYTE, State.ESCAPE_START, State.ESCAPE)

    def handler(self, io_queue: IOQueue, byte: Item) -> Result:
        # Switching on ISO-2022-JP decoder state:
        match self.decoder_state:
            case State.ASCII:
                return self._ascii(byte)
            case State.ROMAN:
                return self._roman(byte)
            case State.KATAKANA:
                return self._katakana(byte)
            case State.LEADING_BYTE:
                return self._leading_byte(byte)
            case State.TRAILING_BYTE:
                return self._trailing_byte(byte)
            case State.ESCAPE_START:
                return self._escape_start(io_queue, byte)
            case State.ESCAPE:
                return self._escape(io_queue, byte)

    def _ascii(self, byte: Item) -> Result:
        """Run the steps of the state ASCII."""
        # Based on byte:
        # - 0x1B: set ISO-2022-JP decoder state to escape start and return continue.
        if byte == 0x1B:
            self.decoder_state = State.ESCAPE_START
            return CONTINUE
        # - 0x00 to 0x7F, excluding 0x0E, 0x0F, and 0x1B: set ISO-2022-JP output to false and return a code point whose
        #   value is byte.
        if in_range(byte, 0x00, 0x7F) and byte not in (0x0E, 0x0F, 0x1B):
            self.output = False
            return [byte]
        # - end-of-queue: return finished.
        if byte is END_OF_QUEUE:
            return FINISHED
        # - Otherwise: set ISO-2022-JP output to false and return error.
        self.output = False
        return Error()

    def _roman(self, byte: Item) -> Result:
        """Run the steps of the state Roman."""
        # Based on byte:
        # - 0x1B: set ISO-2022-JP decoder state to escape start and return continue.
        if byte == 0x1B:
            self.decoder_state = State.ESCAPE_START
            return CONTINUE
        # - 0x5C: set ISO-2022-JP output to false and return code point U+00A5.
        if byte == 0x5C:
            self.output = False
            return [0x00A5]
        # - 0x7E: set ISO-2022-JP output to false and return code point U+203E.
        if byte == 0x7E:
            self.output = False
            return [0x203E]
        # - 0x00 to 0x7F, excluding 0x0E, 0x0F, 0x1B, 0x5C, and 0x7E: set ISO-2022-JP output to false and return a code
        #   point whose value is byte.
        if in_range(byte, 0x00, 0x7F) and byte not in (0x0E, 0x0F, 0x1B, 0x5C, 0x7E):
            self.output = False
            return [byte]
        # - end-of-queue: return finished.
        if byte is END_OF_QUEUE:
            return FINISHED
        # - Otherwise: set ISO-2022-JP output to false and return error.
        self.output = False
        return Error()

    def _katakana(self, byte: Item) -> Result:
        """Run the steps of the state katakana."""
        # Based on byte:
        # - 0x1B: set ISO-2022-JP decoder state to escape start and return continue.
        if byte == 0x1B:
            self.decoder_state = State.ESCAPE_START
            return CONTINUE
        # - 0x21 to 0x5F: set ISO-2022-JP output to false and return a code point whose value is 0xFF61 - 0x21 + byte.
        if in_range(byte, 0x21, 0x5F):
            self.output = False
            return [0xFF61 - 0x21 + byte]
        # - end-of-queue: return finished.
        if byte is END_OF_QUEUE:
            return FINISHED
        # - Otherwise: set ISO-2022-JP output to false and return error.
        self.output = False
        return Error()

    def _leading_byte(self, byte: Item) -> Result:
        """Run the steps of the state leading byte."""
        # Based on byte:
        # - 0x1B: set ISO-2022-JP decoder state to escape start and return continue.
        if byte == 0x1B:
            self.decoder_state = State.ESCAPE_START
            return CONTINUE
        # - 0x21 to 0x7E: set ISO-2022-JP output to false, ISO-2022-JP leading to byte, ISO-2022-JP decoder state to
        #   trailing byte, and return continue.
        if in_range(byte, 0x21, 0x7E):
            self.output = False
            self.leading = byte
            self.decoder_state = State.TRAILING_BYTE
            return CONTINUE
        # - end-of-queue: return finished.
        if byte is END_OF_QUEUE:
            return FINISHED
        # - Otherwise: set ISO-2022-JP output to false and return error.
        self.output = False
        return Error()

    def _trailing_byte(self, byte: Item) -> Result:
        """Run the steps of the state trailing byte."""
        # Based on byte:
        # - 0x1B: set ISO-2022-JP decoder state to escape start and return error.
        if byte == 0x1B:
            self.decoder_state = State.ESCAPE_START
            return Error()
        # - 0x21 to 0x7E:
        if in_range(byte, 0x21, 0x7E):
            # 1. Set the ISO-2022-JP decoder state to leading byte.
            self.decoder_state = State.LEADING_BYTE
            # 2. Let pointer be (ISO-2022-JP leading - 0x21) x 94 + byte - 0x21.
            pointer = (self.leading - 0x21) * 94 + byte - 0x21
            # 3. Let code point be the index code point for pointer in index jis0208.
            code_point = index("jis0208").code_point(pointer)
            # 4. If code point is null, return error.
            if code_point is None:
                return Error()
            # 5. Return a code point whose value is code point.
            return [code_point]
        # - end-of-queue: set the ISO-2022-JP decoder state to leading byte and return error.
        if byte is END_OF_QUEUE:
            self.decoder_state = State.LEADING_BYTE
            return Error()
        # - Otherwise: set ISO-2022-JP decoder state to leading byte and return error.
        self.decoder_state = State.LEADING_BYTE
        return Error()

    def _escape_start(self, io_queue: IOQueue, byte: Item) -> Result:
        """Run the steps of the state escape start."""
        # 1. If byte is either 0x24 or 0x28, set ISO-2022-JP leading to byte, ISO-2022-JP decoder state to escape, and
        #    return continue.
        if byte in (0x24, 0x28):
            self.leading = byte
            self.decoder_state = State.ESCAPE
            return CONTINUE
        # 2. If byte is not end-of-queue, then restore byte to ioQueue.
        if byte is not END_OF_QUEUE:
            io_queue.restore(byte)
        # 3. Set ISO-2022-JP output to false, ISO-2022-JP decoder state to ISO-2022-JP decoder output state, and return
        #    error.
        self.output = False
        self.decoder_state = self.decoder_output_state
        return Error()

    def _escape(self, io_queue: IOQueue, byte: Item) -> Result:
        """Run the steps of the state escape."""
        # 1. Let leading be ISO-2022-JP leading and set ISO-2022-JP leading to 0x00.
        leading = self.leading
        self.leading = 0x00
        # 2. Let state be null.
        state = None
        # 3. If leading is 0x28 and byte is 0x42, set state to ASCII.
        if leading == 0x28 and byte == 0x42:
            state = State.ASCII
        # 4. If leading is 0x28 and byte is 0x4A, set state to Roman.
        if leading == 0x28 and byte == 0x4A:
            state = State.ROMAN
        # 5. If leading is 0x28 and byte is 0x49, set state to katakana.
        if leading == 0x28 and byte == 0x49:
            state = State.KATAKANA
        # 6. If leading is 0x24 and byte is either 0x40 or 0x42, set state to leading byte.
        if leading == 0x24 and byte in (0x40, 0x42):
            state = State.LEADING_BYTE
        # 7. If state is non-null, then:
        if state is not None:
            # 1. Set ISO-2022-JP decoder state and ISO-2022-JP decoder output state to state.
            self.decoder_state = self.decoder_output_state = state
            # 2. Let output be the value of ISO-2022-JP output.
            output = self.output
            # 3. Set ISO-2022-JP output to true.
            self.output = True
            # 4. Return continue, if output is false, and error otherwise.
            return Error() if output else CONTINUE
        # 8. If byte is end-of-queue, then restore leading to ioQueue; otherwise, restore leading and byte to ioQueue.
        if byte is END_OF_QUEUE:
            io_queue.restore(leading)
        else:
            io_queue.restore(leading, byte)
        # 9. Set ISO-2022-JP output to false, ISO-2022-JP decoder state to ISO-2022-JP decoder output state and return
        #    error.
        self.output = False
        self.decoder_state = self.decoder_output_state
        return Error()


class EncoderState(Enum):
    """ISO-2022-JP encoder state."""

    ASCII = "ASCII"
    ROMAN = "Roman"
    JIS0208 = "jis0208"


class ISO2022JPEncoder(Encoder):
    """ISO-2022-JP's encoder: https://encoding.spec.whatwg.org/#iso-2022-jp-encoder."""

    def __init__(self) -> None:
        self.encoder_state = EncoderState.ASCII

    def handler(self, io_queue: IOQueue, code_point: Item) -> Result:
        # 1. If code point is end-of-queue and ISO-2022-JP encoder state is not ASCII, set ISO-2022-JP encoder state to
        #    ASCII, and return three bytes 0x1B 0x28 0x42.
        if code_point is END_OF_QUEUE and self.encoder_state is not EncoderState.ASCII:
            self.encoder_state = EncoderState.ASCII
            return [0x1B, 0x28, 0x42]
        # 2. If code point is end-of-queue and ISO-2022-JP encoder state is ASCII, return finished.
        if code_point is END_OF_QUEUE:
            return FINISHED
        # 3. If ISO-2022-JP encoder state is ASCII or Roman, and code point is U+000E, U+000F, or U+001B, return error
        #    with U+FFFD. (This returns U+FFFD rather than code point to prevent attacks.)
        if self.encoder_state in (EncoderState.ASCII, EncoderState.ROMAN) and code_point in (0x000E, 0x000F, 0x001B):
            return Error(0xFFFD)
        # 4. If ISO-2022-JP encoder state is ASCII and code point is an ASCII code point, return a byte whose value is
        #    code point.
        if self.encoder_state is EncoderState.ASCII and is_ascii(code_point):
            return [code_point]
        # 5. If ISO-2022-JP encoder state is Roman and code point is an ASCII code point, excluding U+005C and U+007E,
        #    or is U+00A5 or U+203E, then:
        if self.encoder_state is EncoderState.ROMAN and (
            (is_ascii(code_point) and code_point not in (0x005C, 0x007E)) or code_point in (0x00A5, 0x203E)
        ):
            # 1. If code point is an ASCII code point, return a byte whose value is code point.
            if is_ascii(code_point):
                return [code_point]
            # 2. If code point is U+00A5, return byte 0x5C.
            if code_point == 0x00A5:
                return [0x5C]
            # 3. If code point is U+203E, return byte 0x7E.
            return [0x7E]
        # 6. If code point is an ASCII code point, and ISO-2022-JP encoder state is not ASCII, restore code point to
        #    ioQueue, set ISO-2022-JP encoder state to ASCII, and return three bytes 0x1B 0x28 0x42.
        if is_ascii(code_point) and self.encoder_state is not EncoderState.ASCII:
            io_queue.restore(code_point)
            self.encoder_state = EncoderState.ASCII
            return [0x1B, 0x28, 0x42]
        # 7. If code point is either U+00A5 or U+203E, and ISO-2022-JP encoder state is not Roman, restore code point to
        #    ioQueue, set ISO-2022-JP encoder state to Roman, and return three bytes 0x1B 0x28 0x4A.
        if code_point in (0x00A5, 0x203E) and self.encoder_state is not EncoderState.ROMAN:
            io_queue.restore(code_point)
            self.encoder_state = EncoderState.ROMAN
            return [0x1B, 0x28, 0x4A]
        # 8. If code point is U+2212, set it to U+FF0D.
        if code_point == 0x2212:
            code_point = 0xFF0D
        # 9. If code point is in the range U+FF61 to U+FF9F, inclusive, set it to the index code point for code point -
        #    0xFF61 in index ISO-2022-JP katakana.
        if in_range(code_point, 0xFF61, 0xFF9F):
            katakana = index("iso-2022-jp-katakana").code_point(code_point - 0xFF61)
            assert katakana is not None
            code_point = katakana
        # 10. Let pointer be the index pointer for code point in index jis0208.
        pointer = index("jis0208").pointer(code_point)
        # 11. If pointer is null, then:
        if pointer is None:
            # 1. If ISO-2022-JP encoder state is jis0208, then restore code point to ioQueue, set ISO-2022-JP encoder
            #    state to ASCII, and return three bytes 0x1B 0x28 0x42.
            if self.encoder_state is EncoderState.JIS0208:
                io_queue.restore(code_point)
                self.encoder_state = EncoderState.ASCII
                return [0x1B, 0x28, 0x42]
            # 2. Return error with code point.
            return Error(code_point)
        # 12. If ISO-2022-JP encoder state is not jis0208, restore code point to ioQueue, set ISO-2022-JP encoder state
        #     to jis0208, and return three bytes 0x1B 0x24 0x42.
        if self.encoder_state is not EncoderState.JIS0208:
            io_queue.restore(code_point)
            self.encoder_state = EncoderState.JIS0208
            return [0x1B, 0x24, 0x42]
        # 13. Let leading be pointer / 94 + 0x21.
        leading = pointer // 94 + 0x21
        # 14. Let trailing be pointer % 94 + 0x21.
        trailing = pointer % 94 + 0x21
        # 15. Return two bytes whose values are leading and trailing.
        return [leading, trailing]


class ShiftJISDecoder(Decoder):
    """Shift_JIS's decoder: https://encoding.spec.whatwg.org/#shift_jis-decoder."""

    def __init__(self) -> None:
        self.leading = 0x00

    @property
    def in_sequence(self) -> bool:
        return self.leading != 0x00

    def handler(self, io_queue: IOQueue, byte: Item) -> Result:
        # 1. If byte is end-of-queue and Shift_JIS leading is not 0x00, set Shift_JIS leading to 0x00 and return error.
        if byte is END_OF_QUEUE and self.leading != 0x00:
            self.leading = 0x00
            return Error()
        # 2. If byte is end-of-queue and Shift_JIS leading is 0x00, return finished.
        if byte is END_OF_QUEUE:
            return FINISHED
        # 3. If Shift_JIS leading is not 0x00:
        if self.leading != 0x00:
            # 1. Let leading be Shift_JIS leading.
            leading = self.leading
            # 2. Set Shift_JIS leading to 0x00.
            self.leading = 0x00
            # 3. Let pointer be null.
            pointer = None
            # 4. Let offset be 0x40 if byte is less than 0x7F, otherwise 0x41.
            offset = 0x40 if byte < 0x7F else 0x41
            # 5. Let leading offset be 0x81 if leading is less than 0xA0, otherwise 0xC1.
            leading_offset = 0x81 if leading < 0xA0 else 0xC1
            # 6. If byte is in the range 0x40 to 0x7E, inclusive, or 0x80 to 0xFC, inclusive, set pointer to
            #    (leading - leading offset) x 188 + byte - offset.
            if in_range(byte, 0x40, 0x7E) or in_range(byte, 0x80, 0xFC):
                pointer = (leading - leading_offset) * 188 + byte - offset
            # 7. If pointer is in the range 8836 to 10715, inclusive, return a code point whose value is
            #    0xE000 - 8836 + pointer. (This is interoperable legacy from Windows known as EUDC.)
            if pointer is not None and in_range(pointer, 8836, 10715):
                return [0xE000 - 8836 + pointer]
            # 8. Let code point be null if pointer is null, otherwise the index code point for pointer in index jis0208.
            code_point = None if pointer is None else index("jis0208").code_point(pointer)
            # 9. If code point is non-null, return a code point whose value is code point.
            if code_point is not None:
                return [code_point]
            # 10. If byte is an ASCII byte, restore byte to ioQueue.
            if is_ascii(byte):
                io_queue.restore(byte)
            # 11. Return error.
            return Error()
        # 4. If byte is an ASCII byte or 0x80, return a code point whose value is byte.
        if is_ascii(byte) or byte == 0x80:
            return [byte]
        # 5. If byte is in the range 0xA1 to 0xDF, inclusive, return a code point whose value is 0xFF61 - 0xA1 + byte.
        if in_range(byte, 0xA1, 0xDF):
            return [0xFF61 - 0xA1 + byte]
        # 6. If byte is in the range 0x81 to 0x9F, inclusive, or 0xE0 to 0xFC, inclusive, set Shift_JIS leading to byte
        #    and return continue.
        if in_range(byte, 0x81, 0x9F) or in_range(byte, 0xE0, 0xFC):
            self.leading = byte
            return CONTINUE
        # 7. Return error.
        return Error()


class ShiftJISEncoder(Encoder):
    """Shift_JIS's encoder: https://encoding.spec.whatwg.org/#shift_jis-encoder."""

    def handler(self, io_queue: IOQueue, code_point: Item) -> Result:
        # 1. If code point is end-of-queue, return finished.
        if code_point is END_OF_QUEUE:
            return FINISHED
        # 2. If code point is an ASCII code point or U+0080, return a byte whose value is code point.
        if is_ascii(code_point) or code_point == 0x0080:
            return [code_point]
        # 3. If code point is U+00A5, return byte 0x5C.
        if code_point == 0x00A5:
            return [0x5C]
        # 4. If code point is U+203E, return byte 0x7E.
        if code_point == 0x203E:
            return [0x7E]
        # 5. If code point is in the range U+FF61 to U+FF9F, inclusive, return a byte whose value is
        #    code point - 0xFF61 + 0xA1.
        if in_range(code_point, 0xFF61, 0xFF9F):
            return [code_point - 0xFF61 + 0xA1]
        # 6. If code point is U+2212, set it to U+FF0D.
        if code_point == 0x2212:
            code_point = 0xFF0D
        # 7. Let pointer be the index Shift_JIS pointer for code point.
        pointer = shift_jis_pointer(code_point)
        # 8. If pointer is null, return error with code point.
        if pointer is None:
            return Error(code_point)
        # 9. Let leading be pointer / 188.
        leading = pointer // 188
        # 10. Let leading offset be 0x81 if leading is less than 0x1F, otherwise 0xC1.
        leading_offset = 0x81 if leading < 0x1F else 0xC1
        # 11. Let trailing be pointer % 188.
        trailing = pointer % 188
        # 12. Let offset be 0x40 if trailing is less than 0x3F, otherwise 0x41.
        offset = 0x40 if trailing < 0x3F else 0x41
        # 13. Return two bytes whose values are leading + leading offset and trailing + offset.
        return [leading + leading_offset, trailing + offset]
