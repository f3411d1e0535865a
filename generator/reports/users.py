"""Find the modules of the package that name an encoding, which a person has to edit if the standard removes it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from generator.model import ROOT

PACKAGE = ROOT / "src" / "whatwg_encoding"


def of_encoding(name: str, constant: str, package: Path = PACKAGE) -> list[str]:
    """Return the modules that import the constant of an encoding, or look it up by its name, in order."""
    users = []
    for path in sorted(package.rglob("*.py*")):
        if path.suffix == ".py":
            is_user = any(_names(node, name, constant) for node in ast.walk(ast.parse(path.read_bytes())))
        else:
            lines = path.read_text(encoding="utf-8").splitlines() if path.suffix == ".pyx" else ()
            is_user = any(re.search(rf"\b{constant}\b", line) for line in lines if ">>>" not in line)
        if is_user:
            users.append(path.relative_to(package.parents[1]).as_posix())
    return users


def _names(node: ast.AST, name: str, constant: str) -> bool:
    match node:
        case ast.alias(name=found) | ast.Attribute(attr=found):
            return found == constant
        case ast.Subscript(ast.Name("ENCODINGS") | ast.Attribute(attr="ENCODINGS"), ast.Constant(found)):
            return bool(found == name)
    return False
