"""Fetching from a server on loopback, and the effect of each fault. It writes to memory alone."""

from __future__ import annotations

import gzip
import socket
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from generator import fetch
from generator import update as upstream
from generator.model import ENCODINGS, INDEXES
from tests.generator import server as answers
from tests.generator.server import Answer, Server
from tests.generator.test_main import state

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


# -- Successful answers ------------------------------------------------------------------------------------------------


def test_200_with_the_same_files_changes_nothing(server: Server, give: Callable[..., None], folder: Path) -> None:
    give()
    before = state(folder)
    said: list[str] = []
    source = upstream.Upstream(server.origin, f"{server.origin}encoding.bs", LIMITS)  # the source is not there
    upstream.update(folder, source, "", said.append)
    assert said[-1].startswith("Upstream's data equals the data pinned")
    assert state(folder) == before


def test_compressed_content_is_decompressed(server: Server, give: Callable[..., None], content: MADE) -> None:
    give([answers.body(gzip.compress(content[INDEXES]), Content_Encoding="gzip")])
    assert fetch.files(server.origin, LIMITS) == content


@pytest.mark.parametrize("code", [429, 500, 502, 503, 504])
def test_a_transient_status_is_tried_again(server: Server, give: Callable[..., None], content: MADE, code: int) -> None:
    give([answers.status(code, Retry_After="3600"), answers.body(content[INDEXES])])
    assert fetch.files(server.origin, LIMITS) == content
    assert len(server.asked(INDEXES)) == 2


def test_a_timeout_is_tried_again(server: Server, give: Callable[..., None], content: MADE) -> None:
    give([answers.silent, answers.body(content[INDEXES])])
    # On a busy machine even the answer may take longer than a read may, and is then requested once more.
    limits = replace(LIMITS, read=0.3, retries=9)
    assert fetch.files(server.origin, limits) == content
    assert len(server.asked(INDEXES)) >= 2


def test_a_redirect_to_the_same_scheme_is_followed(server: Server, give: Callable[..., None], content: MADE) -> None:
    give([answers.status(302, Location="/moved/encodings.json/../indexes.json")])
    server.answers[INDEXES].append(answers.body(content[INDEXES]))
    assert fetch.files(server.origin, LIMITS) == content


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
def test_a_fault_of_the_exchange_is_a_line(
    fault: str, server: Server, give: Callable[..., None], content: MADE
) -> None:
    make, expected, message = EXCHANGE_FAULTS[fault]
    give([make(content)])
    limits = SHORT if fault in ENDED_BY_TIME else LIMITS
    with pytest.raises(expected) as caught:
        fetch.files(server.origin, limits)
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_the_second_file_failing_fails(server: Server, give: Callable[..., None]) -> None:
    give(encodings=[answers.status(404)])
    with pytest.raises(fetch.UnreachableError, match=r"encodings\.json responds with 404"):
        fetch.files(server.origin, LIMITS)


def test_an_endless_body_is_cut_off_while_it_streams(server: Server, give: Callable[..., None]) -> None:
    sent: list[int] = []
    give([answers.endless(sent)])
    with pytest.raises(fetch.RefusedError, match="sends more than the limit of 1048576 bytes"):
        fetch.files(server.origin, LIMITS)
    assert sent[-1] < 64 * LIMITS.size


def test_no_server_is_one_line() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        origin = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        with pytest.raises(fetch.UnreachableError) as caught:
            fetch.files(origin, LIMITS)
    assert "Connection refused" in str(caught.value)
    assert "object at 0x" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_server_that_never_accepts_is_bounded() -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        with pytest.raises(fetch.UnreachableError):
            fetch.files(f"http://127.0.0.1:{listening.getsockname()[1]}/", SHORT)


def test_a_resolver_that_hangs_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_a_url_that_is_neither_https_nor_of_this_machine_is_refused(url: str) -> None:
    with pytest.raises(fetch.RefusedError, match="is not"):
        fetch.files(url, LIMITS)


@pytest.mark.parametrize(
    "url", ["https://encoding.spec.whatwg.org/", "http://localhost:8/", "http://127.9.9.9/", "http://[::1]:8/"]
)
def test_a_url_that_is_https_or_of_this_machine_may_be_asked(url: str) -> None:
    fetch.check_url(url)
