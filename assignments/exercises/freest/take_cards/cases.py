"""Cases of `take_cards`: idle and busy cards, and each way in which there is no choice."""

import random
from typing import Any

from exercise_kit import Look

from .observe import UNKNOWN

looks = (
    Look("end", "no-sentence", says="the program"),
    Look("cards", "other-order", says="cards that the process sees, by nvidia-smi's numbers"),
)


def explain(fact: str, seen: Any, right: Any, data: Any) -> str | None:
    """The finding for another end, or for other cards."""
    if fact == "end":
        if str(seen).startswith("ends with a traceback"):
            return "a-traceback"
        if right == "goes on":
            return "stopped-needlessly"
        if seen != "goes on":
            return {"is waiting": "no-timeout"}.get(seen, "no-sentence")
        if data["given"] is not None:
            return "overruled"
        return "no-answer-taken" if data["smi"] else "fewer-cards"
    if not isinstance(seen, list) or not isinstance(right, list):
        return None
    if len(seen) > len(right):
        return "too-many"
    if len(seen) < len(right):
        return "too-few"
    busy = [data["cards"][number][0] for number in seen]
    if max(busy) >= 10 and max(data["cards"][number][0] for number in right) < 10:
        return "busy-taken"
    return None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case. Each card has its GPU-Util, and the MiB that others hold."""
    few, some, many = (
        rng.randint(500, 2_000),
        rng.randint(5_000, 9_000),
        rng.randint(20_000, 30_000),
    )

    def case(
        title: str, wanted: int, *cards: tuple[int, int], smi: str = "", given: str | None = None
    ) -> tuple[str, dict[str, Any]]:
        return title, {"cards": [*map(list, cards)], "wanted": wanted, "smi": smi, "given": given}

    four = ((97, few), (0, many), (3, some), (0, many))
    return [
        case("two cards, as in the task", 2, (50, few), (0, many), (99, 0), (2, some)),
        case("one card, and a busy one has more free memory", 1, *four),
        case("equal cards", 3, (0, some), (0, some), (0, few), (0, some)),
        case("more cards than idle ones", 4, (64, some), (97, few), (5, many), (0, some)),
        case("amounts with four and five digits", 2, (0, 31_000), (0, 30_000), (0, 38_000)),
        case("one card at 10 %, one at 9 %", 1, (10, few), (9, many)),
        case("a card without a number", 2, (UNKNOWN, few), (0, many), (0, some)),
        case("more cards than there are", 5, *four),
        case("as many as there are, and one without a number", 2, (UNKNOWN, few), (0, some)),
        case("a list is set already", 1, *four, given="3"),
        case("an empty list is set already", 1, *four, given=""),
        case("no nvidia-smi", 1, *four, smi="missing"),
        case("nvidia-smi fails", 1, *four, smi="fails"),
        case("nvidia-smi prints a sentence", 1, *four, smi="talks"),
        case("nvidia-smi hangs", 1, *four, smi="hangs"),
    ]
