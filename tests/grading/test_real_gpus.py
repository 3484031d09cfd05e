"""Grading in both worlds. Virtual GPUs of another kind, with planted faults, play the real ones.

The played computer stands behind the interface of the real one: a process that starts CUDA.
"""

import subprocess
import sys

import pytest
from courses import ROOT, full_points, references

from course_utils.checking import real_gpu
from course_utils.errors import CourseError
from course_utils.experiments import children
from tests.grading.known_class import classmates, expected, met, texts
from tests.unit.test_real_gpu import GREW, NOTED, OTHER, PLAYED, RAISES, ROUNDED, STARTS

ASSIGNMENT = "02_tensors"
FULL = full_points(ASSIGNMENT)
CARD = '["RTX 4060 Laptop"]'
KIND = "(Virtual GeForce RTX 4060 Laptop GPU)"
GONE = """
import mmap
gone = mmap.mmap(-1, 1)
def faulty(self, case, *_):
    gone[0] = 1
    raise SystemExit
def init():
    if gone[0]:
        raise RuntimeError("CUDA error: GPU is lost")
    start()
start, torch.cuda.init, Runner.__call__ = torch.cuda.init, init, faulty
"""
WRONG = """

_right = move_batch


def move_batch(batch, device):
    return {}
"""
IGNORES_THE_DEVICE = '_right(batch, torch.device("cuda:0"))'  # right, if there is one GPU only
ONLY_THERE = '_right(batch, device) if "4060" in torch.cuda.get_device_name() else batch'
RIGHT = references(ASSIGNMENT)
ANSWERS = {
    "ada": RIGHT,
    "ben": RIGHT | {"move_batch": RIGHT["move_batch"] + WRONG.format(IGNORES_THE_DEVICE)},
    "cleo": RIGHT | {"move_batch": RIGHT["move_batch"] + WRONG.format(ONLY_THERE)},
}
ZERO = FULL | {"move_batch": 0}
HELD = FULL | {"move_batch": None}

pytestmark = pytest.mark.slow


@pytest.fixture
def course(release, tmp_path):
    return release(tmp_path / "course", ASSIGNMENT)


@pytest.fixture
def played(monkeypatch):
    """Plants faults in the played world of so many GPUs."""

    def plant(planted="", gpus=1, chosen=None):
        imports = "import json\nfrom exercise_kit.contract import Raise\n"
        setup = PLAYED.replace(CARD, f"{CARD} * {gpus}") + imports + planted
        monkeypatch.setattr(real_gpu, "COMPUTER", real_gpu.Computer(setup))
        monkeypatch.setattr(children, "VISIBLE", chosen)

    return plant


def graded(course):
    """Grade the class in both worlds. Returns the report, and the page with it."""
    for student, answers in ANSWERS.items():
        course.hand_in(student, answers)
    report = course.grade(real=True)
    page = (course.root / "reports" / ASSIGNMENT / f"{ASSIGNMENT}.html").read_text()
    assert course.points("ben")["move_batch"] == 0
    return report, page


@pytest.mark.parametrize(
    ("gpus", "cases"),
    [
        (1, "11 of them on 1 real GPU"),
        pytest.param(2, "13 of them on 2 real GPUs", marks=pytest.mark.more),
    ],
)
def test_the_cases_that_fit_run_in_both_worlds(course, played, gpus, cases):
    played(gpus=gpus)
    report, page = graded(course)
    assert not course.grade(dry_run=True).unchanged  # these are no grades of virtual GPUs alone
    assert f"13 cases on virtual GPUs, {cases} {KIND} as well." in page
    assert "1 case on virtual GPUs, none of them on " in page and "compared" not in page
    assert course.points("ada") == FULL and course.points("cleo") == HELD
    assert [each.student for each in report.held] == ["cleo"]
    assert f" real GPU{'s' * (gpus - 1)} {KIND}, with (tensor" in page
    assert "on virtual GPUs it gets (tensor" in page


@pytest.mark.parametrize(
    "planted",
    [pytest.param(ROUNDED, marks=pytest.mark.more), OTHER],
    ids=["rounding", "message"],
)
def test_what_passes_in_one_world_only_is_held(course, played, planted):
    played(NOTED.format(planted))
    report, page = graded(course)
    held = {v.exercise.partition(".")[2]: v for g in report.held for v in g.held}
    assert course.points("ada") == FULL | dict.fromkeys(held) and "move_batch" in held
    assert "passes on virtual GPUs, with" in page and f"on 1 real GPU {KIND} it gets" in page
    for text in (verdict.text for verdict in held.values()):
        assert text.startswith("? Not graded yet. Virtual and real GPUs gave different results")
        assert "not your fault" in text and "case" not in text


@pytest.mark.parametrize(
    ("planted", "chosen", "why"),
    [
        (NOTED.format(GREW), None, "CUDA out of memory"),
        (GONE, None, "GPU is lost"),
        *(
            pytest.param(*each, marks=pytest.mark.more)
            for each in [
                (RAISES, None, "the process of the answer ended"),
                (STARTS.format("The NVIDIA driver on your system is too old"), None, "is too old"),
                (
                    STARTS.format("CUDA-capable device(s) is/are busy"),
                    None,
                    "device(s) is/are busy",
                ),
                ("", "", "No CUDA GPUs are available"),
            ]
        ),
    ],
    ids=["memory", "vanished", "ends", "driver", "busy", "none chosen"],
)
def test_a_fault_of_the_real_world_is_a_line_in_the_report(course, played, planted, chosen, why):
    played(planted, chosen=chosen)
    report, page = graded(course)
    assert course.points("ada") == FULL and course.points("cleo") == ZERO and not report.held
    assert "3 answers not compared there; the first: " in page and why in page
    assert "real" not in "".join(v.text for g in report.graded for v in g.verdicts)


@pytest.mark.full
@pytest.mark.parametrize("gpus", [1, 2])
def test_a_class_of_thirty(course, played, gpus):
    """With one GPU, two judges share it. Nobody is held, and the report has the seconds."""
    played(gpus=gpus)
    known = dict(list(classmates(ASSIGNMENT, None, None))[:30])
    for student, answers in known.items():
        course.hand_in(student, texts(ASSIGNMENT, answers))
    spent = []
    for real in (False, True):
        report = course.grade(real=real, workers=2)
        spent.append((report.wall, report.spent))
        assert not report.held
        for each in report.graded:
            assert met(each) == expected(ASSIGNMENT, known[each.student])
    print(spent)


def test_a_cluster_grades_on_virtual_ones_only(course):
    course.hand_in("ada", RIGHT)
    with pytest.raises(CourseError, match="Leave out --scheduler or --devices real"):
        course.grade(real=True, scheduler="tcp://10.0.0.1:8786")


@pytest.mark.more
def test_nothing_of_cuda_starts_before_the_fork():
    program = """
from unittest import mock
import torch, virtual_cuda
from course_grading.worker.preload import load_observers, preload

with mock.patch("torch.cuda.device_count", side_effect=AssertionError("the driver was asked")):
    load_observers(["tensors.move_batch"])
    preload(real="")
assert not torch.cuda.is_initialized() and not virtual_cuda.is_enabled()
"""
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)
