"""A clone by git with settings that change files."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from generator import snapshot
from generator.model import ENCODINGS
from tests.programs import ROOT
from tests.requirements import missing


def git(folder: Path, *words: str) -> None:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"]
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *identity, *words], cwd=folder, env=environment, check=True, capture_output=True)


def test_line_ends_are_cloned_as_they_are(tmp_path: Path) -> None:
    """With core.autocrlf, the default of git for Windows: text would get CR LF, and other digests."""
    if shutil.which("git") is None:
        missing("git is not installed", "WHATWG_ENCODING_REQUIRE_LIBRARIES")
    source = tmp_path / "source"
    shutil.copytree(ROOT / "data", source / "data")
    shutil.copytree(ROOT / "generated", source / "generated", ignore=shutil.ignore_patterns("__pycache__"))
    git(source, "init", "-q")
    git(source, "add", "-A")
    git(source, "commit", "-qm", "Without attributes")
    git(tmp_path, "clone", "-q", "-c", "core.autocrlf=true", "source", "without")
    shutil.copy(ROOT / ".gitattributes", source)
    git(source, "add", "-A")
    git(source, "commit", "-qm", "With attributes")
    git(tmp_path, "clone", "-q", "-c", "core.autocrlf=true", "source", "with")

    files = [path.relative_to(source) for folder in ("data", "generated") for path in (source / folder).rglob("*.*")]
    assert len(files) > 20
    assert [name for name in files if (tmp_path / "with" / name).read_bytes() != (source / name).read_bytes()] == []
    with pytest.raises(snapshot.SnapshotError, match=f"{ENCODINGS}: only its line ends differ, .* core.autocrlf false"):
        snapshot.verify(tmp_path / "without" / "data")
    # The message's remedy is exact.
    git(tmp_path / "without", "config", "core.autocrlf", "false")
    git(tmp_path / "without", "rm", "-rq", "--cached", ".")
    git(tmp_path / "without", "reset", "-q", "--hard")
    snapshot.verify(tmp_path / "without" / "data")
