"""Build the C library, libwhatwg_encoding: the C API without Python.

    python build/library.py [--without columns detection] [--out FOLDER]
    python build/library.py --install PREFIX

It needs Cython and a C compiler: ``CC``, ``CFLAGS``, ``LDFLAGS`` and ``AR`` are those of the environment. The output
folder, build/_out/library, is laid out as a prefix is, and its files refer to each other by relative paths, so that it
can be used in place, moved, or installed, within ``DESTDIR`` if that is set.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

import description
import handlers

ROOT: Final = Path(__file__).resolve().parent.parent
OUT: Final = ROOT / "build" / "_out" / "library"
SOURCES: Final = ROOT / "build" / "_out" / "handlers"
"""The C of the handlers, for all that is built of it."""

MODULES: Final = "whatwg_encoding._native"
HEADER: Final = ROOT / "src" / "whatwg_encoding" / "include" / "whatwg_encoding.h"
ARROW_HEADER: Final = "whatwg_encoding_arrow.h"
NATIVE: Final = ROOT / "src" / "native"
ARROW: Final = NATIVE / "columns" / "abi.h"
ROOMS: Final = ("kernels", "engine", "determination", "columns")
FOLDERS: Final = (*(NATIVE / room for room in ROOMS), HEADER.parent, ROOT / "generated")
CHAPTERS: Final = (
    "unicode", "single_byte", "chinese_simplified", "chinese_traditional", "japanese", "korean", "miscellaneous",
)  # fmt: skip
PARTS: Final = {"columns": "WE_WITHOUT_COLUMNS", "detection": "WE_WITHOUT_DETECTION"}
"""What a library may leave out, and the macro that does."""

ABI: Final = 1  # WHATWG_ENCODING_ABI
FLAGS: Final = ["-std=gnu11", "-O3", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra"]

#: Before the header that is installed with the library: Python.h is not required.
PREAMBLE: Final = """\
/* Installed with libwhatwg_encoding: what needs Python is left out, unless Python.h was included before. */
#if !defined(Py_PYTHON_H) && !defined(WHATWG_ENCODING_NO_PYTHON)
#define WHATWG_ENCODING_NO_PYTHON
#endif

"""

PKG_CONFIG: Final = """\
prefix=${{pcfiledir}}/../..
libdir=${{prefix}}/lib
includedir=${{prefix}}/include

Name: whatwg_encoding
Description: The WHATWG Encoding Standard: decode and encode the web's 40 encodings
Version: {version}
Libs: -L${{libdir}} -lwhatwg_encoding
Cflags: -I${{includedir}}
"""

CMAKE: Final = """\
get_filename_component(_whatwg_encoding "${{CMAKE_CURRENT_LIST_DIR}}/../../.." ABSOLUTE)
foreach(_kind SHARED STATIC)
  set(_target whatwg_encoding::whatwg_encoding)
  set(_file {shared})
  if(_kind STREQUAL STATIC)
    set(_target whatwg_encoding::static)
    set(_file libwhatwg_encoding.a)
  endif()
  if(NOT TARGET ${{_target}})
    add_library(${{_target}} ${{_kind}} IMPORTED)
    set_target_properties(${{_target}} PROPERTIES
      IMPORTED_LOCATION "${{_whatwg_encoding}}/lib/${{_file}}"
      INTERFACE_INCLUDE_DIRECTORIES "${{_whatwg_encoding}}/include")
  endif()
endforeach()
"""

CMAKE_VERSION: Final = """\
set(PACKAGE_VERSION {version})
if(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
"""


class BuildError(Exception):
    """The library cannot be built."""


def run(*arguments: str | os.PathLike[str]) -> None:
    """Run a command in the project. Raise BuildError, with its output, if it fails."""
    command = [*map(str, arguments)]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise BuildError(f"{command[0]} is not installed") from None
    if done.returncode != 0:
        raise BuildError(f"{shlex.join(command)} failed:\n{done.stdout}{done.stderr}")
    sys.stderr.write(done.stderr)


def digest(*parts: object) -> str:
    """Return a digest of objects and of the content of files."""
    checksum = sha256()
    for part in parts:
        checksum.update(part.read_bytes() if isinstance(part, Path) else repr(part).encode())
        checksum.update(b"\0")
    return checksum.hexdigest()


def is_made(target: Path, key: str) -> bool:
    """Return whether a file was made with this key, by `note_made`."""
    note = target.with_name(f"{target.name}.key")
    return target.exists() and note.exists() and note.read_text() == key


def note_made(target: Path, key: str) -> None:
    """Note beside a file with which key it was made."""
    target.with_name(f"{target.name}.key").write_text(key)


def write(target: Path, content: bytes | str) -> None:
    """Write a file that differs, since another process may be reading it."""
    data = content.encode() if isinstance(content, str) else content
    if not target.exists() or target.read_bytes() != data:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Let no other process build in a folder, which is created."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def translate(chapter: str) -> handlers.Chapter:
    """Return the handlers of a chapter, in the C that the pinned Cython translates them to."""
    source = ROOT / "generated" / f"{chapter}.pyx"
    declared = [*(ROOT / "src" / "whatwg_encoding").rglob("*.pxd"), *(ROOT / "generated").glob("*.pxd")]
    target, key = SOURCES / f"{chapter}.cython.c", digest(handlers.CYTHON, source, *sorted(declared))
    if not is_made(target, key):
        try:
            from Cython import __version__ as installed
        except ImportError:
            installed = "no Cython"
        if installed != handlers.CYTHON:
            wanted = f"Cython {handlers.CYTHON}, whose C build/handlers.py can read"
            raise BuildError(
                f"{sys.executable} has {installed}. The library needs {wanted}: pip install cython=={handlers.CYTHON}"
            )
        run(sys.executable, "-m", "cython", "-3", "-I", "src", "-I", "generated", "--module-name",
            f"{MODULES}.{chapter}", source, "-o", target)  # fmt: skip
        note_made(target, key)
    return handlers.handlers(chapter, source.read_text(encoding="utf-8"), target.read_text(encoding="utf-8"))


def write_sources(pool: ThreadPoolExecutor) -> list[Path]:
    """Write the C files of the handlers; return all C files of the library, the largest first."""
    with locked(SOURCES):
        chapters = list(pool.map(translate, CHAPTERS))
        files = [ROOT / "src" / "native" / "engine" / "library.c"]
        for chapter in chapters:
            files.append(SOURCES / f"{chapter.name}.c")
            write(files[-1], chapter.text)
        write(SOURCES / "codecs.h", handlers.registry(chapters))
    return sorted(files, key=lambda file: -file.stat().st_size)


def compile_sources(compiler: list[str], files: list[Path], folder: Path, pool: ThreadPoolExecutor,
                    more: dict[str, list[str]] | None = None) -> list[Path]:  # fmt: skip
    """Return the object files of C files, which are compiled unless the same text was, by the same command.

    ``compiler`` is a command with flags, ``more`` has further ones of some files, by their stem.
    """
    folder.mkdir(parents=True, exist_ok=True)
    includes = [f"-I{directory}" for directory in (*FOLDERS, SOURCES)]
    headers = sorted(
        header for directory in (*FOLDERS, *{file.parent for file in files}) for header in directory.rglob("*.h")
    )
    shared = digest(compiler, *headers)

    def compile_one(file: Path) -> Path:
        flags = (more or {}).get(file.stem, [])
        target, key = folder / f"{file.stem}.o", digest(shared, flags, file)
        if not is_made(target, key):
            run(*compiler, *includes, *flags, "-c", file, "-o", target)
            note_made(target, key)
        return target

    return list(pool.map(compile_one, files))


def link(compiler: list[str], objects: list[Path], library: Path) -> str:
    """Link the static and the shared library into a folder, unless they were. Return the name of the shared one."""
    archive, linker_flags = library / "libwhatwg_encoding.a", shlex.split(os.environ.get("LDFLAGS", ""))
    archiver = [*shlex.split(os.environ.get("AR") or "ar"), "rcsD" if sys.platform == "linux" else "rcs"]
    if sys.platform == "darwin":
        name, plain = f"libwhatwg_encoding.{ABI}.dylib", "libwhatwg_encoding.dylib"
        flags = ["-dynamiclib", "-install_name", f"@rpath/{name}"]
    else:
        name, plain = f"libwhatwg_encoding.so.{ABI}", "libwhatwg_encoding.so"
        sanitizes = any("-fsanitize" in flag for flag in compiler)  # its functions are those of the program
        flags = ["-shared", "-Wl,-s", f"-Wl,-soname,{name}", *([] if sanitizes else ["-Wl,-z,defs"])]
    key = digest(compiler, archiver, linker_flags, flags, *objects)
    if not is_made(library.parent / "linked", key):
        library.mkdir(parents=True, exist_ok=True)
        for path in (archive, library / plain):
            path.unlink(missing_ok=True)
        run(*archiver, archive, *objects)
        run(*compiler, *flags, *objects, *linker_flags, "-o", library / name)
        (library / plain).symlink_to(name)
        (library.parent / "linked").touch()
        note_made(library.parent / "linked", key)
    return plain


def build(out: Path, without: list[str]) -> None:
    """Build the library, its header and what tells other build systems of it into a folder."""
    if sys.platform not in ("linux", "darwin"):
        raise BuildError(f"the library is built for Linux and macOS, not for {sys.platform}")
    given = os.environ
    compiler = [*shlex.split(given.get("CC") or "cc"), *FLAGS, *shlex.split(given.get("CFLAGS", ""))]
    left_out = [f"-D{PARTS[part]}" for part in sorted(set(without))]
    with ThreadPoolExecutor(os.cpu_count()) as pool, locked(out):
        objects = compile_sources(compiler, write_sources(pool), out / "objects", pool, {"library": left_out})
        finish(compiler, objects, out, without)


def finish(compiler: list[str], objects: list[Path], out: Path, without: list[str]) -> None:
    """Link the libraries, and write what belongs to them."""
    plain = link(compiler, objects, out / "lib")
    write(out / "include" / HEADER.name, PREAMBLE + HEADER.read_text(encoding="utf-8"))
    if "columns" in without:
        (out / "include" / ARROW_HEADER).unlink(missing_ok=True)
    else:
        write(out / "include" / ARROW_HEADER, ARROW.read_text(encoding="utf-8"))
    for name, content in {
        "pkgconfig/whatwg_encoding.pc": PKG_CONFIG,
        "cmake/whatwg_encoding/whatwg_encoding-config.cmake": CMAKE,
        "cmake/whatwg_encoding/whatwg_encoding-config-version.cmake": CMAKE_VERSION,
    }.items():
        write(out / "lib" / name, content.format(version=description.version(), shared=plain))


def install(out: Path, prefix: str) -> Iterator[Path]:
    """Copy what `build` has built to a prefix, within ``DESTDIR``, and yield each file."""
    if not Path(prefix).is_absolute():
        raise BuildError(f"the prefix must be an absolute path, not {prefix!r}")
    target = Path(os.environ.get("DESTDIR", "") + prefix)
    for folder in ("include", "lib"):
        for source in sorted((out / folder).rglob("*")):
            to = target / source.relative_to(out)
            if source.is_dir():
                to.mkdir(parents=True, exist_ok=True)
                continue
            to.parent.mkdir(parents=True, exist_ok=True)
            to.unlink(missing_ok=True)
            shutil.copy2(source, to, follow_symlinks=False)
            yield to


def outcome(build: Callable[[], object]) -> str | None:
    """Print what a build gives; return what went wrong."""
    try:
        print(build())
    except (BuildError, handlers.UnknownTextError, subprocess.CalledProcessError) as error:
        return str(error)
    return None


def main(arguments: list[str]) -> str:
    """Run the command line; return what was done."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--without", nargs="*", default=[], choices=sorted(PARTS), help="leave out")
    parser.add_argument("--install", metavar="PREFIX", help="install what was built")
    options = parser.parse_args(arguments)
    if options.install is not None:
        return "\n".join(map(str, install(options.out.resolve(), options.install)))
    build(options.out.resolve(), options.without)
    return f"The library is in {options.out}, which is laid out as a prefix is."


if __name__ == "__main__":
    sys.exit(outcome(lambda: main(sys.argv[1:])))
