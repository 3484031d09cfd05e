"""Judge `best_settings`: first what was measured, then the number against a median's choice."""

import random
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from statistics import mean, median
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding
from course_utils.checking.facts import describe, same
from course_utils.checking.oracle import OracleJudge, Rival

Runs = list[tuple[int, list[int]]]
"""For each candidate, in the order of the list, the times of its three runs."""


def _chosen(
    runs: Runs,
    tolerance: float,
    time: Callable[[list[int]], float] = median,
    pick: Callable[[list[int]], int] = min,
    limit: Callable[[float, float], float] | None = None,
) -> int:
    """The choice, with a rule changed."""
    times = {workers: time(three) for workers, three in runs}
    best = min(times.values())
    most = (1 + tolerance) * best if limit is None else limit(best, tolerance)
    good = [workers for workers in times if times[workers] <= most]
    return pick(good or [-1])  # a changed limit may leave none


def _changed(finding: str, **changes: Any) -> Rival:
    return Rival(finding, lambda runs, tolerance: _chosen(runs, tolerance, **changes))


def _near_the_slowest(runs: Runs, tolerance: float) -> int:
    limit = (1 - tolerance) * max(median(three) for _, three in runs)
    return _chosen(runs, tolerance, limit=lambda best, _: limit)


def _best_of_all_runs(runs: Runs, tolerance: float) -> int:
    """With the limit from the shortest run; the right one where that leaves no candidate."""
    limit = (1 + tolerance) * min(min(three) for _, three in runs)
    good = [workers for workers, three in runs if median(three) <= limit]
    return min(good) if good else _chosen(runs, tolerance)


def _index(runs: Runs, tolerance: float) -> int:
    """The index of the right one, or the right one where that is a number of workers as well."""
    candidates = [workers for workers, _ in runs]
    right = _chosen(runs, tolerance)
    index = candidates.index(right)
    return right if index in candidates else index


class BestSettings(OracleJudge):
    form, types = "a number of workers", ("int", "float")
    rivals = (
        _changed("only-the-fastest", limit=lambda best, tolerance: best),
        _changed("mean-for-median", time=mean),
        _changed("shortest-for-median", time=min),
        _changed(
            "limit-itself-excluded", limit=lambda best, tolerance: (1 + tolerance) * best - 1e-6
        ),
        _changed("not-the-smallest", pick=lambda good: good[0]),
        _changed("not-the-smallest", pick=lambda good: good[-1]),
        _changed("not-the-smallest", pick=max),
        Rival("not-good-enough", lambda runs, tolerance: min(workers for workers, _ in runs)),
        Rival("not-good-enough", _near_the_slowest),
        Rival("best-from-one-run", _best_of_all_runs),
        Rival("time-returned", lambda runs, tolerance: min(median(t) for _, t in runs)),
        Rival(
            "time-returned", lambda runs, tolerance: median(dict(runs)[_chosen(runs, tolerance)])
        ),
        Rival("index-returned", _index),
    )

    def oracle(self, runs: Runs, tolerance: float) -> int:
        return _chosen(runs, tolerance)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def drawn(title: str, *findings: str, **situation: Any) -> Case:
            return Case(title, self.telling(lambda: _draw(rng, **situation), *findings))

        example = [
            (0, [900, 910, 905]),
            (1, [560, 555, 980]),
            (2, [500, 505, 510]),
            (4, [490, 480, 700]),
        ]
        return [
            Case("the task's example", {"runs": example, "tolerance": 0.125}),
            drawn(
                "a lucky run shorter than every median",
                "best-from-one-run",
                "index-returned",
                lucky_second=True,
            ),
            drawn("candidates in any order", "not-the-smallest", "index-returned", shuffled=True),
            drawn("several candidates are good enough", "only-the-fastest", "not-good-enough"),
            drawn("one bad run", "mean-for-median", bad=True),
            drawn("one lucky run", "shortest-for-median", lucky=True),
            drawn("runs that differ", spread=True),
            drawn("exactly at the limit", "limit-itself-excluded", exact=True),
            drawn("a wide tolerance", "only-the-fastest", tolerance=0.5),
            drawn("no tolerance at all", "not-good-enough", tolerance=0.0),
            drawn("workers that save nothing", "not-the-smallest", useless=True),
            drawn("one candidate", "time-returned", count=1),
        ]

    def explain(self, seen: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        """The one rival that gives the same number; where there are several, what is certain."""
        found = {finding for finding, model in self.rivals if same(seen, describe(model(**data)))}
        if len(found) == 1:
            return found.pop()
        times = {workers: median(three) for workers, three in data["runs"]}
        time = times.get(seen["value"])
        if time is None:
            return "other-result"
        best = min(times.values())
        if time > (1 + data["tolerance"]) * best:
            return "not-good-enough"
        return "only-the-fastest" if time == best else "not-the-smallest"

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        candidates = [workers for workers, _ in case.data["runs"]]
        calls = [call.get("value") for call in facts["calls"]]
        shown = f"measured {calls}" if calls else "measure was never called"
        if not set(calls) <= set(candidates):
            return Finding("other-candidates", shown, f"only {candidates}")
        counts = [calls.count(workers) for workers in candidates]
        rounds = f"{candidates}, three times over"
        if set(counts) != {3}:
            return Finding("other-number-of-runs", shown, rounds)
        size = len(candidates)
        if any(len(set(calls[begin : begin + size])) < size for begin in (0, size, 2 * size)):
            return Finding("not-in-rounds", shown, rounds)
        return super().judge(case, facts)


def _draw(
    rng: random.Random,
    *,
    tolerance: float | None = None,
    bad: bool = False,
    lucky: bool = False,
    lucky_second: bool = False,
    spread: bool = False,
    shuffled: bool = False,
    exact: bool = False,
    useless: bool = False,
    count: int = 6,
) -> dict[str, Any]:
    """Times of three runs for each candidate, in ms. Useless workers only cost, and 0 is best."""
    if tolerance is None:
        tolerance = rng.choice((0.125, 0.25))
    candidates = sorted(rng.sample((1, 2, 3, 4, 6, 8, 12), count))
    candidates[0] = 0 if useless else candidates[0] * (exact or rng.randint(0, 1))
    load = 0 if useless else rng.randrange(400, 1200, 8)
    rest = rng.randrange(304, 600, 8)
    runs: Runs = []
    for workers in candidates:
        base = rest + load // (workers + 1) + 16 * workers * useless
        three = [base + rng.randint(-8, 8) for _ in range(3)]
        if bad:
            three[rng.randrange(3)] += rng.choice((0, 400, 900))
        if lucky:
            three[rng.randrange(3)] -= rng.choice((0, 60, 120, 180))
        if lucky_second:
            three[1] -= rng.choice((0, 60, 120, 180))
        if spread:
            three = [time + rng.randint(-120, 120) for time in three]
        runs.append((workers, three))
    if spread and any(
        _chosen(runs, tolerance, time=itemgetter(run)) == _chosen(runs, tolerance)
        for run in range(3)
    ):
        return _draw(rng, spread=True)  # until each single run leads astray
    if lucky_second and any(
        _chosen(runs, tolerance, time=itemgetter(run)) != _chosen(runs, tolerance) for run in (0, 2)
    ):
        return _draw(rng, lucky_second=True)  # until the first run or the last alone is no fault
    if exact:
        # Multiples of 8 times 1.125 or 1.25 are whole numbers, and exact as floats.
        best = min(median(three) for _, three in runs) // 8 * 8
        place = rng.randrange(count - 1)
        runs[-1][1][:] = [best] * 3
        runs[place][1][:] = [int(best * (1 + tolerance))] * 3
    if shuffled:  # the right one comes last, so that another good one comes first
        right = _chosen(runs, tolerance)
        rng.shuffle(runs)
        runs.sort(key=lambda run: run[0] == right)
    return {"runs": [list(run) for run in runs], "tolerance": tolerance}


judge = BestSettings()
