"""The standard's source, encoding.bs, as a tree: sections of paragraphs, lists of steps, cases and tables.

Variables, links and definitions are kept, since they tell a name from a word. Notes, examples and comments are left
out: they state no requirement.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from selectolax.lexbor import LexborHTMLParser, LexborNode

from generator.spec.errors import Misfit, SpecError

NAME = "encoding.bs"

MOST = 4 * 1024 * 1024
"""Maximum size in characters of the source."""

DEEPEST = 40
"""Maximum nesting of elements; the standard's is 16."""

MOST_SECTIONS = 400
"""Maximum number of sections of algorithms; the standard has 28."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text in a paragraph, with its mark-up."""

    kind: str
    """``text``, ``var``, ``a`` or ``dfn``."""
    text: str
    term: str = ""
    """The term that a link or a definition stands for, which need not be its text."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, or the text of an item without one."""

    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        return collapsed("".join(piece.text for piece in self.pieces))


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list: its blocks, and the terms above them in a list of cases."""

    terms: tuple[Paragraph, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class NumberedList:
    """A numbered list."""

    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Cases:
    """A list of terms and what they stand for."""

    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its rows of cells, the first of which are headings."""

    rows: tuple[tuple[Paragraph, ...], ...]


Block = Paragraph | NumberedList | Cases | Table


@dataclass(frozen=True, slots=True)
class Section:
    """An algorithm in the source: what stands under its heading, or from the paragraph that defines it."""

    anchor: str
    title: str
    blocks: tuple[Block, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """The text, a line for each paragraph, item and row, with its number."""
        return tuple(_lines(self.blocks, ""))


def collapsed(text: str) -> str:
    """Return text with its white space collapsed."""
    return " ".join(text.split())


def _lines(blocks: Iterable[Block], prefix: str) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, Paragraph):
            yield f"{prefix} {block.text}" if prefix else block.text
        elif isinstance(block, Table):
            yield from (f"{prefix}- {' | '.join(cell.text for cell in row)}" for row in block.rows)
        else:
            for number, item in enumerate(block.items, 1):
                inner = f"{prefix}{number}."
                yield from (f"{inner} {term.text}:" for term in item.terms)
                yield from _lines(item.blocks, inner)


# -- From mark-up to blocks --------------------------------------------------------------------------------------------

INFORMATIVE = frozenset({"note", "example", "warning", "XXX", "domintro"})
"""Classes of informative elements, which state no requirement."""

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_INLINE = frozenset({"var", "a", "dfn"})

_ATTRIBUTES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("em", "p", "ol", "li", "dt", "dd", "table", "thead", "tbody", "tr", "th", "td"), ()),
    "var": ("ignore",),
    "a": ("for", "lt", "href"),
    "dfn": ("id", "lt", "for", "export", "local-lt"),
    "dl": ("class",),
    "div": ("algorithm",),
}
"""The elements of an algorithm that is compiled, and their attributes. Any other could change what the text says."""


class _Reader:
    """Convert elements to blocks. A strict reader accepts only what `_ATTRIBUTES` lists."""

    def __init__(self, *, strict: bool) -> None:
        self.strict = strict

    def blocks(self, nodes: Iterable[LexborNode]) -> tuple[Block, ...]:
        """Return the blocks of sibling nodes; text beside block elements is a paragraph of its own."""
        blocks: list[Block] = []
        run: list[Piece] = []

        def flush() -> None:
            if any(piece.text.strip() for piece in run):
                blocks.append(Paragraph(tuple(run)))
            run.clear()

        for node in self._content(nodes):
            if isinstance(node, str) or node.tag not in _BLOCK:
                run += self._inline(node)
            else:
                flush()
                blocks += self._block(node)
        flush()
        return tuple(blocks)

    def _content(self, nodes: Iterable[LexborNode]) -> Iterator[str | LexborNode]:
        """Yield the text and the elements among nodes that may state a requirement, in order."""
        for node in nodes:
            if node.tag == "-text":
                yield node.text_content or ""
            elif not str(node.tag).startswith("-") and not informative(node):
                self._check(node)
                yield node

    def _refuse(self, node: LexborNode, reason: str, text: str | None = None) -> None:
        if self.strict:
            raise Misfit(reason, collapsed(node.text()) if text is None else text, "source.py")

    def _check(self, node: LexborNode) -> None:
        attributes = _ATTRIBUTES.get(str(node.tag))
        if attributes is None:
            self._refuse(node, f"the element <{node.tag}> is not known")
            return
        for name, value in node.attributes.items():
            if name not in attributes or (name == "class" and value != "switch"):
                self._refuse(node, f"the attribute {name}={value or ''} of <{node.tag}> is not known")

    def _inline(self, node: str | LexborNode) -> Iterator[Piece]:
        if isinstance(node, str):
            yield Piece("text", node)
        elif node.tag in _INLINE:
            inner = [str(child.tag) for child in children(node) if child.tag not in ("-text", "-comment")]
            if inner:
                self._refuse(node, f"<{node.tag}> contains <{inner[0]}>")
            text = collapsed(node.text())
            yield Piece(str(node.tag), text, collapsed(node.attributes.get("lt") or text))
        else:
            for child in self._content(children(node)):
                yield from self._inline(child)

    def _block(self, node: LexborNode) -> Iterator[Block]:
        if node.tag in ("ol", "ul"):
            yield NumberedList(tuple(self._items(node, "li")))
        elif node.tag == "dl":
            yield Cases(tuple(self._items(node, "dt", "dd")))
        elif node.tag == "table":
            yield Table(tuple(self._rows(node)))
        elif node.tag not in ("hr", "pre", "script", "style", "link"):
            yield from self.blocks(children(node))

    def _elements(self, node: LexborNode) -> Iterator[LexborNode]:
        for child in self._content(children(node)):
            if not isinstance(child, str):
                yield child
            elif child.strip():
                self._refuse(node, f"<{node.tag}> has text outside its items", child)

    def _items(self, node: LexborNode, *tags: str) -> Iterator[Item]:
        """Yield an item for each element of these tags that is no term, with the terms before it."""
        terms: list[Paragraph] = []
        for child in self._elements(node):
            if child.tag not in tags:
                self._refuse(child, f"<{node.tag}> contains <{child.tag}>")
            if child.tag == "dt":
                terms += [block for block in self.blocks(children(child)) if isinstance(block, Paragraph)]
            elif child.tag == "dd" or "dd" not in tags:
                yield Item(tuple(terms), self.blocks(children(child)))
                terms = []
        if terms:
            yield Item(tuple(terms), ())

    def _rows(self, node: LexborNode) -> Iterator[tuple[Paragraph, ...]]:
        for child in self._elements(node):
            if child.tag in ("thead", "tbody"):
                yield from self._rows(child)
            elif child.tag == "tr":
                yield tuple(self._cell(cell) for cell in self._elements(child))
            else:
                self._refuse(child, f"<table> contains <{child.tag}>")

    def _cell(self, node: LexborNode) -> Paragraph:
        pieces = [
            piece for block in self.blocks(children(node)) if isinstance(block, Paragraph) for piece in block.pieces
        ]
        return Paragraph(tuple(pieces))


_BLOCK = _HEADINGS.union(
    ("p", "ol", "ul", "dl", "table", "div", "pre", "hr", "script", "style", "link", "aside", "figure", "blockquote")
)


def children(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the child nodes, text included."""
    return node.iter(include_text=True)


def informative(node: LexborNode) -> bool:
    """Return whether an element states no requirement."""
    return bool(INFORMATIVE.intersection((node.attributes.get("class") or "").split()))


# -- From the document to sections -------------------------------------------------------------------------------------

_HANDLER = re.compile(r"\b(?:decoder|encoder)$")
_OPERATION = re.compile(r"^index\b.*\b(?:code point|pointer)$", re.IGNORECASE)
_GIVEN = re.compile(r"\bhandler\b[^.]*\bgiven\b")


class Document:
    """The source: the sections of its algorithms."""

    def __init__(self, text: str) -> None:
        """Parse the source. Raise a SpecError if it is not the standard's source, too large, or nested too deeply."""
        if len(text) > MOST:
            raise SpecError(f"{NAME}: has {len(text)} characters, but at most {MOST} are accepted")
        body = LexborHTMLParser(text).body
        if body is not None:
            _limit(body)
        self._flow = list(_flow(body)) if body is not None else []
        self._places: dict[str, int] = {}
        for place, node in enumerate(self._flow):
            for anchor in _anchors(node):
                self._places.setdefault(anchor, place)

    def algorithms(self) -> Mapping[str, Section | Misfit]:
        """Return the sections of decoders, encoders and operations on indexes, found by their headings and definitions.

        A section with mark-up that is not known is the misfit instead. Raise a SpecError if there is no section, if two
        have one anchor, or if a handler is defined outside them.
        """
        sections: dict[str, Section | Misfit] = {}
        covered: set[int] = set()
        for place, node in enumerate(self._flow):
            title = collapsed(node.text())
            if node.tag in _HEADINGS and _HANDLER.search(title):
                anchor = _heading_anchor(node)
            elif node.tag == "p" and _operation(node):
                anchor = slug(_operation(node))
            else:
                continue
            if anchor in sections:
                raise SpecError(Misfit("two sections have this anchor", title, "source.py").at(anchor, ""))
            if len(sections) == MOST_SECTIONS:
                raise SpecError(f"{NAME}: has more than {MOST_SECTIONS} sections of decoders, encoders and operations")
            covered.update(self._extent(place))
            try:
                sections[anchor] = self._section(anchor, place, strict=True)
            except Misfit as misfit:
                sections[anchor] = misfit
        if not sections:
            raise SpecError(f"{NAME}: has no section of a decoder or an encoder, so it is not the standard's source")
        for place, node in enumerate(self._flow):
            if node.tag == "p" and place not in covered and _GIVEN.search(collapsed(node.text())):
                fault = Misfit(
                    "a handler is defined outside a decoder's or encoder's section", node.text(), "source.py"
                )
                chapters = [heading for heading in self._flow[:place] if heading.tag == "h2"]
                raise SpecError(fault.at(_heading_anchor(chapters[-1]) if chapters else "", ""))
        return MappingProxyType(sections)

    def text(self, anchor: str) -> tuple[str, ...] | None:
        """Return the text of an algorithm that is not compiled, in lines; None if the source has no such anchor."""
        if anchor not in self._places:
            return None
        return self._section(anchor, self._places[anchor], strict=False).lines

    def _section(self, anchor: str, place: int, *, strict: bool) -> Section:
        nodes = [self._flow[at] for at in self._extent(place)]
        first = self._flow[place]
        blocks = _Reader(strict=strict).blocks(nodes[1:] if first.tag in _HEADINGS else nodes)
        return Section(anchor, collapsed(first.text()), blocks)

    def _extent(self, place: int) -> range:
        """Return the places of an algorithm: from a heading to the next one, or from a paragraph over its lists."""
        is_section = self._flow[place].tag in _HEADINGS
        end, has_list = place + 1, False
        while end < len(self._flow):
            node = self._flow[end]
            is_list = node.tag in ("ol", "ul", "dl", "table")
            if node.tag in _HEADINGS or (not is_section and not is_list and (has_list or not informative(node))):
                break
            has_list |= is_list
            end += 1
        return range(place, end)


def _flow(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the elements between headings, in order; containers without a meaning of their own are dissolved."""
    for child in node.iter():
        if child.tag in ("div", "section") and not informative(child):
            yield from _flow(child)
        else:
            yield child


def _limit(body: LexborNode) -> None:
    """Raise a SpecError if elements are nested too deeply for a recursive reader."""
    open_ = [(body, 0)]
    while open_:
        element, level = open_.pop()
        if level > DEEPEST:
            raise SpecError(f"{NAME}: elements are nested more than {DEEPEST} deep")
        open_ += [(child, level + 1) for child in element.iter()]


def _operation(node: LexborNode) -> str:
    """Return the name of the operation on an index that a paragraph defines by steps, empty if it defines none."""
    if "these steps" not in collapsed(node.text()):
        return ""
    for dfn in node.css("dfn"):
        if _OPERATION.match(collapsed(dfn.text())):
            return collapsed(dfn.text())
    return ""


def _anchors(node: LexborNode) -> Iterator[str]:
    """Yield the anchors that an element of the flow defines: ids of headings, and those of definitions."""
    if node.tag in _HEADINGS and node.attributes.get("id"):
        yield str(node.attributes["id"])
    for dfn in node.css("dfn"):
        yield dfn.attributes.get("id") or _generated_anchor(dfn)


def _heading_anchor(heading: LexborNode) -> str:
    return heading.attributes.get("id") or slug(collapsed(heading.text()))


def _generated_anchor(dfn: LexborNode) -> str:
    """Return the anchor that the standard's build gives to a definition without an id."""
    term = (dfn.attributes.get("lt") or dfn.text()).partition("|")[0]
    owner = (dfn.attributes.get("for") or "").partition(",")[0]
    if "method" in dfn.attributes or "constructor" in dfn.attributes:
        return slug(f"dom-{owner}-{term.partition('(')[0]}")
    return slug(f"{owner}-{term}" if owner not in ("", "/") else term)


def slug(text: str) -> str:
    """Return the anchor for a term."""
    return re.sub(r"[^a-z0-9_]+", "-", collapsed(text).lower()).strip("-")
