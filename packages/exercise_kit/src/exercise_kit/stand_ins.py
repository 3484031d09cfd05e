"""Replacement of library functions by our own, under every name that a caller uses for them."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pkgutil import resolve_name
from typing import Any
from unittest import mock

StandIns = Mapping[str, Callable[..., Any]]
"""Full name of a library function, such as "torch.cuda.device_count" → its replacement."""


@contextmanager
def standing_in(stand_ins: StandIns, caller: Callable[..., Any]) -> Iterator[None]:
    """Replace functions for `caller` during the body, however it has imported them.

    `from torch.cuda import device_count` at the top of a cell makes a separate name in the cell.
    Replacing the attribute of `torch.cuda` does not change it, so this replaces both.
    """
    names: dict[str, Any] = getattr(inspect.unwrap(caller), "__globals__", {})
    genuine = [(resolve_name(place), stand_in) for place, stand_in in stand_ins.items()]
    bound = {
        name: (value, stand_in)
        for name, value in names.items()
        for original, stand_in in genuine
        if value is original
    }
    with ExitStack() as replaced:
        for place, stand_in in stand_ins.items():
            replaced.enter_context(mock.patch(place, stand_in))
        names |= {name: stand_in for name, (_, stand_in) in bound.items()}
        try:
            yield
        finally:
            names |= {name: value for name, (value, _) in bound.items()}


def visible(gpus: int, caller: Callable[..., Any]) -> AbstractContextManager[None]:
    """Let `caller` and torch itself find only the first `gpus` GPUs during the body."""
    return standing_in(
        {"torch.cuda.is_available": lambda: gpus > 0, "torch.cuda.device_count": lambda: gpus},
        caller,
    )
