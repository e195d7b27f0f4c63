"""A server that speaks Redis's protocol and says of itself whatever a test wants to be said."""

import socketserver
import threading
from types import TracebackType
from typing import Self

import hiredis


class FakeRedis:
    """Answers INFO with the given fields, PING and CLIENT politely, everything else with an error.

    `loading` is how many INFOs are first answered as a Redis that still reads its data does.
    With `greeting` it sends these bytes to whoever comes and closes, as no Redis does.
    """

    def __init__(self, info: dict[str, str], *, loading: int = 0, greeting: bytes = b"") -> None:
        self.info = info
        self.loading = loading
        fake = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                if greeting:
                    self.request.sendall(greeting)
                    return
                reader = hiredis.Reader()
                while data := self.request.recv(4096):
                    reader.feed(data)
                    while (command := reader.gets()) is not False:
                        self.request.sendall(fake.answer(command))

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            block_on_close = False

        self._server = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self.url = f"redis://127.0.0.1:{self._server.server_address[1]}"

    def answer(self, command: list[bytes]) -> bytes:
        match command[0].upper():
            case b"PING":
                return b"+PONG\r\n"
            case b"CLIENT":
                return b"+OK\r\n"
            case b"INFO" if self.loading:
                self.loading -= 1
                return b"-LOADING Redis is loading the dataset in memory\r\n"
            case b"INFO":
                text = "".join(f"{name}:{value}\r\n" for name, value in self.info.items()).encode()
                return b"$%d\r\n%s\r\n" % (len(text), text)
            case name:
                return b"-ERR unknown command '%s'\r\n" % name

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
