"""Write the manual page and the completions of the command line: ``python build/command_line.py FOLDER``.

Below the folder, files stand as below ``/usr/share``, where ``man`` and the shells look for those of a program in
``/usr/bin``; of an installed wheel, they look beside the folder of the programs. argparse-manpage and shtab write them
from the parser, which is imported without the compiled modules: those may be for another machine.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import description

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "whatwg_encoding"
NAMES = ("whatwg-encoding", "wenc")
MANUAL = "man/man1/{}.1"
COMPLETIONS = {
    "bash": "bash-completion/completions/{}",
    "zsh": "zsh/site-functions/_{}",
    "fish": "fish/vendor_completions.d/{}.fish",
}


class NamedEncoding:
    """An encoding of which only the name is known."""

    def __init__(self, name: str) -> None:
        self.name = name.replace("_", "-")


class StandIn(ModuleType):
    """A module whose constants are encodings. Modules of a package are none of them."""

    Encoding = NamedEncoding

    def __getattr__(self, name: str) -> NamedEncoding:
        if name.startswith("__") or (ROOT / "src" / PACKAGE / f"{name}.py").exists():
            raise AttributeError(name)
        return NamedEncoding(name)


def command_line() -> Any:
    """Import the command line with stand-ins for the compiled modules and for what is generated."""
    package = StandIn(PACKAGE)
    package.__path__ = [str(ROOT / "src" / PACKAGE)]
    sys.modules[PACKAGE] = package
    for name in ("_native.core", "_labels", "sniff", "standard"):
        sys.modules[f"{PACKAGE}.{name}"] = StandIn(name)
    # The options of hints have their texts.
    vars(sys.modules[f"{PACKAGE}.sniff"])["ENCODING_HINTS"] = import_module(f"{PACKAGE}._sniff").ENCODING_HINTS
    return import_module(f"{PACKAGE}._cli")


def labels() -> list[str]:
    """Return the labels of all encodings."""
    header = (ROOT / "generated" / "encodings.h").read_text(encoding="utf-8")
    return re.findall(r'^    \{"([^"]+)", [0-9]+\},$', header, re.M)


def actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the options and operands of a parser and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from actions(command)


def completion(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the completion for a shell."""
    import shtab

    # In zsh a colon that is not escaped would end the list.
    encodings = [label.replace(":", r"\:") if shell == "zsh" else label for label in labels()]
    values = {
        "LABEL": encodings,
        "KIND": ["crawl", "html", "xml", "css", "script", "text"],
        "MODE": ["html", "drop", "fail"],
    }
    for action in actions(parser):
        if action.metavar in ("FILE", "FOLDER"):
            vars(action)["complete"] = shtab.FILE if action.metavar == "FILE" else shtab.DIRECTORY
        elif isinstance(action.metavar, str) and action.choices is None:
            action.choices = values.get(action.metavar)
            if getattr(action.type, "__name__", "") == "source":
                action.choices = ["auto", *encodings]
    return str(shtab.complete(parser, shell=shell))


def manual(parser: argparse.ArgumentParser, sections: dict[str, str], version: str) -> str:
    """Return the manual page, with a section for each text."""
    from argparse_manpage.manpage import Manpage  # type: ignore[import-untyped, unused-ignore]

    parser.epilog = None
    page = Manpage(parser)
    page.date = ""  # so that the same files give the same bytes
    page.source = f"{parser.prog} {version}"
    page.manual = "User Commands"
    page.description = "decode, encode and explain text as web browsers do"
    for heading, text in sections.items():
        page.add_section(heading, "=", "\n".join([".nf", text.strip("\n").replace("\\", "\\e"), ".fi"]))
    return re.sub(r"^'", r"\\&'", str(page), flags=re.M)  # at the start of a line it would be troff's


def write(folder: Path) -> list[Path]:
    """Write all files below a folder and return their paths."""
    cli = command_line()
    outcomes = import_module(f"{PACKAGE}._cli.recode").OUTCOMES
    sections = dict(re.findall(r"^([a-z ]+):\n((?:(?:  .*)?\n)+)", outcomes + cli.EXIT_STATUS, re.M))
    files = {MANUAL.format(NAMES[0]): manual(cli.parser(), sections, description.version())}
    for name in NAMES[1:]:
        files[MANUAL.format(name)] = f".so man1/{NAMES[0]}.1\n"
    for name in NAMES:
        for shell, place in COMPLETIONS.items():
            files[place.format(name)] = completion(cli.parser(name), shell)
    for place, content in files.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8", newline="\n")
    return [folder / place for place in files]


if __name__ == "__main__":
    write(Path(sys.argv[1]))
