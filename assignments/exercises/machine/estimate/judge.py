"""Judge `estimate` by the model of its task; rivals have one rule changed."""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case
from course_utils.checking.facts import brief
from course_utils.checking.oracle import OracleJudge, Rival

Part = Callable[[float, float], float]


def times(
    work: Mapping[str, Any],
    cpu: Mapping[str, Any],
    gpu: Mapping[str, Any],
    *,
    join: Part = max,
    launch: str = "gpu",
    copy: str = "needed",
    overlap: bool = False,
    chain: str = "one core",
) -> tuple[float, float]:
    """The times on both, by default by the task's rules.

    join: how moving and computing make one time. launch: who waits for it: "gpu", "none", "both".
    copy: "needed", "never", "always" (to the GPU), "other way", "to gpu only", "there and back".
    overlap: whether the copy runs beside the work. chain: "one core", "ignored", "always", "memory"
    (one core, with its share of the bandwidth).
    """
    result = []
    for name, processor in (("cpu", cpu), ("gpu", gpu)):
        alone = chain == "always" or (work["chain"] and chain != "ignored")
        rate = processor["rate"] / processor["cores"] if alone else processor["rate"]
        shared = processor["cores"] if alone and chain == "memory" else 1
        busy = join(work["bytes"] / processor["bandwidth"] * shared, work["operations"] / rate)
        if launch == "both" or launch == name:
            busy += gpu["launch"]
        way = work["bytes"] / gpu["link"] * _copies(copy, name, work["data"])
        result.append(max(busy, way) if overlap else busy + way)
    return result[0], result[1]


def _copies(rule: str, name: str, data: str) -> int:
    """How often the data crosses the link."""
    away = name != data
    return {
        "needed": int(away),
        "never": 0,
        "always": int(name == "gpu"),
        "other way": int(not away),
        "to gpu only": int(away and name == "gpu"),
        "there and back": 2 * away,
    }[rule]


def _rival(finding: str, **changes: Any) -> Rival:
    return Rival(finding, lambda **data: times(**data, **changes))


def _rounded(whole: Callable[[float], float]) -> Rival:
    return Rival("rounded", lambda **data: tuple(whole(time) for time in times(**data)))


class Estimate(OracleJudge):
    form, types, otherwise = "a pair of times", ("tuple", "list", "namedtuple"), "other-times"
    rivals = (
        _rival("added-up", join=lambda moving, computing: moving + computing),
        _rival("the-faster", join=min),
        _rival("bytes-only", join=lambda moving, computing: moving),
        _rival("operations-only", join=lambda moving, computing: computing),
        _rival("launch-forgotten", launch="none"),
        _rival("launch-on-the-cpu", launch="both"),
        _rival("launch-on-the-cpu", launch="cpu"),
        _rival("copy-forgotten", copy="never"),
        _rival("copy-forgotten", copy="to gpu only"),
        _rival("copy-not-needed", copy="always"),
        _rival("copy-not-needed", copy="other way"),
        _rival("copied-twice", copy="there and back"),
        _rival("copy-beside-the-work", overlap=True),
        _rival("chain-ignored", chain="ignored"),
        _rival("one-core-always", chain="always"),
        _rival("bandwidth-shared", chain="memory"),
        *(_rounded(whole) for whole in (round, math.floor, math.ceil)),
        *(_rounded(lambda time, digits=digits: round(time, digits)) for digits in (1, 2, 3)),
        Rival("swapped", lambda **data: times(**data)[::-1]),
    )

    def oracle(self, **data: Any) -> tuple[float, float]:
        return times(**data)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def drawn(title: str, per_byte: float, *, chain: bool = False, data: str) -> Case:
            """per_byte: operations, of which the CPU does 2 while a byte travels, the GPU 20."""
            count = rng.randint(3, 9) * 4000
            work = {
                "bytes": count,
                "operations": int(count * per_byte),
                "chain": chain,
                "data": data,
            }
            return Case(title, {"work": work, **_processors(rng)})

        few, some, many = 0.25, rng.choice((5, 6, 8)), rng.randint(40, 60)

        example = {"bytes": 8000, "operations": 4000, "chain": False, "data": "cpu"}
        return [
            drawn("the CPU waits for operations, the GPU for bytes", some, data="gpu"),
            drawn("many bytes, few operations, data on the GPU", few, data="gpu"),
            drawn("many bytes, few operations, data on the CPU", few, data="cpu"),
            drawn("many operations, data on the GPU", many, data="gpu"),
            drawn("many operations, data on the CPU", many, data="cpu"),
            drawn("a chain, data on the GPU", many, chain=True, data="gpu"),
            drawn("a chain, data on the CPU", many, chain=True, data="cpu"),
            drawn("a chain of few operations", few, chain=True, data="cpu"),
            Case(
                "no operations at all",
                {
                    "work": {
                        "bytes": rng.randint(3, 9) * 1000,
                        "operations": 0,
                        "chain": False,
                        "data": "cpu",
                    },
                    **_processors(rng),
                },
            ),
            Case(
                "the task's example",
                {
                    "work": example,
                    "cpu": {"bandwidth": 200, "cores": 8, "rate": 400},
                    "gpu": {
                        "bandwidth": 2000,
                        "cores": 1000,
                        "rate": 4000,
                        "launch": 5,
                        "link": 100,
                    },
                },
            ),
        ]

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        work = data["work"]
        kind = "a chain" if work["chain"] else "independent"
        return (
            f"{clip(brief(described), 90)} for {work['bytes']} bytes, {work['operations']} "
            f"operations, {kind}, data on the {work['data'].upper()}"
        )


def _processors(rng: random.Random) -> dict[str, dict[str, int]]:
    """A CPU and a GPU. The GPU has more operations for each byte that it can move."""
    slow = rng.randint(3, 9) * 50
    fast = slow * rng.randint(5, 9)
    return {
        "cpu": {"bandwidth": slow, "cores": rng.choice((4, 8, 16)), "rate": slow * 2},
        "gpu": {
            "bandwidth": fast,
            "cores": rng.choice((500, 1000, 2000)),
            "rate": fast * 20,
            "launch": rng.randint(3, 9),
            "link": rng.randint(2, 4) * 10,
        },
    }


judge = Estimate()
