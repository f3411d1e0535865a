"""Take the emitted handlers from Cython's C, so that they compile without Python.

Cython translates a chapter of ``generated/`` to C that is a module of Python. Its handlers are functions of C types
alone: they are copied as they are, with the includes, the loops and the codecs before them. The rest, which makes a
module of them, is left out. Only the library without Python is made this way, by the Cython release below. Text that is
not as expected, such as a handler that needs Python, raises `UnknownTextError`, which names it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

#: The release whose C this file can read. Wheels, which are built from Cython's C as it is, take newer ones, too.
CYTHON: Final = "3.3.1"


class UnknownTextError(Exception):
    """Cython's C or its source is not as expected."""


@dataclass(frozen=True)
class Chapter:
    """The C of a chapter's handlers, and its codecs: the C name of each by the name of its encoding."""

    name: str
    text: str
    codecs: dict[str, str]


#: What the copied functions need of what Cython defines before them.
DEFINITIONS: Final = """\
#define CYTHON_INLINE inline
#define CYTHON_UNUSED __attribute__((unused))
#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)
"""

_INCLUDES: Final = re.compile(r"^/\* Early includes \*/\n(.*?)^#ifdef _OPENMP$", re.MULTILINE | re.DOTALL)
_SECTION: Final = re.compile(r"^/\* #### Code section: (\w+) ### \*/\n", re.MULTILINE)
_COMMENT: Final = re.compile(r"\s*/\*.*?\*/|\s+", re.DOTALL)
_FUNCTION: Final = re.compile(
    r"static CYTHON_INLINE (?P<head>[^;{}]*?\b(?P<name>\w+)\([^;{}]*\)) \{\n.*?^\}\n", re.MULTILINE | re.DOTALL
)
_PYTHON: Final = re.compile(r"\b(?:__Pyx_|__PYX_|Py[A-Z]|__pyx_mstate|PYX_)\w*")
_CODEC: Final = re.compile(r"\bstatic const we_codec (\w+)_codec = ")
_LOOP: Final = re.compile(r"#define WE_NAME (\w+)\n(?:\s*#define \w+ \w+\n)*\s*#include \"(decode|encode)_loop\.h\"")
_CAPSULE: Final = re.compile(r'^    "([^"]+)": PyCapsule_New\(<void \*> &(\w+)_codec, ', re.MULTILINE)


def _fail(chapter: str, fault: str) -> UnknownTextError:
    return UnknownTextError(
        f"the handlers of {chapter} cannot be taken from Cython's C: {fault}. build/handlers.py knows the output of "
        f"Cython {CYTHON}"
    )


def _section(chapter: str, text: str, name: str) -> str:
    """Return one of the sections that Cython's comments delimit."""
    parts = _SECTION.split(text)
    contents = [content for title, content in zip(parts[1::2], parts[2::2], strict=True) if title == name]
    if len(contents) != 1:
        raise _fail(chapter, f"{len(contents)} sections are named {name}, expected one")
    return contents[0]


def _without_comments(text: str) -> str:
    return re.sub(r"\n\s*\n+", "\n", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))


def _functions(chapter: str, code: str) -> dict[str, tuple[str, str]]:
    """Return the head and the text of each function in a section of functions and comments."""
    functions: dict[str, tuple[str, str]] = {}
    at = 0
    while at < len(code):
        if skipped := _COMMENT.match(code, at):
            at = skipped.end()
            continue
        function = _FUNCTION.match(code, at)
        if function is None:
            line = code[at:].partition("\n")[0]
            raise _fail(chapter, f"{line!r} is not the beginning of a function of C types")
        text, name = _without_comments(function[0]), function["name"]
        if needed := _PYTHON.search(text):
            raise _fail(chapter, f"{name} needs {needed[0]}, which is of Python")
        functions[name] = (function["head"], text)
        at = function.end()
    return functions


def handlers(chapter: str, source: str, translated: str) -> Chapter:
    """Return the handlers of a chapter, given its ``.pyx`` and the C that Cython made of it."""
    includes = _INCLUDES.findall(translated)
    if len(includes) != 1:
        raise _fail(chapter, f"{len(includes)} places begin with 'Early includes', expected one")
    before = includes[0]
    codecs = dict(_CAPSULE.findall(source))
    if sorted(codecs.values()) != sorted(_CODEC.findall(before)) or not codecs:
        raise _fail(chapter, f"its codecs are {_CODEC.findall(before)}, and those of CODECS {list(codecs.values())}")
    functions = _functions(chapter, _section(chapter, translated, "module_code"))
    loops = _LOOP.findall(before)
    if len(loops) != before.count("_loop.h"):
        raise _fail(chapter, f"only the loops of {loops} were recognized")
    needed = {f"{name}_{direction}_{part}" for name, direction in loops for part in ("kernel", "item")}
    if missing := sorted(needed - functions.keys()):
        raise _fail(chapter, f"it has no function {missing[0]}")
    heads = "".join(f"static {head};\n" for head, _ in functions.values())
    texts = "\n".join(text for _, text in functions.values())
    shared = _CODEC.sub(r"const we_codec whatwg_encoding_codec_\1 = ", before)
    text = f"{DEFINITIONS}{shared}\n{heads}\n{texts}"
    return Chapter(chapter, text, {name: f"whatwg_encoding_codec_{codec}" for name, codec in codecs.items()})


def registry(chapters: list[Chapter]) -> str:
    """Return a header that declares the codecs and lists them with the names of their encodings."""
    codecs = {name: codec for chapter in chapters for name, codec in chapter.codecs.items()}
    declared = "".join(f"extern const we_codec {codec};\n" for codec in codecs.values())
    listed = "".join(f'    {{"{name}", &{codec}}},\n' for name, codec in codecs.items())
    return (
        "/* Written by build/library.py. */\n"
        f"{declared}\nstatic const struct {{\n    const char *name;\n    const we_codec *codec;\n}} we_codecs[] = "
        f"{{\n{listed}}};\n"
    )
