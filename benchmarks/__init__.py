"""Benchmarks: how fast, large and accurate the package is beside its peers. README.md says how and what."""

import tomllib
from pathlib import Path

#: What users call, on which inputs; languages and their encodings; how other packages are called. See the files.
DOORS, DATA, CONTENDERS = (
    tomllib.loads((Path(__file__).parent / name).read_text("utf-8"))
    for name in ("doors.toml", "languages.toml", "contenders.toml")
)
#: Encoding → Python's closest codec.
CODECS: dict[str, str] = CONTENDERS["codecs"]
