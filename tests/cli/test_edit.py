"""edit and replace: the file differs in the edited bytes only, or is as it was, whatever happens."""

from __future__ import annotations

import os
import re
import resource
import shlex
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

import whatwg_encoding as we
from tests.cli.conftest import Run
from tests.cli.test_cli import PROGRAM, assert_fails

SOURCE = b"int x = 1; // \x93\xfa\x96\x7b \xed\x40 \x82\r\nint foo; // \xf0\x40\n\nlast"
SED = ("sed", "-i")
SECONDS = 60


def until(condition: str) -> str:
    """Return a shell's loop that waits for a condition, and ends by itself: it may outlive a test that is killed."""
    return f"for _ in $(seq {SECONDS * 50}); do {condition} && break; sleep 0.02; done"


@pytest.fixture(autouse=True)
def temporary(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of copies, which some tests leave there."""
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "legacy.c"
    path.write_bytes(SOURCE)
    return path


def assert_edited(result: subprocess.CompletedProcess[bytes], path: Path, data: bytes) -> None:
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    assert path.read_bytes() == data
    assert os.listdir(path.parent) == [path.name]


def assert_refused(result: subprocess.CompletedProcess[bytes], path: Path, message: str, status: int = 1) -> None:
    assert_fails(result, status, message)
    assert path.read_bytes() == SOURCE
    assert os.listdir(path.parent) == [path.name]


# --- edit -------------------------------------------------------------------------------------------------------------


def test_a_command_edits_a_copy(run: Run, source: Path) -> None:
    edited = SOURCE.replace(b"foo", b"\x94\x92bar")
    assert_edited(run("edit", "-f", "sjis", source, "--", *SED, "s/foo/白bar/", "{}"), source, edited)
    assert_edited(run("edit", "-f", "sjis", source, "--", *SED, "s/白bar/foo/"), source, SOURCE)


def test_an_editor_edits_a_copy(run: Run, source: Path) -> None:
    edited = SOURCE.replace(b"foo", b"bar")
    assert_edited(run("edit", "-f", "sjis", source, VISUAL="sed -i s/foo/bar/", EDITOR="false"), source, edited)
    assert_edited(run("edit", source, "-f", "sjis", VISUAL="", EDITOR="sed -i s/bar/foo/"), source, SOURCE)


def test_the_copy_is_private_utf_8_without_a_mark(run: Run, source: Path, tmp_path: Path) -> None:
    source.write_bytes(b"\xff\xfea\x00\x3d\xd8")
    shown = run("edit", source, "--", "sh", "-c", 'od -An -tx1 "$1"; basename "$1"; stat -c %a "$(dirname "$1")"', "sh")
    assert shown.stdout.split() == [b"61", b"ef", b"bf", b"bd", b"legacy.c", b"700"]
    assert_edited(run("edit", source, "--", *SED, "1s/^/\ufeffb/"), source, b"\xff\xfeb\x00a\x00\x3d\xd8")


def test_encodings_are_found(run: Run, source: Path) -> None:
    source.write_bytes("日本語の文章です。\nfoo\n".encode("euc-jp"))
    edited = "日本語の文章です。\n変更\n".encode("euc-jp")
    assert_edited(run("edit", source, "--", *SED, "s/foo/変更/"), source, edited)
    source.write_bytes(b"\xef\xbb\xbffoo")
    assert_edited(run("replace", "-f", "sjis", "foo", "é", source), source, b"\xef\xbb\xbf\xc3\xa9")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("false",), "legacy.c: false has failed with status 1; the file is unchanged"),
        (("no-such-program",), "no-such-program: No such file or directory; the file is unchanged"),
        (("sh", "-c", "kill -9 $$"), "sh was ended by signal 9"),
        (("rm",), "rm has removed its copy"),
        ((*SED, "s/foo/☃/"), "legacy.c:2:5: U+2603 ☃ SNOWMAN: U+2603 is not in Shift_JIS; the file is unchanged"),
        ((*SED, "s/foo/\xa5/"), "legacy.c:2:5: U+00A5 ¥ YEN SIGN: its bytes in Shift_JIS decode to U+005C"),
        ((*SED, r"s/foo/\xff/"), "legacy.c:2:5: the edited copy is not UTF-8: FF"),
        ((*SED, r"1s/\r$/xyz/"), "legacy.c:1:21: cannot replace text 20 to 21 in Shift_JIS: the malformed bytes 82"),
    ],
)
def test_what_leaves_the_file_unchanged(run: Run, source: Path, command: tuple[str, ...], message: str) -> None:
    assert_refused(run("edit", "-f", "sjis", source, "--", *command), source, message)


def kept(result: subprocess.CompletedProcess[bytes]) -> str:
    copy = re.search(r"what you wrote is in (.*)", result.stderr.decode())
    assert copy is not None, result.stderr
    return Path(copy[1]).read_text("utf-8")


@pytest.mark.parametrize("is_editor", [True, False])
def test_what_was_written_is_kept(run: Run, source: Path, is_editor: bool) -> None:
    words = ["sed", "-i", "s/foo/☃/"]
    result = run("edit", "-f", "sjis", source, *([] if is_editor else ["--", *words]), EDITOR=shlex.join(words))
    assert_refused(result, source, "is not in Shift_JIS")
    assert "int ☃;" in kept(result)


@pytest.mark.parametrize(("end", "message"), [("exit 3", "has failed with status 3"), ("kill -9 $$", "by signal 9")])
def test_the_copy_is_kept_when_the_editor_fails(
    run: Run, source: Path, temporary: Path, end: str, message: str
) -> None:
    editor = source.parent / "editor"

    def edit(script: str) -> subprocess.CompletedProcess[bytes]:
        editor.write_text(f"#!/bin/sh\n{script}\n{end}\n")
        editor.chmod(0o755)
        return run("edit", "-f", "sjis", source, VISUAL=shlex.quote(str(editor)))

    result = edit('sed -i s/foo/mine/ "$1"')
    assert_fails(result, 1, message)
    assert source.read_bytes() == SOURCE
    assert "int mine;" in kept(result)
    (before,) = temporary.iterdir()
    assert b"wrote" not in edit("").stderr  # without any work
    assert [*temporary.iterdir()] == [before]
    result = edit('cp "$1" "$1.swp"')  # what vi leaves
    (folder,) = {*temporary.iterdir()} - {before}
    assert f"what you wrote is in {folder}\n" in result.stderr.decode()
    assert sorted(path.name for path in folder.iterdir()) == ["legacy.c", "legacy.c.swp"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("saves", ["at once", "when it is told", "never ends"])
def test_the_copy_is_kept_on_a_signal(source: Path, number: signal.Signals, saves: str) -> None:
    """Which is passed on to the editor, as a terminal that is closed would."""
    editor, ready = source.parent / "editor", source.parent / "ready"
    save, path = 'sed -i s/foo/mine/ "$1"', shlex.quote(str(ready))
    first = {"at once": save, "when it is told": f"trap '{save}; exit 1' TERM HUP", "never ends": "trap '' TERM HUP"}
    loop = f"touch {path}; for i in $(seq 1000); do [ -e {path} ] || break; sleep 0.02; done"
    editor.write_text(f"#!/bin/sh\n{first[saves]}\n{loop}\n{save}\n")
    editor.chmod(0o755)
    words = [*PROGRAM, "edit", "-f", "sjis", str(source)]
    program = subprocess.Popen(words, stderr=subprocess.PIPE, env={**os.environ, "VISUAL": shlex.quote(str(editor))})
    while not ready.exists():
        assert program.poll() is None, program.communicate()
        time.sleep(0.01)
    program.send_signal(number)
    assert program.stderr is not None
    line = program.stderr.readline()
    status = program.wait(60)
    ready.unlink()
    program.stderr.read()  # until the editor has ended
    program.stderr.close()
    assert status == 128 + number
    result = subprocess.CompletedProcess(words, 128 + number, b"", line)
    assert "int mine;" in kept(result)
    assert source.read_bytes() == SOURCE


@pytest.mark.parametrize(
    ("visual", "message"),
    [("vi 'x", '$VISUAL is "vi \'x": no closing quotation'), ("''", "the name of the command is empty")],
)
def test_an_editor_that_is_none(run: Run, source: Path, visual: str, message: str) -> None:
    result = run("edit", source, VISUAL=visual, EDITOR="true")
    assert_fails(result, 2 if visual != "''" else 1, message)
    assert source.read_bytes() == SOURCE


def test_an_editor_of_blanks_is_none(run: Run, source: Path) -> None:
    """The document is not run instead."""
    edited = SOURCE.replace(b"foo", b"bar")
    assert_edited(run("edit", "-f", "sjis", source, VISUAL=" ", EDITOR="sed -i s/foo/bar/"), source, edited)
    source.write_bytes(b"touch ran")
    source.chmod(0o755)
    (source.parent / "vi").write_text("#!/bin/sh\necho >>$1\n")
    (source.parent / "vi").chmod(0o755)
    path = f"{source.parent}{os.pathsep}{os.environ['PATH']}"
    assert run("edit", source, VISUAL=" ", EDITOR="\t", PATH=path).returncode == 0
    assert source.read_bytes() == b"touch ran\n"
    assert sorted(os.listdir(source.parent)) == ["legacy.c", "vi"]


@pytest.mark.parametrize("words", [["sed", "-i", "s/a/b/", "{}"], ["sed"], ["--frobnicate"]])
def test_a_command_stands_after_two_hyphens(run: Run, source: Path, words: list[str]) -> None:
    message = "COMMAND stands after '--': whatwg-encoding edit FILE -- COMMAND"
    assert_refused(run("edit", "-f", "sjis", source, *words, EDITOR="false"), source, message, 2)


# --- replace ----------------------------------------------------------------------------------------------------------


NAME = SOURCE[14:21].decode("cp932")  # of characters that would be encoded otherwise


@pytest.mark.parametrize(
    ("arguments", "changes"),
    [
        (("int", "日"), {b"int": b"\x93\xfa"}),
        (("--count", "1", "int", "日"), {b"int x": b"\x93\xfa x"}),
        ((f"{NAME} ", f"({NAME}) "), {SOURCE[14:21]: b"(" + SOURCE[14:21] + b")"}),  # only what differs is encoded
        (("--regex", r"(int) (\w+)", r"\2 \1"), {b"int x": b"x int", b"int foo": b"foo int"}),
        (("--regex", "^int", "char", "--multiline"), {b"int": b"char"}),
        (("--regex", "^int", "char"), {b"int x": b"char x"}),
        (("--unmappable", "html", "foo", "☃"), {b"foo": b"&#9731;"}),
    ],
)
def test_replacing_text(run: Run, source: Path, arguments: tuple[str, ...], changes: dict[bytes, bytes]) -> None:
    edited = SOURCE
    for old, new in changes.items():
        edited = edited.replace(old, new)
    assert_edited(run("replace", "-f", "sjis", *arguments, source), source, edited)


def test_several_files(run: Run, source: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"nothing")
    result = run("replace", "-f", "sjis", "foo", "bar", other, "none", source)
    assert_fails(result, 2, "none: No such file")
    assert source.read_bytes() == SOURCE
    result = run("replace", "-f", "sjis", "foo", "bar", other, source)
    assert_fails(result, 1, "other: does not contain 'foo'; the file is unchanged")
    assert "1 of 2 files failed and are unchanged" in result.stderr.decode()
    assert source.read_bytes() == SOURCE.replace(b"foo", b"bar")
    assert other.read_bytes() == b"nothing"


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("nothing", "x"), 1, "does not contain 'nothing'"),
        (("foo", "ba☃"), 1, "legacy.c:2:7: U+2603"),
        (("", "x"), 2, "OLD is empty"),
        (("--regex", "(", "x"), 2, "--regex: OLD: missing )"),
        (("--regex", "foo", r"\1"), 1, "--regex: NEW: invalid group reference 1"),
        (("^int foo", "x", "--regex"), 1, "does not contain '^int foo'; with --multiline it has: ^ and $ are the ends"),
        (("^none", "x", "--regex"), 1, "does not contain '^none'; the file"),
        ((r"a\nb", "x"), 1, r"does not contain 'a\\nb'; \n is two characters: with --regex it is one; the file"),
        (("--multiline", "a", "b"), 2, "--multiline needs --regex"),
        (("--count", "-1", "a", "b"), 2, "is not a count"),
        (("-f", "none", "a", "b"), 2, "unknown encoding label"),
    ],
)
def test_replacements_that_are_not_possible(
    run: Run, source: Path, arguments: tuple[str, ...], status: int, message: str
) -> None:
    assert_refused(run("replace", "-f", "sjis", *arguments, source), source, message, status)


def test_a_trial_prints_the_changed_bytes(run: Run, source: Path) -> None:
    result = run("replace", "-f", "sjis", "--dry-run", "int", "日", source)
    assert result.stdout.decode().splitlines() == [
        f"{source}:1:1: byte 0: 69 6E 74 -> 93 FA",
        f"{source}:2:1: byte 25: 69 6E 74 -> 93 FA",
    ]
    assert run("edit", "-f", "sjis", "--dry-run", source, "--", *SED, "$s/$/!/").stdout.decode() == (
        f"{source}:4:5: byte 45: nothing -> 21\n"
    )
    assert source.read_bytes() == SOURCE
    source.write_bytes("日本 one\n日本 two\n日本 three\n".encode("shift_jis"))  # of which the encoder gives all bytes
    result = run("edit", "-f", "sjis", "--dry-run", source, "--", *SED, "s/one/1/; s/three/3/")
    assert result.stdout.decode().splitlines() == [
        f"{source}:1:4: byte 5: 6F 6E 65 -> 31",
        f"{source}:3:4: byte 23: 74 68 72 65 65 -> 33",
    ]
    source.write_bytes(b"\xef\xbb\xbf" + b"a" * 40)
    assert run("replace", "--dry-run", "a" * 40, "b", source).stdout.decode() == (
        f"{source}:1:1: byte 3: {'61 ' * 16}… (40 bytes) -> 62\n"
    )


# --- Files ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["あ" * 85, "é" * 127 + "x", "x" * 255])
def test_the_longest_names(run: Run, source: Path, name: str) -> None:
    path = source.rename(source.with_name(name))
    assert run("replace", "-f", "sjis", "foo", "bar", path).returncode == 0
    assert run("edit", "-f", "sjis", path, "--", *SED, "s/bar/foo bar/").returncode == 0
    assert path.read_bytes() == SOURCE.replace(b"foo", b"foo bar")
    assert os.listdir(path.parent) == [name]
    refused = run("decode", "-f", "sjis", "-i.orig", path)
    assert_fails(refused, 2, "File name too long")
    assert b"/proc/self" not in refused.stderr


@pytest.mark.parametrize("is_named", [False, True])
def test_files_of_a_user_with_names_like_temporary_ones(
    run: Run, source: Path, is_named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_named:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    names = [f"{source.name}{end}" for end in (".we-edit.tmp", ".tmp", "~", ".bak", ".orig")]
    for name in names:
        source.with_name(name).write_text("mine")
    document = we.ByteExactText.read(source, "shift_jis")
    document.update(document.text.replace("foo", "bar"))
    document.write(source)
    assert run("replace", "-f", "sjis", "bar", "x", source).returncode == 0
    assert source.read_bytes() == SOURCE.replace(b"foo", b"x")
    assert {source.with_name(name).read_text() for name in names} == {"mine"}
    assert sorted(os.listdir(source.parent)) == sorted([source.name, *names])


@pytest.mark.parametrize("mode", [0o444, 0o400, 0o555])
def test_a_read_only_file_is_refused(run: Run, source: Path, mode: int) -> None:
    """Its folder may be written, so it could be replaced, but somebody has said that it should not change."""
    source.chmod(mode)
    message = "is read-only; to change it, make it writable first (chmod u+w)"
    assert_refused(run("replace", "-f", "sjis", "foo", "bar", source), source, message, 2)
    assert_refused(run("edit", "-f", "sjis", source, "--", "touch", source.with_name("never")), source, message, 2)
    assert run("replace", "-f", "sjis", "--dry-run", "foo", "bar", source).returncode == 0
    assert_refused(run("decode", "-f", "sjis", "-i", source), source, "is read-only", 2)
    document = we.ByteExactText.read(source, "shift_jis")
    document.replace(0, 1, "x")
    with pytest.raises(PermissionError, match="is read-only"):
        document.write(source)
    assert stat.S_IMODE(source.stat().st_mode) == mode


def test_what_is_no_regular_file_is_refused_without_waiting(run: Run, source: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in ("pipe", "/dev/null", tmp_path):
        assert_fails(run("replace", "a", "b", path), 2, "is not a regular file, and only those can be replaced")
        assert_fails(run("edit", path, "--", "true"), 2, "is not a regular file, and only those can be edited")
    os.link(source, tmp_path / "second")
    assert_fails(run("replace", "-f", "sjis", "foo", "bar", source), 2, "has 2 hard links")
    assert source.read_bytes() == SOURCE


def test_a_full_disk(source: Path) -> None:
    data = SOURCE * 300
    source.write_bytes(data)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(data) // 2, len(data) // 2))

    for command in (["replace", "-f", "sjis", "foo", "bar"], ["edit", "-f", "sjis"]):
        words = [*PROGRAM, *command, str(source), *(["--", "true"] if command[0] == "edit" else [])]
        result = subprocess.run(words, capture_output=True, preexec_fn=limit, cwd=source.parent)
        assert_fails(result, 2, "File too large")
        assert source.read_bytes() == data
        assert os.listdir(source.parent) == [source.name]


@pytest.mark.skipif(os.geteuid() != 0, reason="changes the user")
def test_a_folder_that_cannot_be_written(shared_folder: Path) -> None:
    # The first run imports what the other user may not be able to read.
    code = (
        "import os, sys; from whatwg_encoding import _cli\n"
        "assert not _cli.main(['replace', '-f', 'sjis', 'foo', 'bar', 'first.c']); os.unlink('first.c')\n"
        "os.setgid(4321); os.setuid(4321)\n"
        "sys.exit(_cli.main(['replace', '-f', 'sjis', 'foo', 'bar', 'legacy.c']))"
    )
    shared_folder.chmod(0o755)
    source = shared_folder / "legacy.c"
    for path in (source, shared_folder / "first.c"):
        path.write_bytes(SOURCE)
    result = subprocess.run([sys.executable, "-c", code], cwd=shared_folder, capture_output=True)
    assert_refused(result, source, "ermission denied", 2)


def test_a_file_that_another_program_changes_meanwhile(run: Run, source: Path, tmp_path: Path) -> None:
    """In place, with the same size and time; by another file; or by none."""
    (tmp_path / "new").write_bytes(b"new")
    file, old, new = (shlex.quote(str(path)) for path in (source, tmp_path / "old", tmp_path / "new"))
    touch = f"cp -p {file} {old}; printf I | dd of={file} conv=notrunc; touch -r {old} {file}"
    for change, message in (
        (touch, "another program has changed it meanwhile"),
        (f"mv {new} {file}", "another program has replaced it meanwhile"),
        (f"rm {file}", "No such file"),
    ):
        result = run("edit", "-f", "sjis", source, "--", "sh", "-c", f'echo more >>"$1"; {change}', "sh")
        assert_fails(result, 2 if "rm " in change else 1, message)
    assert sorted(os.listdir(tmp_path)) == ["old"]


def test_of_concurrent_edits_one_wins_and_the_others_are_told(source: Path) -> None:
    """Each has read the file before any of them may write it."""
    count, ready = 6, source.parent / "ready"
    ready.mkdir()
    folder = shlex.quote(str(ready))
    all_ready = f"[ $(ls {folder} | wc -l) -ge {count} ]"
    wait = f'touch {folder}/$$; {until(all_ready)}; sed -i "s/foo/$0/" "$1"'
    command = [*PROGRAM, "edit", "-f", "sjis", str(source), "--", "sh", "-c", wait]
    programs = [subprocess.Popen([*command, f"edit{number}"], stderr=subprocess.PIPE) for number in range(count)]
    messages = [program.communicate(timeout=60)[1].decode() for program in programs]
    winners = [number for number, program in enumerate(programs) if program.returncode == 0]
    assert len(winners) == 1, messages
    assert source.read_bytes() == SOURCE.replace(b"foo", f"edit{winners[0]}".encode())
    assert sum("meanwhile" in message for message in messages) == count - 1, messages


KILLED = """
import os, signal, sys
from whatwg_encoding import _cli
from whatwg_encoding._cli import edit
from whatwg_encoding._editing import files as replacing
stride, path, *arguments = sys.argv[1:]
before = open(path, "rb").read()
files = {module.__file__ for module in (edit, replacing)}
step = results = 0

def trace(frame, event, argument):
    if frame.f_code.co_filename not in files:
        return None
    def step_of(frame, event, argument):
        global step
        step -= event == "line"
        if step == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return step_of
    return step_of

number, seen = 0, set()
while True:
    number += int(stride)
    child = os.fork()
    if child == 0:
        step = number
        sys.settrace(trace)
        os._exit(_cli.main(arguments))
    _, status = os.waitpid(child, 0)
    after = open(path, "rb").read()
    seen.add(after)
    if os.listdir(os.path.dirname(path)) not in ([os.path.basename(path)],):
        seen.add("left over")
    if not os.WIFSIGNALED(status):
        assert status == 0, status
        break
    if after != before:
        open(path, "wb").write(before)
print(number, *map(repr, sorted(seen, key=repr)), sep="\\n")
"""


@pytest.mark.gate
@pytest.mark.parametrize("command", ["edit", "replace"])
def test_killing_it_at_any_line(source: Path, command: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    arguments = {"edit": ["edit", "-f", "sjis", str(source), "--", *SED, "s/foo/bar/"],
                 "replace": ["replace", "-f", "sjis", "foo", "bar", str(source)]}[command]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", KILLED, {"edit": "3", "replace": "1"}[command], str(source), *arguments],
        capture_output=True, text=True, timeout=300, env={**os.environ, "TMPDIR": str(tmp_path_factory.mktemp("t"))},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    number, *seen = done.stdout.splitlines()
    assert int(number) > 50
    expected = {repr(SOURCE), repr(SOURCE.replace(b"foo", b"bar"))}
    assert set(seen) - {repr("left over")} == expected


def test_an_interrupt_is_the_editors(source: Path) -> None:
    """Which handles it, as vi does, or ends by it: then the file is unchanged."""
    for script, status in (("trap 'sed -i s/foo/bar/ \"$1\"; exit 0' INT", 0), ("", 1)):
        source.write_bytes(SOURCE)
        wait = f"{script}\ntouch {shlex.quote(str(source))}.ready; {until('false')}"
        program = subprocess.Popen(
            [*PROGRAM, "edit", "-f", "sjis", str(source), "--", "sh", "-c", wait, "sh"],
            start_new_session=True, stderr=subprocess.PIPE,
        )  # fmt: skip
        ready = Path(f"{source}.ready")
        end = time.monotonic() + SECONDS
        while not ready.exists():
            assert time.monotonic() < end
            time.sleep(0.01)
        ready.unlink()
        os.killpg(program.pid, signal.SIGINT)
        assert program.communicate(timeout=60)[1].count(b"signal 2") == status
        assert program.returncode == status
        assert source.read_bytes() == (SOURCE if status else SOURCE.replace(b"foo", b"bar"))
