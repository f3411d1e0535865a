"""inspect: pointers against the raw indexes, pieces against the reference's spans, the steps, and the output."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import whatwg_encoding as we
from tests.cli.conftest import Run
from tests.reference import inputs, oracle
from whatwg_encoding import _cli
from whatwg_encoding._cli import checkout as _checkout
from whatwg_encoding._cli import explain as _inspect

INDEXES = json.loads((Path(__file__).parents[2] / "data" / "indexes.json").read_bytes())


def two_bytes(name: str) -> Iterator[bytes]:
    """Return all sequences of two bytes, or three for EUC-JP, that decode to one or two characters."""
    for lead in range(0x80, 0x100):
        for trail in range(0x100):
            for data in [bytes((lead, trail))] + ([bytes((0x8F, lead, trail))] if name == "EUC-JP" else []):
                text, spans = oracle.decode(name, data)
                if not spans and (len(text) == 1 or text[1:] in ("\u0304", "\u030c")):
                    yield data


@pytest.mark.parametrize("name", ["Big5", "EUC-KR", "gb18030", "GBK", "Shift_JIS", "EUC-JP"])
def test_every_pointer_is_that_of_the_index(name: str) -> None:
    data = list(two_bytes(name))
    pieces = list(_inspect.pieces(we.ENCODINGS[name], b"".join(data)))
    assert [piece.data for piece in pieces] == data
    seen = set()
    for piece in pieces:
        assert piece.text == oracle.decode(name, piece.data).text
        if piece.index_name is None:
            # Half-width katakana, and the user-defined characters of Shift_JIS: formulas instead of indexes.
            katakana = 0xFF61 <= ord(piece.text) <= 0xFF9F
            assert katakana or (name == "Shift_JIS" and piece.pointer == ord(piece.text) - 0xE000 + 8836)
            continue
        assert piece.pointer is not None
        entry = INDEXES[piece.index_name][piece.pointer]
        if len(piece.text) == 2:  # four pointers of Big5 that are not in its index
            assert entry is None
            continue
        assert entry == ord(piece.text)
        seen.add((piece.index_name, piece.pointer))
    for index_name in {index_name for index_name, _ in seen}:
        # All entries were found except those of jis0208 that EUC-JP cannot reach.
        raw = enumerate(INDEXES[index_name])
        entries = {pointer for pointer, entry in raw if entry is not None and (name != "EUC-JP" or pointer < 94 * 94)}
        assert {pointer for index, pointer in seen if index == index_name} == entries


@pytest.mark.parametrize("name", [name for name, encoding in we.ENCODINGS.items() if encoding.is_single_byte])
def test_every_single_byte(name: str) -> None:
    for byte in range(0x80, 0x100):
        (piece,) = _inspect.pieces(we.ENCODINGS[name], bytes((byte,)))
        if not piece.text:
            assert piece.note.startswith("error: ")
        elif name == "x-user-defined":
            assert piece.pointer is None
        else:
            assert piece.index_name is not None
            assert piece.pointer is not None
            assert INDEXES[piece.index_name][piece.pointer] == ord(piece.text)


@pytest.mark.parametrize("pointer", [0, 7457, 39393, 39394, 39419, 189000, 1237575])
def test_pointers_of_four_bytes(pointer: int) -> None:
    rest, fourth = divmod(pointer, 10)
    rest, third = divmod(rest, 126)
    first, second = divmod(rest, 10)
    data = bytes((first + 0x81, second + 0x30, third + 0x81, fourth + 0x30))
    (piece,) = _inspect.pieces(we.GB18030, data)
    assert (piece.index_name, piece.pointer) == ("gb18030-ranges", pointer)
    assert piece.text == oracle.decode("gb18030", data).text


def test_every_pointer_of_iso_2022_jp() -> None:
    data = b"".join(bytes((lead, trail)) for lead in range(0x21, 0x7F) for trail in range(0x21, 0x7F))
    escape, *pieces = _inspect.pieces(we.ISO_2022_JP, b"\x1b$B" + data)
    assert escape.note == "escape sequence"
    pairs = [piece for piece in pieces if piece.text]
    assert {piece.pointer: ord(piece.text) for piece in pairs} == {
        pointer: entry for pointer, entry in enumerate(INDEXES["jis0208"][: 94 * 94]) if entry is not None
    }


@given(
    st.sampled_from(list(we.ENCODINGS)),
    st.lists(
        st.binary(max_size=3)
        | st.sampled_from([b"\x1b$B", b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b(", b"$", b"\x81\x30"]),
        max_size=6,
    ).map(b"".join),
)
def test_pieces_are_all_of_the_bytes_and_all_of_the_text(name: str, data: bytes) -> None:
    pieces = list(_inspect.pieces(we.ENCODINGS[name], data))
    assert b"".join(piece.data for piece in pieces) == data
    assert [piece.offset for piece in pieces] == [len(data[: piece.offset]) for piece in pieces]
    errors = [piece for piece in pieces if piece.note.startswith("error: ")]
    text, spans = oracle.decode(name, data)
    assert [(piece.offset, piece.offset + len(piece.data)) for piece in errors] == list(spans)
    assert "".join("\ufffd" if piece in errors else piece.text for piece in pieces) == text
    for piece in pieces:
        if piece.text and name != "ISO-2022-JP":  # ISO-2022-JP has a state
            assert oracle.decode(name, piece.data).text == piece.text


def pieces_of(done: subprocess.CompletedProcess[bytes]) -> list[str]:
    """Return the lines printed both with and without a checkout: those of the steps are indented by eight."""
    return [line for line in done.stdout.decode().splitlines() if not line.startswith(" " * 8)]


# -- What is printed ---------------------------------------------------------------------------------------------------


def test_bytes_in_one_encoding(run: Run) -> None:
    for spelling in ("82 a0 ff 41 e0", "82A0FF41E0", r"\x82\xA0\xff\x41\xe0", "0x82, 0xa0,FF,41,E0", "%82%A0%FF%41%E0"):
        assert pieces_of(run("inspect", "-f", "sjis", "-b", spelling)) == [
            "     0  82 A0  U+3042 あ HIRAGANA LETTER A; pointer 283 in index jis0208",
            "     2  FF     error: malformed byte sequence",
            "     3  41     U+0041 A LATIN CAPITAL LETTER A",
            "     4  E0     error: incomplete byte sequence at the end",
        ]
    assert pieces_of(run("inspect", "-f", "big5", "-b", "8862")) == [
        "     0  88 62  U+00CA Ê LATIN CAPITAL LETTER E WITH CIRCUMFLEX + U+0304 ◌̄ COMBINING MACRON; "
        "pointer 1133 in index big5"
    ]
    assert "pointer 8836, user-defined" in run("inspect", "-f", "sjis", "-b", "f040").stdout.decode()
    assert run("inspect", "-f", "sjis", "-b", "").stdout == b""


def test_bytes_in_all_encodings(run: Run) -> None:
    lines = run("inspect", "-b", "82 a0").stdout.decode().splitlines()
    assert "Shift_JIS: U+3042 あ HIRAGANA LETTER A" in lines
    assert "macintosh: U+00C7 Ç LATIN CAPITAL LETTER C WITH CEDILLA + U+2020 † DAGGER" in lines
    named = [name for line in lines for name in line.split(": ")[0].split(", ")]
    assert sorted(named) == sorted(we.ENCODINGS)


def test_characters(run: Run) -> None:
    lines = run("inspect", "あ€").stdout.decode().splitlines()
    assert lines[0] == "U+3042 あ HIRAGANA LETTER A"
    for line in (
        "  E3 81 82  UTF-8",
        "  A4 A2  GBK, gb18030: pointer 6747 in index gb18030",
        "  1B 24 42 24 22 1B 28 42  ISO-2022-JP: pointer 283 in index jis0208",
        "  82 A0  Shift_JIS: pointer 283 in index jis0208",
        "  no encoder: replacement, UTF-16BE, UTF-16LE; the output encoding is UTF-8",
    ):
        assert line in lines
    second = lines.index("U+20AC € EURO SIGN")
    assert "  80  GBK" in lines[second:]
    pointer = INDEXES["gb18030"].index(0x20AC)
    assert f"  A2 E3  gb18030: pointer {pointer} in index gb18030" in lines[second:]
    assert lines[-2].startswith("  not in IBM866, ISO-8859-2, ")
    assert lines[-2].endswith(": &#8364; in an HTML form")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("u+1f4a9", "U+1F4A9 💩 PILE OF POO"),
        ("U+20", "U+0020 SPACE"),
        ("U+0301", "U+0301 ◌́ COMBINING ACUTE ACCENT"),
        ("\x07", "U+0007 <control>"),
        ("U+E000", "U+E000 <private use>"),
        ("U+0378", "U+0378 <unassigned>"),
    ],
)
def test_characters_are_described(run: Run, text: str, line: str) -> None:
    assert run("inspect", text).stdout.decode().splitlines()[0] == line


def test_characters_in_one_encoding(run: Run) -> None:
    assert pieces_of(run("inspect", "-f", "sjis", "あ")) == [
        "U+3042 あ HIRAGANA LETTER A",
        "  82 A0  Shift_JIS: pointer 283 in index jis0208",
    ]
    assert pieces_of(run("inspect", "-f", "koi8-r", "あ"))[1:] == ["  not in KOI8-R: &#12354; in an HTML form"]
    assert run("inspect", "-f", "utf-16", "あ").stdout.decode().splitlines()[1:] == [
        "  no encoder: UTF-16LE; the output encoding is UTF-8"
    ]


def test_a_lone_surrogate_is_what_the_encoder_makes_of_it(run: Run) -> None:
    surrogate = "\udcff"
    assert pieces_of(run("inspect", "-f", "sjis", surrogate)) == [
        "U+DCFF <surrogate>, encoded as U+FFFD",
        f"  not in Shift_JIS: {we.SHIFT_JIS.encode(surrogate).decode('ascii')} in an HTML form",
    ]
    assert "  EF BF BD  UTF-8" in pieces_of(run("inspect", "-f", "utf-8", surrogate))
    # The encoder reports its own code point for an error, which may differ from the character's.
    assert pieces_of(run("inspect", "-f", "iso-2022-jp", "U+1B"))[1] == "  not in ISO-2022-JP: &#65533; in an HTML form"


# -- Steps -------------------------------------------------------------------------------------------------------------

ROOT = Path(__file__).parents[2]


def test_steps_of_a_sequence(run: Run) -> None:
    lines = run("inspect", "--checkout", str(ROOT), "-f", "sjis", "-b", "82a0").stdout.decode().splitlines()
    assert lines[1].strip() == "https://encoding.spec.whatwg.org/#shift_jis-decoder"
    steps = [re.split(r"  +", line.strip()) for line in lines[2:-1]]
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
    assert lines[-1].strip().startswith("test: tests/standard/test_12_japanese.py::test_every_one_and_two_bytes[")


@pytest.mark.parametrize("name", list(we.ENCODINGS))
def test_every_step_has_a_place(name: str) -> None:
    """Each step that the vectors of an encoding take is found in a template and in a generated file."""
    checkout = _checkout.Checkout(ROOT)
    calls = [call for data in inputs.vectors(name) for call in checkout.decoding(name, data)]
    if we.ENCODINGS[name].has_encoder:
        calls += checkout.encoding(name, inputs.BOUNDARY_CODE_POINTS)
    for place in {place for call in calls for place in call.places}:
        if place.name.startswith(("index-big5", "index-shift_jis")):  # performed when the tables are generated
            continue
        assert place.template, place
        assert place.generated, place


def test_every_test_that_is_named_exists() -> None:
    checkout = _checkout.Checkout(ROOT)
    named = {checkout.test(name, length) for name in we.ENCODINGS for length in range(1, 5)}
    named |= {checkout.test(name, None) for name, encoding in we.ENCODINGS.items() if encoding.has_encoder}
    named.add(checkout.test("ISO-2022-JP", 2, escaped=True))
    assert None not in named
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--all",
        "--collect-only",
        "-q",
        "-p",
        "no:cacheprovider",
        "tests/standard",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    collected = set(done.stdout.splitlines())
    bare = {test.partition("[")[0] for test in collected} | {test.partition("::")[0] for test in collected}
    assert {test for test in map(str, named) if test not in collected | bare} == set()


def test_trace(run: Run) -> None:
    text = run("inspect", "--checkout", str(ROOT), "--trace", "-f", "gb18030", "-b", "81308436").stdout.decode()
    items = re.findall(r"^ +(\d+)  (\S+)$", text, re.M)
    assert items == [("0", "81"), ("1", "30"), ("2", "84"), ("3", "36"), ("4", "end-of-queue")]
    assert "        index gb18030-ranges: pointer 36, code point U+00A5\n        → U+00A5\n" in text
    assert "        gb18030-decoder 4.1  if in_range(byte, 0x81, 0xFE):" in text
    assert text.endswith("        → finished\n")
    text = run("inspect", "--checkout", str(ROOT), "--trace", "-f", "iso-2022-jp", "¥あ").stdout.decode()
    assert re.findall(r"→ (.*)$", text, re.M) == ["1B 28 4A", "5C", "1B 24 42", "24 22", "1B 28 42", "finished"]


def test_a_trace_agrees_with_the_decoder(run: Run) -> None:
    data = b"".join(inputs.vectors("EUC-JP"))
    text = run("inspect", "--checkout", str(ROOT), "--trace", "-f", "euc-jp", "-b", data.hex()).stdout.decode()
    results = [result for result in re.findall(r"→ (.*)$", text, re.M) if result not in ("continue", "finished")]
    decoded = "".join("\ufffd" if result == "error" else chr(int(result[2:], 16)) for result in results)
    assert decoded == oracle.decode("EUC-JP", data).text == we.EUC_JP.decode(data)


def shifted(lines: list[str], by: int) -> list[str]:
    """Return lines with every offset in their first seven columns increased."""
    return [f"{int(line[:7]) + by:>6} {line[7:]}" if line[:7].strip() else line for line in lines]


@pytest.mark.parametrize("name", list(we.ENCODINGS))
def test_a_repetition_takes_the_same_steps_and_no_work(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference runs once for each state and byte; what repeats is printed as it was the first time."""
    encoding, checkout = we.ENCODINGS[name], _checkout.Checkout(ROOT)
    data = b"".join(inputs.vectors(name)) + b"  "  # the spaces end a sequence, so that each repetition begins anew
    if name == "ISO-2022-JP":
        data += b"\x1b(B  "
    run = checkout._steps._watched
    ran = 0

    def counted(*arguments: object) -> object:
        nonlocal ran
        ran += 1
        return run(*arguments)

    monkeypatch.setattr(checkout._steps, "_watched", counted)

    def lines(times: int) -> tuple[list[str], list[str]]:
        described = list(_inspect.describe_bytes(encoding, data * times, checkout))
        return described, list(_inspect.trace(encoding, data * times, checkout))

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
    checkout = _checkout.Checkout(ROOT)
    data = b"\x82\xa0\x41" * 10_000
    taken = 0
    decoding = checkout.decoding

    def counted(name: str, data: bytes) -> Iterator[_checkout.Call]:
        nonlocal taken
        for call in decoding(name, data):
            taken += 1
            yield call

    monkeypatch.setattr(checkout, "decoding", counted)
    lines = _inspect.describe_bytes(we.SHIFT_JIS, data, checkout)
    assert next(lines).startswith("     0  82 A0  U+3042")
    next(lines)
    assert taken < 10
    steps = sum(1 for _ in lines)
    assert taken == len(data) + 1
    assert steps > len(data)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--trace", "-b", "41"], "--trace takes one encoding: name it with -f"),
        (["--trace", "-f", "utf-16", "a"], "UTF-16LE has no encoder"),
        (["--checkout", "/", "-f", "sjis", "a"], "is not a checkout of the project"),
    ],
)
def test_what_cannot_be_traced(run: Run, arguments: list[str], message: str) -> None:
    done = run("inspect", "--checkout", str(ROOT), *arguments)
    assert done.returncode == 2
    assert message in done.stderr.decode()


def test_without_a_checkout(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In an installed wheel, everything but the steps is printed, and a message says where to find those."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path / ".venv"))
    assert _cli.main(["inspect", "-f", "sjis", "-b", "82a0"]) == 0
    assert capsys.readouterr().out == "     0  82 A0  U+3042 あ HIRAGANA LETTER A; pointer 283 in index jis0208\n"
    assert _cli.main(["inspect", "--trace", "-f", "sjis", "-b", "82a0"]) == 2
    assert "the steps are only in a checkout of the project" in capsys.readouterr().err
