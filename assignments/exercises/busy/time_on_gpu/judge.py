"""Judge `time_on_gpu`: rivals are protocols with one fault, played on the same simulated GPU."""

import random
import statistics
from collections.abc import Callable, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding
from course_utils.checking.oracle import OracleJudge, Rival

Summary = Callable[[list[float]], float]

RIGHT = ("work",), ("synchronize", "clock", "work", "synchronize", "clock")
"""The protocol: its steps before the timings, and those of each timing."""

NO_FIRST_WAIT = ("clock", "work", "synchronize", "clock")
CLOCK_BEFORE_WAIT = ("clock", "synchronize", "work", "synchronize", "clock")


def readings(
    before: Sequence[str],
    each: Sequence[str],
    *,
    launches: Sequence[int],
    kernels: Sequence[int],
    repeats: int,
    begun: int,
    busy: int,
) -> list[float]:
    """What the clock shows in a protocol, in seconds. The data of a case is in ms."""
    now, idle, call = begun, begun + busy, 0
    shown = []
    for step in [*before, *list(each) * repeats]:
        if step == "work":
            now += launches[call % len(launches)]
            idle = max(idle, now) + kernels[call % len(kernels)]
            call += 1
        elif step == "synchronize":
            now = max(now, idle)
        else:
            shown.append(now / 1000)
    return shown


def timings(before: Sequence[str], each: Sequence[str], **data: Any) -> list[float]:
    """The differences of the first reading and the second, of the third and the fourth, …"""
    shown = readings(before, each, **data)
    return [stop - start for start, stop in zip(shown[::2], shown[1::2], strict=True)]


def _protocol(*steps: Sequence[str], of: Summary = statistics.median) -> Callable[..., float]:
    return lambda **data: of(timings(*steps, **data))


def _once_around_all(**data: Any) -> float:
    """One timing around all calls, divided by their number."""
    runs = ["synchronize", "clock", *["work"] * data["repeats"], "synchronize", "clock"]
    (timing,) = timings(["work"], runs, **data | {"repeats": 1})
    return timing / data["repeats"]


def _warm_up_timed(**data: Any) -> float:
    return statistics.median(timings((), RIGHT[1], **data | {"repeats": data["repeats"] + 1}))


def _in_ms(**data: Any) -> float:
    return 1000 * statistics.median(timings(*RIGHT, **data))


class TimeOnGpu(OracleJudge):
    form, types, otherwise = "a number of seconds", ("int", "float"), "other-time"
    # Faults of the protocol come last: a single timing, the first case, has no other fault.
    rivals = (
        Rival("middle-of-even", _protocol(*RIGHT, of=statistics.median_high)),
        Rival("middle-of-even", _protocol(*RIGHT, of=statistics.median_low)),
        Rival("mean-taken", _protocol(*RIGHT, of=statistics.fmean)),
        Rival("other-summary", _protocol(*RIGHT, of=min)),
        Rival("other-summary", _protocol(*RIGHT, of=max)),
        Rival("other-summary", _protocol(*RIGHT, of=sum)),
        Rival("not-sorted", _protocol(*RIGHT, of=lambda times: times[len(times) // 2])),
        Rival("other-summary", _protocol(*RIGHT, of=lambda times: times[0])),
        Rival("other-summary", _protocol(*RIGHT, of=lambda times: times[-1])),
        Rival("timed-in-one-go", _once_around_all),
        Rival("other-unit", _in_ms),
        Rival("launch-timed", _protocol(("work",), ("clock", "work", "clock"))),
        Rival("started-while-busy", _protocol(("work",), NO_FIRST_WAIT)),
        Rival("started-while-busy", _protocol(("work",), CLOCK_BEFORE_WAIT)),
        Rival("no-warm-up", _protocol((), RIGHT[1])),
        Rival("no-warm-up", _protocol((), NO_FIRST_WAIT)),
        Rival("warm-up-timed", _warm_up_timed),
    )

    def oracle(self, **data: Any) -> float:
        return statistics.median(timings(*RIGHT, **data))

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def drawn(title: str, repeats: int, *findings: str, busy: bool = False) -> Case:
            return Case(title, self.telling(lambda: _draw(rng, repeats, busy), *findings))

        odd, even = rng.choice((5, 7)), rng.choice((4, 6))
        return [
            drawn(
                "a single timing",
                1,
                "launch-timed",
                "started-while-busy",
                "no-warm-up",
                "warm-up-timed",
                "other-unit",
            ),
            drawn(
                "an odd number of timings, as in the task",
                odd,
                "timed-in-one-go",
                "mean-taken",
                "not-sorted",
                "other-summary",
            ),
            drawn("an even number of timings", even, "middle-of-even", "timed-in-one-go"),
            drawn("two timings", 2, "launch-timed", "started-while-busy", "timed-in-one-go"),
            drawn(
                "a GPU that is busy at first", 1, "started-while-busy", "launch-timed", busy=True
            ),
            drawn(
                "many timings on a GPU that is busy at first",
                12,
                "launch-timed",
                "mean-taken",
                busy=True,
            ),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        found, calls = super().judge(case, facts), facts["calls"]
        if found is None or found.name in ("nothing-returned", "other-form"):
            return found
        if not calls["clock"]:
            return Finding("clock-not-used", "calls of clock: 0", "2 for each timing")
        more = calls["work"] - case.data["repeats"]  # 0 is explained by a missing warm-up, or not
        if more not in (0, 1) or (more == 0 and found.name == self.otherwise):
            return Finding(
                "other-number-of-calls",
                f"calls of work: {calls['work']}",
                f"{case.data['repeats'] + 1}, one to warm up and one for each timing",
            )
        return found

    def shown(self, described: Any, data: Any) -> str:
        value = described.get("value")
        return f"{value:.6g} s" if isinstance(value, int | float) else described["type"]


def _draw(rng: random.Random, repeats: int, busy: bool) -> dict[str, Any]:
    """Times in ms. The first call is slow, and the GPU is still at it when the second comes."""
    launches = [rng.randint(200, 400), *(rng.randint(2, 9) for _ in range(repeats))]
    kernels = [rng.randint(500, 900), *rng.sample(range(20, 200, 10), repeats)]  # all differ
    if repeats > 1:
        kernels[rng.randint(1, repeats)] = rng.randint(300, 400)  # an outlier, which a mean shows
    return {
        "launches": launches,
        "kernels": kernels,
        "repeats": repeats,
        "begun": rng.randint(10**5, 10**6),
        "busy": rng.randint(2000, 4000) if busy else 0,
    }


judge = TimeOnGpu()
