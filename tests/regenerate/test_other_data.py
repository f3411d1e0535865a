"""Other data requires no other code: from a changed snapshot to decoders that behave as the data says.

A new encoding of a known shape needs its prose, its index and a record: Johab, from these to a compiled module.
"""

from __future__ import annotations

import random

import pytest

from generator.handlers import mappings
from generator.model import Snapshot
from generator.spec.machine import END_OF_QUEUE, Error
from generator.tables import Mappings
from tests.pinned import PINNED

from . import johab
from .conftest import BEFORE_2022, LONG_LABEL, Run, changed_data

CHANGED = changed_data(PINNED)


def test_the_changed_mapping(run: Run) -> None:
    assert run("we.KOI8_R.decode(bytes([0x80, 0x81]))") == "\u2603\u2502"
    assert run(r"list(we.KOI8_R.encode('\u2603\u2502\u2500', 'html'))") == [0x80, 0x81, *b"&#9472;"]


def test_the_added_encoding(run: Run) -> None:
    counts = [len(CHANGED.encodings), sum(len(encoding.labels) for encoding in CHANGED.encodings)]
    assert run("[len(we.ENCODINGS), len(we.LABELS), we.lookup('RUNES').name]") == [*counts, "x-Runes"]
    runes = "".join(map(chr, range(0x16A0, 0x16F0)))
    assert run("we.X_RUNES.decode(bytes(range(0x7E, 0xD1)))") == f"~\x7f{runes}\ufffd"
    assert run(r"list(we.X_RUNES.encode('a\u16ef', 'fatal'))") == [0x61, 0xCF]


def test_the_removed_encoding(run: Run) -> None:
    """Its constant and its labels are gone; a codec of Python's, and detection, find something else."""
    assert run("[hasattr(we, 'IBM866'), 'cp866' in we.LABELS, 'IBM866' in we.ENCODINGS]") == [False] * 3
    assert run("[we.ENCODINGS['KOI8-R'].name, len(list(we.ENCODINGS))]") == ["KOI8-R", len(CHANGED.encodings)]
    russian = "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему."
    assert run(f"we.decode_crawled({russian!r}.encode('koi8-r')).encoding.name") == "KOI8-R"


def test_the_removed_encoding_of_two_bytes(run: Run) -> None:
    """It was the only one of its chapter, whose module is gone; whatever names it finds one less."""
    assert run("[hasattr(we, 'BIG5'), 'big5' in we.LABELS]") == [False, False]
    imported = "importlib.util.find_spec('whatwg_encoding._native.chinese_traditional') is None"
    assert run(f"(lambda importlib: {imported})(__import__('importlib.util'))") is True
    assert run("[we.sniff.detect('你好嗎'.encode())[0].encoding.name, we.repair('cafÃ©').text]") == ["UTF-8", "café"]
    for module in ("mail", "mcp", "webencodings", "w3lib", "chardet", "charset_normalizer"):
        assert run(f"__import__('whatwg_encoding.{module}', fromlist=['']).__name__") == f"whatwg_encoding.{module}"
    assert run("__import__('whatwg_encoding.mail', fromlist=['']).charset('cp950')") is None


def test_the_older_index(run: Run) -> None:
    pointers = list(BEFORE_2022)
    pairs = [(pointer // 190 + 0x81, pointer % 190 + (0x40 if pointer % 190 < 0x3F else 0x41)) for pointer in pointers]
    assert run(f"[ord(we.GB18030.decode(bytes(pair))) for pair in {pairs}]") == list(BEFORE_2022.values())


# -- Johab -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def reference(other_data: Snapshot) -> Mappings:
    """Return the compiled prose with the index."""
    johab_mappings = mappings(other_data, johab.ENCODING)
    assert johab_mappings is not None
    return johab_mappings


def codec(data: bytes) -> str | None:
    """Return what Python's codec decodes bytes to, None if there is an error."""
    try:
        return data.decode("johab")
    except UnicodeDecodeError:
        return None


def test_the_compiled_prose_is_pythons_codec(reference: Mappings, other_data: Snapshot) -> None:
    """Python's codec also has fillers and single letters of syllables, which are not in this index."""
    pairs = reference.pairs()
    assert len(pairs) == sum(entry is not None for entry in other_data.indexes["johab"].code_points) == 16_997
    assert {pair: codec(bytes(pair)) for pair in pairs} == {
        pair: chr(code_point) for pair, (code_point,) in pairs.items()
    }


def test_every_pair_decodes_as_the_reference(run: Run, reference: Mappings) -> None:
    data = b"".join(bytes(pair) for pair in reference.pairs())
    text = "".join(chr(code_point) for (code_point,) in reference.pairs().values())
    assert run(f"we.JOHAB.decode(bytes.fromhex({data.hex()!r}))") == text


def test_every_sequence_of_two_bytes_decodes_as_the_reference(run: Run, reference: Mappings) -> None:
    """Between them are line feeds, which end an error that took no trailing byte."""
    texts = run("[we.JOHAB.decode(bytes([a, b, 10])) for a in range(128, 256) for b in range(256)]")
    expected = []
    for first in range(0x80, 0x100):
        for second in range(0x100):
            expected.append(decoded(reference, bytes([first, second, 10])))
    assert texts == expected


def decoded(reference: Mappings, data: bytes) -> str:
    units = [unit for item in (*data, END_OF_QUEUE) for unit in reference.decoder.process(item)]
    return "".join("\ufffd" if isinstance(unit, Error) else chr(unit) for unit in units)


def test_every_code_point_is_encoded_as_the_reference(run: Run, reference: Mappings) -> None:
    outputs = run("[list(we.JOHAB.encode(chr(c), 'html')) for c in range(0x10000) if not 0xD800 <= c <= 0xDFFF]")
    expected = [
        list(reference.sequences.get(code_point) or f"&#{code_point};".encode())
        for code_point in (*range(0xD800), *range(0xE000, 0x10000))
    ]
    assert outputs == expected


def test_text_is_what_pythons_codec_says(run: Run, reference: Mappings) -> None:
    """In chunks of every length, by the kernels and by single steps."""
    letters = [chr(code_point) for (code_point,) in reference.pairs().values()]
    text = "".join(random.Random(5).choices([*letters, *"abc \n"], k=3000))
    data = text.encode("johab")
    assert run(f"list(we.JOHAB.encode({text!r}, 'fatal'))") == list(data)
    assert run(f"we.JOHAB.decode(bytes.fromhex({data.hex()!r}), 'fatal')") == text
    chunks = "''.join([d.decode(data[i:i+n], stream=True) for i in range(0, len(data), n)] + [d.decode()])"
    decoder = f"(lambda data: [(lambda d: {chunks})(we.TextDecoder('johab')) for n in (1, 2, 3, 64)])"
    assert run(f"{decoder}(bytes.fromhex({data.hex()!r}))") == [text] * 4


def test_its_labels(run: Run) -> None:
    assert run("[we.lookup(label).name for label in ('JOHAB', ' cp1361 ')]") == ["Johab", "Johab"]


# -- Every way to the encodings ----------------------------------------------------------------------------------------

NAMES = "[name for name in we.ENCODINGS if name != 'replacement']"
DATA = "bytes(range(128, 256)) * 2 + b'A'"


def test_columns_in_every_encoding(run: Run) -> None:
    """With one encoding for all rows, and with a column of labels."""
    for encodings in ("name", "pa.array([name] * 2)"):
        decoded = f"pa.array(we.arrow.decode_array(pa.array([{DATA}] * 2), {encodings})).to_pylist()"
        same = f"{decoded} == [we.ENCODINGS[name].decode({DATA})] * 2"
        results = run(f"(lambda pa: [[name, {same}] for name in {NAMES}])(__import__('pyarrow'))")
        assert isinstance(results, list)
        assert len(results) == len(CHANGED.encodings) - 1  # without replacement
        assert [name for name, same in results if not same] == []
    encoded = "pa.array(we.arrow.encode_array(pa.array(['\\u16ef']), 'x-runes')).to_pylist()[0].hex()"
    assert run(f"(lambda pa: {encoded})(__import__('pyarrow'))") == "cf"


def test_detection_takes_every_encoding(run: Run) -> None:
    assert run(f"len(we.sniff.detect({DATA}, candidates=[we.ENCODINGS[name] for name in {NAMES}])) > 30")
    data = "한글은 나랏말".encode("johab")
    for arguments in ("candidates=['johab', 'utf-8']", "declared='johab'"):
        assert run(f"we.sniff.detect({data!r}, {arguments})[0].encoding.name") == "Johab"


API = "__import__('tests.capi.table', fromlist=['API']).API"


def test_the_c_api_has_every_encoding(run: Run) -> None:
    assert run(f"[{API}.name({API}.by_index(each)).decode() for each in range(len(we.ENCODINGS))]") == run(
        "list(we.ENCODINGS)"
    )
    for label in ("johab", LONG_LABEL, f" {LONG_LABEL.upper()}\n", LONG_LABEL + "f", "f" * 65, "f" * 100_000):
        bytes_of_label = f"__import__('ctypes').c_char_p({label.encode()!r})"
        is_label = run(f"{API}.for_label({bytes_of_label}, {len(label)}) is not None")
        assert is_label == (label.strip().lower() in ("johab", LONG_LABEL)), label


def test_the_editor_and_the_command_take_the_added_encodings(run: Run) -> None:
    data = "한글 text".encode("johab")
    edited = run(f"(lambda text: (text.replace(0, 1, '글'), text.encode().hex()))(we.ByteExactText({data!r}, 'johab'))")
    assert edited == [None, "글글 text".encode("johab").hex()]
    command = "__import__('subprocess').run([__import__('sys').executable, '-m', 'whatwg_encoding', {}], "
    command += "input={!r}, capture_output=True).stdout.hex()"
    assert run(command.format("'decode', '-f', 'johab'", data)) == "한글 text".encode().hex()
    assert run(command.format("'encode', '-t', 'x-runes'", "a\u16ef".encode())) == "61cf"
