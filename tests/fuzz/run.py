"""One target under atheris, with libFuzzer's own options: ``python -m tests.fuzz.run TARGET [-option=… | corpus]…``.

What guides it is coverage: of the compiled modules, which `python -m tests.fuzz` builds for that before it calls this,
and of the package's Python code. (That of the reference would, too, but takes more time than it is worth.)
"""

from __future__ import annotations

import sys

import atheris  # type: ignore[import-untyped]

with atheris.instrument_imports(include=["whatwg_encoding", "tests.sniff.reference"]):
    import whatwg_encoding as we
    from tests.fuzz.targets import TARGETS


def main() -> None:
    """Does not return: libFuzzer ends the process."""
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        names = ", ".join(TARGETS)
        raise SystemExit(f"usage: python -m tests.fuzz.run TARGET [-option=value | corpus]…; targets: {names}")
    for encoding in we.ENCODINGS.values():
        encoding.new_decoder()  # loads its module, so that its coverage counts from the start
    atheris.Setup([sys.argv[0], *sys.argv[2:]], TARGETS[sys.argv[1]])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
