"""Describe the package's public names in Markdown: signatures and docstrings, for the pages of docs/reference."""

from __future__ import annotations

import ast
import enum
import inspect
import re
import types
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import whatwg_encoding as we

STUBS = Path(__file__).resolve().parent.parent / "src" / "whatwg_encoding" / "_native"
WIDTH = 100
ALIAS = re.compile(r"^ *(_[A-Z]\w*)(?:: TypeAlias)? = (Literal\[.*\])$", re.M)


def describe(words: str, level: int = 2) -> str:
    """Return the Markdown of names, separated by spaces, with headings of a level.

    ``mime`` is the text of a module, and ``mime.*`` are its public names.
    """
    return "\n".join(part for word in words.split() for part in _described(word, "#" * level))


def _described(path: str, marks: str) -> Iterator[str]:
    path, star, _ = path.partition(".*")
    value = resolve(path)
    if isinstance(value, types.ModuleType):
        if star:
            for name in value.__all__:
                yield from _described(f"{path}.{name}", marks)
        else:
            yield markdown(value.__doc__)
        return
    yield heading(marks, path)
    if isinstance(value, type):
        if not issubclass(value, BaseException | enum.Enum) and (text := signature(path, value)):
            yield text
        yield markdown(value.__doc__)
        for name, member in members(value):
            yield heading(f"{marks}#", f"{path.split('.')[-1]}.{name}")
            if callable(member):
                yield signature(name, member)
            yield markdown(inspect.getdoc(member))
    else:
        if callable(value):
            yield signature(path, value)
        yield markdown(value.__doc__)


def heading(marks: str, path: str) -> str:
    """Return the heading of a name, whose underscores are no emphasis."""
    return f"{marks} {path.replace('__', chr(92) + '_' + chr(92) + '_')}\n"


def resolve(path: str) -> object:
    """Return the object of a dotted path below the package."""
    value: object = we
    for name in path.split("."):
        value = getattr(value, name)
    return value


def members(value: type) -> Iterator[tuple[str, object]]:
    """Yield the documented public methods and properties of a class, also those of private classes that it extends."""
    classes = [base for base in value.__mro__ if base.__module__.startswith(we.__name__)]
    names = {name: None for base in classes for name in vars(base)}
    for name in names:
        member = next(vars(base)[name] for base in classes if name in vars(base))
        member = getattr(member, "__func__", member)
        text = getattr(member, "__doc__", None) or ""
        is_public = name == "__call__" or not name.startswith("_")
        is_described = callable(member) or inspect.isdatadescriptor(member)  # a plain value has its type's text
        # A named tuple's fields are described by its class.
        if (
            is_public
            and is_described
            and text
            and not text.startswith("Alias for field number ")
            and not isinstance(member, type)
        ):
            yield name, member


# -- Signatures --------------------------------------------------------------------------------------------------------


def signature(path: str, value: object) -> str:
    """Return the signature of a function or a class as a block of code, "" if it has none that can be written."""
    is_compiled = not inspect.isfunction(value)
    forms = [_of_stub(stub) for stub in _stubs().get(getattr(value, "__qualname__", ""), []) if is_compiled]
    if not forms:
        try:
            forms = [inspect.signature(value)]  # type: ignore[arg-type]
        except (TypeError, ValueError):
            return ""
    lines = []
    names = vars(inspect.getmodule(value) or we)
    for form in forms:
        parameters = [parameter for parameter in _parameters(form, names) if parameter not in ("self", "cls")]
        if parameters[:1] == ["/"]:  # after self
            del parameters[0]
        returns = "" if isinstance(value, type) else _annotation(form.return_annotation)
        arrow = f" -> {returns}" if returns else ""
        line = f"{path}({', '.join(parameters)}){arrow}"
        if len(line) > WIDTH:
            line = "\n    ".join([f"{path}(", *(f"{parameter}," for parameter in parameters)]) + f"\n){arrow}"
        lines.append(line)
    return "```py\n" + "\n".join(lines) + "\n```\n"


def _parameters(parsed: inspect.Signature, names: dict[str, object]) -> list[str]:
    """Return the parameters as they are written in a module with these names, with ``*`` before keywords only."""
    written = []
    kinds = [parameter.kind for parameter in parsed.parameters.values()]
    for n, parameter in enumerate(parsed.parameters.values()):
        if parameter.kind is parameter.KEYWORD_ONLY and not {parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL} & {
            *kinds[:n]
        }:
            written.append("*")
        stars = "*" * (parameter.kind is parameter.VAR_POSITIONAL) + "**" * (parameter.kind is parameter.VAR_KEYWORD)
        annotation = _annotation(parameter.annotation)
        text = stars + parameter.name + (f": {annotation}" if annotation else "")
        if parameter.default is not parameter.empty:
            text += (" = " if annotation else "=") + _literal(parameter.default, names)
        written.append(text)
        if parameter.kind is parameter.POSITIONAL_ONLY and parameter.kind not in kinds[n + 1 :]:
            written.append("/")
    return written


def _literal(value: object, names: dict[str, object]) -> str:
    """Return a default in the project's style of code: strings in double quotes, members and constants by name."""
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    text = repr(value)
    if text.startswith("<"):
        return next(name for name, constant in names.items() if constant is value)
    return text.replace("'", '"') if isinstance(value, str | bytes) and '"' not in text else text


def _annotation(annotation: object) -> str:
    """Return an annotation, which is a string, with private aliases written out; "" if there is none."""
    text = annotation if isinstance(annotation, str) else ""
    return re.sub(r"\b_[A-Z]\w*", lambda alias: _aliases().get(alias[0], alias[0]), text).replace("'", '"')


@cache
def _aliases() -> dict[str, str]:
    """Return what the private names of literal types stand for, which no page describes."""
    sources = [path for suffix in ("py", "pyi") for path in sorted(STUBS.parent.rglob(f"*.{suffix}"))]
    return {name: text for path in sources for name, text in ALIAS.findall(path.read_text(encoding="utf-8"))}


@cache
def _stubs() -> dict[str, list[ast.FunctionDef]]:
    """Return the functions of the compiled modules' stubs by their qualified names, each with its overloads."""
    functions: dict[str, list[ast.FunctionDef]] = {}
    for path in sorted(STUBS.glob("*.pyi")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            prefix = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
            for function in node.body if isinstance(node, ast.ClassDef) else [node]:
                if isinstance(function, ast.FunctionDef):
                    functions.setdefault((prefix + function.name).removesuffix(".__init__"), []).append(function)
    return functions


def _of_stub(stub: ast.FunctionDef) -> inspect.Signature:
    """Return the signature of a function of a stub, with its annotations as strings."""
    returns = f" -> {ast.unparse(stub.returns)}" if stub.returns else ""
    code = f"from __future__ import annotations\ndef stub({ast.unparse(stub.args)}){returns}: ..."
    scope: dict[str, types.FunctionType] = {}
    exec(compile(code, "stub", "exec"), scope)
    return inspect.signature(scope["stub"])


# -- Docstrings --------------------------------------------------------------------------------------------------------


def markdown(docstring: str | None) -> str:
    """Return a docstring in Markdown: its code in backticks, its examples in fences, its addresses as links."""
    text = inspect.cleandoc(docstring or "")
    blocks = []
    for block in re.split(r"\n\s*\n", text):
        if block.startswith(">>> "):
            blocks.append(f"```py\n{block}\n```")
        else:
            block = re.sub(r"``([^`]+)``", r"`\1`", block)
            blocks.append(re.sub(r"(?<![`<(])(https?://[^\s)>]+?)(?=[.,]?(?:\s|$))", r"<\1>", block))
    return "\n\n".join(blocks) + "\n"
