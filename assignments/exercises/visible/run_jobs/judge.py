"""Judge `run_jobs`: the value that each job got, whether all ran together, what came back."""

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Judge, Raise
from course_utils.checking.facts import brief

from ..judging import VARIABLE, joined, some_cards

UUIDS = (
    "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6",
    "GPU-1f22a253-c329-dfb7-0db4-e005efb6a4c7",
    "MIG-2c01dfd4-1a3f-5b2c-9d7b-0123456789ab",
)
Jobs = Sequence[Sequence[Any] | None]


class RunJobs(Judge):
    def cases(self, rng: random.Random) -> Sequence[Case]:
        a, b, c = some_cards(rng, 10, 3)
        old = str(rng.randint(10, 15))
        listed = joined(rng.sample(range(3, 10), 4))
        one, two = rng.sample(UUIDS[:2], 2)

        def case(
            title: str,
            jobs: Jobs,
            parent: str | None = None,
            *,
            lines: int = 0,
            last: str = "",
            aside: str = "",
            numpy: bool = False,
        ) -> Case:
            data = {
                "jobs": jobs,
                "parent": parent,
                "lines": lines,
                "last": last,
                "aside": aside,
                "numpy": numpy,
                "marker": f"LESSON_{rng.randint(100, 999)}",
            }
            return Case(title, data)

        return [
            case("the task's example", [[0], [3, 1]]),
            case("three jobs", [[a], [b], [c]]),
            case("several cards for each job", [[a, b, c], [c, a]]),
            case("another value is set here", [[a], [b, c]], old),
            case("cards that are indices of what is set here", [[0], [2, 1]], listed),
            case("a job without cards", [[], [a]], old),
            case("a job that takes what is set here", [[a], None], old),
            case("an empty value is set here", [None, [b]], ""),
            case("a job that takes what is here, and nothing is set", [None, [b, a]]),
            case("integers of NumPy", [[a, b], [c]], numpy=True),
            case("strings of digits", [[str(a), str(b)], [c]]),
            case("numbers with two digits", [[10 + a, b], [11]]),
            case("UUIDs", [[one, two], [UUIDS[2]]]),
            case("one card for two jobs", [[b], [b, c]]),
            case("the first job ends last", [[a], [b], [c]], last=repr(str(a))),
            case("several lines from each job", [[a], [b]], lines=rng.randint(2, 5)),
            case("jobs that print to stderr as well", [[a], [b]], aside="loading the data"),
            case("jobs that print more than a pipe holds", [[a], [b]], lines=15_000),
            case("a single job", [[c]]),
            case("no job at all", []),
            case("-1 in the last job", [[a], [b, -1]]),
            case("-1 alone", [[-1], [a]]),
            case("two numbers in one string", [[f"{a},{b}"], [c]]),
            case("a full-width comma in a string", [[f"{a}\uff0c{b}"], [c]]),
            case("a device in place of a card", [[a], [f"cuda:{b}"]]),
            case("an empty string in place of a card", [[a, ""], [b]]),
            case("a float in place of a card", [[float(a)], [b]]),
            case("one card twice in a job", [[c], [a, b, a]]),
            case("one card as a number and as a string", [[a, str(a)], [b]]),
            case("one UUID twice in a job", [[a], [one, one]]),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, jobs = case.data, case.data["jobs"]
        values = wanted(jobs, data["parent"])
        if facts["touched"]:
            return Finding("parent-changed", "os.environ was changed", "only copies are changed")
        if facts["changed"]:
            return Finding("input-changed", "another command or other jobs", "both as before")
        started = facts["begun"]
        if values is None:
            if not facts["refused"]:
                return Finding(_accepted(jobs), f"{started} jobs for {jobs}", "a ValueError")
            late = Finding("started-and-refused", f"{started} jobs, then a ValueError", "no job")
            return late if started else None
        if facts["refused"]:
            return Finding("refused-needlessly", f"a ValueError for {jobs}", f"{len(jobs)} jobs")
        if started != len(jobs):
            return Finding("other-jobs", f"{started} jobs", f"{len(jobs)} jobs")
        if facts["alone"]:
            return Finding("one-after-the-other", "a job that ran alone", "all at the same time")
        if len(facts["visible"]) != started:  # nobody waited for them
            wrong = _judge_result(facts["result"], values, data)
            return wrong or Finding("other-jobs", "jobs that have hardly begun", "jobs that end")
        seen, expected = (sorted(map(repr, some)) for some in (facts["visible"], values))
        if seen != expected:
            return Finding(
                _other_value(facts["visible"], values, data),
                joined(seen, " and "),
                joined(expected, " and "),
            )
        if facts["lost"]:
            missing = clip(", ".join(facts["lost"]), 80)
            return Finding("environment-lost", f"missing or different: {missing}", "all as here")
        return _judge_result(facts["result"], values, data)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if raised.type not in ("TypeError", "AttributeError"):
            return None
        seen, values = f"{raised.type}: {raised.text}", wanted(case.data["jobs"], None)
        if values is None:
            return Finding("other-error", seen, "a ValueError")
        if None in case.data["jobs"]:
            return Finding("no-list", seen, "a job with what is set here")
        words = ("sequence item", "str expected", "expected str", "isdigit", "startswith", "match")
        if any(word in raised.text for word in words):
            return Finding("not-a-string", seen, repr(values[0]))
        return None


def wanted(jobs: Jobs, parent: str | None) -> list[str | None] | None:
    """The value of each job; None where a ValueError is due."""
    values: list[str | None] = []
    for gpus in jobs:
        entries = [str(gpu) for gpu in gpus or ()]
        good = all(re.fullmatch(r"\d+|(GPU|MIG)-.+", entry) for entry in entries)
        if not good or len(set(entries)) < len(entries):
            return None
        values.append(parent if gpus is None else ",".join(entries))
    return values


def printed(value: str | None, lines: int) -> str:
    return f"{VARIABLE}={value!r}" + lines * f"\nstep with {value!r}"


def _accepted(jobs: Jobs) -> str:
    once = [[str(gpu)] for gpus in jobs for gpu in gpus or ()]
    return "twice-accepted" if wanted(once, None) else "bad-entry-accepted"


def _other_value(
    seen: Sequence[str | None], values: Sequence[str | None], data: Mapping[str, Any]
) -> str:
    if any(mark in str(value) for value in seen for mark in "[('\""):
        return "list-as-string"
    missing = [value for value in values if value not in seen]
    if None in data["jobs"] and data["parent"] in missing:
        return "no-list"
    if "" in missing:
        return "empty-list"
    if all(value == data["parent"] for value in seen) and data["parent"] not in values:
        return "value-missing"
    return "other-value"


def _judge_result(
    result: Mapping[str, Any], values: Sequence[str | None], data: Mapping[str, Any]
) -> Finding | None:
    expected = [printed(value, data["lines"]) for value in values]
    shown = clip(repr(expected), 120)
    if result["type"] == "NoneType":
        return Finding("nothing-returned", "None", shown)
    items = result.get("items", [])
    if result["type"] not in ("list", "tuple") or any(item["type"] != "str" for item in items):
        return Finding("other-form", clip(brief(result), 120), f"a list of strings: {shown}")
    seen = [item["value"].strip() for item in items]
    if seen == expected:
        return None
    if data["aside"] and any(data["aside"] in text for text in seen):
        return Finding("stderr-included", clip(repr(seen), 120), shown)
    if sorted(seen) == sorted(expected):
        return Finding("order-lost", clip(repr(seen), 120), shown)
    lengths = [len(text) for text in seen], [len(text) for text in expected]
    if lengths[0] != lengths[1]:
        return Finding("output-incomplete", f"strings of {lengths[0]} characters", str(lengths[1]))
    return Finding("other-output", clip(repr(seen), 120), shown)


judge = RunJobs()
