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

# Module → those of its names that are names of the package. They are loaded on first use, which keeps the import of the
# package fast. ``dir`` lists those before the bar, that a newcomer meets; __init__.pyi has all for type checkers.
_LAZY = {
    "": "arrow chardet charset_normalizer code_pages contexts mail mime sniff standard urls w3lib webencodings"
    " | editing files malformed mcp names",
    "_api.results": "Decoded | DecodedUTF8 MalformedAt",
    "_api.text": "TextDecoder TextDecoderStream TextEncoder TextEncoderStream",
    "_codecs": "register_codecs unregister_codecs",
    "_decoding.by_line": "decode_by_line | LineDecoder",
    "_decoding.files": "open_utf8",
    "_editing.byte_exact": "ByteExactText EditRefusedError reencode",
    "_native.capi": "| _C_API",
    "_native.core": "| _restore_coder",
    "_sniff.declarations": "| ContentTypeWarning",
    "_sniff.guessing": "decode_crawled decode_crawled_to_utf8",
    "_text.mojibake": "Repaired repair repair_many",
    "_decoding.together": "DecodedTogether decode_together",
    "contexts": "decode_as decode_css decode_html decode_stream decode_xml"
    " | CONTEXTS DecodeContext DecodeStream LateMeta NotSpecifiedError decode_html_to_utf8",
    "names": "lookup_codec",
    "standard": "encode | EncodeIntoResult EncodeOrFail bom_sniff encode_or_fail get_encoder index_code_point"
    " index_gb18030_ranges_code_point index_gb18030_ranges_pointer index_pointer isomorphic_decode isomorphic_encode"
    " utf8_decode utf8_decode_without_bom utf8_decode_without_bom_or_fail utf8_encode",
}
_HOMES = {name: module for module, names in _LAZY.items() for name in names.replace("|", "").split()}

globals().update(CONSTANTS)
__all__ = [
    "ENCODINGS", "LABELS", "Decoder", "Encoder", "EncoderUnavailableError", "Encoding", "UnknownLabelError",
    "cpu_features", "decode", "decode_many", "get_include", "lookup", "recode", *CONSTANTS,
    *(name for names in _LAZY.values() for name in names.partition("|")[0].split()),
]  # fmt: skip


def get_include() -> str:
    """Return the folder of ``whatwg_encoding.h``, the header of the C API, for a compiler's include path."""
    return __file__.removesuffix("__init__.py") + "include"


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # As importlib.import_module, but importing that takes as long as importing this module.
    module = __import__(f"{__name__}.{home or name}", fromlist=("__name__",))
    if not home:
        return module
    value: object = getattr(module, name)
    if callable(value):
        value.__module__ = __name__  # the public name, in tracebacks and pickles
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
