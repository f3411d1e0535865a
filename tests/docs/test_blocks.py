"""Every code block of the README and of the documentation is run, or compared with its source.

The blocks of docs/recipes.md are run by tests/sniff/test_recipes.py against the libraries they are written for.
"""

from __future__ import annotations

import ast
import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sybil import Document, Example, Region
from sybil.evaluators.doctest import DocTestEvaluator
from sybil.example import SybilFailure
from sybil.parsers.abstract import DocTestStringParser
from sybil.parsers.markdown import CodeBlockParser

import whatwg_encoding as we
from tests.programs import ROOT
from tests.requirements import missing

TOP = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "templates/README.md", "data/README.md"]
TOP += ["benchmarks/README.md", "tests/README.md"]
PAGES = [*TOP, *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))]
ELSEWHERE = {"docs/recipes.md"}
#: Signatures and docstrings, whose examples tests/api/test_doctests.py runs.
REFERENCE = re.compile(r"^<!-- api: .*? -->\n.*?^<!-- end -->$", re.M | re.S)
FENCE = re.compile(
    r"^(?:<!-- from: (?P<source>\S+)(?: \S+)? -->\n)?```(?P<language>\S*)[^\n]*\n(?P<body>.*?)^```$", re.S | re.M
)


def blocks(page: str, language: str) -> list[re.Match[str]]:
    text = REFERENCE.sub("", (ROOT / page).read_text(encoding="utf-8"))
    return [block for block in FENCE.finditer(text) if block["language"] == language]


@pytest.fixture(autouse=True)
def _codecs_as_they_were() -> object:
    yield
    we.unregister_codecs()


def run_with_results(example: Example) -> None:
    """Run the block. Each expression has to equal the literal in the comment after it."""
    code = example.parsed
    for statement in ast.parse(code, example.path).body:
        line = code.splitlines()[(statement.end_lineno or 1) - 1]
        literal = re.search(r"  #\s*(b?'(?:[^'\\]|\\.)*'|\d+\b)", line)
        ast.increment_lineno(statement, example.line)  # to that on the page, which a failure shows
        if isinstance(statement, ast.Expr) and literal:
            value = eval(compile(ast.Expression(statement.value), example.path, "eval"), example.namespace)
            assert value == ast.literal_eval(literal[1]), f"{example.path}:{statement.lineno}: {line}: it is {value!r}"
        else:
            exec(compile(ast.Module([statement], []), example.path, "exec", dont_inherit=True), example.namespace)


class SessionParser:
    """Return the prompts of `pycon` blocks, each an example whose output must match the block."""

    def __init__(self) -> None:
        self.blocks = CodeBlockParser("pycon", lambda example: None)
        self.prompts = DocTestStringParser(DocTestEvaluator(doctest.ELLIPSIS))

    def __call__(self, document: Document) -> Iterator[Region]:
        for block in self.blocks(document):
            for prompt in self.prompts(block.parsed, document.path):
                prompt.adjust(block, block.parsed)
                yield prompt


def evaluate(path: Path) -> int:
    """Return the number of Python examples on a page; each of them is run."""
    examples = list(Document.parse(str(path), CodeBlockParser("python", run_with_results), SessionParser()).examples())
    for example in examples:
        example.evaluate()
    return len(examples)


@pytest.mark.parametrize("page", [page for page in PAGES if page not in ELSEWHERE])
def test_python(page: str) -> None:
    expected = len(blocks(page, "python")) + sum(block["body"].count(">>> ") for block in blocks(page, "pycon"))
    assert evaluate(ROOT / page) == expected


def line_of(page: str, text: str) -> int:
    before, _, _ = (ROOT / page).read_text(encoding="utf-8").partition(text)
    return before.count("\n") + 1


def with_language(language: str) -> list[str]:
    return [page for page in PAGES if page not in ELSEWHERE and blocks(page, language)]


@pytest.mark.parametrize("page", with_language("console"))
def test_consoles(page: str, tmp_path: Path) -> None:
    """Run each line after a `$` in a shell; its output must match the lines up to the next one."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    # As in a clone, from which "python -m generator" runs.
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"}
    needs_git = any(re.search(r"^\$ git ", block["body"], re.M) for block in blocks(page, "console"))
    if needs_git and not shutil.which("git"):
        missing("git is not installed", "WHATWG_ENCODING_REQUIRE_LIBRARIES")
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block["body"], flags=re.M)[1:]:
            command, _, expected = part.partition("\n")
            shell = ["/bin/sh", "-c", f"{{ {command}\n}} 2>&1"]
            done = subprocess.run(shell, cwd=tmp_path, env=environment, capture_output=True, check=False)
            assert done.stdout.decode().rstrip("\n") == expected.rstrip("\n"), f"{page}:{line_of(page, command)}"


DIFF = "tests/generator/test_diff.py"


@pytest.mark.parametrize("language", ["c", "cpp", "cython", "jinja", "py", "text", "toml"])
def test_excerpts_are_what_they_say(language: str) -> None:
    """Those that name a function or a whole file are compared by tests/docs/test_forge.py, too."""
    for page in with_language(language):
        for block in blocks(page, language):
            assert block["source"], f"{page}: a comment must name the source of a block that is not run"
            if block["source"] != DIFF:
                source = (ROOT / block["source"]).read_text(encoding="utf-8")
                assert block["body"] in source, f"{page}: {block['source']} has no such lines"


@pytest.mark.parametrize(
    ("language", "body"),
    [
        ("python", "assert 1 == 2"), ("python", "1 + 1  # 3: no"), ("python", "1 +"), ("pycon", ">>> 1 + 1\n3"),
        ("pycon", ">>> 1 / 0\n0"),
    ],
)  # fmt: skip
def test_a_block_that_is_wrong_fails(language: str, body: str, tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(f"# Page\n\n```{language}\n{body}\n```\n", encoding="utf-8")
    with pytest.raises((AssertionError, SyntaxError, SybilFailure)):
        evaluate(path)
