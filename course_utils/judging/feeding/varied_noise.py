"""Judge `feeding.varied_noise`: is the noise of workers, epochs and runs as different as it should?

Noise is a number that nobody knows beforehand, so there is no oracle: the judge looks for numbers
that come twice, and at their mean and spread.
"""

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge
from course_utils.checking.facts import brief

WRONG_FORM = FindingKind(
    name="not-a-number",
    title="an item is not a number",
    explanation="Item n is `values[n]` plus a random number: a tensor without dimensions.",
    next_step="Compare `dataset[0]` with the item of the dataset that you were given.",
)
NO_DATASET = FindingKind(
    name="no-dataset",
    title="what was returned is no dataset",
    explanation="A dataset answers `len(dataset)` and `dataset[number]`.",
    next_step="Return `Noisy(values)`, with both methods in the class.",
)
WRONG_LENGTH = FindingKind(
    name="wrong-length",
    title="the dataset has another length",
    explanation="There is one item for each value.",
    next_step="Return `len(self.values)` from `__len__`.",
)
VALUES_CHANGED = FindingKind(
    name="values-changed",
    title="the caller's values were changed",
    explanation="`+=` and `add_` write into the tensor itself, so that noise piles up from epoch "
    "to epoch.",
    next_step="Make a new number: `self.values[number] + noise`.",
)
NO_NOISE = FindingKind(
    name="no-noise",
    title="there is no noise",
    explanation="The items are the bare values.",
    next_step="Add a number from `torch.randn(())`, or from a generator of your own.",
)
OTHER_NOISE = FindingKind(
    name="other-noise",
    title="the noise is of another kind",
    explanation="It should be normally distributed, with mean 0 and standard deviation 1, as "
    "before.",
    next_step="Look whether you drew from `rand` instead of `randn`, or scaled the noise.",
)
SAME_ITEMS = FindingKind(
    name="same-for-every-item",
    title="all items of a worker get the same noise",
    explanation="Whoever seeds for every item begins the same sequence again and again.",
    next_step="Seed once, where the generator is made, and then only draw.",
)
SAME_WORKERS = FindingKind(
    name="same-in-every-worker",
    title="different workers make the same noise",
    explanation="A generator that is made in the main process is copied into every worker, and "
    "every copy goes on from the same state. So do generators whose seeds are too close, such as "
    "the sum of the worker's number and the item's.",
    next_step="Draw from torch's own random numbers, which `DataLoader` seeds in each worker, or "
    "make the generator in the worker, from `get_worker_info().seed`.",
)
SAME_EPOCHS = FindingKind(
    name="same-in-every-epoch",
    title="every epoch has the same noise",
    explanation="A seed that depends only on the worker or the item is the same in every epoch. "
    "The network can learn that noise by heart.",
    next_step="Let the seed come from torch: `get_worker_info().seed` is another one in each "
    "epoch.",
)
NOT_REPRODUCIBLE = FindingKind(
    name="not-reproducible",
    title="the same seed does not give the same noise",
    explanation="A generator without a seed, or with one from the clock, cannot be repeated. "
    "Whoever calls `torch.manual_seed` expects the same epoch again.",
    next_step="Draw from torch's random numbers, or take the seed of your generator from them.",
)
NOT_IN_MAIN = FindingKind(
    name="not-reproducible-without-workers",
    title="with 0 workers, `torch.manual_seed` does not reach this noise",
    explanation="`DataLoader` seeds torch, NumPy and `random` in its workers. In the main process "
    "nobody does, and `torch.manual_seed` seeds torch alone.",
    next_step="Draw from torch's random numbers: they are seeded in both places.",
)
NO_WORKER = FindingKind(
    name="no-worker-in-the-main-process",
    title="there is no worker in the main process",
    explanation="`get_worker_info()` returns `None` there, and with 0 workers that is where items "
    "are made.",
    next_step="Test the result for `None`, or draw from torch's random numbers, which needs no "
    "test.",
)
BROKEN = FindingKind(
    name="dataset-does-not-work",
    title="the dataset raised an error",
    explanation="It was copied for a worker, or an item was asked for, there or in the main "
    "process.",
    next_step="Run the lines of the example in a cell of your own to see the whole error.",
)

CLOSE = 1e-5
SHARE = 0.25
"""Numbers that come twice by chance are rare: two of a hundred thousand are that close."""

Noise = list[float]


class VariedNoise(Judge):
    """Compares the noise within a worker, between workers, epochs and runs."""

    name = "feeding.varied_noise"
    findings = (
        NO_DATASET,
        WRONG_FORM,
        WRONG_LENGTH,
        VALUES_CHANGED,
        NO_NOISE,
        OTHER_NOISE,
        SAME_ITEMS,
        SAME_WORKERS,
        SAME_EPOCHS,
        NOT_REPRODUCIBLE,
        NOT_IN_MAIN,
        NO_WORKER,
        BROKEN,
    )
    hints = (
        "When is the generator of the broken dataset made, and in which process? What does each "
        "worker get of it?",
        "`DataLoader` seeds torch's own random numbers in each worker: other ones in each worker "
        "and in each epoch, and all of them repeatable with `torch.manual_seed`.",
        "So nothing has to be kept in `self` but the values. `torch.randn(())` draws one number "
        "where it is called, which is in the worker.",
        "A similar case: a dataset that throws a die for each item, made repeatable.\n"
        "```python\n"
        "class Dice(Dataset):\n"
        "    def __init__(self, names):\n"
        "        self.names = names                        # no generator is kept\n\n"
        "    def __len__(self):\n"
        "        return len(self.names)\n\n"
        "    def __getitem__(self, number):\n"
        "        throw = torch.randint(1, 7, ()).item()    # drawn where the item is made\n"
        "        return self.names[number], throw\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        some = rng.randint(3, 4)
        drawn = [
            ("two workers", "", 2, False),
            ("several workers", "", some, False),
            ("no worker", "", 0, False),
            ("one worker", "one worker", 1, False),
            ("used before", "a dataset that the main process has used before", 2, True),
            ("many workers", "many workers", 8, False),
            ("no worker, used before", "no worker, and a look at an item before", 0, True),
            ("several, used before", "several workers, and a look at an item before", some, True),
        ]
        return [
            Case(
                title,
                separates or title,
                {
                    "values": [rng.randint(-8, 8) / 4 for _ in range(16 * max(workers, 4))],
                    "workers": workers,
                    "seeds": [rng.randrange(2**31), rng.randrange(2**31)],
                    "other_seeds": [rng.randrange(2**31), rng.randrange(2**31)],
                    "used_first": used,
                },
                bool(separates),
            )
            for title, separates, workers, used in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data = case.data
        if "error" in facts:
            return _name_error(facts)
        length = facts["length"]["value"]
        if length != len(data["values"]):
            return WRONG_LENGTH.found(f"length {length}", f"length {len(data['values'])}")
        if facts["values"] != data["values"]:
            return VALUES_CHANGED.found("other values after an epoch", "the same values")
        found = _read_noise(facts["first"], data["values"])
        again = _read_noise(facts["again"], data["values"])
        for noise in (found, again):
            if isinstance(noise, Finding):
                return noise
        return _compare(found, again, data["workers"])


def _name_error(facts: Facts) -> Finding:
    error = facts["error"]
    if facts["returned"]["type"] != "other" or "has no len()" in error:
        return NO_DATASET.found(brief(facts["returned"]), "a dataset")
    if "'NoneType' object has no attribute" in error:
        return NO_WORKER.found(error, "an item")
    return BROKEN.found(error, "an item")


def _read_noise(
    epochs: Sequence[Sequence[Sequence[Any]]], values: Sequence[float]
) -> list[list[Noise]] | Finding:
    """For each epoch and worker, its items less the values; or what is wrong with an item."""
    read: list[list[Noise]] = []
    for epoch in epochs:
        read.append([])
        for worker in epoch:
            read[-1].append([])
            for number, item in worker:
                if not _is_number(item):
                    shown = f"item {number}: {brief(item)}"
                    return WRONG_FORM.found(shown, f"{values[number]} plus noise")
                given = item["values"] if item["type"] == "Tensor" else item["value"]
                read[-1][-1].append(given - values[number])
    return read


def _is_number(item: Mapping[str, Any]) -> bool:
    value = item.get("values") if item["type"] == "Tensor" else item.get("value")
    return isinstance(value, float) and math.isfinite(value)


def _compare(
    first: list[list[Noise]], again: list[list[Noise]], workers: int
) -> Finding | None:
    every = [number for epoch in first for noise in epoch for number in noise]
    if all(abs(number) < CLOSE for number in every):
        return NO_NOISE.found("every item equals its value", "items that differ from their values")
    for noise in (*first[0], *first[1]):
        if len({round(number, 5) for number in noise}) <= len(noise) / 2:
            return SAME_ITEMS.found(_shown(noise), "another number for each item")
    for number, noise in enumerate(first[0]):
        for other in first[0][:number]:
            if _alike(noise, other):
                return SAME_WORKERS.found(
                    f"{_shown(other)} and {_shown(noise)} in two workers", "other numbers"
                )
    if _alike(_flat(first[0]), _flat(first[1])):
        seen = f"{_shown(first[0][0])} and {_shown(first[1][0])} in two epochs"
        return SAME_EPOCHS.found(seen, "other numbers in each epoch")
    if not _equal(first, again):
        kind = NOT_IN_MAIN if workers == 0 else NOT_REPRODUCIBLE
        seen = f"{_shown(first[0][0])}, then {_shown(again[0][0])}"
        return kind.found(seen, "the same numbers, with the same seed")
    mean = sum(every) / len(every)
    spread = math.sqrt(sum((number - mean) ** 2 for number in every) / len(every))
    if abs(mean) > 0.5 or not 0.65 < spread < 1.4:
        seen = f"mean {mean:.2f}, standard deviation {spread:.2f}"
        return OTHER_NOISE.found(seen, "mean 0, standard deviation 1")
    return None


def _alike(noise: Noise, other: Noise) -> bool:
    """Whether a good part of one can be found in the other."""
    twice = sum(any(abs(a - b) < CLOSE for b in other) for a in noise)
    return twice >= max(2, SHARE * min(len(noise), len(other)))


def _equal(first: Any, again: Any) -> bool:
    return all(
        abs(a - b) < CLOSE
        for epoch, other in zip(first, again, strict=True)
        for a, b in zip(_flat(epoch), _flat(other), strict=True)
    )


def _flat(epoch: Sequence[Noise]) -> Noise:
    return [number for noise in epoch for number in noise]


def _shown(noise: Noise) -> str:
    return "(" + ", ".join(f"{number:.3f}" for number in noise[:2]) + ", …)"
