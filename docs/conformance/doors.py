"""Decode the jobs of docs/conformance by an implementation that Python reaches."""

from __future__ import annotations

import codecs
import ctypes
import ctypes.util
import platform
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

Decode = Callable[[bytes], str]
Make = Callable[[str], Decode]

#: CPython's codecs by the standard's names; a codec with the name of another encoding is not the standard's.
CODECS = {name: name.replace("windows-", "cp") for name in (f"windows-125{n}" for n in range(9))}


def byte_by_byte(new: Callable[[], codecs.IncrementalDecoder]) -> Decode:
    """Return a function that gives a decoder one byte at a time."""

    def decode(data: bytes) -> str:
        decoder = new()
        return "".join([*(decoder.decode(data[at : at + 1]) for at in range(len(data))), decoder.decode(b"", True)])

    return decode


def cpython(name: str) -> Decode:
    info = codecs.lookup(CODECS.get(name, name))
    return lambda data: info.decode(data, "replace")[0]


def cpython_streamed(name: str) -> Decode:
    info = codecs.lookup(CODECS.get(name, name))
    return byte_by_byte(lambda: info.incrementaldecoder("replace"))


def webencodings(name: str) -> Decode:
    info = import_module("webencodings").lookup(name).codec_info
    return lambda data: info.decode(data, "replace")[0]


def webencodings_streamed(name: str) -> Decode:
    info = import_module("webencodings").lookup(name).codec_info
    return byte_by_byte(lambda: info.incrementaldecoder("replace"))


def turbohtml(name: str) -> Decode:
    import_module("turbohtml.detect")  # registers the codecs
    info = codecs.lookup(f"whatwg-{name}")
    return lambda data: info.decode(data, "replace")[0]


def endec(name: str) -> Decode:
    decode = import_module("endec").decode
    return lambda data: str(decode(data, name, "replace", bom="ignore"))


def ours(name: str) -> Decode:
    decode: Decode = import_module("whatwg_encoding").lookup(name).decode
    return decode


def ours_streamed(name: str) -> Decode:
    encoding = import_module("whatwg_encoding").lookup(name)
    return byte_by_byte(encoding.new_decoder)


def icu_library() -> tuple[ctypes.CDLL, str]:
    """Return ICU and the suffix of its functions, which is its version."""
    path = ctypes.util.find_library("icuuc")
    if path is None:
        raise ImportError("ICU is not installed: libicu")
    return ctypes.CDLL(path), path.rpartition(".so.")[2].partition(".")[0]


def icu(name: str) -> Decode:
    library, suffix = icu_library()
    open_converter, convert = (library[f"ucnv_{word}_{suffix}"] for word in ("open", "toUChars"))
    open_converter.restype = ctypes.c_void_p
    status = ctypes.c_int(0)
    converter = open_converter(name.encode(), ctypes.byref(status))
    if status.value > 0:
        raise LookupError(name)
    target = ctypes.create_string_buffer(256)

    def decode(data: bytes) -> str:
        failed = ctypes.c_int(0)
        size = convert(ctypes.c_void_p(converter), target, 128, data, len(data), ctypes.byref(failed))
        return target.raw[: 2 * size].decode("utf-16-le", "surrogatepass")

    return decode


def iconv(name: str) -> Decode:
    """Errors end a call of iconv; U+FFFD replaces the byte where it stopped."""
    library = ctypes.CDLL(None)
    library.iconv_open.restype = ctypes.c_void_p
    library.iconv.restype = ctypes.c_size_t
    handle = library.iconv_open(b"UTF-16BE", name.encode())
    if handle == ctypes.c_void_p(-1).value:
        raise LookupError(name)
    converter = ctypes.c_void_p(handle)

    def decode(data: bytes) -> str:
        target = ctypes.create_string_buffer(256)
        source = ctypes.create_string_buffer(data, len(data) + 1)
        begin, end = ctypes.addressof(source), ctypes.addressof(target)
        read, wrote = ctypes.c_void_p(begin), ctypes.c_void_p(end)
        left, room = ctypes.c_size_t(len(data)), ctypes.c_size_t(256)
        pointers = [ctypes.byref(value) for value in (read, left, wrote, room)]
        library.iconv(converter, None, None, None, None)
        while left.value and library.iconv(converter, *pointers) == ctypes.c_size_t(-1).value:
            ctypes.memmove(wrote, b"\xff\xfd", 2)
            wrote.value, room.value = (wrote.value or 0) + 2, room.value - 2
            if left.value:  # of A2 E8 in UHC, glibc has read all when it reports the error
                read.value, left.value = (read.value or 0) + 1, left.value - 1
        library.iconv(converter, None, None, *pointers[2:])
        return target.raw[: 256 - room.value].decode("utf-16-be", "surrogatepass")

    return decode


DOORS: dict[str, tuple[Make, Callable[[], str]]] = {
    "CPython": (cpython, platform.python_version),
    "CPython, byte by byte": (cpython_streamed, platform.python_version),
    "webencodings": (webencodings, lambda: version("webencodings")),
    "webencodings, byte by byte": (webencodings_streamed, lambda: version("webencodings")),
    "turbohtml": (turbohtml, lambda: version("turbohtml")),
    "endec": (endec, lambda: version("endec")),
    "ICU": (icu, lambda: icu_library()[1]),
    "glibc iconv": (iconv, lambda: platform.libc_ver()[1]),
    "whatwg-encoding": (ours, lambda: str(import_module("whatwg_encoding").__version__)),
    "whatwg-encoding, byte by byte": (ours_streamed, lambda: str(import_module("whatwg_encoding").__version__)),
}


def written(decode: Decode, data: bytes) -> str:
    """Return the text as UTF-16BE in hexadecimal, "!" for an exception: each implementation has its own."""
    try:
        return decode(data).encode("utf-16-be", "surrogatepass").hex()
    except Exception:
        return "!"


def main() -> None:
    make, implementation = DOORS[sys.argv[1]]
    print(implementation())
    for line in Path("jobs.txt").read_text("ascii").splitlines():
        name, other, number = line.split("\t")
        try:
            decode = make(other)
            decode(b"a")
        except (AttributeError, LookupError):  # it has no encoding of this name
            continue
        inputs = Path(f"{name}.in").read_text("ascii").splitlines()
        texts = [written(decode, bytes.fromhex(data)) for data in inputs]
        Path(f"{name}.{number}.out").write_text("\n".join(texts) + "\n", "ascii")


if __name__ == "__main__":
    main()
