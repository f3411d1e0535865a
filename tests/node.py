"""Node and packages of npm, for tests."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

_FOLDER = Path(__file__).resolve().parents[1] / "build" / "_out" / "peers"  # git-ignored
_INSTALL_SECONDS = 300

OPT_OUT = "WHATWG_ENCODING_WITHOUT_NODE"


class PeerMissing(Exception):
    """Raised if Node, npm or a package is missing; the message gives the remedy."""


class Node:
    """A script in Node that answers each line of JSON with one."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def ask(self, **request: object) -> Any:
        """Return the answer to a request."""
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert not isinstance(answer, dict) or "error" not in answer, answer["error"]
        return answer

    def run(self, body: str) -> Any:
        """Return what statements of JavaScript return."""
        return self.ask(run=body)


@contextmanager
def running(script: Path, *arguments: str | Path) -> Iterator[Node]:
    """Yield a script that runs."""
    with subprocess.Popen(["node", script, *arguments], stdin=-1, stdout=-1, text=True, encoding="utf-8") as process:
        yield Node(process)
        process.communicate()


def program(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise PeerMissing(f"{name} is not on PATH: install Node.js 20.19 or newer, or set {OPT_OUT}=1 to skip")
    return path


def installed(source: Path, *scripts: str) -> Path:
    """Return a folder with the packages that the package-lock.json of a folder pins by hash, installed by npm.

    The folder's name is the hash of its inputs, and it appears atomically, since tests run in parallel. It contains the
    scripts because Node resolves imports from a script's own folder.
    """
    contents = {name: (source / name).read_bytes() for name in ("package.json", "package-lock.json", *scripts)}
    folder = _FOLDER / sha256(b"\0".join(contents.values())).hexdigest()[:16]
    if folder.is_dir():
        return folder
    _FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=_FOLDER, ignore_cleanup_errors=True) as temporary:
        work = Path(temporary) / "work"
        work.mkdir()
        for name, content in contents.items():
            (work / name).write_bytes(content)
        command = [program("npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        done = subprocess.run(command, cwd=work, capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False)
        if done.returncode:
            raise PeerMissing(f"npm could not install {source.name}'s packages; set {OPT_OUT}=1 to skip\n{done.stderr}")
        try:
            work.rename(folder)
        except OSError:
            if not folder.is_dir():  # otherwise another process created it first
                raise
    return folder
