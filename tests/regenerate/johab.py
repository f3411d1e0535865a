"""Johab as the standard would have it: a section of prose, an index by formula, and the record of its handler.

The two bytes of a syllable have five bits each for its leading consonant, its vowel and its trailing consonant.
Symbols and Hanja are rows of KS X 1001, which index EUC-KR has, two to a leading byte (KS X 1001:2004, annex 3).
"""

from __future__ import annotations

from generator import handlers, snapshot
from generator.model import Encoding, Index, Snapshot

PROSE = """
<h2 id=legacy-multi-byte-korean-encodings>Legacy multi-byte Korean encodings</h2>
<h3 id=johab dfn>Johab</h3>
<h4 id=johab-decoder dfn algorithm>Johab decoder</h4>
<p><a>Johab</a>'s <a for=/>decoder</a> has an associated <dfn>Johab first</dfn>, which is a byte, initially 0x00.
<p><a>Johab</a>'s <a for=/>decoder</a>'s <a>handler</a>, given <var>queue</var> and <var>item</var>, runs these steps:
<ol>
 <li><p>If <var>item</var> is <a>end-of-queue</a> and <a>Johab first</a> is not 0x00, then set <a>Johab first</a> to
 0x00 and return <a>error</a>.
 <li><p>If <var>item</var> is <a>end-of-queue</a> and <a>Johab first</a> is 0x00, then return <a>finished</a>.
 <li>
  <p>If <a>Johab first</a> is not 0x00:
  <ol>
   <li><p>Let <var>first</var> be <a>Johab first</a>.
   <li><p>Set <a>Johab first</a> to 0x00.
   <li><p>Let <var>place</var> be null.
   <li><p>Let <var>gap</var> be 0x31 if <var>item</var> is less than 0x7F; otherwise 0x33.
   <li><p>If <var>item</var> is in the range 0x31 to 0x7E, inclusive, or 0x81 to 0xFE, inclusive, then set
   <var>place</var> to (<var>first</var> &minus; 0x84) × 204 + (<var>item</var> &minus; <var>gap</var>).
   <li><p>Let <var>found</var> be null if <var>place</var> is null; otherwise the <a>index code point</a> for
   <var>place</var> in <a>index Johab</a>.
   <li><p>If <var>found</var> is non-null, then return a code point whose value is <var>found</var>.
   <li><p>If <var>item</var> is an <a>ASCII byte</a>, <a>restore</a> <var>item</var> to <var>queue</var>.
   <li><p>Return <a>error</a>.
  </ol>
 <li><p>If <var>item</var> is an <a>ASCII byte</a>, then return a code point whose value is <var>item</var>.
 <li><p>If <var>item</var> is in the range 0x84 to 0xF9, inclusive, then set <a>Johab first</a> to <var>item</var> and
 return <a>continue</a>.
 <li><p>Return <a>error</a>.
</ol>
<h4 id=johab-encoder dfn algorithm>Johab encoder</h4>
<p><a>Johab</a>'s <a for=/>encoder</a>'s <a>handler</a>, given <var ignore>unused</var> and <var>item</var>, runs these
steps:
<ol>
 <li><p>If <var>item</var> is <a>end-of-queue</a>, then return <a>finished</a>.
 <li><p>If <var>item</var> is an <a>ASCII code point</a>, then return a byte whose value is <var>item</var>.
 <li><p>Let <var>place</var> be the <a>index pointer</a> for <var>item</var> in <a>index Johab</a>.
 <li><p>If <var>place</var> is null, then return <a>error</a> with <var>item</var>.
 <li><p>Let <var>first</var> be <var>place</var> / 204 + 0x84.
 <li><p>Let <var>second</var> be <var>place</var> % 204.
 <li><p>Let <var>gap</var> be 0x31 if <var>second</var> is less than 0x4E, otherwise 0x33.
 <li><p>Return two bytes whose values are <var>first</var> and <var>second</var> + <var>gap</var>.
</ol>
"""

ENCODING = Encoding("Johab", ("johab", "cp1361"), "Legacy multi-byte Korean encodings")

RECORD = handlers.double_byte("Johab", "johab", "index Johab")

#: The five bits of each part of a syllable, in the order of Unicode: leading consonants, vowels, trailing consonants.
LEADING = range(2, 21)
VOWELS = (*range(3, 8), *range(10, 16), *range(18, 24), *range(26, 30))
TRAILING = (*range(1, 18), *range(19, 30))

TRAILS = (*range(0x31, 0x7F), *range(0x81, 0xFF))


def index(pinned: Snapshot) -> Index:
    """Return the index, of 118 leading bytes with 204 trailing bytes each."""
    entries: list[int | None] = [None] * (118 * len(TRAILS))

    def put(leading: int, trailing: int, code_point: int) -> None:
        entries[(leading - 0x84) * len(TRAILS) + TRAILS.index(trailing)] = code_point

    for first, consonant in enumerate(LEADING):
        for second, vowel in enumerate(VOWELS):
            for third, last in enumerate(TRAILING):
                put(
                    *divmod(0x8000 | consonant << 10 | vowel << 5 | last, 256),
                    0xAC00 + (first * 21 + second) * 28 + third,
                )
    euc_kr = pinned.indexes["euc-kr"].code_points
    for first_row, rows in ((0x21, range(0xD9, 0xDF)), (0x4A, range(0xE0, 0xFA))):
        for number, leading in enumerate(rows):
            for place, trailing in enumerate((*range(0x31, 0x7F), *range(0x91, 0xFF))):
                row, cell = first_row + 2 * number + place // 94, 0x21 + place % 94
                code_point = euc_kr[(row + 0x80 - 0x81) * 190 + cell + 0x80 - 0x41]
                # The row of letters is among the syllables, with a filler for the other parts.
                if code_point is not None and not 0x3131 <= code_point <= 0x3163:
                    put(leading, trailing, code_point)
    return Index("johab", tuple(entries), snapshot.identifier(entries))
