"""The WHATWG Encoding Standard: all 40 encodings, exact on every byte.

>>> import whatwg_encoding as we
>>> we.lookup("sjis").decode(b"\\x82\\xb1\\x82\\xf1")
'こん'
>>> we.decode(b"\\xef\\xbb\\xbfcaf\\xc3\\xa9", fallback="windows-1252").text
'café'

https://encoding.spec.whatwg.org/
"""

if __spec__ is not None and type(__spec__.loader).__name__ == "zipimporter":
    raise ImportError(
        "whatwg_encoding has compiled modules, which Python cannot import from a zip archive: install it beside the "
        "archive, or use a tool that unpacks archives, such as shiv or PEX"
    )

from ._native.core import (
    CONSTANTS,
    ENCODINGS,
    LABELS,
    Decoder,
    Encoder,
    EncoderUnavailableError,
    Encoding,
    UnknownLabelError,
    cpu_features,
    decode,
    decode_many,
    lookup,
    recode,
)

__version__ = "0.1.0"

#: What ``dir`` lists besides: names that a newcomer meets. The others are listed at their homes, ``standard`` and
#: ``contexts``, and are names of the package, too.
__all__ = [
    "ENCODINGS", "LABELS", "ByteExactText", "Decoded", "DecodedTogether", "Decoder", "EditRefusedError", "Encoder",
    "EncoderUnavailableError", "Encoding", "Repaired", "TextDecoder", "TextDecoderStream", "TextEncoder",
    "TextEncoderStream", "UnknownLabelError", "arrow", "contexts", "cpu_features", "decode", "decode_as",
    "decode_crawled", "decode_crawled_to_utf8", "decode_css", "decode_html", "decode_many", "decode_stream",
    "decode_together", "decode_xml", "encode", "get_include", "lookup", "lookup_codec", "mail", "mime", "open_utf8",
    "recode", "reencode", "register_codecs", "repair", "sniff", "standard", "unregister_codecs", "urls",
]  # fmt: skip

# Type checkers take this name for true. It saves most modules the import of typing, which is slow.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import _labels, arrow, contexts, mail, mime, sniff, standard, urls
    from . import chardet as chardet
    from . import charset_normalizer as charset_normalizer
    from . import code_pages as code_pages
    from . import editing as editing
    from . import mcp as mcp
    from . import names as names
    from . import w3lib as w3lib
    from . import webencodings as webencodings
    from ._api.results import Decoded
    from ._api.results import MalformedAt as MalformedAt
    from ._api.text import TextDecoder, TextDecoderStream, TextEncoder, TextEncoderStream
    from ._codecs import register_codecs, unregister_codecs
    from ._decoding.by_line import decode_by_line as decode_by_line
    from ._decoding.files import open_utf8
    from ._editing.byte_exact import ByteExactText, EditRefusedError, reencode
    from ._labels import *  # noqa: F403
    from ._sniff.guessing import decode_crawled, decode_crawled_to_utf8
    from ._text.mojibake import Repaired, repair
    from ._text.together import DecodedTogether, decode_together
    from .contexts import *  # noqa: F403
    from .contexts import (
        decode_as,
        decode_css,
        decode_html,
        decode_stream,
        decode_xml,
    )
    from .names import lookup_codec
    from .standard import *  # noqa: F403
    from .standard import encode

    __all__ += _labels.__all__
else:
    globals().update(CONSTANTS)
    __all__ += CONSTANTS

#: Module → the names loaded from it on first use, which keeps the import of the package fast. They are the module's
#: ``__all__``, which type checkers read.
_LAZY = {
    "_api.results": "Decoded MalformedAt",
    "_api.text": "TextDecoder TextDecoderStream TextEncoder TextEncoderStream",
    "_codecs": "register_codecs unregister_codecs",
    "names": "lookup_codec",
    "_editing.byte_exact": "ByteExactText EditRefusedError reencode",
    "_native.capi": "_C_API",
    "_native.core": "_restore_coder",
    "_sniff.guessing": "decode_crawled decode_crawled_to_utf8",
    "_decoding.by_line": "decode_by_line",
    "_text.mojibake": "Repaired repair",
    "_decoding.files": "open_utf8",
    "_text.together": "DecodedTogether decode_together",
    "contexts": "CONTEXTS DecodeContext DecodeStream LateMeta NotSpecifiedError decode_as decode_css decode_html "
    "decode_html_to_utf8 decode_stream decode_xml",
    "standard": "EncodeIntoResult EncodeOrFail bom_sniff encode encode_or_fail get_encoder index_code_point "
    "index_gb18030_ranges_code_point index_gb18030_ranges_pointer index_pointer isomorphic_decode isomorphic_encode "
    "utf8_decode utf8_decode_without_bom utf8_decode_without_bom_or_fail utf8_encode",
}
_MODULES = frozenset(
    ("arrow", "chardet", "charset_normalizer", "code_pages", "contexts", "editing", "mail", "mcp", "mime", "names", "sniff",
     "standard", "urls", "w3lib", "webencodings")
)  # fmt: skip
_HOMES = {name: module for module, names in _LAZY.items() for name in names.split()}


def get_include() -> str:
    """Return the folder of ``whatwg_encoding.h``, the header of the C API, for a compiler's include path."""
    return __file__.removesuffix("__init__.py") + "include"


def __getattr__(name: str) -> object:
    from importlib import import_module  # imported here, since importing it takes as long as the rest of this module

    if name in _HOMES:
        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        if callable(value):
            value.__module__ = __name__  # the public name, in tracebacks and pickles
        globals()[name] = value
        return value
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
