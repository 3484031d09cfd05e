"""Judge `child_device_count`: the number, and who saw which environment."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Judge, Raise
from course_utils.checking.facts import brief, same

from ..judging import joined, some_cards, visible_cards

ERROR = "a CalledProcessError"


class ChildDeviceCount(Judge):
    def cases(self, rng: random.Random) -> Sequence[Case]:
        n = rng.randint(5, 9)
        a, b, c = some_cards(rng, n, 3)
        banner = f"warming up {rng.randint(10, 99)} kernels"
        warning = f"warning: {rng.randint(10, 99)} degrees"
        failed = rng.randint(1, 9)

        def case(
            title: str,
            visible: str | None,
            parent: str | None,
            first: str = "",
            last: str = "",
            status: int = 0,
        ) -> Case:
            data = {
                "visible": visible,
                "parent": parent,
                "cards": n,
                "first": first,
                "last": last,
                "status": status,
                "marker": f"LESSON_{rng.randint(100, 999)}",
            }
            return Case(title, data)

        return [
            case("the task's example of one card", "0", None),
            case("two cards, and nothing set here", joined((a, b)), None),
            case("one card, and another value here", str(c), joined((a, b))),
            case("without a value, but with one here", None, str(a)),
            case("without a value, and none here", None, None),
            case("an empty value", "", joined((a, b))),
            case("the value that is there already", str(b), str(b)),
            case("a child that says something first", joined((a, b, c)), None, first=banner),
            case("a child that warns at the end", joined((a, b)), None, last=warning),
            case("a child that fails", str(c), None, status=failed),
            case("a child that says something and fails", None, str(a), banner, warning, failed),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, right = case.data, _count(case.data)
        if facts["touched"]:
            return Finding("parent-changed", "os.environ was changed", "only a copy is changed")
        if facts["changed"]:
            return Finding("input-changed", "another command", "the command as it was")
        if facts["runs"] != 1:
            name = "not-run" if facts["runs"] == 0 else "run-more-than-once"
            return Finding(name, f"{facts['runs']} runs", "one run")
        if facts["visible"] != data["visible"]:
            name = {None: "unset", "": "empty-value"}.get(data["visible"], "value-missing")
            return Finding(name, f"{facts['visible']!r} in the child", repr(data["visible"]))
        if facts["lost"]:
            missing = clip(", ".join(facts["lost"]), 80)
            return Finding("environment-lost", f"missing or different: {missing}", "all as here")
        if facts["failed"] != bool(data["status"]):
            name = "failed-needlessly" if facts["failed"] else "failure-ignored"
            expected = ERROR if data["status"] else str(right)
            return Finding(name, ERROR if facts["failed"] else brief(facts["result"]), expected)
        if facts["failed"] or same(facts["result"], {"type": "int", "value": right}):
            return None
        return Finding(_name(facts["result"], data), clip(brief(facts["result"]), 120), str(right))

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        data, seen = case.data, f"{raised.type}: {raised.text}"
        # Of `subprocess` and of `os.environ`, when they are given None for a string.
        no_string = any(words in raised.text for words in ("expected str", "str expected"))
        wrong = raised.type == "KeyError" or (raised.type == "TypeError" and no_string)
        if wrong and data["visible"] is None:
            return Finding("unset", seen, "a child without the variable")
        if raised.type in ("TypeError", "AttributeError") and "NoneType" in raised.text:
            return Finding("not-captured", seen, str(_count(data)))
        if data["status"]:
            return Finding("other-error", seen, ERROR)
        if raised.type == "ValueError" and "invalid literal" in raised.text:
            name = "stderr-mixed-in" if data["last"] else "not-the-last-line"
            return Finding(name, seen, str(_count(data)))
        return None


def _count(data: Mapping[str, Any]) -> int:
    return len(visible_cards(data["visible"], data["cards"]))


def _name(result: Mapping[str, Any], data: Mapping[str, Any]) -> str:
    if result["type"] == "NoneType":
        return "nothing-returned"
    if result["type"] == "str" and (data["first"] or data["last"]):
        return "stderr-mixed-in" if data["last"] else "not-the-last-line"
    if result["type"] == "str" or result.get("class") == "bytes":
        return "string-returned"
    if result["type"] == "other" or result == {"type": "int", "value": data["status"]}:
        return "status-returned"
    return "other-form" if result["type"] not in ("int", "float") else "another-number"


judge = ChildDeviceCount()
