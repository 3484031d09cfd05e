"""train.py of every lesson: it learns on 0 and on 4 devices, repeats itself, and resumes.

What several processes do is in test_ranks.py, how a run stops and goes on in test_resume.py, what
`--gpus freest` does in test_freest.py.
"""

import copy
import difflib
import math
import os
import re
import runpy
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import torch

import virtual_cuda
from course_utils.errors import CourseError
from lesson_parts.project import STAGES, TrainingRun, _read, train

from .conftest import EPOCHS, PROGRAMS, run_here

pytestmark = pytest.mark.slow

PARALLEL = ("07", "08", "09", "10", "11", "12")
CHANCE = 1 / 6
MOST_CHANGED = 45
MORE_CHANGED = {"10": 70, "11": 110, "12": 55}  # it can stop; it is several; the whole


def losses(run: TrainingRun) -> list[float]:
    return [epoch.loss for epoch in run.log]


@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize(
    ("stage", "gpus"),
    [
        ("start", 0),
        *(("12", gpus) for gpus in (0, 1, 4)),
        *(
            pytest.param(stage, gpus, marks=pytest.mark.full)
            for stage in STAGES[1:-1]
            for gpus in (0, 4)
        ),
    ],
)
def test_it_learns(home, stage, gpus, capsys, monkeypatch, request):
    batch = ("--batch", "4") if stage in PARALLEL and gpus else ()
    if (stage, gpus) == ("12", 4):
        run, printed = request.getfixturevalue("on_four")
    elif (stage, gpus) == ("11", 4):
        run = train(stage, *batch, "--workers", "0", gpus=gpus, epochs=EPOCHS)
        printed = capsys.readouterr().out
    else:
        run = run_at(home, stage, *batch, gpus=gpus, monkeypatch=monkeypatch)
        printed = capsys.readouterr().out
    assert [epoch.epoch for epoch in run.log] == list(range(1, EPOCHS + 1))
    assert all(map(math.isfinite, losses(run)))
    assert losses(run)[-1] < losses(run)[0]
    assert run.accuracy > 3 * CHANCE, losses(run)
    right = sum(sample.predicted == sample.target for sample in run.samples) / len(run.samples)
    assert right == pytest.approx(run.accuracy)
    device = "cuda" if gpus else "cpu"
    assert stage == "start" or f"training on {device}" in printed


def run_at(home: Path, stage: str, *words: str, gpus: int, monkeypatch: Any) -> TrainingRun:
    monkeypatch.chdir(home)
    here = {"quiet": True, "hide_real_gpus": True}
    with virtual_cuda.enabled(gpus, **here) if gpus else nullcontext():
        run_here(stage, *words, "--epochs", str(EPOCHS), monkeypatch=monkeypatch)
    return _read(stage, home, home / "run")


@pytest.mark.parametrize(("old", "new"), list(pairwise(STAGES)))
def test_a_lesson_changes_little(old, new):
    texts = [(PROGRAMS / stage / "train.py").read_text("utf-8") for stage in (old, new)]
    lines = difflib.ndiff(*(text.splitlines() for text in texts))
    changed = [line for line in lines if line[0] in "+-"]
    assert 0 < len(changed) <= MORE_CHANGED.get(new, MOST_CHANGED)


def fingerprint(printed: str) -> str:
    return re.findall(r"fingerprint of the weights: (\w{12})\n", printed)[-1]


@pytest.mark.full
@pytest.mark.parametrize(("stage", "gpus"), (("04", 1), ("09", 2)))
def test_repeatable_means_the_same_weights(home, few, stage, gpus, capsys):
    def weights(*arguments: str) -> str:
        train(stage, "--data", str(few), *arguments, gpus=gpus, epochs=1)
        return fingerprint(capsys.readouterr().out)

    first, again = (weights("--repeatable") for _ in range(2))
    assert first == again != weights("--repeatable", "--seed", "1")


def test_repeatable_asks_for_what_pytorch_says(monkeypatch):
    """In this process, so that its settings can be looked at."""
    monkeypatch.delenv("CUBLAS_WORKSPACE_CONFIG", raising=False)
    use = program("04")["use_repeatable_algorithms"]
    benchmark = torch.backends.cudnn.benchmark
    # torch's own test modules, which other files import, lock these settings.
    with torch.backends.__allow_nonbracketed_mutation():
        torch.backends.cudnn.benchmark = True
        try:
            use()
            assert os.environ["CUBLAS_WORKSPACE_CONFIG"] == ":4096:8"
            assert torch.are_deterministic_algorithms_enabled()
            assert not torch.backends.cudnn.benchmark
            monkeypatch.setenv("CUBLAS_WORKSPACE_CONFIG", ":16:8")
            use()
            assert os.environ["CUBLAS_WORKSPACE_CONFIG"] == ":16:8"
        finally:
            torch.backends.cudnn.benchmark = benchmark
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
    words = ("--data", few, "--out", tmp_path, "--epochs", "1")
    run_here(stage, *words, monkeypatch=monkeypatch)
    printed = capsys.readouterr().out
    assert "training on cpu\n" in printed and "cuda:0" not in printed and "epoch 1/1" in printed


def test_the_cards_are_those_that_were_asked_for(home, few, capsys):
    with virtual_cuda.enabled(4, quiet=True, hide_real_gpus=True):
        cards = [card.uuid for card in virtual_cuda.machine().devices]
    train("05", "--data", str(few), "--gpus", "3,1", gpus=4, epochs=1)
    chosen = [line.split()[-1] for line in capsys.readouterr().out.splitlines() if "GPU-" in line]
    assert len(set(cards)) == 4
    assert chosen == [cards[3], cards[1]]


def test_a_card_that_is_not_there_is_refused(home):
    with pytest.raises(CourseError, match=r"--gpus 2,9: not all of these cards are there"):
        train("05", "--gpus", "2,9", gpus=4)


def test_cards_that_were_given_from_outside_are_respected(home):
    with pytest.raises(CourseError, match="cards were given in CUDA_VISIBLE_DEVICES already"):
        train("05", "--gpus", "0")  # without a GPU the variable is set, and empty


@pytest.mark.full
@pytest.mark.parametrize("stage", ("10", "12"))
def test_a_killed_run_goes_on_as_if_nothing_had_happened(home, stage):
    whole = train(stage, epochs=3, out="whole")
    killed = train(stage, epochs=3, out="killed", stop_after=1)
    assert len(killed.log) < 3 and killed.samples == []
    resumed = train(stage, "--resume", epochs=3, out="killed")
    assert [epoch.epoch for epoch in resumed.log] == [1, 2, 3]
    first, second = (checkpoint(run) for run in (whole, resumed))
    assert first.keys() == second.keys()
    assert losses(whole) == losses(resumed)
    assert all(first[name].equal(second[name]) for name in first)


@pytest.mark.full
def test_a_checkpoint_of_four_devices_goes_on_without_one(home):
    train("10", gpus=4, epochs=2, out="moved", stop_after=1)
    moved = train("10", "--resume", epochs=2, out="moved")
    assert [epoch.epoch for epoch in moved.log] == [1, 2]
    assert not any(name.startswith("module.") for name in checkpoint(moved))


def test_nothing_to_resume_is_a_sentence(home):
    with pytest.raises(CourseError, match="to go on from: leave out --resume"):
        train("10", "--resume")


@pytest.mark.full
def test_a_batch_in_parts_takes_less_memory_and_the_program_shows_it(home, capsys):
    peaks = []
    for parts in ("1", "4"):
        train("08", "--batch", "64", "--accumulate", parts, gpus=1, epochs=2, out=parts)
        peaks.append([int(peak) for peak in re.findall(r"peak (\d+) MiB", capsys.readouterr().out)])
    whole, cut = peaks
    assert len(whole) == len(cut) == 2
    assert max(cut) < min(whole) / 2


def checkpoint(run: TrainingRun) -> dict[str, torch.Tensor]:
    saved = torch.load(run.folder / "checkpoint.pt", map_location="cpu", weights_only=True)
    return saved["model"]
