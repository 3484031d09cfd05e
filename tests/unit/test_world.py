"""What surrounds an answer in this course: torch."""

import os
import random

import numpy
import pytest
import torch

from course_utils.checking import world
from exercise_kit.observers import OneCall


class ElsewhereCall(OneCall):
    """Of an answer that is run in processes of its own."""

    in_processes = True


@pytest.mark.parametrize(("observer", "loads"), [(OneCall(), 1), (ElsewhereCall(), 0)])
def test_what_torch_loads_late_is_loaded_where_the_answer_runs(observer, loads, monkeypatch):
    """It takes seconds of the first check in a notebook."""
    loaded: list[int] = []
    monkeypatch.setattr(world, "load_lazy_parts", lambda: loaded.append(1))
    world.TorchWorld().ready(observer)
    assert len(loaded) == loads


def switched_by_an_answer(tmp_path):
    torch.set_default_dtype(torch.float64)
    torch.set_grad_enabled(False)
    torch.set_default_device("meta")
    os.environ["LEFT_BY_AN_ANSWER"] = "1"
    os.chdir(tmp_path)


def settings():
    return (
        torch.get_default_dtype(),
        torch.is_grad_enabled(),
        torch.get_default_device(),
        "LEFT_BY_AN_ANSWER" in os.environ,
        os.getcwd(),
    )


@pytest.mark.parametrize("at_grading", [False, True])
def test_what_an_answer_switches_is_put_back(at_grading, tmp_path):
    surroundings, before = world.TorchWorld(), settings()
    surroundings.remembered = surroundings.intact() if at_grading else None
    with surroundings.unswitched() as left:
        switched_by_an_answer(tmp_path)
    assert settings() == before
    assert len(left) == 3


def test_what_no_answer_switched_is_not_set_again(monkeypatch):
    called = []
    for owner, name in ((torch, "set_default_dtype"), (torch, "set_grad_enabled")):
        monkeypatch.setattr(owner, name, called.append)
    with world.TorchWorld().unswitched() as left:
        pass
    assert called == left == []


@pytest.mark.parametrize("at_grading", [False, True])
def test_random_numbers_go_on_only_where_nobody_uses_them(at_grading):
    """A learner's next cell must draw what it would draw without a check."""

    def drawn():
        return random.random(), numpy.random.rand(), torch.rand(1).item()

    surroundings = world.TorchWorld()
    surroundings.remembered = surroundings.intact() if at_grading else None
    states = random.getstate(), numpy.random.get_state(), torch.get_rng_state()
    with surroundings.unswitched():
        first = drawn()
    second = drawn()
    assert all(a != b for a, b in zip(first, second, strict=True)) == at_grading
    assert (first == second) != at_grading
    random.setstate(states[0])
    numpy.random.set_state(states[1])
    torch.set_rng_state(states[2])
