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

from . import _labels
from ._labels import *  # noqa: F403 - the constants, generated from the data
from ._native.text.core import (
    Decoder,
    Encoder,
    EncoderUnavailableError,
    Encoding,
    UnknownLabelError,
    cpu_features,
    decode_many,
    recode,
)

__version__ = "0.1.0"

__all__ = [
    "Decoder",
    "Encoder",
    "EncoderUnavailableError",
    "Encoding",
    "UnknownLabelError",
    "arrow",
    "contexts",
    "cpu_features",
    "decode_many",
    "get_include",
    "lookup_codec",
    "mail",
    "mime",
    "open_utf8",
    "recode",
    "register_codecs",
    "sniff",
    "unregister_codecs",
    "urls",
    "w3lib",
    "webencodings",
]
__all__ += _labels.__all__

# Type checkers take this name for true. It saves most modules the import of typing, which is slow.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import (
        arrow,
        contexts,
        mail,
        mime,
        sniff,
        urls,
        w3lib,
        webencodings,
    )
    from ._api import hooks as _hooks
    from ._api import indexes as _indexes
    from ._api import results as _results
    from ._api import text as _text
    from ._api.hooks import *  # noqa: F403
    from ._api.indexes import *  # noqa: F403
    from ._api.results import *  # noqa: F403
    from ._api.text import *  # noqa: F403
    from ._codecs import register_codecs, unregister_codecs
    from ._codecs.names import lookup_codec
    from ._edit import byte_exact as _byte_exact
    from ._edit.byte_exact import *  # noqa: F403
    from ._text import mojibake as _mojibake
    from ._text import together as _together
    from ._text.mojibake import *  # noqa: F403
    from ._text.readers import open_utf8
    from ._text.together import *  # noqa: F403
    from .contexts import *  # noqa: F403

    __all__ += _byte_exact.__all__
    __all__ += _hooks.__all__
    __all__ += _indexes.__all__
    __all__ += _results.__all__
    __all__ += _mojibake.__all__
    __all__ += _text.__all__
    __all__ += _together.__all__
    __all__ += contexts.__all__

#: Module → the names loaded from it on first use, which keeps the import of the package fast. They are the module's
#: ``__all__``, which type checkers read.
_LAZY = {
    "_edit.byte_exact": "ByteExactText EditRefusedError reencode",
    "_native.capi": "_C_API",
    "_native.text.core": "_restore_coder",
    "_codecs.names": "lookup_codec",
    "_codecs": "register_codecs unregister_codecs",
    "_api.hooks": "bom_sniff decode encode encode_or_fail get_encoder isomorphic_decode isomorphic_encode utf8_decode "
    "utf8_decode_without_bom utf8_decode_without_bom_or_fail utf8_encode",
    "_api.indexes": "index_code_point index_gb18030_ranges_code_point index_gb18030_ranges_pointer index_pointer",
    "_text.readers": "open_utf8",
    "_api.results": "Decoded EncodeIntoResult EncodeOrFail",
    "_api.text": "TextDecoder TextDecoderStream TextEncoder TextEncoderStream",
    "_text.mojibake": "Repaired repair",
    "_text.together": "DecodedTogether decode_together",
    "contexts": "CONTEXTS DecodeContext DecodeStream LateMeta NotSpecifiedError decode_as decode_crawled "
    "decode_crawled_to_utf8 decode_css decode_html decode_html_to_utf8 decode_stream decode_xml",
}
_HOMES = {name: module for module, names in _LAZY.items() for name in names.split()}
if not TYPE_CHECKING:
    __all__ += [name for name in _HOMES if name not in __all__ and not name.startswith("_")]


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
    if name in __all__:  # a module: everything else is a global
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
