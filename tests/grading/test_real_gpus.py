"""Grading on real GPUs as far as a computer without them shows it. `make real-gpu` has the rest."""

import subprocess
import sys

import pytest
from courses import ROOT, SEED, references

from course_grading.executor import JudgeProcessFault
from course_grading.run.course import NbgraderCourse, ReleasedAssignment
from course_grading.run.digests import grading_digest
from course_grading.sandbox import gpus
from course_utils.errors import CourseError

ASSIGNMENT = "02_tensors"
FOUND = len(gpus.cards())

pytestmark = [
    pytest.mark.skipif(FOUND >= gpus.NEEDED, reason="this computer has GPUs: see `make real-gpu`"),
    pytest.mark.slow,
]


@pytest.fixture
def cards_of_a_broken_driver(monkeypatch):
    """Their nodes are there, and CUDA finds none."""
    monkeypatch.setattr(gpus, "cards", lambda: ["/dev/null"] * gpus.NEEDED)


@pytest.fixture
def course(release, tmp_path):
    made = release(tmp_path / "course", ASSIGNMENT)
    made.hand_in("ada", references(ASSIGNMENT))
    return made


@pytest.mark.more
def test_without_cards_it_says_so_and_grades_on_virtual_ones(course):
    report, said = course.grade_saying(real=True)
    assert f"This computer has {FOUND} real GPUs, and a lesson needs 4." in said
    assert "real" not in report.gpus
    assert "tensors.move_batch" in report.gpus["virtual"]
    assert "tensors.train_epoch" in report.gpus[""]  # a part of a program, with its own machines
    page = (course.root / "reports" / ASSIGNMENT / f"{ASSIGNMENT}.html").read_text()
    assert "On virtual GPUs" in page and "On real GPUs" not in page


@pytest.mark.usefixtures("cards_of_a_broken_driver")
def test_cards_that_cannot_be_used_are_no_virtual_ones_in_silence(course):
    with pytest.raises(JudgeProcessFault, match="finds 0 GPUs in the sandbox"):
        course.grade(real=True)
    assert course.rows() == []


def test_a_cluster_grades_on_virtual_ones_only(course):
    with pytest.raises(CourseError, match="Leave out --scheduler or --devices real"):
        course.grade(real=True, scheduler="tcp://10.0.0.1:8786")


def test_grades_of_real_ones_are_no_grades_of_virtual_ones(course):
    released = ReleasedAssignment.of(NbgraderCourse.open(course.root), ASSIGNMENT)
    assert grading_digest(released, SEED, real=True) != grading_digest(released, SEED)


@pytest.mark.more
def test_nothing_of_cuda_starts_before_the_fork():
    program = """
from unittest import mock
import torch, virtual_cuda
from course_grading.worker.preload import load_observers, preload, use_real_gpus
from course_utils.devices import current_lab

with mock.patch("torch.cuda.device_count", side_effect=AssertionError("the driver was asked")):
    load_observers(["tensors.train_epoch"])
    preload(real=True)
assert not torch.cuda.is_initialized() and not virtual_cuda.is_enabled() and current_lab() is None
with mock.patch("torch.cuda.device_count", return_value=4):
    use_real_gpus()
assert not torch.cuda.is_initialized() and not virtual_cuda.is_enabled()
print(current_lab())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout == "4 real GPUs (cuda:0 … cuda:3).\n", done.stderr
