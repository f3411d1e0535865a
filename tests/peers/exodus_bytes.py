"""Call the npm package @exodus/bytes, an independent implementation of the standard, from Python."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

_HERE = Path(__file__).parent
_FILES = ("package.json", "package-lock.json", "exodus_bytes.mjs")
_FOLDER = _HERE.parents[1] / "build" / "_out" / "peers"  # git-ignored
_INSTALL_SECONDS = 300

OPT_OUT = "WHATWG_ENCODING_WITHOUT_NODE"


class PeerMissing(Exception):
    """Raised if Node, npm or the package is missing; the message gives the remedy."""


def _program(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise PeerMissing(f"{name} is not on PATH: install Node.js 20.19 or newer, or set {OPT_OUT}=1 to skip")
    return path


def install() -> Path:
    """Return the folder of the package, installed by npm in the version that package-lock.json pins by hash.

    The folder's name is the hash of its inputs, and it appears atomically, since tests run in parallel. It contains the
    script because Node resolves imports from the script's own folder.
    """
    contents = {name: (_HERE / name).read_bytes() for name in _FILES}
    folder = _FOLDER / sha256(b"\0".join(contents.values())).hexdigest()[:16]
    if folder.is_dir():
        return folder
    _FOLDER.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=_FOLDER, ignore_cleanup_errors=True) as temporary:
        work = Path(temporary) / "work"
        work.mkdir()
        for name, content in contents.items():
            (work / name).write_bytes(content)
        command = [_program("npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        done = subprocess.run(command, cwd=work, capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False)
        if done.returncode:
            raise PeerMissing(f"npm could not install @exodus/bytes; set {OPT_OUT}=1 to skip\n{done.stderr}")
        try:
            work.rename(folder)
        except OSError:
            if not folder.is_dir():  # otherwise another process created it first
                raise
    return folder


class ExodusBytes:
    """A Node process that answers requests until it is closed."""

    def __init__(self) -> None:
        node = _program("node")
        self._process = subprocess.Popen(
            [node, "exodus_bytes.mjs"],
            cwd=install(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            errors="surrogatepass",
        )

    def __enter__(self) -> ExodusBytes:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _ask(self, **request: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"Node ended with exit code {self._process.wait()} on {str(request)[:200]}")
        return json.loads(answer)

    def decode(self, label: str, inputs: Sequence[bytes]) -> list[str]:
        """Return the text of each input in error mode "replacement", including a BOM."""
        return cast(list[str], self._ask(decode=label, inputs=[data.hex() for data in inputs], fatal=False))

    def decode_fatal(self, label: str, inputs: Sequence[bytes]) -> list[str | None]:
        """Return the text of each input in error mode "fatal", or None for an error."""
        return cast(list[str | None], self._ask(decode=label, inputs=[data.hex() for data in inputs], fatal=True))

    def decode_chunks(self, label: str, inputs: Sequence[Sequence[bytes]]) -> list[list[str]]:
        """Return the text of each chunk of each input, and then that of end-of-queue."""
        hexes = [[chunk.hex() for chunk in chunks] for chunks in inputs]
        return cast(list[list[str]], self._ask(stream=label, inputs=hexes))

    def encode(self, label: str, inputs: Sequence[str]) -> list[bytes]:
        """Return the bytes of each input in error mode "html"."""
        return [bytes.fromhex(answer) for answer in self._ask(encode=label, inputs=list(inputs))]

    def names(self, labels: Sequence[str]) -> list[str | None]:
        """Return the name of the encoding for each label, or None."""
        return cast(list[str | None], self._ask(name=list(labels)))
