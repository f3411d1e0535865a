"""Run one target under atheris: ``python -m tests.fuzz.run TARGET [-option=… | corpus]…``, with libFuzzer's options.

Coverage of the compiled modules guides the fuzzer; `python -m tests.fuzz` builds them with instrumentation first.
"""

from __future__ import annotations

import shlex
import sys
from contextlib import nullcontext

import atheris  # type: ignore[import-untyped]

# Pure Python modules, whose own coverage guides their fuzzing. This is twenty times slower.
PYTHON = {
    "mime_types": "whatwg_encoding.mime",
    "url_text": "whatwg_encoding.urls",
    "edits": "whatwg_encoding._editing",
}


def main() -> None:
    """Run the fuzzer. This does not return, since libFuzzer ends the process."""
    target = sys.argv[1] if len(sys.argv) > 1 else ""
    with atheris.instrument_imports(include=[PYTHON[target]]) if target in PYTHON else nullcontext():
        import whatwg_encoding as we
        from tests.fuzz.targets import TARGETS
    if target not in TARGETS:
        names = ", ".join(TARGETS)
        raise SystemExit(f"usage: python -m tests.fuzz.run TARGET [-option=value | corpus]…; targets: {names}")
    for encoding in we.ENCODINGS.values():
        encoding.new_decoder()  # loads the module before fuzzing, so that its coverage is counted from the start
    # To merge, libFuzzer runs this command again.
    atheris.Setup([shlex.join([sys.executable, "-m", "tests.fuzz.run", target]), *sys.argv[2:]], TARGETS[target])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
