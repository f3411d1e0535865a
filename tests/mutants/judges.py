"""What notices a mutant of a text: the proofs one of an emitted handler, tests/kernels/judge.c one of a kernel."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import whatwg_encoding as we
from generator import modules
from generator.model import GeneratorError
from generator.modules import Chapter, Codec
from generator.spec.machine import machine
from tests.kernels.judge import ENGINE, GENERATED, KERNELS, PROGRAM, ROOT, judged_file, with_cases
from tests.mutants.edits import Mutant, Text
from tests.pinned import PINNED

MOST_SECONDS = 120
"""More than the judgement of any mutant takes that comes to an end."""


# -- Emitted handlers --------------------------------------------------------------------------------------------------


@cache
def chapters() -> dict[str, Chapter]:
    return {f"{chapter.name}.pyx": chapter for chapter in modules.chapters(PINNED)}


def emitted() -> Iterator[Text]:
    for name in chapters():
        yield Text(name, (GENERATED / name).read_text(encoding="utf-8"))


def _uses(text: str, function: str) -> set[str]:
    """Return the functions of a module that call one, directly or not, and it."""
    bodies = re.split(r"^cdef inline ", text, flags=re.M)[1:]
    found, before = {function}, 0
    while len(found) > before:
        before = len(found)
        pattern = re.compile(rf"\b(?:{'|'.join(found)})\(")
        found |= {body.split("(")[0].split()[1] for body in bodies if pattern.search(body)}
    return found


@cache
def _handlers(module: str, text: str, function: str) -> list[tuple[Codec, str]]:
    """Return the handlers that a function of a module serves."""
    from proofs.handlers import induction as handlers  # needs z3

    found = _uses(text, function)
    return [(codec, kind) for codec, kind, _ in handlers.handlers(chapters()[module]) if _item(codec, kind) in found]


def _item(codec: Codec, kind: str) -> str:
    return f"{codec.decoder}_decode_item" if kind == "decoder" else f"{codec.encoder}_encode_item"


REFUSED = (ArithmeticError, AssertionError, AttributeError, LookupError, NameError, SyntaxError, TypeError, ValueError)
"""What reading a wrong module, or running it, may raise: the generator does not write it."""


def refutes(text: str, mutant: Mutant) -> str:
    """Return what refuses an emitted module with a change, empty if its handlers are proved."""
    from proofs.handlers import induction as handlers  # needs z3

    signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    try:
        for codec, kind in _handlers(mutant.anchor, text, mutant.step):
            handlers.prove(chapters()[mutant.anchor], mutant.apply(text), machine(PINNED), codec, kind)
    except handlers.ProofError as error:
        return "not proved" if " is not proved: " in str(error) else "refuted"
    except (*REFUSED, GeneratorError, TimeoutError) as error:
        return f"refused: {type(error).__name__}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return ""


def _too_long(*_: Any) -> None:
    raise TimeoutError


# -- Kernels -----------------------------------------------------------------------------------------------------------

JUDGED = {
    "ascii": ("ascii", "unicode"),
    "utf_8": ("unicode",),
    "utf_16": ("ascii", "miscellaneous utf_16be utf_16le"),
    "utf_32": ("code_pages utf_32be utf_32le",),
    "single_byte": ("single_byte", "miscellaneous x_user_defined"),
    "double_byte": ("japanese shift_jis", "korean"),
    "iso_2022_jp": ("japanese iso_2022_jp",),
    "engine": ("unicode", "japanese iso_2022_jp"),
}
"""The texts in which a mutant of a folder is judged, in order: a chapter's codecs, all or some, or the kernels that no
codec has. One of a file that all folders share is judged in every text."""

LOOPS = ("decode_loop.h", "encode_loop.h", "loop.h")
"""Of the engine, the loops over handlers and kernels. The rest, between buffers, is left to tests/capi."""

ROUNDS, SECONDS = "5000", "10"
LEFT_OUT = ("codec.h", "cpu.h")
"""The interface between kernels and engine; and what a processor has, which every machine answers in its own way."""


@dataclass(frozen=True)
class Target:
    """A machine that kernels are compiled for."""

    name: str
    compile: tuple[str, ...]
    run: tuple[str, ...] = ()

    @property
    def is_there(self) -> bool:
        return all(shutil.which(program) for program in (self.compile[0], *self.run))


TARGETS = (
    Target("x86-64", ("clang", "-fsanitize-trap=bounds")),
    Target("portable", ("clang", "-fsanitize-trap=bounds", "-U__SSE2__")),
    Target("aarch64", ("aarch64-linux-gnu-gcc", "-fsanitize-undefined-trap-on-error", "-static"), ("qemu-aarch64",)),
)
FLAGS = ("-O0", "-w", "-std=gnu11", "-fsanitize=bounds")
"""An index beyond an array ends the program."""


def kernels() -> Iterator[Text]:
    for path in sorted(KERNELS.rglob("*.h")):
        name = path.relative_to(KERNELS).as_posix()
        if name not in LEFT_OUT:
            yield Text(name, path.read_text(encoding="utf-8"))
    for name in LOOPS:
        yield Text(f"engine/{name}", (ENGINE / name).read_text(encoding="utf-8"))


class Kernels:
    """Compiles and runs judge.c with kernels of which a file is changed, in a folder of its own."""

    def __init__(self, folder: Path, targets: Iterable[Target] = TARGETS) -> None:
        self.folder, self.kernels, self.engine = folder, folder / "kernels", folder / "engine"
        self.targets = [target for target in targets if target.is_there]
        self.code: dict[tuple[str, str], bytes] = {}
        self.headers: dict[str, Path] = {}
        shutil.copytree(KERNELS, self.kernels)
        shutil.copytree(ENGINE, self.engine)
        self.program = Path(shutil.copy(PROGRAM, folder))

    def notices(self, name: str, text: str) -> str | None:
        """Return what notices another text of a kernel's file, empty if nothing does.

        It is judged for the first target whose code it changes; None if there is no such target here, or if the file is
        of a level that this machine does not have.
        """
        if Path(name).stem in {"avx2", "avx512"} - {*we.cpu_features()["available"]}:
            return None
        judged = JUDGED.get(name.partition("/")[0]) or tuple(dict.fromkeys(chain(*JUDGED.values())))
        file = self.folder / name if name.startswith("engine/") else self.kernels / name
        for target in self.targets:
            is_compiled = False
            for what in judged:
                found = self._judge(target, what, file, text)
                if found:
                    return found
                is_compiled |= found is not None
            if is_compiled:
                return ""
        return None

    def notices_emitted(self, name: str, text: str) -> str:
        """Return the same for another text of an emitted module."""
        chapter = Path(name).stem
        source, translated = self.folder / name, self.folder / f"{chapter}.c"
        source.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "cython", "-3", "-I", "src", "-I", "generated", "--module-name"]
        command += [f"whatwg_encoding._native.text.{chapter}", str(source), "-o", str(translated)]
        if subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode != 0:
            return "compiler"
        header = self._header(chapter)  # makes build/ importable, too
        import handlers as build_handlers  # type: ignore[import-not-found]

        changed = build_handlers.handlers(chapter, text, translated.read_text(encoding="utf-8")).text
        return self._judge(self.targets[0], chapter, header, with_cases(changed)) or ""

    def _judge(self, target: Target, what: str, file: Path, text: str) -> str | None:
        """Compile and run with another text of a file, for a moment; None if that does not change the code."""
        defined = [] if what == "ascii" else [f'-DHANDLERS="{self._header(what).name}"']
        includes = [f"-I{each}" for each in (self.kernels, self.engine, GENERATED, self.folder)]
        command = [*target.compile, *FLAGS, *defined, *includes, str(self.program)]
        program, before = self.folder / "program", file.read_text(encoding="utf-8")
        if (target.name, what) not in self.code:
            self.code[target.name, what] = _output(*command, "-E", "-P")
        try:
            file.write_text(text, encoding="utf-8")
            if _output(*command, "-E", "-P") == self.code[target.name, what]:
                return None
            if subprocess.run([*command, "-o", program], capture_output=True, check=False).returncode != 0:
                return "compiler"
        finally:
            file.write_text(before, encoding="utf-8")
        done = subprocess.run([*target.run, program, ROUNDS, SECONDS], capture_output=True, check=False)
        return f"{what}, {target.name}" if done.returncode != 0 else ""

    def _header(self, what: str) -> Path:
        """Return the file of the handlers of a chapter's codecs."""
        if what not in self.headers:
            name, text = judged_file(what)
            self.headers[what] = self.folder / name
            self.headers[what].write_text(text, encoding="utf-8")
        return self.headers[what]


def _output(*command: str) -> bytes:
    return subprocess.run(command, capture_output=True, check=False).stdout


# -- In a process of their own -----------------------------------------------------------------------------------------

_kernels: list[Kernels] = []


def start(folder: str) -> None:
    """Prepare a process, which uses a folder of its own within a folder."""
    own = Path(folder, str(os.getpid()))
    own.mkdir()
    _kernels[:] = [Kernels(own)]


def notices(text: Text, mutant: Mutant) -> str | None:
    """Return what notices a mutant of a text, empty if nothing does; None if it is not compiled or not run here."""
    if text.is_c:
        return _kernels[0].notices(mutant.anchor, mutant.apply(text.text))
    if mutant.step.endswith("_kernel"):
        return _kernels[0].notices_emitted(mutant.anchor, mutant.apply(text.text))
    return refutes(text.text, mutant)
