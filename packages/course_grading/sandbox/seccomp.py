"""seccomp: allows only listed system calls, which are no help for breaking out."""

import ctypes
import errno
import os
import socket
import struct
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from course_grading.sandbox import libc
from course_grading.sandbox.levels import SandboxRefused

_ARCHITECTURES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}

_CALLS = tomllib.loads(Path(__file__).with_name("syscalls.toml").read_text(encoding="utf-8"))
_CLONE, _CLONE3, _SOCKET = (56, 220), (435, 435), (41, 198)
_NEW_NAMESPACES = 0x7E02_0000  # mount, cgroup, uts, ipc, user, pid, net
_X32 = 0x4000_0000  # a second set of numbers on x86_64

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE = 0, 4  # offsets in bytes
_FIRST_ARGUMENT, _THIRD_ARGUMENT = 16, 32  # their lower halves
_NETLINK_ROUTE = 0
_FILTER_MODE = 2
_ALLOW, _ERROR = 0x7FFF_0000, 0x0005_0000


def restrict(*, in_the_open: bool) -> None:
    """Allow only the listed system calls to this process and its children. Needs `no_new_privs`.

    in_the_open: whether there are no namespaces; then only local sockets are allowed.
    """
    machine = os.uname().machine
    if machine not in _ARCHITECTURES:
        raise SandboxRefused(f"The system calls of this processor are not known: {machine}.")
    column = list(_ARCHITECTURES).index(machine)
    calls = _CALLS["allowed"] | ({} if in_the_open else _CALLS["allowed_in_namespaces"])
    numbers = [each[column] for each in calls.values() if len(each) > column]
    families = [socket.AF_UNIX, *(() if in_the_open else (socket.AF_INET, socket.AF_INET6))]
    _install(_program(machine, column, numbers, families))


def _program(
    machine: str, column: int, numbers: Sequence[int], families: Sequence[int]
) -> list[bytes]:
    refuse, allow = _op(_RETURN, _ERROR | errno.EPERM), _op(_RETURN, _ALLOW)
    unknown = _op(_RETURN, _ERROR | errno.ENOSYS)
    code = [
        _op(_LOAD, _ARCHITECTURE),
        _op(_EQUAL, _ARCHITECTURES[machine], 1, 0),
        refuse,  # a 32-bit call, with other numbers
        _op(_LOAD, _NUMBER),
    ]
    if machine == "x86_64":
        code += [_op(_AT_LEAST, _X32, 0, 1), refuse]
    for first, last in _ranges(numbers):
        code += [_op(_AT_LEAST, first, 0, 2), _op(_AT_LEAST, last + 1, 1, 0), allow]
    # A filter cannot read the flags of `clone3`, behind a pointer. Libraries then use `clone`.
    code += [_op(_EQUAL, _CLONE3[column], 0, 1), unknown]
    flags = [_op(_LOAD, _FIRST_ARGUMENT), _op(_ANY_BIT, _NEW_NAMESPACES, 0, 1), refuse, allow]
    code += [_op(_EQUAL, _CLONE[column], 0, len(flags)), *flags]
    family = [_op(_LOAD, _FIRST_ARGUMENT)]
    for each in families:
        family += [_op(_EQUAL, each, 0, 1), allow]
    if socket.AF_INET in families:  # to list the interfaces of the namespace, as gloo does
        family += [_op(_EQUAL, socket.AF_NETLINK, 0, 3), _op(_LOAD, _THIRD_ARGUMENT)]
        family += [_op(_EQUAL, _NETLINK_ROUTE, 0, 1), allow]
    family += [refuse]
    code += [_op(_EQUAL, _SOCKET[column], 0, len(family)), *family]
    # For newer calls "unknown", not "refused": a library then works without them.
    return [*code, _op(_AT_LEAST, max(numbers) + 1, 1, 0), refuse, unknown]


def _ranges(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The first and the last number of each run without a gap."""
    run = list[int]()
    for number in sorted(numbers):
        if run and number > run[-1] + 1:
            yield run[0], run[-1]
            run = []
        run.append(number)
    yield run[0], run[-1]


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """One instruction. if_true, if_false: how many instructions to skip."""
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _install(program: Sequence[bytes]) -> None:
    instructions = ctypes.create_string_buffer(b"".join(program))
    header = struct.pack("@HP", len(program), ctypes.addressof(instructions))
    described = ctypes.create_string_buffer(header)
    libc.prctl(libc.PR_SET_SECCOMP, _FILTER_MODE, ctypes.addressof(described))
