"""What the program imports before it works, which is most of the time that a short run takes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

# The parser with the modules that it imports when it is used, the handling of signals, and the library.
FOUNDATION = "import argparse, contextlib, errno, locale, signal, whatwg_encoding"

# Modules of the standard library that take long, each of which was imported once without need.
SLOW = {
    *("secrets", "hmac", "random", "inspect", "dis", "ast", "json", "tokenize", "importlib.util", "pathlib", "urllib"),
    *("shutil", "difflib", "typing", "unicodedata", "tqdm", "subprocess", "hashlib", "chardetng_py", "tempfile"),
}
OURS = {
    *("_native", "_native.core", "_labels", "_native.unicode"),
    *("_api", "_api.results", "_api.arguments", "files", "malformed"),
    *("_cli", "_cli.arguments", "_cli.decision", "_cli.input", "_cli.output", "_sniff"),
    *("editing", "_editing", "_editing.files"),
}

DETECTION = {
    *("_sniff.arguments", "_sniff.binary", "_sniff.declarations", "_sniff.guessing", "_sniff.languages"),
    *("sniff", "_names"),
}
# Text that is not UTF-8 is decoded with each candidate.
CHAPTERS = ("single_byte", "chinese_simplified", "chinese_traditional", "japanese", "korean", "miscellaneous")
CANDIDATES = {f"_native.{chapter}" for chapter in CHAPTERS}
MODEL = {"_native.detect", "_native.prescan", "_native.capi"} | CANDIDATES
JAPANESE = "_native.japanese"

# Modules of the standard library beside those of FOUNDATION.
MOST = 5

RUN = f"""\
import sys
{FOUNDATION}
before = set(sys.modules)
from whatwg_encoding import _cli
try:
    status = _cli.main(sys.argv[1:])
except SystemExit as exit:
    status = exit.code
after = set(sys.modules) - before
print(status, *sorted(after), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("arguments", "own"),
    [
        (["decode", "in"], {"_cli.recode"}), (["decode", "-f", "sjis", "in"], {"_cli.recode", JAPANESE}),
        (["decode", "-f", "sjis", "-i.orig", "in"], {"_cli.recode", JAPANESE}),
        (["encode", "-t", "sjis", "in"], {"_cli.recode", JAPANESE}),
        (["recode", "-f", "sjis", "-t", "sjis", "in"], {"_cli.recode", JAPANESE}),
        (["validate", "in"], {"_cli.validate"}), (["validate", "-f", "sjis", "in"], {"_cli.validate", JAPANESE}),
        (["labels", "sjis"], {"_cli.inspect"}), (["sniff", "in"], DETECTION | MODEL | {"_cli.sniff"}),
        (["sniff", "legacy"], DETECTION | MODEL | {"_cli.sniff"}),
        (["validate", "-f", "auto", "in"], DETECTION | MODEL | {"_cli.validate"}),
        (["--version"], set()), (["-V"], set()),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)  # fmt: skip
def test_modules(arguments: list[str], own: set[str], tmp_path: Path) -> None:
    """Besides the modules of the command, none is imported."""
    (tmp_path / "in").write_bytes(b"abc")
    (tmp_path / "legacy").write_bytes("日本語のテキスト".encode("shift_jis"))
    result = subprocess.run([sys.executable, "-c", RUN, *arguments], cwd=tmp_path, capture_output=True)
    assert result.stderr, result
    status, *modules = result.stderr.decode().splitlines()[-1].split()
    assert status == "0", result.stderr
    theirs = {name for name in modules if name.partition(".")[0] != "whatwg_encoding"}
    assert {name.removeprefix("whatwg_encoding.") for name in set(modules) - theirs} <= OURS | own
    slow = SLOW & {part for name in theirs for part in (name, name.partition(".")[0])}
    assert not slow, f"import them in the function that needs them: {', '.join(slow)}"
    assert len(theirs - {"fcntl", "zlib"}) <= MOST, theirs  # which lock and name a file that is written
