"""Write the explorer alone, one self-contained page: build/_out/explorer/index.html. It needs Clang and LLD."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from docs.explorer import page


def main(arguments: list[str] | None = None) -> str | None:
    """Write the page; return what went wrong."""
    parser = argparse.ArgumentParser(prog="python -m docs.explorer", description=__doc__)
    parser.add_argument(
        "--output", type=Path, default=page.OUT, metavar="FOLDER", help="instead of build/_out/explorer"
    )
    options = parser.parse_args(arguments)
    try:
        written = page.write(options.output)
    except page.MissingError as error:
        return f"docs.explorer: {error}"
    print(f"{written}: {written.stat().st_size:,} bytes")
    return None


if __name__ == "__main__":
    sys.exit(main())
