"""Ranks of a process group, played in one thread, with the calls of `torch.distributed`.

One rank after the other runs as far as the first exchange. Then all begin again from the start, are
given there what all have brought, and run as far as the next one. No rank ever waits, and what an
answer does is the same in every run; an answer is called once more for each exchange.
"""

import copy
from abc import abstractmethod
from typing import Any

import torch

from course_utils.checking.observers import build
from exercise_kit.contract import Observer
from exercise_kit.facts import describe
from exercise_kit.limits import captured
from exercise_kit.observers import settled

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
    brought: each exchange, and what the rank brought there, described.
    """

    ReduceOp = ReduceOp

    def __init__(self, rank, ranks, past):
        self._rank, self._ranks, self._past = rank, ranks, iter(past)
        self.stop: tuple[str, Any] = ENDED, None
        self.brought: list[Any] = []

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
        self.brought.append([what, describe(settled(value))])
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
    """Call `work` for each rank. Returns the results, and the ranks.

    These have come to ENDED if all is well. What the last round prints is printed.
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
            return results, group
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

    Ranks in one process could leave each other what they do not exchange. So grading plays each
    rank in a process of its own as well, which is given what all have brought to the exchanges: if
    the data has `rank`, that one alone is played.
    """

    gpus = 0

    @abstractmethod
    def work(self, answer, data, own, dist):
        """Call the answer on one rank, and report what is there afterwards."""

    def observe(self, answer, inputs):
        own = inputs["ranks"]

        def work(dist):
            return self.work(answer, inputs, own[dist.get_rank()], dist)

        if "rank" in inputs:
            dist = Rank(inputs["rank"], len(own), map(_values, inputs["past"]))
            return {"played": [work(dist), dist.brought]}
        each, group = play(len(own), work)
        wanted = [rank.stop[0] for rank in group]
        if {*wanted} != {ENDED}:
            return {"apart": by_rank(wanted)}
        played = [[facts, rank.brought] for facts, rank in zip(each, group, strict=True)]
        return {**self.facts({n: by_rank([f[n] for f in each]) for n in each[0]}), "played": played}

    def facts(self, found):
        """The facts, of those of `work` by rank."""
        return found

    def told(self, facts, references):
        return {name: fact for name, fact in facts.items() if name != "played"}

    def apart(self, data, facts):
        played = facts.get("played", ())
        past = [
            list(exchange) for exchange in zip(*(brought for _, brought in played), strict=True)
        ]
        for rank, alone in enumerate(played):
            own = [one if number == rank else None for number, one in enumerate(data["ranks"])]
            yield {**data, "ranks": own, "rank": rank, "past": past}, {"played": alone}


def _values(exchange):
    """What all ranks brought to an exchange."""
    return [build(described) for _, described in exchange]


def by_rank(values):
    return {f"rank {rank}": value for rank, value in enumerate(values)}
