"""The C programs of examples/: libxml2 with handlers from the table, and iconv for programs such as git.

The documents are ones that iconv gets wrong, with the texts of the reference.
"""

from __future__ import annotations

import ctypes
import errno
import html
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

import whatwg_encoding as we
from tests.capi import library as built
from tests.capi.conftest import WARNINGS
from tests.compiler import compile_or_fail
from tests.reference import inputs, oracle
from tests.requirements import missing
from tests.standard.comparison import report

EXAMPLES = Path(__file__).parents[2] / "examples"
REQUIRED = "WHATWG_ENCODING_REQUIRE_LIBRARIES"
"""In the environment: a missing library or program fails the tests instead of skipping them."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the examples are for Linux")

#: A label and the text of a document in hexadecimal digits.
DOCUMENTS = {
    "shift_jis": "8740 FBFC 8160",  # NEC's row 13, IBM's extensions, and U+FF5E for the wave dash
    "sjis": "FA40 A6",
    "euc-jp": "ADA1 A1C1 8FA2AF",
    "iso-2022-jp": "1B2442 2D21 2141 1B2842 61 1B2849 31 1B2842",
    "gbk": "80 A2E3 A6D9",
    "gb2312": "946B E946 80",  # characters of GBK
    "gb18030": "80 A6D9 FE59",  # GB18030-2022
    "big5": "8B61 A3E1 F9FE",  # HKSCS
    "euc-kr": "8C63 A2E6",  # syllables of windows-949
    "iso-8859-1": "80 93 94 E9",  # windows-1252
    "us-ascii": "80 93",
    "windows-1252": "81 80",
    "iso-8859-9": "80 FD",
    "tis-620": "80 A1",
    "macintosh": "DB F0",
    "x-user-defined": "80 FF",
    "koi8-u": "AE BE",
}


def decoded(label: str, data: bytes) -> oracle.Decoded:
    return oracle.decode(we.lookup(label).name, data)


def compile_example(source: str, target: Path, *flags: str) -> Path:
    """Build an example on the library, in which no Python is."""
    libraries = [*built.shared(built.library()), "-ldl"]
    compile_or_fail("-std=c99", "-O2", *WARNINGS, "-pthread", str(EXAMPLES / source), "-o", str(target), *flags,
                    *libraries)  # fmt: skip
    return target


# --- libxml2 ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def libxml2(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., bytes]:
    if shutil.which("xml2-config") is None:
        missing("libxml2's headers are not installed, for example Debian's libxml2-dev", REQUIRED)
    done = subprocess.run(["xml2-config", "--cflags", "--libs"], capture_output=True, text=True, check=True)
    folder = tmp_path_factory.mktemp("libxml2")
    program = compile_example("libxml2_encodings.c", folder / "libxml2_encodings", *shlex.split(done.stdout))

    def run(document: bytes, *encoding: str, suffix: str = "xml", option: tuple[str, ...] = ()) -> bytes:
        path = folder / f"document.{suffix}"
        path.write_bytes(document)
        command = [str(program), *option, str(path), *encoding]
        return subprocess.run(command, capture_output=True, check=False).stdout

    return run


def xml(label: str, data: bytes) -> bytes:
    return b'<?xml version="1.0" encoding="' + label.encode() + b'"?>\n<t>' + data + b"</t>\n"


def text_of(output: str) -> str:
    return html.unescape(output.partition("<t>")[2].partition("</t>")[0])


def test_libxml2_parses_what_iconv_gets_wrong(libxml2: Callable[..., bytes]) -> None:
    right = 0
    for label, digits in DOCUMENTS.items():
        data = bytes.fromhex(digits)
        expected = decoded(label, data).text
        assert text_of(libxml2(xml(label, data)).decode()) == expected, label
        page = f'<html><head><meta charset="{label}"></head><body><t>'.encode() + data + b"</t></body></html>"
        assert text_of(libxml2(page, suffix="html").decode()) == expected, label
        right += text_of(libxml2(xml(label, data), option=("--without",)).decode(errors="replace")) == expected
    assert right < len(DOCUMENTS) // 2, "libxml2 needs no handlers for these documents"


def test_every_label_of_a_legacy_encoding(libxml2: Callable[..., bytes]) -> None:
    """The labels of each encoding are aliases of its handler. (libxml2 takes a name of XML's syntax only.)"""
    others = {"replacement", "UTF-8", "UTF-16BE", "UTF-16LE"}
    wanted = [label for label, encoding in we.LABELS.items() if encoding.name not in others and ":" not in label]
    for label in Random("labels").sample(wanted, 60):
        name = we.LABELS[label].name
        data = next(iter(inputs.WIDE_CHARACTERS.get(name, (b"\xe9",))))
        assert text_of(libxml2(xml(label, data)).decode()) == oracle.decode(name, data).text, label


def test_libxml2_parses_iso_2022_jp_without_ascii_text(libxml2: Callable[..., bytes]) -> None:
    text = "あ" * 12_000 + "ｱ"
    assert text_of(libxml2(xml("iso-2022-jp", oracle.encode("ISO-2022-JP", text).output)).decode()) == text[:-1] + "ア"


def legacy_names() -> list[str]:
    return [name for name in inputs.ENCODER_NAMES if name != "UTF-8"]


def long_text(name: str) -> str:
    """Return lines of characters that the encoding has, longer than the blocks in which libxml2 reads."""
    random = Random(name)
    wide = [oracle.decode(name, data).text for data in inputs.WIDE_CHARACTERS.get(name, ())]
    single = [oracle.decode(name, bytes((byte,))).text for byte in range(0xA0, 0x100)]
    pieces = [piece for piece in wide + single if oracle.encode(name, piece).spans == ()] + ["a", " ", "line\n"]
    return "".join(random.choice(pieces) for _ in range(12_000))


@pytest.mark.shapes
@pytest.mark.parametrize("name", legacy_names())
def test_libxml2_parses_and_writes_long_documents(name: str, libxml2: Callable[..., bytes]) -> None:
    """Sequences cross the blocks of input; what the target encoding lacks is written as references."""
    text = long_text(name)
    encoded = oracle.encode(name, text).output
    text = oracle.decode(name, encoded).text  # the encoder unifies some characters
    assert text_of(libxml2(xml(name, encoded)).decode()) == text
    other = text[:9000] + "\U0001f4a9あé¥\u0e01"
    written = libxml2(xml("UTF-8", other.encode()), name)
    expected = oracle.decode(name, oracle.encode(name, other).output).text
    assert text_of(oracle.decode(name, written).text) == html.unescape(expected)


# --- iconv ------------------------------------------------------------------------------------------------------------


class Iconv:
    """The functions of iconv(3) in a library."""

    FAILED = ctypes.c_void_p(-1).value

    def __init__(self, library: str | Path) -> None:
        self._library = ctypes.CDLL(str(library), use_errno=True)
        self._library.iconv_open.restype = ctypes.c_void_p
        self._library.iconv.restype = ctypes.c_ssize_t
        self._library.iconv.argtypes = [ctypes.c_void_p] * 5
        self._library.iconv_close.argtypes = [ctypes.c_void_p]

    def open(self, to: str, source: str) -> int | None:
        descriptor: int = self._library.iconv_open(to.encode(), source.encode())
        return None if descriptor == self.FAILED else descriptor

    def close(self, descriptor: int) -> None:
        assert self._library.iconv_close(descriptor) == 0

    def call(self, descriptor: int, data: bytes | None, capacity: int) -> tuple[int, int, bytes]:
        """Return the error or 0, the number of bytes read, and the output. Without data, end the text."""
        source = ctypes.create_string_buffer(data or b"", len(data or b"") or 1)
        target = ctypes.create_string_buffer(capacity or 1)
        at, to = ctypes.c_void_p(ctypes.addressof(source)), ctypes.c_void_p(ctypes.addressof(target))
        left, room = ctypes.c_size_t(len(data or b"")), ctypes.c_size_t(capacity)
        read = None if data is None else ctypes.byref(at)
        result = self._library.iconv(descriptor, read, ctypes.byref(left), ctypes.byref(to), ctypes.byref(room))
        error = ctypes.get_errno() if result == -1 else 0
        assert to.value == ctypes.addressof(target) + capacity - room.value
        assert data is None or at.value == ctypes.addressof(source) + len(data) - left.value
        return error, len(data or b"") - left.value, target.raw[: capacity - room.value]

    def convert(self, to: str, source: str, data: bytes, step: int, capacity: int) -> tuple[int, int, bytes]:
        """Convert in pieces as a program does: unread bytes are passed again, with more capacity after E2BIG."""
        descriptor = self.open(to, source)
        assert descriptor is not None, (to, source)
        output, start, end, more = b"", 0, min(step, len(data)), 0
        error = errno.EINVAL
        while error in (errno.EINVAL, errno.E2BIG, 0):
            error, read, written = self.call(descriptor, data[start:end], capacity + more)
            output += written
            start += read
            more = more + 1 if error == errno.E2BIG and not written else 0
            if error == errno.E2BIG:
                continue
            if error == errno.EILSEQ or end == len(data):
                break
            end = min(end + step, len(data))
        if not error:
            error, _, written = self.call(descriptor, None, 16)
            output += written
        self.close(descriptor)
        return error, start, output


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("iconv") / "iconv_shim.so"
    return compile_example("iconv_shim.c", target, "-fPIC", "-shared")


@pytest.fixture(scope="module")
def shim(library: Path) -> Iconv:
    return Iconv(library)


def test_the_shim_converts_what_iconv_gets_wrong(shim: Iconv) -> None:
    libc, right = Iconv("libc.so.6"), 0
    for label, digits in DOCUMENTS.items():
        data = bytes.fromhex(digits)
        expected = (0, len(data), decoded(label, data).text.encode())
        assert shim.convert("utf-8", label, data, len(data), 256) == expected, label
        descriptor = libc.open("utf-8", label)
        right += descriptor is not None and libc.call(descriptor, data, 256) == expected
    assert right < len(DOCUMENTS) // 2, "iconv needs no replacement for these documents"


@pytest.mark.parametrize("name", inputs.ENCODER_NAMES)
def test_the_shim_stops_where_iconv_must(name: str, shim: Iconv) -> None:
    """At the first error of the input, whatever pieces and capacities it comes in, and with all the text before it."""

    def differences() -> Iterator[str]:
        step = 1 if name in inputs.MULTI_BYTE_NAMES else 4
        for data in [*inputs.vectors(name)[::step], *inputs.random_inputs(name, 20 // step)]:
            spans = oracle.decode(name, data).spans
            stop = spans[0][0] if spans else len(data)
            text = oracle.decode(name, data[:stop]).text
            incomplete = oracle.StreamingDecoder.of(name)
            incomplete.decode(data)
            is_incomplete = len(spans) == 1 and incomplete.spans == () and incomplete.pending != b""
            error = 0 if not spans else errno.EINVAL if is_incomplete else errno.EILSEQ
            for pieces in (1, 2, len(data) + 1):
                for capacity in (0, 3, 400):
                    outcome = shim.convert("utf-8", name, data, pieces, capacity)
                    if outcome != (error, stop, text.encode()):
                        yield f"{data.hex(' ')} by {pieces} to {capacity}: {outcome}, not {error}, {stop}, {text!r}"

    report(differences())


@pytest.mark.parametrize("name", ["Shift_JIS", "ISO-2022-JP", "gb18030", "Big5", "EUC-KR", "windows-1252"])
def test_the_shim_stops_before_unmappable_text(name: str, shim: Iconv) -> None:
    def differences() -> Iterator[str]:
        for text in [*inputs.random_texts(name, 30), "あいう" * 900, "abc\x1b", "あ¥" * 400 + "\uffff", ""]:
            scalar_values = "".join(chr(value.value) for value in oracle.scalar_values(text))
            spans = oracle.encode(name, scalar_values).spans
            stop = scalar_values[: spans[0][0]] if spans else scalar_values
            for source in ("utf-8", "gb18030"):
                data, before = (
                    oracle.encode(we.lookup(source).name, characters).output for characters in (scalar_values, stop)
                )
                if oracle.decode(we.lookup(source).name, data).text != scalar_values:
                    continue  # what gb18030 does not keep
                for pieces in (1, 7, len(data) + 1):
                    for capacity in (1, 9, 4000):
                        error, read, output = shim.convert(name, source, data, pieces, capacity)
                        expected = oracle.encode(name, stop).output
                        whole = error == (errno.EILSEQ if spans else 0) and read == len(before)
                        # After an error the state is not ended.
                        if not whole or (output != expected if not spans else not expected.startswith(output)):
                            yield f"{text[:20]!r} from {source} by {pieces} to {capacity}: {error}, {read}, {output!r}"

    report(differences())


def test_the_shim_passes_other_names_on(shim: Iconv) -> None:
    assert shim.open("utf-8", "klingon") is None
    assert shim.convert("UTF-16LE", "utf-8", b"a", 9, 16) == (0, 1, b"a\0")
    assert shim.convert("utf-8", "UTF-16", b"\xfe\xff\0a", 9, 16) == (0, 4, b"a")
    assert shim.convert("ASCII//TRANSLIT", "utf-8", "“a”".encode(), 9, 16)[2] == b'"a"'


@pytest.fixture
def git(tmp_path: Path, library: Path) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    if shutil.which("git") is None:
        missing("git is not installed", REQUIRED)
    (tmp_path / "home").mkdir()
    (tmp_path / "work").mkdir()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"HOME": str(tmp_path / "home"), "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")

    def run(*arguments: str, preload: bool = True) -> subprocess.CompletedProcess[bytes]:
        # A space would separate two names: the folder's goes into the other variable.
        extra = {"LD_PRELOAD": library.name, "LD_LIBRARY_PATH": str(library.parent)} if preload else {}
        command = ["git", *who, *arguments]
        return subprocess.run(command, cwd=tmp_path / "work", env=environment | extra, capture_output=True, check=False)

    assert run("init", "-q", preload=False).returncode == 0
    return run


@pytest.mark.skipif(shutil.which("iconv") is None, reason="the program iconv is not installed")
def test_the_program_iconv_converts_as_ever(library: Path) -> None:
    """It has descriptors that the C library made for it without iconv_open."""
    environment = os.environ | {"LD_PRELOAD": library.name, "LD_LIBRARY_PATH": str(library.parent)}
    command = ["iconv", "-f", "shift_jis", "-t", "utf-8"]
    done = subprocess.run(command, input=b"\x82\xa0\x83n", env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, "あハ".encode())


def test_git_reads_and_writes_what_iconv_refuses(
    git: Callable[..., subprocess.CompletedProcess[bytes]], tmp_path: Path
) -> None:
    work = tmp_path / "work"
    data = {"sjis": b"\x87\x40\xfb\xfc\r\n" * 500, "euc-kr": b"\x8c\x63\r\n", "big5": b"\xf9\xfe\n"}
    (work / ".gitattributes").write_text("".join(f"*.{label} working-tree-encoding={label}\n" for label in data))
    for label, content in data.items():
        (work / f"a.{label}").write_bytes(content)
        text = decoded(label, content).text.encode()
        refused = git("add", f"a.{label}", preload=False)
        assert refused.returncode != 0 or git("cat-file", "blob", f":a.{label}", preload=False).stdout != text, label
        git("rm", "-q", "--cached", f"a.{label}")
        done = git("add", f"a.{label}")
        assert (done.returncode, done.stderr) == (0, b""), label
        assert git("cat-file", "blob", f":a.{label}", preload=False).stdout == text
        (work / f"a.{label}").unlink()
        assert git("checkout", "--", f"a.{label}").returncode == 0
        assert (work / f"a.{label}").read_bytes() == content
    added = "".join(f"A  a.{label}\n" for label in sorted(data))
    assert git("status", "--porcelain").stdout.decode() == f"{added}?? .gitattributes\n"
    message = work / "message"
    message.write_bytes(b"\x87\x40 fixed")
    assert git("-c", "i18n.commitEncoding=sjis", "commit", "-qF", str(message)).returncode == 0
    assert git("log", "--format=%s").stdout.decode() == "① fixed\n"
    assert git("log", "--format=%s", "--encoding=euc-jp").stdout == b"\xad\xa1 fixed\n"
