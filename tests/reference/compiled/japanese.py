"""The algorithms of a chapter of the standard, compiled from its text.

https://encoding.spec.whatwg.org/#legacy-multi-byte-japanese-encodings.

Emitted by `python -m generator emit` from data/algorithms.toml; do not edit. Comments are the numbers of steps.
"""

from __future__ import annotations

from typing import Any

from ..indexes import INDEXES
from ..io_queue import END_OF_QUEUE, in_range, restore
from ..processing import CONTINUE, FINISHED, Decoder, Encoder, Error
from .indexes import index_shift_jis_pointer


class EucJpDecoder(Decoder):
    """https://encoding.spec.whatwg.org/#euc-jp-decoder."""

    def __init__(self) -> None:
        self.euc_jp_jis0212: Any = False
        self.euc_jp_leading: Any = 0x00

    def handler(self, io_queue: Any, byte: Any) -> Any:
        # 1
        if byte is END_OF_QUEUE and self.euc_jp_leading != 0x00:
            self.euc_jp_leading = 0x00
            return Error()
        # 2
        if byte is END_OF_QUEUE and self.euc_jp_leading == 0x00:
            return FINISHED
        # 3
        if self.euc_jp_leading == 0x8E and in_range(byte, 0xA1, 0xDF):
            self.euc_jp_leading = 0x00
            return [0xFF61 - 0xA1 + byte]
        # 4
        if self.euc_jp_leading == 0x8F and in_range(byte, 0xA1, 0xFE):
            self.euc_jp_jis0212 = True
            self.euc_jp_leading = byte
            return CONTINUE
        # 5
        if self.euc_jp_leading != 0x00:
            # 5.1
            leading = self.euc_jp_leading
            # 5.2
            self.euc_jp_leading = 0x00
            # 5.3
            code_point = None
            # 5.4
            if in_range(leading, 0xA1, 0xFE) and in_range(byte, 0xA1, 0xFE):
                code_point = (INDEXES["jis0208"] if self.euc_jp_jis0212 is False else INDEXES["jis0212"]).code_point(
                    (leading - 0xA1) * 94
                    + byte - 0xA1
                )
            # 5.5
            self.euc_jp_jis0212 = False
            # 5.6
            if code_point is not None:
                return [code_point]
            # 5.7
            if in_range(byte, 0x00, 0x7F):
                restore(io_queue, byte)
            # 5.8
            return Error()
        # 6
        if in_range(byte, 0x00, 0x7F):
            return [byte]
        # 7
        if byte == 0x8E or byte == 0x8F or in_range(byte, 0xA1, 0xFE):
            self.euc_jp_leading = byte
            return CONTINUE
        # 8
        return Error()


class EucJpEncoder(Encoder):
    """https://encoding.spec.whatwg.org/#euc-jp-encoder."""

    def handler(self, unused: Any, code_point: Any) -> Any:
        # 1
        if code_point is END_OF_QUEUE:
            return FINISHED
        # 2
        if in_range(code_point, 0x00, 0x7F):
            return [code_point]
        # 3
        if code_point == 0xA5:
            return [0x5C]
        # 4
        if code_point == 0x203E:
            return [0x7E]
        # 5
        if in_range(code_point, 0xFF61, 0xFF9F):
            return [0x8E, code_point - 0xFF61 + 0xA1]
        # 6
        if code_point == 0x2212:
            code_point = 0xFF0D
        # 7
        pointer = INDEXES["jis0208"].pointer(code_point)
        # 8
        if pointer is None:
            return Error(code_point)
        # 9
        leading = pointer // 94 + 0xA1
        # 10
        trailing = pointer % 94 + 0xA1
        # 11
        return [leading, trailing]


class Iso2022JpDecoder(Decoder):
    """https://encoding.spec.whatwg.org/#iso-2022-jp-decoder."""

    def __init__(self) -> None:
        self.iso_2022_jp_decoder_state: Any = "ASCII"
        self.iso_2022_jp_decoder_output_state: Any = "ASCII"
        self.iso_2022_jp_leading: Any = 0x00
        self.iso_2022_jp_output: Any = False

    def handler(self, io_queue: Any, byte: Any) -> Any:
        if self.iso_2022_jp_decoder_state == "ASCII":
            # [ASCII].[0x1B]
            if byte == 0x1B:
                self.iso_2022_jp_decoder_state = "escape start"
                return CONTINUE
            # [ASCII].[0x00 to 0x7F]
            elif in_range(byte, 0x00, 0x7F) and byte != 0x0E and byte != 0x0F and byte != 0x1B:
                self.iso_2022_jp_output = False
                return [byte]
            # [ASCII].[end-of-queue]
            elif byte is END_OF_QUEUE:
                return FINISHED
            # [ASCII].[Otherwise]
            else:
                self.iso_2022_jp_output = False
                return Error()
        elif self.iso_2022_jp_decoder_state == "Roman":
            # [Roman].[0x1B]
            if byte == 0x1B:
                self.iso_2022_jp_decoder_state = "escape start"
                return CONTINUE
            # [Roman].[0x5C]
            elif byte == 0x5C:
                self.iso_2022_jp_output = False
                return [0xA5]
            # [Roman].[0x7E]
            elif byte == 0x7E:
                self.iso_2022_jp_output = False
                return [0x203E]
            # [Roman].[0x00 to 0x7F]
            elif (
                in_range(byte, 0x00, 0x7F)
                and byte != 0x0E
                and byte != 0x0F
                and byte != 0x1B
                and byte != 0x5C
                and byte != 0x7E
            ):
                self.iso_2022_jp_output = False
                return [byte]
            # [Roman].[end-of-queue]
            elif byte is END_OF_QUEUE:
                return FINISHED
            # [Roman].[Otherwise]
            else:
                self.iso_2022_jp_output = False
                return Error()
        elif self.iso_2022_jp_decoder_state == "katakana":
            # [katakana].[0x1B]
            if byte == 0x1B:
                self.iso_2022_jp_decoder_state = "escape start"
                return CONTINUE
            # [katakana].[0x21 to 0x5F]
            elif in_range(byte, 0x21, 0x5F):
                self.iso_2022_jp_output = False
                return [0xFF61 - 0x21 + byte]
            # [katakana].[end-of-queue]
            elif byte is END_OF_QUEUE:
                return FINISHED
            # [katakana].[Otherwise]
            else:
                self.iso_2022_jp_output = False
                return Error()
        elif self.iso_2022_jp_decoder_state == "leading byte":
            # [leading byte].[0x1B]
            if byte == 0x1B:
                self.iso_2022_jp_decoder_state = "escape start"
                return CONTINUE
            # [leading byte].[0x21 to 0x7E]
            elif in_range(byte, 0x21, 0x7E):
                self.iso_2022_jp_output = False
                self.iso_2022_jp_leading = byte
                self.iso_2022_jp_decoder_state = "trailing byte"
                return CONTINUE
            # [leading byte].[end-of-queue]
            elif byte is END_OF_QUEUE:
                return FINISHED
            # [leading byte].[Otherwise]
            else:
                self.iso_2022_jp_output = False
                return Error()
        elif self.iso_2022_jp_decoder_state == "trailing byte":
            # [trailing byte].[0x1B]
            if byte == 0x1B:
                self.iso_2022_jp_decoder_state = "escape start"
                return Error()
            # [trailing byte].[0x21 to 0x7E]
            elif in_range(byte, 0x21, 0x7E):
                # [trailing byte].[0x21 to 0x7E].1
                self.iso_2022_jp_decoder_state = "leading byte"
                # [trailing byte].[0x21 to 0x7E].2
                pointer = (self.iso_2022_jp_leading - 0x21) * 94 + byte - 0x21
                # [trailing byte].[0x21 to 0x7E].3
                code_point = INDEXES["jis0208"].code_point(pointer)
                # [trailing byte].[0x21 to 0x7E].4
                if code_point is None:
                    return Error()
                # [trailing byte].[0x21 to 0x7E].5
                return [code_point]
            # [trailing byte].[end-of-queue]
            elif byte is END_OF_QUEUE:
                self.iso_2022_jp_decoder_state = "leading byte"
                return Error()
            # [trailing byte].[Otherwise]
            else:
                self.iso_2022_jp_decoder_state = "leading byte"
                return Error()
        elif self.iso_2022_jp_decoder_state == "escape start":
            # [escape start].1
            if byte == 0x24 or byte == 0x28:
                self.iso_2022_jp_leading = byte
                self.iso_2022_jp_decoder_state = "escape"
                return CONTINUE
            # [escape start].2
            if byte is not END_OF_QUEUE:
                restore(io_queue, byte)
            # [escape start].3
            self.iso_2022_jp_output = False
            self.iso_2022_jp_decoder_state = self.iso_2022_jp_decoder_output_state
            return Error()
        elif self.iso_2022_jp_decoder_state == "escape":
            # [escape].1
            leading = self.iso_2022_jp_leading
            self.iso_2022_jp_leading = 0x00
            # [escape].2
            state = None
            # [escape].3
            if leading == 0x28 and byte == 0x42:
                state = "ASCII"
            # [escape].4
            if leading == 0x28 and byte == 0x4A:
                state = "Roman"
            # [escape].5
            if leading == 0x28 and byte == 0x49:
                state = "katakana"
            # [escape].6
            if leading == 0x24 and (byte == 0x40 or byte == 0x42):
                state = "leading byte"
            # [escape].7
            if state is not None:
                # [escape].7.1
                self.iso_2022_jp_decoder_state = self.iso_2022_jp_decoder_output_state = state
                # [escape].7.2
                output = self.iso_2022_jp_output
                # [escape].7.3
                self.iso_2022_jp_output = True
                # [escape].7.4
                return CONTINUE if output is False else Error()
            # [escape].8
            if byte is END_OF_QUEUE:
                restore(io_queue, leading)
            else:
                restore(io_queue, [leading, byte])
            # [escape].9
            self.iso_2022_jp_output = False
            self.iso_2022_jp_decoder_state = self.iso_2022_jp_decoder_output_state
            return Error()


class Iso2022JpEncoder(Encoder):
    """https://encoding.spec.whatwg.org/#iso-2022-jp-encoder."""

    def __init__(self) -> None:
        self.iso_2022_jp_encoder_state: Any = "ASCII"

    def handler(self, io_queue: Any, code_point: Any) -> Any:
        # 1
        if code_point is END_OF_QUEUE and self.iso_2022_jp_encoder_state != "ASCII":
            self.iso_2022_jp_encoder_state = "ASCII"
            return [0x1B, 0x28, 0x42]
        # 2
        if code_point is END_OF_QUEUE and self.iso_2022_jp_encoder_state == "ASCII":
            return FINISHED
        # 3
        if (
            (self.iso_2022_jp_encoder_state == "ASCII" or self.iso_2022_jp_encoder_state == "Roman")
            and (code_point == 0x0E or code_point == 0x0F or code_point == 0x1B)
        ):
            return Error(0xFFFD)
        # 4
        if self.iso_2022_jp_encoder_state == "ASCII" and in_range(code_point, 0x00, 0x7F):
            return [code_point]
        # 5
        if (
            self.iso_2022_jp_encoder_state == "Roman"
            and (
                (in_range(code_point, 0x00, 0x7F) and code_point != 0x5C and code_point != 0x7E)
                or code_point == 0xA5
                or code_point == 0x203E
            )
        ):
            # 5.1
            if in_range(code_point, 0x00, 0x7F):
                return [code_point]
            # 5.2
            if code_point == 0xA5:
                return [0x5C]
            # 5.3
            if code_point == 0x203E:
                return [0x7E]
        # 6
        if in_range(code_point, 0x00, 0x7F) and self.iso_2022_jp_encoder_state != "ASCII":
            restore(io_queue, code_point)
            self.iso_2022_jp_encoder_state = "ASCII"
            return [0x1B, 0x28, 0x42]
        # 7
        if (code_point == 0xA5 or code_point == 0x203E) and self.iso_2022_jp_encoder_state != "Roman":
            restore(io_queue, code_point)
            self.iso_2022_jp_encoder_state = "Roman"
            return [0x1B, 0x28, 0x4A]
        # 8
        if code_point == 0x2212:
            code_point = 0xFF0D
        # 9
        if in_range(code_point, 0xFF61, 0xFF9F):
            code_point = INDEXES["iso-2022-jp-katakana"].code_point(code_point - 0xFF61)
        # 10
        pointer = INDEXES["jis0208"].pointer(code_point)
        # 11
        if pointer is None:
            # 11.1
            if self.iso_2022_jp_encoder_state == "jis0208":
                restore(io_queue, code_point)
                self.iso_2022_jp_encoder_state = "ASCII"
                return [0x1B, 0x28, 0x42]
            # 11.2
            return Error(code_point)
        # 12
        if self.iso_2022_jp_encoder_state != "jis0208":
            restore(io_queue, code_point)
            self.iso_2022_jp_encoder_state = "jis0208"
            return [0x1B, 0x24, 0x42]
        # 13
        leading = pointer // 94 + 0x21
        # 14
        trailing = pointer % 94 + 0x21
        # 15
        return [leading, trailing]


class ShiftJisDecoder(Decoder):
    """https://encoding.spec.whatwg.org/#shift_jis-decoder."""

    def __init__(self) -> None:
        self.shift_jis_leading: Any = 0x00

    def handler(self, io_queue: Any, byte: Any) -> Any:
        # 1
        if byte is END_OF_QUEUE and self.shift_jis_leading != 0x00:
            self.shift_jis_leading = 0x00
            return Error()
        # 2
        if byte is END_OF_QUEUE and self.shift_jis_leading == 0x00:
            return FINISHED
        # 3
        if self.shift_jis_leading != 0x00:
            # 3.1
            leading = self.shift_jis_leading
            # 3.2
            self.shift_jis_leading = 0x00
            # 3.3
            pointer = None
            # 3.4
            offset = 0x40 if byte < 0x7F else 0x41
            # 3.5
            leading_offset = 0x81 if leading < 0xA0 else 0xC1
            # 3.6
            if in_range(byte, 0x40, 0x7E) or in_range(byte, 0x80, 0xFC):
                pointer = (leading - leading_offset) * 188 + byte - offset
            # 3.7
            if in_range(pointer, 8836, 10715):
                return [0xE000 - 8836 + pointer]
            # 3.8
            code_point = None if pointer is None else INDEXES["jis0208"].code_point(pointer)
            # 3.9
            if code_point is not None:
                return [code_point]
            # 3.10
            if in_range(byte, 0x00, 0x7F):
                restore(io_queue, byte)
            # 3.11
            return Error()
        # 4
        if in_range(byte, 0x00, 0x7F) or byte == 0x80:
            return [byte]
        # 5
        if in_range(byte, 0xA1, 0xDF):
            return [0xFF61 - 0xA1 + byte]
        # 6
        if in_range(byte, 0x81, 0x9F) or in_range(byte, 0xE0, 0xFC):
            self.shift_jis_leading = byte
            return CONTINUE
        # 7
        return Error()


class ShiftJisEncoder(Encoder):
    """https://encoding.spec.whatwg.org/#shift_jis-encoder."""

    def handler(self, unused: Any, code_point: Any) -> Any:
        # 1
        if code_point is END_OF_QUEUE:
            return FINISHED
        # 2
        if in_range(code_point, 0x00, 0x7F) or code_point == 0x80:
            return [code_point]
        # 3
        if code_point == 0xA5:
            return [0x5C]
        # 4
        if code_point == 0x203E:
            return [0x7E]
        # 5
        if in_range(code_point, 0xFF61, 0xFF9F):
            return [code_point - 0xFF61 + 0xA1]
        # 6
        if code_point == 0x2212:
            code_point = 0xFF0D
        # 7
        pointer = index_shift_jis_pointer(code_point)
        # 8
        if pointer is None:
            return Error(code_point)
        # 9
        leading = pointer // 188
        # 10
        leading_offset = 0x81 if leading < 0x1F else 0xC1
        # 11
        trailing = pointer % 188
        # 12
        offset = 0x40 if trailing < 0x3F else 0x41
        # 13
        return [leading + leading_offset, trailing + offset]
