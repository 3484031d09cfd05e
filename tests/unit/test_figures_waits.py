"""The two lanes of a loop that reads its loss."""

import pytest

from lesson_parts.lesson02.waits import wait_lanes


@pytest.mark.parametrize(
    ("every", "compute", "done", "idle"),
    [
        (0, 50, 330, 30),  # six steps one after the other, once the first is queued
        (6, 50, 330, 30),  # a wait after the last step leaves no gap
        (3, 50, 360, 60),
        (1, 50, 480, 180),  # queued and computed in turn
        (0, 10, 190, 130),  # the program is slower than the GPU
    ],
)
def test_each_wait_leaves_a_gap(every, compute, done, idle):
    alt = wait_lanes(every=every, compute=compute).alt
    assert f"The GPU is done after {done} µs, {idle} µs of them without work" in alt
    assert alt.count("compute a step from") == 6
    assert alt.count("wait in item()") == (6 // every if every else 0)
