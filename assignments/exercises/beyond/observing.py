"""Ranks of a process group, played in one thread, with the calls of `torch.distributed`.

One rank after the other runs as far as the first exchange. Then all begin again from the start, are
given there what all have brought, and run as far as the next one. No rank ever waits, and what an
answer does is the same in every run; an answer is called once more for each exchange.
"""

import copy
from abc import abstractmethod
from typing import Any

import torch

from exercise_kit.contract import Observer
from exercise_kit.limits import captured

ENDED = "its end"


class Stopped(BaseException):
    """Stops a rank at an exchange that not all ranks have come to yet.

    A BaseException, so that an answer's `except Exception` does not swallow it.
    """


class ReduceOp:
    """The ways to combine tensors, by the names that torch gives them."""

    SUM, AVG, MAX, MIN = "sum", "mean", "amax", "amin"


class Rank:
    """What an answer gets as `dist`: the calls of `torch.distributed`, as one rank sees them.

    stop: the exchange that the rank has come to, and what it brings there.
    """

    ReduceOp = ReduceOp

    def __init__(self, rank, ranks, past):
        self._rank, self._ranks, self._past = rank, ranks, iter(past)
        self.stop: tuple[str, Any] = ENDED, None

    def get_rank(self):
        return self._rank

    def get_world_size(self):
        return self._ranks

    def all_reduce(self, tensor, op=ReduceOp.SUM):
        _write(tensor, getattr(torch, op)(torch.stack(self._tensors("all_reduce", tensor)), dim=0))

    def broadcast(self, tensor, src):
        _write(tensor, self._tensors("broadcast", tensor)[src])

    def all_gather(self, tensor_list, tensor):
        for target, source in zip(tensor_list, self._tensors("all_gather", tensor), strict=True):
            _write(target, source)

    def all_gather_object(self, object_list, obj):
        object_list[:] = copy.deepcopy(self._exchange("all_gather_object", obj))

    def barrier(self):
        self._exchange("barrier", None)

    def _tensors(self, call, tensor):
        what = f"{call} of a tensor of shape {tuple(tensor.shape)}"
        return self._exchange(what, tensor.detach().clone())

    def _exchange(self, what, value):
        """What all ranks have brought, if they have come here."""
        everything = next(self._past, None)
        if everything is not None:
            return everything
        if self.stop[0] == ENDED:  # an answer may swallow even what stops it
            self.stop = what, value
        raise Stopped


def _write(target, values):
    with torch.no_grad():
        target.copy_(values)


def play(ranks, work):
    """Call `work` for each rank. Returns the results, and which exchange each has come to.

    The latter are ENDED if all is well. What the last round prints is printed.
    """
    past = []
    while True:
        group = [Rank(rank, ranks, past) for rank in range(ranks)]
        goes_on = False
        try:
            with captured() as printed:
                results = [_until_it_stops(work, rank) for rank in group]
            wanted = [rank.stop[0] for rank in group]
            goes_on = len(set(wanted)) == 1 and wanted[0] != ENDED
        finally:
            if not goes_on:
                print(printed.text, end="")
        if not goes_on:
            return results, wanted
        past.append([rank.stop[1] for rank in group])


def _until_it_stops(work, rank):
    try:
        return work(rank)
    except BaseException as error:
        if isinstance(error.__cause__ or error, Stopped):  # what leaves an answer comes wrapped
            return None
        raise


class RankCall(Observer):
    """Calls an answer on every rank. The data of a case has what each has of its own in `ranks`.

    Facts: those of `work`, each by rank; or `apart`, if the ranks do not make the same exchanges.
    """

    needs_devices = False

    @abstractmethod
    def work(self, answer, data, own, dist):
        """Call the answer on one rank, and report what is there afterwards."""

    def observe(self, answer, inputs):
        own = inputs["ranks"]
        each, wanted = play(
            len(own), lambda dist: self.work(answer, inputs, own[dist.get_rank()], dist)
        )
        if {*wanted} != {ENDED}:
            return {"apart": by_rank(wanted)}
        return {name: by_rank([facts[name] for facts in each]) for name in each[0]}


def by_rank(values):
    return {f"rank {rank}": value for rank, value in enumerate(values)}
