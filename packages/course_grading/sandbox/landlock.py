"""Landlock: a process permanently limits its own access to a list of files."""

import os
import struct
from collections.abc import Iterable
from pathlib import Path

from course_grading.sandbox import libc

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # on every architecture
_VERSION = 1
_PATH_BENEATH = 1

_EXECUTE, _WRITE, _READ, _LIST = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_MAKE_CHAR, _MAKE_BLOCK = 1 << 6, 1 << 11
_REFER, _TRUNCATE, _IOCTL = 1 << 13, 1 << 14, 1 << 15
_SINCE = {2: _REFER, 3: _TRUNCATE, 5: _IOCTL}  # the first version that has them
_FIRST_VERSION = (1 << 13) - 1
_OF_A_FILE = _EXECUTE | _WRITE | _READ | _TRUNCATE | _IOCTL

_TCP = 0b11  # to bind, to connect
_OUTSIDE = 0b11  # abstract sockets of, and signals to, processes outside


def version() -> int:
    """The version of Landlock in this kernel; 0 if missing or disabled."""
    try:
        return libc.syscall("landlock_create_ruleset", _CREATE, None, 0, _VERSION)
    except OSError:
        return 0


def restrict(
    readable: Iterable[Path], writable: Iterable[Path], devices: Iterable[Path], *, tcp: bool
) -> None:
    """Limit this process, and all that it will start, to these files.

    Needs `no_new_privs`. Paths that do not exist are skipped. tcp: whether TCP stays allowed.
    """
    known = version()
    files = _FIRST_VERSION
    for since, right in _SINCE.items():
        files |= right if known >= since else 0
    attributes = struct.pack("=Q", files)
    if known >= 4:
        attributes += struct.pack("=Q", 0 if tcp else _TCP)
    if known >= 6:
        attributes += struct.pack("=Q", _OUTSIDE)
    rules = libc.syscall("landlock_create_ruleset", _CREATE, attributes, len(attributes), 0)
    everything = files & ~(_MAKE_CHAR | _MAKE_BLOCK)
    for paths, rights in (
        (readable, _EXECUTE | _READ | _LIST),
        (writable, everything),
        (devices, _READ | _WRITE | _IOCTL),
    ):
        for path in paths:
            _allow(rules, path, rights & files)
    libc.syscall("landlock_restrict_self", _RESTRICT, rules, 0)
    os.close(rules)


def _allow(rules: int, path: Path, rights: int) -> None:
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    rights &= -1 if path.is_dir() else _OF_A_FILE
    rule = struct.pack("=Qi", rights, opened)
    libc.syscall("landlock_add_rule", _ADD, rules, _PATH_BENEATH, rule, 0)
    os.close(opened)
