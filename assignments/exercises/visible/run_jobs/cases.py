"""Cases of `run_jobs`: every kind of entry, what is set here, and jobs that print."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look, Raises

from ..drawing import joined, some_cards

ONE, TWO, PART = (
    "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6",
    "GPU-1f22a253-c329-dfb7-0db4-e005efb6a4c7",
    "MIG-2c01dfd4-1a3f-5b2c-9d7b-0123456789ab",
)

looks = (
    Look("touched", "parent-changed", says="os.environ was changed"),
    Look("refused", "other-error", says="raised"),
    Look("begun", "other-jobs", says="jobs started"),
    Look("form", "other-form", wants="a list of strings"),
    Look("alone", "one-after-the-other", says="a job ran alone"),
    Look("visible", "other-value", any_order=True, says="the jobs saw"),
    Look("lost", "environment-lost", says="variables missing or different"),
    Look("aside", "stderr-included", says="stderr is in the strings"),
    Look("whole", "output-incomplete", says="every string has all lines"),
    Look("strings", "other-output", says="strings"),
)
raises = (
    Raises("no-list", "TypeError", "'NoneType' object is not iterable"),
    Raises("no-list", "TypeError", "not NoneType"),
    Raises("not-a-string", "TypeError", "sequence item"),
    Raises("not-a-string", "TypeError", "expected str"),
    Raises("not-a-string", "TypeError", "str expected"),
    Raises("not-a-string", "AttributeError", "isdigit"),
    Raises("not-a-string", "AttributeError", "startswith"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for refusals, starts, values or strings that differ; None for other facts."""
    if fact == "refused":
        return {"nothing": data["flaw"], "ValueError": "refused-needlessly"}.get(
            seen, "other-error"
        )
    if fact == "begun" and data["flaw"]:
        return "started-and-refused"
    if fact == "visible" and len(seen) < len(right):  # nobody waited for the jobs
        return "output-incomplete"
    return "order-lost" if fact == "strings" and sorted(seen) == sorted(right) else None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: the jobs, what is set here, and what a job prints."""
    a, b, c = some_cards(rng, 10, 3)
    old = str(rng.randint(10, 15))
    listed = joined(rng.sample(range(3, 10), 4))
    marker = f"LESSON_{rng.randint(100, 999)}"
    plain = {"numpy": False, "parent": None, "lines": 0, "aside": "", "together": 0, "last": ""}

    def good(title: str, *jobs: Any, flaw: str = "", **other: Any) -> tuple[str, dict[str, Any]]:
        return title, {"jobs": list(jobs), "marker": marker, "flaw": flaw, **plain, **other}

    def bad(title: str, *jobs: list[Any]) -> tuple[str, dict[str, Any]]:
        return good(title, *jobs, flaw="bad-entry-accepted")

    def twice(title: str, *jobs: list[Any]) -> tuple[str, dict[str, Any]]:
        return good(title, *jobs, flaw="twice-accepted")

    return [
        good("the task's example", [0], [3, 1], together=2),
        good("three jobs", [a], [b], [c], together=3),
        good("several cards for each job", [a, b, c], [c, a]),
        good("another value is set here", [a], [b, c], parent=old),
        good("cards that are indices into the value set here", [0], [2, 1], parent=listed),
        good("a job without cards", [], [a], parent=old),
        good("a job that inherits the value set here", [a], None, parent=old),
        good("an empty value is set here", None, [b], parent=""),
        good("a job that inherits an unset variable", None, [b, a]),
        good("integers of NumPy", [a, b], [c], numpy=True),
        good("strings of digits", [str(a), str(b)], [c]),
        good("numbers with two digits", [10 + a, b], [11]),
        good("UUIDs", rng.sample((ONE, TWO), 2), [PART]),
        good("one card for two jobs", [b], [b, c]),
        good("the first job ends last", [a], [b], together=2, last=str(a)),
        good("several lines from each job", [a], [b], lines=rng.randint(2, 5)),
        good("jobs that print to stderr as well", [a], [b], aside="loading the data"),
        good("jobs that print more than a pipe holds", [a], [b], lines=15_000),
        good(
            "jobs that print more than a pipe holds, to stderr as well",
            [a],
            aside=64 * "-",
            lines=5_000,
        ),
        good("a single job", [c]),
        good("no job at all"),
        bad("-1 in the last job", [a], [b, -1]),
        bad("-1 alone", [-1], [a]),
        bad("two numbers in one string", [f"{a},{b}"], [c]),
        bad("a full-width comma in a string", [f"{a}\uff0c{b}"], [c]),
        bad("a device in place of a card", [a], [f"cuda:{b}"]),
        bad("an empty string in place of a card", [a, ""], [b]),
        bad("a float in place of a card", [float(a)], [b]),
        twice("one card twice in a job", [c], [a, b, a]),
        twice("one card as a number and as a string", [a, str(a)], [b]),
        twice("one UUID twice in a job", [a], [ONE, ONE]),
    ]
