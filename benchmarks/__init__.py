"""Benchmarks: how fast, large and accurate the package is beside its peers. README.md says how and what."""

import tomllib
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

#: What the rows measure and must reach; the letters of languages, and the encodings of their texts; what users call,
#: on which inputs. See the files.
ROWS, DATA, DOORS = (
    tomllib.loads((Path(__file__).parent / name).read_text("utf-8"))
    for name in ("rows.toml", "languages.toml", "doors.toml")
)
#: The texts around the tables, and the page of drawn text.
TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent / "templates"), undefined=StrictUndefined)
