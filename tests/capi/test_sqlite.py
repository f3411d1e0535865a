"""The SQLite extension of examples/, loaded by sqlite3's shell and by Python's sqlite3."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.capi import library as built
from tests.compiler import compile_or_fail
from tests.reference import inputs, oracle
from tests.requirements import missing
from tests.standard.comparison import report

SOURCE = Path(__file__).parents[2] / "examples" / "sqlite_encoding.c"
REQUIRED = "WHATWG_ENCODING_REQUIRE_LIBRARIES"


@pytest.fixture(scope="module")
def extension(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not Path("/usr/include/sqlite3ext.h").exists():
        missing("sqlite3ext.h is not installed, for example Debian's libsqlite3-dev", REQUIRED)
    target = tmp_path_factory.mktemp("sqlite") / "sqlite_encoding.so"
    flags = ("-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared")
    compile_or_fail(*flags, str(SOURCE), *built.shared(built.library()), "-o", str(target))
    return target


CHILD = """
import ast, sqlite3, sys
connection = sqlite3.connect(":memory:")
connection.enable_load_extension(True)
connection.execute("SELECT load_extension(?)", (sys.argv[1],))
print("loaded", flush=True)
for line in sys.stdin:
    try:
        print(ascii(connection.execute(*ast.literal_eval(line)).fetchall()), flush=True)
    except sqlite3.OperationalError as error:
        print(ascii(str(error)), flush=True)
"""


class Database:
    """A database of Python's sqlite3 with the extension, in an interpreter that may load one: not every build does."""

    def __init__(self, extension: Path) -> None:
        for interpreter in (sys.executable, "/usr/bin/python3"):
            command = [interpreter, "-c", CHILD, str(extension)]
            self._process = subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-3, text=True, encoding="ascii")
            if self._process.stdout and self._process.stdout.readline():
                return
            self._process.communicate()
        missing("no Python is installed whose sqlite3 loads extensions", REQUIRED)

    def ask(self, query: str, *parameters: object) -> list[tuple[object, ...]] | str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{(query, parameters)!a}\n")
        self._process.stdin.flush()
        rows: list[tuple[object, ...]] | str = ast.literal_eval(self._process.stdout.readline())
        return rows

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture(scope="module")
def database(extension: Path) -> Iterator[Database]:
    opened = Database(extension)
    yield opened
    opened.close()


@pytest.mark.parametrize("name", inputs.ALL_NAMES)
def test_decode(name: str, database: Database) -> None:
    def differences() -> Iterator[str]:
        for data in inputs.vectors(name):
            expected = oracle.decode(name, data)
            rows = database.ask("SELECT decode(?1, ?2), decode(?1, ?2, 'replacement')", data, name)
            if rows != [(None if expected.spans else expected.text, expected.text)]:
                yield f"{data.hex(' ')}: {rows}, not {expected}"

    report(differences())


@pytest.mark.parametrize("name", inputs.ENCODER_NAMES)
def test_encode(name: str, database: Database) -> None:
    for text in ("", "a", "é€あ", "a\U0001f4a9", "가각힣", "¥\x0e"):
        expected = oracle.encode(name, text)
        rows = database.ask("SELECT encode(?1, ?2), encode(?1, ?2, 'html')", text, name)
        assert rows == [(None if expected.spans else expected.output, expected.output)]


def test_nulls_and_other_types(database: Database) -> None:
    for call in ("decode(NULL, 'sjis')", "decode(x'41', NULL)", "encode('a', 'sjis', NULL)", "detect(NULL)"):
        assert database.ask(f"SELECT {call}") == [(None,)], call
    assert database.ask("SELECT decode('é', 'utf-8'), decode(12, 'sjis')") == [("é", "12")]
    assert database.ask("SELECT detect(?)", "Привет, мир".encode("koi8-r")) == [("KOI8-R",)]
    assert database.ask("SELECT detect(x'')") == [("UTF-8",)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("decode(x'41', 'klingon')", "unknown encoding label: klingon"),
        ("encode('a', 'utf-16le')", "the encoding has no encoder"),
        ("decode(x'41', 'sjis', 'html')", "the third argument is 'fatal', 'replacement' (decode) or 'html' (encode)"),
        ("decode(x'41')", "wrong number of arguments to function decode()"),
    ],
)
def test_errors(call: str, message: str, database: Database) -> None:
    assert database.ask(f"SELECT {call}") == message


def test_an_index_on_decoded_text(database: Database) -> None:
    """The functions are deterministic, as an index requires."""
    database.ask("CREATE TABLE customers (name BLOB)")
    database.ask("CREATE INDEX names ON customers (decode(name, 'sjis'))")
    database.ask("INSERT INTO customers VALUES (?), (?)", b"\x83n\x83\x8d", b"\x87\x40")
    query = "SELECT count(*) FROM customers WHERE decode(name, 'sjis') = 'ハロ'"
    assert database.ask(query) == [(1,)]
    assert "names" in str(database.ask(f"EXPLAIN QUERY PLAN {query}"))


def test_the_shell(extension: Path) -> None:
    if shutil.which("sqlite3") is None:
        missing("sqlite3 is not installed", REQUIRED)
    query = "SELECT decode(x'836E838D', 'sjis'), hex(encode('①', 'sjis')), decode(x'FF', 'sjis') IS NULL"
    command = ["sqlite3", ":memory:", "-cmd", f'.load "{extension.with_suffix("")}"', query]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert (done.stdout, done.stderr) == ("ハロ|8740|1\n", "")
