"""Judge `plan_env`: rivals overrule others, take the wrong cards, or mistake what is unknown."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course_utils.checking.oracle import OracleJudge, WrongModel
from exercise_kit.contract import Case, Facts, Finding, Raises
from exercise_kit.facts import brief
from exercise_kit.text import clip

VARIABLE = "CUDA_VISIBLE_DEVICES"
Pairs = Sequence[tuple[str, int]]


def planned(
    env: Mapping[str, str],
    free: Pairs | None,
    count: int,
    least: int,
    *,
    chosen: Any = lambda env: VARIABLE in env,
    unknown: Any = lambda free: free is None,
    key: Any = lambda place, uuid, mib: (-mib, place),
    enough: Any = lambda mib, least: mib >= least,
    name: Any = lambda place, uuid: uuid,
    comma: str = ",",
    too_few: Any = lambda cards, count: cards[:count],
) -> dict[str, str]:
    """The task's rules, or with some of them changed."""
    if chosen(env) or unknown(free):
        return dict(env)
    rows = [
        (key(place, uuid, mib), name(place, uuid))
        for place, (uuid, mib) in enumerate(free or ())
        if enough(mib, least)
    ]
    cards = too_few([card for _, card in sorted(rows)], count)
    return dict(env) if cards is None else {**env, VARIABLE: comma.join(map(str, cards))}


def _rival(finding: str, **rule: Any) -> WrongModel:
    return WrongModel(finding, lambda **data: planned(**data, **rule))


class PlanEnv(OracleJudge):
    form, types, otherwise = "a dict of strings", ("dict",), "other-plan"
    raises = (
        Raises("unknown-not-expected", "AttributeError", "'NoneType'"),
        Raises("unknown-not-expected", "TypeError", "'NoneType'"),
    )
    rivals = (
        _rival("empty-overruled", chosen=lambda env: bool(env.get(VARIABLE))),
        _rival("overruled", chosen=lambda env: False),
        _rival("unknown-hides", unknown=lambda free: False),
        _rival("no-card-is-unknown", unknown=lambda free: not free),
        _rival("nothing-fits-ignored", too_few=lambda cards, count: cards[:count] or None),
        _rival(
            "all-or-nothing",
            too_few=lambda cards, count: cards[:count] if len(cards) >= count else None,
        ),
        _rival(
            "all-or-nothing",
            too_few=lambda cards, count: cards[:count] if len(cards) >= count else [],
        ),
        _rival("least-forgotten", enough=lambda mib, least: True),
        _rival("just-enough-refused", enough=lambda mib, least: mib > least),
        _rival("count-forgotten", too_few=lambda cards, count: cards),
        _rival("order-of-the-machine", key=lambda place, uuid, mib: (place,)),
        WrongModel("chosen-in-place", lambda **data: _in_place(**data)),
        _rival("ties-reversed", key=lambda place, uuid, mib: (-mib, -place)),
        _rival("ties-by-name", key=lambda place, uuid, mib: (-mib, uuid)),
        _rival("ties-by-name", key=lambda place, uuid, mib: (-mib, -int(uuid[4:], 16))),
        _rival("fullest-first", key=lambda place, uuid, mib: (mib, place)),
        _rival("fullest-first", key=lambda place, uuid, mib: (mib, -place)),
        _rival("indices", name=lambda place, uuid: place),
        _rival("spaces", comma=", "),
        _rival("minus-one", too_few=lambda cards, count: cards[:count] or ["-1"]),
        WrongModel("a-list", lambda **data: _written(list, **data)),
        WrongModel("a-list", lambda **data: _written(str, **data)),
        WrongModel("overruled", lambda **data: _filtered(**data)),
        WrongModel(
            "only-the-variable",
            lambda **data: {
                name: value for name, value in planned(**data).items() if name == VARIABLE
            },
        ),
    )

    def oracle(self, **data: Any) -> dict[str, str]:
        return planned(**data)

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        found = super().judge(case, facts)
        if found is None and facts["same"]:
            return Finding("same-dict", "env itself", "a new dict")
        return found

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        return clip(brief(described), 200)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        least = rng.randint(8, 12) * 1000
        env = {"LANG": "C", "HOME": f"/home/user{rng.randint(10, 99)}"}

        def uuid() -> str:
            return f"GPU-{rng.randrange(16**8):08x}"

        def cards(*amounts: int) -> list[list[Any]]:
            return [[uuid(), amount] for amount in amounts]

        def above(count: int) -> list[int]:
            return rng.sample(range(least + 1, 40_000), count)

        def below(count: int) -> list[int]:
            return rng.sample(range(100, least), count)

        def case(
            title: str, draw: Any, *findings: str, count: int = 1, env: Mapping[str, str] = env
        ) -> Case:
            return Case(
                title,
                self.telling(
                    lambda: {"env": env, "free": draw(), "count": count, "least": least}, *findings
                ),
            )

        def shuffled(amounts: list[int]) -> list[list[Any]]:
            return cards(*rng.sample(amounts, len(amounts)))

        def chosen(value: str) -> dict[str, str]:
            return {**env, VARIABLE: value}

        less, tie = sorted(above(2))
        low, middle, high = sorted(uuid() for _ in range(3))
        full, spare = below(1)[0], above(1)[0]
        ties = [[uuid(), full], [uuid(), less], [middle, tie], [high, tie], [low, tie]]
        taken = cards(spare, full)
        example = [["GPU-a", 9159], ["GPU-b", 20859], ["GPU-c", 19507]]
        return [
            case(
                "one card of several",
                lambda: cards(*above(4)),
                "fullest-first",
                "indices",
                "order-of-the-machine",
                "only-the-variable",
            ),
            case(
                "two cards of several",
                lambda: cards(*above(4)),
                "fullest-first",
                "spaces",
                "order-of-the-machine",
                "chosen-in-place",
                "count-forgotten",
                count=2,
            ),
            Case(
                "the task's first example",
                {"env": {"LANG": "C"}, "free": example, "count": 2, "least": 10_000},
            ),
            case(
                "cards with the same amount", lambda: ties, "ties-reversed", "ties-by-name", count=2
            ),
            case(
                "fewer than `count` cards have enough memory",
                lambda: shuffled(above(2) + below(2)),
                "least-forgotten",
                "all-or-nothing",
                count=3,
            ),
            case("a card with just enough", lambda: cards(*below(2), least), "just-enough-refused"),
            case(
                "no card has enough",
                lambda: cards(*below(3)),
                "nothing-fits-ignored",
                "least-forgotten",
            ),
            case(
                "the variable is already set",
                lambda: cards(*above(3)),
                "overruled",
                env=chosen(str(rng.randint(0, 7))),
            ),
            case(
                "the variable names a card that is nearly full",
                lambda: taken,
                "overruled",
                env=chosen(taken[1][0]),
            ),
            case(
                "the variable is the empty string",
                lambda: cards(*above(3)),
                "empty-overruled",
                env=chosen(""),
            ),
            case("the free memory is not known", lambda: None, "unknown-hides"),
            case(
                "the free memory is not known, and the variable is set",
                lambda: None,
                env=chosen("2"),
            ),
            case("a machine without a card", lambda: [], "no-card-is-unknown"),
            case(
                "`count` is larger than the number of cards",
                lambda: cards(*above(2)),
                "all-or-nothing",
                count=4,
            ),
            case("an empty environment", lambda: cards(*above(3)), "fullest-first", env={}),
            Case(
                "the task's second example",
                {"env": {VARIABLE: "1"}, "free": example, "count": 2, "least": 10_000},
            ),
        ]


def _in_place(env: Mapping[str, str], free: Pairs | None, count: int, least: int) -> dict[str, str]:
    """The right cards, in the order in which they stand in the machine."""
    result = planned(env, free, count, least)
    cards = result[VARIABLE].split(",")
    return {**env, VARIABLE: ",".join(uuid for uuid, _ in free or () if uuid in cards)}


def _written(
    form: Callable[[list[str]], Any],
    env: Mapping[str, str],
    free: Pairs | None,
    count: int,
    least: int,
) -> dict[str, Any]:
    """The right cards, as a list or as what `str` makes of one."""
    result = planned(env, free, count, least)
    return {**result, VARIABLE: form([card for card in result[VARIABLE].split(",") if card])}


def _filtered(env: Mapping[str, str], free: Pairs | None, count: int, least: int) -> dict[str, str]:
    """Of the cards that somebody has chosen, those with enough memory."""
    enough = [uuid for uuid, mib in free or () if mib >= least]
    kept = [card for card in env[VARIABLE].split(",") if card in enough]
    return {**env, VARIABLE: ",".join(kept)}
