"""Judge `who_gets` by playing the programs moment by moment.

Rivals play them with one rule changed.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding
from course_utils.checking.facts import brief
from course_utils.checking.oracle import OracleJudge, Rival

Users = Sequence[Sequence[int]]


def lower(free: Sequence[int]) -> int:
    return list(free).index(max(free))


def higher(free: Sequence[int]) -> int:
    return max(range(len(free)), key=lambda index: (free[index], index))


def played(
    free: Sequence[int],
    users: Users,
    startup: int,
    *,
    choose: Callable[[Sequence[int]], int] = lower,
    at_once: bool = False,
    first_reading: bool = False,
    more_than: bool = False,
    unchecked: bool = False,
    failed_holds: bool = False,
    again: bool = False,
) -> list[int | None]:
    """The card of each user.

    at_once: memory is taken while looking. first_reading: everybody sees the memory of the
    beginning. more_than: exactly enough is too little. unchecked: everybody gets memory.
    failed_holds: also who runs out holds it. again: who runs out tries the freest card.
    """
    left, got = list(free), [None] * len(users)
    chosen: dict[int, int] = {}
    events = [(2 * looks, user) for user, (looks, _) in enumerate(users)]
    delay = 1 if at_once else 2 * startup  # at once: before anybody else does anything
    events += [(2 * looks + delay, user) for user, (looks, _) in enumerate(users)]
    for _, user in sorted(events):
        if user not in chosen:
            chosen[user] = choose(free if first_reading else left)
            continue
        needs = users[user][1]
        card = chosen[user]
        if again and left[card] < needs:
            card = choose(left)
        fits = unchecked or (left[card] > needs if more_than else left[card] >= needs)
        if fits:
            got[user] = card
        if fits or failed_holds:
            left[card] -= needs
    return got


def _in_list_order(free: Sequence[int], users: Users, startup: int) -> list[int | None]:
    """One user after another: each knows only what those before in the list have taken."""
    takes: list[tuple[int, int, int]] = []

    def left_at(now: int) -> list[int]:
        gone = [
            sum(mib for when, on, mib in takes if on == card and when < now)
            for card in range(len(free))
        ]
        return [amount - less for amount, less in zip(free, gone, strict=True)]

    got: list[int | None] = []
    for looks, needs in users:
        card = lower(left_at(looks))
        got.append(card if left_at(looks + startup)[card] >= needs else None)
        if got[-1] is not None:
            takes.append((looks + startup, card, needs))
    return got


def _sorted_users(free: Sequence[int], users: Users, startup: int) -> list[int | None]:
    return played(free, sorted(users), startup)


def _rival(finding: str, **rule: Any) -> Rival:
    return Rival(finding, lambda **data: played(**data, **rule))


class WhoGets(OracleJudge):
    form, types, otherwise = (
        "a list with a card or None for each user",
        ("list", "tuple"),
        ("other-cards"),
    )
    rivals = (
        _rival("another-card", again=True),
        _rival("taken-at-once", at_once=True),
        _rival("first-reading-kept", first_reading=True),
        _rival("everybody-gets-memory", unchecked=True),
        _rival("first-reading-kept", first_reading=True, unchecked=True),
        _rival("exactly-enough-refused", more_than=True),
        _rival("failed-program-holds", failed_holds=True),
        _rival("higher-index", choose=higher),
        Rival("order-of-the-list", lambda **data: _in_list_order(**data)),
        Rival("order-of-the-result", lambda **data: _sorted_users(**data)),
    )

    def oracle(self, **data: Any) -> list[int | None]:
        return played(**data)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        startup = 2 * rng.randint(3, 5) + 1  # odd, and looks are even: never at one moment

        def looks(*starts: float) -> list[int]:
            """Moments near these multiples of `startup`, all different."""
            while True:
                drawn = [2 * round(start * startup / 2) + 2 * rng.randint(0, 1) for start in starts]
                if len(set(drawn)) == len(drawn):
                    return drawn

        def amount() -> int:
            return rng.randint(15, 40)

        def different(count: int) -> list[int]:
            return rng.sample(range(16, 40), count)

        def drawn(title: str, draw: Callable[[], tuple[list[int], Any]], *findings: str) -> Case:
            def data() -> dict[str, Any]:
                free, users = draw()
                return {"free": free, "users": [list(user) for user in users], "startup": startup}

            return Case(title, self.telling(data, *findings))

        def crowd(cards: int, *starts: float) -> Callable[[], tuple[list[int], Any]]:
            def draw() -> tuple[list[int], Any]:
                needs = [rng.randint(5, 25) for _ in starts]
                return different(cards), zip(looks(*starts), needs, strict=True)

            return draw

        def equal_cards() -> tuple[list[int], Any]:
            return [amount()] * 3, [(looks(0)[0], rng.randint(5, 12))]

        def exact() -> tuple[list[int], Any]:
            free = different(2)
            first = rng.randint(1, 9)
            pairs = [(0, first), (looks(0.5)[0] + 2, max(free) - first)]
            return free, pairs

        def too_much() -> tuple[list[int], Any]:
            free = different(2)
            small, large = rng.randint(3, 9), max(free) + rng.randint(1, 9)
            return free, zip(looks(0, 0.4, 2), (large, small, small), strict=True)

        def shuffled() -> tuple[list[int], Any]:
            free, users = crowd(3, 0, 0.5, 1.5, 2.5, 4)()
            return free, rng.sample(list(users), 5)

        return [
            drawn("one user", lambda: (different(3), [(looks(0)[0], rng.randint(5, 15))])),
            drawn("one user, and cards with the same amount", equal_cards, "higher-index"),
            drawn(
                "an early second user, and a card with room for both",
                crowd(2, 0, 0.5),
                "taken-at-once",
            ),
            drawn(
                "an early second user, and no card with room for both",
                crowd(2, 0, 0.5),
                "another-card",
                "everybody-gets-memory",
            ),
            drawn(
                "two users, the second looks when the first has its memory",
                crowd(2, 0, 2),
                "first-reading-kept",
            ),
            Case(
                "the task's first example",
                {"free": [20, 19], "users": [[0, 12], [3, 12]], "startup": 8},
            ),
            Case(
                "the task's second example",
                {"free": [20, 19], "users": [[0, 12], [10, 12]], "startup": 8},
            ),
            drawn("exactly as much as is left", exact, "exactly-enough-refused"),
            drawn("a program that needs more than any card has", too_much, "failed-program-holds"),
            drawn("users in another order", shuffled, "order-of-the-list", "order-of-the-result"),
            drawn(
                "five users, some of them early",
                crowd(3, 0, 0.4, 0.8, 1.6, 2.4),
                "taken-at-once",
                "first-reading-kept",
            ),
            drawn(
                "five users, one after another",
                crowd(2, 0, 2, 4, 6, 8),
                "everybody-gets-memory",
                "first-reading-kept",
            ),
            drawn("one card for three", crowd(1, 0, 0.5, 2), "everybody-gets-memory"),
            Case("nobody", {"free": different(2), "users": [], "startup": startup}),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        found, data = super().judge(case, facts), case.data
        users = [tuple(user) for user in data["users"]]
        given = f"who_gets({data['free']}, {users}, {data['startup']})"
        return found and replace(found, seen=f"{clip(found.seen, 80)} for {clip(given, 200)}")

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        return clip(brief(described), 120)


judge = WhoGets()
