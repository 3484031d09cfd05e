"""Cases of `meet_budget`: a machine, whose peaks were measured, and a budget."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look

from ..peaks import PEAKS


def not_the_choice(seen: Any, right: Any, data: Mapping[str, Any]) -> str:
    """What is certain of a list that no known wrong answer gives."""
    if right["type"] == "NoneType":
        return "not-none"
    items = [item.get("value") for item in seen["items"]]
    wanted = [item["value"] for item in right["items"]]
    peaks = {frozenset(names.split()): peak for names, peak in PEAKS[data["machine"]].items()}
    peak = peaks.get(frozenset(map(str, items)))
    if peak is None:
        return "other-remedies"
    if set(items) == set(wanted):
        return "other-order"
    if peak > data["budget"]:
        return "does-not-fit"
    if "sharding" in items and "sharding" not in wanted:
        return "sharding-too-early"
    return "more-than-needed" if len(items) > len(wanted) else "later-of-equals"


looks = (
    Look("others", "no-list-measured", says="measured", wants="lists of remedies"),
    Look("result", not_the_choice),
    Look("again", "measured-again", says="measured more than once", wants="nothing"),
    Look("runs", "too-many-runs", most=True, says="measurements"),
)


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case. The budget lies between the peak of the right choice and the
    smallest peak of all choices before it."""

    def between(machine: str, least: float, most: float) -> dict[str, Any]:
        return {"machine": machine, "budget": round(rng.uniform(least, most - 0.1), 1)}

    lesson, many = "the lesson's model", "a small model and many texts"
    wide, one = "a wide model and one text", "one wide block"
    return [
        ("the task's example", {"machine": lesson, "budget": 56.0}),
        ("without a remedy", between(one, 34.0, 60.0)),
        ("the first remedy", between(many, 38.7, 62.3)),
        ("the third remedy alone", between(wide, 50.7, 63.1)),
        ("two remedies, and not the first two", between(lesson, 49.5, 53.3)),
        ("all remedies on one GPU", between(lesson, 46.7, 49.5)),
        ("exactly the budget", {"machine": many, "budget": 19.6}),
        ("sharding alone", between(wide, 25.6, 50.7)),
        ("sharding and another remedy", between(one, 16.1, 26.0)),
        ("sharding and two others", between(lesson, 18.1, 24.7)),
        ("nothing fits", between(many, 4.0, 8.9)),
    ]
