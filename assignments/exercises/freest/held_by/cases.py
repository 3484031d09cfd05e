"""Cases of `held_by`: machines that answer, and each way in which there is no answer."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look, Raises

from .observe import uuid_of

LOST = "Unable to determine the device handle for GPU0000:3D:00.0: GPU is lost."
NO_DRIVER = (
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that "
    "the latest NVIDIA driver is installed and running."
)

looks = (
    Look("calls", "asked-twice", says="calls of run"),
    Look("escaped", "exception-left", says="exception that left the function"),
    Look("failed", "text-not-expected", says="raised", wants="None"),
    Look("result", "other-amounts", exact=True),
    Look("listed", "not-a-list", says="the command is a list of words"),
    Look("timeout", "no-timeout", says="timeout", wants="1 to 60 seconds"),
)
raises = (
    Raises("not-available-read", "ValueError", "N/A"),
    Raises("not-available-read", "TypeError", "'NoneType' and 'int'"),
    Raises("not-available-read", "TypeError", "'int' and 'NoneType'"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for no call, an exception, or an answer read otherwise; None for other facts."""
    if fact == "calls" and not seen:
        return "run-not-called"
    if fact == "escaped" and right in ("KeyError", "ValueError"):
        return "other-error-caught"
    if fact != "result":
        return None
    if right["type"] == "NoneType":
        if data["error"]:
            return "no-answer-not-none"
        return "status-ignored" if data["status"] else "text-not-expected"
    if seen["type"] == "dict":
        return of_numbers(seen, right)
    if seen["type"] != "NoneType":
        return None
    if not right["items"]:
        return "nobody-is-no-answer"
    unknown = any(amount["type"] == "NoneType" for amount in right["items"])
    return "not-available-no-answer" if unknown else "answer-not-read"


def of_numbers(seen: Mapping[str, Any], right: Mapping[str, Any]) -> str | None:
    """The finding for a dict with other processes or amounts; both are described dicts."""
    numbers = [each for each in seen["keys"] + seen["items"] if each["type"] == "float"]
    if numbers:
        are_whole = all(number["value"].is_integer() for number in numbers)
        return "floats" if are_whole else "other-amounts"
    held, wanted = (
        {str(key): amount["type"] for key, amount in zip(each["keys"], each["items"], strict=True)}
        for each in (seen, right)
    )
    counted = any(held.get(pid) == "int" for pid in wanted if wanted[pid] == "NoneType")
    if counted:
        return "not-available-counted"
    added, missing = held.keys() - wanted.keys(), wanted.keys() - held.keys()
    if any(each["type"] != "int" for each in seen["keys"]):
        return None
    return "other-cards" if added or any(wanted[pid] == "int" for pid in missing) else None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case.

    cards: of each card its processes. uuids: those that are asked for. text, status: what the
    command prints instead, and its exit status. error: what it raises, or "hangs".
    """

    def mib() -> int:
        return rng.randint(200, 9_000)

    def answers(
        title: str, *cards: list[tuple[int, int | None, str]], asked: tuple[int, ...] = (0, 1)
    ) -> tuple[str, dict[str, Any]]:
        uuids = [uuid_of(number) for number in asked]
        return title, {"cards": cards, "uuids": uuids, "text": "", "status": 0, "error": ""}

    def fails(
        title: str, text: str = "", status: int = 0, error: str = ""
    ) -> tuple[str, dict[str, Any]]:
        told = {"cards": [], "text": text, "status": status, "error": error}
        return title, {**told, "uuids": [uuid_of(0)]}

    one, two, three = rng.sample(range(1_000, 30_000), 3)
    whole, other = (one, mib(), "C"), (two, mib(), "C")
    unknown = (one, None, "C")
    line = f"{uuid_of(0)}, {one}, {mib()}"
    return [
        answers("three processes on two cards", [whole, other], [(three, mib(), "C")]),
        answers("a process on two cards", [whole, other], [(one, mib(), "C")]),
        answers(
            "the task's example",
            [(2950, 9100, "C"), (3381, 6000, "C")],
            [(3381, 512, "C"), (4242, None, "C")],
            [(5150, 700, "C")],
        ),
        answers(
            "the second of two cards", [whole, unknown], [other, (three, mib(), "C")], asked=(1,)
        ),
        answers("a card that is not listed", [whole], asked=(7,)),
        answers("no process computes", [(one, mib(), "G")], []),
        answers("an amount that is not known", [unknown, other]),
        answers("a process with a known and an unknown amount", [whole], [unknown, other]),
        answers("a process with an unknown and a known amount", [unknown], [whole, other]),
        fails("no nvidia-smi", "nvidia-smi", error="FileNotFoundError"),
        fails("an nvidia-smi that may not be started", "nvidia-smi", error="PermissionError"),
        fails("an nvidia-smi that cannot be started", "nvidia-smi", error="OSError"),
        fails("the driver is not running", NO_DRIVER, status=9),
        fails("an exit status that is not 0, with lines like an answer", line, status=15),
        fails("a command that hangs", error="hangs"),
        fails("a text that is not an answer", LOST),
        fails("an answer with a line that cannot be read", f"{line}\n{LOST}"),
        fails(
            "an answer with a process and another word than `[N/A]`",
            f"{line}\n{uuid_of(0)}, {two}, [Insufficient Permissions]",
        ),
        fails("an answer with a line of four parts", f"{line}\n{uuid_of(0)}, {two}, 3116, 1"),
        fails("another exception", "a fault in a program of ours", error="KeyError"),
        fails("a `ValueError` of `run`", "a fault in a program of ours", error="ValueError"),
        fails(
            "a line of another card that cannot be read",
            f"{line}\n{uuid_of(1)}, {two}, [Insufficient Permissions]",
        ),
    ]
