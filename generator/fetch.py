"""Fetches the standard's data, and replaces the pinned data with it: all of it or nothing. Alone uses the network.

What the network brings is hostile until `snapshot` could read it and `validate` found nothing. Until then it is in
memory only.
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

from generator import prose, validate
from generator import snapshot as snapshots
from generator.handlers import STANDARD
from generator.model import FILES, GeneratorError, Snapshot, shortened

CACHE = snapshots.DATA.parent / "build" / "_out" / "fetch.json"
"""Where validators of earlier answers about the pinned data are kept. It is not data: without it a request is
unconditional, no more."""

CHUNK = 64 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """What an exchange may cost. Times are in seconds, the size in bytes of one file after decompression."""

    total: float = 12.0
    """For everything: names resolved, both files, retries, and pauses between them."""
    connect: float = 3.0
    read: float = 5.0
    retries: int = 2
    size: int = 4 * 1024 * 1024


class FetchError(GeneratorError):
    """The standard's data could not be fetched, and nothing has changed. The message is one line."""


class UnreachableError(FetchError):
    """The server did not give the file: no network, no server, no such file, or not in time."""


class RefusedError(FetchError):
    """What the server gave, or where it sent us, is nothing to trust."""


def fetch(
    folder: Path = snapshots.DATA,
    *,
    origin: str = STANDARD,
    limits: Limits | None = None,
    cache: Path | None = None,
    before_change: Callable[[Snapshot, Snapshot], object] = lambda old, new: None,
    approve: Callable[[Snapshot, Snapshot], object] = lambda old, new: None,
) -> tuple[Snapshot, bool]:
    """Bring the snapshot in the folder up to date with the files below the URL `origin`.

    Return it, and whether it changed. `before_change` is called with the old and the new snapshot when they differ,
    before anything is replaced and before the new one is validated, so that a person sees what a refusal is about;
    `approve`, after it is validated, raises to refuse it. `cache` is the file for ETag and Last-Modified of earlier
    answers, None for none.

    A FetchError if a file cannot be had, a SnapshotError if it is not what the standard publishes; either way the
    folder is as before.
    """
    pinned = snapshots.load(folder)
    content, validators = _within(limits or Limits(), _Exchange(origin, snapshots.read(folder), cache))
    changed = any(snapshots.sha256(content[name]) != pinned.sha256[name] for name in FILES)
    if changed:
        candidate = snapshots.parse(content, _today())
        before_change(pinned, candidate)
        validate.check(candidate, pinned)
        approve(pinned, candidate)
        pinned = snapshots.write(
            folder, content, day=candidate.date, origins={name: _url(origin, name) for name in FILES}
        )
    _remember(cache, validators)
    return pinned, changed


def download(*, origin: str = STANDARD, limits: Limits | None = None) -> Snapshot:
    """The snapshot that the files below the URL `origin` make, valid or not; writes nothing.

    A FetchError if a file cannot be had, a SnapshotError if one has not the shape of the standard's.
    """
    content, _ = _within(limits or Limits(), _Exchange(origin, {}, None))
    return snapshots.parse(content, _today())


def download_prose(*, source: str = prose.SOURCE, limits: Limits | None = None) -> prose.Prose:
    """Return the prose of the standard's source at a URL; write nothing.

    A FetchError if it cannot be had, a ProseError if it is no source of the standard.
    """
    content, _ = _within(limits or Limits(), _Exchange(source, {}, None, files=("",)))
    try:
        text = content[""].decode("utf-8")
    except UnicodeDecodeError as error:
        raise prose.ProseError(f"{prose.SOURCE_NAME}: byte {error.start} is not UTF-8") from error
    return prose.extract(text, origin=source, day=_today())


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


# -- What may be asked -------------------------------------------------------------------------------------------------


def _url(origin: str, name: str) -> str:
    """Return the URL of a file below an origin, which may be a folder's; of no name, the origin itself."""
    return f"{origin.rstrip('/')}/{name}" if name else origin


def check_url(url: str) -> None:
    """None if the URL is HTTPS, or HTTP to this very machine; otherwise a RefusedError."""
    try:
        parts = parse_url(url)  # The parser that the request will be made with, so that both see the same host.
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
    """A session that retries what may pass by itself, and follows no redirect to a scheme or host we may not ask."""

    def __init__(self, limits: Limits) -> None:
        super().__init__()
        self.max_redirects = 5
        retry = Retry(
            total=limits.retries,
            backoff_factor=0.2,
            status_forcelist=(429, 500, 502, 503, 504),
            allowed_methods=("GET",),
            raise_on_status=False,
            # A server may ask to wait for hours; `Limits.total` leaves no such time.
            respect_retry_after_header=False,
        )
        for scheme in ("https://", "http://"):
            self.mount(scheme, HTTPAdapter(max_retries=retry))

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        """The URL that an answer redirects to, None if it does not; a RefusedError if it is none to follow."""
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
    """Files from one server. `known` holds the files that are there already, which it need not send again."""

    origin: str
    known: Mapping[str, bytes]
    cache: Path | None
    files: tuple[str, ...] = FILES

    def __call__(self, limits: Limits) -> tuple[dict[str, bytes], _Validators]:
        """The files' content by name; and what identifies it to the server next time, by URL."""
        remembered = _recall(self.cache)
        content: dict[str, bytes] = {}
        validators: _Validators = {}
        with _Session(limits) as session:
            for name in self.files:
                url = _url(self.origin, name)
                check_url(url)
                # A validator counts only for the very bytes that it came with.
                validator = remembered.get(url, {})
                if name not in self.known or validator.get("sha256") != snapshots.sha256(self.known[name]):
                    validator = {}
                content[name], validators[url] = _get(session, url, validator, self.known.get(name), limits)
        return content, validators


def _get(
    session: _Session, url: str, validator: Mapping[str, str], known: bytes | None, limits: Limits
) -> tuple[bytes, dict[str, str]]:
    """The content at a URL, and its validator; `known` is the content if the server says that `validator` holds."""
    conditions = {"If-None-Match": validator.get("etag"), "If-Modified-Since": validator.get("last-modified")}
    headers = {name: value for name, value in conditions.items() if value}
    try:
        with session.get(url, headers=headers, stream=True, timeout=(limits.connect, limits.read)) as response:
            if response.status_code == 304 and headers and known is not None:
                return known, dict(validator)
            if response.status_code != 200:
                raise UnreachableError(f"{url} answers {response.status_code} {shortened(response.reason)}")
            content = _body(response, url, limits.size)
    except requests.TooManyRedirects as error:
        raise RefusedError(f"{url} redirects more than {session.max_redirects} times") from error
    except requests.RequestException as error:
        raise UnreachableError(f"{url} cannot be fetched: {_reason(error)}") from error
    kept = {name: response.headers[name] for name in ("etag", "last-modified") if name in response.headers}
    return content, kept | {"sha256": snapshots.sha256(content)}


def _body(response: requests.Response, url: str, limit: int) -> bytes:
    """The answer's content; a RefusedError as soon as it has more than `limit` bytes, however it is compressed."""
    content = bytearray()
    for chunk in response.iter_content(CHUNK):
        content += chunk
        if len(content) > limit:
            raise RefusedError(f"{url} sends more than {limit} bytes, which is too much to be the standard's")
    return bytes(content)


def _reason(error: BaseException) -> str:
    """Why a request failed, in one line, without the objects that libraries name."""
    while error.args and isinstance(error.args[0], BaseException):
        error = error.args[0]
    if isinstance(error, MaxRetryError) and error.reason is not None:
        return _reason(error.reason)
    text = " ".join(str(error).split())
    return text.partition(": ")[2] if text.startswith(("HTTPConnection(", "HTTPSConnection(", "<")) else text


def _within(limits: Limits, exchange: _Exchange) -> tuple[dict[str, bytes], _Validators]:
    """What the exchange returns or raises; an UnreachableError if it takes longer than the limits' total.

    A thread is the only way to bound name resolution, and a server that sends a byte now and then. It only fills
    memory, so it can be left behind.
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
        raise UnreachableError(f"{exchange.origin} has not given {what} within {limits.total:g} seconds")
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    content, validators = outcome[0]
    return content, validators


# -- Validators of earlier answers -------------------------------------------------------------------------------------


def _recall(cache: Path | None) -> _Validators:
    """The validators in the cache by URL; nothing if there is no cache, or it is not ours."""
    try:
        recalled = json.loads(cache.read_bytes()) if cache else {}
        return {
            str(url): {str(name): str(value) for name, value in validator.items()}
            for url, validator in recalled.items()
        }
    except (OSError, ValueError, AttributeError):
        return {}


def _remember(cache: Path | None, validators: _Validators) -> None:
    """None, with the validators in the cache; a cache that cannot be written is none."""
    if cache is None:
        return
    try:
        cache.parent.mkdir(parents=True, exist_ok=True)
        cache.write_text(json.dumps(validators, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    except OSError:
        pass
