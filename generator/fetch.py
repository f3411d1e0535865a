"""Fetch the standard's data and replace the pinned data with it atomically. No other module uses the network.

Downloaded data is treated as hostile, and kept in memory only, until `snapshot` has parsed it and `validate` has found
no fault.
"""

from __future__ import annotations

import ipaddress
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import requests
from requests.adapters import HTTPAdapter
from urllib3.exceptions import LocationParseError, MaxRetryError
from urllib3.util import Retry, parse_url

from generator import snapshot as snapshots
from generator import validate
from generator.model import BUILT, FILES, STANDARD, GeneratorError, Snapshot, shortened
from generator.spec.errors import SpecError
from generator.spec.notation import Algorithms

CACHE = BUILT / "fetch.json"
"""The file that caches the validators of earlier responses. Without it, requests are unconditional."""

CHUNK = 64 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of an exchange. Times are in seconds; the size is in bytes of one file after decompression."""

    total: float = 12.0
    """Total time: name resolution, all files, retries, and the pauses between them."""
    connect: float = 3.0
    read: float = 5.0
    retries: int = 2
    size: int = 4 * 1024 * 1024


class FetchError(GeneratorError):
    """The standard's data could not be fetched; no file has changed. The message is one line."""


class UnreachableError(FetchError):
    """The server did not deliver the file: no network, no server, no such file, or a timeout."""


class RefusedError(FetchError):
    """The response, or the target of a redirect, is not trusted."""


def fetch(
    folder: Path = snapshots.DATA,
    *,
    origin: str = STANDARD,
    limits: Limits | None = None,
    cache: Path | None = None,
    review: Callable[[Snapshot, Snapshot], Callable[[], object]] = lambda old, new: lambda: None,
) -> tuple[Snapshot, bool]:
    """Bring the snapshot in the folder up to date with the files below the URL `origin`.

    Return it, and whether it changed. If old and new snapshot differ, `review` is called with both before the new one
    is validated, so that the difference can be shown even if it is refused; what it returns is called after validation
    and raises to refuse the change. `cache` is the file for ETag and Last-Modified of earlier responses, or None.

    Raise a FetchError if a file cannot be fetched, a SnapshotError if it is not valid data of the standard; in both
    cases the folder is unchanged.
    """
    pinned = snapshots.load(folder)
    content, keep = obtain(folder, origin=origin, limits=limits, cache=cache)
    changed = any(snapshots.sha256(content[name]) != pinned.sha256[name] for name in FILES)
    if changed:
        candidate = snapshots.parse(content, today())
        approve = review(pinned, candidate)
        validate.check(candidate, pinned)
        approve()
        pinned = snapshots.write(
            folder, content, day=candidate.date, origins={name: address(origin, name) for name in FILES}
        )
    keep()
    return pinned, changed


def obtain(
    folder: Path, *, origin: str, limits: Limits | None = None, cache: Path | None = None
) -> tuple[dict[str, bytes], Callable[[], None]]:
    """Return the files below the URL `origin`, and what to call when they are in the folder; write nothing.

    Raise a FetchError if a file cannot be fetched.
    """
    content, validators = _within(limits or Limits(), _Exchange(origin, snapshots.read(folder), cache))
    return content, lambda: _remember(cache, validators)


def download(*, origin: str = STANDARD, limits: Limits | None = None) -> Snapshot:
    """Return the snapshot of the files below the URL `origin`, valid or not; write nothing.

    Raise a FetchError if a file cannot be fetched, a SnapshotError if one does not have the standard's form.
    """
    content, _ = _within(limits or Limits(), _Exchange(origin, {}, None))
    return snapshots.parse(content, today())


def download_algorithms(*, source: str, limits: Limits | None = None, known: Algorithms | None = None) -> Algorithms:
    """Return the algorithms of the standard's source at a URL, compiled; write nothing.

    Of sections that are not understood, the `known` programs are taken. Raise a FetchError if it cannot be fetched, a
    SpecError if it is not a source of the standard, or not understood and `known` is None.
    """
    from generator.spec import compiler

    content, _ = _within(limits or Limits(), _Exchange(source, {}, None, files=("",)))
    try:
        text = content[""].decode("utf-8")
    except UnicodeDecodeError as error:
        raise SpecError(f"encoding.bs: byte {error.start} is not UTF-8") from error
    return compiler.read(text, origin=source, day=today(), known=known)


def today() -> str:
    """Return the date, UTC, as ISO 8601."""
    return datetime.now(UTC).date().isoformat()


# -- Permitted requests ------------------------------------------------------------------------------------------------


def address(origin: str, name: str) -> str:
    """Return the URL of a file below an origin, with or without a final slash; for an empty name, the origin itself."""
    return f"{origin.rstrip('/')}/{name}" if name else origin


def check_url(url: str) -> None:
    """Raise a RefusedError unless the URL is HTTPS, or HTTP to this machine."""
    try:
        parts = parse_url(url)  # the parser that the request uses, so that check and request agree on the host
    except LocationParseError as error:
        raise RefusedError(f"{shortened(url)} is not a URL") from error
    if not parts.host or not (parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(parts.host))):
        raise RefusedError(f"{shortened(url)} is not an https: URL (http: is for this machine only)")


def _is_loopback(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class _Session(requests.Session):
    """A session that retries transient errors and refuses redirects to schemes or hosts that are not permitted."""

    def __init__(self, limits: Limits) -> None:
        super().__init__()
        self.max_redirects = 5
        retry = Retry(
            total=limits.retries,
            backoff_factor=0.2,
            status_forcelist=(429, 500, 502, 503, 504),
            allowed_methods=("GET",),
            raise_on_status=False,
            # A Retry-After of hours would exceed `Limits.total`.
            respect_retry_after_header=False,
        )
        for scheme in ("https://", "http://"):
            self.mount(scheme, HTTPAdapter(max_retries=retry))

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        """Return the URL that a response redirects to, if any; raise a RefusedError if it is not permitted."""
        target = super().get_redirect_target(resp)
        if target is not None:
            try:
                url = urljoin(str(resp.url), target)
            except ValueError as error:
                raise RefusedError(f"{resp.url} redirects to {shortened(target)}, which is not a URL") from error
            check_url(url)
            if parse_url(url).scheme != parse_url(str(resp.url)).scheme:
                raise RefusedError(f"{resp.url} redirects to another scheme, {shortened(url)}")
        return target


# -- The exchange ------------------------------------------------------------------------------------------------------

_Validators = dict[str, dict[str, str]]


@dataclass(frozen=True, slots=True)
class _Exchange:
    """A download of files from one server. `known` holds files that are present, for conditional requests."""

    origin: str
    known: Mapping[str, bytes]
    cache: Path | None
    files: tuple[str, ...] = FILES

    def __call__(self, limits: Limits) -> tuple[dict[str, bytes], _Validators]:
        """Return the files' content by name, and their validators for later requests by URL."""
        remembered = _recall(self.cache)
        content: dict[str, bytes] = {}
        validators: _Validators = {}
        with _Session(limits) as session:
            for name in self.files:
                url = address(self.origin, name)
                check_url(url)
                # A validator applies only to the bytes that it was received with.
                validator = remembered.get(url, {})
                if name not in self.known or validator.get("sha256") != snapshots.sha256(self.known[name]):
                    validator = {}
                content[name], validators[url] = _get(session, url, validator, self.known.get(name), limits)
        return content, validators


def _get(
    session: _Session, url: str, validator: Mapping[str, str], known: bytes | None, limits: Limits
) -> tuple[bytes, dict[str, str]]:
    """Return the content at a URL, and its validator. It is `known` if the server confirms `validator`."""
    conditions = {"If-None-Match": validator.get("etag"), "If-Modified-Since": validator.get("last-modified")}
    headers = {name: value for name, value in conditions.items() if value}
    try:
        with session.get(url, headers=headers, stream=True, timeout=(limits.connect, limits.read)) as response:
            if response.status_code == 304 and headers and known is not None:
                return known, dict(validator)
            if response.status_code != 200:
                raise UnreachableError(f"{url} responds with {response.status_code} {shortened(response.reason)}")
            content = _body(response, url, limits.size)
    except requests.TooManyRedirects as error:
        raise RefusedError(f"{url} redirects more than {session.max_redirects} times") from error
    except requests.RequestException as error:
        raise UnreachableError(f"{url} cannot be fetched: {_reason(error)}") from error
    kept = {name: response.headers[name] for name in ("etag", "last-modified") if name in response.headers}
    return content, kept | {"sha256": snapshots.sha256(content)}


def _body(response: requests.Response, url: str, limit: int) -> bytes:
    """Return the response's decompressed content; raise a RefusedError as soon as it exceeds `limit` bytes."""
    content = bytearray()
    for chunk in response.iter_content(CHUNK):
        content += chunk
        if len(content) > limit:
            raise RefusedError(f"{url} sends more than the limit of {limit} bytes")
    return bytes(content)


def _reason(error: BaseException) -> str:
    """Return why a request failed, in one line, without the representations of library objects."""
    while error.args and isinstance(error.args[0], BaseException):
        error = error.args[0]
    if isinstance(error, MaxRetryError) and error.reason is not None:
        return _reason(error.reason)
    text = " ".join(str(error).split())
    return text.partition(": ")[2] if text.startswith(("HTTPConnection(", "HTTPSConnection(", "<")) else text


def _within(limits: Limits, exchange: _Exchange) -> tuple[dict[str, bytes], _Validators]:
    """Return or raise what the exchange does; raise an UnreachableError if it exceeds the limits' total time.

    Only a thread bounds the time of name resolution and of servers that send single bytes with pauses. It writes to
    memory only, so it can be abandoned.
    """
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append(exchange(limits))
        except BaseException as error:
            outcome.append(error)

    thread = threading.Thread(target=run, name="fetch", daemon=True)
    thread.start()
    thread.join(limits.total)
    if not outcome:
        what = "both files" if len(exchange.files) > 1 else "the file"
        raise UnreachableError(f"{exchange.origin} has not delivered {what} within {limits.total:g} seconds")
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    content, validators = outcome[0]
    return content, validators


# -- Validators of earlier responses -----------------------------------------------------------------------------------


def _recall(cache: Path | None) -> _Validators:
    """Return the validators in the cache by URL; return an empty mapping if the cache is absent or unreadable."""
    try:
        recalled = json.loads(cache.read_bytes()) if cache else {}
        return {
            str(url): {str(name): str(value) for name, value in validator.items()}
            for url, validator in recalled.items()
        }
    except (OSError, ValueError, AttributeError):
        return {}


def _remember(cache: Path | None, validators: _Validators) -> None:
    """Write the validators to the cache; ignore a cache that cannot be written."""
    if cache is None:
        return
    try:
        cache.parent.mkdir(parents=True, exist_ok=True)
        cache.write_text(json.dumps(validators, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    except OSError:
        pass
