"""The few system calls that Python does not have."""

import ctypes
import os
from pathlib import Path

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47

MS_NOSUID, MS_NODEV, MS_NOEXEC = 1 << 1, 1 << 2, 1 << 3
MS_BIND, MS_REC, MS_PRIVATE = 1 << 12, 1 << 14, 1 << 18
MNT_DETACH = 2
MADV_COLLAPSE = 25


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(what: str, number: int, *arguments: int | bytes | None) -> int:
    """The result of a system call, by its number. what: its name, for the OSError."""
    wide = (each if isinstance(each, bytes) else ctypes.c_long(each or 0) for each in arguments)
    return _checked(_libc.syscall(ctypes.c_long(number), *wide), what)


def prctl(option: int, *arguments: int) -> int:
    """prctl(2). Raises OSError."""
    wide = [ctypes.c_ulong(each) for each in (*arguments, 0, 0, 0, 0)[:4]]
    return _checked(_libc.prctl(option, *wide), f"prctl {option}")


def unshare(flags: int) -> None:
    """unshare(2). Raises OSError."""
    _checked(_libc.unshare(flags), "unshare")


def mount(source: Path | str, target: Path, kind: str, flags: int, options: str = "") -> None:
    """mount(2). Raises OSError."""
    texts = (os.fsencode(source), os.fsencode(target), kind.encode())
    result = _libc.mount(*texts, ctypes.c_ulong(flags), options.encode())
    _checked(result, f"mount {source} on {target}")


def unmount(target: str) -> None:
    """umount2(2), lazily. Raises OSError."""
    _checked(_libc.umount2(target.encode(), MNT_DETACH), f"umount2 {target}")


def pivot_root(new: str, old: str) -> None:
    """pivot_root(2). Raises OSError."""
    _checked(_libc.pivot_root(new.encode(), old.encode()), "pivot_root")


def capset(header: bytes, sets: bytes) -> None:
    """capset(2). Raises OSError."""
    _checked(_libc.capset(header, sets), "capset")


def madvise(address: int, size: int, advice: int) -> None:
    """madvise(2). Raises OSError."""
    _checked(_libc.madvise(ctypes.c_void_p(address), ctypes.c_size_t(size), advice), "madvise")


def overwrite(address: int, size: int) -> None:
    """Fill memory of this process with zeros."""
    ctypes.memset(address, 0, size)
