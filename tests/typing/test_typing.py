"""What pyright says of the package, and that what type checkers read lists what there is at runtime."""

from __future__ import annotations

import ast
import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

import whatwg_encoding as we
from whatwg_encoding._sniff import hints as _hints

HERE = Path(__file__).parent
PACKAGE = Path(we.__file__).parent
WITHOUT_NODE = "WHATWG_ENCODING_WITHOUT_NODE"


@pytest.mark.skipif(bool(os.environ.get(WITHOUT_NODE)), reason=f"{WITHOUT_NODE} is set: no pyright")
@pytest.mark.repeated  # make lint has mypy
def test_pyright_accepts_the_program_and_finds_every_mistake(tmp_path: Path) -> None:
    config = {"typeCheckingMode": "strict", "reportUnnecessaryTypeIgnoreComment": "error"}
    config |= {"extraPaths": [str(PACKAGE.parent)], "reportMissingModuleSource": False}  # type: ignore[dict-item]
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(config))
    for name in ("program.py", "mistakes.py"):
        shutil.copy(HERE / name, tmp_path)
    command = (sys.executable, "-m", "pyright", "--pythonpath", sys.executable, str(tmp_path))
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300, check=False)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}; set {WITHOUT_NODE}=1 to skip"


@pytest.mark.skipif(bool(os.environ.get(WITHOUT_NODE)), reason=f"{WITHOUT_NODE} is set: no pyright")
def test_all_that_is_public_has_a_type(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    command = (sys.executable, "-m", "pyright", "--verifytypes", "whatwg_encoding", "--ignoreexternal", "--outputjson")
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=300)
    report = json.loads(result.stdout)["typeCompleteness"]
    unknown = [symbol["name"] for symbol in report["symbols"] if symbol["isExported"] and not symbol["isTypeKnown"]]
    assert (unknown, report["completenessScore"]) == ([], 1)
    # It has found the public names.
    symbols = {symbol["name"].removeprefix("whatwg_encoding.") for symbol in report["symbols"]}
    homes = {"": we.__all__, "standard.": we.standard.__all__, "contexts.": we.contexts.__all__}
    public = {home + name for home, names in homes.items() for name in names}
    modules = {"arrow", "contexts", "mail", "mime", "sniff", "standard", "urls"}
    assert {name for name in public - modules if name.partition(".")[2] not in public} <= symbols


def hints_of(name: str) -> dict[str, object]:
    return dict(vars(_hints)[name].__annotations__)


def without_hints() -> str:
    """Return the type of the contexts that take no hints, which is for type checkers alone, as it is emitted."""
    source = (PACKAGE / "_contexts.py").read_text(encoding="utf-8")
    return source.partition("OtherContext: TypeAlias = Literal[")[2].partition("]")[0]


@pytest.mark.parametrize("context", [row for row in we.CONTEXTS.values() if row.determination or row.spec_operation])
def test_the_hints_of_a_context_have_types(context: we.DecodeContext) -> None:
    """The overloads list every context that takes hints, each with exactly its hints."""
    with pytest.raises(TypeError) as raised:
        we.decode_as(context.id, b"", no_such_hint=None)
    listed = str(raised.value).rpartition(": ")[2]
    taken = set() if listed == "none" else set(listed.split(", "))
    named = [
        alias.removesuffix("Context")
        for alias, value in vars(_hints).items()
        if alias.endswith("Context") and context.id in get_args(value)
    ]
    assert (f'"{context.id}"' in without_hints()) == (not taken)
    assert [set(hints_of(f"{alias}Hints")) for alias in named] == [taken] * bool(taken)


def test_the_stub_of_the_package_has_its_names() -> None:
    """A type checker finds each where it is loaded from, which is its module's ``__all__`` or named."""
    named = {}
    for statement in ast.parse((PACKAGE / "__init__.pyi").read_text()).body:
        if isinstance(statement, ast.ImportFrom):
            home = statement.module or ""
            for alias in statement.names:
                names = (
                    importlib.import_module(f"whatwg_encoding.{home}").__all__ if alias.name == "*" else [alias.name]
                )
                named.update(dict.fromkeys(names, home))
    lazy = {name: home for name, home in we._HOMES.items() if not name.startswith("_")}
    assert named.keys() == {*we.__all__, *lazy} - {"get_include"}
    assert {name: named[name] for name in lazy} == lazy
    assert len(we.__all__) == len(set(we.__all__))


def test_stubs_are_of_what_is_there(tmp_path: Path) -> None:
    # The compiled halves of Decoder and Encoder are private, and Cython stores doctests in __test__.
    (tmp_path / "allowed").write_text(
        "whatwg_encoding\\._native\\.core\\.(DecoderMachine|EncoderMachine|Encoding\\.__new__|__test__)\n"
    )
    module = "whatwg_encoding._native.core"
    command = (sys.executable, "-m", "mypy.stubtest", "--concise", "--allowlist", "allowed", module)
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=300, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
