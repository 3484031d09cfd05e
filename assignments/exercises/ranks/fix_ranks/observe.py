"""Observe `fix_ranks`: called on every rank of a group; weights, samples and losses on each."""

import torch
from torch.utils.data import TensorDataset

from course_utils.checking.observers import linear, weights
from exercise_kit.facts import describe

from ..observing import RankCall


class MendRanks(RankCall):
    """Facts: `result` of rank 0, and by rank: samples in order, and weights at the end.

    start: weights at the first sample. starts, steps: these, and the way from there to the end,
    minus those of rank 0. equal: weights at the end, to the last bit those of rank 0.
    """

    def work(self, answer, data, own, dist):
        model, start, samples = linear(*own), [], []

        def note(layer, args):
            start[:] = start or weights(layer)
            samples.extend(round(8 * tag) for tag in args[0][:, 0].tolist())

        model.register_forward_pre_hook(note)
        dataset = TensorDataset(torch.tensor(data["batch"]), torch.tensor(data["targets"]))
        result = answer(model, dataset, data["epochs"], dist)
        if isinstance(result, list | tuple):
            result = [_number(item) for item in result]
        return {
            "samples": " ".join(map(str, samples[:1000])),
            "start": start,
            "weights": weights(model),
            "result": describe(result),
        }

    def facts(self, found):
        start, end = found["start"], found["weights"]
        steps = {rank: _minus(end[rank], start[rank]) for rank in end}
        return {
            **found,
            "starts": {rank: _minus(start[rank], start["rank 0"]) for rank in start},
            "steps": {rank: _minus(steps[rank], steps["rank 0"]) for rank in steps},
            "equal": {rank: end[rank] == end["rank 0"] for rank in end},
            "result": found["result"]["rank 0"],
        }


def _minus(one, other):
    return [a - b for a, b in zip(one, other, strict=False)]


def _number(item):
    """The number in a tensor with one element; anything else as it is."""
    alone = isinstance(item, torch.Tensor) and item.shape in ((), (1,))
    return item.item() if alone else item
