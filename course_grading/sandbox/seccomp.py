"""seccomp: calls to the kernel that no answer needs and that ways out are made of."""

import ctypes
import errno
import os
import socket
import struct
from collections.abc import Sequence

from course_grading.sandbox import libc
from course_grading.sandbox.levels import SandboxRefused

_ARCHITECTURES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}

# Each with its number on x86_64, then that on aarch64; - where it does not exist.
_REFUSED = """
    acct 163 89, add_key 248 217, bpf 321 280, chroot 161 51, clock_settime 227 112,
    delete_module 176 106, fanotify_init 300 262, finit_module 313 273, fsconfig 431 431,
    fsmount 432 432, fsopen 430 430, fspick 433 433, init_module 175 105, io_uring_enter 426 426,
    io_uring_register 427 427, io_uring_setup 425 425, ioperm 173 -, iopl 172 -, kcmp 312 272,
    kexec_file_load 320 294, kexec_load 246 104, keyctl 250 219, modify_ldt 154 -, mount 165 40,
    mount_setattr 442 442, move_mount 429 429, name_to_handle_at 303 264,
    open_by_handle_at 304 265, open_tree 428 428, open_tree_attr 467 467, perf_event_open 298 241,
    personality 135 92, pidfd_getfd 438 438, pivot_root 155 41, process_vm_readv 310 270,
    process_vm_writev 311 271, ptrace 101 117, quotactl 179 60, quotactl_fd 443 443,
    reboot 169 142, request_key 249 218, setdomainname 171 162, sethostname 170 161, setns 308 268,
    settimeofday 164 170, swapoff 168 225, swapon 167 224, syslog 103 116, umount2 166 39,
    unshare 272 97, userfaultfd 323 282
"""
# They leave things behind that outlive a process, where namespaces do not take them away.
_REFUSED_IN_THE_OPEN = "mq_open 240 180, msgget 68 186, semget 64 190, shmget 29 194"
_CLONE, _CLONE3, _SOCKET = (56, 220), (435, 435), (41, 198)
_NEW_NAMESPACES = 0x7E02_0000  # mount, cgroup, uts, ipc, user, pid, net
_X32 = 0x4000_0000  # a second set of numbers on x86_64

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE = 0, 4  # where they lie
_FIRST_ARGUMENT, _THIRD_ARGUMENT = 16, 32  # their lower halves
_NETLINK_ROUTE = 0
_FILTER_MODE = 2
_ALLOW, _ERROR = 0x7FFF_0000, 0x0005_0000


def restrict(*, in_the_open: bool) -> None:
    """Refuse them to this process, and to all that it will start. Needs `no_new_privs`.

    in_the_open: without namespaces, so that sockets may lead to local processes only.
    """
    machine = os.uname().machine
    if machine not in _ARCHITECTURES:
        raise SandboxRefused(f"The numbers of this processor's calls are not known: {machine}.")
    column = list(_ARCHITECTURES).index(machine)
    refused = [_REFUSED, *([_REFUSED_IN_THE_OPEN] if in_the_open else [])]
    rows = [call.split() for text in refused for call in text.split(",")]
    numbers = [int(row[1 + column]) for row in rows if row[1 + column] != "-"]
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
    for number in numbers:
        code += [_op(_EQUAL, number, 0, 1), refuse]
    # Its flags lie behind a pointer, where no filter sees them; libraries then take `clone`.
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
    code += [_op(_EQUAL, _SOCKET[column], 0, len(family)), *family, allow]
    return code


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """One instruction; the last two say how many to skip."""
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _install(program: Sequence[bytes]) -> None:
    instructions = ctypes.create_string_buffer(b"".join(program))
    header = struct.pack("@HP", len(program), ctypes.addressof(instructions))
    described = ctypes.create_string_buffer(header)
    libc.prctl(libc.PR_SET_SECCOMP, _FILTER_MODE, ctypes.addressof(described))
