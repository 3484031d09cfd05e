"""Confine a process that was just forked, before code of a submission runs in it.

    the caller ── supervisor, outside: waits, cleans up, ends as the submission did
                  └── init, first process of the namespaces: reaps   (from NO_CGROUPS on)
                      └── the submission: the only process that returns

The submission can read all memory of the forked process. So a process that forks submissions must
never contain a seed, a token or another submission.
"""

import contextlib
import functools
import json
import os
import resource
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from course_grading.sandbox import (
    cgroups,
    environment,
    landlock,
    libc,
    namespaces,
    seccomp,
    supervisor,
)
from course_grading.sandbox.environment import Folders
from course_grading.sandbox.levels import Level, SandboxRefused, needing
from course_grading.sandbox.limits import Limits, limit_this_process
from course_grading.sandbox.privileges import Identity, drop_privileges, identity

_PROC = tuple(
    Path("/proc", name) for name in ("cpuinfo", "filesystems", "loadavg", "meminfo", "stat")
)


def confine(
    level: Level,
    limits: Limits,
    readable: Sequence[Path],
    work: Mapping[str, bytes],
    keep: Collection[int] = (),
    account: int | None = None,
    devices: Sequence[Path] = (),
) -> None:
    """Return in a confined process, whose current folder is the working folder.

    Call it in a child that was just forked from a process with one thread. The caller itself never
    returns: it ends as the confined process does, with the same exit code or signal.

    readable: the folders of Python and of packages. The process can read no other files of the
        computer except /usr and the like.
    work: name in the working folder → content, for the submission's extra files.
    keep: open descriptors for the confined process. Descriptors 0 to 2 become /dev/null, all
        others are closed.
    account: a socket that gets, as JSON, how the process ended: its `status`; the `peak` of its
        memory in bytes; its `seconds` of processor time; and, if a control group counts them,
        the kills for memory and the refused processes as `oom_kill` and `max`.
    devices: nodes in /dev that the process can use, such as those of GPUs.

    Raises SandboxRefused, in the caller, if this computer does not support `level`, or if `work` is
    too large.
    """
    environment.check_names([*work])
    _close_all_but(keep)
    task = _Task(level, limits, tuple(readable), work, identity(), tuple(devices))
    with needing("a supervisor"):
        libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
        libc.prctl(libc.PR_SET_CHILD_SUBREAPER, 1)
    with contextlib.ExitStack() as stack:
        heard = signal.pthread_sigmask(signal.SIG_BLOCK, supervisor.STOPPED_BY)
        stack.callback(signal.pthread_sigmask, signal.SIG_SETMASK, heard)
        folders, groups = task.prepare(stack)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        child = os.fork()
        if child:
            theirs.close()
            supervisor.supervise(
                child,
                ours,
                tidy=stack.close,
                release=lambda: _close_all_but(
                    [ours.fileno(), *([] if account is None else [account])]
                ),
                account=functools.partial(_tell, account, groups),
            )
        stack.pop_all()  # only the supervisor cleans up
    signal.pthread_sigmask(signal.SIG_SETMASK, heard)
    ours.close()
    try:
        supervisor.die_with_parent(theirs)
        if level >= Level.NO_CGROUPS:
            task.enter(groups)
            submission = os.fork()
            if submission:
                _close_all_but([theirs.fileno()])
                supervisor.run_as_init(submission, theirs)
        task.give_up_rights(folders)
        supervisor.die_with_parent(theirs)  # again: a change of user resets it
        theirs.send(supervisor.READY)
    except BaseException as error:  # after any error, an unconfined process must not continue
        supervisor.refuse(theirs, str(error) or type(error).__name__)
    theirs.close()


@dataclass(frozen=True)
class _Task:
    level: Level
    limits: Limits
    readable: tuple[Path, ...]
    work: Mapping[str, bytes]
    who: Identity
    devices: tuple[Path, ...]

    def prepare(self, stack: contextlib.ExitStack) -> tuple[Folders, cgroups.ControlGroups]:
        """Folders and groups for a submission, made and later removed by the supervisor."""
        for path in (*self.readable, *self.devices):
            if not path.exists():
                raise SandboxRefused(f"{path}, which submissions need to read, does not exist.")
        groups = cgroups.ControlGroups(())
        if self.level >= Level.FULL:
            with needing("control groups"):
                groups = cgroups.make(self.limits)
            stack.callback(groups.remove)
        if self.level >= Level.NO_CGROUPS:
            with needing("new namespaces"):
                namespaces.unshare_processes()
            return namespaces.FOLDERS, groups
        with needing("a temporary folder"):
            root = Path(tempfile.mkdtemp(prefix="course-"))
            stack.callback(shutil.rmtree, root, ignore_errors=True)
            folders = Folders(root / "work", root / "tmp")
            folders.fill(Path("/"), self.work, self._runs_as())
            self._runs_as().own(root)
        return folders, groups

    def enter(self, groups: cgroups.ControlGroups) -> None:
        """Join groups, namespaces and the new root, in the first process of the namespaces."""
        with needing("control groups"):
            groups.join()
        with needing("new namespaces"):
            namespaces.unshare_machine()
        with needing("a new root"):
            namespaces.enter_new_root(self.readable, self.work, self.limits, self.who, self.devices)

    def give_up_rights(self, folders: Folders) -> None:
        """Drop all rights for good, in the process that will run the submission."""
        signal.set_wakeup_fd(-1)
        os.setsid()
        with needing("a new home folder"):
            environment.switch(folders)
        with needing("resource limits"):
            limit_this_process(self.limits, counted_alone=self._runs_as().counted_alone)
        if self.level >= Level.KERNEL_RULES:
            with needing("a user without privileges"):
                drop_privileges(self.who)
            self._check_reach()
        with needing("a higher OOM score"):
            Path("/proc/self/oom_score_adj").write_text("1000")  # killed first if memory is full
        if self.level >= Level.KERNEL_RULES:
            self._apply_kernel_rules(folders)

    def _runs_as(self) -> Identity:
        if self.level >= Level.KERNEL_RULES:
            return self.who
        return Identity(os.getuid(), os.getgid(), counted_alone=False)

    def _check_reach(self) -> None:
        """Raise SandboxRefused if a user without privileges cannot read Python's folders."""
        for path in (*self.readable, Path(sys.executable)):
            if not os.access(path, os.R_OK):
                raise SandboxRefused(
                    f"{path} can be read by its owner only, and submissions run as another user. "
                    "Install Python where all users can read it."
                )

    def _apply_kernel_rules(self, folders: Folders) -> None:
        in_the_open = self.level == Level.KERNEL_RULES
        writable = [folders.work, folders.temporary, namespaces.SHARED_MEMORY]
        shown = [Path("/")]
        if in_the_open:
            shown = [*namespaces.SYSTEM, *self.readable, *_PROC, Path("/proc", str(os.getpid()))]
        if landlock.version() or in_the_open:  # optional with a new root
            with needing("Landlock"):
                devices = [*namespaces.DEVICES, *self.devices]
                landlock.restrict(shown, writable, devices, tcp=not in_the_open)
        with needing("seccomp"):
            seccomp.restrict(in_the_open=in_the_open)


def _tell(way_out: int | None, groups: cgroups.ControlGroups, status: int) -> None:
    if way_out is None:
        return
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = {
        "status": status,
        "peak": used.ru_maxrss * 1024,
        "seconds": used.ru_utime + used.ru_stime,
        **groups.events(),
    }
    with contextlib.suppress(OSError), socket.socket(fileno=way_out) as line:
        line.setblocking(False)  # a submission that has filled it gets no account
        line.send(json.dumps(told).encode())


def _close_all_but(keep: Collection[int]) -> None:
    null = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        if number != null:
            os.dup2(null, number)
    for name in os.listdir("/proc/self/fd"):
        if (number := int(name)) > 2 and number not in keep:
            with contextlib.suppress(OSError):  # the descriptor of the listing itself
                os.close(number)
