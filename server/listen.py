"""Opens the port that the workers share, or says in one line why not; accepts no connection."""

import contextlib
import errno
import socket

BACKLOG = 1024


class ListenError(RuntimeError):
    """The port cannot be had; the text is one line that says what to do."""


def open_listener(host: str, port: int) -> socket.socket:
    """A listening TCP socket; port 0 takes a free one. ListenError when it cannot be had."""
    try:
        found = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE | socket.AI_ADDRCONFIG
        )
    except (socket.gaierror, UnicodeError):
        raise ListenError(
            f"--host {host} is not an address of this machine; 127.0.0.1 and 0.0.0.0 always are"
        ) from None
    family, kind, protocol, _, where = min(found, key=lambda entry: entry[0] != socket.AF_INET)
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            with contextlib.suppress(OSError):
                listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind(where)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise ListenError(_why(host, port, error)) from None
    return listener


def addresses(listener: socket.socket) -> list[str]:
    """Where a browser finds the socket: on this machine first, then from the local network."""
    host, port = listener.getsockname()[:2]
    if host not in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        return [f"http://{f'[{host}]' if ':' in host else host}:{port}"]
    outside = _network_address()
    return [f"http://{name}:{port}" for name in ("127.0.0.1", outside) if name is not None]


def _network_address() -> str | None:
    """This machine's IPv4 address in its network; asks the routing table, sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        host = str(probe.getsockname()[0])
        return None if host.startswith(("127.", "0.")) else host
    return None


def _why(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"port {port} on {host} is taken; stop the program that uses it or give another --port"
        )
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"port {port} needs more rights than this user has; give a --port above 1023"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"--host {host} is not an address of this machine; 127.0.0.1 and 0.0.0.0 always are"
    return f"cannot listen on {host} port {port} ({error.strerror}); give another --host or --port"
