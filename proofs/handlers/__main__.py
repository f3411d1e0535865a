"""Prove all handlers of generated/: `python -m proofs.handlers [ENCODING …]`.

Each is proved in a process of its own, as many at a time as there are processors. Exit 1 if one is refuted.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache

from generator import emit, modules, snapshot
from generator.modules import Chapter
from generator.spec.machine import machine
from proofs.handlers import induction as handlers
from proofs.handlers import sums


@cache
def _chapters() -> dict[str, Chapter]:
    return {chapter.name: chapter for chapter in modules.chapters(snapshot.load())}


def _prove(task: tuple[str, str, str]) -> tuple[str, bool]:
    """Prove a handler. Return a line on it, and whether it is proved."""
    module, name, kind = task
    chapter = _chapters()[module]
    codec = next(codec for codec in chapter.encodings if codec.name == name)
    text = (emit.GENERATED / f"{module}.pyx").read_text(encoding="utf-8")
    start = time.perf_counter()
    try:
        ways = handlers.prove(chapter, text, machine(snapshot.load()), codec, kind)
    except handlers.ProofError as error:
        return str(error), False
    return f"{name} {kind}: proved, {ways} ways, {time.perf_counter() - start:.1f} s", True


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m proofs.handlers", description=__doc__.partition("\n")[0])
    parser.add_argument("encodings", nargs="*", metavar="ENCODING", help="encodings (default: all)")
    wanted = {name.lower() for name in parser.parse_args().encodings}
    tasks = [
        (chapter.name, codec.name, kind)
        for chapter in _chapters().values()
        for codec, kind, names in handlers.handlers(chapter)
        if not wanted or not wanted.isdisjoint(map(str.lower, names))
    ]
    if not tasks:
        parser.error("no encoding has one of these names")
    for shift in sorted({codec.handler.decode_shift for one in _chapters().values() for codec in one.encodings}):
        sums.prove(shift)
        print(f"decode_shift {shift}: what fits item by item fits in all, proved", flush=True)
    refuted = 0
    with ProcessPoolExecutor() as pool:
        for line, is_proved in pool.map(_prove, tasks):
            print(line, flush=True)
            refuted += not is_proved
    print(f"{len(tasks) - refuted} of {len(tasks)} handlers are proved")
    return bool(refuted)


if __name__ == "__main__":
    sys.exit(main())
