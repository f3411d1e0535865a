"""Build the package's modules from the Cython sources.

A hand-written ``src/whatwg_encoding/_native/<folder>/<name>.pyx`` becomes ``whatwg_encoding._native.<name>``, since to
import a package for each folder would take as long as to import a module. So does ``generated/<name>.pyx``;
``generated/<name>.py``, copied, becomes ``whatwg_encoding._<name>``. Compiler output goes to ``build/_out``.

``WHATWG_ENCODING_BUILD`` selects a profile: ``release`` (the default), ``debug`` (no optimisation, assertions, and
warnings as errors), ``sanitize`` (AddressSanitizer and UndefinedBehaviorSanitizer) or ``fuzz`` (AddressSanitizer and
coverage for a fuzzer; needs Clang). build/instrumented.py builds the last two and runs a command in them.
``WHATWG_ENCODING_MODULES``, names with spaces between them, leaves all other modules out.
"""

from __future__ import annotations

import gzip
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import time
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import compiler
import sbom
from setuptools import Extension
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.egg_info import egg_info
from setuptools.command.sdist import sdist
from setuptools.modified import newer_group

ROOT = Path(__file__).resolve().parent.parent
PROFILE = os.environ.get("WHATWG_ENCODING_BUILD", "release")
# Each profile has its own folder, since setuptools reuses object files regardless of their flags.
OUT = Path("build") / "_out" / ("" if PROFILE == "release" else PROFILE)
PACKAGE = "whatwg_encoding"
SOURCES = Path("src") / PACKAGE / "_native"
INCLUDE = (
    *(Path("src") / "native" / folder for folder in ("kernels", "engine", "columns", "determination")),
    SOURCES,
    Path("src") / PACKAGE / "include",
    Path("generated"),
)

PROFILES: dict[str, tuple[list[str], list[str]]] = {
    # Compiler and linker flags by profile, for compilers that take GCC's options.
    "release": (
        ["-O3", "-g0", "-fno-semantic-interposition", "-Wall", "-Wextra"],
        # Without what no module calls, and without names, a twentieth of the size, which debuggers alone read.
        ["-s", "-Wl,--gc-sections"] if sys.platform == "linux" else [],
    ),
    "debug": (["-O0", "-g", "-Wall", "-Wextra", "-Werror", "-UNDEBUG"], []),
    "sanitize": (
        ["-O1", "-g1", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"],
        ["-fsanitize=address,undefined"],
    ),
    "fuzz": (
        ["-O1", "-g1", "-fno-omit-frame-pointer", "-fsanitize=address,fuzzer-no-link"],
        ["-fsanitize=address,fuzzer-no-link"],
    ),
}


def module_name(source: Path) -> str:
    """Return the module name of a source file, whose path is relative to the project."""
    return f"{PACKAGE}._{source.stem}" if source.suffix == ".py" else f"{PACKAGE}._native.{source.stem}"


def sources() -> list[Path]:
    """Return the Cython sources of all modules, or of those that are chosen, as paths relative to the project."""
    paths = [*ROOT.glob("generated/*.pyx"), *(ROOT / SOURCES).rglob("*.pyx")]
    chosen = os.environ.get("WHATWG_ENCODING_MODULES", "").split()
    if unknown := {*chosen} - {path.stem for path in paths}:
        raise SystemExit(f"WHATWG_ENCODING_MODULES: there is no module {', '.join(sorted(unknown))}")
    return sorted(path.relative_to(ROOT) for path in paths if not chosen or path.stem in chosen)


def flags() -> tuple[list[str], list[str]]:
    """Return the selected profile's compiler and linker flags; levels (-O, -g) in ``CFLAGS`` take precedence."""
    if PROFILE not in PROFILES:
        raise SystemExit(f"WHATWG_ENCODING_BUILD is {PROFILE!r}; not one of {', '.join(PROFILES)}")
    if sys.platform == "win32":
        return ["/O2"], []
    compile_args, link_args = PROFILES[PROFILE]
    given = {flag[:2] for flag in os.environ.get("CFLAGS", "").split()} & {"-O", "-g"}
    compile_args = [flag for flag in compile_args if flag[:2] not in given]
    return compile_args, [flag for flag in link_args if not (flag == "-s" and "-g" in given)]


#: The modules keep their Python objects in module states, one for each interpreter. The states are looked up under the
#: GIL, which the interpreters share. Without a GIL the threads would contend for the lookup, so one interpreter imports
#: the modules there.
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
MACROS: list[tuple[str, str | None]] = (
    [] if FREE_THREADED else [("CYTHON_USE_MODULE_STATE", "1"), ("CYTHON_MODULE_STATE_LOOKUP_THREAD_SAFE", "0")]
)

#: What a C or Cython file names another one by, in the quoted form that looks beside the file first.
INCLUDED = re.compile(r'^\s*(?:#?\s*include|cdef extern from)\s+"([^"]+)"', re.MULTILINE)
CIMPORTED = re.compile(r"^\s*(?:from|cimport)\s+([\w.]+)(?:\s+cimport|\s|$)", re.MULTILINE)


@cache
def _names(path: Path) -> tuple[list[str], list[str]]:
    """Return what a file includes, and what it cimports, by the names there."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return INCLUDED.findall(text), CIMPORTED.findall(text)


def dependencies(source: Path) -> set[Path]:
    """Return the headers and ``.pxd`` files of this tree that a source includes, directly or through others."""
    included: set[Path] = set()
    waiting = [source]
    while waiting:
        path = waiting.pop()
        includes, cimports = _names(path)
        # As the compiler does: the first folder that has the file.
        candidates = [[folder / name for folder in (path.parent, *INCLUDE)] for name in includes]
        declared = [Path("src"), Path("generated")]
        cimported = [Path(*name.split(".")) for name in cimports]
        candidates += [[folder / f"{name}{end}" for folder in declared for end in (".pxd", "/__init__.pxd")]
                       for name in cimported]  # fmt: skip
        if path == source:
            candidates.append([source.with_suffix(".pxd")])
        firsts = (next((name for name in names if (ROOT / name).is_file()), None) for names in candidates)
        new = {Path(os.path.normpath(name)) for name in firsts if name is not None} - included
        included |= new
        waiting += new
    return included


def modules() -> list[Extension]:
    """Return the extension modules, with their Cython sources."""
    compile_args, link_args = flags()
    return [
        Extension(
            module_name(source),
            [str(source)],
            include_dirs=[str(folder) for folder in INCLUDE],
            # Modules depend on this file for their flags.
            depends=[*sorted(map(str, dependencies(source))), str(Path("build") / "extensions.py")],
            define_macros=MACROS,
            extra_compile_args=compile_args,
            extra_link_args=link_args,
        )
        for source in sources()
    ]


def translate(extensions: list[Extension]) -> list[Extension]:
    """Return these modules with their Cython sources translated to C."""
    from Cython.Build import cythonize

    result: list[Extension] = cythonize(
        extensions,
        build_dir=str(OUT / "c"),
        include_path=["src", "generated"],
        compiler_directives={
            "language_level": 3,
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
            "embedsignature": True,
            "embedsignature.format": "clinic",  # the form that inspect.signature reads
            "binding": False,
            "auto_pickle": False,  # classes whose objects can be pickled say how: others would take any state
            "freethreading_compatible": True,
            "subinterpreters_compatible": "no" if FREE_THREADED else "shared_gil",
        },
        # As many processes. Windows has no fork, and starting them takes as long as they save.
        nthreads=0 if sys.platform == "win32" else os.cpu_count() or 1,
    )
    return result


#: Clang's names of the platforms of Windows builds.
CLANG_TARGETS = {
    "win-amd64": "x86_64-pc-windows-msvc",
    "win-arm64": "aarch64-pc-windows-msvc",
    "win32": "i686-pc-windows-msvc",
}


def find_clang_cl() -> str | None:
    """Return the path of clang-cl, from PATH or from the folders of LLVM's and Visual Studio's installers."""
    folders = [os.environ.get("PATH", "")]
    if "PROGRAMFILES" in os.environ:
        folders.append(str(Path(os.environ["PROGRAMFILES"]) / "LLVM" / "bin"))
    if "VCINSTALLDIR" in os.environ:
        folders.append(str(Path(os.environ["VCINSTALLDIR"]) / "Tools" / "Llvm" / "x64" / "bin"))
    return shutil.which("clang-cl", path=os.pathsep.join(folders))


def without_run_paths(command: list[str], configured: list[str]) -> list[str]:
    """Return a linker command without the run paths that this machine's Python was ``configured`` with.

    An extension module is not linked with libpython, and folders of the build machine do not exist elsewhere. Run paths
    that the user set in ``LDFLAGS`` are kept.
    """
    unwanted = {flag for flag in configured if flag.startswith(("-Wl,-rpath,", "-Wl,-rpath=", "-Wl,-R"))}
    unwanted -= set(shlex.split(os.environ.get("LDFLAGS", "")))
    return [argument for argument in command if argument not in unwanted]


#: The analysis of the lengths of C strings, for which the modules have no use, takes a tenth of GCC's time. And GCC 12
#: stores the four bytes of a character by way of a vector, which takes a third more time than to store each.
OF_GCC = ("-fno-optimize-strlen", "-fno-tree-slp-vectorize")


#: The kernels that several modules share. They take most of the time of each, and change less often than handlers.
APART = Path("src") / "native" / "kernels" / "apart.c"


def is_gcc(command: list[str]) -> bool:
    """Return whether a compiler is GCC; Clang refuses some of its options."""
    done = subprocess.run([*command[:2], "--version"], capture_output=True, text=True, check=False)
    return "Free Software Foundation" in done.stdout


class BuildExt(build_ext):
    """Translate from Cython, compile with clang-cl on Windows where there is one, and link without run paths elsewhere.

    Commands that compile nothing, such as ``sdist`` and ``egg_info``, translate nothing either.
    """

    def build_extensions(self) -> None:
        if (reason := compiler.fault()) is not None:
            raise SystemExit(reason)
        for extension, translated in zip(self.extensions, translate(self.extensions), strict=True):
            extension.sources, extension.depends = translated.sources, translated.depends
        if self.compiler.compiler_type == "msvc":
            self._use_clang_cl()
        elif self.compiler.compiler_type == "unix":
            configured = shlex.split(sysconfig.get_config_var("LDSHARED") or "")
            self.compiler.linker_so = without_run_paths(self.compiler.linker_so, configured)
            for extension in self.extensions if is_gcc(self.compiler.compiler_so) else ():
                extension.extra_compile_args = [*extension.extra_compile_args, *OF_GCC]
        # The largest first, so that no processor waits for one that began last.
        self.extensions.sort(key=lambda extension_: Path(extension_.sources[0]).stat().st_size, reverse=True)
        if self.compiler.compiler_type == "unix":
            self._share_kernels()
        super().build_extensions()

    def _share_kernels(self) -> None:
        """Compile the kernels for pairs of bytes once, if a file of theirs is newer, and link the modules with them."""
        users = [
            module for module in self.extensions if "we_double_byte_" in Path(module.sources[0]).read_text("utf-8")
        ]
        (kernels,) = self.compiler.object_filenames([str(APART)], output_dir=self.build_temp)
        of_kernels = [str(APART), *map(str, sorted(dependencies(APART))), str(Path("build") / "extensions.py")]
        if users and (self.force or newer_group(of_kernels, kernels)):
            options = [*users[0].extra_compile_args, "-ffunction-sections"]  # so a module links what it calls
            folders = users[0].include_dirs
            self.compiler.compile([str(APART)], self.build_temp, include_dirs=folders, extra_postargs=options)
        for extension in users:
            extension.define_macros = [*extension.define_macros, ("WE_KERNELS_APART", None)]
            extension.extra_objects = [kernels]
            extension.depends = [*extension.depends, str(APART)]

    def _use_clang_cl(self) -> None:
        """Compile with clang-cl, link with Microsoft's linker: Microsoft's compiler gives scalar kernels."""
        clang_cl = find_clang_cl()
        if clang_cl is None:
            self.warn(
                "clang-cl was not found: the kernels are compiled as plain C, several times slower. "
                "Install LLVM, or Visual Studio's component for Clang, and build again."
            )
            return
        compiler: Any = self.compiler
        if not compiler.initialized:
            compiler.initialize(self.plat_name)
        print(f"compiling with {clang_cl}, for vector kernels", flush=True)
        compiler.cc = clang_cl
        # Only Microsoft's compiler supports its whole-program optimization.
        options = [option for option in compiler.compile_options if option != "/GL"]
        compiler.compile_options = [*options, f"--target={CLANG_TARGETS[self.plat_name]}"]


class BuildPy(build_py):
    """Copy the Python files of ``generated/`` into the package under their public module names."""

    def _generated(self) -> list[tuple[Path, Path]]:
        target = Path(self.build_lib)
        files = sorted(ROOT.glob("generated/*.py"))
        modules = [(file, module_name(file.relative_to(ROOT)).split(".")) for file in files]
        return [(file, target.joinpath(*module).with_suffix(file.suffix)) for file, module in modules]

    def run(self) -> None:
        current = {Path(file) for file in self.get_outputs(include_bytecode=False)}
        current |= {Path(self.build_lib, *module_name(source).split(".")) for source in sources()}
        for file in (Path(self.build_lib) / PACKAGE).rglob("*.*"):  # of an earlier build: modules that are gone now
            is_module = file.suffix in (".py", ".pyi", ".pyd", ".so")
            if is_module and not {file, file.with_name(file.name.partition(".")[0])} & current:
                file.unlink()
        super().run()
        for source, target in self._generated():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
        self._describe_command_line()

    def _describe_command_line(self) -> None:
        """Add the manual page and the completions to the data files, which an installer places beside the programs."""
        if find_spec("shtab") is None or find_spec("argparse_manpage") is None:
            self.warn("shtab and argparse-manpage are not installed: no manual page, no completions")
            return
        share = Path(OUT) / "share"
        shutil.rmtree(share, ignore_errors=True)
        subprocess.run([sys.executable, str(ROOT / "build" / "command_line.py"), str(share)], check=True)
        files = sorted(file for file in share.rglob("*") if file.is_file())
        self.distribution.data_files = [
            (f"share/{file.parent.relative_to(share).as_posix()}", [file.as_posix()]) for file in files
        ]

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        return [*super().get_outputs(include_bytecode), *(str(target) for _, target in self._generated())]


class EggInfo(egg_info):
    """Place the project's metadata folder outside the source tree."""

    def initialize_options(self) -> None:
        super().initialize_options()
        self.egg_base = str(OUT)

    def finalize_options(self) -> None:
        Path(OUT).mkdir(parents=True, exist_ok=True)
        super().finalize_options()


class Sdist(sdist):
    """Build a reproducible archive: the same files give the same bytes.

    Its files are sorted, have no owner, and have the same date: ``SOURCE_DATE_EPOCH``, or the current time.
    https://reproducible-builds.org/docs/source-date-epoch/
    """

    def make_archive(self, base_name: Any, format: str, root_dir: Any = None, base_dir: Any = None,
                     owner: str | None = None, group: str | None = None) -> str:  # fmt: skip
        if format != "gztar":
            raise SystemExit(f"the sdist format is .tar.gz, not {format}")
        date = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
        folder = Path(root_dir or ".") / base_dir
        name = f"{base_name}.tar.gz"
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        with (
            open(name, "wb") as file,
            gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=file, mtime=date) as compressed,
            tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as archive,
        ):
            for path in sorted(item for item in folder.rglob("*") if item.is_file()):
                inside = path.relative_to(folder)
                if inside.is_relative_to(OUT):  # setuptools adds its own files.
                    continue
                entry = tarfile.TarInfo(f"{folder.name}/{inside.as_posix()}")
                entry.size, entry.mtime = path.stat().st_size, date
                entry.mode = 0o755 if os.access(path, os.X_OK) else 0o644
                with path.open("rb") as content:
                    archive.addfile(entry, content)
        return name


class BdistWheel(bdist_wheel):
    """Add the software bill of materials to the wheel's metadata."""

    def egg2dist(self, egginfo_path: Any, distinfo_path: Any) -> None:
        super().egg2dist(egginfo_path, distinfo_path)
        target = Path(distinfo_path) / "sboms" / sbom.FILE
        target.parent.mkdir()
        bill = sbom.document(self.distribution.get_name(), self.distribution.get_version())
        target.write_text(bill, encoding="utf-8", newline="\n")


COMMANDS: dict[str, Any] = {
    "bdist_wheel": BdistWheel,
    "build_ext": BuildExt,
    "build_py": BuildPy,
    "egg_info": EggInfo,
    "sdist": Sdist,
}
# Compilers of several modules run at a time.
OPTIONS: dict[str, dict[str, str]] = {"build": {"build_base": str(OUT), "parallel": str(os.cpu_count() or 1)}}
