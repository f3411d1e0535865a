"""The rows of the benchmarks: every encoding, in both directions, on text of its language and on worst cases."""

from __future__ import annotations

import codecs
import contextlib
import io
import itertools
import os
import re
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from random import Random
from typing import Any

import whatwg_encoding as we
from benchmarks import bench_sniff, goals
from benchmarks.corpus import STYLES, Corpus, Style, restrict
from benchmarks.measure import Case, Job
from benchmarks.peers import (
    CPYTHON,
    OURS,
    Contender,
    Direction,
    contenders,
    cpython_codec,
    installed,
    ours,
    representable,
)

SIZES = {"20 B": 20, "1 KiB": 1 << 10, "64 KiB": 1 << 16, "1 MiB": 1 << 20, "64 MiB": 1 << 26}

#: Encoding → the languages it is measured on. UTF-8 and UTF-16 have one language per kind of script.
LANGUAGES = {
    "UTF-8": ("ja", "zh_cn", "ko", "ru", "ar", "th", "de", "en"),
    "UTF-16BE": ("ja", "de"),
    "UTF-16LE": ("ja", "ru", "de"),
    "IBM866": ("ru",),
    "ISO-8859-2": ("cs",),
    "ISO-8859-3": ("eo",),
    "ISO-8859-4": ("lv",),
    "ISO-8859-5": ("ru",),
    "ISO-8859-6": ("ar",),
    "ISO-8859-7": ("el",),
    "ISO-8859-8": ("he",),
    "ISO-8859-8-I": ("he",),
    "ISO-8859-10": ("is",),
    "ISO-8859-13": ("lt",),
    "ISO-8859-14": ("cy",),
    "ISO-8859-15": ("fr",),
    "ISO-8859-16": ("ro",),
    "KOI8-R": ("ru",),
    "KOI8-U": ("uk",),
    "macintosh": ("fr",),
    "windows-874": ("th",),
    "windows-1250": ("cs",),
    "windows-1251": ("ru",),
    "windows-1252": ("de", "fr", "en"),
    "windows-1253": ("el",),
    "windows-1254": ("tr",),
    "windows-1255": ("he",),
    "windows-1256": ("ar",),
    "windows-1257": ("lt",),
    "windows-1258": ("vi",),
    "x-mac-cyrillic": ("ru",),
    "GBK": ("zh_cn",),
    "gb18030": ("zh_cn",),
    "Big5": ("zh_tw",),
    "EUC-JP": ("ja",),
    "ISO-2022-JP": ("ja",),
    "Shift_JIS": ("ja",),
    "EUC-KR": ("ko",),
    "replacement": ("en",),
    "x-user-defined": ("en",),
}
_MORE_LANGUAGES = {"UTF-8": ("zh_tw", "el", "he", "vi", "cs", "fr"), "UTF-16LE": ("zh_cn", "ko")}

#: One encoding per family, for the rows that do not measure every encoding.
EXEMPLARS = (
    "UTF-8",
    "UTF-16LE",
    "windows-1251",
    "windows-1252",
    "gb18030",
    "Big5",
    "EUC-JP",
    "ISO-2022-JP",
    "Shift_JIS",
    "EUC-KR",
)


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
def _prepared(corpus: Corpus, encoding: we.Encoding, language: str, style: Style) -> tuple[str, str]:
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


@lru_cache(16)
def _sized(corpus: Corpus, encoding: we.Encoding, language: str, style: Style, size: str) -> tuple[Input, str]:
    text, origin = _prepared(corpus, encoding, language, style)
    nbytes = SIZES[size]
    if size == "20 B":
        # The first non-ASCII letters of the text, without markup.
        letters = [character for character in text if not character.isascii()] or list(text)
        text = "".join(letters[:20]) if style == "dense" else text
    text = fit(encoding, text, min(nbytes, 1 << 20))
    text *= max(1, nbytes >> 20)
    return Input(text, encoded(encoding, text)), origin


def sized(scope: Scope, encoding: we.Encoding, language: str, style: Style, size: str) -> tuple[Input, str]:
    """Return text of ``language`` of a given size in ``encoding``, and its origin. Only a few small ones are cached."""
    if SIZES[size] > 1 << 20:
        return _sized.__wrapped__(scope.corpus, encoding, language, style, size)
    return _sized(scope.corpus, encoding, language, style, size)


# --- One call on valid text -------------------------------------------------------------------------------------------


def one_shot(scope: Scope) -> Iterator[Case]:
    """Yield the rows that decode and encode every encoding in one call, at every size."""
    directions: tuple[Direction, ...] = ("decode", "encode")
    for direction in directions:
        for encoding in we.ENCODINGS.values():
            if direction == "encode" and not encoding.has_encoder:
                continue
            for language in scope.languages(encoding.name):
                for style in STYLES:
                    for size in _one_shot_sizes(scope, encoding, language, style):
                        build = partial(_one_shot, scope, encoding, direction, language, style, size)
                        yield Case(direction, f"{encoding.name} {language}", size, style, build)


def _one_shot_sizes(scope: Scope, encoding: we.Encoding, language: str, style: Style) -> Iterator[str]:
    first = language == LANGUAGES[encoding.name][0]
    for size in scope.sizes:
        if size in ("20 B", "1 KiB"):
            wanted = style == "dense" and first
        elif size == "64 MiB":
            wanted = scope.full or (first and encoding.name in ("UTF-8", "windows-1251", "Shift_JIS"))
        else:
            wanted = True
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
    "ISO-8859-6": (b"\xff", b"\xff "),
    "windows-874": (b"\xff", b"\xff "),
    "windows-1253": (b"\xff", b"\xff "),
    "windows-1255": (b"\xff", b"\xff "),
    "GBK": (b"\xff", b"\xb0 "),
    "gb18030": (b"\xff", b"\x81\x30 "),
    "Big5": (b"\xff", b"\xa4 "),
    "EUC-JP": (b"\xff", b"\xa4 "),
    "ISO-2022-JP": (b"\xff", b"\x1b$ "),
    "Shift_JIS": (b"\xff", b"\x81 "),
    "EUC-KR": (b"\xff", b"\xa4 "),
}
#: Encoding → one character of each kind: adjacent characters take different paths.
_KINDS = {
    "UTF-8": "aé人😀",
    "UTF-16LE": "a人😀é",
    "UTF-16BE": "a人😀é",
    "windows-1252": "aé",
    "windows-1251": "aя",
    "windows-874": "aก",
    "GBK": "a人",
    "gb18030": "a人é😀",
    "Big5": "a人𠀋",
    "EUC-JP": "a人ｱ",
    "ISO-2022-JP": "a人",
    "Shift_JIS": "aｱ人",
    "EUC-KR": "a한",
}
#: Encoding → a character above U+FFFF.
_ASTRAL = {
    "UTF-8": "😀",
    "UTF-16LE": "😀",
    "UTF-16BE": "😀",
    "gb18030": "😀",
    "GBK": "😀",
    "Big5": "𠀋",
    "windows-1252": "😀",
}


def malformed(scope: Scope) -> Iterator[Case]:
    """Yield the rows that decode 1 % of errors, only errors, and truncated sequences."""
    for size in _hostile_sizes(scope):
        for name in _ERRORS:
            encoding = we.lookup(name)
            for style, make in (
                ("1 % errors", _one_in_a_hundred),
                ("every byte an error", _all_errors),
                ("broken off", _broken),
            ):
                yield Case("hostile decode", name, size, style, partial(_malformed, scope, encoding, style, size, make))


def _hostile_sizes(scope: Scope) -> Sequence[str]:
    return [size for size in scope.sizes if size in (("1 KiB", "64 KiB", "1 MiB") if scope.full else ("64 KiB",))]


def _one_in_a_hundred(scope: Scope, encoding: we.Encoding, size: str) -> bytes:
    found, _ = sized(scope, encoding, LANGUAGES[encoding.name][0], "dense", size)
    error, _ = _ERRORS[encoding.name]
    random = Random(0)
    parts: list[bytes] = []
    at = 0
    encoder = encoding.new_encoder() if encoding.has_encoder else None
    while at < len(found.text):
        following = at + random.randint(50, 150)
        piece = found.text[at:following]
        parts.append(encoder.encode(piece) if encoder else encoded(encoding, piece))
        parts.append(error)
        at = following
    return b"".join(parts)


def _all_errors(scope: Scope, encoding: we.Encoding, size: str) -> bytes:
    error, _ = _ERRORS[encoding.name]
    return error * (SIZES[size] // len(error))


def _broken(scope: Scope, encoding: we.Encoding, size: str) -> bytes:
    _, broken = _ERRORS[encoding.name]
    return broken * (SIZES[size] // len(broken))


def _malformed(
    scope: Scope,
    encoding: we.Encoding,
    style: str,
    size: str,
    make: Callable[[Scope, we.Encoding, str], bytes],
) -> Job:
    data = make(scope, encoding, size)
    return Job(contenders(encoding, "decode"), {"data": data}, len(data), goals.malformed(style, size))


def worst_cases(scope: Scope) -> Iterator[Case]:
    """Yield the worst cases of valid text: alternating kinds, and a last character that widens the string."""
    directions: tuple[Direction, ...] = ("decode", "encode")
    for size in _hostile_sizes(scope):
        for direction in directions:
            for style, table in (("alternating kinds", _KINDS), ("one astral character at the end", _ASTRAL)):
                for name in table:
                    encoding = we.lookup(name)
                    if direction == "encode" and not encoding.has_encoder:
                        continue
                    if direction == "decode" and style.startswith("one") and name in ("windows-1252", "GBK"):
                        continue
                    build = partial(_worst_case, scope, encoding, direction, style, size)
                    yield Case(f"hostile {direction}", name, size, style, build)
        for name in EXEMPLARS:
            encoding = we.lookup(name)
            if encoding.has_encoder and name not in ("UTF-8", "gb18030"):
                build = partial(_unencodable, encoding, size)
                yield Case("hostile encode", name, size, "every character an error", build)


def _worst_case(scope: Scope, encoding: we.Encoding, direction: Direction, style: str, size: str) -> Job:
    nbytes = SIZES[size]
    if style == "alternating kinds":
        text = fit(encoding, _KINDS[encoding.name], nbytes)
    else:
        # English has the narrowest string, so that widening it copies the most.
        language = "en" if encoding.name.startswith(("UTF", "windows")) else LANGUAGES[encoding.name][0]
        found, _ = sized(scope, encoding, language, "dense", size)
        text = found.text + _ASTRAL[encoding.name]
    data = encoded(encoding, text)
    return Job(contenders(encoding, direction), {"text": text, "data": data}, len(data))


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


#: Use of the results of a stream → its function, and its directions.
_USES: dict[str, tuple[Callable[..., object], tuple[Direction, ...]]] = {
    "dropped": (drop_each, ("decode", "encode")),
    "written": (write_each, ("decode", "encode")),
    "joined": (join_all, ("decode", "encode")),
    "encoded again": (encode_again, ("decode",)),
}


def streaming(scope: Scope) -> Iterator[Case]:
    """Yield the rows of streams in chunks of 4 KiB, for each use of the results, against CPython's codecs."""
    directions: tuple[Direction, ...] = ("decode", "encode")
    for size in (size for size in scope.sizes if size == "1 MiB"):
        for direction in directions:
            for encoding in we.ENCODINGS.values():
                if encoding.name == "replacement" or (direction == "encode" and not encoding.has_encoder):
                    continue
                if not scope.full and direction == "encode" and encoding.name not in EXEMPLARS:
                    continue
                for use, (_, uses) in _USES.items():
                    if direction not in uses or (
                        not scope.full and use != "dropped" and encoding.name not in EXEMPLARS
                    ):
                        continue
                    for style in STYLES:
                        language = LANGUAGES[encoding.name][0]
                        build = partial(_streaming, scope, encoding, direction, language, style, size, use)
                        yield Case(f"streaming {direction}, {use}", f"{encoding.name} {language}", size, style, build)
        yield Case("streaming calls", "windows-1252, 1 byte", size, "", partial(_call_overhead, we.WINDOWS_1252))
        yield Case("streaming calls", "UTF-8, 1 byte", size, "", partial(_call_overhead, we.UTF_8))


def _streaming(
    scope: Scope, encoding: we.Encoding, direction: Direction, language: str, style: Style, size: str, use: str
) -> Job:
    found, _ = sized(scope, encoding, language, style, size)
    whole: str | bytes = found.data if direction == "decode" else found.text
    chunks = [whole[at : at + CHUNK] for at in range(0, len(whole), CHUNK)]
    coder = "decoder" if direction == "decode" else "encoder"
    lookup = f"import whatwg_encoding as we; encoding = we.lookup({encoding.name!r})"
    rivals = [Contender(OURS, f"result = use(encoding.new_{coder}().{direction}, chunks)", lookup)]
    if codec := cpython_codec(encoding):
        errors = "replace" if direction == "decode" else "xmlcharrefreplace"
        make = f"import codecs; make = codecs.getincremental{coder}({codec!r})"
        rivals.append(Contender(CPYTHON, f"result = use(make({errors!r}).{direction}, chunks)", make))
    inputs = {**found.names, "chunks": chunks, "use": _USES[use][0]}
    goal = goals.streaming(direction, use) if len(rivals) > 1 else None
    return Job(rivals, inputs, len(found.data), goal, same_results=False)


def _call_overhead(encoding: we.Encoding) -> Job:
    """Return the job of one call of an incremental decoder on one byte, which measures the overhead of a call."""
    ours = Contender(
        OURS,
        "decode(data)",
        f"import whatwg_encoding as we; decode = we.lookup({encoding.name!r}).new_decoder().decode",
    )
    codec = cpython_codec(encoding)
    theirs = Contender(
        CPYTHON, "decode(data)", f"import codecs; decode = codecs.getincrementaldecoder({codec!r})('replace').decode"
    )
    return Job([ours, theirs], {"data": b"a"}, None, goals.streaming_call(), same_results=False)


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
    directions: tuple[Direction, ...] = ("decode", "encode")
    for size in (size for size in scope.sizes if size == "1 MiB"):
        for direction in directions:
            for name in we.ENCODINGS if scope.full else EXEMPLARS:
                encoding = we.lookup(name)
                if name == "replacement" or (direction == "encode" and not encoding.has_encoder):
                    continue
                language = LANGUAGES[name][0]
                build = partial(_threads, scope, encoding, direction, language, size)
                yield Case(f"two threads {direction}", f"{name} {language}", size, "dense", build)


def _threads(scope: Scope, encoding: we.Encoding, direction: Direction, language: str, size: str) -> Job:
    found, _ = sized(scope, encoding, language, "dense", size)
    item = "data" if direction == "decode" else "text"
    lookup = f"import whatwg_encoding as we; encoding = we.lookup({encoding.name!r})"
    rivals = [
        Contender(name, f"result = in_threads(encoding.{direction}, {item}, {number})", lookup)
        for name, number in ((OURS, 2), ("one thread", 1))
    ]
    inputs = {**found.names, "in_threads": in_threads}
    return Job(rivals, inputs, 2 * _CALLS * len(found.data), goals.threads(), wall=True)


# --- Other functions --------------------------------------------------------------------------------------------------


def lookups(scope: Scope) -> Iterator[Case]:
    """Yield the rows that look up an encoding by its label."""
    if "20 B" in scope.sizes:
        for label in ("utf-8", "shift_jis", "windows-1252", " Shift_JIS\n"):
            yield Case("lookup", repr(label), "20 B", "label", partial(_lookup, label))


def _lookup(label: str) -> Job:
    rivals = [Contender(OURS, "result = we.lookup(label)", "import whatwg_encoding as we")]
    if "webencodings" in installed():
        rivals.append(Contender("webencodings", "result = webencodings.lookup(label)", "import webencodings"))
    with contextlib.suppress(LookupError):
        codecs.lookup(label)
        rivals.append(Contender(CPYTHON, "result = codecs.lookup(label)", "import codecs"))
    return Job(rivals, {"label": label}, goal=goals.lookup(), same_results=False)


def conversions(scope: Scope) -> Iterator[Case]:
    """Yield the rows of conversion to UTF-8, validation, computation of lengths, and many small items."""
    for size in (size for size in scope.sizes if size in ("64 KiB", "1 MiB")):
        for name in we.ENCODINGS if scope.full else EXEMPLARS:
            encoding = we.lookup(name)
            if name == "replacement":
                continue
            for style in STYLES:
                for kind in ("decode_to_utf8", "recode", "valid_up_to", "encoded_length"):
                    if kind in ("recode", "encoded_length") and not encoding.has_encoder:
                        continue
                    build = partial(_conversion, scope, encoding, style, size, kind)
                    yield Case(kind, f"{name} {LANGUAGES[name][0]}", size, style, build)
    if "20 B" in scope.sizes:
        for name in EXEMPLARS:
            yield Case(
                "decode_many", f"{name} {LANGUAGES[name][0]}", "20 B", "dense", partial(_many, scope, we.lookup(name))
            )


def _conversion(scope: Scope, encoding: we.Encoding, style: Style, size: str, kind: str) -> Job:
    found, _ = sized(scope, encoding, LANGUAGES[encoding.name][0], style, size)
    codec = cpython_codec(encoding)
    lookup = f"import whatwg_encoding as we; encoding = we.lookup({encoding.name!r})"
    rivals = {
        "decode_to_utf8": [ours(encoding, "decode_to_utf8(data)")],
        "recode": [Contender(OURS, "result = we.recode(utf_8, 'utf-8', encoding)", lookup)],
        "valid_up_to": [ours(encoding, "valid_up_to(data)")],
        "encoded_length": [ours(encoding, "encoded_length(text)")],
    }[kind]
    if codec is not None:
        statement = {
            "decode_to_utf8": f'result = data.decode("{codec}", "replace").encode()',
            "recode": f'result = utf_8.decode("utf-8", "replace").encode("{codec}", "xmlcharrefreplace")',
            "valid_up_to": f'data.decode("{codec}"); result = len(data)',
            "encoded_length": f'result = len(text.encode("{codec}", "xmlcharrefreplace"))',
        }[kind]
        rivals.append(Contender(CPYTHON, statement))
    inputs = {**found.names, "utf_8": found.text.encode("utf-8", "replace")}
    return Job(rivals, inputs, len(found.data))


def _many(scope: Scope, encoding: we.Encoding) -> Job:
    found, _ = sized(scope, encoding, LANGUAGES[encoding.name][0], "dense", "20 B")
    rivals = [
        Contender(OURS, "result = we.decode_many(items)", "import whatwg_encoding as we"),
        Contender("Encoding.decode", "result = [encoding.decode(data) for data, encoding in items]"),
    ]
    items = [(found.data, encoding)] * 1000
    if codec := cpython_codec(encoding):
        statement = f'result = [data.decode("{codec}", "replace") for data, encoding in items]'
        rivals.append(Contender(CPYTHON, statement))
    return Job(rivals, {"items": items}, notes=["a thousand items"])


def sniffing() -> Iterator[Case]:
    """Yield the rows that sniff the encoding of a page with each library of :mod:`benchmarks.bench_sniff`."""
    for page in bench_sniff.PAGES:
        yield Case("sniff", "HTML", "", page, partial(_sniff, page))


def _sniff(page: str) -> Job:
    asks = bench_sniff.contenders()
    rivals = [Contender(name, "result = ask(data)", f"ask = asks[{name!r}]") for name in asks]
    inputs = {"data": bench_sniff.PAGES[page], "asks": asks}
    return Job(rivals, inputs, goal=goals.sniffing(page), same_results=False)


def all_cases(scope: Scope) -> Iterator[Case]:
    """Yield every row of ``scope``, in the order of the report."""
    for scenario in (one_shot, malformed, worst_cases, streaming, threads, lookups, conversions):
        yield from scenario(scope)
    yield from sniffing()
