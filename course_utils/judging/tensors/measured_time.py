"""Judge `tensors.measured_time`.

The oracle plays the program step by step with two times, the program's and the GPU's. Rival models,
each of them one misconception, tell what a wrong number means; cases are drawn until all rivals
differ.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge
from course_utils.checking.facts import brief

WRONG_FORM = FindingKind(
    name="not-a-whole-number",
    title="the time is not a whole number",
    explanation="All times here are whole microseconds, so the answer is an `int`.",
    next_step="Return the difference of the two clock readings, as a number.",
)
LAUNCHES_ONLY = FindingKind(
    name="launches-only",
    title="the program did wait here",
    explanation="`synchronize` holds the program until the GPU has done everything. A clock that "
    "stops after it has seen more than the launches.",
    next_step="Let `synchronize` move the program's time on to the end of the last kernel.",
)
ALWAYS_WAITED = FindingKind(
    name="always-waited",
    title="nothing waited for the GPU here",
    explanation="Stopping the clock does not wait. Without `synchronize` the clock sees what the "
    "program itself did: the launches.",
    next_step="Keep two times, the program's and the GPU's, and let only `synchronize` join them.",
)
NO_OVERLAP = FindingKind(
    name="one-after-the-other",
    title="launches and kernels run at the same time",
    explanation="While the GPU runs one kernel, the program already launches the next. Adding up "
    "all launches and all kernels counts that time twice.",
    next_step="Let a kernel begin as soon as it is launched and the kernel before it has ended.",
)
KERNELS_ONLY = FindingKind(
    name="kernels-only",
    title="launches take time as well",
    explanation="The program, which reads the clock, spends its time on launches, and no kernel "
    "begins before its own launch is over.",
    next_step="Let each launch move the program's time on, and each kernel begin after its launch.",
)
BACKLOG_FORGOTTEN = FindingKind(
    name="backlog-forgotten",
    title="the GPU was still busy when the clock started",
    explanation="What was launched before the clock started may still be running. The kernels "
    "inside have to wait for it, and so has `synchronize`.",
    next_step="Follow the GPU from the first line of the program, not from the start of the clock.",
)
WHOLE_PROGRAM = FindingKind(
    name="whole-program-counted",
    title="the clock starts later than the program",
    explanation="The measured time is what passes between `start` and `stop`, not since the "
    "program began.",
    next_step="Note the program's time at `start` and subtract it.",
)
OTHER_TIME = FindingKind(
    name="other-time",
    title="the clock shows another time",
    explanation="A `run` holds the program for `launch`. Its kernel begins when its launch is over "
    "and the kernel before it has ended, and takes `kernel`. `synchronize` waits for the last one.",
    next_step="Draw two lines, one for the program and one for the GPU, and go step by step.",
)


@dataclass(frozen=True)
class Run:
    """A program with its times in µs: of one launch on the host, and of one kernel on the GPU."""

    program: Sequence[str]
    launch: int
    kernel: int

    @property
    def timed(self) -> "Run":
        """From `start` to `stop` only."""
        steps = self.program
        return replace(self, program=steps[steps.index("start") : steps.index("stop") + 1])

    @property
    def waited(self) -> "Run":
        """As if there were a `synchronize` before `stop`."""
        stop = self.program.index("stop")
        waited = [*self.program[:stop], "synchronize", *self.program[stop:]]
        return replace(self, program=waited)

    @property
    def runs(self) -> int:
        return self.program.count("run")


Model = Callable[[Run], int]


class MeasuredTime(Judge):
    """Finds the misconception under which a wrong time would be right."""

    name = "tensors.measured_time"
    findings = (
        WRONG_FORM,
        LAUNCHES_ONLY,
        ALWAYS_WAITED,
        NO_OVERLAP,
        KERNELS_ONLY,
        BACKLOG_FORGOTTEN,
        WHOLE_PROGRAM,
        OTHER_TIME,
    )
    hints = (
        "Two workers: the program, which launches, and the GPU, which computes. Each has a time of "
        "its own at which it will be free. What does each step do to these two times?",
        "`run` moves the program's time on by `launch`. The kernel begins at the later of two "
        "moments: the end of its launch, and the end of the kernel before it.",
        "`synchronize` moves the program's time on to the GPU's, if that is later. `start` and "
        "`stop` only read the program's time. Work from before `start` may still be running.",
        "A similar case: a cook puts pizzas in line for an oven that bakes one at a time. When is "
        "the last one done?\n"
        "```python\n"
        "def last_pizza(pizzas, prepare, bake):\n"
        "    cook = oven = 0                      # when each is free again\n"
        "    for _ in range(pizzas):\n"
        "        cook = cook + prepare\n"
        "        oven = max(oven, cook) + bake    # the later of the two, then baking\n"
        "    return oven\n\n"
        "last_pizza(3, prepare=2, bake=10)        # 32, not 36\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        few, several = rng.randint(2, 4), rng.randint(5, 9)
        wait = ["synchronize"]
        drawn: list[tuple[str, str, list[str], bool]] = [
            ("one run, no waiting", "", _program([], 1, []), True),
            ("several runs, then waiting", "", _program(wait, few, wait), True),
            ("slow launches, then waiting", "", _program([], few, wait), False),
            ("after a warm-up that was not waited for", "",
             _program(["run"] * several, few, wait), True),
            ("a whole protocol", "a warm-up that was waited for",
             _program(["run"] * few + wait, several, wait), True),
            ("launches only", "a clock that nothing waited for",
             _program(["run"] * few + wait, several, []), True),
            ("waiting twice", "waiting in between",
             _program(["run"] * few, few, [*wait, "run", "run", *wait]), True),
            ("work after the stop", "work that begins after the clock",
             [*_program(["run"], few, wait), "run", "synchronize"], True),
            ("slow launches and a backlog", "launches slower than kernels",
             _program(["run"] * several, several, wait), False),
            ("waiting before the last run", "a run after the last waiting",
             _program([], few, [*wait, "run"]), True),
        ]
        return [
            Case(
                title,
                separates or title,
                _draw_times(rng, program, slow_kernel),
                bool(separates),
            )
            for title, separates, program, slow_kernel in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        seen = facts["time"]
        if seen["type"] != "int":
            return WRONG_FORM.found(brief(seen), "a whole number of µs")
        run = Run(case.data["program"], case.data["launch"], case.data["kernel"])
        right = clock_reading(run)
        if seen["value"] == right:
            return None
        kind = next((kind for kind, rival in RIVALS if rival(run) == seen["value"]), OTHER_TIME)
        times = f"launch {run.launch}, kernel {run.kernel}"
        shown = f"{seen['value']} µs for {' '.join(run.program)}, {times}"
        return kind.found(shown, f"{right} µs")


def _program(before: Sequence[str], runs: int, after: Sequence[str]) -> list[str]:
    return [*before, "start", *["run"] * runs, *after, "stop"]


def _draw_times(
    rng: random.Random, program: Sequence[str], slow_kernel: bool
) -> dict[str, Sequence[str] | int]:
    """Times under which every rival that is wrong here gives a number of its own."""
    while True:
        short, long = rng.randint(3, 9), rng.randint(20, 90)
        run = Run(program, *((short, long) if slow_kernel else (long, short)))
        readings = [rival(run) for _, rival in RIVALS]
        wrong = [reading for reading in readings if reading != clock_reading(run)]
        if len(set(wrong)) == len(wrong):
            return {"program": program, "launch": run.launch, "kernel": run.kernel}


def clock_reading(run: Run) -> int:
    """What passes on the program's clock between `start` and `stop`."""
    now = gpu_free = started = 0
    for step in run.program[: run.program.index("stop")]:
        if step == "run":
            now += run.launch
            gpu_free = max(gpu_free, now) + run.kernel
        elif step == "synchronize":
            now = max(now, gpu_free)
        else:
            started = now
    return now - started


def _whole_program(run: Run) -> int:
    return clock_reading(replace(run, program=["start", *filter("start".__ne__, run.program)]))


def _added_up(run: Run) -> int:
    """As if the GPU did nothing until the program waits for it."""
    timed = run.timed.program
    waited_for = max((i for i, step in enumerate(timed) if step == "synchronize"), default=0)
    return run.launch * run.timed.runs + run.kernel * timed[:waited_for].count("run")


RIVALS: tuple[tuple[FindingKind, Model], ...] = (
    (LAUNCHES_ONLY, lambda run: run.launch * run.timed.runs),
    (KERNELS_ONLY, lambda run: run.kernel * run.timed.runs),
    (ALWAYS_WAITED, lambda run: clock_reading(run.waited)),
    (NO_OVERLAP, _added_up),
    (BACKLOG_FORGOTTEN, lambda run: clock_reading(run.timed)),
    (WHOLE_PROGRAM, _whole_program),
)
