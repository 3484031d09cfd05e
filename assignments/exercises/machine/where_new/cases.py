"""Cases of `where_new`: programs in which each rule decides, alone and beside others."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look

looks = (Look("result", "other-devices"),)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for None, or for another number of devices; None for other facts."""
    if fact != "result":
        return None
    if seen["type"] == "NoneType":
        return None if right["items"] else "none-for-empty"
    if seen["type"] in ("list", "tuple") and len(seen["items"]) != len(right["items"]):
        return "other-number"
    return None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: the steps of a program."""
    rows = {
        "no GPU has been chosen": "new, new cuda, new cuda:{a}",
        "a block": "enter {a}, new cuda, leave, new cuda",
        "no device in a block": "enter {a}, new, leave, new",
        "an index in a block": "enter {a}, new cuda:{b}, new cuda, leave",
        "a GPU that is set": "set {a}, new cuda, new cuda:0",
        "no device after a GPU was set": "set {a}, new",
        "a new program, after one that has set a GPU": "new cuda",
        "a block after a GPU was set": "set {a}, enter {b}, new cuda, leave, new cuda",
        "a block inside a block": (
            "enter {a}, enter {b}, new cuda, leave, new cuda, leave, new cuda"
        ),
        "blocks inside each other, after a GPU was set": (
            "set {c}, enter {a}, enter {b}, leave, new cuda, leave, new cuda"
        ),
        "a GPU that is set inside a block": "enter {a}, set {b}, new cuda, leave, new cuda",
        "a GPU that is set in the inner block": (
            "set {c}, enter {a}, enter {b}, set 0, new cuda, leave, new cuda, leave, new cuda"
        ),
        "two blocks, one after the other": (
            "enter {a}, leave, enter {b}, new cuda, leave, new cuda"
        ),
        "an index, then no index": "new cuda:{a}, new cuda",
        "no new tensor": "set {a}, enter {b}, leave",
        "no steps": "",
    }
    programs = []
    for title, text in rows.items():
        a, b, c = rng.sample(range(1, 4), 3)
        steps = text.format(a=a, b=b, c=c).split(", ") if text else []
        # How many tensors are made in a place decides nothing.
        times = [rng.randint(1, 2) if step.startswith("new") else 1 for step in steps]
        program = [step for step, n in zip(steps, times, strict=True) for _ in range(n)]
        programs.append((title, program))
    programs += [("the task's example", ["set 2", "enter 1", "new cuda", "leave", "new cuda"])]
    return [(title, {"steps": steps}) for title, steps in programs]
