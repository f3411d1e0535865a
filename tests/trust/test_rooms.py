"""The rooms of the package and of src/native: the contracts of pyproject.toml, and C that needs no Python.h."""

from __future__ import annotations

import ast
import graphlib
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.compiler import compile_or_fail
from tests.programs import ROOT, run

PACKAGE = ROOT / "src" / "whatwg_encoding"
NATIVE = ROOT / "src" / "native"
#: All of the rooms but the kernels, which these include; and but parts of others, which say what to define before them.
HEADERS = sorted(
    str(path)
    for folder in ("columns", "detect", "engine")
    for path in (NATIVE / folder).glob("*.h")
    if path.name not in ("single_byte_costs.h", "decode_loop.h", "encode_loop.h")
)
#: Private in name alone: of argparse (for type hints), of named tuples, of `codecs.CodecInfo`, and of messages, as
#: `email.generator` reads it: the public method decodes it.
OF_PYTHON = {"_ActionsContainer", "_asdict", "_fields", "_is_text_encoding", "_payload", "_replace"}
INCLUDE = [
    *(f"-I{NATIVE / folder}" for folder in ("kernels", "engine", "columns", "detect")),
    *(f"-I{ROOT / folder}" for folder in ("generated", "src/whatwg_encoding/include")),
]


def test_a_room_imports_those_below_it_alone() -> None:
    program = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip("import-linter is not installed")
    run(program, "--no-cache", "--no-logo", cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT / "src")})


def private_names(file: Path) -> Iterator[str]:
    """Yield the private names that a module imports of others of the package, or takes as attributes of anything.

    An attribute may be one that the module itself defines, or one of `OF_PYTHON`.
    """
    tree = ast.parse(file.read_text("utf-8"))
    own = {*OF_PYTHON}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            own.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            own |= {node.attr} if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls") else set()
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__slots__":
            own |= set(ast.literal_eval(node.value))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").startswith("whatwg_encoding")):
            yield from (
                f"{node.module}.{each.name}"
                for each in node.names
                if is_private(each.name) and not is_module(file, node, each.name)
            )
        elif isinstance(node, ast.Attribute) and is_private(node.attr) and node.attr not in own:
            yield ast.unparse(node)


def is_private(name: str) -> bool:
    return name.startswith("_") and not (name.startswith("__") and name.endswith("__"))


def is_module(file: Path, node: ast.ImportFrom, name: str) -> bool:
    """Return whether what a statement imports is a module, which a file of the package or of generated/ has."""
    parts = (node.module or "").split(".") if node.module else []
    base = file.parents[node.level - 1] if node.level else PACKAGE.parent
    path = base.joinpath(*parts, name)
    is_emitted = path.parent == PACKAGE and (ROOT / "generated" / f"{name.removeprefix('_')}.py").exists()
    return path.is_dir() or is_emitted or any(path.with_name(name + end).exists() for end in (".py", ".pyx"))


def test_no_module_uses_a_private_name_of_another() -> None:
    files = sorted(PACKAGE.rglob("*.py"))
    assert {str(file.relative_to(PACKAGE)): names for file in files if (names := [*private_names(file)])} == {}


def test_a_private_name_of_another_module_is_found(tmp_path: Path) -> None:
    file = PACKAGE / "urls.py"
    program = "from . import _labels, mime\nfrom .mime import _x, parse\nmime._y\nmime.__doc__\n_labels.LABELS\n"
    program += "self._own = parse\nother._own\nparse()._z\nparse()._replace()"
    copy = tmp_path / file.name
    copy.write_text(program)
    (tmp_path / "mime.py").touch()
    (tmp_path / "_labels.py").touch()
    assert [*private_names(copy)] == ["mime._x", "mime._y", "parse()._z"]


def test_a_folder_of_the_package_is_no_crowd() -> None:
    folders = {file.parent for file in PACKAGE.rglob("*") if file.is_file() and file.suffix != ".pyc"}
    sizes = {str(folder): sum(path.is_file() for path in folder.iterdir()) for folder in folders}
    assert {folder: size for folder, size in sizes.items() if size > 16} == {}
    assert len(sizes) > 12


def test_native_code_needs_no_python(tmp_path: Path) -> None:
    """All headers compile with no Python.h in their include path."""
    source = tmp_path / "headers.c"
    source.write_text("".join(f'#include "{header}"\n' for header in HEADERS))
    flags = ("-std=gnu11", "-fsyntax-only", "-DWHATWG_ENCODING_NO_PYTHON=", "-DWE_API_DETECT=NULL")
    compile_or_fail(*flags, *INCLUDE, str(source))


def test_no_header_includes_python() -> None:
    assert not [path for path in NATIVE.rglob("*.[ch]") if re.search(r"#\s*include\s*[<\"]Python", path.read_text())]


def test_each_shape_of_kernels_has_the_same_head() -> None:
    """kernels.h describes it and is what others include; a file of a level includes none of a level above."""
    above = {"scalar.h": {"avx2.h", "avx512.h"}, "vector_16.h": {"avx2.h", "avx512.h"}, "avx2.h": {"avx512.h"}}
    dispatch = (NATIVE / "kernels" / "dispatch.h").read_text()
    shapes = [folder for folder in (NATIVE / "kernels").iterdir() if folder.is_dir()]
    assert len(shapes) == 6
    for shape in shapes:
        assert (shape / "kernels.h").exists()
        assert f'#include "{shape.name}/kernels.h"' in dispatch
        for file in shape.glob("*.h"):
            included = re.findall(r'#include "\w+/(\w+\.h)"', file.read_text())
            assert not {*included} & above.get(file.name, set()), file


def test_the_generator_has_no_circle() -> None:
    grimp = pytest.importorskip("grimp")
    graph = grimp.build_graph("generator", cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(imports) > 40
    assert [*graphlib.TopologicalSorter(imports).static_order()]


#: The names of Python modules that compiled ones look up when they are used: methods and messages that Python writes.
FROM_ABOVE = {"_api.results: Decoded", "_codecs: codec_info"} | {
    f"_codecs.names: {name}" for name in ("lookup_codec", "python_codec", "suggestion")
}


def test_a_compiled_module_imports_those_below_it_alone() -> None:
    rooms = ["text", "determination", "columns"]
    room_of = {file.stem: file.parent.name for room in rooms for file in (PACKAGE / "_native" / room).glob("*.pyx")}
    from_above = set()
    for file in (each for each in (PACKAGE / "_native").rglob("*.p??") if each.suffix != ".pyi"):
        room = file.relative_to(PACKAGE / "_native").parts[0]
        imports = re.findall(r"^( *)from whatwg_encoding\.([\w.]+) c?import (\w+)", file.read_text(), re.M)
        for indent, module, name in imports:
            other = module.removeprefix("_native.").partition(".")[0]
            other = room_of.get(other, other)
            if other in rooms:
                assert room == "capi.pyx" or rooms.index(other) <= rooms.index(room), file
            elif module != "_labels":
                assert indent, file  # on use, not with the module
                from_above.add(f"{module}: {name}")
    assert from_above == FROM_ABOVE
