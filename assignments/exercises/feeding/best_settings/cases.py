"""Cases of `best_settings`: machines on the virtual clock, and runs that luck disturbs.

A machine is played by `prepare` of the observer. The other times are written here, in ms.
"""

import random
from collections.abc import Mapping
from statistics import median
from typing import Any

from exercise_kit import Look


def not_the_choice(seen: Any, right: Any, data: Mapping[str, Any]) -> str:
    """What is certain of a number of workers that no known wrong answer gives."""
    if seen["value"] not in (data.get("candidates") or dict(data["runs"])):
        return "other-result"
    if "machine" in data:
        return "not-good-enough" if seen["value"] < right["value"] else "more-than-needed"
    times = {workers: median(three) for workers, three in data["runs"]}
    time, best = times[seen["value"]], min(times.values())
    if time > (1 + data["tolerance"]) * best:
        return "not-good-enough"
    return "only-the-fastest" if time == best else "not-the-smallest"


looks = (
    Look("others", "other-candidates", says="measured, but not a candidate"),
    Look("counts", "other-number-of-runs", says="runs"),
    Look("rounds", "not-in-rounds", says="measured in three rounds"),
    Look("result", not_the_choice),
)

EXAMPLE = [[0, [900, 910, 905]], [1, [560, 555, 980]], [2, [500, 505, 510]], [4, [490, 480, 700]]]


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case.

    runs: for each candidate its number of workers, and the ms of three runs.
    """

    def machine(*candidates: int, **given: int) -> dict[str, Any]:
        """A machine whose usual parts are no limit, and which another program slows for a round."""
        usual = {"decoding": rng.randrange(14_000, 18_000), "disk": 2000, "gpu": 4000, "cores": 16}
        slower = rng.sample([1, 1, 1.5], 3)
        return {"machine": usual | given, "candidates": [*candidates], "slower": slower}

    def measured(count: int = 6) -> list[list[Any]]:
        """Of some candidates the times of three runs, the median as with so many workers."""
        decoding = rng.randrange(2000, 4000)
        runs = []
        for workers in sorted(rng.sample((0, 1, 2, 3, 4, 6, 8, 12), count)):
            time = max(decoding // workers, 300) + 16 * workers if workers else decoding + 500
            three = [time, time - rng.randint(1, 8), time + rng.randint(1, 8)]
            runs.append([workers, rng.sample(three, 3)])
        return runs

    # One worker is enough, two cores carry two, eight workers are not, and three fill the disk.
    slow_gpu = machine(0, 1, 2, 4, 8, gpu=rng.randrange(24_000, 30_000))
    few = machine(8, 6, 4, 2, 1, 0, cores=2, decoding=rng.randrange(30_000, 40_000))
    many = machine(4, 8, 2, 6, 0, 3, decoding=rng.randrange(60_000, 80_000))
    slow_disk = machine(1, 3, 0, 8, 2, disk=15_000, decoding=rng.randrange(28_000, 30_000))
    limit = [[1, [1000] * 3], [3, [900] * 3], [4, [800] * 3], [8, [820, 790, 800]]]
    more = rng.randrange(0, 200)

    def slower(runs: list[list[Any]]) -> list[list[Any]]:
        return [[workers, [time + more for time in three]] for workers, three in runs]

    lucky = slower([[0, [750] * 3], [2, [550, 400, 555]], [4, [530] * 3]])
    useless = slower([[0, [400] * 3], [2, [410, 400, 405]], [4, [420] * 3]])
    one_lucky = slower([[0, [900] * 3], [2, [700, 410, 705]], [4, [400] * 3]])
    bad = slower([[0, [900] * 3], [2, [400, 405, 1300]], [4, [390, 395, 400]]])
    # each run by itself would lead astray
    differing = slower(
        [[0, [1200, 1200, 390]], [1, [900, 410, 900]], [2, [700, 400, 380]], [4, [390, 395, 500]]]
    )
    machines = [
        ("a machine with a slow GPU", slow_gpu | {"tolerance": 0.125}),
        ("a machine with two cores", few | {"tolerance": 0.25}),
        ("a machine with many cores and much to decode", many | {"tolerance": 0.125}),
        ("a machine with a slow disk", slow_disk | {"tolerance": 0.125}),
    ]
    rows = [
        ("the task's example", EXAMPLE, 0.125),
        ("a lucky run shorter than every median", lucky, 0.125),
        ("one bad run", bad, 0.25),
        ("one lucky run", one_lucky, 0.25),
        ("runs that differ", differing, 0.25),
        ("exactly at the limit", limit, 0.125),
        ("no tolerance at all", measured(), 0.0),
        ("workers that save no time", useless, 0.125),
        ("one candidate", measured(count=1), 0.125),
    ]
    given = [(title, {"runs": runs, "tolerance": tolerance}) for title, runs, tolerance in rows]
    return [*machines, *given]
