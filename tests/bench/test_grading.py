"""`make bench` can measure a class: its assignment is made, graded both ways, and reported."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.more


def test_a_class_of_four_is_measured_both_ways():
    bench = [sys.executable, "-m", "tests.bench.grading", "4"]
    printed = subprocess.run(bench, check=True, capture_output=True, text=True).stdout
    for row in ("nbgrader as it comes", "ours, sandboxed, 2 workers", "the coordinator alone"):
        assert row in printed
