"""Serves the client's files with made-up states for looking at them; not part of the program."""

import argparse
import functools
import http.server
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
_EARLY = re.compile(r"<script[^>]*early\.js[^>]*></script>")


class Handler(http.server.SimpleHTTPRequestHandler):
    """The page with the demo's script instead of the client's; never cached."""

    def do_GET(self) -> None:
        if self.path.split("?")[0] == "/":
            page = (ROOT / "client" / "index.html").read_text()
            page = page.replace("/assets/dev/js/main.js", "/tests/client/demo/demo.js")
            page = _EARLY.sub("", page)  # there is nobody to sign in with
            body = page.replace("/assets/dev/", "/client/").encode()
            self._answer(body, "text/html; charset=utf-8")
        elif self.path.endswith("/qr.svg"):
            self._answer(
                b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>', "image/svg+xml"
            )
        else:
            super().do_GET()

    def _answer(self, body: bytes, content_type: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Security-Policy", "default-src 'self'; img-src 'self' data:")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def server(port: int = 0) -> http.server.ThreadingHTTPServer:
    """A server on the loopback interface; port 0 takes any."""
    handler = functools.partial(Handler, directory=str(ROOT))
    return http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    http_server = server(parser.parse_args().port)
    print(f"http://127.0.0.1:{http_server.server_address[1]}/?state=mid", flush=True)
    http_server.serve_forever()
