"""Print digests of the package's results for many inputs: ``python -m tests.machines.digests [ENCODING…]``.

The output has to be identical on every machine and with every instruction set (``WHATWG_ENCODING_SIMD``). The inputs
are every pair of bytes, every code point of the Basic Multilingual Plane, surrogates included, and a sample of the
others, sequences of the bytes at which the standard's ranges begin and end, and the vectors of tests/reference at every
offset in a vector register; in long runs and in pieces of every small length. A digest covers everything that
distinguishes results: strings with their width, errors with their position, decoders with their counts. Only the
standard library and the package are required.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain, product
from typing import AnyStr

import whatwg_encoding as we
from tests.reference import inputs

#: Lengths of the ASCII prefix: every offset in a vector of 64 bytes, and the first two of the next one.
PADDING = range(66)
#: Lengths of the pieces of texts and byte strings: up to two vectors of 64 units, and one more.
PIECES = range(1, 130)


def drawn(seed: str, length: int) -> bytes:
    return hashlib.shake_256(seed.encode()).digest(length)


def pieces(whole: AnyStr, lengths: Iterable[int] = PIECES) -> Iterator[AnyStr]:
    """Yield consecutive pieces, one of each length."""
    at = 0
    for length in lengths:
        yield whole[at : at + length]
        at += length


@cache
def every_pair() -> tuple[bytes, ...]:
    """Return every pair of bytes, in two chunks per leading byte: each pair before ASCII, and each before the next."""
    chunks = []
    for number in range(256):
        pairs = [bytes((number, trailing)) for trailing in range(256)]
        chunks.append(b"a" * (number % 67) + b"A".join(pairs))
        chunks.append(b"".join(pairs) + b"\n" * (number % 5))
    return tuple(chunks)


def boundaries(name: str) -> Iterator[bytes]:
    """Yield sequences of the bytes at which a range of a decoder step begins or ends, dense and among ASCII."""
    borders = inputs.BOUNDARY_BYTES.get(name, bytes(range(0x7E, 0x100)))
    table = bytes(borders[byte % len(borders)] for byte in range(256))
    stream = drawn(name, 60_000).translate(table)
    yield stream
    yield from pieces(stream, (*PIECES, 1000, 5000))
    for most in (12, 67):
        gaps = drawn(f"{name} {most}", 1500)
        yield b"".join(b"a" * (gap % most) + stream[4 * i : 4 * i + 1 + gap % 4] for i, gap in enumerate(gaps))


def vectors(name: str) -> Iterator[bytes]:
    """Yield the vectors of the decoder after every length of ASCII."""
    if name in inputs.MULTI_BYTE_NAMES:
        for vector, length in product(inputs.vectors(name), PADDING):
            yield b"x" * length + vector + b"y" * (length * 7 % 61)


def encoded_texts(name: str) -> Iterator[bytes]:
    """Yield texts in the encoding's characters, encoded, whole and in pieces."""
    encoding = we.ENCODINGS[name].output_encoding
    for text in texts(name):
        data = text.encode(name.lower(), "surrogatepass") if name.startswith("UTF-16") else encoding.encode(text)
        yield data
        yield from pieces(data)


@cache
def general_texts() -> tuple[str, ...]:
    """Yield texts of each width: ASCII, Latin-1, the first plane in order and shuffled, the other planes, all mixed."""
    plane = range(0x10000)
    shuffled = "".join(chr(value * 40503 % 0x10000) for value in plane)  # an odd factor permutes them
    beyond = "".join(map(chr, range(0x10000, 0x110000, 67)))
    columns = shuffled[:3000], "abcdefghij" * 300, beyond[:3000], "ÄÖÜßéèñç¡¿" * 300
    mixed = "".join(map("".join, zip(*columns, strict=True)))
    ascii_text = drawn("ASCII", 5000).translate(bytes(byte & 0x7F for byte in range(256))).decode("ascii")
    latin = drawn("Latin-1", 5000).decode("latin-1")
    return ascii_text, latin, "".join(map(chr, plane)), shuffled, beyond, mixed


@cache
def texts(name: str) -> tuple[str, ...]:
    """Yield `general_texts` and, for a legacy encoding, texts of its own characters, dense and among ASCII."""
    encoding = we.ENCODINGS[name]
    if not encoding.is_legacy or not encoding.has_encoder:
        return general_texts()
    known = "".join(sorted(set("".join(map(encoding.decode, every_pair()))) - {"\ufffd"}))
    order = drawn(name, 2 * 12_000)
    places = [(order[2 * i] << 8 | order[2 * i + 1]) % len(known) for i in range(12_000)]
    dense = "".join(known[place] for place in places)
    sparse = "".join([known[place] if place % 3 == 0 else "a" * (place % 40) for place in places[:3000]])
    return *general_texts(), dense, sparse


def described(text: str) -> bytes:
    """Return a string as bytes. Raise AssertionError if it is wider than its characters require."""
    width = 1 if not text or (largest := max(text)) <= "\xff" else 2 if largest <= "\uffff" else 4
    # CPython may share a single character with its cached UTF-8 form. A repeated string has the original width.
    if len(text) > 1 and sys.getsizeof(text * 2) - sys.getsizeof(text) != width * len(text):
        raise AssertionError(f"a string of {len(text)} characters is not in its smallest kind")
    return text.encode("utf-8", "surrogatepass")


def decoded(encoding: we.Encoding, data: bytes) -> Iterator[bytes]:
    text = encoding.decode(data)
    yield described(text)
    yield encoding.decode_to_utf8(data)
    yield str(encoding.valid_up_to(data)).encode()
    if "\ufffd" in text:
        try:
            yield described(encoding.decode(data, "fatal"))
        except UnicodeDecodeError as error:
            yield f"{error.start} {error.end}".encode()
    decoder = encoding.new_decoder()
    half = len(data) // 2
    yield described(decoder.decode(data[:half]) + decoder.decode(data[half:], True))
    yield str(decoder.error_count).encode()


def encoded(encoding: we.Encoding, text: str) -> Iterator[bytes]:
    yield encoding.encode(text)
    yield str(encoding.encoded_length(text)).encode()
    try:
        yield encoding.encode(text, "fatal")
    except UnicodeEncodeError as error:
        yield f"{error.start} {error.end}".encode()
    encoder = encoding.new_encoder()
    half = len(text) // 2
    yield encoder.encode(text[:half]) + encoder.encode(text[half:], True)


def digest(results: Iterator[bytes]) -> str:
    """Return the SHA-256 of the results and their lengths."""
    return hashlib.sha256(b"".join(b"%d:%b" % (len(result), result) for result in results)).hexdigest()


DECODER_INPUTS: dict[str, Callable[[str], Iterator[bytes]]] = {
    "pairs": lambda name: iter(every_pair()),
    "boundaries": boundaries,
    "vectors": vectors,
    "encoded texts": encoded_texts,
}
ENCODER_INPUTS: dict[str, Callable[[str], Iterator[str]]] = {
    "texts": lambda name: iter(texts(name)),
    "short texts": lambda name: chain.from_iterable(map(pieces, texts(name))),
}


def digests(name: str) -> Iterator[tuple[str, str]]:
    """Yield (description, digest) for each kind of input of the encoding called ``name``."""
    encoding = we.ENCODINGS[name]
    for kind, data_of in DECODER_INPUTS.items():
        yield f"{name} decode {kind}", digest(chain.from_iterable(decoded(encoding, data) for data in data_of(name)))
    if encoding.has_encoder:
        for kind, texts_of in ENCODER_INPUTS.items():
            results = chain.from_iterable(encoded(encoding, text) for text in texts_of(name))
            yield f"{name} encode {kind}", digest(results)


if __name__ == "__main__":
    for encoding_name in sys.argv[1:] or list(we.ENCODINGS):
        for what, value in digests(encoding_name):
            print(f"{value}  {what}", flush=True)
