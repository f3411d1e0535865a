"""The names and behaviour of webencodings 0.6.1, with this package's decoders and encoders.

``install()`` makes ``import webencodings`` find this module, for html5lib, tinycss2, bleach and others.

Differences follow from webencodings' use of Python's codecs, which are not the standard's. Here every decoder and
encoder is the standard's: "replacement" decodes all bytes to one U+FFFD, "euc-jp" and the others decode as browsers do,
an error has exactly the bytes that the standard specifies, and codec names are ``web-<name>``. As in webencodings, and
unlike the standard, UTF-16 can be encoded.
https://encoding.spec.whatwg.org/#names-and-labels
"""

from __future__ import annotations

import codecs
from encodings import charmap
from functools import partial
from itertools import chain

import whatwg_encoding as _we

from ._drop_ins.replaced_modules import ReplacedModules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeVar

    from typing_extensions import Buffer

    Output = TypeVar("Output", str, bytes)

VERSION = __version__ = "0.6.1"

#: Every label of the standard, to its encoding's name in lowercase.
LABELS = {label: encoding.name.lower() for label, encoding in _we.LABELS.items()}

#: Encodings by lowercase name, filled by ``lookup``.
CACHE: dict[str, Encoding] = {}

#: In webencodings, Python's names of codecs. Empty here, since every codec is this package's.
PYTHON_NAMES: dict[str, str] = {}


class Encoding:
    """An encoding: its lowercase ``name`` and its ``codec_info``. There is one object for each, from ``lookup``."""

    def __init__(self, name: str, codec_info: codecs.CodecInfo) -> None:
        self.name = name
        self.codec_info = codec_info

    def __repr__(self) -> str:
        return f"<Encoding {self.name}>"


def ascii_lower(string: str) -> str:
    """Return ``string`` with only its ASCII letters in lowercase.

    https://infra.spec.whatwg.org/#ascii-lowercase

    >>> ascii_lower("Bac\\N{KELVIN SIGN}ground")
    'bac\\u212aground'
    """
    return string.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")


def lookup(label: str) -> Encoding | None:
    """Return the encoding that a label names, or None.

    https://encoding.spec.whatwg.org/#concept-encoding-get

    >>> lookup(" Latin1\\n"), lookup("latin-1")
    (<Encoding windows-1252>, None)
    """
    name = LABELS.get(ascii_lower(label.strip("\t\n\f\r ")))
    if name is None:
        return None
    encoding = CACHE.get(name)
    if encoding is None:
        encoding = CACHE.setdefault(name, Encoding(name, _codec_info(_we.LABELS[name])))
    return encoding


def _codec_info(encoding: _we.Encoding) -> codecs.CodecInfo:
    info = encoding.codec_info
    if encoding.has_encoder:
        return info
    # webencodings has encoders that the standard does not: UTF-16 without a byte order mark, and an empty one for
    # replacement.
    other = _NOTHING if encoding is _we.REPLACEMENT else codecs.lookup(encoding.name)
    return codecs.CodecInfo(
        other.encode,
        info.decode,
        info.streamreader,
        other.streamwriter,
        other.incrementalencoder,
        info.incrementaldecoder,
        name=info.name,
    )


def _encode_nothing(input: str, errors: str = "strict") -> tuple[bytes, int]:
    return codecs.charmap_encode(input, errors, {})


_NOTHING = codecs.CodecInfo(
    _encode_nothing,
    codecs.charmap_decode,
    incrementalencoder=partial(charmap.IncrementalEncoder, mapping={}),
    streamwriter=partial(charmap.StreamWriter, mapping={}),
)


def _get_encoding(encoding_or_label: Encoding | str) -> Encoding:
    if isinstance(encoding_or_label, str):
        encoding = lookup(encoding_or_label)
        if encoding is None:
            raise LookupError(f"Unknown encoding label: {encoding_or_label!r:.70}")
        return encoding
    if not hasattr(encoding_or_label, "codec_info"):
        raise TypeError(f"an encoding must be an Encoding or a label, not {type(encoding_or_label).__name__}")
    return encoding_or_label


#: The UTF-8 encoding.
UTF8 = _get_encoding("utf-8")
_UTF16LE = _get_encoding("utf-16le")
_UTF16BE = _get_encoding("utf-16be")


def _detect_bom(input: Buffer) -> tuple[Encoding | None, Buffer]:
    marked = _we.bom_sniff(input)
    if marked is None:
        return None, input
    data = input if isinstance(input, bytes) else memoryview(input).tobytes("A")
    return lookup(marked.name), memoryview(data)[3 if marked.name == "UTF-8" else 2 :]


def decode(input: Buffer, fallback_encoding: Encoding | str, errors: str = "replace") -> tuple[str, Encoding]:
    """Return the text of ``input`` without a byte order mark, and the encoding used: that of the mark, or the fallback.

    ``fallback_encoding``: an ``Encoding`` or a label. ``errors``: the name of an error handler of Python's. Raise
    LookupError for a label of no encoding, and what the handler raises.
    https://encoding.spec.whatwg.org/#decode

    >>> decode(b"\\x80", "latin1")
    ('€', <Encoding windows-1252>)
    """
    fallback_encoding = _get_encoding(fallback_encoding)
    bom_encoding, input = _detect_bom(input)
    encoding = bom_encoding or fallback_encoding
    return encoding.codec_info.decode(input, errors)[0], encoding


def encode(input: str, encoding: Encoding | str = UTF8, errors: str = "strict") -> bytes:
    """Return the bytes of ``input``.

    ``errors``: the name of an error handler of Python's. Raise LookupError for a label of no encoding, and what the
    handler raises: UnicodeEncodeError for "strict". https://encoding.spec.whatwg.org/#encode
    """
    return _get_encoding(encoding).codec_info.encode(input, errors)[0]


def iter_decode(
    input: Iterable[Buffer], fallback_encoding: Encoding | str, errors: str = "replace"
) -> tuple[Iterator[str], Encoding]:
    """Return an iterator over the text of ``input``, and the encoding: that of a byte order mark, or the fallback.

    Only the chunks that determine the encoding are read immediately; the rest is read during iteration.
    Parameters and errors are those of ``decode``.
    """
    decoder = IncrementalDecoder(fallback_encoding, errors)
    chunks = iter(input)
    for chunk in chunks:
        text = decoder.decode(chunk)
        if decoder.encoding is not None:
            return chain(filter(None, [text]), _outputs(decoder.decode, chunks, b"")), decoder.encoding
    text = decoder.decode(b"", final=True)
    assert decoder.encoding is not None
    return filter(None, [text]), decoder.encoding


def iter_encode(input: Iterable[str], encoding: Encoding | str = UTF8, errors: str = "strict") -> Iterator[bytes]:
    """Return an iterator over the bytes of ``input``. Parameters and errors are those of ``encode``."""
    return _outputs(IncrementalEncoder(encoding, errors).encode, input, "")


def _outputs(convert: Callable[..., Output], chunks: Iterable[object], end: object) -> Iterator[Output]:
    yield from filter(None, map(convert, chunks))
    if output := convert(end, True):
        yield output


class IncrementalDecoder:
    """A decoder of chunks, in which a byte order mark overrides the fallback.

    Parameters and errors are those of ``decode``.
    ``encoding`` is the one used, or None until three bytes, or a byte order mark, have been seen.
    """

    def __init__(self, fallback_encoding: Encoding | str, errors: str = "replace") -> None:
        self._fallback_encoding = _get_encoding(fallback_encoding)
        self._errors = errors
        self._head = b""
        self._decode: Callable[[Buffer, bool], str] | None = None
        self.encoding: Encoding | None = None

    def decode(self, input: Buffer, final: bool = False) -> str:
        """Return the next part of the text. ``final``: no more follows, and an incomplete sequence is an error."""
        if self._decode is None:
            self._head += bytes(input)
            self.encoding, input = _detect_bom(self._head)
            if self.encoding is None:
                if len(self._head) < 3 and not final:
                    return ""
                self.encoding = self._fallback_encoding
            self._decode = self.encoding.codec_info.incrementaldecoder(self._errors).decode
        return self._decode(input, final)


class IncrementalEncoder:
    """An encoder of chunks. Parameters and errors are those of ``encode``."""

    def __init__(self, encoding: Encoding | str = UTF8, errors: str = "strict") -> None:
        self._encoder = _get_encoding(encoding).codec_info.incrementalencoder(errors)

    def encode(self, input: str, final: bool = False) -> bytes:
        """Return the bytes of the next part of the text. ``final``: no more follows."""
        return self._encoder.encode(input, final)


_replaced = ReplacedModules("webencodings")


def install() -> None:
    """Make later imports of ``webencodings`` and ``webencodings.labels`` find this module.

    Modules that have already imported webencodings keep it: a RuntimeWarning names these modules. ``uninstall`` reverts
    it.
    """
    _replaced.install(__name__, {"labels": "LABELS"})


def uninstall() -> None:
    """Make ``import webencodings`` find what it found before ``install``."""
    _replaced.uninstall()


def __dir__() -> list[str]:
    return [
        "LABELS", "PYTHON_NAMES", "UTF8", "VERSION", "Encoding", "IncrementalDecoder", "IncrementalEncoder",
        "ascii_lower", "decode", "encode", "install", "iter_decode", "iter_encode", "lookup", "uninstall",
    ]  # fmt: skip
