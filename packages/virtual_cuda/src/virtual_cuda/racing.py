"""Work in a hostile but legal order, so that a missing wait gives wrong numbers.

    with virtual_cuda.races(seed=3) as report:
        step()
    print(report)

Each operator runs twice. At once, as ever, which gives shapes, errors and what eager execution
gives; and in a second memory (``memory.shadows``) when the host waits for it, or never: as late as
the program allows, in an order of the streams that a seed draws (``schedule``). What the host reads
is of the second memory. Where a program waits for everything that it uses, both are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from . import runtime
from .cards import Card, close_to_all
from .kernels import deferring
from .schedule import RaceReport, Schedule
from .switchboard import kernels


@contextmanager
def races(seed: int = 0, late: int | None = None) -> Iterator[RaceReport]:
    """Run the work of the block in an order that the streams allow and a seed draws.

    With ``late``, only the work of that number is late (``Race.late``), and what waits for it: the
    shortest schedule that shows a race.

    It begins with idle cards, as if synchronised, and at its end all work is done.

    Raises RuntimeError inside another such block or ``stale_copies``, and where virtual CUDA is
    off.
    """
    runtime.switched_on()
    state = runtime.started()
    clock = state.clock
    if clock.deferral is not None or clock.arrivals is not None:
        raise RuntimeError("Work is late already; leave that `with` block first.")
    clock.synchronize()
    schedule = Schedule(seed, late, clock)
    special, _, with_gradients = kernels()
    with ExitStack() as changes:
        for card in state.cards:
            changes.callback(_time_once(card, schedule))
        changes.callback(close_to_all)
        changes.callback(deferring.register(schedule, special, with_gradients))
        clock.deferral = schedule
        changes.callback(setattr, clock, "deferral", None)
        close_to_all()
        yield schedule.report
        clock.synchronize()
        schedule.show("the end", None)


def _time_once(card: Card, schedule: Schedule) -> Callable[[], None]:
    """Book no time for what runs again; returns the function that takes this back."""
    kernel = card.clock.kernel

    def book(name: str, nbytes: int, flops: int = 0) -> None:
        if not schedule.is_running:
            kernel(name, nbytes, flops)

    def undo() -> None:
        card.run = kernel
        del card.clock.kernel

    card.run = card.clock.kernel = book  # type: ignore[method-assign]
    return undo
