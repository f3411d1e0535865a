"""Prove the kernels: `python -m proofs.kernels [--nightly] [NAME …]`.

The kernels' C is compiled by Clang (``CLANG``) as it is, with the lemmas of this folder, and run over symbolic bytes.
Exit 1 if a lemma is refuted or not decided. Without Clang nothing is proved, which is said, and the exit code is 0,
unless ``WHATWG_ENCODING_REQUIRE_CLANG`` is set.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

from proofs.kernels import ir, terms
from proofs.kernels.lemmas import INVARIANTS, SINGLE_BYTE, Lemma, lemmas
from proofs.kernels.machine import Machine, RefutedError, UndecidedError
from proofs.kernels.state import Pointer

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OUT = ROOT / "build" / "_out" / "proofs"
CLANG = shlex.split(os.environ.get("CLANG", "clang"))
FLAGS = [
    "-w", "-O1", "-fno-discard-value-names", "-fno-unroll-loops", "-fno-vectorize", "-fno-slp-vectorize", "-S",
    "-emit-llvm",
]  # fmt: skip


def handlers_of(chapter: str) -> str:
    """Return the C of a chapter's handlers and of the loops over them."""
    sys.path.insert(0, str(ROOT / "build"))
    import library

    with library.locked(library.SOURCES):
        text: str = library.translate(chapter).text
    return text


def without_loops(text: str) -> str:
    """Return such a text with codecs that nothing refers to, so that their loops are not compiled."""
    return text.replace("const we_codec whatwg", "static const we_codec whatwg")


def lemma_text(name: str, text: str) -> str:
    """Return a C text with the lemmas of all handlers of a chapter."""
    lines = [text, '#include "handlers.h"']
    for each in re.findall(r"^static \w+ (\w+)_decode_item\(.*;$", text, re.MULTILINE):
        found = re.search(rf"WE_DECODES\({each}\), [^{{]*\{{[^}}]*\}},\s*(\d+),", text)
        if found is None:
            raise SystemExit(f"no codec decodes by {each}")
        lines.append(f"DECODER({each}, {found[1]})")
    for each in re.findall(r"^static \w+ (\w+)_encode_item\(.*;$", text, re.MULTILINE):
        found = re.search(rf"WE_ENCODES\({each}\), (\{{[^}}]*\}})", text)
        if found is None:
            raise SystemExit(f"no codec encodes by {each}")
        lines.append(f"ENCODER({each}, {found[1]})")
    if name == "miscellaneous":
        lines.append("const we_single_byte_tables *const its_tables = &x_user_defined_tables;")
    if name == "single_byte":
        addresses = ", ".join(f"&{each}_tables" for each in SINGLE_BYTE)
        lines.append(f"const we_single_byte_tables *const all_tables[] = {{{addresses}}};")
        lines.append('#include "single_byte_lemmas.h"')
    return "\n".join(lines) + "\n"


def compiled(name: str, folder: Path = OUT, kernels: Path = ROOT / "src" / "native" / "kernels") -> Path:
    """Return the intermediate representation of the lemmas of a text, compiled with the kernels of a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    source = HERE / f"{name}.c"
    if not source.exists():
        source = folder / f"{name}.c"
        source.write_text(lemma_text(name, without_loops(handlers_of(name))), encoding="utf-8")
    elif name == "utf_8":
        (folder / "unicode_handlers.h").write_text(without_loops(handlers_of("unicode")), encoding="utf-8")
    target = folder / f"{name}.ll"
    includes = [kernels, ROOT / "src" / "native" / "engine", ROOT / "generated", HERE, folder]
    command = [*CLANG, *FLAGS, *(f"-I{each}" for each in includes), str(source), "-o", str(target)]
    subprocess.run(command, check=True)
    return target


@cache
def module(path: Path) -> ir.Module:
    return ir.read(path.read_text(encoding="utf-8"))


def prove(lemma: Lemma, folder: Path = OUT) -> tuple[str, bool, float]:
    """Prove a lemma. Return a line on it, whether it is proved, and the seconds that it took."""
    start = time.process_time()
    terms.forget()
    machine = Machine(module(folder / f"{lemma.text}.ll"), INVARIANTS)
    arguments: list[int | Pointer] = list(lemma.arguments)
    if lemma.text not in ("ascii", "utf_8"):
        arguments.append(machine.constant(f"@{lemma.tables}") if lemma.tables else Pointer(0))
    line, is_proved = "", False
    try:
        machine.prove(f"prove_{lemma.name}", *arguments)
        line, is_proved = f"proved, {machine.ways} ways, {machine.claims} claims", True
    except RefutedError as error:
        line = f"REFUTED: {error}"
    except (UndecidedError, ir.UnknownTextError) as error:
        line = f"NOT DECIDED: {error}"
    taken = time.process_time() - start
    return f"{lemma.name} ({lemma.label}): {line}, {taken:.1f} s", is_proved, taken


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m proofs.kernels", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="lemmas whose names begin so (default: all)")
    parser.add_argument("--nightly", action="store_true", help="longer sources and all tables, as each night")
    arguments = parser.parse_args()
    if shutil.which(CLANG[0]) is None:
        print(
            f"The kernels are not proved: there is no {CLANG[0]}, which compiles them (Debian: apt-get install clang)"
        )
        return int("WHATWG_ENCODING_REQUIRE_CLANG" in os.environ)
    wanted = tuple(arguments.names)
    chosen = [each for each in lemmas(nightly=arguments.nightly) if not wanted or each.name.startswith(wanted)]
    if not chosen:
        parser.error("no lemma has such a name")
    refuted, seconds = 0, 0.0
    with ProcessPoolExecutor() as pool:
        list(pool.map(compiled, sorted({each.text for each in chosen})))
        for line, is_proved, taken in pool.map(prove, chosen):
            refuted += not is_proved
            seconds += taken
            print(line, flush=True)
    print(f"{len(chosen) - refuted} of {len(chosen)} lemmas on kernels are proved, {seconds:.0f} processor seconds")
    return bool(refuted)


if __name__ == "__main__":
    sys.exit(main())
