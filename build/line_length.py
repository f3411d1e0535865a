"""Check the length of lines, in Python, where ruff lets lines with an address or a pragma pass, and in all other files;
and the length of files.

Not checked are rows of tables, in Markdown and of generated arrays, and code blocks in Markdown: they hold data and the
output of programs.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

LIMIT = 120
"""Maximum length in characters."""

MOST_LINES = 650
"""Maximum length of a file that is written by hand, but for Markdown."""

CHECKED = ("*.py", "*.pyi", "*.pyx", "*.pxd", "*.pxi", "*.h", "*.c", "*.cpp", "*.j2", "*.md", "Makefile", ".ci/run")

_MARKDOWN_ROW = re.compile(r"\s*\|")
_ARRAY_ROW = re.compile(r"\s*\[0x")
_FENCE = re.compile(r"\s*(```|~~~)")


def long_lines(path: Path) -> Iterator[int]:
    """Yield the number of each line of a file that is too long."""
    in_code = False
    row = _MARKDOWN_ROW if ".md" in path.suffixes else _ARRAY_ROW
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        in_code ^= path.suffix == ".md" and _FENCE.match(line) is not None
        if len(line) > LIMIT and not in_code and not row.match(line):
            yield number


def main() -> int:
    """Print file and line number of each long line, and each long file; return 1 if there are any, 0 otherwise."""
    command = ["git", "ls-files", "-z", "--", *CHECKED]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")[:-1]
    found = [f"{name}:{number}" for name in names if Path(name).exists() for number in long_lines(Path(name))]
    for place in found:
        print(f"{place}: the line is longer than {LIMIT} characters", file=sys.stderr)
    long_files = [
        name
        for name in names
        if not name.startswith("generated/") and not name.endswith(".md") and Path(name).exists()
        if len(Path(name).read_text(encoding="utf-8").splitlines()) > MOST_LINES
    ]
    for name in long_files:
        print(f"{name}: has more than {MOST_LINES} lines: split it", file=sys.stderr)
    return 1 if found or long_files else 0


if __name__ == "__main__":
    sys.exit(main())
