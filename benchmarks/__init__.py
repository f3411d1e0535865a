"""Benchmarks: how fast, large and accurate the package is beside its peers. README.md says how and what."""

import tomllib
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

#: What users call, on which inputs; the letters of languages, and the encodings of their texts; how other packages are
#: called. See the files.
DOORS, DATA, CONTENDERS = (
    tomllib.loads((Path(__file__).parent / name).read_text("utf-8"))
    for name in ("doors.toml", "languages.toml", "contenders.toml")
)
#: Encoding → Python's closest codec.
CODECS: dict[str, str] = CONTENDERS["codecs"]
#: The page of drawn text.
TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent / "templates"), undefined=StrictUndefined)
