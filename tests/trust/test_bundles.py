"""Programs that are distributed with the package in them: a bundle of PyInstaller, and a zip archive."""

from __future__ import annotations

import subprocess
import sys
import zipapp
from pathlib import Path

import pytest

import whatwg_encoding as we

PROGRAM = """
import whatwg_encoding as we

we.register_codecs()
for name, encoding in we.ENCODINGS.items():
    assert encoding.decode(b"a") is not None, name
assert "\\u3042".encode("web-sjis") == b"\\x82\\xa0"
assert we.decode_html(b"<meta charset=euc-kr>\\xc7\\xd1").text.endswith("\\ud55c")
assert we.urls.parse_form(b"a=b") == [("a", "b")]
assert we.arrow and we.mime and we.w3lib and we.webencodings and we.TextDecoder().decode(b"") == ""
print("complete")
"""


@pytest.mark.repeated  # in another program
def test_a_bundle_of_pyinstaller_is_complete(tmp_path: Path) -> None:
    pytest.importorskip("PyInstaller")
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", "--onedir", "program.py"]
    built = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert built.returncode == 0, built.stderr
    # Away from the tree and from this environment.
    done = subprocess.run([tmp_path / "dist" / "program" / "program"], cwd="/", env={}, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("complete\n", "")


def test_import_from_a_zip_archive_fails_in_one_sentence(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "whatwg_encoding").mkdir(parents=True)
    for path in Path(we.__file__).parent.glob("*"):
        if path.is_file():
            (source / "whatwg_encoding" / path.name).write_bytes(path.read_bytes())
    (source / "__main__.py").write_text("import whatwg_encoding")
    zipapp.create_archive(source, tmp_path / "program.pyz")
    command = [sys.executable, "-I", "-S", tmp_path / "program.pyz"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("ImportError: whatwg_encoding has compiled modules, which Python")
