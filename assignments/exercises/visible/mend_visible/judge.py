"""Judge `mend_visible`: the scores by plain arithmetic, their devices, and the bytes copied."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Judge, Raises
from course_utils.checking.facts import brief

from ..judging import joined

GPUS = 4
FLOAT = 4  # bytes
UUIDS = ("GPU-8932f937", "GPU-1f22a253", "GPU-2c01dfd4", "GPU-b7d0e9aa", "GPU-50a14c66")


class MendVisible(Judge):
    raises = (
        Raises("invalid-ordinal", "AcceleratorError", "invalid device ordinal"),
        Raises("invalid-ordinal", "RuntimeError", "invalid device ordinal"),
        Raises("name-read", "ValueError", "invalid literal for int()"),
        Raises("two-devices", "RuntimeError", "same device"),
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def case(title: str, cards: Sequence[Any], batches: int, outputs: int = 1) -> Case:
            features = rng.randint(3, 6)

            def numbers(count: int) -> list[float]:
                return [float(rng.randint(1, 9)) for _ in range(count)]

            return Case(
                title,
                {
                    "visible": joined(cards),
                    "weight": [numbers(features) for _ in range(outputs)],
                    "bias": numbers(outputs),
                    "batches": [
                        [numbers(features) for _ in range(rng.randint(2, 4))]
                        for _ in range(batches)
                    ],
                },
            )

        return [
            case("the job of the traceback, on a machine with eight cards", _far(rng), 6),
            case("cards 0 to 3, in another order", rng.choice(_DERANGED), 5),
            case("UUIDs", rng.sample(UUIDS, GPUS), 4),
            case("fewer batches than cards", _far(rng), 2),
            case("many batches", _far(rng), rng.randint(10, 13)),
            case("a model with several outputs", _far(rng), 7, outputs=3),
            case("no batches", _far(rng), 0),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, result = case.data, facts["result"]
        right = [f"cuda:{number % GPUS}" for number in range(len(data["batches"]))]
        if facts["changed"]:
            return Finding(
                "input-changed",
                f"{facts['changed'][0]} changed by the call",
                "the same, on the CPU",
            )
        if facts["moved"]:
            return Finding(
                "input-changed",
                "a model that was moved, and brought back",
                "one that stays on the CPU",
            )
        if result["type"] == "NoneType":
            return Finding("nothing-returned", "None", "a list of tensors")
        items = result.get("items", ())
        if result["type"] not in ("list", "tuple") or any(i["type"] != "Tensor" for i in items):
            return Finding("other-form", clip(brief(result), 120), "a list of tensors")
        seen = [item["device"] for item in items]
        if len(seen) == len(right) and seen != right:
            name = _other_device(seen, data["visible"].split(","))
            return Finding(name, _listed(seen, data), _listed(right, data))
        for number, (item, scores) in enumerate(zip(items, _scores(data), strict=False)):
            if item.get("values") != scores:
                shown = f"{item.get('values', '…')} for batch {number}"
                return Finding("other-scores", clip(shown, 160), clip(str(scores), 160))
        if len(seen) != len(right):
            return Finding("other-scores", f"{len(seen)} scores", f"{len(right)} scores")
        return _judge_copies(facts["arrived"], data)


def _far(rng: random.Random) -> list[int]:
    """Four of eight cards: the first would be no device, and no rule of thumb gives its index."""
    while True:
        cards = rng.sample(range(8), GPUS)
        ranks = [sorted(cards).index(card) for card in cards]
        if cards[0] >= GPUS and cards[0] % GPUS and ranks[0] and ranks != cards:
            return cards


_DERANGED = ((1, 2, 3, 0), (2, 3, 0, 1), (3, 2, 1, 0), (2, 0, 3, 1))


def _scores(data: Mapping[str, Any]) -> list[list[list[float]]]:
    """What the model makes of each row of each batch: whole numbers, so exact ones."""
    neurons = list(zip(data["weight"], data["bias"], strict=True))
    return [
        [
            [
                sum(w * x for w, x in zip(weights, row, strict=True)) + bias
                for weights, bias in neurons
            ]
            for row in batch
        ]
        for batch in data["batches"]
    ]


def _other_device(seen: Sequence[str], entries: Sequence[str]) -> str:
    if "cpu" in seen:
        return "on-the-cpu"
    if len(seen) > 1 and len(set(seen)) == 1:
        return "one-gpu"
    cards = [int(entry) for entry in entries if entry.isdigit()]
    for name, numbers in (
        ("physical-number", cards),
        ("sorted-cards", [sorted(cards).index(card) for card in cards]),
    ):
        if numbers and list(seen) == [f"cuda:{numbers[i % GPUS]}" for i in range(len(seen))]:
            return name
    return "other-device"


def _judge_copies(arrived: Mapping[str, int], data: Mapping[str, Any]) -> Finding | None:
    model = FLOAT * sum(len(row) + 1 for row in data["weight"])  # for each output also a bias
    needed = {
        f"cuda:{index}": FLOAT
        * sum(len(row) for batch in data["batches"][index::GPUS] for row in batch)
        for index in range(GPUS)
    }
    for gpu, batches in needed.items():
        # If nothing at all was seen, the copies were made where they cannot be counted.
        if arrived and arrived.get(gpu, 0) < batches:
            return Finding(
                "computed-elsewhere",
                f"{arrived.get(gpu, 0)} bytes to {gpu}",
                f"at least {batches}, for its batches",
            )
    for gpu, batches in needed.items():
        if arrived.get(gpu, 0) > model + batches:
            return Finding(
                "copied-too-often",
                f"{arrived[gpu]} bytes to {gpu}",
                f"at most {model} for the model and {batches} for its batches",
            )
    return None


def _listed(devices: Sequence[str], data: Mapping[str, Any]) -> str:
    return f"{', '.join(devices)} for {data['visible']!r}"


judge = MendVisible()
