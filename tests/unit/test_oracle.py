"""The oracle judge: forms, rivals, and draws that tell them apart."""

import random
from collections.abc import Sequence
from typing import Any

import numpy
import pytest

from course_utils.checking.oracle import OracleJudge, WrongModel
from exercise_kit.comparison import same
from exercise_kit.contract import Case
from exercise_kit.facts import brief, describe
from exercise_kit.observers import OneCall


class Halves(OracleJudge):
    form, types = "a list of two numbers", ("list", "tuple", "namedtuple")
    rivals = (
        WrongModel("swapped", lambda n: [n // 2, n - n // 2]),
        WrongModel("divided", lambda n: [n / 2, n / 2]),
        WrongModel("inverted", lambda n: [1 / (n - 4), 0]),
    )

    def oracle(self, n: int) -> list[int]:
        return [n - n // 2, n // 2]

    def cases(self, rng: random.Random) -> Sequence[Case]:
        return [Case("odd", self.telling(lambda: {"n": rng.randint(2, 9)}, "swapped"))]


def meets(value: Any, n: int = 5) -> str | None:
    facts = OneCall("n").observe(lambda n: value, [n])
    finding = Halves().judge(Case("a case", {"n": n}), facts)
    return finding and finding.name


@pytest.mark.parametrize(
    "value",
    [
        [3, 2],
        (3, 2),
        [3.0, 2],
        numpy.array([3, 2]).tolist(),
        [numpy.int64(3), numpy.float32(2)],
    ],
)
def test_every_reasonable_form_of_the_right_result_passes(value):
    assert meets(value) is None


def test_wrong_results_are_explained_by_the_first_rival_that_fits():
    assert meets([2, 3]) == "swapped"
    assert meets([2.5, 2.5]) == "divided"
    assert meets([1, 1]) == "other-result"
    assert meets(None) == "nothing-returned"
    assert meets("3, 2") == "other-form"
    assert meets([2, 2], n=4) is None  # a rival that fails there has nothing to say


def test_a_changed_input_is_found_before_the_result_is():
    facts = OneCall("n").observe(lambda n: n.clear(), [[1]])
    assert facts["changed"] == ["n"]


def test_draws_tell_rivals_apart_or_say_that_they_cannot():
    judge = Halves()
    assert all(judge.cases(random.Random(seed))[0].data["n"] % 2 for seed in range(50))
    with pytest.raises(ValueError, match="no draw tells swapped apart"):
        judge.telling(lambda: {"n": 4}, "swapped")
    with pytest.raises(ValueError, match="no rival stands for unheard-of"):
        judge.telling(lambda: {"n": 4}, "unheard-of")


def test_exact_judges_tell_a_list_from_a_tuple():
    assert same(describe([1]), describe((1,)))
    assert not same(describe([1]), describe((1,)), exact=True)
    assert same(describe({"a": 1, "b": 2}), describe({"b": 2.0, "a": 1}))
    assert not same(describe({"a": 1}), describe({"b": 1}))
    assert same(describe({1, 2}), describe(frozenset({2, 1})))
    assert not same(describe(True), describe(1))
    assert not same(describe(10**400), describe(1.0))
    assert brief(describe({2, 1})) == "{1, 2}" and brief(describe(set())) == "set()"
