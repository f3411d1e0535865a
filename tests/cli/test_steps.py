"""``python -m generator inspect``: the steps of bytes and characters, and the code of each."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import whatwg_encoding as we
from generator.reports import inspect
from tests.reference import inputs, oracle
from tests.reference import steps as reference

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONIOENCODING": "utf-8"}

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def run() -> Run:
    """Return a function that runs the verb."""

    def run(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "generator", "inspect", *arguments]
        return subprocess.run(command, cwd=ROOT, capture_output=True, env=ENVIRONMENT, timeout=60)

    return run


def test_steps_of_a_sequence(run: Run) -> None:
    lines = run("-f", "sjis", "-b", "82a0").stdout.decode().splitlines()
    assert lines[1].strip() == "https://encoding.spec.whatwg.org/#shift_jis-decoder"
    steps = [re.split(r"  +", line.strip()) for line in lines[2:]]
    assert [number for numbers, *_ in steps for number in numbers.split(", ")] == [
        "6", "3", "3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.8", "3.9"
    ]  # fmt: skip
    for numbers, *places in steps:
        assert len(places) in (2, 3)  # a kernel takes some of them
        for place in places[:2]:
            file, number = place.split(":")
            line = (ROOT / file).read_text().splitlines()[int(number) - 1]
            assert line.strip().startswith("# ")
            if file.startswith("generated/"):
                assert line.strip().startswith(f"# shift_jis-decoder {numbers.split(', ')[0]}")


@pytest.mark.parametrize("name", list(we.ENCODINGS))
def test_every_step_has_a_place(name: str) -> None:
    """Each step that the vectors of an encoding take is found in a template and in a generated file."""
    encoding = we.ENCODINGS[name]
    calls = [("decode", call) for data in inputs.vectors(name) for call in reference.trace_decoder(name, data)]
    if encoding.has_encoder:
        calls += [("encode", call) for call in reference.trace_encoder(name, inputs.BOUNDARY_CODE_POINTS)]
    for place in {place for direction, call in calls for place in inspect.places(encoding, call, direction)}:
        if place.name.startswith(("index-big5", "index-shift_jis")):  # performed when the tables are generated
            continue
        assert place.template, place
        assert place.generated, place


def test_trace(run: Run) -> None:
    text = run("--trace", "-f", "gb18030", "-b", "81308436").stdout.decode()
    items = re.findall(r"^ +(\d+)  (\S+)$", text, re.M)
    assert items == [("0", "81"), ("1", "30"), ("2", "84"), ("3", "36"), ("4", "end-of-queue")]
    assert "        index gb18030-ranges: pointer 36, code point U+00A5\n        → U+00A5\n" in text
    assert "        gb18030-decoder 4.1  if in_range(byte, 0x81, 0xFE):" in text
    assert text.endswith("        → finished\n")
    text = run("--trace", "-f", "iso-2022-jp", "¥あ").stdout.decode()
    assert re.findall(r"→ (.*)$", text, re.M) == ["1B 28 4A", "5C", "1B 24 42", "24 22", "1B 28 42", "finished"]


def test_a_trace_agrees_with_the_decoder(run: Run) -> None:
    data = b"".join(inputs.vectors("EUC-JP"))
    text = run("--trace", "-f", "euc-jp", "-b", data.hex()).stdout.decode()
    results = [result for result in re.findall(r"→ (.*)$", text, re.M) if result not in ("continue", "finished")]
    decoded = "".join("\ufffd" if result == "error" else chr(int(result[2:], 16)) for result in results)
    assert decoded == oracle.decode("EUC-JP", data).text == we.EUC_JP.decode(data)


def shifted(lines: list[str], by: int) -> list[str]:
    """Return lines with every offset in their first seven columns increased."""
    return [f"{int(line[:7]) + by:>6} {line[7:]}" if line[:7].strip() else line for line in lines]


@pytest.mark.parametrize("name", list(we.ENCODINGS))
def test_a_repetition_takes_the_same_steps_and_no_work(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference runs once for each state and byte; what repeats is printed as it was the first time."""
    encoding = we.ENCODINGS[name]
    data = b"".join(inputs.vectors(name)) + b"  "  # the spaces end a sequence, so that each repetition begins anew
    if name == "ISO-2022-JP":
        data += b"\x1b(B  "
    run = reference._watched
    ran = 0

    def counted(*arguments: object) -> object:
        nonlocal ran
        ran += 1
        return run(*arguments)

    monkeypatch.setattr(reference, "_watched", counted)

    def lines(times: int) -> tuple[list[str], list[str]]:
        described = list(inspect.describe_bytes(encoding, data * times))
        return described, list(inspect.trace(encoding, data * times))

    once, traced = lines(1)
    expected, ran = ran, 0
    described, trace = lines(40)
    # The first repetition may add a state: UTF-16 may begin within a code unit.
    assert ran <= 2 * expected
    if name not in ("replacement", "UTF-16BE", "UTF-16LE"):
        assert described == [line for times in range(40) for line in shifted(once, times * len(data))]
        end = next(index for index, line in enumerate(traced) if line.endswith("end-of-queue"))
        assert trace[: 40 * end] == [line for times in range(40) for line in shifted(traced[:end], times * len(data))]


def test_the_first_lines_do_not_wait_for_the_last_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"\x82\xa0\x41" * 10_000
    taken = 0
    trace_decoder = reference.trace_decoder

    def counted(name: str, data: bytes) -> Iterator[reference.Call]:
        nonlocal taken
        for call in trace_decoder(name, data):
            taken += 1
            yield call

    monkeypatch.setattr(reference, "trace_decoder", counted)
    lines = inspect.describe_bytes(we.SHIFT_JIS, data)
    assert next(lines).startswith("     0  82 A0  U+3042")
    next(lines)
    assert taken < 10
    steps = sum(1 for _ in lines)
    assert taken == len(data) + 1
    assert steps > len(data)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-b", "41"], "the following arguments are required: -f/--from"),
        (["-f", "sjis"], "one of the arguments -b/--bytes TEXT is required"),
        (["-f", "sjis", "-b", "41", "A"], "not allowed with argument -b/--bytes"),
        (["-f", "sjis", "-b", "4"], "'4' is not a byte sequence in hexadecimal"),
        (["-f", "sjis", "U+D800"], "U+D800 is not a scalar value"),
        (["-f", "sjix", "A"], "unknown encoding label 'sjix'; did you mean 'sjis'?"),
        (["--trace", "-f", "utf-16", "a"], "UTF-16LE has no encoder"),
    ],
)
def test_what_cannot_be_traced(run: Run, arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert not done.stdout


def test_the_reader_may_stop_early() -> None:
    command = (
        f"{shlex.quote(sys.executable)} -m generator inspect --trace -f gb18030 -b {'81308436' * 2000} | head -n 1"
    )
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, env=ENVIRONMENT)
    assert done.stdout == b"     0  81\n"
    assert not done.stderr
