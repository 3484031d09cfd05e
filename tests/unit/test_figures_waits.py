"""The two lanes of a loop that reads its loss: a model's, and a learner's."""

import pytest

from lesson_parts.lesson02.waits import wait_lanes
from tests.fresh import fresh


@pytest.mark.parametrize(
    ("every", "done", "idle"),
    [
        (0, 330, 30),  # six steps one after the other, once the first is queued
        (6, 330, 30),  # a wait after the last step leaves no gap
        (3, 360, 60),
        (1, 480, 180),  # queued and computed in turn
    ],
)
def test_each_wait_leaves_a_gap(every, done, idle):
    alt = wait_lanes(every=every).alt
    assert f"The GPU is done after {done} µs, {idle} µs of them without work" in alt
    assert alt.count("compute a step from") == 6
    assert alt.count("wait in item()") == (6 // every if every else 0)


LOOPS = """
from course_utils import lab
from lesson_parts.lesson02 import loop_lanes
lab(gpus=1)

def in_every_step(batches, weight):
    return sum((batch @ weight).square().mean().item() for batch in batches)

def once(batches, weight):
    return sum((batch @ weight).square().mean() for batch in batches).item()

def never(batches, weight):
    return sum((batch @ weight).square().mean() for batch in batches)

for loop in (in_every_step, once, never, lambda batches, weight: None):
    print(loop_lanes(loop))
"""


@pytest.mark.slow
def test_the_lanes_of_a_loop_are_drawn_from_what_ran():
    _, *told = fresh(LOOPS).splitlines()
    assert [alt.count("wait from") for alt in told] == [4, 1, 1, 0]
    assert [alt.count("compute from") for alt in told] == [4, 1, 1, 0]
    assert [alt.count("queue work from") for alt in told] == [4, 1, 1, 0]
    gaps = ["no work for 0 of" not in alt for alt in told]
    assert gaps == [True, False, False, False]
    assert all(alt.startswith("Modelled timeline in µs") for alt in told)
