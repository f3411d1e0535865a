"""Call the npm package @exodus/bytes, an independent implementation of the standard, from Python."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from tests.node import installed, program

_SCRIPT = "exodus_bytes.mjs"


class ExodusBytes:
    """A Node process that answers requests until it is closed."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [program("node"), _SCRIPT],
            cwd=installed(Path(__file__).parent, _SCRIPT),
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
        return [bytes.fromhex(answer) for answer in self._ask(encode=label, inputs=list(inputs))]

    def names(self, labels: Sequence[str]) -> list[str | None]:
        return cast(list[str | None], self._ask(name=list(labels)))
