"""decode, encode, recode, validate and labels: input and output, messages, exit status, and files left on disk."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import resource
import select
import shlex
import signal
import stat
import subprocess
import sys
import sysconfig
import termios
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

import whatwg_encoding as we
from tests.cli.conftest import Run
from tests.reference import oracle
from tests.reference.encodings import encodings
from whatwg_encoding._cli import COMMANDS

PROGRAM = [sys.executable, "-m", "whatwg_encoding"]


def assert_fails(result: subprocess.CompletedProcess[bytes], status: int, message: str) -> None:
    assert result.returncode == status, result
    assert message in result.stderr.decode(), result.stderr.decode()
    assert b"Traceback" not in result.stderr


# -- What is written ---------------------------------------------------------------------------------------------------


MARKED = b"\xff\xfe" + "aあ".encode("utf-16-le")
MARKS = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"]
PAGE = b"<!doctype html><meta charset=euc-jp><p>"


@pytest.mark.parametrize(
    ("command", "data", "output"),
    [
        ("decode -f sjis", b"\x82\xa0\n\x82", "あ\n\ufffd".encode()),
        ("decode", b"a\xff", "a\ufffd".encode()),
        ("encode -t iso-2022-jp", "あ\u2603".encode(), b'\x1b$B$"\x1b(B&#9731;'),
        ("encode -t latin1", b"a\xff", b"a&#65533;"),
        ("recode -f euc-jp -t shift_jis", b"\xa4\xa2", b"\x82\xa0"),
        ("encode -t utf-8 --keep-bom", b"\xef\xbb\xbfa", b"\xef\xbb\xbfa"),
        ("decode -f auto", PAGE + b"\xa4\xa2", PAGE + "あ".encode()),
        ("decode -f auto", MARKED, "aあ".encode()),
        *(("decode -f latin1", bom + b"a\0b\0", we.decode(bom + b"a\0b\0", "latin1").text.encode()) for bom in MARKS),
        *(("decode --keep-bom -f latin1", bom + b"a\0", oracle.decode("windows-1252", bom + b"a\0").text.encode())
          for bom in MARKS),
    ],
)  # fmt: skip
def test_what_is_written(run: Run, tmp_path: Path, command: str, data: bytes, output: bytes) -> None:
    assert run(*command.split(), stdin=data).stdout == output
    (tmp_path / "in").write_bytes(data)
    assert run(*command.split(), "-q", "in").stdout == output


def test_files_are_joined_and_each_ends_by_itself(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfa\x82")
    (tmp_path / "b").write_bytes(b"\xa0\xff")
    expected = oracle.decode("UTF-8", b"a\x82").text + "あ" + oracle.decode("Shift_JIS", b"\xa0\xff").text
    assert run("decode", "-f", "sjis", "a", "-", "b", stdin=b"\x82\xa0").stdout == expected.encode()
    # One encoder writes all files: an escape sequence at the end of one file and one at the start of the next would be
    # an error.
    (tmp_path / "c").write_bytes("あ".encode())
    assert run("encode", "-t", "iso-2022-jp", "c", "c").stdout == b'\x1b$B$"$"\x1b(B'


@pytest.mark.parametrize(
    ("command", "status", "order"),
    [
        ("validate bad missing bad", 2,
         ["bad:1:1:", "bad: 1 error", "missing: No such file or directory\n", "bad:1:1:", "bad: 1 error",
          "1 of 3 files could not be read\n"]),
        ("sniff bad missing bad", 2,
         ["bad", "missing: No such file or directory\n", "bad", "1 of 3 files could not be read\n"]),
        ("decode good missing", 2, ["good", "missing: No such"]),
        ("decode --fatal good bad", 1, ["good", "bad: byte 0"]),
        ("recode -f utf-8 -t big5 good missing", 2, ["good", "missing: No such"]),
    ],
)  # fmt: skip
def test_output_comes_before_the_messages_about_what_follows(
    command: str, status: int, order: list[str], tmp_path: Path
) -> None:
    """Standard output to a file or a pipe has a buffer, unless PYTHONUNBUFFERED is set as in many containers."""
    (tmp_path / "bad").write_bytes(b"\xff")
    (tmp_path / "good").write_bytes(b"good")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    environment["PYTHONIOENCODING"] = "utf-8"
    for more in ({}, {"PYTHONUNBUFFERED": "1"}):
        done = subprocess.run([*PROGRAM, *command.split()], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              cwd=tmp_path, env=environment | more, timeout=60)  # fmt: skip
        assert done.returncode == status
        assert re.search(".*".join(map(re.escape, order)), done.stdout.decode(), re.DOTALL), done.stdout


def test_messages_are_no_output_where_standard_error_is_closed(tmp_path: Path) -> None:
    command = f"exec {shlex.join(PROGRAM)} decode missing 2>&-"
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")


@pytest.mark.parametrize("size", [1, 2])
def test_input_that_trickles_in(size: int) -> None:
    data = b"\xff\xfe" + "あ\U0001f4a9".encode("utf-16-le") + b"\x00"
    with subprocess.Popen([*PROGRAM, "decode", "-f", "sjis"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for start in range(0, len(data), size):
            process.stdin.write(data[start : start + size])
            process.stdin.flush()
        process.stdin.close()
        assert process.stdout.read() == "あ\U0001f4a9\ufffd".encode()


def test_there_and_back(run: Run, tmp_path: Path) -> None:
    for name in ("UTF-8", "windows-1252", "gb18030", "Big5", "ISO-2022-JP", "EUC-KR", "x-user-defined"):
        text = "".join(character for character in "Aéあ一가" if not oracle.encode(name, character).spans)
        (tmp_path / "in").write_bytes(text.encode())
        assert run("encode", "--fatal", "-t", name, "in", "-o", "out").returncode == 0
        assert (tmp_path / "out").read_bytes() == oracle.encode(name, text).output
        assert run("decode", "--fatal", "-f", name, "out").stdout == text.encode(), name


# -- Errors ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "data", "message"),
    [
        ("decode -f sjis", b"a" * 700_000 + b"\x82\x20b", "standard input: byte 700000: 82: "),
        ("decode -f utf-8", b"\xef\xbb\xbfab\xe3\x81", "standard input: byte 5: E3 81: "),
        ("encode -t windows-1252", "ab\né\u2603".encode(),
         "standard input:2:2: windows-1252 has no U+2603 ☃ SNOWMAN"),
        ("recode -f utf-16le -t sjis", "\U0001f4a9".encode("utf-16-le"),
         "standard input:1:1: Shift_JIS has no U+1F4A9"),
    ],
)  # fmt: skip
def test_fatal_errors_say_where(run: Run, command: str, data: bytes, message: str) -> None:
    result = run(*command.split(), "--fatal", stdin=data)
    assert_fails(result, 1, message)
    assert ("(Shift_JIS)" in result.stderr.decode()) == (command == "decode -f sjis")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["decode", "-f", "utf-9"], "unknown encoding label 'utf-9'; did you mean 'utf-8'?"),
        (["decode", "-f", "EUC-TW"], "unknown encoding label 'EUC-TW'; whatwg_encoding.LABELS has all"),
        (["decode", "-f", "iso-8859-12"], "unknown encoding label 'iso-8859-12'; whatwg_encoding.LABELS has all"),
        (["encode", "-t", "latin1//TRANSLIT"], "//TRANSLIT, which is iconv's: name 'latin1' alone, and what becomes"),
        (["recode", "-f", "sjis", "-t", "UTF-8//ignore"], "--unmappable (html, drop, fail, replace:TEXT); -c drops"),
        (["-f", "sjis", "-t", "utf-8", "my f"], "comes first: whatwg-encoding decode -f shift_jis 'my f'"),
        (["-f", "sjis", "f"], "comes first: whatwg-encoding decode -f shift_jis f"),
        (["-t", "sjis", "f"], "comes first: whatwg-encoding encode -t shift_jis f"),
        (["--from-code=sjis", "--to-code", "euc-jp", "-c"], "whatwg-encoding recode -f shift_jis -t euc-jp -c"),
        (["-f", "none"], "'-f' is an option of a command, which comes first: decode, encode, "),
        (["-l"], "the encodings: whatwg-encoding labels"),
        (["encode", "-t", "cp932"], "'cp932'; 'Shift_JIS' is nearest to Python's codec of that name"),
        (["decode", "-f", "x" * 100_000], "... (100000 characters); whatwg_encoding.LABELS has all"),
        (["decode", "-f", "8" * 5000], "... (5000 characters); whatwg_encoding.LABELS has all"),
        (["decode", "-f", " "], "' '"),
        (["encode", "-t", "utf-16le"], "UTF-16LE has no encoder; its output encoding is UTF-8"),
        (["encode", "-t", "iso-2022-kr"], "replacement has no encoder"),
        (["encode"], "-t/--to"),
        (["encode", "-t", "latin1", "--unmappable", "?"], "is not one of html, fail, drop and replace:TEXT"),
        (["decode", "--detect"], "--tld, --locale, --dos, --detect and --text need -f auto"),
        (["decode", "-i"], "-i replaces files, so name them"),
        (["decode", "-i.b", "-o", "x", "one"], "not allowed with argument"),
        (["validate", "--max-errors", "-1"], "--max-errors"),
        (["recode", "-t", "sjis", "--bom"], "--bom: Shift_JIS has no byte order mark"),
        (["recode", "-f", "sjis"], "-t/--to"),
        (["labels", "utf-9"], "utf-9"),
        (["inspect"], "TEXT or --bytes is required"),
        (["inspect", "-b", "8"], "'8' is not a byte sequence in hexadecimal"),
        (["inspect", "-b", "zz"], "'zz' is not a byte sequence in hexadecimal"),
        (["inspect", "U+D800"], "U+D800 is not a scalar value"),
        (["inspect", "U+110000"], "U+110000 is not a scalar value"),
        (["inspect", "a", "-b", "61"], "TEXT and --bytes exclude each other"),
        (["unknown"], "'unknown' is not a command; commands: decode, encode, "),
        (["decdoe"], "'decdoe' is not a command; did you mean 'decode'?"),
        (["decode", "--unknown"], "unrecognized arguments: --unknown"),
        (["decode", "--un\nknown"], "unrecognized arguments: --un\\nknown"),
        (["help", "unknown"], "unknown"),
        ([], "COMMAND"),
    ],
)
def test_wrong_usage(run: Run, arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert_fails(result, 2, message)
    command = " ".join(["whatwg-encoding", *arguments[:1]])
    first, second, *others = result.stderr.decode().splitlines()
    assert first.startswith(("whatwg-encoding: ", f"{command}: "))
    assert second in ("Try 'whatwg-encoding --help'.", f"Try '{command} --help'.")
    assert not others


def test_files_that_are_not_there_or_cannot_be(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"a")
    assert_fails(run("decode", "missing"), 2, "missing: No such file or directory")
    assert_fails(run("validate", "missing"), 2, "missing: No such file or directory")
    assert_fails(run("decode", "."), 2, ".: Is a directory")
    assert_fails(run("decode", "in", "-o", "missing/out"), 2, "missing/out: No such file or directory")
    assert_fails(run("decode", "in", "-o", "."), 2, "Is a directory")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in"]


@pytest.mark.parametrize(
    ("redirection", "status", "message"),
    [(">&-", 2, "standard output is closed"), ("<&-", 2, "standard input: is closed"), ("2>&-", 0, "")],
)
def test_closed_standard_streams(redirection: str, status: int, message: str, tmp_path: Path) -> None:
    for command in (f"{shlex.join(PROGRAM)} {name} {redirection}" for name in ("decode", "sniff", "validate")):
        result = subprocess.run(command, shell=True, input=b"a", capture_output=True, cwd=tmp_path)
        assert_fails(result, status, message)


def test_a_full_device(run: Run, tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.fail("this test needs /dev/full")
    (tmp_path / "in").write_bytes(b"a" * 1_000_000)
    assert_fails(run("decode", "in", "-o", "/dev/full"), 2, "/dev/full: No space left on device")
    with open("/dev/full", "wb") as full:
        result = subprocess.run([*PROGRAM, "decode", tmp_path / "in"], stdout=full, stderr=subprocess.PIPE)
    assert result.returncode == 2
    assert b"standard output: No space left on device" in result.stderr


# -- Output files ------------------------------------------------------------------------------------------------------


def test_a_failed_run_leaves_what_was_there(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"a" * 1_000_000 + b"\xff")
    (tmp_path / "out").write_bytes(b"before")
    assert run("decode", "--fatal", "in", "-o", "out").returncode == 1
    assert (tmp_path / "out").read_bytes() == b"before"
    assert run("decode", "in", "missing", "-o", "new").returncode == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out"]


def test_input_and_output_may_be_one_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"\x82\xa0" * 500_000)
    assert run("decode", "-f", "sjis", "text", "-o", "text").returncode == 0
    assert path.read_bytes() == "あ".encode() * 500_000


def test_a_file_keeps_its_mode_and_a_link_its_target(run: Run, tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"before")
    target.chmod(0o640)
    link.symlink_to("target")
    assert run("decode", "-o", "link", stdin=b"after").returncode == 0
    assert link.is_symlink()
    assert target.read_bytes() == b"after"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert run("decode", "-o", "new", stdin=b"new").returncode == 0
    (tmp_path / "usual").touch()
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_device_is_written_to(run: Run) -> None:
    assert run("decode", "-o", "/dev/null", stdin=b"a").returncode == 0
    assert run("decode", "-o", "/dev/stdout", stdin=b"a").stdout == b"a"
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


NAMED = "import sys, os; from whatwg_encoding import _cli; del os.O_TMPFILE; sys.exit(_cli.main(sys.argv[1:]))"
"""The program on a system where each file has a name."""


@pytest.mark.parametrize("program", [PROGRAM, [sys.executable, "-c", NAMED]], ids=["unnamed", "named"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL])
def test_a_signal_leaves_nothing_half_done(number: signal.Signals, program: list[str], tmp_path: Path) -> None:
    (tmp_path / "out").write_bytes(b"before")
    (tmp_path / "out").chmod(0o600)
    with subprocess.Popen(
        [*program, "decode", "-o", "out"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A background process of a shell ignores SIGINT, and so do its children.
        preexec_fn=lambda: number == signal.SIGKILL or signal.signal(number, signal.SIG_DFL),
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(b"a" * 100_000)
        process.stdin.flush()
        opened = Path(f"/proc/{process.pid}/fd")
        while not (temporary := [path for path in opened.iterdir() if str(tmp_path) in os.readlink(path)]):
            assert process.poll() is None, "no temporary file was made"
        assert stat.S_IMODE(temporary[0].stat().st_mode) == 0o600
        # Python acts on a signal after the system call that it interrupts: one that comes just before a read of a pipe
        # waits for what is read. So wait until all is read and the process sleeps.
        state = opened.with_name("stat")
        while any(fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4))) or " S " not in state.read_text():
            time.sleep(0.001)
        process.send_signal(number)
        assert process.wait(30) == (-number if number == signal.SIGKILL else 128 + number)
        assert b"Traceback" not in process.stderr.read()
    left = [path.name for path in tmp_path.iterdir()]
    assert left == ["out"] or (number == signal.SIGKILL and program is not PROGRAM)
    assert (tmp_path / "out").read_bytes() == b"before"


def test_the_temporary_file_is_never_readable_by_more(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"a")
    for program in (PROGRAM, [sys.executable, "-c", NAMED]):
        for mode in (0o600, 0o640, 0o244, 0o4755):
            (tmp_path / "out").unlink(missing_ok=True)
            (tmp_path / "out").write_bytes(b"before")
            (tmp_path / "out").chmod(mode)
            subprocess.run([*program, "decode", "in", "-o", "out"], cwd=tmp_path, check=True)
            assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == mode
            assert (tmp_path / "out").read_bytes() == b"a"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can change the owner of a file")
def test_owner_and_group_are_kept_or_it_is_refused(shared_folder: Path) -> None:
    folder = shared_folder
    path = folder / "out"
    path.write_bytes(b"before")
    (folder / "in").write_bytes(b"a")
    os.chown(path, 1234, 1234)
    path.chmod(0o4755)
    assert subprocess.run([*PROGRAM, "decode", "in", "-o", "out"], cwd=folder).returncode == 0
    after = path.stat()
    assert (after.st_uid, after.st_gid, stat.S_IMODE(after.st_mode)) == (1234, 1234, 0o4755)
    # Without permission to change the owner nothing is written.
    code = (
        "import os, sys; from whatwg_encoding._cli import output as _cli_output; os.setgid(4321); os.setuid(4321)\n"
        "try:\n with _cli_output.output('out') as file: file.write(b'x')\n"
        "except _cli_output.Refusal as refusal: sys.exit(str(refusal))"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True)
    assert_fails(result, 1, "belongs to user 1234 and group 1234, to which the new file cannot be assigned")
    assert path.read_bytes() == b"a"


def test_outputs_that_would_do_harm_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"a")
    (tmp_path / "linked").write_bytes(b"before")
    (tmp_path / "linked2").hardlink_to(tmp_path / "linked")
    (tmp_path / "loop").symlink_to("loop")
    assert_fails(run("decode", "in", "-o", "linked"), 2, "linked: has 2 hard links")
    assert_fails(run("decode", "in", "-o", ""), 2, "the output file's name is empty")
    assert_fails(run("decode", "in", "-o", "loop"), 2, "loop: Too many levels of symbolic links")
    assert (tmp_path / "linked").read_bytes() == b"before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "linked", "linked2", "loop"]


def test_what_is_read_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "c").write_bytes(b"a" * 1000)
    command = f"{shlex.join(PROGRAM)} decode c >> c"
    result = subprocess.run(command, shell=True, capture_output=True, cwd=tmp_path, timeout=60)
    assert_fails(result, 2, "c: is both input and output")
    assert (tmp_path / "c").read_bytes() == b"a" * 1000


# -- What is lost ------------------------------------------------------------------------------------------------------


def test_what_is_lost_is_told(run: Run) -> None:
    result = run("encode", "-t", "latin1", stdin="ab\né☃ ☃".encode())
    assert (result.returncode, result.stdout) == (0, b"ab\n\xe9&#9731; &#9731;")
    message = "standard input:2:2: U+2603 ☃ SNOWMAN: not in windows-1252, written as &#decimal; (2 in all)\n"
    assert result.stderr.decode() == f"whatwg-encoding: {message}"
    result = run("decode", stdin=b"a" * 300_000 + b"\xff\xfe")
    assert result.returncode == 0
    assert b"standard input: byte 300000: FF: malformed bytes, replaced by U+FFFD (2 in all)" in result.stderr
    result = run("decode", "--malformed", "drop", stdin=b"a\xff" * 200_000 + b"\xe3")
    assert (result.returncode, result.stdout) == (0, b"a" * 200_000)
    assert b"standard input: byte 1: FF: malformed bytes, left out (200001 in all)" in result.stderr
    assert run("decode", "-q", stdin=b"\xff").stderr == b""
    assert run("encode", "-t", "sjis", stdin="あ".encode()).stderr == b""
    refused = run("encode", "-t", "latin1", "--unmappable", "replace:☃")
    assert_fails(refused, 2, "windows-1252 cannot encode that either")


@pytest.mark.parametrize("target", ["windows-1252", "Shift_JIS", "ISO-2022-JP", "x-user-defined"])
@pytest.mark.parametrize("mode", ["html", "drop", "replace:!"])
def test_what_the_target_lacks_is_counted_exactly(target: str, mode: str, run: Run) -> None:
    """Also where the text has what looks like a reference, and where bytes of two-byte characters do."""
    line = "&#9731; a☃ ィ„◀&# ☃\x0e\x1bя가\U0001f4a9\n"  # which ends in ASCII
    count = len(oracle.encode(target, line).spans)
    instead = mode.partition(":")[2]
    written = "".join(instead if mode != "html" and oracle.encode(target, letter).spans else letter for letter in line)
    result = run("encode", "-t", target, "--unmappable", mode, stdin=line.encode() * 10_000)
    assert (result.returncode, result.stdout) == (0, oracle.encode(target, written).output * 10_000)
    assert f"({10_000 * count} in all)" in result.stderr.decode()


def test_no_handler_is_called_for_what_the_target_lacks(tmp_path: Path) -> None:
    """A call for each character took 3.7 µs: an hour for 1 GB."""
    (tmp_path / "snow.txt").write_text("☃" * 100_000, encoding="utf-8")
    source = (
        "import codecs, whatwg_encoding._cli as cli\n"
        "names = []\n"
        "codecs.register_error = lambda name, handler: names.append(name)\n"
        "for mode in ('html', 'drop'):\n"
        "    cli.main(['encode', '-t', 'sjis', '--unmappable', mode, 'snow.txt', '-o', 'out.txt'])\n"
        "print(names)\n"
    )
    done = subprocess.run([sys.executable, "-c", source], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]"
    assert done.stderr.count("(100000 in all)") == 2


@pytest.mark.parametrize(
    ("arguments", "status", "expected"),
    [
        ((), 0, b"a&#9731;\xe9&#65533;"), (("--unmappable", "html"), 0, b"a&#9731;\xe9&#65533;"),
        (("--unmappable", "drop"), 0, b"a\xe9"), (("--unmappable", "replace:?"), 0, b"a?\xe9?"),
        (("--unmappable", "replace:[?]"), 0, b"a[?]\xe9[?]"), (("--malformed", "drop"), 0, b"a&#9731;\xe9"),
        (("-c",), 0, b"a\xe9"), (("--unmappable", "fail"), 1, b""), (("--malformed", "fail"), 1, b""),
        (("--fatal",), 1, b""), (("--fatal", "--unmappable", "drop"), 1, b""),
        (("-c", "--malformed", "replace"), 0, b"a\xe9"),
    ],
)  # fmt: skip
def test_modes(run: Run, arguments: tuple[str, ...], status: int, expected: bytes) -> None:
    result = run("encode", "-t", "latin1", *arguments, stdin="a☃é".encode() + b"\xff")
    assert (result.returncode, result.stdout if status == 0 else b"") == (status, expected)


def test_errors_are_counted_without_a_call_for_each(tmp_path: Path) -> None:
    code = (
        "import sys; from whatwg_encoding._cli import main; calls = 0\n"
        "def count(frame, event, _):\n    global calls; calls += event == 'call'\n"
        "sys.setprofile(count); main(sys.argv[1:]); sys.setprofile(None); print(calls, file=sys.stderr)"
    )
    calls = []
    for count in (10, 100_000):
        (tmp_path / "in").write_bytes(b"\xff" * count + b"a" * (200_000 - count))
        for mode in ("replace", "drop"):
            arguments = [sys.executable, "-c", code, "decode", "--malformed", mode, "-o", "/dev/null", "in"]
            calls.append(int(subprocess.run(arguments, cwd=tmp_path, capture_output=True).stderr.split()[-1]))
    assert max(calls) - min(calls) < 10, calls


def test_utf_16_is_an_output_of_recode(run: Run) -> None:
    text = "aあ\U0001f4a9"
    for label, codec in (("utf-16le", "utf-16-le"), ("utf-16", "utf-16-le"), ("utf-16be", "utf-16-be")):
        assert run("recode", "-t", label, stdin=text.encode()).stdout == text.encode(codec)
        assert run("recode", "-t", label, "--bom", stdin=text.encode()).stdout == f"\ufeff{text}".encode(codec)
    assert run("recode", "-t", "utf-8", "--bom", stdin=b"a").stdout == b"\xef\xbb\xbfa"


@pytest.mark.parametrize(
    "command", [["decode"], ["validate", "--max-errors", "0"], ["inspect", "-f", "utf-8", "-b", "ff" * 20_000]]
)
def test_a_closed_pipe_is_no_traceback(command: list[str], tmp_path: Path) -> None:
    path = tmp_path / "in"
    path.write_bytes(b"\xff" * 3_000_000)
    arguments = command if command[0] == "inspect" else [*command, str(path)]
    with subprocess.Popen([*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 141


def test_memory_stays_the_same_however_long_the_input(tmp_path: Path) -> None:
    def peak(megabytes: int) -> int:
        path = tmp_path / f"{megabytes}"
        with path.open("wb") as file:
            file.truncate(megabytes << 20)
        code = (
            "import resource, sys; from whatwg_encoding._cli import main; status = main(sys.argv[1:]); "
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr); sys.exit(status)"
        )
        arguments = ["recode", "-f", "utf-16le", "-t", "gb18030", "-o", "/dev/null", str(path)]
        return int(subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, check=True).stderr)

    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss > 0
    assert peak(64) < peak(1) + 8192


def on_a_terminal(
    arguments: list[str], folder: Path, program: Sequence[str] = PROGRAM, *, prints: bool = False, **variables: str
) -> tuple[str, int]:
    """Run the program with a terminal as standard error, and as standard output if it ``prints``.

    Return the terminal's output and the exit status.
    """
    primary, secondary = pty.openpty()
    termios.tcsetwinsize(secondary, (24, 80))
    try:
        output = secondary if prints else subprocess.DEVNULL
        environment = {**os.environ, "TERM": "xterm", **variables}
        process = subprocess.Popen([*program, *arguments], cwd=folder, env=environment, stdout=output, stderr=secondary)
        shown = b""
        while process.poll() is None or select.select([primary], [], [], 0)[0]:
            if select.select([primary], [], [], 0.05)[0]:
                shown += os.read(primary, 65536)
        return shown.decode(), process.returncode
    finally:
        os.close(primary)
        os.close(secondary)


@pytest.mark.gate
def test_long_work_shows_how_far_it_is(tmp_path: Path) -> None:
    code = (
        "import sys, tqdm; from whatwg_encoding._cli import main; bar = tqdm.tqdm; "
        "tqdm.tqdm = lambda **options: bar(**{**options, 'delay': 0, 'mininterval': 0}); sys.exit(main(sys.argv[1:]))"
    )
    at_once = [sys.executable, "-c", code]  # as if all work were long
    (tmp_path / "in").write_bytes(b"\xff" * 600_000)
    shown, status = on_a_terminal(["validate", "--max-errors", "0", "in"], tmp_path, at_once)
    assert status == 1
    assert "%" in shown
    assert "B/s" in shown
    (tmp_path / "in").write_bytes(b"short")
    assert on_a_terminal(["validate", "in"], tmp_path) == ("", 0)
    (tmp_path / "in").write_bytes("日本語old語\n".encode("iso2022_jp") * 1000 + b"\xff")
    replace = ["replace", "--regex", "-f", "iso-2022-jp", "(?=old)old", "new", "in"]
    shown, status = on_a_terminal(replace, tmp_path, at_once)
    assert status == 0
    assert "characters/s" in shown
    (tmp_path / "in").write_bytes("schÃ¶ne GrÃ¼ÃŸe aus KÃ¶ln und MÃ¼nchen\n".encode() * 1000)
    shown, status = on_a_terminal(["repair", "in", "-o", "out"], tmp_path, at_once)
    assert status == 0
    assert "characters/s" in shown
    assert (tmp_path / "out").read_bytes() == "schöne Grüße aus Köln und München\n".encode() * 1000


def test_long_work_shows_how_far_it_is_without_tqdm(tmp_path: Path) -> None:
    code = "import sys; sys.modules['tqdm'] = None; from whatwg_encoding._cli import main; sys.exit(main(sys.argv[1:]))"
    with (tmp_path / "in").open("wb") as file:
        file.truncate(100_000_000)
    shown, status = on_a_terminal(["validate", "in"], tmp_path, [sys.executable, "-c", code])
    assert status == 0
    assert "50 MB of 100 MB, 50 %\r" in shown
    assert shown.endswith(" \r")
    with (tmp_path / "in").open("wb") as file:
        file.truncate(99_999_999)
    assert on_a_terminal(["validate", "in"], tmp_path, [sys.executable, "-c", code]) == ("", 0)


@pytest.mark.parametrize("command", ["validate", "replace", "repair"])
def test_progress_of_several_files(tmp_path: Path, command: str) -> None:
    """A bar, which a line that is printed does not disturb."""
    code = "import sys; sys.modules['tqdm'] = None; from whatwg_encoding._cli import main, input; input._LONG = 1000"
    program = [sys.executable, "-c", f"{code}; sys.exit(main(sys.argv[1:]))"]
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(
            "cafÃ© crÃ¨me brÃ»lÃ©e\n".encode() * 40 + (b"\xff" if command == "validate" else b"")
        )
    words = {"validate": [], "replace": ["--dry-run", "brÃ»lÃ©e", "x"], "repair": ["--dry-run"]}[command]
    shown, _ = on_a_terminal([command, *words, "a", "b"], tmp_path, program, prints=True, NO_COLOR="1")
    bar = "0 MB of 0 MB, 50 %"
    assert f"{bar}\r{' ' * len(bar)}\r" in shown
    lines = re.sub("[^\r\n]+%\r +\r", "", shown).splitlines()
    assert {line.partition(":")[0] for line in lines} <= {"a", "b", "whatwg-encoding"}
    assert sum(line.startswith("b:") for line in lines) >= 1


def test_colours_are_those_of_ripgrep(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"a\nb\xff")
    line = "in:2:2: byte 3: FF: malformed byte sequence (UTF-8)"
    coloured = "\x1b[35min\x1b[0m:\x1b[32m2\x1b[0m:2: byte 3: \x1b[1;31mFF\x1b[0m: malformed byte sequence (UTF-8)"
    for variables, expected in (({}, coloured), ({"NO_COLOR": "1"}, line), ({"TERM": "dumb"}, line)):
        shown, status = on_a_terminal(["validate", "in"], tmp_path, prints=True, **variables)
        assert (shown.splitlines()[0].strip("\r"), status) == (expected, 1)
    assert run("validate", "in").stdout.decode().splitlines() == [line]


# -- validate ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ISO-2022-JP", "gb18030", "EUC-JP", "UTF-16LE", "UTF-8", "replacement"])
def test_validate_has_the_spans_of_the_reference(run: Run, name: str) -> None:
    data = bytes(range(256)) * 2 + b'\x1b$B$"$\x1b(B\x1b(B\x8f\xa1\x81\x30\x81\xd8\x00\xd8\x00\xf0\x90'
    result = run("validate", "--max-errors", "0", "--keep-bom", "-f", name, stdin=data)
    assert result.returncode == 1
    lines = [line.split(": ") for line in result.stdout.decode().splitlines()]
    errors = [(int(line[1].removeprefix("byte ")), bytes.fromhex(line[2])) for line in lines]
    assert errors == [(start, data[start:end]) for start, end in oracle.decode(name, data).spans]
    assert all(line[3].endswith(f"({name})") for line in lines)


def test_validate_prints_the_errors_of_a_surrogate_that_is_cut(run: Run, tmp_path: Path) -> None:
    result = run("validate", stdin=b"caf\xed\xa0")
    lines = [f"standard input:1:{column + 1}: byte {column}: " for column in (3, 4)]
    assert [line[: len(lines[0])] for line in result.stdout.decode().splitlines()] == lines
    assert b"standard input: 2 errors" in result.stderr
    for edge in (1 << 14, 1 << 18):
        data = b"a" * (edge - 2) + b"\xed\xa0\x80 x\n\xed"
        (tmp_path / "in").write_bytes(data)
        expected = [(edge - 2 + index, 1, edge - 1 + index) for index in range(3)] + [(len(data) - 1, 2, 1)]
        for limit in ("0", "20"):
            report = json.loads(run("validate", "--json", "--max-errors", limit, "in").stdout)
            places = [(error["offset"], error["line"], error["column"]) for error in report["first_errors"]]
            assert (places, report["errors"]) == (expected, 4), (edge, limit)


def test_validate_counts_across_chunks_and_from_the_byte_order_mark(run: Run, tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf" + "é\n".encode() * 300_000 + "é\ufffd".encode() + b"\xe3\x81"
    (tmp_path / "in").write_bytes(data)
    result = run("validate", "-f", "sjis", "in")
    assert result.stdout.decode().startswith(f"in:300001:3: byte {len(data) - 2}: E3 81: ")
    assert result.stdout.count(b"\n") == 1


def test_validate_is_silent_when_all_is_well(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes("あ".encode())
    result = run("validate", "in", "-", stdin=b"")
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


@pytest.mark.gate
@pytest.mark.parametrize("limit", [1, 20, 0])
def test_validate_prints_some_and_counts_all(run: Run, limit: int) -> None:
    data = b"a\xff" * 200_000 + b"\xe3\x81"  # two chunks
    result = run("validate", "--max-errors", str(limit), stdin=data)
    assert result.returncode == 1
    assert result.stdout.count(b"\n") == (limit or 200_001)
    assert result.stderr.startswith(b"whatwg-encoding: standard input: 200001 errors")
    result = run("validate", "-q", stdin=data)
    assert (result.returncode, result.stdout, result.stderr) == (1, b"", b"")


@pytest.mark.parametrize("limit", [1, 20, 0])
def test_validate_as_json(run: Run, tmp_path: Path, limit: int) -> None:
    body = b"a\n" + b"\xff" * 25 + b"\n\xe3\x81"
    (tmp_path / "bad").write_bytes(b"\xef\xbb\xbf" + body)
    (tmp_path / "good").write_bytes(b"a")
    result = run("validate", "--json", "--max-errors", str(limit), "-f", "sjis", "bad", "good")
    assert (result.returncode, result.stderr) == (1, b"")
    bad, good = map(json.loads, result.stdout.splitlines())
    assert good == {"file": "good", "encoding": "Shift_JIS", "errors": 0, "first_errors": []}
    spans = oracle.decode("UTF-8", body).spans
    assert (bad["file"], bad["encoding"], bad["errors"]) == ("bad", "UTF-8", len(spans))
    for error, (start, end) in zip(bad["first_errors"], spans[: limit or None], strict=True):
        before = oracle.StreamingDecoder.of("UTF-8").decode(body[:start], final=True).split("\n")
        assert error.pop("reason")
        assert error == {
            "offset": start + 3, "line": len(before), "column": len(before[-1]) + 1,
            "bytes": body[start:end].hex(" ").upper(), "replacement": "\ufffd",
        }  # fmt: skip
    assert_fails(run("validate", "--json", "-q", "bad"), 2, "--json cannot be combined with -q")


# -- labels ------------------------------------------------------------------------------------------------------------


def test_labels_lists_all(run: Run) -> None:
    lines = [line.split("\t") for line in run("labels").stdout.decode().splitlines()]
    assert {line[0]: tuple(line[1:]) for line in lines} == {
        name: tuple(encoding.labels) for name, encoding in encodings().items()
    }


def test_labels_of_one(run: Run) -> None:
    objects = [json.loads(line) for line in run("labels", "--json").stdout.decode().splitlines()]
    assert {entry["name"]: entry["labels"] for entry in objects} == {
        name: list(encoding.labels) for name, encoding in we.ENCODINGS.items()
    }
    assert run("labels", " Latin1\n", "sjis").stdout.startswith(b"windows-1252\tansi_x3.4-1968\t")


def test_inspect_mentions_the_code_point_of_digits(run: Run) -> None:
    result = run("inspect", "-f", "utf-8", "3042")
    assert result.stdout.startswith(b"U+0033 3 DIGIT THREE\n")
    assert b"the code point is U+3042" in result.stderr
    assert run("inspect", "-f", "utf-8", "cafe").stderr == b""


def test_names_of_codecs_are_encodings_of_inputs(run: Run) -> None:
    """With a note, since they are no labels. An output's encoding is a label."""
    for name, encoding in (("latin-1", "windows-1252"), ("cp932", "Shift_JIS"), ("ANSI 1251", "windows-1251")):
        result = run("decode", "-f", name, stdin="é日".encode("cp932", "ignore") + b"\xe0")
        assert result.stdout == we.lookup(encoding).decode("é日".encode("cp932", "ignore") + b"\xe0").encode()
        assert f"'{name}' is no label; the input is read as {encoding}\n".encode() in result.stderr
        assert_fails(run("encode", "-t", name), 2, f"unknown encoding label '{name}'")


def test_advice_for_who_named_no_encoding(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"caf\xe9")
    for arguments in (["in"], ["--malformed", "fail", "in"], ["-i", "in"]):
        assert b"; try -f auto\n" in run("decode", *arguments).stderr, arguments
    assert b"try -f" not in run("decode", "-f", "utf-8", "in").stderr
    assert b"try -f" not in run("encode", "-t", "latin1", stdin=b"\xff").stderr


# -- The program -------------------------------------------------------------------------------------------------------


def test_help_of_every_command(run: Run) -> None:
    for command in ([], *([name] for name in COMMANDS)):
        result = run(*command, "--help")
        assert result.returncode == 0
        shown = result.stdout.decode()
        example, usage, *_ = shown.split("\n\n")
        assert example.startswith(" ".join(["example: whatwg-encoding", *(command or ["decode"]), ""]))
        assert usage.startswith(" ".join(["usage: whatwg-encoding", *command, "["]))
        assert shown.count("\n") <= 40, "longer than a screen"
        assert max(map(len, shown.splitlines())) <= 80
        whole = run("help", *command).stdout.decode()
        assert whole.startswith(example)
        assert "\nexit status:\n  0    success\n  1  " in whole
        options = re.findall("^  (?:-., )?(--[a-z-]+)", whole, re.MULTILINE)
        assert [option for option in options if option not in shown] == []
        # The example is right: the program accepts it.
        words = shlex.split(example.partition("whatwg-encoding ")[2])
        assert words[0] == "mcp" or b"Try " not in run(*words).stderr


@pytest.mark.parametrize("command", ["decode", "encode", "recode"])
def test_help_lists_what_can_happen(run: Run, command: str) -> None:
    _, _, listed = run("help", command).stdout.decode().partition("\nwhat can happen:\n")
    for fact in ("U+FFFD", "&#decimal;", "refused", "-i.orig", "one hard link", "If a file fails", "joined"):
        assert fact in " ".join(listed.split())
    assert max(map(len, listed.splitlines())) <= 80


@pytest.mark.parametrize("name", ["whatwg-encoding", "wenc"])
def test_the_script_is_the_same_program(name: str) -> None:
    script = Path(sysconfig.get_path("scripts")) / name
    result = subprocess.run([script, "decode", "-f", "sjis"], input=b"\x82\xa0", capture_output=True, check=True)
    assert result.stdout == "あ".encode()


def test_version(run: Run) -> None:
    assert run("-V").stdout == run("--version").stdout
    assert run("--version").stdout.decode().startswith(f"whatwg-encoding {we.__version__} (instruction set: ")


def test_output_that_the_locale_cannot_show(run: Run) -> None:
    result = run("inspect", "あ", PYTHONIOENCODING="ascii")
    assert result.returncode == 0
    assert b"U+3042 \\u3042 HIRAGANA LETTER A" in result.stdout
