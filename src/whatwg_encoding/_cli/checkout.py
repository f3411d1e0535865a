"""What a checkout of the project adds to ``whatwg-encoding inspect``: the standard's steps and their source locations.

The steps come from the reference in tests/reference, which is not part of the package. A checkout is used if the
package runs in its virtual environment (``.venv`` in the checkout's folder) or if ``--checkout`` names it.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

NO_CHECKOUT = (
    "the steps are only in a checkout of the project: run the command in the environment that `make build` sets up "
    "there, or name the folder with --checkout"
)

_FILES = ("tests/reference/steps.py", "generator/locations.py", "generated/MANIFEST.json")


class Place(NamedTuple):
    """A step, its locations, and the kernel for its common case. What does not exist is the empty string."""

    name: str
    text: str
    reference: str
    template: str
    generated: str
    kernel: str


class Call(NamedTuple):
    """What a handler of the reference did with one byte or code point, None at end-of-queue."""

    position: int
    item: int | None
    places: tuple[Place, ...]
    lookups: tuple[str, ...]
    result: str


class Checkout:
    """The modules of a checkout that know the steps."""

    def __init__(self, root: Path) -> None:
        if not all((root / file).is_file() for file in _FILES):
            raise ValueError(f"{root} is not a checkout of the project: {NO_CHECKOUT}")
        self.root = root.resolve()
        self._places: dict[tuple[str, Any, str], Place] = {}
        self._steps: Any = self._reference("steps")
        sys.path.insert(0, str(self.root))
        try:
            self._locations: Any = importlib.import_module("generator.locations")
        finally:
            sys.path.remove(str(self.root))

    def _reference(self, module: str) -> Any:
        """Import a module of tests/reference under a separate package name, since `tests` may be another package."""
        package = "whatwg_encoding_reference"
        if package not in sys.modules:
            folder = self.root / "tests" / "reference"
            spec = importlib.util.spec_from_file_location(
                package, folder / "__init__.py", submodule_search_locations=[str(folder)]
            )
            assert spec is not None
            assert spec.loader is not None
            sys.modules[package] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(sys.modules[package])
        return importlib.import_module(f"{package}.{module}")

    def decoding(self, name: str, data: bytes) -> Iterator[Call]:
        """Yield what the decoder does with each byte."""
        return self._calls(name, self._steps.trace_decoder(name, data), "decode")

    def encoding(self, name: str, text: str) -> Iterator[Call]:
        """Yield what the encoder does with each code point."""
        return self._calls(name, self._steps.trace_encoder(name, text), "encode")

    def test(self, name: str, length: int | None, *, escaped: bool = False) -> str | None:
        """Return the test that covers byte sequences of a length, or the encoder if it is None, as pytest's node id."""
        module = next(self._steps.algorithms(name)).__module__.rpartition(".")[2]
        found: str | None = self._locations.covering_test(name, module, length, escaped=escaped)
        return found

    def _calls(self, name: str, calls: Any, direction: str) -> Iterator[Call]:
        for call in calls:
            item = None if call.item is self._steps.END_OF_QUEUE else call.item
            lookups = tuple(map(_lookup, call.lookups))
            places = tuple([self._place(name, step, direction) for step in call.steps])
            yield Call(call.position, item, places, lookups, self._result(call, is_decoder=direction == "decode"))

    def _place(self, name: str, step: Any, direction: str) -> Place:
        key = name, step, direction
        if key not in self._places:
            file = Path(step.file).resolve().relative_to(self.root).as_posix()
            template = self._locations.in_template(name, str(step)) or ""
            generated, kernel = self._locations.in_generated(name, str(step), direction) or ("", "")
            self._places[key] = Place(str(step), step.text, f"{file}:{step.line}", template, generated, kernel)
        return self._places[key]

    def _result(self, call: Any, *, is_decoder: bool) -> str:
        if call.output:
            return " ".join(f"U+{value:04X}" if is_decoder else f"{value:02X}" for value in call.output)
        if type(call.result).__name__ == "Error":
            code_point = call.result.code_point
            return "error" if code_point is None else f"error with U+{code_point:04X}"
        return str(call.result.value)


def _lookup(lookup: Any) -> str:
    pointer = "null" if lookup.pointer is None else lookup.pointer
    code_point = "null" if lookup.code_point is None else f"U+{lookup.code_point:04X}"
    return f"index {lookup.index}: pointer {pointer}, code point {code_point}"


def find() -> Checkout | None:
    """Return the checkout whose virtual environment the package runs in, None if there is none."""
    root = Path(sys.prefix).parent
    return Checkout(root) if all((root / file).is_file() for file in _FILES) else None
