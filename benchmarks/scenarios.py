"""The rows of the benchmarks: every encoding, in both directions, on text of its language and on worst cases."""

from __future__ import annotations

import io
import itertools
import os
import re
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from random import Random
from typing import Any

import whatwg_encoding as we
from benchmarks import goals
from benchmarks.corpus import STYLES, Corpus, Style, restrict
from benchmarks.measure import Case, Goal, Job
from benchmarks.peers import (
    CPYTHON,
    OURS,
    Contender,
    Direction,
    available,
    contenders,
    cpython_codec,
    ours,
    representable,  # fmt: skip
)

SIZES = {"20 B": 20, "1 KiB": 1 << 10, "64 KiB": 1 << 16, "1 MiB": 1 << 20, "64 MiB": 1 << 26}

#: Encoding → the languages it is measured on. UTF-8 and UTF-16 have one language per kind of script.
_OF_ENCODINGS = {
    "UTF-8": "ja zh_cn ko ru ar th de en", "UTF-16BE": "ja de", "UTF-16LE": "ja ru de", "IBM866": "ru",
    "ISO-8859-2": "cs", "ISO-8859-3": "eo", "ISO-8859-4": "lv", "ISO-8859-5": "ru", "ISO-8859-6": "ar",
    "ISO-8859-7": "el", "ISO-8859-8": "he", "ISO-8859-8-I": "he", "ISO-8859-10": "is", "ISO-8859-13": "lt",
    "ISO-8859-14": "cy", "ISO-8859-15": "fr", "ISO-8859-16": "ro", "KOI8-R": "ru", "KOI8-U": "uk", "macintosh": "fr",
    "windows-874": "th", "windows-1250": "cs", "windows-1251": "ru", "windows-1252": "de fr en", "windows-1253": "el",
    "windows-1254": "tr", "windows-1255": "he", "windows-1256": "ar", "windows-1257": "lt", "windows-1258": "vi",
    "x-mac-cyrillic": "ru", "GBK": "zh_cn", "gb18030": "zh_cn", "Big5": "zh_tw", "EUC-JP": "ja", "ISO-2022-JP": "ja",
    "Shift_JIS": "ja", "EUC-KR": "ko", "replacement": "en", "x-user-defined": "en",
}  # fmt: skip
LANGUAGES = {name: tuple(languages.split()) for name, languages in _OF_ENCODINGS.items()}
_MORE_LANGUAGES = {"UTF-8": ("zh_tw", "el", "he", "vi", "cs", "fr"), "UTF-16LE": ("zh_cn", "ko")}

#: One encoding per family, for the rows that do not measure every encoding.
EXEMPLARS = ("UTF-8", "UTF-16LE", "windows-1251", "windows-1252", "gb18030", "Big5", "EUC-JP", "ISO-2022-JP",
             "Shift_JIS", "EUC-KR")  # fmt: skip


@dataclass(frozen=True)
class Scope:
    """The selection of rows to measure."""

    corpus: Corpus
    full: bool = False
    sizes: Sequence[str] = tuple(SIZES)

    def languages(self, name: str) -> tuple[str, ...]:
        """Return the languages that the encoding ``name`` is measured on."""
        return LANGUAGES[name] + (_MORE_LANGUAGES.get(name, ()) if self.full else ())


# --- Inputs -----------------------------------------------------------------------------------------------------------


def encoded(encoding: we.Encoding, text: str) -> bytes:
    """Return ``text`` in ``encoding``, encoded by CPython if the standard has no encoder for it."""
    if encoding.has_encoder:
        return encoding.encode(text)
    return text.encode(cpython_codec(encoding) or "utf-8")


def fit(encoding: we.Encoding, text: str, nbytes: int) -> str:
    """Return ``text``, repeated or truncated to at most ``nbytes`` encoded bytes of whole characters.

    Each repetition has its sentences in another order, since a branch predictor learns a short text that repeats.
    """
    whole = len(encoded(encoding, text))
    sentences = re.split(r"(?<=[.!?。！？\n>])", text)
    random = Random(0)
    copies = [text]
    for _ in range(-(-nbytes // whole) - 1):
        random.shuffle(sentences)
        copies.append("".join(sentences))
    text = "".join(copies)
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if len(encoded(encoding, text[:middle])) <= nbytes:
            low = middle
        else:
            high = middle - 1
    return text[:low]


@cache
def prepared(corpus: Corpus, encoding: we.Encoding, language: str, style: Style) -> tuple[str, str]:
    """Return the text of ``language`` that ``encoding`` and CPython's codec can both encode, and its origin."""
    if encoding.name == "x-user-defined":
        # Its use is binary data: half of these bytes are ASCII.
        data = Random(0).randbytes(1 << 16)
        return encoding.decode(data), "drawn"
    found = corpus.get(language, style)
    if encoding.name in ("UTF-8", "replacement") or encoding.name.startswith("UTF-16"):
        return found.text, found.origin
    characters = "".join(sorted(set(found.text)))
    decomposed = "".join(chr(code_point) for code_point in (*range(0x80, 0x250), *range(0x300, 0x370)))
    return restrict(found.text, representable(encoding, characters + decomposed)), found.origin


@dataclass(frozen=True)
class Input:
    """A text and its encoded form."""

    text: str
    data: bytes

    @property
    def names(self) -> dict[str, Any]:
        """The variables of a statement."""
        return {"text": self.text, "data": self.data}


def sized(scope: Scope, encoding: we.Encoding, language: str, style: Style, size: str) -> tuple[Input, str]:
    """Return text of ``language`` of a given size in ``encoding``, and its origin. Only a few small ones are cached."""
    make = _sized.__wrapped__ if SIZES[size] > 1 << 20 else _sized
    return make(scope.corpus, encoding, language, style, size)


@lru_cache(16)
def _sized(corpus: Corpus, encoding: we.Encoding, language: str, style: Style, size: str) -> tuple[Input, str]:
    text, origin = prepared(corpus, encoding, language, style)
    nbytes = SIZES[size]
    if size == "20 B":
        # The first non-ASCII letters of the text, without markup.
        letters = [character for character in text if not character.isascii()] or list(text)
        text = "".join(letters[:20]) if style == "plain text" else text
    text = fit(encoding, text, min(nbytes, 1 << 20))
    text *= max(1, nbytes >> 20)
    return Input(text, encoded(encoding, text)), origin


def directed(names: Iterable[str]) -> Iterator[tuple[Direction, we.Encoding]]:
    """Yield the encodings that are decoded, then those that are encoded; the replacement encoding has no text."""
    directions: tuple[Direction, ...] = ("decode", "encode")
    for direction in directions:
        for encoding in map(we.lookup, names):
            if direction == "decode" or encoding.has_encoder:
                yield direction, encoding


def convertible(names: Iterable[str]) -> list[str]:
    """Return the names without that of the replacement encoding, which converts nothing."""
    return [name for name in names if name != "replacement"]


# --- One call on valid text -------------------------------------------------------------------------------------------


def one_shot(scope: Scope) -> Iterator[Case]:
    """Yield the rows that decode and encode every encoding in one call, at every size."""
    for direction, encoding in directed(we.ENCODINGS):
        for language in scope.languages(encoding.name):
            for style in STYLES:
                for size in _one_shot_sizes(scope, encoding, language, style):
                    build = partial(_one_shot, scope, encoding, direction, language, style, size)
                    yield Case(direction, f"{encoding.name} {language}", size, style, build)


def _one_shot_sizes(scope: Scope, encoding: we.Encoding, language: str, style: Style) -> Iterator[str]:
    first = language == LANGUAGES[encoding.name][0]
    for size in scope.sizes:
        wanted = True
        if size in ("20 B", "1 KiB"):
            wanted = style == "plain text" and first
        elif size == "64 MiB":
            wanted = scope.full or (first and encoding.name in ("UTF-8", "windows-1251", "Shift_JIS"))
        if wanted:
            yield size


def _one_shot(scope: Scope, encoding: we.Encoding, direction: Direction, language: str, style: Style, size: str) -> Job:
    found, origin = sized(scope, encoding, language, style, size)
    goal = goals.one_shot(encoding, direction, language, style, size)
    notes = ["drawn text"] if origin == "drawn" else []
    # The replacement decoder does not read its input, so that it has no throughput.
    nbytes = len(found.data) if encoding.name != "replacement" else None
    return Job(contenders(encoding, direction), found.names, nbytes, goal, notes=notes)


# --- Errors and other hostile input -----------------------------------------------------------------------------------

#: Encoding → bytes that are one error, and a sequence that is truncated before an ASCII character.
_ERRORS = {
    "UTF-8": (b"\xff", b"\xe3\x81 "),
    "UTF-16LE": (b"\x00\xdc", b"\x3d\xd8 \x00"),
    "UTF-16BE": (b"\xdc\x00", b"\xd8\x3d\x00 "),
    **dict.fromkeys(("ISO-8859-6", "windows-874", "windows-1253", "windows-1255"), (b"\xff", b"\xff ")),
    "GBK": (b"\xff", b"\xb0 "),
    "gb18030": (b"\xff", b"\x81\x30 "),
    **dict.fromkeys(("Big5", "EUC-JP", "EUC-KR"), (b"\xff", b"\xa4 ")),
    "ISO-2022-JP": (b"\xff", b"\x1b$ "),
    "Shift_JIS": (b"\xff", b"\x81 "),
}
#: Encoding → one character of each kind: adjacent characters take different paths.
_KINDS = {
    "UTF-8": "aé人😀", "UTF-16LE": "a人😀é", "UTF-16BE": "a人😀é", "windows-1252": "aé", "windows-1251": "aя",
    "windows-874": "aก", "GBK": "a人", "gb18030": "a人é😀", "Big5": "a人𠀋", "EUC-JP": "a人ｱ", "ISO-2022-JP": "a人",
    "Shift_JIS": "aｱ人", "EUC-KR": "a한",
}  # fmt: skip
#: Encoding → a character above U+FFFF.
_ASTRAL = dict.fromkeys(("UTF-8", "UTF-16LE", "UTF-16BE", "gb18030", "GBK", "windows-1252"), "😀") | {"Big5": "𠀋"}


def hostile(scope: Scope) -> Iterator[Case]:
    """Yield the rows of malformed input, and the worst cases of valid text."""
    for size in (size for size in scope.sizes if size in (("1 KiB", "64 KiB", "1 MiB") if scope.full else ("64 KiB",))):
        for name in _ERRORS:
            for style in ("1 % errors", "every byte an error", "broken off"):
                build = partial(_malformed, scope, we.lookup(name), style, size)
                yield Case("hostile decode", name, size, style, build)
        for style, characters in (("alternating kinds", _KINDS), ("one astral character at the end", _ASTRAL)):
            for direction, encoding in directed(characters):
                name = encoding.name
                if direction == "encode" or style == "alternating kinds" or name not in ("windows-1252", "GBK"):
                    build = partial(_worst_case, scope, encoding, direction, characters is _KINDS, size)
                    yield Case(f"hostile {direction}", name, size, style, build)
        for direction, encoding in directed(EXEMPLARS):
            if direction == "encode" and encoding.name not in ("UTF-8", "gb18030"):
                build = partial(_unencodable, encoding, size)
                yield Case("hostile encode", encoding.name, size, "every character an error", build)


def _one_in_a_hundred(scope: Scope, encoding: we.Encoding, error: bytes, size: str) -> bytes:
    found, _ = sized(scope, encoding, LANGUAGES[encoding.name][0], "plain text", size)
    encode = encoding.new_encoder().encode if encoding.has_encoder else partial(encoded, encoding)
    random, parts, at = Random(0), list[bytes](), 0
    while at < len(found.text):
        following = at + random.randint(50, 150)
        parts += encode(found.text[at:following]), error
        at = following
    return b"".join(parts)


def _malformed(scope: Scope, encoding: we.Encoding, style: str, size: str) -> Job:
    error, broken = _ERRORS[encoding.name]
    goal = None
    if style == "1 % errors":
        data = _one_in_a_hundred(scope, encoding, error, size)
        goal = Goal("Malformed input, 1 % errors", 2.0) if size in goals.PAGE_SIZES else None
    else:
        unit = error if style == "every byte an error" else broken
        data = unit * (SIZES[size] // len(unit))
    return Job(contenders(encoding, "decode"), {"data": data}, len(data), goal)


def _worst_case(scope: Scope, encoding: we.Encoding, direction: Direction, is_alternating: bool, size: str) -> Job:
    if is_alternating:
        text = fit(encoding, _KINDS[encoding.name], SIZES[size])
    else:
        # English has the narrowest string, so that widening it copies the most.
        language = "en" if encoding.name.startswith(("UTF", "windows")) else LANGUAGES[encoding.name][0]
        text = sized(scope, encoding, language, "plain text", size)[0].text + _ASTRAL[encoding.name]
    found = Input(text, encoded(encoding, text))
    return Job(contenders(encoding, direction), found.names, len(found.data))


def _unencodable(encoding: we.Encoding, size: str) -> Job:
    text = "😀" * (SIZES[size] // 4)
    return Job(contenders(encoding, "encode"), {"text": text}, len(encoding.encode(text)))


# --- Chunks and threads -----------------------------------------------------------------------------------------------

CHUNK = 4096


def drop_each(convert: Callable[..., object], chunks: Sequence[Any]) -> None:
    """Convert the chunks and discard each result, which measures the calls alone."""
    deque(map(convert, chunks), 0)
    convert(chunks[0][:0], True)


def write_each(convert: Callable[..., Any], chunks: Sequence[Any]) -> object:
    """Write each result to a stream in memory."""
    stream: Any = io.StringIO() if isinstance(chunks[0], bytes) else io.BytesIO()
    for chunk in chunks:
        stream.write(convert(chunk))
    stream.write(convert(chunks[0][:0], True))
    return stream


def join_all(convert: Callable[..., Any], chunks: Sequence[Any]) -> object:
    """Append the results to a list, and join the list."""
    results = []
    for chunk in chunks:
        results.append(convert(chunk))
    results.append(convert(chunks[0][:0], True))
    return results[0][:0].join(results)


def encode_again(convert: Callable[..., Any], chunks: Sequence[bytes]) -> None:
    """Encode each decoded text as UTF-8, with Python's encoder for every contender."""
    for chunk in chunks:
        convert(chunk).encode("utf-8", "surrogatepass")
    convert(chunks[0][:0], True)


#: Use of the results of a stream → its function. Text alone is encoded again.
_USES: dict[str, Callable[..., object]] = {
    "dropped": drop_each, "written": write_each, "joined": join_all, "encoded again": encode_again,
}  # fmt: skip


def streaming(scope: Scope) -> Iterator[Case]:
    """Yield the rows of streams in chunks of 4 KiB, for each use of the results, against CPython's codecs."""
    for size in (size for size in scope.sizes if size == "1 MiB"):
        for direction, encoding in directed(convertible(we.ENCODINGS)):
            name = f"{encoding.name} {LANGUAGES[encoding.name][0]}"
            for use in list(_USES)[: 4 if direction == "decode" else 3]:
                is_first = direction == "decode" and use == "dropped"
                if scope.full or is_first or encoding.name in EXEMPLARS:
                    for style in STYLES:
                        build = partial(_streaming, scope, encoding, direction, style, size, use)
                        yield Case(f"streaming {direction}, {use}", name, size, style, build)
        for encoding in (we.WINDOWS_1252, we.UTF_8):
            yield Case("streaming calls", f"{encoding.name}, 1 byte", size, "", partial(_one_call, encoding))


def _coders(encoding: we.Encoding, direction: Direction, use: str) -> list[Contender]:
    """Return our incremental coder and CPython's; ``use`` is the expression on their method."""
    coder = f"{direction}r"
    rivals = [ours(encoding, use.format(f"encoding.new_{coder}().{direction}"))]
    if codec := cpython_codec(encoding):
        errors = "replace" if direction == "decode" else "xmlcharrefreplace"
        make = f"import codecs; make = codecs.getincremental{coder}({codec!r})"
        rivals.append(Contender(CPYTHON, f"result = {use.format(f'make({errors!r}).{direction}')}", make))
    return rivals


def _streaming(scope: Scope, encoding: we.Encoding, direction: Direction, style: Style, size: str, use: str) -> Job:
    found, _ = sized(scope, encoding, LANGUAGES[encoding.name][0], style, size)
    whole: str | bytes = found.data if direction == "decode" else found.text
    chunks = [whole[at : at + CHUNK] for at in range(0, len(whole), CHUNK)]
    rivals = _coders(encoding, direction, "use({}, chunks)")
    goal = Goal(f"Streaming decode, {use}", 1.0, goals.CPYTHON_ONLY)
    inputs = {**found.names, "chunks": chunks, "use": _USES[use]}
    judged = direction == "decode" and len(rivals) > 1
    return Job(rivals, inputs, len(found.data), goal if judged else None, same_results=False)


def _one_call(encoding: we.Encoding) -> Job:
    """Return the job of one call of an incremental decoder on one byte, which measures the overhead of a call."""
    coders = _coders(encoding, "decode", "{}")
    rivals = [Contender(one.name, "result(data)", f"{one.setup}; {one.statement}") for one in coders]
    return Job(rivals, {"data": b"a"}, None, Goal("Streaming, a call", at_most=200e-9), same_results=False)


def _settle() -> None:
    """Pin the thread to a processor, since the system may start both threads on the same one."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(threading.get_native_id(), {next(_PROCESSORS)})


_PROCESSORS = itertools.cycle(sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0])
_POOL = ThreadPoolExecutor(2, initializer=_settle)
#: Calls in each of two threads, which amortize the start of the threads.
_CALLS = 64


def in_threads(convert: Callable[[Any], object], item: object, number: int) -> int:
    """Distribute ``2 * _CALLS`` calls among ``number`` threads; return the number of calls."""

    def work() -> None:
        for _ in range(2 * _CALLS // number):
            convert(item)

    for future in [_POOL.submit(work) for _ in range(number)]:
        future.result()
    return 2 * _CALLS


def threads(scope: Scope) -> Iterator[Case]:
    """Yield the rows of two concurrent threads against one thread that does the same work."""
    for size in (size for size in scope.sizes if size == "1 MiB"):
        for direction, encoding in directed(convertible(we.ENCODINGS if scope.full else EXEMPLARS)):
            build = partial(_threads, scope, encoding, direction, size)
            name = f"{encoding.name} {LANGUAGES[encoding.name][0]}"
            yield Case(f"two threads {direction}", name, size, "plain text", build)


def _threads(scope: Scope, encoding: we.Encoding, direction: Direction, size: str) -> Job:
    found, _ = sized(scope, encoding, LANGUAGES[encoding.name][0], "plain text", size)
    item = "data" if direction == "decode" else "text"
    first = ours(encoding, f"in_threads(encoding.{direction}, {item}, 2)")
    rivals = [first, Contender("one thread", first.statement.replace("2)", "1)"), first.setup)]
    inputs = {**found.names, "in_threads": in_threads}
    goal = Goal("Two threads on 1 MiB", 1.8, frozenset({"one thread"}))
    return Job(rivals, inputs, 2 * _CALLS * len(found.data), goal, wall=True)


# --- Other functions --------------------------------------------------------------------------------------------------


def lookups(scope: Scope) -> Iterator[Case]:
    """Yield the rows that look up an encoding by its label."""
    if "20 B" in scope.sizes:
        for label in ("utf-8", "shift_jis", "windows-1252", " Shift_JIS\n"):
            yield Case("lookup", repr(label), "20 B", "label", partial(_lookup, label))


def _lookup(label: str) -> Job:
    modules = {OURS: "whatwg_encoding", "webencodings": "webencodings", CPYTHON: "codecs"}
    rivals = [
        Contender(name, f"result = {module}.lookup(label)", f"import {module}") for name, module in modules.items()
    ]
    goal = Goal("Lookup of a known label", at_most=goals.SMALL_CALL)
    return Job(list(available(rivals, {"label": label})), {"label": label}, goal=goal, same_results=False)


#: Kind of conversion → our call and the statement for CPython's codec.
_CONVERSIONS = {
    "decode_to_utf8": ("encoding.decode_to_utf8(data)", 'data.decode("{}", "replace").encode()'),
    "recode": (
        "we.recode(utf_8, 'utf-8', encoding)",
        'utf_8.decode("utf-8", "replace").encode("{}", "xmlcharrefreplace")',
    ),
    "valid_up_to": ("encoding.valid_up_to(data)", 'len(data) if data.decode("{}") else 0'),
    "encoded_length": ("encoding.encoded_length(text)", 'len(text.encode("{}", "xmlcharrefreplace"))'),
}


def conversions(scope: Scope) -> Iterator[Case]:
    """Yield the rows of conversion to UTF-8, validation, computation of lengths, and many small items."""
    for size in (size for size in scope.sizes if size in goals.PAGE_SIZES):
        for encoding in map(we.lookup, convertible(we.ENCODINGS if scope.full else EXEMPLARS)):
            for style in STYLES:
                for kind in _CONVERSIONS:
                    if kind in ("decode_to_utf8", "valid_up_to") or encoding.has_encoder:
                        build = partial(_conversion, scope, encoding, style, size, kind)
                        yield Case(kind, f"{encoding.name} {LANGUAGES[encoding.name][0]}", size, style, build)
    if "20 B" in scope.sizes:
        for name in EXEMPLARS:
            build = partial(_many, scope, we.lookup(name))
            yield Case("decode_many", f"{name} {LANGUAGES[name][0]}", "20 B", "plain text", build)


def _conversion(scope: Scope, encoding: we.Encoding, style: Style, size: str, kind: str) -> Job:
    found, _ = sized(scope, encoding, LANGUAGES[encoding.name][0], style, size)
    call, theirs = _CONVERSIONS[kind]
    rivals = [ours(encoding, call)]
    if codec := cpython_codec(encoding):
        rivals.append(Contender(CPYTHON, f"result = {theirs.format(codec)}"))
    inputs = {**found.names, "utf_8": found.text.encode("utf-8", "replace")}
    return Job(rivals, inputs, len(found.data))


def _many(scope: Scope, encoding: we.Encoding) -> Job:
    found, _ = sized(scope, encoding, LANGUAGES[encoding.name][0], "plain text", "20 B")
    rivals = [
        Contender(OURS, "result = we.decode_many(items)", "import whatwg_encoding as we"),
        Contender("Encoding.decode", "result = [encoding.decode(data) for data, encoding in items]"),
    ]
    if codec := cpython_codec(encoding):
        statement = f'result = [data.decode("{codec}", "replace") for data, encoding in items]'
        rivals.append(Contender(CPYTHON, statement))
    return Job(rivals, {"items": [(found.data, encoding)] * 1000}, notes=["a thousand items"])


def crawled(scope: Scope) -> Iterator[Case]:
    """Yield the rows of declared pages: ``decode_crawled`` beside the declared encoding's decoder and the prescan."""
    if "64 KiB" in scope.sizes:
        for direction, encoding in directed(we.ENCODINGS if scope.full else EXEMPLARS):
            if direction == "encode" and encoding.name != "x-user-defined":
                build = partial(_crawled, scope, encoding)
                yield Case(
                    "decode_crawled", f"{encoding.name} {LANGUAGES[encoding.name][0]}", "64 KiB", "markup", build
                )


def _crawled(scope: Scope, encoding: we.Encoding) -> Job:
    found, _ = sized(scope, encoding, LANGUAGES[encoding.name][0], "markup", "64 KiB")
    data = f"<!DOCTYPE html><meta charset={encoding.name}>".encode() + found.data
    name = "decode and prescan"
    rivals = [
        ours(encoding, "we.decode_crawled(data).text"),
        Contender(name, "we.sniff.prescan(data); result = encoding.decode(data)", ours(encoding, "").setup),
    ]
    return Job(rivals, {"data": data}, len(data), Goal("decode_crawled, declared", 0.4, frozenset({name})))


def copies(scope: Scope) -> Iterator[Case]:
    """Yield the rows of decoders beside a copy of their result, the limit of what a decoder can reach."""
    if "64 KiB" in scope.sizes:
        for name in convertible(we.ENCODINGS if scope.full else EXEMPLARS):
            language = LANGUAGES[name][0]
            for style in STYLES:
                build = partial(_copy, scope, we.lookup(name), language, style)
                yield Case("decode beside a copy", f"{name} {language}", "64 KiB", style, build)


def _copy(scope: Scope, encoding: we.Encoding, language: str, style: Style) -> Job:
    found, _ = sized(scope, encoding, language, style, "64 KiB")
    text = encoding.decode(found.data)
    rivals = [
        ours(encoding, "encoding.decode(data)"),
        Contender("copy of the text", "result = most + last"),  # a str of the same kind, in memory that it has then
    ]
    goal = Goal("Decoding beside a copy of the text", 0.11, frozenset({"copy of the text"}))
    return Job(rivals, {"data": found.data, "most": text[:-1], "last": text[-1:]}, len(found.data), goal)


# --- Sniffing ---------------------------------------------------------------------------------------------------------

_HEAD = b"""<!DOCTYPE html>
<html lang="ko" class="no-js">
<head>
<meta http-equiv="X-UA-Compatible" content="IE=edge">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="preload" href="/assets/main.css?v=42" as="style">
"""
_BODY = (
    b"""<title>A page of an ordinary site</title>
<script>window.dataLayer = window.dataLayer || []; if (a < b && c > d) { track("page"); }</script>
<!-- navigation --><nav class='top'><a href="/" title="Start">Start</a> <a href="/news">News</a></nav>
"""
    * 20
)
#: The bytes of each page, and the goal in seconds.
_PAGES = {
    "meta in the first 300 bytes": (_HEAD + b'<meta charset="euc-kr">\n' + _BODY, 5e-6),
    "1024 bytes without declaration": (_HEAD + _BODY, 15e-6),
    "byte order mark": (b"\xef\xbb\xbf" + _HEAD + _BODY, None),
}
#: Each library's function for this: html5lib's stream determines it, the others search for a declaration, after which
#: turbohtml falls back to statistics.
_SNIFFERS = {
    OURS: ("whatwg_encoding.sniff.html", "sniff(data)"),
    "w3lib": ("w3lib.encoding.html_body_declared_encoding", "sniff(data)"),
    "html5lib": ("html5lib._inputstream.HTMLBinaryInputStream", "sniff(data).charEncoding"),
    "dammit": ("bs4.dammit.EncodingDetector", "sniff.find_declared_encoding(data, is_html=True)"),
    "turbohtml": ("turbohtml.detect.detect", "sniff(data).encoding"),
}


def sniffing() -> Iterator[Case]:
    """Yield the rows that determine the encoding of a page."""
    for page in _PAGES:
        yield Case("sniff", "HTML", "", page, partial(_sniff, page))


def _sniff(page: str) -> Job:
    data, seconds = _PAGES[page]
    rivals = []
    for name, (function, call) in _SNIFFERS.items():
        module, _, member = function.rpartition(".")
        rivals.append(Contender(name, f"result = {call}", f"from {module} import {member} as sniff"))
    goal = None if seconds is None else Goal(f"Sniffing, {page}", at_most=seconds)
    inputs = {"data": data}
    return Job(list(available(rivals, inputs)), inputs, goal=goal, same_results=False)


def all_cases(scope: Scope) -> Iterator[Case]:
    """Yield every row of ``scope``, in the order of the report."""
    for scenario in (one_shot, hostile, streaming, threads, lookups, conversions, crawled, copies):
        yield from scenario(scope)
    yield from sniffing()
