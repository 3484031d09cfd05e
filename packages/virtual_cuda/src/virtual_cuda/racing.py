"""Work in the worst allowed order, so that a missing wait gives wrong numbers.

    with virtual_cuda.races(seed=3) as report:
        step()
    print(report)

Each operator runs twice. First at once, which gives shapes, errors and the results of eager
execution. Then in a second memory (``memory.shadows``), as late as the program allows, when the
host waits for it or never. A seed draws the order of the streams (``schedule``). The host reads the
second memory. If a program waits for everything that it uses, both memories are the same.
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
    """Run the work of the block in an allowed order of the streams, drawn from a seed.

    With ``late``, only the work of that number (``Race.late``) and the work that waits for it are
    late: the shortest schedule that shows a race.

    The block begins with idle cards, as after a synchronisation, and ends when all work is done.

    Raises RuntimeError inside another such block or ``stale_copies``, and if virtual CUDA is off.
    """
    runtime.switched_on()
    state = runtime.started()
    clock = state.clock
    if clock.deferral is not None or clock.arrivals is not None:
        raise RuntimeError("Work is late already. Leave that `with` block first.")
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
    """Book no time for the second run of work. Returns the function that undoes this."""
    kernel = card.clock.kernel

    def book(name: str, nbytes: int, flops: int = 0) -> None:
        if not schedule.is_running:
            kernel(name, nbytes, flops)

    def undo() -> None:
        card.run = kernel
        del card.clock.kernel

    card.run = card.clock.kernel = book  # type: ignore[method-assign]
    return undo
