"""Observe `shards`: which lines each worker of each rank reads. The workers are played in turn."""

import copy
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any
from unittest import mock

from torch.utils.data import IterableDataset
from torch.utils.data._utils import worker as torch_worker

from exercise_kit.contract import Facts, Observer
from exercise_kit.facts import describe, raised_text

MOST = 200


class Shards(Observer):
    """Facts: `form` of a result that is no dataset; an `error`; or the lines read `in_workers` of
    one rank, `in_ranks`, or by one worker, `more` than once; those `missing`; `strange` items; and,
    if there are enough lines for all, how many are idle: `idle_ranks` and `idle_workers`.
    """

    gpus = 0

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        """The facts of one epoch of all ranks."""
        lines, workers, ranks = inputs["lines"], inputs["workers"], inputs["ranks"]
        read: list[list[list[Any]]] = []
        for rank in range(ranks):
            dataset = answer([*lines], rank, ranks)
            if not isinstance(dataset, IterableDataset):
                return {"form": describe(dataset)}
            try:
                read.append([_part(dataset, number, workers) for number in range(max(workers, 1))])
            except Exception as error:  # of the dataset, not of `answer`
                return {"error": raised_text(error)}
        by_rank = [{item for part in parts for item in part} for parts in read]
        every = {item for items in by_rank for item in items}
        enough = len(lines) >= ranks * max(workers, 1)
        return {
            "in_workers": _shared([set(part) for part in parts] for parts in read),
            "in_ranks": _shared([by_rank]),
            "more": _shared([[{item} for item in part] for parts in read for part in parts]),
            "missing": [line for line in lines if line not in every],
            "strange": sorted(str(item) for item in every - {*lines})[:5],
            "idle_ranks": sum(not items for items in by_rank) if enough else 0,
            "idle_workers": sum(not part for parts in read for part in parts) if enough else 0,
        }


def _part(dataset: Any, number: int, workers: int) -> list[str]:
    """The items of one worker, or of the main process if there are no workers."""
    own = copy.deepcopy(dataset)
    info = torch_worker.WorkerInfo(id=number, num_workers=workers, seed=number, dataset=own)
    with mock.patch.object(torch_worker, "_worker_info", info if workers else None):
        return [item if isinstance(item, str) else repr(item) for item in islice(iter(own), MOST)]


def _shared(groups: Iterable[Iterable[Iterable[Any]]]) -> list[str]:
    """The items that two sets of one group have, sorted."""
    counted = [Counter(item for items in group for item in items) for group in groups]
    return sorted({item for counts in counted for item, count in counts.items() if count > 1})
