"""A loopback server for pages of a test."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def served(pages: Mapping[str, tuple[str, bytes, str]]) -> Iterator[str]:
    """Serve pages, which are name → Content-Type, bytes, and their text; yield the URL that names are appended to."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content_type, data, _ = pages[self.path[1:]]
            self.send_response(200)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()
            thread.join()
