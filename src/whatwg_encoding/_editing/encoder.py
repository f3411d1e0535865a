"""The encoder that edits use: each character has bytes that decode to it, between any two states of the decoder."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, TypeAlias

from .. import ISO_2022_JP, UTF_16BE, UTF_16LE, Encoding
from ..standard import ISO_2022_JP_ESCAPES

Errors: TypeAlias = Literal["fatal", "html"]
_UTF_16_CODECS = {UTF_16BE: "utf-16-be", UTF_16LE: "utf-16-le"}


class ExactEncoder:
    """The encoder that edits use: from a decoder's state to another, without loss."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        codec = _UTF_16_CODECS.get(encoding)
        #: From a text to its bytes; raises UnicodeEncodeError if the encoder lacks a character.
        self.whole: Callable[[str], bytes] = (
            partial(str.encode, encoding=codec) if codec else partial(encoding.encode, errors="fatal")
        )
        #: Whether the bytes of a character do not depend on what is before it.
        self.is_stateless: bool = encoding is not ISO_2022_JP
        #: The states of the decoder in which they differ, as ``getstate`` returns them, each with its escape sequence,
        #: and the encoder's state, which it lacks for katakana.
        self.states: dict[int, tuple[bytes, int | None]] = {}
        if not self.is_stateless:
            decoder, encoder = encoding.new_decoder(), encoding.new_encoder("fatal")
            # Characters that the encoder writes after each: it never goes to katakana.
            for escape, sample in zip(ISO_2022_JP_ESCAPES, ("a", "\xa5", "", "\u3042"), strict=False):
                encoder.reset()
                encoder.encode(sample)
                state = escape, encoder.getstate() if sample else None
                decoder.decode(escape)
                self.states[decoder.getstate()[1]] = state
                decoder.decode(b"!!")  # clears the output flag in each state
                self.states[decoder.getstate()[1]] = state

    def checked(self, text: str, errors: Errors) -> str:
        """Return ``text``, with references if ``errors`` is "html", or raise UnicodeEncodeError."""
        lost = self._first_lost(text)
        if lost is None:
            return text
        if errors == "html":
            references = {
                ord(character): self._reference(character)
                for character in set(text)
                if self._first_lost(character) is not None
            }
            return text.translate(references)
        start, reason = lost
        raise UnicodeEncodeError(self._encoding.name, text, start, start + 1, reason)

    def can_encode(self, character: str) -> bool:
        return self._first_lost(character) is None

    def _first_lost(self, text: str) -> tuple[int, str] | None:
        """Return the position of the first character that has no bytes that decode to it, and the reason; or None."""
        try:
            data = self.whole(text)
        except UnicodeEncodeError as error:
            return self._first_lost(text[: error.start]) or (error.start, error.reason)
        back = self._encoding.decode(data)
        if back == text:
            return None
        start = next(
            i for i, (character, read_back) in enumerate(zip(text, back, strict=False)) if character != read_back
        )
        return start, f"its bytes in {self._encoding.name} decode to U+{ord(back[start]):04X}"

    def has_one_state_for_ascii(self, flags: int, text: str) -> bool:
        """Return whether ASCII after any part of a text is in one state. In ISO-2022-JP it stays in that of a yen sign.

        ``flags``: the decoder's state before the text.
        """
        return self.states[flags][0] != ISO_2022_JP_ESCAPES[1] and "\xa5" not in text and "\u203e" not in text

    def agree(self, flags: int, other: int, follows: bytes) -> bool:
        """Return whether a decoder reads the same bytes in two states.

        In ISO-2022-JP a state also says whether an escape sequence may come, which matters only if one does.
        """
        is_escape = follows.startswith(ISO_2022_JP_ESCAPES[0][:1])
        return not is_escape and flags in self.states and self.states[flags] == self.states.get(other)

    def _reference(self, character: str) -> str:
        if 0xD800 <= ord(character) <= 0xDFFF:
            character = "\ufffd"
            if self.can_encode(character):
                return character
        try:
            self.whole(character)
        except UnicodeEncodeError:
            return self._encoding.decode(self._encoding.encode(character, "html"))
        return f"&#{ord(character)};"  # its bytes decode to another character

    def encode(self, text: str, before: int, after: int | None) -> bytes:
        """Return the bytes of ``text`` between two states of the decoder; ``after`` is None at the end of the input.

        Raise UnicodeEncodeError if the encoder lacks a character.
        """
        if self.is_stateless:
            return self.whole(text)
        (old_escape, start), (escape, end) = self.states[before], self.states[before if after is None else after]
        if not text:
            return b"" if old_escape == escape else escape
        encoder = self._encoding.new_encoder("fatal")
        encoder.setstate(start or 0)
        data = encoder.encode(text)
        if start is None and not data.startswith(ISO_2022_JP_ESCAPES):
            data = ISO_2022_JP_ESCAPES[0] + data
        if after is None:
            return data + encoder.encode("", True)
        return data if encoder.getstate() == end else data + escape
