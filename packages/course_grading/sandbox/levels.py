"""How much a sandbox keeps in, and what is raised where it cannot."""

import contextlib
from collections.abc import Iterator
from enum import IntEnum


class Level(IntEnum):
    """Each level keeps the promises of those below it.

    NONE: limits on time, memory and files, and a fresh home folder. Nothing is kept in.
    KERNEL_RULES: Landlock and seccomp: no files but those named, no network, no tracing. What the
        submission starts is ended with it. Sockets of the same user's other programs that listen
        on a path, such as a desktop's session bus, stay in reach of an ordinary user.
    NO_CGROUPS: namespaces and a new root as well: nothing of the machine is there to be reached,
        and a budget for all that is written. Memory is limited for each process.
    FULL: memory and processes are limited for all processes of a submission together.
    """

    NONE = 0
    KERNEL_RULES = 1
    NO_CGROUPS = 2
    FULL = 3


class SandboxRefused(Exception):
    """The level cannot be had here. Its text is one sentence on what was lacking."""


@contextlib.contextmanager
def needing(what: str) -> Iterator[None]:
    """Let what the system refuses in the body be a `SandboxRefused` that names `what`."""
    try:
        yield
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        why = f"{error.strerror or error}{where}"
        raise SandboxRefused(f"This machine does not give {what}: {why}.") from error
