"""Ranks of a process group as threads of one process, with the calls of `torch.distributed`.

One thread runs at a time, in the order of the ranks, and hands on when it has to wait: what an
answer does is the same in every run.
"""

import copy
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

import torch
from torch import Tensor

from course_utils.checking.limits import OutOfTime

T = TypeVar("T")
SECONDS = 3.0
"""Of processor time, for each rank."""

ENDED = "its end"


class OutOfStep(BaseException):
    """Leaves a rank whose partners do not make the same exchange.

    A BaseException, so that an answer's `except Exception` does not swallow it.
    """


class ReduceOp:
    """The ways to combine tensors, by the names that torch gives them."""

    SUM, AVG, MAX, MIN = "SUM", "AVG", "MAX", "MIN"


_COMBINED: dict[str, Callable[[Tensor], Tensor]] = {
    ReduceOp.SUM: lambda stacked: stacked.sum(dim=0),
    ReduceOp.AVG: lambda stacked: stacked.mean(dim=0),
    ReduceOp.MAX: lambda stacked: stacked.amax(dim=0),
    ReduceOp.MIN: lambda stacked: stacked.amin(dim=0),
}


class Group:
    """The meeting place of the ranks: each brings something, all leave with what all brought."""

    def __init__(self, ranks: int) -> None:
        self.ranks = ranks
        self.apart: list[str] = []
        self._turns = [threading.Semaphore(0) for _ in range(ranks)]
        self._main = threading.Semaphore(0)
        self._brought: dict[int, tuple[str, Any]] = {}
        self._ended: set[int] = set()
        self._latest: list[Any] = []

    def run(self, work: Callable[["Rank"], T]) -> list[T | None]:
        """Call `work` for each rank, and return the results in order.

        Where the ranks do not make the same exchanges, `apart` says what each of them wanted, and
        nothing is returned for those. Raises what the first of the ranks raised.
        """
        results: list[T | None] = [None] * self.ranks
        raised: dict[int, BaseException] = {}

        def play(rank: int) -> None:
            self._turns[rank].acquire()
            sys.settrace(_limited(time.thread_time() + SECONDS))
            try:
                if not any(isinstance(error, OutOfTime) for error in raised.values()):
                    results[rank] = work(Rank(self, rank))
            except OutOfStep:
                pass
            except BaseException as error:  # handed on, in the main thread
                # What an answer raises comes wrapped.
                if not isinstance(error.__cause__, OutOfStep):
                    raised[rank] = error
            finally:
                sys.settrace(None)
                self._ended.add(rank)
                self._hand_on(rank)

        threads = [
            threading.Thread(target=play, args=(rank,), daemon=True) for rank in range(self.ranks)
        ]
        for thread in threads:
            thread.start()
        self._turns[0].release()
        self._main.acquire()
        for thread in threads:
            thread.join()
        if raised:
            raise raised[min(raised)]
        return results

    def exchange(self, rank: int, what: str, value: Any) -> list[Any]:
        """What all ranks brought to the same call. Raises OutOfStep if one of them does not."""
        self._brought[rank] = what, value
        self._hand_on(rank)
        self._turns[rank].acquire()
        if self.apart:
            raise OutOfStep
        return self._latest

    def _hand_on(self, rank: int) -> None:
        """Let the next rank run, or, if all have come as far as they can, end the exchange."""
        if len(self._ended) == self.ranks:
            self._main.release()
            return
        waiting = [
            other
            for other in range(self.ranks)
            if other not in self._ended and other not in self._brought
        ]
        if waiting:
            self._turns[waiting[0]].release()
            return
        wanted = {
            self._brought[other][0] if other in self._brought else ENDED
            for other in range(self.ranks)
        }
        if len(wanted) > 1 and not self.apart:
            self.apart = [self._brought.get(other, (ENDED,))[0] for other in range(self.ranks)]
        if not self.apart:
            self._latest = [self._brought[other][1] for other in range(self.ranks)]
            self._brought.clear()
            self._turns[0].release()
            return
        first = min(self._brought)
        del self._brought[first]
        self._turns[first].release()


class Rank:
    """What an answer gets as `dist`: the calls of `torch.distributed`, as one rank sees them."""

    ReduceOp = ReduceOp

    def __init__(self, group: Group, rank: int) -> None:
        self._group, self._rank = group, rank

    def get_rank(self) -> int:
        return self._rank

    def get_world_size(self) -> int:
        return self._group.ranks

    def all_reduce(self, tensor: Tensor, op: str = ReduceOp.SUM) -> None:
        brought = self._exchange(f"all_reduce of {_form(tensor)}", tensor.detach().clone())
        with torch.no_grad():
            tensor.copy_(_COMBINED[op](torch.stack(brought)))

    def broadcast(self, tensor: Tensor, src: int) -> None:
        brought = self._exchange(f"broadcast of {_form(tensor)}", tensor.detach().clone())
        with torch.no_grad():
            tensor.copy_(brought[src])

    def all_gather(self, tensor_list: list[Tensor], tensor: Tensor) -> None:
        brought = self._exchange(f"all_gather of {_form(tensor)}", tensor.detach().clone())
        with torch.no_grad():
            for target, source in zip(tensor_list, brought, strict=True):
                target.copy_(source)

    def all_gather_object(self, object_list: list[Any], obj: Any) -> None:
        object_list[:] = copy.deepcopy(self._exchange("all_gather_object", obj))

    def barrier(self) -> None:
        self._exchange("barrier", None)

    def _exchange(self, what: str, value: Any) -> list[Any]:
        return self._group.exchange(self._rank, what, value)


def _form(tensor: Tensor) -> str:
    return f"a tensor of shape {tuple(tensor.shape)}"


def _limited(until: float) -> Callable[..., Any]:
    """A trace function that ends code outside of libraries when its processor time is over."""

    def tick(frame: FrameType, event: str, argument: Any) -> Any:
        if "site-packages" in frame.f_code.co_filename:
            return None
        frame.f_trace_opcodes = True  # a loop on one line is no new line
        if time.thread_time() > until:
            raise OutOfTime
        return tick

    return tick
