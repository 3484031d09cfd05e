"""The user that a submission runs as, without privileges."""

import os
import struct
from dataclasses import dataclass
from pathlib import Path

from course_grading.sandbox import libc

_FIRST = 0x7000_0000  # user ids above those that systemd uses for containers
_NOBODY = 65534
_CAPABILITY_VERSION_3 = 0x2008_0522
_AMBIENT_CLEAR_ALL = 4


@dataclass(frozen=True)
class Identity:
    """A user and a group. counted_alone: whether only this submission runs under this user id."""

    uid: int
    gid: int
    counted_alone: bool

    def own(self, path: Path) -> None:
        """Make this user the owner of a file, if this process is root."""
        if os.geteuid() == 0:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)


def identity() -> Identity:
    """The identity for a submission: as root an unused user id, else the current user's."""
    if os.geteuid() != 0:
        return Identity(os.getuid(), os.getgid(), counted_alone=False)
    fresh = _FIRST + os.getpid()
    if _mapped("uid_map", fresh) and _mapped("gid_map", fresh):
        return Identity(fresh, fresh, counted_alone=True)
    return Identity(_NOBODY, _NOBODY, counted_alone=False)  # a container with few user ids


def _mapped(file: str, number: int) -> bool:
    ranges = (line.split() for line in Path("/proc/self", file).read_text().splitlines())
    return any(int(first) <= number < int(first) + int(count) for first, _, count in ranges)


def drop_privileges(who: Identity) -> None:
    """Change to that user and drop all privileges, permanently."""
    _drop_bounding_set()
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(who.gid, who.gid, who.gid)
        os.setresuid(who.uid, who.uid, who.uid)
    libc.prctl(libc.PR_CAP_AMBIENT, _AMBIENT_CLEAR_ALL)
    libc.capset(struct.pack("=Ii", _CAPABILITY_VERSION_3, 0), bytes(24))
    libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
    # A process that changed its user cannot read its own /proc/self, which libraries need.
    libc.prctl(libc.PR_SET_DUMPABLE, 1)


def _drop_bounding_set() -> None:
    """Drop all capabilities from the bounding set; without permission, `no_new_privs` must do."""
    last = int(Path("/proc/sys/kernel/cap_last_cap").read_text())
    try:
        for capability in range(last + 1):
            libc.prctl(libc.PR_CAPBSET_DROP, capability)
    except PermissionError:
        return
