"""The build compiles a module again for the headers that it includes, as the compiler itself lists them."""

from __future__ import annotations

import re
import sysconfig
from pathlib import Path

import extensions
import pytest

from tests.compiler import compile_or_fail
from tests.programs import ROOT


@pytest.mark.parametrize("source", extensions.sources(), ids=str)
def test_a_module_depends_on_what_it_includes(source: Path, tmp_path: Path) -> None:
    found = {path for path in extensions.dependencies(source) if path.suffix == ".h"}
    cython = [source, *(path for path in extensions.dependencies(source) if path.suffix in (".pxd", ".pxi"))]
    included = [name for path in cython for name in extensions.INCLUDED.findall((ROOT / path).read_text("utf-8"))]
    externs = [name for name in included if not name.endswith(".pxi")]
    file = tmp_path / "includes.c"
    file.write_text("".join(f'#include "{name}"\n' for name in externs))
    folders = [*(ROOT / folder for folder in extensions.INCLUDE), sysconfig.get_path("include")]
    compile_or_fail("-MM", "-MF", str(tmp_path / "rule"), *(f"-I{folder}" for folder in folders), str(file))
    _, _, rule = (tmp_path / "rule").read_text(encoding="utf-8").replace("\\\n", " ").partition(": ")
    words = re.findall(r"(?:\\.|[^\s\\])+", rule)  # a space in a path is behind a backslash
    named = [Path(re.sub(r"\\(.)", r"\1", word)).resolve() for word in words]
    assert found == {path.relative_to(ROOT) for path in named if path.is_relative_to(ROOT)}


def test_modules_without_kernels_do_not_depend_on_them() -> None:
    kernels = Path("src") / "native" / "kernels"
    users = {path.stem for path in extensions.sources() if any(
        header.is_relative_to(kernels) for header in extensions.dependencies(path)
    )}  # fmt: skip
    assert not users & {"prescan"}
