"""Download the standard's files and its source. No other module uses the network.

What is downloaded is not trusted: it stays in memory until `snapshot` has parsed it and `validate` has found no fault.
"""

from __future__ import annotations

import ipaddress
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin

import requests
from requests.adapters import HTTPAdapter
from urllib3.exceptions import LocationParseError, MaxRetryError
from urllib3.util import Retry, parse_url

from generator import snapshot as snapshots
from generator.model import FILES, GeneratorError, shortened
from generator.spec.errors import SpecError
from generator.spec.notation import Algorithms

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


def files(origin: str, limits: Limits, names: Sequence[str] = FILES) -> dict[str, bytes]:
    """Return the content of the files below a URL, by name; raise a FetchError if one cannot be fetched.

    Only a thread bounds the time of name resolution and of servers that send single bytes with pauses. It writes to
    memory only, so it can be abandoned.
    """
    outcome: list[Any] = []

    def run() -> None:
        try:
            with _Session(limits) as session:
                outcome.append({name: _get(session, address(origin, name), limits) for name in names})
        except BaseException as error:
            outcome.append(error)

    thread = threading.Thread(target=run, name="fetch", daemon=True)
    thread.start()
    thread.join(limits.total)
    if not outcome:
        what = "both files" if len(names) > 1 else "the file"
        raise UnreachableError(f"{origin} has not delivered {what} within {limits.total:g} seconds")
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    content: dict[str, bytes] = outcome[0]
    return content


def download_algorithms(*, source: str, limits: Limits | None = None, known: Algorithms | None = None) -> Algorithms:
    """Return the algorithms of the standard's source at a URL, compiled; those `known` where it is not understood.

    Raise a FetchError if it cannot be fetched, a SpecError if it is no source of the standard, or not understood and
    `known` is None.
    """
    from generator.spec import compiler

    content = files(source, limits or Limits(), ("",))
    try:
        text = content[""].decode("utf-8")
    except UnicodeDecodeError as error:
        raise SpecError(f"encoding.bs: byte {error.start} is not UTF-8") from error
    return compiler.read(text, origin=source, day=snapshots.today(), known=known)


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


def _get(session: _Session, url: str, limits: Limits) -> bytes:
    """Return the decompressed content at a URL; raise a FetchError as soon as it exceeds the limits."""
    check_url(url)
    content = bytearray()
    try:
        with session.get(url, stream=True, timeout=(limits.connect, limits.read)) as response:
            if response.status_code != 200:
                raise UnreachableError(f"{url} responds with {response.status_code} {shortened(response.reason)}")
            for chunk in response.iter_content(CHUNK):
                content += chunk
                if len(content) > limits.size:
                    raise RefusedError(f"{url} sends more than the limit of {limits.size} bytes")
    except requests.TooManyRedirects as error:
        raise RefusedError(f"{url} redirects more than {session.max_redirects} times") from error
    except requests.RequestException as error:
        raise UnreachableError(f"{url} cannot be fetched: {_reason(error)}") from error
    return bytes(content)


def _reason(error: BaseException) -> str:
    """Return why a request failed, in one line, without the representations of library objects."""
    while error.args and isinstance(error.args[0], BaseException):
        error = error.args[0]
    if isinstance(error, MaxRetryError) and error.reason is not None:
        return _reason(error.reason)
    text = " ".join(str(error).split())
    return text.partition(": ")[2] if text.startswith(("HTTPConnection(", "HTTPSConnection(", "<")) else text
