"""Extract the steps of transcribed algorithms from the standard's source, pin them, and compare them.

Code is generated from the indexes and labels, but the steps are transcribed by hand in templates, hooks and the
reference. `prose.json` in the data folder pins the text of each transcribed algorithm, so that a change upstream can be
shown with old and new text and the files that transcribe it.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from types import MappingProxyType
from typing import Any

from generator.handlers import STANDARD
from generator.model import GeneratorError
from generator.snapshot import DATA, replace

FILE = "prose.json"

SOURCE = "https://raw.githubusercontent.com/whatwg/encoding/main/encoding.bs"
"""The source that the standard is built from."""

SOURCE_NAME = "encoding.bs"

LICENCE = "Copyright © WHATWG, CC BY 4.0; portions in source code: BSD-3-Clause"

ALGORITHMS = (
    # 3. Terminology
    *("concept-stream-read", "i-o-queue-peek", "concept-stream-push", "concept-stream-prepend"),
    *("from-i-o-queue-convert", "to-i-o-queue-convert"),
    # 4. Encodings
    *("concept-encoding-run", "concept-encoding-process", "concept-encoding-get", "get-an-output-encoding"),
    # 5. Indexes
    *("index-code-point", "index-pointer", "index-gb18030-ranges-code-point", "index-gb18030-ranges-pointer"),
    *("index-shift_jis-pointer", "index-big5-pointer"),
    # 6. Hooks for standards
    *("utf-8-decode", "utf-8-decode-without-bom", "utf-8-decode-without-bom-or-fail", "utf-8-encode"),
    *("decode", "bom-sniff", "encode", "get-an-encoder", "encode-or-fail"),
    # 7. API
    *("concept-td-serialize", "dom-textdecoder", "dom-textdecoder-decode", "dom-textencoder-encode"),
    *("dom-textencoder-encodeinto", "decode-and-enqueue-a-chunk", "flush-and-enqueue"),
    *("encode-and-enqueue-a-chunk", "convert-code-unit-to-scalar-value", "encode-and-flush"),
    # 8. to 14.: the encodings
    *("utf-8-decoder", "utf-8-encoder", "single-byte-decoder", "single-byte-encoder"),
    *("gbk-decoder", "gbk-encoder", "gb18030-decoder", "gb18030-encoder", "big5-decoder", "big5-encoder"),
    *("euc-jp-decoder", "euc-jp-encoder", "iso-2022-jp-decoder", "iso-2022-jp-encoder"),
    *("shift_jis-decoder", "shift_jis-encoder", "euc-kr-decoder", "euc-kr-encoder"),
    *("replacement-decoder", "shared-utf-16-decoder", "utf-16be-decoder", "utf-16le-decoder"),
    *("x-user-defined-decoder", "x-user-defined-encoder"),
)
"""The anchors of the algorithms that are transcribed, in the standard's order."""

TRANSCRIPTIONS = ("templates", "generated", "src/whatwg_encoding", "tests/reference")
"""The folders with files that transcribe algorithms and cite their anchors."""

MOST = 4 * 1024 * 1024
"""Maximum size in characters of the standard's source."""


class ProseError(GeneratorError):
    """The standard's source or the pin of its prose is malformed. Each line of the message is one fault."""


@dataclass(frozen=True, slots=True)
class Prose:
    """The steps of each algorithm by anchor, in lines of plain text, with their origin."""

    origin: str
    date: str
    """The ISO 8601 date of the source."""
    sections: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class SectionChange:
    """An algorithm whose text differs; the steps are None on a side without the algorithm."""

    anchor: str
    old: tuple[str, ...] | None
    new: tuple[str, ...] | None

    @property
    def url(self) -> str:
        return f"{STANDARD}#{self.anchor}"


def sha256(steps: Sequence[str]) -> str:
    """Return the SHA-256 of an algorithm's normalised steps, in hexadecimal."""
    return hashlib.sha256("\n".join(steps).encode()).hexdigest()


# -- From the source to steps ------------------------------------------------------------------------------------------

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LISTS = frozenset({"ol", "ul", "dl", "table"})
_BLOCKS = frozenset({"p", "li", "dt", "dd", "tr", "div", "pre", "hr", "aside", "figure"}) | _HEADINGS | _LISTS
_INFORMATIVE = frozenset({"note", "example", "warning", "XXX", "domintro"})
"""Classes of informative elements, which state no requirement."""


@dataclass(slots=True)
class _Block:
    """A paragraph, list item or heading: its text, and the anchors that it defines."""

    depth: int
    """The number of lists that contain it."""
    label: str
    """Its number within those lists, empty for a paragraph that continues an item."""
    is_heading: bool
    is_informative: bool
    text: str
    anchors: list[str]


class _Reader(HTMLParser):
    """Divide the source into blocks. End tags are optional there, so each start of a block ends the previous one."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[_Block] = []
        self._lists: list[list[Any]] = []  # Tag and last item number of each open list.
        self._informative = 0  # Number of open containers, from the outermost informative one.
        self._hidden = 0  # Number of open <pre>, <script> and <style> elements.
        self._dfn: tuple[dict[str, str | None], int] | None = None  # Attributes, and the start of its text.
        self._open("", is_heading=False, is_informative=False)

    def _open(self, label: str, *, is_heading: bool, is_informative: bool) -> None:
        depth = len(self._lists)
        if not label and self.blocks and self.blocks[-1].depth == depth and not self.blocks[-1].text.strip():
            label = self.blocks[-1].label  # The first paragraph of an item.
        self.blocks.append(_Block(depth, label, is_heading, is_informative or bool(self._informative), "", []))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        block = self.blocks[-1]
        if tag == "dfn":
            self._dfn = attributes, len(block.text)
        if tag in ("td", "th"):
            block.text += " "
        if tag not in _BLOCKS:
            self._hidden += tag in ("script", "style")
            return
        is_informative = bool(_INFORMATIVE.intersection((attributes.get("class") or "").split()))
        if tag in ("div", "aside", "figure") and (is_informative or self._informative):
            self._informative += 1
        label = ""
        if tag in _LISTS:
            self._lists.append([tag, 0])
        elif tag in ("li", "dt", "tr") and self._lists:
            self._lists[-1][1] += 1
            label = ".".join(str(number) for _, number in self._lists)
        self._hidden += tag == "pre"
        self._open(label, is_heading=tag in _HEADINGS, is_informative=is_informative)
        if tag in _HEADINGS and attributes.get("id"):
            self.blocks[-1].anchors.append(str(attributes["id"]))

    def handle_endtag(self, tag: str) -> None:
        if tag == "dfn" and self._dfn is not None:
            attributes, start = self._dfn
            self.blocks[-1].anchors.append(_anchor(attributes, self.blocks[-1].text[start:]))
            self._dfn = None
        if tag in ("pre", "script", "style"):
            self._hidden = max(self._hidden - 1, 0)
        if tag in ("div", "aside", "figure") and self._informative:
            self._informative -= 1
        if tag in _LISTS and any(open_[0] == tag for open_ in self._lists):
            while self._lists.pop()[0] != tag:
                pass
        if tag in _BLOCKS and tag != "p":
            self._open("", is_heading=False, is_informative=False)

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.blocks[-1].text += data


def _anchor(attributes: Mapping[str, str | None], text: str) -> str:
    """Return the anchor of a definition: its id, or the one that the standard's build generates."""
    if attributes.get("id"):
        return str(attributes["id"])
    term = (attributes.get("lt") or text).partition("|")[0]
    owner = (attributes.get("for") or "").partition(",")[0]
    if "method" in attributes or "constructor" in attributes:
        return _slug(f"dom-{owner}-{term.partition('(')[0]}")
    return _slug(f"{owner}-{term}" if owner not in ("", "/") else term)


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9_]+", "-", " ".join(text.split()).lower()).strip("-")


def extract(source: str, *, origin: str, day: str) -> Prose:
    """Return the prose of a source of the standard: the normalised steps of each known algorithm in it.

    White space is collapsed; mark-up, comments, notes and examples are omitted; items are numbered as the standard
    renders them. `day` is the source's ISO 8601 date. Raise a ProseError if it is not the standard's source.
    """
    if len(source) > MOST:
        raise ProseError(f"{SOURCE_NAME}: has {len(source)} characters, but at most {MOST} are accepted")
    reader = _Reader()
    reader.feed(source)
    reader.close()
    places: dict[str, int] = {}
    for place, block in enumerate(reader.blocks):
        for anchor in block.anchors:
            places.setdefault(anchor, place)
    known = [anchor for anchor in ALGORITHMS if anchor in places]
    sections = {anchor: tuple(_steps(reader.blocks, places[anchor])) for anchor in known}
    if not sections:
        raise ProseError(
            f"{SOURCE_NAME}: contains none of the standard's algorithms, such as #{ALGORITHMS[0]} ({STANDARD})"
        )
    return Prose(origin, day, MappingProxyType(sections))


def _steps(blocks: Sequence[_Block], start: int) -> Iterator[str]:
    """Yield the lines of the algorithm that a block defines.

    Under a heading they extend to the next heading; after a paragraph, to the end of the lists that follow it.
    """
    first = blocks[start]
    in_list = False
    if not first.is_heading:
        yield _line(first)
    for block in blocks[start + 1 :]:
        text = _line(block)
        if block.is_heading:
            return
        if not first.is_heading and block.depth <= first.depth:
            if in_list or (text and not block.is_informative):
                return
            continue
        in_list = in_list or block.depth > first.depth
        if text and not block.is_informative:
            yield text


def _line(block: _Block) -> str:
    text = " ".join(block.text.split())
    return f"{block.label}. {text}" if text and block.label else text


# -- The pin -----------------------------------------------------------------------------------------------------------


def to_json(prose: Prose) -> bytes:
    """Return the content of prose.json, with a line per step, so that a change upstream is a reviewable diff."""
    value = {
        "origin": prose.origin,
        "date": prose.date,
        "licence": LICENCE,
        "algorithms": {
            anchor: {"sha256": sha256(steps), "steps": list(steps)} for anchor, steps in prose.sections.items()
        },
    }
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()


def load(folder: Path = DATA) -> Prose | None:
    """Return the prose that a folder pins, None if it pins none.

    In a folder that has a source of the standard, encoding.bs, instead, return the prose of that. Raise a ProseError if
    an algorithm does not match its digest.
    """
    path = folder / FILE
    if not path.exists():
        source = folder / SOURCE_NAME
        return extract(source.read_text(encoding="utf-8"), origin=str(source), day="") if source.exists() else None
    try:
        value = json.loads(path.read_bytes())
        if value["date"]:
            date.fromisoformat(value["date"])
        sections = {str(anchor): tuple(map(str, one["steps"])) for anchor, one in value["algorithms"].items()}
        digests = {anchor: one["sha256"] for anchor, one in value["algorithms"].items()}
        origin, day = str(value["origin"]), str(value["date"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ProseError(f"{FILE}: is not a pin of the standard's prose: {error!r}"[:200]) from error
    faults = [
        f"{FILE}: #{anchor}: its sha256 is {sha256(steps)}, but {digests[anchor]!a:.80} is pinned"
        for anchor, steps in sections.items()
        if sha256(steps) != digests[anchor]
    ]
    if faults:
        raise ProseError("\n".join(faults))
    return Prose(origin, day, MappingProxyType(sections))


def write(folder: Path, prose: Prose) -> None:
    """Pin the prose in a folder, atomically."""
    replace(folder, {FILE: to_json(prose)})


# -- Comparing ---------------------------------------------------------------------------------------------------------


def compare(old: Prose, new: Prose) -> tuple[SectionChange, ...]:
    """Return the algorithms whose text differs, in the standard's order."""
    anchors = dict.fromkeys([*old.sections, *new.sections])
    changes = (SectionChange(anchor, old.sections.get(anchor), new.sections.get(anchor)) for anchor in anchors)
    return tuple(change for change in changes if change.old != change.new)


def transcribers(anchor: str, root: Path = DATA.parent) -> tuple[str, ...]:
    """Return the files that transcribe an algorithm, those that cite its anchor, relative to the project."""
    pattern = re.compile(rf"#{re.escape(anchor)}(?![\w-])")
    return tuple(file for file, text in _texts(root) if pattern.search(text))


@cache
def _texts(root: Path) -> tuple[tuple[str, str], ...]:
    found = []
    for folder in TRANSCRIPTIONS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".py", ".pyx", ".pxd", ".j2") and path.name != Path(__file__).name:
                found.append((path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")))
    return tuple(found)


def lines(changes: Sequence[SectionChange], limit: int | None = None) -> Iterator[str]:
    """Yield lines of text about changed algorithms: the differing steps, and the files that transcribe them.

    Include at most `limit` differing steps of each algorithm, unless it is None.
    """
    for change in changes:
        verb = "is new" if change.old is None else "is removed" if change.new is None else "has changed"
        yield f"Algorithm #{change.anchor} {verb} ({change.url})"
        files = transcribers(change.anchor)
        yield f"  transcribed by {', '.join(files)}" if files else "  transcribed by no file"
        differing = list(differences(change))
        yield from (f"  {mark} {text}" for mark, text in differing[:limit])
        if limit is not None and len(differing) > limit:
            yield f"    … and {len(differing) - limit} more"


def differences(change: SectionChange) -> Iterator[tuple[str, str]]:
    """Yield the steps that differ, each with ``-`` if it is the old text and ``+`` if it is the new."""
    for line in difflib.ndiff(change.old or (), change.new or ()):
        if line[0] in "-+":
            yield line[0], line[2:]
