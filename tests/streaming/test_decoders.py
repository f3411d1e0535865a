"""Incremental decoders: for any chunks, text, errors and spans are those of the whole input, as early as possible.

After each chunk the text is the reference's output at that point: only an incomplete sequence is held back.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, pairwise
from random import Random

import pytest

import whatwg_encoding as we
from tests.reference import inputs, oracle
from tests.reference.oracle import Span, StreamingDecoder
from tests.standard.comparison import is_same_text, outcome
from tests.streaming.material import chunks_of_all_kinds, pad

every = pytest.mark.parametrize("name", inputs.ALL_NAMES)


class Expected:
    """The reference's text and errors at each position of an input, and at end-of-queue."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.data = data
        reference = StreamingDecoder.of(name)
        self.texts = [""]
        self.pending = [b""]
        self.error_counts = [0]
        for position in range(len(data)):
            self.texts.append(self.texts[-1] + reference.decode(data[position : position + 1]))
            self.pending.append(reference.pending)
            self.error_counts.append(len(reference.spans))
        self.text = self.texts[-1] + reference.decode(b"", final=True)
        self.spans = reference.spans

    def first_error(self) -> tuple[int, Span] | None:
        """Return the input length that brings the first error (one beyond the end: end-of-queue does), and its span."""
        if not self.spans:
            return None
        return next((i for i, count in enumerate(self.error_counts) if count), len(self.data) + 1), self.spans[0]


def check(expected: Expected, cuts: tuple[int, ...], *, final_alone: bool) -> None:
    """Check the input cut at `cuts`, with an empty chunk in each cut and before the first."""
    name, data = expected.name, expected.data
    encoding = we.ENCODINGS[name]
    chunks = [(start, end, False) for start, end in pairwise((0, *cuts, len(data)))]
    if final_alone:
        chunks.append((len(data), len(data), True))
    else:
        chunks[-1] = (*chunks[-1][:2], True)
    where = f"{data.hex(' ')} cut at {cuts}"

    decoder = encoding.new_decoder()
    text = decoder.decode(b"")
    for start, end, final in chunks:
        text += decoder.decode(data[start:end], final)
        assert text == (expected.text if final else expected.texts[end]), where
        assert decoder.error_count == (len(expected.spans) if final else expected.error_counts[end]), where
        if not final:
            assert decoder.getstate()[0] == expected.pending[end], where
            text += decoder.decode(b"")

    decoder = encoding.new_decoder("fatal")
    text = ""
    first_error = expected.first_error()
    for start, end, final in chunks:
        result = outcome(decoder.decode, data[start:end], final)
        if first_error is not None and (first_error[0] <= end or final):
            pending = expected.pending[start]
            shift = start - len(pending)
            span = first_error[1][0] - shift, first_error[1][1] - shift
            assert result == (name, pending + data[start:end], span), where
            # The error reset the decoder.
            assert decoder.getstate() == encoding.new_decoder("fatal").getstate(), where
            assert not decoder.error_count, where
            break
        text += result
        assert text == (expected.text if final else expected.texts[end]), where


@every
def test_every_split_and_pair_of_splits(name: str) -> None:
    """Each vector in two and in three parts, which may be empty, with end-of-queue in the last part or alone."""
    for vector in inputs.vectors(name):
        expected = Expected(name, vector)
        for cuts in ((), *((i,) for i in range(len(vector) + 1)), *oracle.splits(vector)):
            for final_alone in (False, True):
                check(expected, cuts, final_alone=final_alone)


@every
def test_byte_by_byte(name: str) -> None:
    count = 300 if name in inputs.MULTI_BYTE_NAMES else 30
    for data in (*inputs.vectors(name), *inputs.random_inputs(name, count)):
        check(Expected(name, data), tuple(range(1, len(data))), final_alone=True)


@pytest.mark.gate
@every
@pytest.mark.shapes
def test_every_split_in_ascii_of_0_to_64_bytes(name: str) -> None:
    """Blocks of 16 to 64 bytes are processed at once: each vector at each offset, cut within it and around it.

    The padding is before, after and on both sides. Cuts are at the boundaries of vector and padding and everywhere in
    the vector, in pairs; cuts inside the padding are not tested.
    """
    random = Random(f"padding {name}")
    for vector in inputs.vectors(name):
        for length in range(65):
            for before, after in ((length, 0), (0, length), (length, random.randrange(65))):
                head = pad(name, before)
                data = head + vector + pad(name, after)
                places = range(max(len(head) - 1, 0), min(len(head) + len(vector) + 2, len(data) + 1))
                check_places(name, data, places)


def check_places(name: str, data: bytes, places: range) -> None:
    """Check `data` cut at any one or two of `places`, in both error modes."""
    expected = oracle.decode(name, data)
    replacing, fatal = we.ENCODINGS[name].new_decoder(), we.ENCODINGS[name].new_decoder("fatal")
    for i, j in combinations_with_replacement(places, 2):
        where = f"{data.hex(' ')} cut at {i} and {j}"
        parts = data[:i], data[i:j], b"", data[j:]
        text = "".join([*map(replacing.decode, parts), replacing.decode(b"", True)])
        assert (text, replacing.error_count) == (expected.text, len(expected.spans)), where
        replacing.reset()
        text, done = "", 0
        for number, part in enumerate(parts):
            start = done - len(fatal.getstate()[0])
            done += len(part)
            result = outcome(fatal.decode, part, number == 3)
            if not isinstance(result, str):
                assert expected.spans, where
                span = expected.spans[0][0] - start, expected.spans[0][1] - start
                assert result == (name, data[start:done], span), where
                break
            text += result
        else:
            assert (text, ()) == expected, where


@every
def test_a_state_can_be_taken_and_given_back_anywhere(name: str) -> None:
    """`getstate` at each position; another decoder and the same one resume from it, whatever they decoded before."""
    encoding = we.ENCODINGS[name]
    new_state = encoding.new_decoder().getstate()
    assert new_state == (b"", 0), "the state that io.TextIOWrapper takes for initial"

    for data in (*inputs.vectors(name), *inputs.random_inputs(name, 40)):
        expected = Expected(name, data)
        decoder = encoding.new_decoder()
        states: list[tuple[bytes, int]] = []
        for position in range(len(data) + 1):
            decoder.decode(data[position - 1 : position] if position else b"")
            states.append(decoder.getstate())
            assert list(map(type, states[-1])) == [bytes, int], "what codecs.IncrementalDecoder.getstate returns"
        used = encoding.new_decoder()
        for position, state in enumerate(states):
            for other in (encoding.new_decoder(), used, decoder):
                other.setstate(state)
                assert other.getstate() == state
                assert expected.texts[position] + other.decode(data[position:], True) == expected.text, (data, position)


@every
def test_the_next_input_is_a_new_one(name: str) -> None:
    """After `reset` anywhere, after `final`, as in Python's own decoders, and after a fatal error."""
    encoding = we.ENCODINGS[name]
    decoder, fatal = encoding.new_decoder(), encoding.new_decoder("fatal")
    for vector in inputs.vectors(name) * 2:
        expected = oracle.decode(name, vector)
        for cut in range(len(vector) + 1):
            decoder.decode(vector[:cut])
            decoder.reset()
            assert (decoder.getstate(), decoder.error_count) == ((b"", 0), 0)
            assert decoder.decode(vector, True) == expected.text
            assert (decoder.getstate(), decoder.error_count) == ((b"", 0), len(expected.spans))
        assert decoder.decode(vector, True) == expected.text
        for final in (False, True):
            result = outcome(fatal.decode, vector, final)
            if isinstance(result, str):
                fatal.reset()
            assert fatal.getstate() == (b"", 0)
            assert name == "replacement" or fatal.decode(pad(name, 3), True) == "ASC"
        assert isinstance(result, str) is not bool(expected.spans)


@every
def test_large_chunks(name: str) -> None:
    """Chunks longer than every internal buffer, with cuts anywhere in a sequence."""
    vectors = inputs.vectors(name)
    block = b"".join(vectors) + pad(name, 50)
    data = block * (300_000 // len(block))
    if name == "ISO-2022-JP":  # a block may end in another state than the next one expects
        expected, count = oracle.decode(name, data).text, None
    elif name == "replacement":
        expected, count = "\ufffd", 1
    else:
        # In the other encodings a block ends with a complete sequence.
        once = oracle.decode(name, block)
        repeat = len(data) // len(block)
        expected, count = once.text * repeat, len(once.spans) * repeat
    for size in (65_536, 99_991, 7_919):
        decoder = we.ENCODINGS[name].new_decoder()
        text = "".join(decoder.decode(data[i : i + size]) for i in range(0, len(data), size))
        assert text + decoder.decode(b"", True) == expected
        assert count is None or decoder.error_count == count


@pytest.mark.parametrize("name", inputs.TEXT_NAMES)
@pytest.mark.shapes
def test_a_chunk_is_of_its_own_kind_whatever_those_before_it_were(name: str) -> None:
    """The kind of string that a decoder predicts from previous chunks is not observable in results."""
    chunks = chunks_of_all_kinds(name)
    texts = {chunk: oracle.decode(name, chunk).text for chunk in chunks}
    random = Random(name)
    handled = we.ENCODINGS[name].codec_info.incrementaldecoder
    order = [chunk for chunk in random.choices(chunks, k=150) for _ in range(random.choice((1, 2, 3, 4)))]
    for decode in (we.ENCODINGS[name].new_decoder().decode, handled("replace").decode):
        for chunk in order:
            assert is_same_text(decode(chunk), texts[chunk])

    # And with sequences that span two chunks.
    data = b"".join(order)
    cuts = sorted({0, len(data)}.union(random.sample(range(len(data) + 1), min(len(data), 250))))
    decoder = we.ENCODINGS[name].new_decoder()
    pieces = [decoder.decode(data[start:end]) for start, end in pairwise(cuts)] + [decoder.decode(b"", True)]
    assert "".join(pieces) == "".join(texts[chunk] for chunk in order)
    assert all(is_same_text(piece, piece) for piece in pieces)


def test_arguments() -> None:
    decoder = we.UTF_8.new_decoder()
    assert decoder.decode(b"\xe3") == ""
    assert decoder.decode(data=b"\x81", final=False) == ""
    for wrong in ("text", None, 5, [1]):
        with pytest.raises(TypeError):
            decoder.decode(wrong)  # type: ignore[arg-type]
    assert decoder.decode(b"\x82", final=True) == "\u3042", "an invalid argument does not change the decoder"
