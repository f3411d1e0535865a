"""libwhatwg_encoding, the C API without Python: what it is made of, and every vector."""

from __future__ import annotations

import ctypes
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import handlers
import library as build_library
import pytest

import whatwg_encoding as we
from tests.capi.conftest import Harness
from tests.capi.library import ROOT, SANITIZED, library, shared
from tests.capi.test_vectors import TEXTS, encode_all_forms, long_inputs, report_decoding
from tests.compiler import compile_or_fail
from tests.reference import inputs, oracle
from tests.standard.comparison import report

PROGRAM = (sys.executable, str(ROOT / "build" / "library.py"))
LEVELS = we.cpu_features()["available"]
MEMORY = {"memchr", "memcmp", "memcpy", "memmove", "memset", "strcmp", "strlen"}
"""What the library may need of the C library, without columns."""

COLUMNS = {"__errno_location", "calloc", "clock_gettime", "free", "madvise", "malloc", "realloc", "strchr", "sysconf"}
COLUMNS |= {"vsnprintf"}
"""What columns may need, too."""

EXPORTED = {f"whatwg_encoding_{name}" for name in ("get", "errors", "set_level", "decode_column", "encode_column")}


def judge(harness: Path, kind: str, name: str, level: str = "") -> None:
    """Compare a library of a kind with the reference, in one encoding."""
    loaded = ctypes.CDLL(str(library(kind) / "lib" / "libwhatwg_encoding.so"))
    loaded.whatwg_encoding_get.restype = ctypes.c_void_p
    if level:
        assert loaded.whatwg_encoding_set_level(level.encode()) == 0
    judged = Harness(harness, loaded.whatwg_encoding_get())
    report_decoding(judged, name, inputs.vectors(name), capacities=4)
    report_decoding(judged, name, long_inputs(name), capacities=None, rounds=12)
    if name in inputs.ENCODER_NAMES:
        texts = TEXTS if name in inputs.MULTI_BYTE_NAMES else TEXTS[2::3]
        report(difference for text in texts for difference in encode_all_forms(judged, name, text))
        report(encode_all_forms(judged, name, "あé¥\U0001f4a9b" * 90, capacities=None, rounds=12))


@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_every_vector(name: str, compiled_harness: Path) -> None:
    judge(compiled_harness, "portable", name)


@pytest.mark.repeated
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", ["default", "clang"])
def test_every_vector_at_every_level(kind: str, level: str, compiled_harness: Path) -> None:
    if kind == "clang" and shutil.which(kind) is None:
        pytest.skip("clang is not installed")
    for name in inputs.ALL_NAMES:
        judge(compiled_harness, kind, name, level)


def symbols(*arguments: str | Path) -> set[str]:
    done = subprocess.run(["nm", *map(str, arguments)], capture_output=True, text=True, check=True)
    return {line.split()[-1].partition("@")[0] for line in done.stdout.splitlines() if line and ":" not in line}


@pytest.mark.parametrize(
    ("options", "needed", "exported"),
    [
        (["portable"], MEMORY | COLUMNS, EXPORTED),
        (["portable", "columns"], MEMORY, {f"whatwg_encoding_{name}" for name in ("get", "errors", "set_level")}),
        pytest.param(["default"], MEMORY | COLUMNS, EXPORTED, marks=pytest.mark.repeated),
    ],
)
def test_symbols(options: list[str], needed: set[str], exported: set[str]) -> None:
    """It needs a handful of the C library's functions, and exports three without columns, or five."""
    shared_library = library(*options) / "lib" / "libwhatwg_encoding.so"
    weak = {"__cxa_finalize", "__gmon_start__", "_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable"}
    assert symbols("-D", "--undefined-only", shared_library) - weak <= needed
    assert symbols("-D", "--defined-only", shared_library) == exported
    archive = library(*options) / "lib" / "libwhatwg_encoding.a"
    own = symbols("--defined-only", "--extern-only", archive)
    assert all(name.startswith("whatwg_encoding_") for name in own)
    assert symbols("--undefined-only", archive) - own - needed <= {"_GLOBAL_OFFSET_TABLE_"}
    read = subprocess.run(["readelf", "-d", shared_library], capture_output=True, text=True, check=True).stdout
    assert "Library soname: [libwhatwg_encoding.so.1]" in read
    assert re.findall(r"NEEDED.*\[(.*)\]", read) == ["libc.so.6"]


CLIENT = """\
#include <stdio.h>
#include <whatwg_encoding.h>
int main(void)
{
    const whatwg_encoding_api *we = whatwg_encoding_get();
    const whatwg_encoding *encoding = we->for_label("sjis", 4);
    unsigned char text[16];
    size_t read = 4, written = sizeof text;
    whatwg_decoder decoder;
    we->decoder_init(&decoder, encoding, 0);
    if (we->decode_to_utf8(&decoder, (const unsigned char *)"\\x83n\\x83\\x8d", &read, text, &written, 1) != 0)
        return 1;
    whatwg_error_span span;
    if (whatwg_encoding_errors(encoding, (const unsigned char *)"a\\x81\\xff\\xff", 4, &span, 1) != 2)
        return 1;
    if (span.offset != 1 || span.length != 2)
        return 1;
    printf("%.*s %d %u\\n", (int)written, (const char *)text, we->detect != NULL, (unsigned)we->abi);
    return 0;
}
"""


def test_the_program_of_the_documentation(tmp_path: Path) -> None:
    source = ROOT / "docs" / "examples" / "recode.c"
    compile_or_fail("-std=c99", "-Wall", "-Wextra", "-Werror", str(source), *shared(library()), "-o",
                    str(tmp_path / "recode"))  # fmt: skip
    text = "いろはにほへと ちりぬるを。\n" * 3000
    for name, label in (("Shift_JIS", ["sjis"]), ("EUC-JP", []), ("UTF-8", [])):
        data = oracle.encode(name, text).output
        done = subprocess.run([tmp_path / "recode", *label], input=data, capture_output=True, check=True)
        assert (done.stdout.decode(), done.stderr.decode()) == (text, f"{name}, 0 errors\n")
    assert subprocess.run([tmp_path / "recode", "klingon"], input=b"", capture_output=True, check=False).returncode == 2


def test_the_program_that_prints_where_errors_are(tmp_path: Path) -> None:
    source = ROOT / "docs" / "examples" / "errors.c"
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", *SANITIZED.split()]
    compile_or_fail(*flags, str(source), *shared(library()), "-o", str(tmp_path / "errors"))
    data = b"a\x81\x82\xa0\xff" * 8 + b"\x82"
    for label in ("shift_jis", "utf-8", "iso-8859-1"):
        done = subprocess.run([tmp_path / "errors", label], input=data, capture_output=True, check=False, text=False)
        spans = oracle.decode(we.lookup(label).name, data)[1]
        lines = [f"byte {start}, length {end - start}" for start, end in spans[:10]]
        assert done.stdout.decode().splitlines() == [*lines, f"{len(spans)} errors"]
        assert done.returncode == bool(spans)


def test_the_columns_of_the_documentation(tmp_path: Path) -> None:
    source = ROOT / "docs" / "examples" / "column.c"
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", *SANITIZED.split()]
    compile_or_fail(*flags, str(source), *shared(library()), "-o", str(tmp_path / "column"))
    assert output(tmp_path / "column") == "ハロ\n\n①\n"


def output(client: Path) -> str:
    return subprocess.run([client], capture_output=True, check=True).stdout.decode()


def test_what_is_left_out(tmp_path: Path) -> None:
    source = tmp_path / "client.c"
    source.write_text(CLIENT)
    small = library("portable", "detection")
    compile_or_fail("-Wall", "-Werror", str(source), *shared(small), "-o", str(tmp_path / "client"))
    assert output(tmp_path / "client") == "ハロ 0 1\n"
    rowless = library("portable", "columns")
    sizes = [(prefix / "lib" / "libwhatwg_encoding.so").stat().st_size for prefix in (small, rowless, library())]
    assert max(sizes[0], sizes[1]) < sizes[2] - 30_000
    assert not (rowless / "include" / "whatwg_encoding_arrow.h").exists()


def test_commas_between_what_is_left_out() -> None:
    command = ["make", "-n", "library", "WITHOUT=columns,detection"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "build/library.py --without columns detection" in done.stdout


@pytest.mark.parametrize(("name", "standard", "variable"), [("client.c", "c99", "CC"), ("client.cpp", "c++11", "CXX")])
def test_an_installed_library(name: str, standard: str, variable: str, tmp_path: Path) -> None:
    """pkg-config and CMake find it where it was installed, and C and C++ use it without Python's headers."""
    environment = os.environ | {"DESTDIR": str(tmp_path / "stage")}
    command = [*PROGRAM, "--out", str(library()), "--install", "/opt/we"]
    subprocess.run(command, env=environment, capture_output=True, check=True)
    prefix = tmp_path / "stage" / "opt" / "we"
    assert (prefix / "lib" / "libwhatwg_encoding.so").readlink() == Path("libwhatwg_encoding.so.1")
    source = tmp_path / name
    source.write_text(CLIENT)
    flags = shared(prefix)
    if shutil.which("pkg-config") is not None:
        asked = ["pkg-config", "--cflags", "--libs", "whatwg_encoding"]
        search = os.environ | {"PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}
        told = subprocess.run(asked, env=search, capture_output=True, check=True).stdout.decode("latin-1")
        flags = [*(os.fsdecode(flag.encode("latin-1")) for flag in shlex.split(told)), f"-Wl,-rpath,{prefix / 'lib'}"]
    compiler = (variable, "cc" if variable == "CC" else "c++")
    strict = (f"-std={standard}", "-Wall", "-Wextra", "-Werror")
    compile_or_fail(*strict, str(source), *flags, "-o", str(tmp_path / "client"), compiler=compiler)
    assert output(tmp_path / "client") == "ハロ 1 1\n"


@pytest.mark.parametrize("target", ["whatwg_encoding", "static"])
def test_cmake(target: str, tmp_path: Path) -> None:
    if shutil.which("cmake") is None:
        pytest.skip("cmake is not installed")
    (tmp_path / "client.c").write_text(CLIENT)
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.13)\nproject(client C)\nfind_package(whatwg_encoding REQUIRED)\n"
        f"add_executable(client client.c)\ntarget_link_libraries(client whatwg_encoding::{target})\n"
    )
    for command in (["cmake", f"-DCMAKE_PREFIX_PATH={library()}", "-S", ".", "-B", "out"], ["cmake", "--build", "out"]):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert output(tmp_path / "out" / "client") == "ハロ 1 1\n"


# --- The extraction from Cython's C -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def korean() -> tuple[str, str]:
    """Return a chapter's source and Cython's C."""
    library()
    return (ROOT / "generated" / "korean.pyx").read_text(), (build_library.SOURCES / "korean.cython.c").read_text()


def test_handlers(korean: tuple[str, str]) -> None:
    korean_handlers = handlers.handlers("korean", *korean)
    assert korean_handlers.codecs == {"EUC-KR": "whatwg_encoding_codec_euc_kr"}
    assert korean_handlers.text.count("euc_kr_decode_item(") == 2  # declared and defined; the loop's header calls it
    assert "Py" not in korean_handlers.text.replace("__pyx", "")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("/* Early includes */", "/* Includes */", "0 places begin with 'Early includes', expected one"),
        ("Code section: module_code", "Code section: code", "0 sections are named module_code, expected one"),
        ("size_t euc_kr_encode_item(", "size_t euc_kr_encode_one(", "it has no function euc_kr_encode_item"),
        ("static CYTHON_INLINE size_t euc_kr_encode_item", "size_t euc_kr_encode_item",
         "is not the beginning of a function of C types"),
        ("__pyx_v_pair = 0;", "__pyx_v_pair = __Pyx_zero();", "euc_kr_encode_item needs __Pyx_zero"),
        ("__pyx_v_pair = 0;", "PyErr_Clear();", "euc_kr_encode_item needs PyErr_Clear, which is of Python"),
        ("static const we_codec euc_kr_codec", "const we_codec euc_kr_codec", "its codecs are []"),
        ('#define WE_NAME euc_kr\n    #include "decode_loop.h"', '#include "decode_loop.h"', "only the loops of"),
    ],
)  # fmt: skip
def test_unknown_text_is_named(old: str, new: str, message: str, korean: tuple[str, str]) -> None:
    source, translated = korean
    assert old in translated
    with pytest.raises(handlers.UnknownTextError, match=re.escape(message)) as raised:
        handlers.handlers("korean", source, translated.replace(old, new))
    assert "the handlers of korean" in str(raised.value)


@pytest.mark.parametrize(
    ("environment", "arguments", "message"),
    [
        ({"CC": "no-such-compiler"}, ["--out", "OUT"], "no-such-compiler is not installed"),
        ({"CFLAGS": "-fno-such-option"}, ["--out", "OUT"], "-fno-such-option"),
        ({}, ["--install", "relative"], "the prefix must be an absolute path, not 'relative'"),
        ({}, ["--without", "vowels"], "invalid choice: 'vowels'"),
    ],
)
def test_what_cannot_be_built(environment: dict[str, str], arguments: list[str], message: str, tmp_path: Path) -> None:
    command = [str(tmp_path) if argument == "OUT" else argument for argument in (*PROGRAM, *arguments)]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert message in done.stderr
    assert "Traceback" not in done.stderr
