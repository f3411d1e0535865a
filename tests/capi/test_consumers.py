"""Extensions in C, C++ and Cython, built from the installed package alone: the examples of the documentation.

Each is compiled in an empty folder with warnings as errors, so that header, .pxd and capsule are those of a user.
"""

from __future__ import annotations

import ctypes
import importlib.util
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from types import ModuleType

import pytest

import whatwg_encoding as we
from tests.capi.conftest import WARNINGS
from tests.capi.table import Table, api_address
from tests.compiler import compile_or_fail
from tests.reference import inputs, oracle

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "docs" / "examples"
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
PYTHON = ("-isystem", sysconfig.get_path("include"))


def build(source: Path, folder: Path, *flags: str, include: str | None = None) -> Path:
    target = folder / f"{source.stem}{SUFFIX}"
    compiler = ("CXX", "c++") if source.suffix == ".cpp" else ("CC", "cc")
    arguments = ["-O2", *WARNINGS, *flags, "-fPIC", "-shared", *PYTHON, f"-I{include or we.get_include()}"]
    compile_or_fail(*arguments, str(source), "-o", str(target), compiler=compiler)
    return target


def load(path: Path) -> ModuleType:
    specification = importlib.util.spec_from_file_location(path.name.split(".")[0], path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def c_extension(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(EXAMPLES / "to_utf8.c", tmp_path_factory.mktemp("c"), "-std=c99")


def test_what_is_installed() -> None:
    """The header and the .pxd belong to the imported package, not to a source tree beside it."""
    package = Path(we.__file__).parent
    assert Path(we.get_include(), "whatwg_encoding.h").is_file()
    assert Path(we.get_include()).is_relative_to(package)
    assert (package / "__init__.pxd").is_file()
    assert "src" not in package.parts[-3:]


def test_c(c_extension: Path) -> None:
    to_utf8 = load(c_extension).to_utf8
    for name in inputs.ALL_NAMES:
        for vector in inputs.vectors(name):
            if we.bom_sniff(vector) is None:
                assert to_utf8(vector, name) == oracle.decode(name, vector).text.encode(), (name, vector)
    assert to_utf8(b"\xff\xfea\0", "utf-8") == b"a"
    with pytest.raises(LookupError, match="klingon"):
        to_utf8(b"", "klingon")


def test_cpp(tmp_path: Path) -> None:
    transcode = load(build(EXAMPLES / "transcode.cpp", tmp_path, "-std=c++11")).transcode
    text = "日本語 \U0001f4a9 é" * 400
    for source in ("UTF-8", "gb18030"):
        for target in inputs.ENCODER_NAMES:
            data = oracle.encode(source, text[:200]).output
            assert transcode(data, source, target) == oracle.encode(target, text[:200]).output, (source, target)
    assert transcode(text.encode(), "utf8", "utf8") == text.encode()
    with pytest.raises(ValueError, match="at byte 3"):
        transcode(b"abc\xff", "utf-8", "sjis")
    with pytest.raises(ValueError, match="UTF-16LE has no encoder"):
        transcode(b"", "utf-8", "utf-16")


@pytest.mark.gate
def test_cython(tmp_path: Path) -> None:
    """The Cython example compiles as C++, since the C that Cython generates for module slots is not ISO C."""
    shutil.copy(EXAMPLES / "count_words.pyx", tmp_path)
    command = [sys.executable, "-m", "cython", "--cplus", "-Wextra", "-Werror", "count_words.pyx"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    count_words = load(build(tmp_path / "count_words.cpp", tmp_path, "-std=c++11", "-O0")).count_words
    text = "\u65e5\u672c\u3000\u8a9e one two\n three " * 300
    for name in ("Shift_JIS", "UTF-8", "ISO-2022-JP"):
        data = oracle.encode(name, text).output
        assert count_words([data[i : i + 7] for i in range(0, len(data), 7)], name) == (len(text.split()), name)
        assert count_words([data], name) == (len(text.split()), name)
        assert count_words([data[i : i + 1] for i in range(len(data))], name) == (len(text.split()), name)
    assert count_words([b"\xfe", b"\xff\0a"], "utf-8") == (1, "UTF-16BE")


# --- The table grows --------------------------------------------------------------------------------------------------

USE = """
import importlib.util, sys
specification = importlib.util.spec_from_file_location("to_utf8", sys.argv[1])
module = importlib.util.module_from_spec(specification)
specification.loader.exec_module(module)
assert module.to_utf8(b"\\x83n", "sjis").decode() == "\\u30cf"
print("used")
"""
LARGEST = """
typedef char size_through_last[WHATWG_ENCODING_SIZE_THROUGH(errors) == sizeof(whatwg_encoding_api) ? 1 : -1];
typedef char size_by_default[WHATWG_ENCODING_MIN_SIZE == sizeof(whatwg_encoding_api) ? 1 : -1];
"""
GROWN = """
import ctypes
import whatwg_encoding as we
pointer = ctypes.pythonapi.PyCapsule_GetPointer
pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
new = ctypes.pythonapi.PyCapsule_New
new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
address, name = pointer(we._C_API, b"whatwg_encoding._C_API"), b"whatwg_encoding._C_API"
abi, size = ctypes.cast(address, ctypes.POINTER(ctypes.c_uint32))[:2]
table = ctypes.create_string_buffer(ctypes.string_at(address, size) + bytes(64))
header = ctypes.cast(table, ctypes.POINTER(ctypes.c_uint32))
header[0], header[1] = abi + {abi}, size + {size}
we._C_API = new(ctypes.addressof(table), name, None)
"""


def run_with(extension: Path, before: str) -> subprocess.CompletedProcess[str]:
    """Import an extension and use it in a process that has modified the package."""
    command = [sys.executable, "-c", before + USE, str(extension)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_table_with_a_member_more(c_extension: Path) -> None:
    done = run_with(c_extension, GROWN.format(abi=0, size=ctypes.sizeof(ctypes.c_void_p)))
    assert (done.returncode, done.stdout) == (0, "used\n"), done.stderr


@pytest.mark.parametrize(
    ("before", "message"),
    [
        (GROWN.format(abi=1, size=0), "has C ABI 2, and this extension was built for C ABI 1"),
        (GROWN.format(abi=0, size=-8), "too old for this extension"),
        ("import whatwg_encoding; del whatwg_encoding._LAZY['_native.capi'], whatwg_encoding._HOMES['_C_API']",
         "has no C API"),
        ("import sys; sys.modules['whatwg_encoding'] = None", "whatwg_encoding"),
    ],
    ids=["another ABI", "an older package", "no C API", "no package"],
)  # fmt: skip
def test_an_incompatible_package_is_an_import_error(c_extension: Path, before: str, message: str) -> None:
    done = run_with(c_extension, before)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(("ImportError: ", "ModuleNotFoundError: ")), done.stderr
    assert message in done.stderr.splitlines()[-1]


def test_an_extension_of_a_later_release(tmp_path: Path) -> None:
    header = Path(we.get_include(), "whatwg_encoding.h").read_text()
    grown = header.replace("} whatwg_encoding_api;", "    void (*later)(void);\n} whatwg_encoding_api;")
    assert grown != header
    (tmp_path / "whatwg_encoding.h").write_text(grown)
    done = run_with(build(EXAMPLES / "to_utf8.c", tmp_path, "-std=c99", include=str(tmp_path)), "")
    assert "ImportError: the installed whatwg_encoding is too old" in done.stderr


@pytest.mark.gate
@pytest.mark.parametrize(("missing", "runs"), [(0, True), (1, True), (8, True), (9, False)])
def test_an_extension_that_accepts_earlier_releases(missing: int, runs: bool, tmp_path: Path) -> None:
    """WHATWG_ENCODING_MIN_SIZE accepts a table without the eight members after `unmappable`, and no smaller one."""
    least = "-DWHATWG_ENCODING_MIN_SIZE=WHATWG_ENCODING_SIZE_THROUGH(unmappable)"
    pointer = ctypes.sizeof(ctypes.c_void_p)
    extension = build(EXAMPLES / "to_utf8.c", tmp_path, "-std=c99", least)
    done = run_with(extension, GROWN.format(abi=0, size=-missing * pointer))
    if runs:
        assert (done.returncode, done.stdout) == (0, "used\n"), done.stderr
    else:
        full = ctypes.sizeof(Table)
        assert f"has {full - 9 * pointer} bytes, and the extension requires {full - 8 * pointer}" in done.stderr


@pytest.mark.gate
def test_the_header_by_itself(tmp_path: Path) -> None:
    """The header compiles alone, included first or last, in each language standard, with and without Python.h."""
    c, cpp = (".c", ("c99", "c17"), ("CC", "cc")), (".cpp", ("c++11", "c++20"), ("CXX", "c++"))
    for suffix, standards, compiler in (c, cpp):
        for define, python in (("#define WHATWG_ENCODING_NO_PYTHON\n", ()), ("", PYTHON)):
            source, include = tmp_path / f"alone{suffix}", "#include <whatwg_encoding.h>\n"
            source.write_text(f"{define}{include}{include}whatwg_decoder used;\n{LARGEST}")
            for standard in standards:
                arguments = [f"-std={standard}", "-c", *WARNINGS, *python, f"-I{we.get_include()}"]
                compile_or_fail(*arguments, str(source), "-o", str(tmp_path / "alone.o"), compiler=compiler)


def test_the_pxd_has_every_member() -> None:
    header = re.sub(r"/\*.*?\*/", "", Path(we.get_include(), "whatwg_encoding.h").read_text(), flags=re.DOTALL)
    pxd = Path(we.__file__).with_name("__init__.pxd").read_text()
    members = re.findall(r"\(\*(\w+)\)\(", header)
    assert members == re.findall(r"\(\*(\w+)\)\(", pxd)
    size = ctypes.cast(api_address(), ctypes.POINTER(ctypes.c_uint32))[1]
    assert size == 8 + len(members) * ctypes.sizeof(ctypes.c_void_p)
