"""The encodings as codecs of Python, with the names ``web-<label>``.

Error handlers are Python's: ``strict``, ``replace``, ``ignore`` and any other that is registered. Each is called with
exactly the bytes, or the character, of an error of the standard.
https://docs.python.org/3/library/codecs.html#error-handlers
"""

from __future__ import annotations

import codecs
from encodings import normalize_encoding
from functools import partial

from .._labels import ISO_2022_JP, LABELS
from .._native.core import Codec, new_decoder_with_handler, new_encoder_with_handler

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .._native.core import Encoding

__all__ = ["codec_info", "register_codecs", "unregister_codecs"]

# Python normalizes the name that it passes to a search function: the 228 labels give 216 names, each of one encoding.
_ENCODINGS = {normalize_encoding(f"web-{label}").lower(): encoding for label, encoding in LABELS.items()}


def register_codecs() -> None:
    """Register a codec of Python with the name ``web-<label>`` for each of the standard's labels.

    Further calls have no effect. In a file that ``open`` writes in ISO-2022-JP, all ASCII is in the ASCII state,
    including newlines, so its bytes may differ from those of ``str.encode``, which stays in the Roman state after
    U+00A5 and U+203E. Text that is appended, or written after ``seek``, starts with an escape sequence, because Python
    does not flush the encoder before. The file can therefore be read as it was written.
    https://encoding.spec.whatwg.org/#names-and-labels

    >>> register_codecs()
    >>> b"\\x82\\xa0\\x82".decode("web-sjis", "backslashreplace")
    'あ\\\\x82'
    """
    codecs.unregister(_search)
    codecs.register(_search)


def unregister_codecs() -> None:
    """Unregister the ``web-<label>`` codecs, if they are registered.

    >>> unregister_codecs()
    >>> b"a".decode("web-sjis")
    Traceback (most recent call last):
        ...
    LookupError: unknown encoding: web-sjis
    """
    codecs.unregister(_search)


def _search(name: str) -> codecs.CodecInfo | None:
    encoding = _ENCODINGS.get(normalize_encoding(name).lower())
    return None if encoding is None else encoding.codec_info


def codec_info(encoding: Encoding) -> codecs.CodecInfo:
    """Return a ``CodecInfo`` of an encoding, for its property ``codec_info``.

    Its functions take the names of Python's error handlers. For replacement and UTF-16BE/LE, those that encode raise
    EncoderUnavailableError for any text.
    https://docs.python.org/3/library/codecs.html#codecs.CodecInfo
    """
    codec = Codec(encoding)
    return codecs.CodecInfo(
        codec.encode,
        codec.decode,
        streamreader=partial(StreamReader, encoding),
        streamwriter=partial(StreamWriter, encoding),
        incrementalencoder=partial(_new_encoder, encoding),
        incrementaldecoder=partial(new_decoder_with_handler, encoding),
        name=f"web-{encoding.name.lower()}",
    )


def _new_encoder(encoding: Encoding, errors: str = "strict") -> codecs.IncrementalEncoder:
    return _file_encoder(encoding, errors) if encoding.has_encoder else _NoEncoder(encoding, errors)


def _file_encoder(encoding: Encoding, errors: str) -> codecs.IncrementalEncoder:
    """Return an encoder; raise EncoderUnavailableError if there is none."""
    if encoding is not ISO_2022_JP:
        return new_encoder_with_handler(encoding, errors)
    from .iso_2022_jp import FileEncoder  # imported here, since it asks the encoder for its states

    return FileEncoder(encoding, errors)


class _NoEncoder(codecs.IncrementalEncoder):
    """The incremental encoder of an encoding without an encoder, which fails for any text.

    `io.TextIOWrapper` creates an encoder for every writable file, even if the file is only read.
    """

    def __init__(self, encoding: Encoding, errors: str) -> None:
        super().__init__(errors)
        self._encoding = encoding

    def encode(self, text: str, final: bool = False) -> bytes:
        """Return no bytes for an empty text; raise EncoderUnavailableError for any other."""
        return self._encoding.encode(text) if text else b""


class StreamReader(codecs.StreamReader):
    """A reader of text from a binary stream. https://docs.python.org/3/library/codecs.html#streamreader-objects

    ``read``, ``readline`` and the other methods are Python's. They keep the bytes of an incomplete sequence and pass
    them again, so this class keeps only the state between sequences: that of ISO-2022-JP and of replacement.
    """

    def __init__(self, encoding: Encoding, stream: Any, errors: str = "strict") -> None:
        super().__init__(stream, errors)
        self._encoding = encoding
        self._state = 0
        self._asked = True

    def read(self, size: int = -1, chars: int = -1, firstline: bool = False) -> str:
        """Return the text of about ``size`` bytes, or ``chars`` code points: see `codecs.StreamReader.read`."""
        self._asked = size != 0
        return super().read(size, chars, firstline)

    def decode(self, input: bytes, errors: str = "strict") -> tuple[str, int]:
        """Return the text of the complete sequences of ``input``, and the number of their bytes.

        If ``input`` is exactly the rest of the last call although bytes were requested, the stream has ended, and an
        incomplete sequence is an error.
        """
        decoder = new_decoder_with_handler(self._encoding, errors)
        decoder.setstate((b"", self._state))
        text = decoder.decode(input, self._asked and 0 < len(input) == len(self.bytebuffer))
        pending, self._state = decoder.getstate()
        return text, len(input) - len(pending)

    def reset(self) -> None:
        """Discard the state, so that the next read starts from the initial state."""
        super().reset()
        self._state = 0


class StreamWriter(codecs.StreamWriter):
    """A writer of text to a binary stream. https://docs.python.org/3/library/codecs.html#streamwriter-objects

    ``reset``, ``seek`` and ``close`` first return ISO-2022-JP to its ASCII state, so close this object rather than the
    underlying stream.
    """

    def __init__(self, encoding: Encoding, stream: Any, errors: str = "strict") -> None:
        super().__init__(stream, errors)
        self._encoder = _file_encoder(encoding, errors)

    def encode(self, input: str, errors: str = "strict") -> tuple[bytes, int]:
        """Return the bytes of ``input``, encoded in the current state, and its length."""
        return self._encoder.encode(input), len(input)

    def reset(self) -> None:
        """Flush the encoder: write the bytes that return it to its initial state."""
        if output := self._encoder.encode("", True):
            self.stream.write(output)

    def seek(self, offset: int, whence: int = 0) -> None:
        """Flush the encoder and change the position of the stream."""
        self.reset()
        self.stream.seek(offset, whence)

    def close(self) -> None:
        """Flush the encoder and close the stream."""
        try:
            self.reset()
        finally:
            self.stream.close()

    def __exit__(self, *exception: object) -> None:
        self.close()
