"""The rows of the benchmarks: every encoding, in both directions, on text of its language and on worst cases."""

from __future__ import annotations

import codecs
import io
import itertools
import os
import re
import threading
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from random import Random
from typing import Any

import whatwg_encoding as we
from benchmarks import DATA, ROWS, goals, peers
from benchmarks.corpus import STYLES, Corpus, Style, restrict
from benchmarks.measure import Case, Goal, Job
from benchmarks.peers import CPYTHON, OURS, Contender, Direction, contenders, encoded, ours

SIZES = {"20 B": 20, "1 KiB": 1 << 10, "64 KiB": 1 << 16, "1 MiB": 1 << 20, "64 MiB": 1 << 26}

#: Encoding → the languages it is measured on, and more of them in a full run.
LANGUAGES: dict[str, tuple[str, ...]] = {name: tuple(found.split()) for name, found in DATA["measured"].items()}
_MORE_LANGUAGES = {name: tuple(found.split()) for name, found in DATA["measured_in_full"].items()}

#: One encoding per family, for the rows that do not measure every encoding.
EXEMPLARS = ("UTF-8", "UTF-16LE", "windows-1251", "windows-1252", "gb18030", "Big5", "EUC-JP", "ISO-2022-JP",
             "Shift_JIS", "EUC-KR")  # fmt: skip
#: The encodings with text; the replacement encoding converts nothing.
CONVERTIBLE = tuple(name for name in we.ENCODINGS if name != "replacement")
DIRECTIONS: tuple[Direction, ...] = ("decode", "encode")


@dataclass(frozen=True)
class Setting:
    """What a row converts."""

    corpus: Corpus
    direction: Direction
    encoding: we.Encoding
    language: str
    style: Style
    size: str

    @property
    def inputs(self) -> dict[str, Any]:
        """The variables of a statement: ``text``, and ``data``, its encoded form."""
        # Only a few small ones are cached.
        make = _inputs.__wrapped__ if SIZES[self.size] > 1 << 20 else _inputs
        return dict(make(self.corpus, self.encoding, self.language, self.style, self.size))

    def row(self, group: str, build: Callable[..., Job], *more: Any, style: str = "", name: str = "") -> Case:
        """Return the row whose job ``build`` makes of the setting, and of what is given besides."""
        name = name or f"{self.encoding.name} {self.language}"
        return Case(group, name, self.size, style or self.style, partial(build, self, *more))


@dataclass(frozen=True)
class Scope:
    """The selection of rows to measure."""

    corpus: Corpus
    full: bool = False
    sizes: Sequence[str] = tuple(SIZES)

    @property
    def exemplars(self) -> Sequence[str]:
        """The encodings of the rows that measure every encoding only on request."""
        return CONVERTIBLE if self.full else EXEMPLARS

    def settings(
        self,
        names: Iterable[str],
        sizes: Iterable[str],
        directions: Iterable[Direction] = DIRECTIONS,
        styles: Sequence[Style] = STYLES,
        all_languages: bool = False,
    ) -> Iterator[Setting]:
        """Yield the settings of the selected sizes: of each direction, encoding and language."""
        wanted = [size for size in sizes if size in self.sizes]
        for direction, name in itertools.product(directions, names):
            encoding = we.lookup(name)
            languages = LANGUAGES[name] + (_MORE_LANGUAGES.get(name, ()) if self.full else ())
            if direction == "decode" or encoding.has_encoder:
                for case in itertools.product(languages if all_languages else languages[:1], styles, wanted):
                    yield Setting(self.corpus, direction, encoding, *case)


def fit(encoding: we.Encoding, text: str, nbytes: int) -> str:
    """Return ``text``, repeated or truncated to at most ``nbytes`` encoded bytes of whole characters.

    Each repetition has its sentences in another order, since a branch predictor learns a short text that repeats.
    """
    sentences = re.split(r"(?<=[.!?。！？\n>])", text)
    random = Random(0)
    copies = [text]
    for _ in range(-(-nbytes // len(encoded(encoding, text))) - 1):
        random.shuffle(sentences)
        copies.append("".join(sentences))
    text = "".join(copies)
    fitting = bisect_right(range(1, len(text) + 1), nbytes, key=lambda end: len(encoded(encoding, text[:end])))
    return text[:fitting]


@cache
def prepared(corpus: Corpus, encoding: we.Encoding, language: str, style: Style) -> str:
    """Return the text of ``language`` that ``encoding`` and CPython's codec can both encode."""
    if encoding is we.X_USER_DEFINED:
        return encoding.decode(Random(0).randbytes(1 << 16))  # its use is binary data: half of these bytes are ASCII
    text = corpus.get(language, style)
    if encoding is we.REPLACEMENT or encoding.name.startswith("UTF"):
        return text
    characters = "".join(sorted(set(text)))
    decomposed = "".join(chr(code_point) for code_point in (*range(0x80, 0x250), *range(0x300, 0x370)))
    return restrict(text, peers.representable(encoding, characters + decomposed))


@lru_cache(16)
def _inputs(corpus: Corpus, encoding: we.Encoding, language: str, style: Style, size: str) -> dict[str, Any]:
    text = prepared(corpus, encoding, language, style)
    nbytes = SIZES[size]
    if size == "20 B" and style == "plain text":
        letters = [character for character in text if not character.isascii()] or list(text)
        text = "".join(letters[:20])
    text = fit(encoding, text, min(nbytes, 1 << 20)) * max(1, nbytes >> 20)
    return {"text": text, "data": encoded(encoding, text)}


def one_shot(scope: Scope) -> Iterator[Case]:
    """Yield the rows that decode and encode every encoding in one call, at every size."""
    for at in scope.settings(we.ENCODINGS, SIZES, all_languages=True):
        is_first = at.language == LANGUAGES[at.encoding.name][0]
        is_wanted = {
            "20 B": is_first and at.style == "plain text",
            "1 KiB": is_first and at.style == "plain text",
            "64 MiB": scope.full or (is_first and at.encoding.name in ("UTF-8", "windows-1251", "Shift_JIS")),
        }
        if is_wanted.get(at.size, True):
            yield at.row(at.direction, _one_shot)


def _one_shot(at: Setting) -> Job:
    inputs = at.inputs
    goal = goals.one_shot(at.encoding, at.direction, at.language, at.style, at.size)
    is_read = at.corpus.has(at.language, at.style) and at.encoding is not we.X_USER_DEFINED
    # The replacement decoder does not read its input, so that it has no throughput.
    nbytes = len(inputs["data"]) if at.encoding is not we.REPLACEMENT else None
    return Job(contenders(at.encoding, at.direction), inputs, nbytes, goal, notes=[] if is_read else ["drawn text"])


def hostile(scope: Scope) -> Iterator[Case]:
    """Yield the rows of malformed input, and the worst cases of valid text."""
    sizes = ("1 KiB", "64 KiB", "1 MiB") if scope.full else ("64 KiB",)
    wide = ROWS["astral"]["decode"]
    errors: tuple[tuple[str, Direction, Iterable[str]], ...] = (
        ("1 % errors", "decode", ROWS["errors"]),
        ("every byte an error", "decode", ROWS["errors"]),
        ("every other byte an error", "decode", ROWS["errors"]),
        ("broken off", "decode", ROWS["errors"]),
        ("alternating kinds", "decode", ROWS["alternating"]),
        ("alternating kinds", "encode", ROWS["alternating"]),
        ("one astral character at the end", "decode", wide),
        ("one astral character at the end", "encode", wide | ROWS["astral"]["encode"]),
        ("every character astral", "encode", [name for name in wide if we.lookup(name).has_encoder]),
        ("every character an error", "encode", [name for name in EXEMPLARS if name not in ("UTF-8", "gb18030")]),
    )
    for style, direction, names in errors:
        for at in scope.settings(names, sizes, [direction], STYLES[:1]):
            yield at.row(f"hostile {direction}", _hostile, style, style=style, name=at.encoding.name)


def _hostile(at: Setting, style: str) -> Job:
    name, size, goal = at.encoding.name, SIZES[at.size], None
    error, broken = map(bytes.fromhex, ROWS["errors"].get(name, ("", "")))
    text, data = "", b""
    match style:
        case "1 % errors":
            data = _one_in_a_hundred(at, error)
            goal = Goal("Malformed input, 1 % errors", 2.0) if at.size in goals.PAGE_SIZES else None
        case "every byte an error":
            data = error * (size // len(error))
        case "every other byte an error":
            data = (error + encoded(at.encoding, "a")) * (size // (len(error) + 1))
        case "broken off":
            data = broken * (size // len(broken))
        case "alternating kinds":
            text = fit(at.encoding, ROWS["alternating"][name], size)
        case "one astral character at the end":
            # English has the narrowest string, so that widening it copies the most.
            of = replace(at, language="en") if name.startswith(("UTF", "windows")) else at
            text = of.inputs["text"] + (ROWS["astral"]["decode"] | ROWS["astral"]["encode"])[name]
        case "every character astral":
            text = ROWS["astral"]["decode"][name] * (size // 4)
        case _:
            text = "😀" * (size // 4)
    data = data or encoded(at.encoding, text)
    return Job(contenders(at.encoding, at.direction), {"text": text, "data": data}, len(data), goal)


def _one_in_a_hundred(at: Setting, error: bytes) -> bytes:
    text = at.inputs["text"]
    encode = at.encoding.new_encoder().encode if at.encoding.has_encoder else partial(encoded, at.encoding)
    random, parts, start = Random(0), list[bytes](), 0
    while start < len(text):
        end = start + random.randint(50, 150)
        parts += encode(text[start:end]), error
        start = end
    return b"".join(parts)


CHUNK = 4096


def streaming(scope: Scope) -> Iterator[Case]:
    """Yield the rows of streams in chunks of 4 KiB, for each use of the results, against CPython's codecs."""
    for at in scope.settings(CONVERTIBLE, ["1 MiB"]):
        for use in list(ROWS["streams"])[: 4 if at.direction == "decode" else 3]:
            if at.encoding.name in scope.exemplars or (at.direction, use) == ("decode", "dropped"):
                yield at.row(f"streaming {at.direction}, {use}", _streaming, use)
    if "1 MiB" in scope.sizes:
        for encoding in (we.WINDOWS_1252, we.UTF_8):
            yield Case("streaming calls", f"{encoding.name}, 1 byte", "1 MiB", "", partial(_one_call, encoding))


def _coders(encoding: we.Encoding, direction: Direction, statement: str, setup: str = "pass") -> list[Contender]:
    """Return statements for our incremental coder and CPython's; {} is the method of a new one."""
    makes = {OURS: (ours(encoding, "").setup, f"encoding.new_{direction}r()")}
    if codec := peers.cpython_codec(encoding):
        errors = "replace" if direction == "decode" else "xmlcharrefreplace"
        makes[CPYTHON] = f"import codecs; make = codecs.getincremental{direction}r({codec!r})", f"make({errors!r})"
    return [
        Contender(name, statement.format(f"{make}.{direction}"), f"{first}; {setup.format(f'{make}.{direction}')}")
        for name, (first, make) in makes.items()
    ]


def _streaming(at: Setting, use: str) -> Job:
    found = at.inputs
    whole: str | bytes = found["data" if at.direction == "decode" else "text"]
    chunks = [whole[start : start + CHUNK] for start in range(0, len(whole), CHUNK)]
    rivals = _coders(at.encoding, at.direction, ROWS["streams"][use])
    goal = Goal(f"Streaming decode, {use}", 1.0, goals.CPYTHON_ONLY)
    judged = at.direction == "decode" and len(rivals) > 1
    new, empty = (io.StringIO, "") if at.direction == "decode" else (io.BytesIO, b"")
    inputs = {"chunks": chunks, "end": whole[:0], "deque": deque, "new": new, "empty": empty, "how": "surrogatepass"}
    return Job(rivals, inputs, len(found["data"]), goal if judged else None, same_results=False)


def _one_call(encoding: we.Encoding) -> Job:
    """Return the job of one call of an incremental decoder on one byte, which measures the overhead of a call."""
    rivals = _coders(encoding, "decode", "convert(data)", "convert = {}")
    return Job(rivals, {"data": b"a"}, None, Goal("Streaming, a call", at_most=200e-9), same_results=False)


def _pin() -> None:
    """Pin the thread to a processor, since the system may start both threads on the same one."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(threading.get_native_id(), {next(_PROCESSORS)})


_PROCESSORS = itertools.cycle(sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0])
_POOL = ThreadPoolExecutor(2, initializer=_pin)
#: Calls in each of two threads, which amortize the start of the threads.
_CALLS = 64


def in_threads(convert: Callable[[Any], object], item: object, number: int) -> int:
    """Distribute ``2 * _CALLS`` calls among ``number`` threads; return the number of calls."""

    def work(thread: int) -> None:
        for _ in range(2 * _CALLS // number):
            convert(item)

    list(_POOL.map(work, range(number)))
    return 2 * _CALLS


def threads(scope: Scope) -> Iterator[Case]:
    """Yield the rows of two concurrent threads against one thread that does the same work."""
    for at in scope.settings(scope.exemplars, ["1 MiB"], styles=STYLES[:1]):
        yield at.row(f"two threads {at.direction}", _threads)


def _threads(at: Setting) -> Job:
    item = "data" if at.direction == "decode" else "text"
    first = ours(at.encoding, f"in_threads(encoding.{at.direction}, {item}, 2)")
    rivals = [first, Contender("one thread", first.statement.replace("2)", "1)"), first.setup)]
    inputs = at.inputs | {"in_threads": in_threads}
    goal = Goal("Two threads on 1 MiB", 1.8, frozenset({"one thread"}))
    return Job(rivals, inputs, 2 * _CALLS * len(inputs["data"]), goal, wall=True)


def functions(scope: Scope) -> Iterator[Case]:
    """Yield the rows of functions on texts."""
    for group, function in ROWS["functions"].items():
        names = function.get("encodings", scope.exemplars)
        for at in scope.settings(names, function["sizes"], ["decode"], function.get("styles", STYLES)):
            if at.encoding.name not in function.get("without", ()):
                yield at.row(group, _function, function)


def known_codec(encoding: we.Encoding, data: bytes, text: str) -> str:
    """Register a codec that knows one text, and return its name: what Python takes to look a codec up and call it."""
    name, known = f"known_{encoding.name.lower().replace('-', '_')}", {data: (text, len(data))}
    info = codecs.CodecInfo(known.get, known.get, name=name)  # type: ignore[arg-type]
    codecs.register({name: info}.get)
    return name


def _function(at: Setting, function: dict[str, Any]) -> Job:
    inputs = at.inputs
    given = inputs | {"encoding": at.encoding, "known_codec": known_codec}
    inputs |= {name: eval(expression, given) for name, expression in function.get("inputs", {}).items()}
    first, codec = ours(at.encoding, function["ours"]), peers.cpython_codec(at.encoding)
    rivals = [
        Contender(name, f"result = {call.format(codec)}", first.setup)
        for name, call in function["others"].items()
        if codec or name != CPYTHON
    ]
    goal = Goal(**function["goal"]) if "goal" in function else None
    nbytes = len(inputs["data"]) if "items" not in inputs else None
    return Job([first, *rivals], inputs, nbytes, goal, notes=function.get("notes", [])[:])


def calls(scope: Scope) -> Iterator[Case]:
    """Yield the rows that look up an encoding by its label, and those that determine the encoding of a page."""
    if "20 B" in scope.sizes:
        goal = Goal("Lookup of a known label", at_most=goals.SMALL_CALL)
        for label in ("utf-8", "shift_jis", "windows-1252", " Shift_JIS\n"):
            yield Case("lookup", repr(label), "20 B", "label", partial(_call, "lookup", label, goal))
    head, body = ROWS["page"]["head"].encode(), 20 * ROWS["page"]["body"].encode()
    for page, data, seconds in (
        ("meta in the first 300 bytes", head + b'<meta charset="euc-kr">\n' + body, 5e-6),
        ("1024 bytes without declaration", head + body, 15e-6),
        ("byte order mark", b"\xef\xbb\xbf" + head + body, None),
    ):
        quick = Goal(f"Sniffing, {page}", at_most=seconds) if seconds else None
        yield Case("sniff", "HTML", "", page, partial(_call, "sniff", data, quick))


def _call(function: str, data: object, goal: Goal | None) -> Job:
    calls = ROWS["calls"][function].items()
    rivals = (Contender(name, f"result = {call}", setup) for name, (setup, call) in calls)
    return Job(list(peers.available(rivals, {"data": data})), {"data": data}, goal=goal, same_results=False)


def all_cases(scope: Scope) -> Iterator[Case]:
    """Yield every row of ``scope``, in the order of the report."""
    for scenario in (one_shot, hostile, streaming, threads, functions, calls):
        yield from scenario(scope)
