"""Namespaces and a new root folder, which hide the rest of the computer."""

import fcntl
import os
import socket
import struct
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from course_grading.sandbox import libc
from course_grading.sandbox.environment import USER, Folders
from course_grading.sandbox.limits import Limits
from course_grading.sandbox.privileges import Identity

FOLDERS = Folders(work=Path("/submission"), temporary=Path("/tmp"))
SHARED_MEMORY = Path("/dev/shm")
DEVICES = tuple(Path("/dev", name) for name in ("null", "zero", "full", "random", "urandom"))
SYSTEM = tuple(
    Path(name)
    for name in (
        "/usr",
        "/bin",
        "/sbin",
        "/lib",
        "/lib32",
        "/lib64",
        "/libx32",
        "/etc/alternatives",
        "/etc/ld.so.cache",
        "/sys/devices/system/cpu",
    )
)

_MOUNT, _UTS, _IPC = 0x0002_0000, 0x0400_0000, 0x0800_0000
_USER, _PID, _NET = 0x1000_0000, 0x2000_0000, 0x4000_0000

_ROOT = Path("/proc")  # mount point for the new root: it exists on every computer
_HOST = "sandbox"

_MOUNT_SETATTR = 442
_HERE = -100
_RECURSIVE = 0x8000
_READ_ONLY, _NO_SETUID, _NO_DEVICES = 1, 2, 4

_SET_INTERFACE_FLAGS = 0x8914
_UP_AND_RUNNING = 0x1 | 0x40


def unshare_processes() -> None:
    """Make the next child of this process the first process of a new pid namespace."""
    uid, gid = os.getuid(), os.getgid()
    if os.geteuid() == 0:
        libc.unshare(_PID)
        return
    libc.unshare(_USER | _PID)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")


def unshare_machine() -> None:
    """Give this process new mounts, shared memory, host name, and only a loopback network."""
    libc.unshare(_MOUNT | _NET | _IPC | _UTS)
    libc.mount("none", Path("/"), "", libc.MS_REC | libc.MS_PRIVATE)
    socket.sethostname(_HOST)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("=16sh14x", b"lo", _UP_AND_RUNNING)
        fcntl.ioctl(any_socket, _SET_INTERFACE_FLAGS, request)


def enter_new_root(
    readable: Sequence[Path],
    work: Mapping[str, bytes],
    limits: Limits,
    who: Identity,
    devices: Sequence[Path],
) -> None:
    """Change into a root of a few read-only folders, with one limit for all written data.

    Call it in the first process of a pid namespace.
    """
    size = f"size={limits.writable_bytes},nr_inodes={limits.writable_files},mode=755"
    libc.mount("tmpfs", _ROOT, "tmpfs", libc.MS_NOSUID | libc.MS_NODEV, size)
    for path in _outermost([*SYSTEM, *readable, *(path.resolve() for path in readable)]):
        _show(path)
    FOLDERS.fill(_ROOT, work, who)
    _inside(SHARED_MEMORY).mkdir(parents=True)
    _inside(SHARED_MEMORY).chmod(0o1777)
    _write_etc(who)
    for device in (*DEVICES, *devices):
        _inside(device).touch()
    _inside(Path("/proc")).mkdir()
    _set(_ROOT, _READ_ONLY | _NO_SETUID | _NO_DEVICES, 0, _RECURSIVE)
    for folder in (FOLDERS.work, FOLDERS.temporary, SHARED_MEMORY):
        libc.mount(_inside(folder), _inside(folder), "", libc.MS_BIND | libc.MS_REC)
        _set(_inside(folder), 0, _READ_ONLY)
    for device in (*DEVICES, *devices):
        libc.mount(device, _inside(device), "", libc.MS_BIND)
    flags = libc.MS_NOSUID | libc.MS_NODEV | libc.MS_NOEXEC
    libc.mount("proc", _inside(Path("/proc")), "proc", flags, "hidepid=2")
    os.chdir(_ROOT)
    libc.pivot_root(".", ".")
    libc.unmount(".")  # the old root is mounted on top of the new one
    os.chdir("/")


def _show(path: Path) -> None:
    target = _inside(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    if path in SYSTEM and path.is_symlink():
        target.symlink_to(os.readlink(path))
        return
    if path.is_dir():
        target.mkdir(exist_ok=True)
    else:
        target.touch()
    libc.mount(path, target, "", libc.MS_BIND | libc.MS_REC)


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """The paths that exist and are not inside another of these paths."""
    found = {path for path in paths if path.exists()}
    return sorted(path for path in found if found.isdisjoint(path.parents))


def _write_etc(who: Identity) -> None:
    texts = {
        "passwd": f"{USER}:x:{who.uid}:{who.gid}:{USER}:{FOLDERS.home}:/bin/sh\n",
        "group": f"{USER}:x:{who.gid}:\n",
        "hosts": f"127.0.0.1 localhost {_HOST}\n::1 localhost\n",
        "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    }
    _inside(Path("/etc")).mkdir(exist_ok=True)
    for name, text in texts.items():
        _inside(Path("/etc", name)).write_text(text)


def _set(path: Path, on: int, off: int, how: int = 0) -> None:
    attributes = struct.pack("=QQQQ", on, off, 0, 0)
    where = os.fsencode(path)
    libc.syscall("mount_setattr", _MOUNT_SETATTR, _HERE, where, how, attributes, len(attributes))


def _inside(path: Path) -> Path:
    return _ROOT / path.relative_to("/")
