"""The data folder of an embedded Redis: private, locked by one server, with a socket in reach."""

import contextlib
import fcntl
import hashlib
import os
import socket
import stat
import tempfile
from pathlib import Path
from typing import IO
from urllib.parse import quote

LONGEST_SOCKET_PATH = 100
"""Bytes; the systems' limits are 104 (macOS) and 108 (Linux), with the closing zero."""
_KNOCK_SECONDS = 5.0


class EmbeddedError(RuntimeError):
    """The embedded Redis cannot run here; the text is one line that says what to do."""


def prepare_folder(folder: Path) -> None:
    """Make the data folder for this user alone, or say in one line why it cannot be used."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        inside = {entry.name for entry in folder.iterdir()}
        if not inside or "lock" in inside:
            folder.chmod(0o700)
    except FileExistsError:
        raise EmbeddedError(
            f"the data folder {folder} is a file; give another --data-dir"
        ) from None
    except OSError as error:
        raise _unusable(folder, "used", error) from None


def lock_folder(folder: Path) -> IO[str]:
    """The folder's lock, held until it is closed or this process ends."""
    try:
        handle = os.fdopen(os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600), "r+")
    except OSError as error:
        raise _unusable(folder, "used", error) from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        holder = handle.read(20).strip()
        handle.close()
        if not isinstance(error, BlockingIOError):
            raise _unusable(folder, "locked", error) from None
        raise EmbeddedError(
            f"another server (process {holder or 'unknown'}) uses the data folder {folder}; "
            "stop it, or give this one another --data-dir"
        ) from None
    handle.truncate(0)
    handle.write(f"{os.getpid()}\n")
    handle.flush()
    return handle


def socket_path(folder: Path) -> Path:
    """Where the folder's Redis listens: in it, or, when that is too long, in a private folder.

    The answer depends on the folder alone, so that a later start finds the same socket.
    """
    path = _socket(folder)
    if path.parent == folder:
        return path
    short = path.parent
    with contextlib.suppress(FileExistsError):
        short.mkdir(mode=0o700)
    if not _is_private(short):
        raise EmbeddedError(
            f"{short} is not a private folder of this user; remove it and start again"
        )
    return path


def _is_private(folder: Path) -> bool:
    """Whether a folder is this user's alone, and no link to another one."""
    found = folder.lstat()
    is_own = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return is_own and not found.st_mode & 0o077


def _socket(folder: Path) -> Path:
    """The path of the socket. Raises EmbeddedError where there is none that is short enough."""
    inside = folder / "redis.sock"
    if len(os.fsencode(inside)) <= LONGEST_SOCKET_PATH:
        return inside
    name = hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:16]
    for base in (tempfile.gettempdir(), "/tmp"):  # noqa: S108 - made private and checked below
        short = Path(base) / f"yukon-{os.getuid()}-{name}"
        if len(os.fsencode(short / "redis.sock")) <= LONGEST_SOCKET_PATH:
            return short / "redis.sock"
    raise EmbeddedError(
        f"the data folder's path and the temporary folder's are too long for a socket; "
        f"set TMPDIR or --data-dir to something shorter than {LONGEST_SOCKET_PATH} bytes"
    )


def running_url(folder: Path) -> str:
    """The address of the Redis that a running server has in its data folder; nothing is changed.

    Raises EmbeddedError when there is none.
    """
    folder = folder.absolute()
    try:
        path = _socket(folder)
        if (folder / "lock").is_file() and (path.parent == folder or _is_private(path.parent)):
            with socket.socket(socket.AF_UNIX) as knocking:
                knocking.settimeout(_KNOCK_SECONDS)
                knocking.connect(os.fspath(path))
            return f"unix://{quote(os.fspath(path))}"
    except PermissionError as error:
        raise _unusable(folder, "read", error) from None
    except OSError:
        pass  # the folder, its socket or who should listen there is missing
    raise EmbeddedError(
        f"no server runs on the data folder {folder}; start it, or give --data-dir or --redis-url"
    )


def _unusable(folder: Path, what: str, error: OSError) -> EmbeddedError:
    reason = error.strerror or type(error).__name__
    return EmbeddedError(
        f"the data folder {folder} cannot be {what} ({reason}); give another --data-dir"
    )
