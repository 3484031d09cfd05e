"""train.py of every lesson: it learns on 0 and on 4 devices, repeats itself, and resumes."""

import difflib
import math
from itertools import pairwise

import pytest
import torch

from course_utils.errors import CourseError
from course_utils.experiments.project import STAGES, Run, train

from .conftest import PROGRAMS

pytestmark = pytest.mark.slow

PARALLEL = ("07", "09", "10")
CHANCE = 1 / 6
MOST_CHANGED = 45


def losses(run: Run) -> list[float]:
    return [epoch.loss for epoch in run.log]


@pytest.mark.parametrize(
    ("stage", "gpus"), [("start", 0), *((stage, gpus) for stage in STAGES[1:] for gpus in (0, 4))]
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
    assert stage == "start" or f"training on {device}\n" in capsys.readouterr().out


@pytest.mark.parametrize(("old", "new"), list(pairwise(STAGES)))
def test_a_lesson_changes_little(old, new):
    texts = [(PROGRAMS / stage / "train.py").read_text("utf-8") for stage in (old, new)]
    lines = difflib.ndiff(*(text.splitlines() for text in texts))
    changed = [line for line in lines if line[0] in "+-"]
    assert 0 < len(changed) <= MOST_CHANGED


def test_the_same_seed_gives_the_same_numbers(home):
    first, again = (train("09", epochs=1) for _ in range(2))
    other = train("09", "--seed", "1", epochs=1)
    assert losses(first) == losses(again) != losses(other)
    assert first.samples == again.samples


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
