"""train.py of every lesson: it learns on 0 and on 4 devices, repeats itself, and resumes.

What several processes do is in test_ranks.py, what `--gpus freest` does in test_freest.py.
"""

import copy
import difflib
import math
import os
import re
import runpy
import sys
from itertools import pairwise
from typing import Any

import pytest
import torch

from course_utils.errors import CourseError
from course_utils.experiments.project import STAGES, Run, train

from .conftest import PROGRAMS

pytestmark = pytest.mark.slow

PARALLEL = ("07", "09", "10", "11", "12")
CHANCE = 1 / 6
MOST_CHANGED = 45
MORE_CHANGED = {"11": 100, "12": 55}  # one process becomes several; the whole


def losses(run: Run) -> list[float]:
    return [epoch.loss for epoch in run.log]


@pytest.mark.parametrize(
    ("stage", "gpus"),
    [("start", 0), ("12", 1), *((stage, gpus) for stage in STAGES[1:] for gpus in (0, 4))],
)
def test_it_learns(home, stage, gpus, capsys):
    batch = ("--batch", "4") if stage in PARALLEL and gpus else ()
    run = train(stage, *batch, gpus=gpus)
    assert [epoch.epoch for epoch in run.log] == list(range(1, 7))
    assert all(map(math.isfinite, losses(run)))
    assert losses(run)[-1] < losses(run)[0]
    assert run.accuracy > 3 * CHANCE, losses(run)
    right = sum(sample.predicted == sample.target for sample in run.samples) / len(run.samples)
    assert right == pytest.approx(run.accuracy)
    device = "cuda" if gpus else "cpu"
    assert stage == "start" or f"training on {device}" in capsys.readouterr().out


@pytest.mark.parametrize(("old", "new"), list(pairwise(STAGES)))
def test_a_lesson_changes_little(old, new):
    texts = [(PROGRAMS / stage / "train.py").read_text("utf-8") for stage in (old, new)]
    lines = difflib.ndiff(*(text.splitlines() for text in texts))
    changed = [line for line in lines if line[0] in "+-"]
    assert 0 < len(changed) <= MORE_CHANGED.get(new, MOST_CHANGED)


def test_the_same_seed_gives_the_same_numbers(home):
    first, again = (train("09", epochs=1) for _ in range(2))
    other = train("09", "--seed", "1", epochs=1)
    assert losses(first) == losses(again) != losses(other)
    assert first.samples == again.samples


def fingerprint(printed: str) -> str:
    return re.findall(r"fingerprint of the weights: (\w{12})\n", printed)[-1]


@pytest.mark.parametrize(("stage", "gpus"), (("04", 1), ("08", 2)))
def test_repeatable_means_the_same_weights(home, few, stage, gpus, capsys):
    def weights(*arguments: str) -> str:
        train(stage, "--data", str(few), *arguments, gpus=gpus, epochs=1)
        return fingerprint(capsys.readouterr().out)

    first, again = (weights("--repeatable") for _ in range(2))
    assert first == again != weights("--repeatable", "--seed", "1")


def test_repeatable_asks_for_what_pytorch_says(monkeypatch, home, few):
    """In this process, so that its settings can be looked at."""
    monkeypatch.delenv("CUBLAS_WORKSPACE_CONFIG", raising=False)
    monkeypatch.setattr(torch.backends.cudnn, "benchmark", True)
    try:
        use = program("04")["use_repeatable_algorithms"]
        use()
        assert os.environ["CUBLAS_WORKSPACE_CONFIG"] == ":4096:8"
        assert torch.are_deterministic_algorithms_enabled()
        assert not torch.backends.cudnn.benchmark
        monkeypatch.setenv("CUBLAS_WORKSPACE_CONFIG", ":16:8")
        use()
        assert os.environ["CUBLAS_WORKSPACE_CONFIG"] == ":16:8"
    finally:
        torch.use_deterministic_algorithms(False)


def test_the_fingerprint_is_of_every_bit():
    fingerprint, model = program("04")["fingerprint"], torch.nn.Linear(3, 2)
    before = fingerprint(model)
    assert fingerprint(copy.deepcopy(model)) == before
    with torch.no_grad():
        model.bias[1] = torch.nextafter(model.bias[1], torch.tensor(9.0))
    assert fingerprint(model) != before


def program(stage: str) -> dict[str, Any]:
    """The names of a version of train.py, which is not run."""
    return runpy.run_path(str(PROGRAMS / stage / "train.py"))


@pytest.mark.parametrize("stage", ("05", "12"))
def test_a_driver_that_is_too_old_leaves_the_cpu(monkeypatch, capsys, tmp_path, few, stage):
    """NVML counts the cards then, and CUDA does not start. Anything asked of a card would raise."""
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    words = ["--data", str(few), "--out", str(tmp_path), "--epochs", "1"]
    monkeypatch.setattr(sys, "argv", ["train.py", *words])
    runpy.run_path(str(PROGRAMS / stage / "train.py"), run_name="__main__")
    printed = capsys.readouterr().out
    assert "training on cpu\n" in printed and "cuda:0" not in printed and "epoch 1/1" in printed


def test_the_cards_are_those_that_were_asked_for(home, capsys):
    train("05", gpus=4, epochs=1)
    cards = [line.split()[-1] for line in capsys.readouterr().out.splitlines() if "GPU-" in line]
    train("05", "--gpus", "3,1", gpus=4, epochs=1)
    chosen = [line.split()[-1] for line in capsys.readouterr().out.splitlines() if "GPU-" in line]
    assert len(set(cards)) == 4
    assert chosen == [cards[3], cards[1]]


def test_a_card_that_is_not_there_is_refused(home):
    with pytest.raises(CourseError, match=r"--gpus 2,9: not all of these cards are there"):
        train("05", "--gpus", "2,9", gpus=4)


def test_cards_that_were_given_from_outside_are_respected(home):
    with pytest.raises(CourseError, match="cards were given in CUDA_VISIBLE_DEVICES already"):
        train("05", "--gpus", "0")  # without a GPU the variable is set, and empty


def test_a_killed_run_goes_on_as_if_nothing_had_happened(home):
    whole = train("10", epochs=3, out="whole")
    killed = train("10", epochs=3, out="killed", stop_after=1)
    assert len(killed.log) < 3 and killed.samples == []
    resumed = train("10", "--resume", epochs=3, out="killed")
    assert [epoch.epoch for epoch in resumed.log] == [1, 2, 3]
    first, second = (checkpoint(run) for run in (whole, resumed))
    assert first.keys() == second.keys()
    assert losses(whole) == losses(resumed)
    assert all(first[name].equal(second[name]) for name in first)


def test_a_checkpoint_of_four_devices_goes_on_without_one(home):
    train("10", gpus=4, epochs=2, out="moved", stop_after=1)
    moved = train("10", "--resume", epochs=2, out="moved")
    assert [epoch.epoch for epoch in moved.log] == [1, 2]
    assert not any(name.startswith("module.") for name in checkpoint(moved))


def test_nothing_to_resume_is_a_sentence(home):
    with pytest.raises(CourseError, match="to go on from: leave out --resume"):
        train("10", "--resume")


def checkpoint(run: Run) -> dict[str, torch.Tensor]:
    saved = torch.load(run.folder / "checkpoint.pt", map_location="cpu", weights_only=True)
    return saved["model"]
