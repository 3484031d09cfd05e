"""Cases of `free_memory`: small commands of the shell in the place of nvidia-smi."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look

from ..own_errors import OWN_ERRORS

looks = (
    Look("escaped", "exception-left", says="exception that left the function", wants="none"),
    Look("late", "no-timeout", says="waited for the command", wants="the end after the timeout"),
    Look("result", "other-amounts"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for an exception, or for a result of another type; None for other facts."""
    if fact == "escaped":
        if seen in OWN_ERRORS:
            return "own-error"
        return "not-available-read" if seen == "ValueError" and "[N/A]" in data["text"] else None
    if fact != "result" or seen["type"] == right["type"]:
        return None
    if right["type"] == "NoneType":
        if data["status"]:
            return "status-ignored"
        return "line-dropped" if seen.get("items") else "no-answer-not-none"
    if seen["type"] != "NoneType":
        return None
    return "answer-lost" if right["items"] else "empty-lost"


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: what the command prints, its exit status, and its seconds."""

    def case(
        title: str, text: str, status: int = 0, seconds: int = 0, name: str = "sh"
    ) -> tuple[str, dict[str, Any]]:
        return title, {"text": text, "status": status, "seconds": seconds, "name": name}

    one, two = (f"GPU-{rng.randrange(16**8):08x}, {rng.randint(300, 30_000)}" for _ in range(2))
    return [
        case("two cards", f"{one}\n{two}\n"),
        case("a command that is missing", "", name="nvidia-smi-of-another-server"),
        case("a command that may not be run", "", name="/"),
        case("a command that fails, with a line like an answer", f"{one}\n", status=9),
        case("a command that hangs", f"{one}\n", seconds=3),
        case("a card without an amount", f"{one}\nGPU-0a0b0c0d, [N/A]\n"),
        case("a sentence", "No devices were found\n"),
        case("a sentence below a card", f"{one}\nUnable to determine the device handle\n"),
        case("another word than `[N/A]`", f"{one}\nGPU-0a0b0c0d, [Unknown Error]\n"),
        case("an answer without lines", ""),
    ]
