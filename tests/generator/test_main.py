"""The command line of the generator."""

from __future__ import annotations

import io
import json
import os
import re
import socket
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator import contexts, fetch, snapshot
from generator.model import ENCODINGS, FILES, INDEXES
from generator.verbs import main, parser
from tests.generator import server as answers
from tests.generator.conftest import Change
from tests.generator.server import Server
from tests.pinned import PINNED

ROOT = Path(__file__).resolve().parents[2]

DAY = tomllib.loads((snapshot.DATA / snapshot.PIN).read_text())["date"].isoformat()


def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Return the result of the generator's command line with these arguments, in a terminal limited to ASCII."""
    command = [str(argument) for argument in arguments]
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="ascii") for _ in range(2)]
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            if name.lower().endswith("_proxy") or name in ("OFFLINE", "ORIGIN", "ACCEPT"):
                patch.delenv(name)
        for name, value in {"SPEC_ORIGIN": DISCARD, **environment}.items():
            patch.setenv(name, value)
        patch.setattr(sys, "stdout", streams[0])
        patch.setattr(sys, "stderr", streams[1])
        status = main(command)
    texts = []
    for stream in streams:
        stream.seek(0)
        texts.append(stream.read())
    return subprocess.CompletedProcess(command, status, *texts)


DISCARD = "http://127.0.0.1:9/"
"""The discard port, on which no HTTP server listens."""


def test_the_command_in_a_process(folder: Path) -> None:
    """In a terminal limited to ASCII; all other tests call its function."""
    (folder / snapshot.PIN).unlink()
    command = [sys.executable, "-m", "generator", "diff", "--data", folder, "pinned", "pinned", "--exit-code"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u2192" in done.stdout


def nobody() -> str:
    """Return the URL of a port on which nothing listens."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{unused.getsockname()[1]}/"


def state(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def koi8_r(indexes: dict[str, Any], encodings: list[Any]) -> None:
    indexes["koi8-r"][0] = 0x2501


# -- generate ----------------------------------------------------------------------------------------------------------


NOTHING = "Nothing is compared: neither the standard's data nor its source could be read."


@pytest.mark.gate
@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (answers.status(404), "responds with 404"),
        (answers.silent, "has not delivered both files within 1 seconds"),
        (None, "Connection refused"),
    ],
    ids=["404", "silent", "nobody"],
)
def test_generate_says_that_nothing_is_compared_and_emits(
    answer: answers.Answer | None, why: str, folder: Path, tmp_path: Path, server: Server
) -> None:
    server.answers = {name: [answer] * 9 if answer else [] for name in (*FILES, "encoding.bs")}
    origin, before = server.origin if answer else nobody(), state(folder)
    arguments = ("generate", "--data", folder, "--generated", tmp_path / "generated", "--timeout", 1)
    done = run(*arguments, ORIGIN=origin, SPEC_ORIGIN=f"{origin}encoding.bs")
    assert (done.returncode, done.stderr, state(folder)) == (3, "", before)
    assert NOTHING in done.stdout.splitlines()
    assert why in done.stdout
    assert f"Upstream is unreachable, so the data pinned on {DAY} is used: http://127.0.0.1:" in done.stdout
    assert "The standard's source is unreachable, so its algorithms are not compared: http://127.0.0.1:" in done.stdout
    assert "equals" not in done.stdout
    assert "read as pinned" not in done.stdout
    assert (tmp_path / "generated" / "labels.py").exists()


@pytest.mark.gate
def test_generate_offline_asks_nobody(folder: Path, tmp_path: Path, server: Server) -> None:
    environment = {"OFFLINE": "1", "ORIGIN": server.origin}
    done = run("generate", "--data", folder, "--generated", tmp_path / "generated", **environment)
    assert done.returncode == 0, done.stderr
    assert server.requests == []
    assert parser().parse_args(["generate"]).timeout == fetch.Limits().total
    assert (tmp_path / "generated" / "labels.py").exists()


@pytest.mark.gate
def test_generate_shows_the_change_then_emits_from_it(
    folder: Path, tmp_path: Path, server: Server, changed: Callable[[Change], dict[str, bytes]]
) -> None:
    generated = tmp_path / "generated"
    assert run("emit", "--data", folder, "--generated", generated).returncode == 0
    before = state(generated)
    new = changed(koi8_r)
    server.answers = {name: [answers.body(new[name])] for name in FILES}
    arguments = ("generate", "--data", folder, "--generated", generated)
    (accept,) = re.findall(r"--accept \S+$", run(*arguments, ORIGIN=server.origin).stderr, re.M)
    done = run(*arguments, *accept.split(), ORIGIN=server.origin)
    assert done.returncode == 3, done.stderr  # the source is not there
    shown, replaced, emitted = (
        done.stdout.index("pointer 0 (80 in KOI8-R): U+2500"),
        done.stdout.index("The data is replaced"),
        done.stdout.index("Emitting generated/"),
    )
    assert shown < replaced < emitted
    assert snapshot.load(folder).indexes["koi8-r"].code_points[0] == 0x2501
    assert state(generated) != before
    assert run("check", "--data", folder, "--generated", generated).returncode == 0


def test_generate_refuses_bad_data_and_stops(
    folder: Path, tmp_path: Path, server: Server, content: dict[str, bytes]
) -> None:
    indexes = json.loads(content[INDEXES])
    indexes["koi8-r"][0] = 0xD800
    server.answers = {
        INDEXES: [answers.body(json.dumps(indexes).encode())],
        ENCODINGS: [answers.body(content[ENCODINGS])],
    }
    before = state(folder)
    done = run("generate", "--data", folder, "--generated", tmp_path / "generated", ORIGIN=server.origin)
    assert done.returncode == 1
    assert "pointer 0 (80 in KOI8-R): U+2500" in done.stdout  # the change is shown even though it is refused
    assert done.stderr.startswith(
        "generator: indexes.json: index 'koi8-r', pointer 0, code point U+D800: is a surrogate"
    )
    assert "OFFLINE=1" in done.stderr
    assert state(folder) == before
    assert not (tmp_path / "generated").exists()


# -- The other verbs ---------------------------------------------------------------------------------------------------


def test_verify(folder: Path) -> None:
    done = run("verify", "--data", folder)
    labels = sum(len(encoding.labels) for encoding in PINNED.encodings)
    indexes = json.loads((folder / INDEXES).read_bytes())
    counted = f"{len(PINNED.encodings)} encodings, {labels} labels, {len(indexes)} indexes"
    assert done.stdout == f"The data matches the pin of {DAY} and is valid: {counted}.\n"
    (folder / ENCODINGS).write_bytes(b"[]")
    done = run("verify", "--data", folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("generator: encodings.json: its sha256 is ")


def test_verify_needs_no_package_but_python() -> None:
    code = "import sys; from generator.verbs import main; main(['verify']); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not {"'requests'", "'jinja2'", "'Cython'", "'whatwg_encoding'"} & set(
        done.stdout.replace("]", ",").split(",")
    )


@pytest.mark.gate
def test_emit_reads_the_contexts_of_its_data_or_those_of_the_project(folder: Path, tmp_path: Path) -> None:
    generated = tmp_path / "generated"
    table = (contexts.DATA / contexts.CSV).read_text(encoding="utf-8")
    assert ",textdecoder," in table
    (folder / contexts.CSV).write_text(table.replace(",textdecoder,", ",renamed-context,", 1), encoding="utf-8")
    assert run("emit", "--data", folder, "--generated", generated).returncode == 0
    assert "renamed-context" in (generated / "contexts.py").read_text(encoding="utf-8")
    (folder / contexts.CSV).unlink()
    assert run("emit", "--data", folder, "--generated", generated).returncode == 0
    assert "renamed-context" not in (generated / "contexts.py").read_text(encoding="utf-8")


@pytest.mark.gate
def test_check_names_the_file_and_the_command(folder: Path, tmp_path: Path) -> None:
    generated = tmp_path / "generated"
    assert run("emit", "--data", folder, "--generated", generated).returncode == 0
    with open(generated / "labels.py", "a") as file:
        file.write("# by hand\n")
    done = run("check", "--data", folder, "--generated", generated)
    assert done.returncode == 1
    assert "labels.py" in done.stderr
    assert "python -m generator emit" in done.stderr


def test_diff_of_a_folder_and_a_pin(
    folder: Path, tmp_path: Path, changed: Callable[[Change], dict[str, bytes]]
) -> None:
    snapshot.write(tmp_path / "new", changed(koi8_r), day="2027-01-01")
    done = run("diff", folder, tmp_path / "new" / snapshot.PIN)
    assert done.returncode == 0, done.stderr
    assert "Index 'koi8-r' (128 pointers): 1 changed\n" in done.stdout


def test_diff_is_of_the_pinned_data_and_upstream_by_default(
    folder: Path, server: Server, changed: Callable[[Change], dict[str, bytes]]
) -> None:
    new = changed(koi8_r)
    server.answers = {name: [answers.body(new[name])] for name in FILES}
    before = state(folder)
    done = run("diff", "--data", folder, "--origin", server.origin)
    assert done.returncode == 0, done.stderr
    assert "Index 'koi8-r' (128 pointers): 1 changed\n" in done.stdout
    assert state(folder) == before


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    done = run("diff", tmp_path / "none", "pinned")
    assert done.returncode == 1
    assert f"generator: indexes.json: cannot be read from {tmp_path / 'none'}: No such file or directory" in done.stderr


@pytest.mark.gate
def test_a_folder_that_cannot_be_written_is_named(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("emit", "--data", folder, "--generated", tmp_path / "file" / "generated")
    assert done.returncode == 1
    assert str(tmp_path / "file") in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_verb_lists_the_verbs(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["conjure"])
    assert caught.value.code == 2
    assert "verify" in capsys.readouterr().err


@pytest.mark.parametrize(("value", "offline"), [("1", True), ("yes", True), ("0", False), ("", False)])
def test_offline_in_the_environment(value: str, offline: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OFFLINE", value)
    assert parser().parse_args(["generate"]).offline == offline
