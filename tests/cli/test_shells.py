"""The manual page and the completions, as installed, in the real ``man``, bash, zsh and fish."""

from __future__ import annotations

import importlib.metadata
import os
import pty
import select
import shlex
import shutil
import subprocess
import sysconfig
import time
from pathlib import Path

import pytest

import whatwg_encoding as we
from whatwg_encoding import _cli

REQUIRED = "WHATWG_ENCODING_REQUIRE_SHELLS" in os.environ
NAMES = ("whatwg-encoding", "wenc")

# What is typed → what the shell offers, in the words of the parser.
CASES = {
    "{} dec": ["decode"],
    "{} decode --malf": ["--malformed"],
    "{} decode --malformed dr": ["drop"],
    "{} recode -f csshift": ["csshiftjis"],
    "{} recode -f au": ["auto"],
    "{} recode -t shift": ["shift-jis", "shift_jis"],
    "{} help val": ["validate"],
}
WITH_COLON = {"{} labels iso_8859-2:": ["iso_8859-2:1987"]}  # bash takes a colon for the end of a word


@pytest.fixture(scope="module")
def share() -> Path:
    for file in importlib.metadata.files("whatwg-encoding") or []:
        if file.name == "whatwg-encoding.1":
            return Path(str(file.locate())).resolve().parents[2]
    pytest.skip("whatwg-encoding is not installed from a wheel with its data")


def program(name: str) -> str:
    """Return the path of a program; skip the test, or fail where CI requires it, if it is not installed."""
    path = shutil.which(name)
    if path is None:
        (pytest.fail if REQUIRED else pytest.skip)(f"{name} is not installed")
    assert path is not None
    return path


def environment(share: Path, home: Path) -> dict[str, str]:
    """Return an environment in which the shells look for completions in ``share``, and for no user's settings."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    data = os.pathsep.join([str(share), "/usr/local/share", "/usr/share"])
    return {"PATH": path, "HOME": str(home), "XDG_DATA_DIRS": data, "LC_ALL": "C.UTF-8", "TERM": "dumb", "PAGER": "cat"}


def offered_by_bash(name: str, words: list[str], share: Path, home: Path) -> list[str]:
    script = f"""
        source {shlex.quote(str(share))}/bash-completion/completions/{name}
        COMP_WORDS=({" ".join(map(shlex.quote, words))}) COMP_CWORD={len(words) - 1} COMP_LINE="{" ".join(words)}"
        read -r _ function <<< "$(complete -p {name} | grep -o -- '-F [^ ]*')"
        $function
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    command = [program("bash"), "--norc", "-c", script]
    result = subprocess.run(command, env=environment(share, home), capture_output=True)
    assert not result.stderr, result
    return result.stdout.decode().split()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("typed", "offered"), CASES.items())
def test_bash(name: str, typed: str, offered: list[str], share: Path, tmp_path: Path) -> None:
    assert offered_by_bash(name, typed.format(name).split(), share, tmp_path) == offered


@pytest.mark.parametrize("command", _cli.COMMANDS)
def test_every_option_has_a_text_and_is_offered(command: str, share: Path, tmp_path: Path) -> None:
    """After an edit of an option, `make build` writes the completions again."""
    parser = _cli.parser()
    commands = next(action for action in parser._actions if isinstance(action.choices, dict))
    options = {option: action for action in commands.choices[command]._actions for option in action.option_strings}
    assert [option for option, action in options.items() if not action.help] == []
    assert {*offered_by_bash("wenc", ["wenc", command, "-"], share, tmp_path)} >= {*options}


def test_bash_offers_every_label(share: Path, tmp_path: Path) -> None:
    labels = {label for encoding in we.ENCODINGS.values() for label in encoding.labels}
    assert {*offered_by_bash("wenc", ["wenc", "encode", "-t", ""], share, tmp_path)} >= labels
    assert {*offered_by_bash("wenc", ["wenc", "sniff", "--default", ""], share, tmp_path)} >= labels


@pytest.mark.parametrize("name", NAMES)
def test_fish(name: str, share: Path, tmp_path: Path) -> None:
    script = "".join(f"complete -C '{typed.format(name)}'; echo =;" for typed in CASES | WITH_COLON)
    result = subprocess.run([program("fish"), "-c", script], env=environment(share, tmp_path), capture_output=True)
    offered = [
        [line.partition("\t")[0] for line in part.strip().splitlines()] for part in result.stdout.decode().split("=\n")
    ]
    assert offered[:-1] == [*CASES.values(), *WITH_COLON.values()], result


@pytest.mark.parametrize("name", NAMES)
def test_zsh(name: str, share: Path, tmp_path: Path) -> None:
    (tmp_path / ".zshrc").write_text(
        f"fpath=({shlex.quote(str(share))}/zsh/site-functions $fpath)\n"
        "autoload -Uz compinit\ncompinit -u -D\nPS1='> '\nunsetopt beep zle_bracketed_paste\n"
    )
    primary, secondary = pty.openpty()
    with subprocess.Popen(
        [program("zsh"), "-d", "-i"],
        stdin=secondary,
        stdout=secondary,
        stderr=secondary,
        env=environment(share, tmp_path) | {"ZDOTDIR": str(tmp_path), "TERM": "vt100"},
        start_new_session=True,
    ) as process:
        os.close(secondary)
        try:
            assert "> " in read_until(primary, "> ")
            for typed, offered in (CASES | WITH_COLON).items():
                os.write(primary, f"{typed.format(name)}\t".encode())
                assert offered[0] in read_until(primary, offered[0]), typed
                os.write(primary, b"\x15")  # ^U: an empty line
        finally:
            process.kill()
            os.close(primary)


def read_until(descriptor: int, expected: str) -> str:
    """Return what a terminal shows until it shows ``expected``, for at most ten seconds."""
    shown = ""
    end = time.monotonic() + 10
    while expected not in shown and time.monotonic() < end:
        if select.select([descriptor], [], [], 0.1)[0]:
            shown += os.read(descriptor, 65536).decode(errors="replace")
    return shown


@pytest.mark.parametrize("name", NAMES)
def test_the_manual_page(name: str, share: Path, tmp_path: Path) -> None:
    command = [program("man"), "--warnings", "-P", "cat", "-M", str(share / "man"), name]
    result = subprocess.run(command, env=environment(share, tmp_path) | {"MANWIDTH": "100"}, capture_output=True)
    assert result.returncode == 0
    assert result.stderr == b"", result.stderr.decode()
    text = " ".join(result.stdout.decode().replace("‐\n", "-").split())
    for section in ("NAME whatwg-encoding - decode, encode", "WHAT CAN HAPPEN", "EXIT STATUS 0 success"):
        assert section in text
    for command_name, (_, _, description) in _cli.COMMANDS.items():
        assert f"COMMAND 'whatwg-encoding {command_name}'" in text
        assert description.split(":")[0][:30] in text
