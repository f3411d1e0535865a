"""Write programs as the modules of the compiled reference, `tests/reference/compiled`, which `machine` runs, too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise

from generator.model import STANDARD
from generator.spec.notation import TABLE, expression, lines, table
from generator.spec.program import Algorithm, IndexSingleByte, Programs, Statement, walk


def class_name(anchor: str) -> str:
    """Return the name of a class: ``shift_jis-decoder`` gives ``ShiftJisDecoder``."""
    return "".join(part.capitalize() for part in anchor.replace("_", "-").split("-"))


def function_name(anchor: str) -> str:
    return anchor.replace("-", "_")


def chapter_name(algorithm: Algorithm) -> str:
    """Return the module of an algorithm's chapter: ``legacy-multi-byte-japanese-encodings`` gives ``japanese``."""
    if algorithm.chapter == "the-encoding":
        return "utf_8"
    name = algorithm.chapter
    for affix in ("legacy-", "multi-byte-"):
        name = name.removeprefix(affix)
    return name.removesuffix("-encodings").replace("(", "").replace(")", "").replace("-", "_")


def source(algorithm: Algorithm, *, is_traced: bool = False) -> str:
    """Return an algorithm as Python, empty if it is another one; traced, it calls ``took`` with each step it takes."""
    if algorithm.base:
        return ""
    rows = table(algorithm)
    lines = []
    if rows is not None:
        written_rows = [
            f"    0x{key:04X}: [{', '.join(f'0x{item:02X}' for item in items)}]," for key, items in rows.entries
        ]
        lines += [f"{TABLE} = {{", *written_rows, "}", "", ""]
    link = f'"""{STANDARD}#{algorithm.anchor}."""'
    written = _traced if is_traced else _commented
    if algorithm.kind == "operation":
        lines += [f"def {function_name(algorithm.anchor)}({algorithm.parameters[0]}: Any) -> Any:", f"    {link}"]
        return "\n".join([*lines, *written(algorithm.body, 1)]) + "\n"
    lines += [f"class {class_name(algorithm.anchor)}({algorithm.kind.capitalize()}):", f"    {link}", ""]
    needs_index = any(isinstance(node, IndexSingleByte) for node in walk(algorithm.body))
    if algorithm.members or needs_index:
        given = ", index_single_byte: Any" if needs_index else ""
        lines.append(f"    def __init__(self{given}) -> None:")
        lines += ["        self.index_single_byte = index_single_byte"] * needs_index
        lines += [f"        self.{name}: Any = {expression(value)}" for name, value in algorithm.members]
        lines.append("")
    parameters = "".join(f", {name}: Any" for name in algorithm.parameters)
    lines.append(f"    def handler(self{parameters}) -> Any:")
    return "\n".join([*lines, *written(algorithm.body, 2)]) + "\n"


def _commented(body: Sequence[Statement], depth: int) -> Iterator[str]:
    """Yield the lines of statements with the number of each step above its first line."""
    seen = {""}
    for line in lines(body, depth):
        if line.step not in seen:
            seen.add(line.step)
            yield f"{'    ' * line.depth}# {line.step}"
        yield from _wrapped("    " * line.depth, line.text)


def _traced(body: Sequence[Statement], depth: int) -> Iterator[str]:
    """Yield the lines of statements, each of which calls ``took`` with the number of its step."""
    for line in lines(body, depth):
        indent, took = "    " * line.depth, f"took({line.step!r})"
        if line.text.endswith(":"):
            yield indent + line.text
            yield f"{indent}    {took}"
        else:
            yield f"{indent}{took}; {line.text}"


_WIDTH = 120


def _wrapped(indent: str, text: str) -> Iterator[str]:
    """Yield a statement; one that is too long, with a condition or an operand of its call on each line."""
    if len(indent) + len(text) <= _WIDTH:
        yield indent + text
        return
    if match := re.fullmatch(r"((?:el)?if )(.*):", text):
        head, inner, tail = f"{match[1]}(", match[2], "):"
    else:
        *_, opening = (at for at, depth in enumerate(_depths(text)) if depth == 1 and text[at] == "(")
        end = text.rindex(")")
        head, inner, tail = text[: opening + 1], text[opening + 1 : end], text[end:]
    yield indent + head
    depths = _depths(inner)
    places = [0, *(match.end() for match in re.finditer(r" (?=(?:and|or|\+) )", inner) if not depths[match.start()])]
    for start, stop in pairwise([*places, len(inner) + 1]):
        yield from _wrapped(f"{indent}    ", inner[start : stop - 1])
    yield indent + tail


def _depths(text: str) -> list[int]:
    """Return how many parentheses and brackets are open after each character."""
    return list(accumulate({"(": 1, "[": 1, ")": -1, "]": -1}.get(character, 0) for character in text))


_HEADER = '''\
"""The algorithms of a chapter of the standard, compiled from its text.

{anchor}

Emitted by `python -m generator emit` from data/algorithms.toml; do not edit. Comments are the numbers of steps.
"""

from __future__ import annotations

from typing import Any

{imports}
'''


def modules(programs: Programs) -> Mapping[str, str]:
    """Return the modules of the compiled reference by file name: one for each chapter, and the list of handlers."""
    chapters: dict[str, list[Algorithm]] = {}
    for algorithm in programs.values():
        chapters.setdefault(chapter_name(algorithm), []).append(algorithm)
    texts = {f"{name}.py": _module(members, programs) for name, members in chapters.items()}
    texts["__init__.py"] = _package(programs)
    return texts


_IMPORTED = (
    ("..indexes", ("INDEXES",)),
    ("..io_queue", ("END_OF_QUEUE", "in_range", "restore", "scalar_value_from_surrogates")),
    ("..processing", ("CONTINUE", "FINISHED", "Decoder", "Encoder", "Error")),
)


def _module(members: Sequence[Algorithm], programs: Programs) -> str:
    if sum(table(member) is not None for member in members) > 1:
        raise NotImplementedError(f"#{members[0].chapter} has two tables, but a module has one name for them")
    texts = [text for text in map(source, members) if text]
    whole = "\n".join(texts)
    operations = tuple(function_name(a.anchor) for a in programs.values() if a.kind == "operation" and a not in members)
    by_chapter = {chapter_name(a) for a in programs.values() if a.kind == "operation"}
    wanted = [*(((f".{name}"), operations) for name in sorted(by_chapter)), *_IMPORTED]
    imports = []
    for module, names in sorted(
        wanted, key=lambda wanted_module: (not wanted_module[0].startswith(".."), wanted_module[0])
    ):
        used = [name for name in names if re.search(rf"\b{name}\b", whole)]
        if used:
            imports.append(f"from {module} import {', '.join(sorted(used, key=_isort))}")
    head = _HEADER.format(anchor=f"{STANDARD}#{members[0].chapter}.", imports="\n".join(imports))
    return head + "\n\n" + "\n\n".join(texts)


def _isort(name: str) -> tuple[int, str]:
    """Sort names as the linter does: constants, classes, functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def _package(programs: Programs) -> str:
    handlers = [algorithm for algorithm in programs.values() if algorithm.kind != "operation"]
    imports: dict[str, list[str]] = {}
    for algorithm in handlers:
        if not algorithm.base:
            imports.setdefault(chapter_name(algorithm), []).append(class_name(algorithm.anchor))
    lines = [
        '"""The decoders and encoders of the standard, compiled from its text, by the lowercase name of the encoding.',
        "",
        "Emitted by `python -m generator emit` from data/algorithms.toml; do not edit.",
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Any",
        "",
        *(f"from .{module} import {', '.join(sorted(names))}" for module, names in sorted(imports.items())),
        "",
        "",
        "def _with(handler: Any, **members: Any) -> Any:",
        "    vars(handler).update(members)",
        "    return handler",
        "",
    ]
    for kind in ("decoder", "encoder"):
        lines += ["", f"{kind.upper()}S: dict[str, Any] = {{"]
        for algorithm in handlers:
            if algorithm.kind == kind and algorithm.encoding:
                lines.append(f'    "{algorithm.encoding}": {_factory(algorithm)},')
        lines.append("}")
    return "\n".join(lines) + "\n"


def _factory(algorithm: Algorithm) -> str:
    name = class_name(algorithm.base or algorithm.anchor)
    members = ", ".join(f"{member}={expression(value)}" for member, value in algorithm.members)
    return f"lambda: _with({name}(), {members})" if algorithm.base and members else name
