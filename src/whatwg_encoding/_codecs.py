"""The encodings as codecs of Python, by the names ``web-<label>``.

Here errors are Python's: ``strict``, ``replace``, ``ignore`` and all else that ``codecs.register_error`` knows, each
called with exactly the bytes, or the character, that an error of the standard is about.
https://docs.python.org/3/library/codecs.html#error-handlers
"""

from __future__ import annotations

import codecs
from encodings import normalize_encoding
from functools import partial

from ._labels import LABELS

TYPE_CHECKING = False  # type checkers take a name spelt like this for true; typing is slow to import
if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Buffer

    from ._core import Decoder, Encoding

__all__ = ["codec_info", "register_codecs", "unregister_codecs"]

# Python folds what it hands to a search function: the 228 labels are 216 names to it. No two encodings share one.
_ENCODINGS = {normalize_encoding(f"web-{label}").lower(): encoding for label, encoding in LABELS.items()}
_CODEC_INFOS: dict[Encoding, codecs.CodecInfo] = {}


def register_codecs() -> None:
    """Register ``web-<label>`` as the name of a codec of Python, for each of the standard's labels.

    A second call changes nothing. Files that ``open`` writes in ISO-2022-JP should end with a newline, or any ASCII:
    Python does not tell encoders where a file ends, so that only this brings them back to the ASCII state.
    https://encoding.spec.whatwg.org/#names-and-labels

    >>> register_codecs()
    >>> b"\\x82\\xa0\\x82".decode("web-sjis", "backslashreplace")
    'あ\\\\x82'
    """
    codecs.unregister(_search)
    codecs.register(_search)


def unregister_codecs() -> None:
    """Undo `register_codecs`, if it was called."""
    codecs.unregister(_search)


def _search(name: str) -> codecs.CodecInfo | None:
    encoding = _ENCODINGS.get(normalize_encoding(name).lower())
    return None if encoding is None else codec_info(encoding)


def codec_info(encoding: Encoding) -> codecs.CodecInfo:
    """Return all that Python's codecs have, for one encoding; the same object each time.

    Its functions take the names of Python's error handlers. For replacement and UTF-16BE/LE those that encode raise an
    EncoderUnavailableError when they are given text.
    https://docs.python.org/3/library/codecs.html#codecs.CodecInfo
    """
    info = _CODEC_INFOS.get(encoding)
    if info is not None:
        return info
    info = codecs.CodecInfo(
        partial(_encode, encoding),
        partial(_decode, encoding),
        streamreader=partial(StreamReader, encoding),
        streamwriter=partial(StreamWriter, encoding),
        incrementalencoder=partial(_new_encoder, encoding),
        incrementaldecoder=partial(_new_decoder, encoding),
        name=f"web-{encoding.name.lower()}",
    )
    return _CODEC_INFOS.setdefault(encoding, info)  # one object, even if two threads come here at once


def _encode(encoding: Encoding, text: str, errors: str = "strict") -> tuple[bytes, int]:
    return encoding._encode_with_handler(text, errors), len(text)


def _decode(encoding: Encoding, data: Buffer, errors: str = "strict") -> tuple[str, int]:
    text = encoding._decode_with_handler(data, errors)
    return text, len(data) if type(data) is bytes else memoryview(data).nbytes


def _new_encoder(encoding: Encoding, errors: str = "strict") -> codecs.IncrementalEncoder:
    return encoding._new_encoder_with_handler(errors) if encoding.has_encoder else _NoEncoder(encoding, errors)


class _NoEncoder(codecs.IncrementalEncoder):
    """What an encoding without an encoder has in place of one: it fails when it is given text.

    `io.TextIOWrapper` asks for an encoder wherever its file could be written to, even if it is only read.
    """

    def __init__(self, encoding: Encoding, errors: str) -> None:
        super().__init__(errors)
        self._encoding = encoding

    def encode(self, text: str, final: bool = False) -> bytes:
        """Raise an EncoderUnavailableError, unless there is nothing to encode."""
        return self._encoding.encode(text) if text else b""


def _new_decoder(encoding: Encoding, errors: str = "strict") -> Decoder:
    return encoding._new_decoder_with_handler(errors)


class StreamReader(codecs.StreamReader):
    """A reader of text from a binary stream. https://docs.python.org/3/library/codecs.html#streamreader-objects

    ``read``, ``readline`` and the rest are those of Python. They keep the bytes of an incomplete sequence and offer
    them again, so that all that is to be kept here is the state that outlives a sequence: that of ISO-2022-JP, and of
    replacement.
    """

    def __init__(self, encoding: Encoding, stream: Any, errors: str = "strict") -> None:
        super().__init__(stream, errors)
        self._encoding = encoding
        self._state = 0
        self._asked = True

    def read(self, size: int = -1, chars: int = -1, firstline: bool = False) -> str:
        """Return the text of about ``size`` bytes, or ``chars`` code points of it: see Python's documentation."""
        self._asked = size != 0
        return super().read(size, chars, firstline)

    def decode(self, input: bytes, errors: str = "strict") -> tuple[str, int]:
        """Return the text of what is complete in ``input``, and how many bytes that is.

        Where ``input`` is just what was left over the last time, nothing came after it: if anything was asked for, that
        is the end of the stream, at which an incomplete sequence is an error.
        """
        decoder = self._encoding._new_decoder_with_handler(errors)
        decoder.setstate((b"", self._state))
        text = decoder.decode(input, self._asked and 0 < len(input) == len(self.bytebuffer))
        pending, self._state = decoder.getstate()
        return text, len(input) - len(pending)

    def reset(self) -> None:
        """Forget the state: the next read starts anew, wherever the stream is."""
        super().reset()
        self._state = 0


class StreamWriter(codecs.StreamWriter):
    """A writer of text to a binary stream. https://docs.python.org/3/library/codecs.html#streamwriter-objects

    ``reset``, ``seek`` and ``close`` first bring ISO-2022-JP back to its ASCII state. Only they can: close this, not
    the stream.
    """

    def __init__(self, encoding: Encoding, stream: Any, errors: str = "strict") -> None:
        super().__init__(stream, errors)
        self._encoder = encoding._new_encoder_with_handler(errors)

    def encode(self, input: str, errors: str = "strict") -> tuple[bytes, int]:
        """Return the bytes of ``input`` after what was written before, and its length."""
        return self._encoder.encode(input), len(input)

    def reset(self) -> None:
        """Write what returns the encoder to its first state, so that anything may follow on the stream."""
        if output := self._encoder.encode("", True):
            self.stream.write(output)

    def seek(self, offset: int, whence: int = 0) -> None:
        """Reset, and move the stream as its own ``seek`` does."""
        self.reset()
        self.stream.seek(offset, whence)

    def close(self) -> None:
        """Complete the text and close the stream."""
        try:
            self.reset()
        finally:
            self.stream.close()

    def __exit__(self, *exception: object) -> None:
        self.close()
