"""One target under atheris, with libFuzzer's own options: ``python -m tests.fuzz.run TARGET [-option=… | corpus]…``.

Coverage that guides it is that of the compiled modules; `python -m tests.fuzz` builds them for that, and calls this.
"""

from __future__ import annotations

import sys

import atheris  # type: ignore[import-untyped]

import whatwg_encoding as we
from tests.fuzz.targets import TARGETS


def main() -> None:
    """Does not return: libFuzzer ends the process."""
    if len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        raise SystemExit(
            f"usage: python -m tests.fuzz.run TARGET [-option=value | corpus]…; targets: {', '.join(TARGETS)}"
        )
    for encoding in we.ENCODINGS.values():
        encoding.new_decoder()  # loads its module, so that its coverage counts from the start
    atheris.Setup([sys.argv[0], *sys.argv[2:]], TARGETS[sys.argv[1]])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
