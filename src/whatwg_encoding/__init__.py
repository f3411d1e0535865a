"""The WHATWG Encoding Standard: all 40 encodings, exact on every byte.

>>> import whatwg_encoding as we
>>> we.lookup("sjis").decode(b"\\x82\\xb1\\x82\\xf1")
'こん'
>>> we.decode(b"\\xef\\xbb\\xbfcaf\\xc3\\xa9", fallback="windows-1252").text
'café'

https://encoding.spec.whatwg.org/
"""

from . import _labels
from ._core import (
    Decoder,
    Encoder,
    EncoderUnavailableError,
    Encoding,
    UnknownLabelError,
    cpu_features,
    decode_many,
    recode,
)
from ._labels import *  # noqa: F403 - the constants, which a change of the data may add to

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import contexts, mime, sniff, urls, webencodings
    from ._codecs import register_codecs, unregister_codecs
    from ._hooks import (
        bom_sniff,
        decode,
        encode,
        encode_or_fail,
        get_encoder,
        isomorphic_decode,
        isomorphic_encode,
        utf8_decode,
        utf8_decode_without_bom,
        utf8_decode_without_bom_or_fail,
        utf8_encode,
    )
    from ._results import Decoded, EncodeIntoResult, EncodeOrFail
    from ._text import TextDecoder, TextDecoderStream, TextEncoder, TextEncoderStream
    from .contexts import (
        CONTEXTS,
        DecodeContext,
        NotSpecifiedError,
        decode_as,
        decode_css,
        decode_html,
        decode_stream,
        decode_xml,
    )

__version__ = "0.1.0"

#: Where the names live that are loaded when they are first used, so that importing the package stays cheap.
_LAZY = {
    "_capi": ("_C_API",),
    "_codecs": ("register_codecs", "unregister_codecs"),
    "_hooks": (
        "bom_sniff",
        "decode",
        "encode",
        "encode_or_fail",
        "get_encoder",
        "isomorphic_decode",
        "isomorphic_encode",
        "utf8_decode",
        "utf8_decode_without_bom",
        "utf8_decode_without_bom_or_fail",
        "utf8_encode",
    ),
    "_results": ("Decoded", "EncodeIntoResult", "EncodeOrFail"),
    "_text": ("TextDecoder", "TextDecoderStream", "TextEncoder", "TextEncoderStream"),
    "contexts": (
        "CONTEXTS",
        "DecodeContext",
        "NotSpecifiedError",
        "decode_as",
        "decode_css",
        "decode_html",
        "decode_stream",
        "decode_xml",
    ),
}
_MODULES = ("contexts", "mime", "sniff", "urls", "webencodings")
_HOMES = {name: module for module, names in _LAZY.items() for name in names}

__all__ = [
    "CONTEXTS",
    "DecodeContext",
    "Decoded",
    "Decoder",
    "EncodeIntoResult",
    "EncodeOrFail",
    "Encoder",
    "EncoderUnavailableError",
    "Encoding",
    "NotSpecifiedError",
    "TextDecoder",
    "TextDecoderStream",
    "TextEncoder",
    "TextEncoderStream",
    "UnknownLabelError",
    "bom_sniff",
    "contexts",
    "cpu_features",
    "decode",
    "decode_as",
    "decode_css",
    "decode_html",
    "decode_many",
    "decode_stream",
    "decode_xml",
    "encode",
    "encode_or_fail",
    "get_encoder",
    "get_include",
    "isomorphic_decode",
    "isomorphic_encode",
    "mime",
    "recode",
    "register_codecs",
    "sniff",
    "unregister_codecs",
    "urls",
    "utf8_decode",
    "utf8_decode_without_bom",
    "utf8_decode_without_bom_or_fail",
    "utf8_encode",
    "webencodings",
]
__all__ += _labels.__all__


def get_include() -> str:
    """Return the folder of ``whatwg_encoding.h``, the header of the C API, for a compiler's include path."""
    return __file__.removesuffix("__init__.py") + "include"


def __getattr__(name: str) -> object:
    from importlib import import_module  # which takes as long as all else here

    if name in _HOMES:
        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
