"""Cases of `take_cards`: idle and busy cards, and each way in which there is no choice."""

import random
from collections.abc import Mapping
from typing import Any

from exercise_kit import Look

from ..own_errors import OWN_ERRORS
from .observe import UNKNOWN

looks = (
    Look("end", "no-sentence", says="the program"),
    Look("cards", "other-order", says="cards that the process sees, by nvidia-smi's numbers"),
    Look("named", "not-by-uuid", says="the cards are named", wants="by UUID"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for another end, or for other cards."""
    if fact == "end":
        return of_the_end(str(seen), right, data)
    if not isinstance(seen, list) or not isinstance(right, list):
        return None
    if len(seen) > len(right):
        return "too-many"
    if len(seen) < len(right):
        return "too-few"
    if any(busy(number, data) for number in seen) and not any(busy(n, data) for n in right):
        return "busy-taken"
    return None


def of_the_end(seen: str, right: str, data: Mapping[str, Any]) -> str:
    """The finding for another end of the program."""
    if seen.startswith("ends with a traceback"):
        if any(f": {name}:" in seen for name in OWN_ERRORS):
            return "own-error"
        return "raised-needlessly" if right == "goes on" else "a-traceback"
    if right == "goes on":
        return "stopped-needlessly"
    if seen != "goes on":
        return {"is waiting": "no-timeout"}.get(seen, "no-sentence")
    if data["given"] is not None:
        return "overruled"
    if data["smi"] == "fails":
        return "status-ignored"
    return "fewer-cards" if data["smi"] in ("", "unknown") else "no-answer-taken"


def busy(number: int, data: Mapping[str, Any]) -> bool:
    """Whether the card with this number of nvidia-smi is known to be busy."""
    return data["cards"][number][1] >= 10


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case. Each card has its model, its GPU-Util, and the MiB in use."""
    few, some, many = (
        rng.randint(500, 2_000),
        rng.randint(5_000, 9_000),
        rng.randint(20_000, 30_000),
    )

    def case(
        title: str,
        wanted: int,
        *cards: tuple[int, int] | tuple[str, int, int],
        smi: str = "",
        given: str | None = None,
    ) -> tuple[str, dict[str, Any]]:
        named = [["A100", *card][-3:] for card in cards]
        return title, {"cards": named, "wanted": wanted, "smi": smi, "given": given}

    four = ((97, few), (0, many), (3, some), (0, many))
    unknown = ((UNKNOWN, few), ("T4", 0, 0))
    return [
        case("two cards, as in the task", 2, (50, few), (0, many), (99, 0), (2, some)),
        case("one card at 10 % with more free memory, and one at 9 %", 1, (10, few), (9, many)),
        case("equal cards", 3, (0, some), (0, some), (0, few), (0, some)),
        case("more cards than idle ones", 4, (64, some), (97, few), (5, many), (0, some)),
        case(
            "two models, and amounts with four and five digits",
            3,
            ("T4", 0, few),
            (0, 31_000),
            (0, 30_000),
            (0, 20_000),
        ),
        case("cards without a number", 2, *unknown, (0, many), (0, some), smi="unknown"),
        case("too few cards with both numbers", 2, *unknown, (0, some), smi="unknown"),
        case("a list is set already", 1, *four, given="3"),
        case("an empty list is set already", 1, *four, given=""),
        case("no nvidia-smi", 1, *four, smi="missing"),
        case("nvidia-smi fails after its lines", 1, *four, smi="fails"),
        case("nvidia-smi prints a sentence", 1, *four, smi="talks"),
        case("nvidia-smi hangs", 1, *four, smi="hangs"),
    ]
