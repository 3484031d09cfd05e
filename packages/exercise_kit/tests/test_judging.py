"""The judge of exercises that are data: what is compared, and what a difference is called."""

import pytest

from exercise_kit import Case, Look, Raise, Raises
from exercise_kit.comparison import first_difference, same
from exercise_kit.contract import Rival
from exercise_kit.facts import describe
from exercise_kit.judging import DataJudge

NOTHING = {"type": "NoneType", "value": None}


def judge(*looks, **more):
    return DataJudge(lambda rng: [], looks, **more)


def found(looks, right, facts, rivals=(), **more):
    """Name, seen and expected of what a judge finds; None if it finds nothing."""
    case = Case("a case", {"x": 3}, right, rivals)
    finding = judge(*looks, **more).judge(case, facts)
    return finding and (finding.name, finding.seen, finding.expected)


@pytest.mark.parametrize(
    ("one", "other", "exact", "loose"),
    [
        (1, 1, True, True),
        (1, 1.0, True, True),
        (1, True, False, False),
        (1.0, 1.0 + 1e-12, True, True),
        (float("nan"), float("nan"), True, True),
        (10**400, 1.0, False, False),
        ([1, 2], [1, 2, 3], False, False),
        ({"a": 1}, {"a": 1, "b": 2}, False, False),
        (describe(2), describe(2.0), False, True),
        (describe(True), describe(1), False, False),
        (describe((1, 2)), describe([1, 2]), False, True),
        (describe({"a": 1, "b": 2}), describe({"b": 2, "a": 1}), True, True),
        (describe("a"), describe("b"), False, False),
        (describe(None), describe([]), False, False),
    ],
)
def test_facts_are_compared_as_learners_would(one, other, exact, loose):
    assert (same(one, other, exact=True), same(one, other)) == (exact, loose)
    assert (same(other, one, exact=True), same(other, one)) == (exact, loose)


def test_a_difference_has_its_place():
    assert first_difference([1, {"a": 2}], [1, {"a": 3}]) == ("[1].a", 2, 3)
    assert first_difference([1, 2], [1]) == ("", [1, 2], [1])
    assert first_difference(describe([1]), describe([2]))[0] == ""


def test_looks_are_asked_in_their_order():
    looks = (Look("keys", "other-keys"), Look("copies", "needless-copy", most=True, spare=1))
    right = {"keys": ["a"], "copies": 2}
    assert found(looks, right, {"keys": ["a"], "copies": 3}) is None
    assert found(looks, right, {"keys": ["a"], "copies": 4}) == ("needless-copy", "4", "at most 3")
    assert found(looks, right, {"keys": ["b"], "copies": 4})[0] == "other-keys"
    assert found(looks, right, {"copies": 2})[0] == "other-keys"  # a fact that was left out
    assert found(looks, right, {"keys": ["a"], "copies": "none"})[0] == "needless-copy"


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "nothing-returned"),
        ("3", "other-form"),
        ([3], "other-form"),
        (4, "other-result"),
        (9, "squared"),
        (float("nan"), "other-result"),
    ],
)
def test_a_rival_explains_before_a_look_does(value, name):
    rivals = (Rival("squared", "result", describe(9)), Rival("other", "keys", describe(4)))
    facts = {"result": describe(value)}
    assert found((Look("result"),), {"result": describe(6)}, facts, rivals)[0] == name


def test_parts_of_a_tensor_have_findings_of_their_own():
    torch = pytest.importorskip("torch")
    look = Look("result", parts={"dtype": "other-dtype", "shape": "other-shape"})
    right = {"result": describe((torch.ones(2), 1))}
    for value, name in (
        ((torch.ones(2, dtype=torch.float64), 1), "other-dtype"),
        ((torch.ones(3), 1), "other-shape"),
        ((torch.zeros(2), 1), "other-result"),
        (([1.0, 1.0], 1), "other-form"),
    ):
        assert found((look,), right, {"result": describe(value)})[0] == name


def test_what_rivals_and_looks_cannot_say_is_explained():
    looks = (Look("x", lambda seen, right, data: "larger" if seen > data["x"] else "smaller"),)
    assert found(looks, {"x": 3}, {"x": 4})[0] == "larger"
    assert found(looks, {"x": 3}, {"x": 2})[0] == "smaller"
    own = {"explain": lambda fact, seen, right, data: "seven" if seen == 7 else None}
    assert found(looks, {"x": 3}, {"x": 7}, [Rival("r", "x", 7)], **own)[0] == "seven"
    assert found(looks, {"x": 3}, {"x": 8}, [Rival("r", "x", 8)], **own)[0] == "r"


def test_an_order_that_does_not_count():
    looks = (Look("runs", any_order=True),)
    assert found(looks, {"runs": [1, 2]}, {"runs": [2, 1]}) is None
    assert found(looks, {"runs": [1, 2]}, {"runs": [2, 2]}) == ("other-result", "[2, 2]", "[1, 2]")


def test_what_a_learner_reads_is_short_and_has_its_words():
    looks = (Look("losses", says="losses", wants="a smaller one"),)
    seen = found(looks, {"losses": [0.1, 0.2]}, {"losses": [0.1, 1 / 3]})
    assert seen == ("other-result", "losses[1]: 0.333333", "a smaller one")
    bits = found((Look("x", tolerance=0.0),), {"x": 0.1}, {"x": 0.1 + 1e-15})
    assert bits is not None and bits[1] != bits[2]  # digits enough to see the difference
    texts = found((Look("x"),), {"x": "on cpu"}, {"x": "on cuda:1"})
    assert texts == ("other-result", "on cuda:1", "on cpu")
    assert len(found((Look("x"),), {"x": []}, {"x": ["y" * 9999]})[1]) <= 200


def test_exceptions_mean_something_where_they_do():
    rows = (
        Raises("early", "TypeError", "str", lambda data: data["x"] > 3),
        Raises("late", "TypeError", "str"),
    )
    raised = Raise("TypeError", "not str\nand more", "line 3: `x`")
    for x, name in ((4, "early"), (3, "late")):
        finding = judge(raises=rows).on_raise(Case("a case", {"x": x}), raised)
        assert (finding.name, finding.seen) == (name, "TypeError: not str, in line 3: x")
    assert judge(raises=rows).on_raise(Case("", {"x": 1}), Raise("KeyError", "str", "")) is None
