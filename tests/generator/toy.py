"""A source with one made-up encoding, in the form of the standard's."""

from __future__ import annotations

from generator.spec.lexicon import Names, Token, tokens
from generator.spec.source import Paragraph, Piece

DECODER = """
<h2 id=legacy-toy-encodings>Legacy toy encodings</h2>
<h3 id=toy dfn>Toy</h3>
<h4 id=toy-decoder dfn algorithm>Toy decoder</h4>
<p><a>Toy</a>'s <a for=/>decoder</a> has an associated <dfn>Toy held</dfn>, which is a byte, initially 0x00.
<p><a>Toy</a>'s <a for=/>decoder</a>'s <a>handler</a>, given <var>queue</var> and <var>item</var>, runs these steps:
<ol>
 <li><p>If <var>item</var> is <a>end-of-queue</a>, then return <a>finished</a>.
 <li>
  <p>If <a>Toy held</a> is 0x41:
  <ol>
   <li><p>Set <a>Toy held</a> to 0x00.
   <li><p>Return code point U+2603 (☃).
  </ol>
 <li><p>If <var>item</var> is 0x41, then set <a>Toy held</a> to <var>item</var> and return <a>continue</a>.
 <li><p>Return a code point whose value is <var>item</var> + 1.
</ol>
<h4 id=toy-encoder dfn algorithm>Toy encoder</h4>
<p><a>Toy</a>'s <a for=/>encoder</a>'s <a>handler</a>, given <var ignore>unused</var> and <var>item</var>, runs these
steps:
<ol>
 <li><p>If <var>item</var> is <a>end-of-queue</a>, then return <a>finished</a>.
 <li>
  <p>If there is a row in the table below whose first column is <var>item</var>, then return the two bytes on the same
  row listed in the second column:
  <table>
   <tr><th>Item<th>Bytes
   <tr><td>U+2603<td>0x41 0x00
  </table>
 <li><p>Return <a>error</a> with <var>item</var>.
</ol>
"""

_MARKS = {"‹": ("var", "›"), "⟦": ("a", "⟧"), "⟪": ("dfn", "⟫")}
NAMES = Names({"m1": "m1", "m2": "m2"}, {"v1": "v1", "v2": "v2"})


def example_tokens(example: str) -> tuple[Token, ...]:
    """Return the tokens of an example of the grammar, in which brackets stand for mark-up."""
    pieces = []
    while example:
        kind, end = _MARKS.get(example[0], ("text", ""))
        if kind == "text":
            stop = min((example.find(mark) for mark in _MARKS if mark in example), default=len(example))
            pieces.append(Piece("text", example[:stop]))
            example = example[stop:]
        else:
            inner, _, example = example[1:].partition(end)
            pieces.append(Piece(kind, inner, inner))
    return tokens(Paragraph(tuple(pieces)), NAMES)
