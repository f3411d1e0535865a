"""The invariants of the table of contexts, and its rendering."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator import contexts
from generator.render import render

SOURCE = (contexts.DATA / contexts.CSV).read_text(encoding="utf-8")


def changed(**cells: str) -> Callable[[str], str]:
    """Return the table with other cells in the row of html-parser."""

    def change(text: str) -> str:
        lines = text.splitlines(keepends=True)
        columns = list(contexts.COLUMNS)
        row = next(index for index, line in enumerate(lines) if line.startswith("3,html-parser,"))
        values = dict(zip(columns, lines[row].rstrip("\n").split(","), strict=True)) | cells
        lines[row] = ",".join(f'"{values[column]}"' if values[column] else "" for column in columns) + "\n"
        return "".join(lines)

    return change


def test_the_table_is_valid() -> None:
    assert len(contexts.parse(SOURCE)) == 50
    assert contexts.parse(changed()(SOURCE)) == contexts.parse(SOURCE)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("id,", "name,", 1), "the columns are"),
        (lambda text: text.replace("3,html-parser,", "3,html-parser,,", 1),
         "row 3 ('html-parser') does not have 17 cells"),
        (lambda text: text + "51,x\n", "row 51 ('x') does not have 17 cells"),
        (changed(n="4"), "n is '4', not 3"),
        (changed(id="HTML"), "id is not lowercase"),
        (changed(id="x-"), "id is not lowercase"),
        (changed(id="textdecoder"), "another row has this id"),
        (changed(error_mode="html"), "error_mode is 'html', not one of '', 'replacement'"),
        (changed(error_mode=""), "'decode' requires an error_mode"),
        (changed(determination=""), "'decode' requires a determination"),
        (changed(determination="magic"), "determination is 'magic'"),
        (changed(bom="keep"), "bom is 'keep', which contradicts the operation 'decode'"),
        (changed(determination="xml"), "only the HTML parser changes the encoding"),
        (changed(spec_operation="isomorphic decode", bom=""), "has neither a determination"),
        (changed(comment="a\nb"), "comment contains a control character"),
    ],
)  # fmt: skip
def test_broken_tables(change: Callable[[str], str], message: str) -> None:
    with pytest.raises(contexts.ContextError, match=re.escape(message)):
        contexts.parse(change(SOURCE))


def test_rendered_text_is_data_only(tmp_path: Path) -> None:
    hostile = '\'""" \\ {{ 1 }} {% x %} \\u0041 # é'
    text = changed(comment=hostile.replace('"', '""'))(SOURCE)
    (tmp_path / contexts.CSV).write_text(text, encoding="utf-8")
    module = ast.parse(render("contexts.py.j2", contexts.template_context(tmp_path)))
    strings = {node.value for node in ast.walk(module) if isinstance(node, ast.Constant)}
    assert hostile in strings
    namespace: dict[str, Any] = {}
    exec(compile(module, "contexts", "exec"), namespace)
    emitted = [row._asdict() for row in namespace["CONTEXTS"].values()]
    expected = [{**row, "n": int(row["n"])} for row in contexts.load(tmp_path)]
    for row in expected:
        del row["context_ja"]  # the names of its source stay in data/
    assert emitted == expected
