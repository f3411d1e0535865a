"""A loopback server that serves the standard's files, or the faults that a test requests."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[["Request"], None]
"""Writes one answer to a request, in whatever broken way."""


class Request(BaseHTTPRequestHandler):
    """One request and its response."""

    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        self.close_connection = True  # A fault must not affect the next request.
        name = self.path.rpartition("/")[2]
        with self.server.lock:
            self.server.requests.append((name, dict(self.headers)))
            queue = self.server.answers.get(name, [])
            answer = queue.pop(0) if len(queue) > 1 else queue[0] if queue else status(404)
        with contextlib.suppress(ConnectionError):
            answer(self)

    def reply(self, code: int, body: bytes = b"", headers: Mapping[str, str] | None = None) -> None:
        self.send_response(code)
        for name, value in {"Content-Length": str(len(body)), "Connection": "close", **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    """Answer each file name from its own list, repeating the last answer, and record the requests."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Request)
        self.lock = threading.Lock()
        self.answers: dict[str, list[Answer]] = {}
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.over = threading.Event()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"

    def asked(self, name: str) -> list[dict[str, str]]:
        """Return the headers of each request for a file."""
        return [headers for asked, headers in self.requests if asked == name]


@contextlib.contextmanager
def serving() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def body(content: bytes, **headers: str) -> Answer:
    """Answer 200 with this content."""
    return lambda request: request.reply(
        200, content, {name.replace("_", "-"): value for name, value in headers.items()}
    )


def status(code: int, **headers: str) -> Answer:
    """Answer with a status and no content."""
    return lambda request: request.reply(code, b"", {name.replace("_", "-"): value for name, value in headers.items()})


def silent(request: Request) -> None:
    """Answer with nothing until the test is over."""
    request.server.over.wait(30)


def slow_drip(request: Request) -> None:
    """Send a byte at a time, often enough that no single read times out."""
    request.send_response(200)
    request.send_header("Content-Length", "100000")
    request.end_headers()
    while not request.server.over.wait(0.05):
        request.wfile.write(b" ")
        request.wfile.flush()


def truncated(content: bytes) -> Answer:
    """Send half of the bytes that Content-Length promises."""

    def answer(request: Request) -> None:
        request.send_response(200)
        request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        request.wfile.write(content[: len(content) // 2])

    return answer


def endless(sent: list[int]) -> Answer:
    """Send spaces endlessly without a Content-Length; `sent` receives the number of bytes sent."""

    def answer(request: Request) -> None:
        request.send_response(200)
        request.send_header("Connection", "close")
        request.end_headers()
        sent.append(0)
        while not request.server.over.is_set() and sent[-1] < 1 << 28:
            sent[-1] += request.wfile.write(b" " * 65536)

    return answer
