"""Write the explorer, one self-contained page: build/_out/explorer/index.html. It needs Clang and LLD."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from docs.explorer import page
from generator import snapshot
from generator.model import GeneratorError


def main(arguments: list[str] | None = None) -> str | None:
    """Write the page; return what went wrong."""
    parser = argparse.ArgumentParser(prog="python -m docs.explorer", description=__doc__)
    parser.add_argument(
        "--output", type=Path, default=page.OUT, metavar="FOLDER", help="instead of build/_out/explorer"
    )
    parser.add_argument(
        "--against", type=Path, metavar="FOLDER",
        help="an earlier date of the standard: a folder with its indexes.json and encodings.json",
    )  # fmt: skip
    options = parser.parse_args(arguments)
    try:
        older = snapshot.peek(options.against) if options.against else None
        written = page.write(options.output, older)
    except (page.MissingError, GeneratorError) as error:
        return f"docs.explorer: {error}"
    print(f"{written}: {written.stat().st_size:,} bytes")
    return None


if __name__ == "__main__":
    sys.exit(main())
