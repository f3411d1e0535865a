"""Code pages of DOS as candidates, for files alone.

Text in a code page costs what the same model needs for it as for any other encoding. What is known of the text's form
is added: line ends CR LF, and rules and boxes in rows, which are the same bytes in all of these pages.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Final

    from .._native.core import Encoding
    from .guessing import Guess

#: Bits against each page, by how common it is. They were set by hand; IBM866 is one of the standard's encodings.
PAGES: Final = {
    "cp437": 2, "cp850": 3, "cp852": 4, "cp857": 6, "cp862": 7, "cp737": 7, "cp775": 9, "cp855": 12, "cp861": 12,
    "cp865": 12, "cp863": 12, "cp860": 12, "cp858": 13, "cp720": 14, "cp1125": 14,
}  # fmt: skip
_WITHOUT_CR_LF: Final = 12  # bits against a page where lines end otherwise than in DOS
_BOXES: Final = 24  # bits in favour of each page where there are rules or boxes
_OF_LANGUAGE: Final = 6  # bits in favour of a code page

_LIMIT: Final = 16384  # bytes of a sample
_PLACES: Final = 4096  # that are looked at for it
_BEFORE, _LINE = 64, 256  # bytes of a line before the first that is not ASCII, and at most

_SAME_DIGIT: Final = bytes.maketrans(b"123456789", b"0" * 9)
# Patterns are compiled on first use, since most programs that import this look at no file.
_NOT_ASCII: Final = rb"[\x80-\xff]"
# A rule of three, a corner with the start of one, or shades. No text has these letters in such a row.
_RULE: Final = (rb"[\xc4]{3}|[\xcd]{3}|[\xc0\xc3\xda\xc8\xcc\xc9][\xc4\xcd]{2}|([\xb0-\xb2\xdb])\1{3}"
                rb"|\xb2\xb1\xb0|\xb0\xb1\xb2\xdb")  # fmt: skip
_BOX_BYTES: Final = bytes((*range(0xB0, 0xB5), *range(0xB9, 0xBD), *range(0xBF, 0xC6), *range(0xC8, 0xCF), 0xD9, 0xDA,
                           *range(0xDB, 0xE0)))  # fmt: skip
_WITHOUT_BOXES: Final = bytes.maketrans(_BOX_BYTES, b"-" * len(_BOX_BYTES))


def sample_of(data: bytes) -> bytes:
    """Return the different lines that are not ASCII, at most 16 KiB of them and a part of each.

    Lines that differ in their digits alone are one: numbered ones prove no more than the first does.
    """
    parts: dict[bytes, bytes] = {}
    total = position = 0
    not_ascii = re.compile(_NOT_ASCII)
    for _ in range(_PLACES):
        found = not_ascii.search(data, position)
        if found is None or total >= _LIMIT:
            break
        start = max(position, found.start() - _BEFORE)
        start = max(start, data.rfind(b"\n", start, found.start()) + 1)
        end = data.find(b"\n", start, start + _LINE)
        position = start + _LINE if end < 0 else end
        part = data[start:position].rstrip(b"\r")
        key = part.translate(_SAME_DIGIT)
        if key not in parts:
            parts[key] = part
            total += len(part)
    return b"\n".join(parts.values())


def page_costs(data: bytes, language: str | None = None) -> Iterator[tuple[Encoding, int]]:
    """Yield each code page of DOS, and the bits that a text and the page cost. ``language``: a tag, which is a hint."""
    from .._names import DOS_PAGES
    from .._native.detect import text_cost
    from ..code_pages import CODE_PAGES

    usual = DOS_PAGES.get((language or "").replace("_", "-").partition("-")[0].lower())
    for name, penalty in PAGES.items():
        page = CODE_PAGES[name]
        yield page, text_cost(page.decode(data)) + penalty - _OF_LANGUAGE * (name == usual)


def with_pages(data: bytes, guesses: Sequence[Guess], language: str | None = None) -> list[Guess]:
    """Return the guesses for a text, the code pages of DOS among them, the likeliest first.

    UTF-8 that is valid, ASCII, and text with a byte order mark stay as they are.
    """
    from .._native.detect import text_cost

    sample = sample_of(data)
    if not guesses or not sample or (len(guesses) == 1 and guesses[0].score == 0):
        return list(guesses)
    best = guesses[0]
    # From the scale of costs to that of scores.
    offset = best.score - text_cost(best.encoding.decode(sample))
    has_boxes = re.search(_RULE, sample) is not None
    plain = sample.translate(_WITHOUT_BOXES) if has_boxes else sample
    form = -_BOXES if has_boxes else 0
    if not has_cr_lf(data) and not has_boxes:
        form += _WITHOUT_CR_LF
    found = list(guesses)
    for page, cost in page_costs(plain, language):
        found.append(best._replace(encoding=page, score=max(0, offset + form + cost), language=None))
    found.sort(key=lambda guess: guess.score)
    costs = [guess.score for guess in found]
    return [
        guess._replace(margin=None if after is None else after - guess.score)
        for guess, after in zip(found, [*costs[1:], None], strict=True)
    ]


def looks_like_dos(data: bytes) -> bool:
    """Return whether a text has the form of DOS: line ends CR LF, or rules and boxes."""
    return has_cr_lf(data) or re.search(_RULE, sample_of(data)) is not None


def has_cr_lf(data: bytes) -> bool:
    """Return whether all lines of the start of a text end with CR LF, and there is one."""
    head = data[:_LIMIT]
    pairs = head.count(b"\r\n")
    return pairs > 0 and pairs == head.count(b"\n")
