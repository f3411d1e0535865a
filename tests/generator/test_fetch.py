"""Fetching from a server on loopback: the effect of each fault, and that the data is unchanged afterwards."""

from __future__ import annotations

import gzip
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from generator import diff, fetch, snapshot
from generator import update as upstream
from generator.model import ENCODINGS, INDEXES
from tests.generator import server as answers
from tests.generator.conftest import COPIED, Change
from tests.generator.server import Answer, Server

#: For exchanges that no limit of time is to end, however busy the machine is.
LIMITS = fetch.Limits(total=300.0, connect=100.0, read=100.0, retries=2, size=1024 * 1024)
#: For exchanges that a limit of time ends.
SHORT = replace(LIMITS, total=2.0, connect=0.5, read=0.3)
MADE = dict[str, bytes]


@pytest.fixture
def give(server: Server, content: MADE) -> Callable[..., None]:
    """Return a function that makes the server serve the pinned files, or the given answers."""

    def set_answers(indexes: list[Answer] | None = None, encodings: list[Answer] | None = None) -> None:
        server.answers = {
            INDEXES: indexes or [answers.body(content[INDEXES])],
            ENCODINGS: encodings or [answers.body(content[ENCODINGS])],
        }

    return set_answers


@pytest.fixture(scope="module")
def verified() -> list[dict[str, bytes]]:
    """The contents of folders that verified."""
    return []


@pytest.fixture(autouse=True)
def _data_is_never_half_replaced(folder: Path, verified: list[dict[str, bytes]]) -> Iterator[None]:
    """After every test in this file the folder verifies and holds only the files of before."""
    yield
    if state(folder) not in verified:
        snapshot.load(folder)
        verified.append(state(folder))
    assert {path.name for path in folder.iterdir()} == set(COPIED)


def update(folder: Path, origin: str, accepted: str = "", said: list[str] | None = None) -> None:
    """Update a folder from a server that has the files but no source; `said` receives the lines of the report."""
    source = upstream.Upstream(origin, f"{origin}encoding.bs", LIMITS)
    upstream.update(folder, source, accepted, ([] if said is None else said).append)


def state(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def one_mapping_changed(indexes: dict[str, Any], encodings: list[Any]) -> None:
    indexes["koi8-r"][0] = 0x2501


# -- Successful answers ------------------------------------------------------------------------------------------------


def test_200_with_the_same_files_changes_nothing(server: Server, give: Callable[..., None], folder: Path) -> None:
    give()
    before = state(folder)
    said: list[str] = []
    update(folder, server.origin, said=said)
    assert said[-1].startswith("Upstream's data equals the data pinned")
    assert state(folder) == before


@pytest.mark.gate
def test_200_with_other_files_replaces_all_and_pins_them(
    server: Server, give: Callable[..., None], folder: Path, changed: Callable[[Change], MADE]
) -> None:
    """The difference is shown before any file is written."""
    new = changed(one_mapping_changed)
    give([answers.body(new[INDEXES])], [answers.body(new[ENCODINGS])])
    before = state(folder)
    said: list[str] = []
    with pytest.raises(diff.UnacceptedError, match="to accept exactly this change") as caught:
        update(folder, server.origin, said=said)
    assert "pointer 0 (80 in KOI8-R): U+2500" in said[-1]
    assert state(folder) == before
    update(folder, server.origin, accepted=str(caught.value).rpartition(" ")[2])
    assert snapshot.read(folder) == new
    assert f'origin = "{server.origin}indexes.json"' in (folder / snapshot.PIN).read_text()


def test_compressed_content_is_decompressed(
    server: Server, give: Callable[..., None], folder: Path, content: MADE
) -> None:
    give([answers.body(gzip.compress(content[INDEXES]), Content_Encoding="gzip")])
    assert fetch.files(server.origin, LIMITS) == content


@pytest.mark.parametrize("code", [429, 500, 502, 503, 504])
def test_a_transient_status_is_tried_again(
    server: Server, give: Callable[..., None], folder: Path, content: MADE, code: int
) -> None:
    give([answers.status(code, Retry_After="3600"), answers.body(content[INDEXES])])
    assert fetch.files(server.origin, LIMITS) == content
    assert len(server.asked(INDEXES)) == 2


def test_a_timeout_is_tried_again(server: Server, give: Callable[..., None], folder: Path, content: MADE) -> None:
    give([answers.silent, answers.body(content[INDEXES])])
    # On a busy machine even the answer may take longer than a read may, and is then requested once more.
    limits = replace(LIMITS, read=0.3, retries=9)
    assert fetch.files(server.origin, limits) == content
    assert len(server.asked(INDEXES)) >= 2


def test_a_redirect_to_the_same_scheme_is_followed(
    server: Server, give: Callable[..., None], folder: Path, content: MADE
) -> None:
    give([answers.status(302, Location="/moved/encodings.json/../indexes.json")])
    server.answers[INDEXES].append(answers.body(snapshot.read(folder)[INDEXES]))
    assert fetch.files(server.origin, LIMITS) == content


def test_download_writes_nothing(
    server: Server, give: Callable[..., None], folder: Path, changed: Callable[[Change], MADE]
) -> None:
    new = changed(one_mapping_changed)
    give([answers.body(new[INDEXES])])
    before = state(folder)
    assert fetch.download(origin=server.origin, limits=LIMITS).indexes["koi8-r"].code_points[0] == 0x2501
    assert state(folder) == before


# -- Faults of the exchange --------------------------------------------------------------------------------------------


def page_too_big(content: MADE) -> Answer:
    return answers.body(b" " * (LIMITS.size + 1))


def bomb(content: MADE) -> Answer:
    return answers.body(gzip.compress(b" " * (64 * LIMITS.size)), Content_Encoding="gzip")


EXCHANGE_FAULTS: dict[str, tuple[Callable[[MADE], Answer], type[Exception], str]] = {
    "404": (lambda content: answers.status(404), fetch.UnreachableError, "indexes.json responds with 404 'Not Found'"),
    "500 for ever": (lambda content: answers.status(500), fetch.UnreachableError, "responds with 500"),
    "304 unasked": (lambda content: answers.status(304), fetch.UnreachableError, "responds with 304"),
    "206": (lambda content: answers.status(206), fetch.UnreachableError, "responds with 206"),
    "timeout": (lambda content: answers.silent, fetch.UnreachableError, "Read timed out"),
    "slow drip": (lambda content: answers.slow_drip, fetch.UnreachableError, "within 2 seconds"),
    "truncated": (lambda content: answers.truncated(content[INDEXES]), fetch.UnreachableError, "IncompleteRead"),
    "oversized": (page_too_big, fetch.RefusedError, "sends more than the limit of 1048576 bytes"),
    "oversized compressed": (bomb, fetch.RefusedError, "sends more than the limit of 1048576 bytes"),
    "not compressed as it says": (
        lambda content: answers.body(b"not compressed", Content_Encoding="gzip"),
        fetch.UnreachableError,
        "failed to decode it",
    ),
    "redirect to another scheme": (
        lambda content: answers.status(302, Location="https://127.0.0.1/indexes.json"),
        fetch.RefusedError,
        "redirects to another scheme, 'https://127.0.0.1/indexes.json'",
    ),
    "redirect to a file": (
        lambda content: answers.status(302, Location="file:///etc/passwd"),
        fetch.RefusedError,
        "'file:///etc/passwd' is not an https: URL",
    ),
    "redirect to plain HTTP elsewhere": (
        lambda content: answers.status(302, Location="http://192.0.2.1/indexes.json"),
        fetch.RefusedError,
        "'http://192.0.2.1/indexes.json' is not an https: URL",
    ),
    "redirect to nonsense": (
        lambda content: answers.status(302, Location="http://[::1/"),
        fetch.RefusedError,
        "redirects to 'http://[::1/', which is not a URL",
    ),
    "redirect for ever": (
        lambda content: answers.status(302, Location="indexes.json"),
        fetch.RefusedError,
        "redirects more than 5 times",
    ),
}


ENDED_BY_TIME = ("timeout", "slow drip")


@pytest.mark.parametrize("fault", EXCHANGE_FAULTS)
def test_after_a_fault_of_the_exchange_the_data_is_what_it_was(
    fault: str, server: Server, give: Callable[..., None], folder: Path, content: MADE
) -> None:
    make, expected, message = EXCHANGE_FAULTS[fault]
    give([make(content)])
    before = state(folder)
    limits = SHORT if fault in ENDED_BY_TIME else LIMITS
    with pytest.raises(expected) as caught:
        fetch.download(origin=server.origin, limits=limits)
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert state(folder) == before


def test_the_second_file_failing_keeps_the_first_as_it_was(
    server: Server, give: Callable[..., None], folder: Path, changed: Callable[[Change], MADE]
) -> None:
    give([answers.body(changed(one_mapping_changed)[INDEXES])], [answers.status(404)])
    before = state(folder)
    with pytest.raises(fetch.UnreachableError, match=r"encodings\.json responds with 404"):
        fetch.files(server.origin, LIMITS)
    assert state(folder) == before


def test_an_endless_body_is_cut_off_while_it_streams(server: Server, give: Callable[..., None], folder: Path) -> None:
    sent: list[int] = []
    give([answers.endless(sent)])
    with pytest.raises(fetch.RefusedError, match="sends more than the limit of 1048576 bytes"):
        fetch.files(server.origin, LIMITS)
    assert sent[-1] < 64 * LIMITS.size


def test_no_server_is_one_line(folder: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        origin = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        with pytest.raises(fetch.UnreachableError) as caught:
            fetch.files(origin, LIMITS)
    assert "Connection refused" in str(caught.value)
    assert "object at 0x" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_server_that_never_accepts_is_bounded(folder: Path) -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        with pytest.raises(fetch.UnreachableError):
            fetch.files(f"http://127.0.0.1:{listening.getsockname()[1]}/", SHORT)


def test_a_resolver_that_hangs_is_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(*_: object, **__: object) -> None:
        time.sleep(2)

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    limits = fetch.Limits(total=0.2)
    with pytest.raises(fetch.UnreachableError, match=r"example\.invalid/ has not delivered both files within 0\.2"):
        fetch.files("https://example.invalid/", limits)


@pytest.mark.parametrize(
    "url",
    [
        "http://encoding.spec.whatwg.org/",
        "ftp://127.0.0.1/",
        "file:///etc/",
        "//127.0.0.1/",
        "127.0.0.1",
        "",
        "https:///",
        "http://127.0.0.1@example.com/",
        "http://example.com\\@127.0.0.1/",
        "http://127.0.0.1.example.com/",
        "http://[::2]/",
        "http://[::1/",
    ],
)
def test_a_url_that_is_neither_https_nor_of_this_machine_is_refused(url: str, folder: Path) -> None:
    with pytest.raises(fetch.RefusedError, match="is not"):
        fetch.files(url, LIMITS)


@pytest.mark.parametrize(
    "url", ["https://encoding.spec.whatwg.org/", "http://localhost:8/", "http://127.9.9.9/", "http://[::1]:8/"]
)
def test_a_url_that_is_https_or_of_this_machine_may_be_asked(url: str) -> None:
    fetch.check_url(url)
