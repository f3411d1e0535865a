"""Each public function is a door that is counted or has a reason, and a door that becomes dearer is reported."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from fnmatch import filter as fnmatch_filter
from fnmatch import fnmatch

import pytest

import whatwg_encoding as we
from benchmarks import DOORS, OURS, count
from benchmarks.doors import Door, doors

ROWS = {door.name: door for door in doors()}


def called(door: Door) -> Iterator[object]:
    """Yield what the statements of a door call, and the names of methods of objects that only its run makes."""
    names: dict[str, object] = {"importlib": importlib}
    exec(f"{DOORS['imports'][OURS]}\n{door.setup}", names | dict(door.given), names)
    for node in ast.walk(ast.parse(f"{door.setup}\n{door.call}")):
        if isinstance(node, ast.Call | ast.Attribute):
            target = node.func if isinstance(node, ast.Call) else node
            try:
                yield eval(ast.unparse(target), names | dict(door.given))
            except (AttributeError, NameError):
                if isinstance(target, ast.Attribute):
                    yield target.attr


def public() -> Iterator[tuple[str, object]]:
    """Yield the public functions by their names, those of the package first."""
    modules = [module.name for module in pkgutil.iter_modules(we.__path__) if not module.name.startswith("_")]
    for name in ("", *modules):
        module = importlib.import_module(f"whatwg_encoding.{name}".rstrip("."))
        for member in getattr(module, "__all__", ()):
            value = getattr(module, member)
            if callable(value) and not isinstance(value, type):
                yield f"{name}.{member}".lstrip("."), value


def test_each_public_function_has_a_row_or_a_reason() -> None:
    measured = {id(value) if callable(value) else value for door in ROWS.values() for value in called(door)}
    missing = [name for name, value in public() if id(value) not in measured and name.split(".")[-1] not in measured]
    reasons = [pattern for patterns in DOORS["not measured"].values() for pattern in patterns]
    assert [name for name in missing if not any(fnmatch(name, pattern) for pattern in reasons)] == []
    assert [pattern for pattern in reasons if not fnmatch_filter(missing, pattern)] == []


def test_each_door_has_one_row_of_counts() -> None:
    assert len(ROWS) >= 120
    assert list(count.read()[1]) == list(ROWS)
    assert len(ROWS) / 4 < sum(door.is_in_part for door in ROWS.values()) < len(ROWS) / 2


@pytest.mark.parametrize("door", [door for door in ROWS.values() if not door.is_first], ids=lambda door: door.name)
def test_each_call_runs(door: Door) -> None:
    exec(f"{DOORS['imports'][OURS]}\n{door.setup}\n{door.call}", dict(door.given))


def test_a_door_that_is_dearer_by_more_than_the_tolerance_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    before = {"level": 1000, "dearer": 1000, "cheaper": 1000, "gone": 1000}
    assert count.compared(before, {"level": 1029, "dearer": 1031, "cheaper": 960, "new": 7}) == ["dearer"]
    shown = capsys.readouterr().out
    assert "1,000 →        1,031    +3.1%  dearer" in shown
    assert "-4.0%  cheaper" in shown
    assert "level" not in shown
