"""Benchmarks: how fast, large and accurate the package is beside its peers. README.md says how and what."""

import tomllib
from pathlib import Path

#: What users call, on which inputs; languages and their encodings; how other packages are called. See the files.
DOORS, DATA, CONTENDERS = (
    tomllib.loads((Path(__file__).parent / name).read_text("utf-8"))
    for name in ("doors.toml", "languages.toml", "contenders.toml")
)

OURS = "whatwg-encoding"
CPYTHON = "CPython"


def codec_of(name: str) -> str:
    """Return Python's closest codec to the encoding of this name, nothing if there is none."""
    codec: str = CONTENDERS["codecs"].get(name, name.lower().replace("windows-", "cp"))
    return codec
