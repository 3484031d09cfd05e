"""Fewer GPUs than there are, for code that asks torch how many it has."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock


@contextmanager
def visible(gpus: int) -> Iterator[None]:
    """Let torch find only the first `gpus` GPUs while the body runs."""
    with (
        mock.patch("torch.cuda.is_available", lambda: gpus > 0),
        mock.patch("torch.cuda.device_count", lambda: gpus),
    ):
        yield
