"""What the observers of this assignment share: an environment that is put back."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

VARIABLE = "CUDA_VISIBLE_DEVICES"


@contextmanager
def same_environment() -> Iterator[list[str]]:
    """Undo whatever the body does to `os.environ`; give the names of what it wrote there.

    Writes are seen even if the body takes them back itself: each one passes through `os.putenv` or
    `os.unsetenv`.
    """
    before, written = dict(os.environ), []
    put, unset = os.putenv, os.unsetenv

    def putenv(name: bytes, value: bytes) -> None:
        written.append(os.fsdecode(name))
        put(name, value)

    def unsetenv(name: bytes) -> None:
        written.append(os.fsdecode(name))
        unset(name)

    os.putenv, os.unsetenv = putenv, unsetenv
    try:
        yield written
    finally:
        os.putenv, os.unsetenv = put, unset
        for name in set(os.environ) - set(before):
            del os.environ[name]
        for name, value in before.items():
            if os.environ.get(name) != value:
                os.environ[name] = value
