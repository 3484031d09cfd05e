"""The levels of the sandbox, and the error for a level that is not available."""

import contextlib
from collections.abc import Iterator
from enum import IntEnum


class Level(IntEnum):
    """The level of a sandbox. Each level includes the lower ones.

    NONE: limits on time, memory and files, and a new home folder. No isolation.
    KERNEL_RULES: Landlock and seccomp: only listed files, no network, no tracing. Processes that
        the submission starts end with it. An ordinary user's submission can still reach sockets
        with a path of the user's other programs, such as a desktop's session bus.
    NO_CGROUPS: namespaces and a new root: the rest of the computer is not visible, and all written
        data together is limited. Memory is limited for each process.
    FULL: memory and number of processes are limited for the whole submission together.
    """

    NONE = 0
    KERNEL_RULES = 1
    NO_CGROUPS = 2
    FULL = 3


class SandboxRefused(Exception):
    """The level is not available here. The text says what is missing."""


@contextlib.contextmanager
def needing(what: str) -> Iterator[None]:
    """Turn an OSError of the body into a `SandboxRefused` that names `what`."""
    try:
        yield
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        why = f"{error.strerror or error}{where}"
        raise SandboxRefused(f"This computer does not allow {what}: {why}.") from error
