"""One target under atheris, with libFuzzer's own options: ``python -m tests.fuzz.run TARGET [-option=… | corpus]…``.

What guides it is the coverage of the compiled modules, which `python -m tests.fuzz` builds for that first.
"""

from __future__ import annotations

import shlex
import sys
from contextlib import nullcontext

import atheris  # type: ignore[import-untyped]

# Modules without compiled code, which guide the fuzzing of themselves. It takes twenty times as long.
PYTHON = {"mime_types": "whatwg_encoding.mime", "url_text": "whatwg_encoding.urls"}


def main() -> None:
    """Does not return: libFuzzer ends the process."""
    target = sys.argv[1] if len(sys.argv) > 1 else ""
    with atheris.instrument_imports(include=[PYTHON[target]]) if target in PYTHON else nullcontext():
        import whatwg_encoding as we
        from tests.fuzz.targets import TARGETS
    if target not in TARGETS:
        names = ", ".join(TARGETS)
        raise SystemExit(f"usage: python -m tests.fuzz.run TARGET [-option=value | corpus]…; targets: {names}")
    for encoding in we.ENCODINGS.values():
        encoding.new_decoder()  # loads its module, so that its coverage counts from the start
    # What libFuzzer starts by itself, to merge, is this command again.
    atheris.Setup([shlex.join([sys.executable, "-m", "tests.fuzz.run", target]), *sys.argv[2:]], TARGETS[target])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
