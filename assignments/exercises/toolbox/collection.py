"""The garbage collector around a run whose memory is measured."""

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def garbage_kept() -> Iterator[None]:
    """A block in which only its own garbage is freed: by an explicit collection, and at its end.

    To collect all garbage would take a quarter of a second where torch is loaded, for each case.
    """
    was_on, was_frozen = gc.isenabled(), gc.get_freeze_count()
    gc.disable()
    gc.freeze()
    try:
        yield
    finally:
        gc.collect()  # such as an exception and its frames, which refer to each other
        if not was_frozen:  # as a worker's memory is, which is shared with others
            gc.unfreeze()
        if was_on:
            gc.enable()
