"""The C API, at every level, with a source that changes while it is read: once at a set moment, and by a thread."""

from __future__ import annotations

import ctypes
import functools
import time
from collections.abc import Iterator
from itertools import count, permutations, product
from typing import NamedTuple

import pytest

from tests.capi.table import API, DECODE, ENCODE, FATAL, STATE, UNMAPPABLE
from tests.changing_source import (
    BYTES,
    EARLY,
    TEXTS,
    UTF_8,
    UTF_16,
    UTF_32,
    ChangingSource,
    Outcome,
    code_points,
    encoded,
    has_only,
    mixtures,
    repeated,
    versions,
)
from tests.machines.core import OTHERS, fail_unless_passed
from tests.reference import oracle

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


def check(case: Case, state: ctypes.Array[ctypes.c_uint64], outcome: Outcome, what: object) -> None:
    """Fail if the outcome contradicts every text that the source may have been."""
    if case.decodes:
        allowed = code_points(case.name, case.first, case.second) | {0xFFFD}
        assert has_only(allowed, outcome.output, FORMS[case.form]), what
        return
    possible = characters(case)
    assert encoded(case.name, possible).fullmatch(outcome.output), (what, outcome.output[:300])
    if outcome.result == UNMAPPABLE:
        assert API.unmappable(state) in unmappable(case.name, possible), what


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


@pytest.mark.repeated  # what a change at a set moment shows, at moments of chance
@pytest.mark.parametrize(("name", "decodes"), EVERY, ids=IDS)
def test_another_thread_writes(name: str, decodes: bool, changing: ChangingSource) -> None:
    for case in cases_of(name, decodes):
        source_unit, target_unit = (1, case.form) if decodes else (case.form, 1)
        length = 700 * source_unit
        changing.start(repeated(case.first, length), repeated(case.second, length), source_unit)
        try:
            end = time.monotonic() + 0.005
            while time.monotonic() < end:
                state = begin(case, 0)
                outcome = changing.call_meanwhile(
                    (DECODE if decodes else ENCODE)[case.form], state, 1, units=700, target_unit=target_unit,
                    capacity=enough(case, state, 700),
                )  # fmt: skip
                check(case, state, outcome, case)
        finally:
            changing.stop()


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
         "tests/capi/test_changing_source.py::test_another_thread_writes",
         "tests/capi/test_changing_source.py::test_a_target_of_the_upper_bound")  # fmt: skip


@pytest.mark.repeated
@pytest.mark.parametrize("simd", OTHERS)
def test_with_other_instruction_sets(simd: str) -> None:
    fail_unless_passed(AGAIN, simd)
