"""The C API, at every level, with a source that changes while it is read, once at a set moment.

Any text may come of a source that changes, but one that a mixture of both versions stands for: no unit may be concluded
from one version and written from the other, and no access may leave the source or the target.
"""

from __future__ import annotations

import ctypes
import functools
import math
import re
import sys
from collections.abc import Iterator
from itertools import count, permutations, product
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.capi.table import API, DECODE, ENCODE, FATAL, SIZE, STATE, UNMAPPABLE
from tests.compiler import compile_or_fail
from tests.machines.core import OTHERS, fail_unless_passed
from tests.reference import oracle

SOURCE = Path(__file__).with_name("changing_source.c")
OUTSIDE, OVERRUN = -100, -101

#: Units before the page that cannot be read: around the sizes of vectors, blocks, pieces and scratch buffers.
EARLY = (*range(1, 19), 31, 32, 33, 34, 47, 63, 64, 65, 66, 96, 127, 128, 129, 200, 256, 257, 511, 512, 513, 640, 1023,
         1025, 2048)  # fmt: skip

#: Short texts for each decoder. One of a pair changes to the other: ASCII, characters of all lengths, and errors.
BYTES = {
    "windows-1252": (b"a", b"\xe4", b"\x93\xe9 "),
    "windows-1251": (b"a", b"\xe4", b"\x98\xf8 "),
    "windows-1253": (b"a", b"\xe4", b"\xaa\xc1a"),
    "KOI8-R": (b"a", b"\xc1\xa3", b"\x80"),
    "Shift_JIS": (b"ab", b"\x82\xa0", b"\xb1", b"\x83\x40\xff"),
    "EUC-JP": (b"ab", b"\xa4\xa2", b"\x8e\xb1", b"\x8f\xb0\xa1\xff"),
    "EUC-KR": (b"ab", b"\xb0\xa1", b"\x81\x41\xff"),
    "Big5": (b"ab", b"\xa4\x40", b"\x88\x62", b"\x87\x45\xff"),
    "gb18030": (b"ab", b"\xb0\xa1", b"\x81\x30\x81\x30", b"\x90\x30\x81\x30", b"\xa1\xff"),
    "ISO-2022-JP": (b"ab", b'\x1b$B$"', b"\x1b(J\\", b"\x1b(I1"),
    "UTF-8": (b"a", b"\xc3\xa9", b"\xe6\x97\xa5", b"\xf0\x9f\x98\x80", b"\xe4"),
    "UTF-16LE": (b"a\0", b"\xe5\x65", b"\x3d\xd8\0\xde", b"\x3d\xd8", b"\xe9\0"),
    "UTF-16BE": (b"\0a", b"\x65\xe5", b"\xd8\x3d\xde\0", b"\xd8\x3d", b"\0\xe9"),
}
#: The same for each encoder.
TEXTS = {
    "windows-1252": ("a", "\xe9", "\u201c\xe4", "\u65e5"),
    "windows-1251": ("a", "\u0436", "\u65e5\u20ac", "\u0436\u20ac\u2122"),
    "Shift_JIS": ("a", "\u3042", "\uff71", "\xa5\xe9"),
    "EUC-JP": ("a", "\u3042", "\uff71", "\xe9"),
    "EUC-KR": ("a", "\uac00", "\xe9", "\xa1"),
    "Big5": ("a", "\u4e00", "\U0002000b", "\xa7"),
    "GBK": ("a", "\u554a", "\u20ac", "\xe9\xfc"),
    "gb18030": ("a", "\u554a", "\xff", "\U0001f600"),
    "ISO-2022-JP": ("a", "\u3042", "\xa5", "\uff71", "\U0001f600", "\x0e"),
    "UTF-8": ("a", "\xe9", "\u65e5", "\U0001f600", "\ud83d"),
}


class Outcome(NamedTuple):
    """The result of a call, the units that it read and wrote, its output, and whether the source changed during it."""

    result: int
    read: int
    written: int
    output: bytes
    changed: bool


class ChangingSource:
    """Calls functions with a source that changes meanwhile."""

    def __init__(self, folder: Path) -> None:
        path = folder / "changing_source.so"
        compile_or_fail("-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", str(SOURCE),
                        "-o", str(path))  # fmt: skip
        self._library = ctypes.CDLL(str(path))
        self._library.prepare.restype = SIZE
        self.page = self._library.prepare()
        assert self.page, "no memory"

    def call(self, function: ctypes._FuncPointer, context: object, option: int, first: bytes, second: bytes, early: int,
             *, source_unit: int, target_unit: int, capacity: int) -> Outcome:  # fmt: skip
        """Call with ``first``, whose ``early`` bytes change to those of ``second``, of which the rest is part.

        A short source's target ends at inaccessible memory; that of others is at any address, followed by known bytes.
        """
        behind = 0 if early < 40 * source_unit else early * 7 % 13 * target_unit
        read, written, target, changed = SIZE(len(second) // source_unit), SIZE(), ctypes.c_void_p(), ctypes.c_int()
        result = self._library.call(
            function, context, option, first, second, SIZE(early), SIZE(len(second)), ctypes.byref(read),
            SIZE(capacity), SIZE(capacity * target_unit), SIZE(behind), ctypes.byref(written), ctypes.byref(target),
            ctypes.byref(changed),
        )  # fmt: skip
        assert result != OUTSIDE, "an access outside the source or the target"
        assert result != OVERRUN, "an access behind the target"
        assert read.value * source_unit <= len(second), f"{read.value} units read"
        assert written.value <= capacity, f"{written.value} units written to a capacity of {capacity}"
        output = ctypes.string_at(target.value or 0, written.value * target_unit) if written.value else b""
        return Outcome(result, read.value, written.value, output, bool(changed.value))


def repeated(pattern: bytes, length: int) -> bytes:
    return (pattern * (length // len(pattern) + 1))[:length]


def versions(first: bytes, second: bytes, early: int, length: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield texts of both patterns and, unless they are short, texts that differ in the last bytes before the page."""
    texts = repeated(first, length), repeated(second, length)
    yield texts
    if early > 40:
        at = early - len(first)
        yield texts[1][:at] + texts[0][at:early] + texts[1][early:], texts[1]


def mixtures(first: bytes, second: bytes, unit: int, window: int) -> Iterator[bytes]:
    """Yield ``window`` successive units of both patterns, repeated, where each unit is from either of them."""
    period = math.lcm(len(first), len(second)) // unit
    texts = repeated(first, (period + window) * unit), repeated(second, (period + window) * unit)
    results = set()
    for phase in range(period):
        for choice in product(texts, repeat=window):
            units = (text[(phase + i) * unit : (phase + i + 1) * unit] for i, text in enumerate(choice))
            results.add(b"".join(units))
    yield from sorted(results)


#: What may precede a window: the escape sequences to every state of ISO-2022-JP.
STATES = {"ISO-2022-JP": (b"", b"\x1b(J", b"\x1b(I", b"\x1b$B")}


@functools.cache
def code_points(name: str, first: bytes, second: bytes) -> frozenset[int]:
    """Return the code points that mixtures of two patterns may stand for, by the reference's decoder."""
    window = 5 if name in STATES else 4
    return frozenset(
        ord(character)
        for units in mixtures(first, second, 1, window)
        for state in STATES.get(name, (b"",))
        for character in oracle.decode(name, state + units).text
    )


UTF_8, UTF_16, UTF_32 = "utf-8", f"utf-16-{sys.byteorder[0]}e", f"utf-32-{sys.byteorder[0]}e"


def has_only(allowed: frozenset[int], output: bytes, codec: str) -> bool:
    """Return whether the output, which must be well-formed in Python's codec, has only those code points."""
    return set(map(ord, set(output.decode(codec)))) <= allowed


@functools.cache
def encoded(name: str, characters: frozenset[str]) -> re.Pattern[bytes]:
    """Return a pattern of any text of these characters, encoded by the reference; references stand for the others."""
    outputs = {oracle.encode(name, character).output for character in characters}
    if name != "ISO-2022-JP":
        return re.compile(b"(?:" + b"|".join(map(re.escape, sorted(outputs))) + b")*")
    ascii_state, roman, jis0208 = set(), set(), set()
    for output in outputs:
        if output.startswith(b"\x1b$B"):
            jis0208.add(output[3:-3])
        elif output.startswith(b"\x1b(J"):
            roman.add(output[3:-3])
        else:
            ascii_state.add(output)
            if output not in (b"\\", b"~"):
                roman.add(output)
    # Something follows each escape sequence but the last, which returns to ASCII.
    never = b"(?!)"
    one_of = [b"(?:" + (b"|".join(map(re.escape, sorted(state))) or never) + b")"
              for state in (ascii_state, roman, jis0208)]  # fmt: skip
    return re.compile(b"%b*(?:\x1b\\(B%b+|\x1b\\(J%b+|\x1b\\$B%b+)*(?:\x1b\\(B)?" % (one_of[0], *one_of))


FORMS = {1: UTF_8, 2: UTF_16, 4: UTF_32}
#: Units that are no scalar values, in each form; the others are texts.
MALFORMED = {1: b"\xff", 2: b"\xd8\xd8", 4: b"\0\x11\x11\0"}


class Case(NamedTuple):
    """A pattern that becomes another one, and the function that reads them."""

    name: str
    decodes: bool
    form: int
    first: bytes
    second: bytes


def decode_cases(name: str) -> Iterator[Case]:
    for first, second in permutations(BYTES[name], 2):
        yield from (Case(name, True, form, first, second) for form in FORMS)


def encode_cases(name: str) -> Iterator[Case]:
    for form, codec in FORMS.items():
        texts = [text.encode(codec, "surrogatepass") for text in TEXTS[name]] + [MALFORMED[form]]
        yield from (Case(name, False, form, first, second) for first, second in permutations(texts, 2))


@functools.cache
def characters(case: Case) -> frozenset[str]:
    """Return the scalar values of the text that mixtures of both patterns of an encoder's source may be."""
    if case.form == 1:
        return frozenset(map(chr, code_points("UTF-8", case.first, case.second)))
    possible = set()
    for units in mixtures(case.first, case.second, case.form, 3 - case.form // 2):
        if case.form == 4:
            value = int.from_bytes(units, "little" if UTF_32.endswith("le") else "big")
            possible.add(chr(value) if value <= 0x10FFFF else "\ufffd")
        else:
            possible.update(units.decode(UTF_16, "surrogatepass"))
    return frozenset("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in possible)


@functools.cache
def unmappable(name: str, among: frozenset[str]) -> frozenset[int]:
    # ISO-2022-JP's encoder returns errors with U+FFFD for some control codes.
    return frozenset(
        error for character in among if oracle.encode(name, character).spans for error in (ord(character), 0xFFFD)
    )


def begin(case: Case, flags: int) -> ctypes.Array[ctypes.c_uint64]:
    state = STATE()
    encoding = API.for_label(case.name.encode(), len(case.name))
    if case.decodes:
        API.decoder_init(state, encoding, flags)
    else:
        assert API.encoder_init(state, encoding, flags) == 0
    return state


def enough(case: Case, state: ctypes.Array[ctypes.c_uint64], units: int) -> int:
    """Return a capacity that suffices for the source, including references."""
    if not case.decodes:
        return int(API.max_encoded_length(state, units, case.form)) + 8 * units
    of_form = {1: API.max_utf8_length, 2: API.max_utf16_length, 4: API.max_utf32_length}
    return int(of_form[case.form](state, units))


def check(case: Case, state: ctypes.Array[ctypes.c_uint64], outcome: Outcome, context: object) -> None:
    """Fail if the outcome contradicts every text that the source may have been."""
    if case.decodes:
        allowed = code_points(case.name, case.first, case.second) | {0xFFFD}
        assert has_only(allowed, outcome.output, FORMS[case.form]), context
        return
    possible = characters(case)
    assert encoded(case.name, possible).fullmatch(outcome.output), (context, outcome.output[:300])
    if outcome.result == UNMAPPABLE:
        assert API.unmappable(state) in unmappable(case.name, possible), context


def cases_of(name: str, decodes: bool) -> Iterator[Case]:
    return decode_cases(name) if decodes else encode_cases(name)


@pytest.fixture(scope="module")
def changing(tmp_path_factory: pytest.TempPathFactory) -> ChangingSource:
    return ChangingSource(tmp_path_factory.mktemp("changing"))


EVERY = [(name, True) for name in BYTES] + [(name, False) for name in TEXTS]
IDS = [f"{name} {'decoder' if decodes else 'encoder'}" for name, decodes in EVERY]


@pytest.mark.parametrize(("name", "decodes"), EVERY, ids=IDS)
def test_a_change_at_a_set_moment(name: str, decodes: bool, changing: ChangingSource) -> None:
    """In turn: all in one call, errors returned, a small capacity, not the last of the stream."""
    turn, changes = count(), 0
    for case in cases_of(name, decodes):
        source_unit, target_unit = (1, case.form) if decodes else (case.form, 1)
        for early in EARLY[::2] if next(turn) % 2 else EARLY[1::2]:
            bytes_early = early * source_unit
            length = bytes_early + changing.page
            for first, second in versions(case.first, case.second, bytes_early, length):
                number = next(turn)
                state = begin(case, FATAL if number % 4 == 1 else 0)
                capacity = enough(case, state, length // source_unit)
                outcome = changing.call(
                    (DECODE if decodes else ENCODE)[case.form], state, number % 4 != 3, first, second, bytes_early,
                    source_unit=source_unit, target_unit=target_unit,
                    capacity=early % 70 + 16 if number % 4 == 2 else capacity,
                )  # fmt: skip
                check(case, state, outcome, (case, early, number))
                changes += outcome.changed
    assert changes > 50


@pytest.mark.parametrize("name", BYTES)
def test_a_target_of_the_upper_bound(name: str, changing: ChangingSource) -> None:
    """Texts of every length, into a target that ends at inaccessible memory: vectors end within the bound."""
    for pattern in BYTES[name]:
        for form, length in product(FORMS, range(1, 300)):
            source = repeated(pattern, length)
            case = Case(name, True, form, pattern, pattern)
            state = begin(case, 0)
            outcome = changing.call(DECODE[form], state, 1, source, source, min(length, 30), source_unit=1,
                                    target_unit=form, capacity=enough(case, state, length))  # fmt: skip
            check(case, state, outcome, case)
            assert outcome.read == length


AGAIN = ("tests/capi/test_changing_source.py::test_a_change_at_a_set_moment",
         "tests/capi/test_changing_source.py::test_a_target_of_the_upper_bound")  # fmt: skip


@pytest.mark.repeated
@pytest.mark.parametrize("simd", OTHERS)
def test_with_other_instruction_sets(simd: str) -> None:
    fail_unless_passed(AGAIN, simd)
