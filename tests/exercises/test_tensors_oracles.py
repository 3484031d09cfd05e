"""The oracles of assignment 02 against reality, and its known answers on more seeds.

That the corpus is complete, and that stub, junk and mutants are refused, `course verify` proves
for every exercise.
"""

import importlib
import inspect
import itertools
import pkgutil
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import course_utils.exercises
import course_utils.judging
import pytest
import torch
from course_utils.exercises.tensors import OBSERVERS
from course_utils.exercises.tensors.material import build, routes
from course_utils.exercises.tensors.shares_storage import STEPS
from course_utils.judging.tensors import JUDGES
from course_utils.judging.tensors import predict_to as predict_to_judge
from course_utils.judging.tensors import read_error as read_error_judge
from course_utils.judging.tensors import shares_storage as shares_storage_judge
from course_utils.judging.tensors.additions import needed_copies, sum_at
from course_utils.judging.tensors.measured_time import Run, clock_reading
from course_utils.judging.tensors.positional import TOLERANCE

from course_utils.authoring.corpus import KnownAnswer, known_answers, load_answer, outcome_name
from course_utils.authoring.junk import junk_answers
from course_utils.checking import registry
from course_utils.checking.contract import Case
from course_utils.checking.engine import examine
from course_utils.checking.facts import describe
from course_utils.devices import current_lab, lab
from course_utils.experiments.copies import count_copies

SUBMISSIONS = Path(__file__).parents[2] / "assignments" / "submissions" / "02_tensors"
SEEDS = ("one", "two", "three", "four", "five")


@pytest.fixture(scope="module", autouse=True)
def _four_gpus() -> None:
    if current_lab() is None:
        lab(gpus=4)


def _corpus() -> list[Any]:
    return [
        pytest.param(name, answer, id=f"{place.name}-{answer.path.stem}")
        for name in OBSERVERS
        for place in [SUBMISSIONS / name.partition(".")[2]]
        for kind in ("accepted", "wrong")
        for answer in known_answers(place, kind)
    ]


def _cases(name: str, seeds: int = 20) -> list[Case]:
    judge = JUDGES[f"tensors.{name}"]
    return [case for seed in range(seeds) for case in judge.cases(random.Random(seed))]


def test_observers_and_judges_belong_together() -> None:
    assert list(OBSERVERS) == list(JUDGES)


@pytest.mark.parametrize("name, answer", _corpus())
def test_known_answers_come_out_as_they_say(name: str, answer: KnownAnswer) -> None:
    function = load_answer(answer.source, name.partition(".")[2], str(answer.path))
    for seed in SEEDS:
        report = examine(OBSERVERS[name], JUDGES[name], function, seed)
        assert outcome_name(report.outcome) == answer.expected, (seed, report)


@pytest.mark.parametrize("name", OBSERVERS)
def test_junk_meets_a_finding_or_its_own_error(name: str) -> None:
    for label, answer in junk_answers(OBSERVERS[name]):
        outcome = outcome_name(examine(OBSERVERS[name], JUDGES[name], answer, "junk").outcome)
        assert outcome not in ("passed", "could-not-grade"), label


@pytest.mark.parametrize("name", OBSERVERS)
def test_findings_have_names_of_their_own(name: str) -> None:
    names = [kind.name for kind in JUDGES[name].findings]
    assert len(names) == len(set(names))


def test_predict_to_knows_what_the_devices_do() -> None:
    for case in _cases("predict_to"):
        data = case.data
        arguments = dict(data["arguments"])
        x = _one(data["device"], data["dtype"])
        other = [_one(*arguments.pop("other"))] if "other" in arguments else []
        if "dtype" in arguments:
            arguments["dtype"] = getattr(torch, arguments["dtype"])
        y = getattr(x, data["method"])(*other, **arguments)
        seen = describe((str(y.device), str(y.dtype).removeprefix("torch."), y is x))
        assert seen == predict_to_judge.truth(data), case.title


def _one(device: str, dtype: str) -> torch.Tensor:
    return torch.ones(1, device=device, dtype=getattr(torch, dtype))


def test_shares_storage_knows_what_each_step_does() -> None:
    assert STEPS.keys() == shares_storage_judge.KEEPS_STORAGE.keys()
    seen: list[bool] = []

    def really(a: torch.Tensor, b: torch.Tensor) -> bool:
        seen.append(a.untyped_storage()._cdata == b.untyped_storage()._cdata)
        return seen[-1]

    observer, judge = OBSERVERS["tensors.shares_storage"], JUDGES["tensors.shares_storage"]
    for case in _cases("shares_storage"):
        assert judge.judge(case, observer.observe(really, case.data)) is None, case.title
    assert True in seen and False in seen


@pytest.mark.parametrize("name", ["add_on", "cheapest"])
def test_the_needed_copies_are_the_fewest_that_do(name: str) -> None:
    for case in _cases(name):
        operands = [case.data["a"], case.data["b"]]
        for place in {operands[0]["device"], operands[1]["device"]}:
            ways = [
                way
                for moved in itertools.product((False, True), repeat=2)
                if (way := _added(operands, moved, place)) is not None
            ]
            total, copies = min(ways, key=lambda way: sum(count for _, _, count in way[1]))
            assert copies == needed_copies(operands, place), case.title
            assert describe(total) == sum_at(operands, place), case.title


def _added(
    operands: list[Any], moved: tuple[bool, ...], place: str
) -> tuple[torch.Tensor, list[list[Any]]] | None:
    """The sum at `place` and its copies, with some operands moved; None if it does not work."""
    a, b = map(build, operands)
    with count_copies() as copies:
        try:
            total = (a.to(place) if moved[0] else a) + (b.to(place) if moved[1] else b)
        except RuntimeError:
            return None
    return (total, routes(copies.by_route)) if str(total.device) == place else None


def test_read_error_understands_the_messages_of_torch() -> None:
    cpu, gpu = torch.ones(2, 2), torch.ones(2, 2, device="cuda:1")
    linear = torch.nn.Linear(2, 2, device="cuda:1")
    said = {
        _error(lambda: cpu + gpu): (["cuda:1", "cpu"], None, None),
        _error(lambda: gpu @ cpu): (["cpu", "cuda:1"], "mat2", "mm"),
        _error(lambda: linear(cpu)): (["cpu", "cuda:1"], "mat1", "addmm"),
    }
    for message, (devices, argument, operation) in said.items():
        meaning = read_error_judge._meanings()[message]
        assert meaning == {"devices": devices, "argument": argument, "operation": operation}
    assert read_error_judge.OTHER_MESSAGES[0].format(x="cuda:1") == _error(gpu.numpy)


def _error(action: Callable[[], Any]) -> str:
    with pytest.raises((RuntimeError, TypeError)) as caught:
        action()
    return str(caught.value)


@pytest.mark.parametrize(
    ("program", "reading"),
    [
        ("start run stop", 5),  # the launch only: nothing waited
        ("start run synchronize stop", 105),
        ("start run run run synchronize stop", 305),  # launches overlap with the first kernel
        ("run start synchronize stop", 100),  # an old kernel is inside the measurement
        ("run synchronize start run synchronize stop", 105),
        ("run run start run synchronize stop", 295),  # 305 at the end, 10 at the start
        ("start synchronize stop", 0),
        ("start run stop run synchronize", 5),  # what comes after the stop does not count
    ],
)
def test_measured_time_on_examples_worked_by_hand(program: str, reading: int) -> None:
    assert clock_reading(Run(program.split(), launch=5, kernel=100)) == reading


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.exercise_names())
def test_nothing_in_the_package_is_an_answer(name: str) -> None:
    """No function of the observers and judges passes when it is handed in as it is."""
    observer, judge = registry.observer(name), registry.judge(name)
    for package in (course_utils.exercises, course_utils.judging):
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(info.name)
            for label, function in inspect.getmembers(module, inspect.isfunction):
                report = examine(observer, judge, function, "a seed")
                assert not report.passed, f"{info.name}.{label} solves {name}"


def test_right_tables_differ_by_less_than_the_tolerance_allows() -> None:
    """In float64 and in float32, on the largest table that is asked for."""
    n = max(case.data["n"] for case in _cases("positional"))
    d = 16
    position, column = torch.arange(n).unsqueeze(1), torch.arange(0, d, 2)
    single = torch.sin(position / 10000 ** (column / d))
    double = torch.sin(position.double() / 10000 ** (column.double() / d))
    assert (single - double).abs().max() < TOLERANCE / 3
