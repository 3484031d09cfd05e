"""The garbage collector around a run whose memory is measured."""

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def collection_off() -> Iterator[None]:
    """Nothing that others left is freed in the middle of the body.

    To collect it before would take a quarter of a second where torch is loaded, for each case.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
