"""A door between the browser and the server that a test can shut, hold or lead elsewhere.

It passes bytes and understands none of them. Faults only: no test measures time through it.
"""

import contextlib
import socket
import threading
from typing import Self

_CHUNK = 65_536


class Proxy:
    """Passes connections from a fixed address on to `target`; a context manager.

    - `cut()`: every open connection ends at once and new ones are turned away.
    - `deafen()`: what the browser says still arrives, what the server answers is thrown away.
    - `restore()`: the door is open again, for new connections.
    - `forgetful`: the cookie of a WebSocket's handshake does not reach the browser.
    - `cookieless`: no cookie does.
    """

    def __init__(self, target: int) -> None:
        self.target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._is_shut = False
        self._is_deaf = False
        self.forgetful = False
        self.cookieless = False
        self._heard = threading.Event()

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()

    def cut(self) -> None:
        """End all connections and let nobody in."""
        self._is_shut = True
        with self._lock:
            ending, self._open = self._open, set()
        for one in ending:
            _end(one)

    def deafen(self) -> None:
        """Throw away what the server says, until the connections are cut."""
        self._heard.clear()
        self._is_deaf = True

    def wait_for_answer(self) -> None:
        """Wait until the server said something that was thrown away."""
        assert self._heard.wait(20), "the server answered nothing"

    def restore(self) -> None:
        """Let new connections in."""
        self._is_deaf = self._is_shut = False

    def _accept(self) -> None:
        while True:
            try:
                browser, _ = self._listener.accept()
            except OSError:
                return
            if self._is_shut:
                _end(browser)
                continue
            try:
                server = socket.create_connection(("127.0.0.1", self.target), timeout=10)
            except OSError:
                _end(browser)
                continue
            server.settimeout(None)
            with self._lock:
                self._open |= {browser, server}
            for source, sink, deafens in ((browser, server, False), (server, browser, True)):
                threading.Thread(
                    target=self._pump, args=(source, sink, deafens), daemon=True
                ).start()

    def _pump(self, source: socket.socket, sink: socket.socket, deafens: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(_CHUNK):
                if deafens and self._is_deaf:
                    self._heard.set()
                elif deafens and (self.cookieless or (self.forgetful and _opens_socket(data))):
                    sink.sendall(data.replace(b"Set-Cookie:", b"X-Not-Kept:"))
                else:
                    sink.sendall(data)
        _end(source)
        _end(sink)
        with self._lock:
            self._open -= {source, sink}


def _opens_socket(data: bytes) -> bool:
    return data.startswith(b"HTTP/1.1 101")


def _end(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
