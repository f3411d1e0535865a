"""The decoders and encoders of the standard, compiled from its text, by the lowercase name of the encoding.

Emitted by `python -m generator emit` from data/algorithms.toml; do not edit.
"""

from __future__ import annotations

from typing import Any

from .chinese_simplified import Gb18030Decoder, Gb18030Encoder
from .chinese_traditional import Big5Decoder, Big5Encoder
from .japanese import EucJpDecoder, EucJpEncoder, Iso2022JpDecoder, Iso2022JpEncoder, ShiftJisDecoder, ShiftJisEncoder
from .korean import EucKrDecoder, EucKrEncoder
from .miscellaneous import ReplacementDecoder, SharedUtf16Decoder, XUserDefinedDecoder, XUserDefinedEncoder
from .single_byte import SingleByteDecoder, SingleByteEncoder
from .utf_8 import Utf8Decoder, Utf8Encoder


def _with(handler: Any, **members: Any) -> Any:
    vars(handler).update(members)
    return handler


DECODERS: dict[str, Any] = {
    "utf-8": Utf8Decoder,
    "single-byte encodings": SingleByteDecoder,
    "gbk": Gb18030Decoder,
    "gb18030": Gb18030Decoder,
    "big5": Big5Decoder,
    "euc-jp": EucJpDecoder,
    "iso-2022-jp": Iso2022JpDecoder,
    "shift_jis": ShiftJisDecoder,
    "euc-kr": EucKrDecoder,
    "replacement": ReplacementDecoder,
    "utf-16be": lambda: _with(SharedUtf16Decoder(), is_utf_16be_decoder=True),
    "utf-16le": SharedUtf16Decoder,
    "x-user-defined": XUserDefinedDecoder,
}

ENCODERS: dict[str, Any] = {
    "utf-8": Utf8Encoder,
    "single-byte encodings": SingleByteEncoder,
    "gbk": lambda: _with(Gb18030Encoder(), is_gbk=True),
    "gb18030": Gb18030Encoder,
    "big5": Big5Encoder,
    "euc-jp": EucJpEncoder,
    "iso-2022-jp": Iso2022JpEncoder,
    "shift_jis": ShiftJisEncoder,
    "euc-kr": EucKrEncoder,
    "x-user-defined": XUserDefinedEncoder,
}
