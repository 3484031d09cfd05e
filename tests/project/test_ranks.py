"""train.py of lessons 11 and 12: several processes, a full disk, another machine."""

import json
import math
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

import virtual_cuda
import warm_python
from course_utils.errors import CourseError
from course_utils.experiments.fork_server import LAUNCHER
from exercise_kit.programs.launcher import Running
from lesson_parts import project
from lesson_parts.project import TrainingRun, train

from .conftest import EPOCHS, PROGRAMS, SMALL_STEPS, run_here

pytestmark = pytest.mark.slow

LR = 0.002


def losses(run: TrainingRun) -> list[float]:
    return [epoch.loss for epoch in run.log]


def checkpoint(folder: Path) -> dict[str, Any]:
    return torch.load(folder / "checkpoint.pt", map_location="cpu", weights_only=True)


def predictions(run: TrainingRun) -> dict[str, str]:
    return json.loads((run.folder / "predictions.json").read_text())


def script(home: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run version 12 by itself, as one would in a terminal."""
    program = home / "12" / "train.py"
    return warm_python.run(program, *words, cwd=home, imported=("torch._dynamo",))


def test_shares_that_are_not_even_leave_the_accuracy(home, on_four):
    """One process, which loads the model, agrees on each picture."""
    run, printed = on_four
    assert "processes: 4\n" in printed and printed.count("epoch 2/4") == 1  # one rank speaks
    assert len(run.samples) % 4
    done = script(home, "--out", run.folder, "--predict", "shapes/test")
    assert done.returncode == 0, done.stderr
    assert dict(line.split(": ") for line in done.stdout.splitlines()) == predictions(run)


def test_gradients_are_exchanged_once_for_all_parts():
    names = runpy.run_path(str(PROGRAMS / "11" / "train.py"))
    exchanges = []

    def count(state: None, bucket: dist.GradBucket) -> torch.futures.Future[torch.Tensor]:
        exchanges.append(bucket.index())
        future = torch.futures.Future()
        future.set_result(bucket.buffer())
        return future

    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    try:
        torch.manual_seed(0)
        alone = nn.Linear(3, 2)
        inner = nn.Linear(3, 2)
        inner.load_state_dict(alone.state_dict())
        model = DistributedDataParallel(inner)
        model.register_comm_hook(None, count)
        batches = [(torch.randn(8, 3), torch.randint(2, (8,))) for _ in range(3)]
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        loss = names["train_epoch"](model, batches, optimizer, torch.device("cpu"), 4)
        del model  # freed after its group, gloo may hang: pytorch/pytorch#56297
    finally:
        dist.destroy_process_group()
    assert len(exchanges) == len(batches)
    optimizer = torch.optim.SGD(alone.parameters(), lr=0.1)
    assert loss == pytest.approx(names["train_epoch"](alone, batches, optimizer, "cpu", 1).item())
    assert torch.allclose(inner.weight, alone.weight, atol=1e-6)


def test_forked_ranks_give_what_torchrun_gives(home, few, monkeypatch):
    options = ("--data", str(few), "--workers", "0", "--batch", "4")
    forked = train("12", *options, gpus=2, epochs=2, out="forked")
    weights = checkpoint(forked.folder)["model"]
    monkeypatch.setattr(LAUNCHER, "parent", lambda env: None)
    new = train("12", *options, gpus=2, epochs=2, out="new")
    assert losses(forked) == losses(new)
    assert predictions(forked) == predictions(new)
    again = checkpoint(new.folder)["model"]
    assert [*weights] == [*again]
    assert all(torch.equal(weights[name], again[name]) for name in weights)


def test_killed_on_four_and_gone_on_with_anywhere(home, on_four, monkeypatch):
    whole, _ = on_four
    ended = []

    def end(process: Running) -> None:
        ended.extend(ranks_in(home))
        kill(process)

    kill = project.end_family
    monkeypatch.setattr(project, "end_family", end)
    train("12", *SMALL_STEPS, gpus=4, epochs=EPOCHS, out="killed", stop_after=1)
    folder = home / "runs" / "killed"
    assert len(ended) >= 4
    assert not ranks_in(home)
    saved = (folder / "checkpoint.pt").read_bytes()
    done = checkpoint(folder)["epoch"]
    assert done < EPOCHS

    again = train("12", "--resume", *SMALL_STEPS, gpus=4, epochs=EPOCHS, out="killed")
    # Not to the last bit: after the first step of a process DDP orders the gradients anew, as they
    # came, and where a gradient stands decides in which order gloo adds up more than two ranks.
    assert losses(again) == pytest.approx(losses(whole), rel=1e-3)
    assert again.accuracy == pytest.approx(whole.accuracy, abs=0.05)
    assert not any(name.startswith("module.") for name in checkpoint(folder)["model"])

    (folder / "checkpoint.pt").write_bytes(saved)
    moved = train("12", "--resume", *SMALL_STEPS, epochs=EPOCHS, out="killed", stop_after=done + 1)
    assert [epoch.epoch for epoch in moved.log][: done + 1] == list(range(1, done + 2))
    state = checkpoint(folder)
    passed = state["epoch"] / EPOCHS
    wanted = LR * (1 + math.cos(math.pi * passed)) / 2  # of one device, on its way to zero
    assert state["optimizer"]["param_groups"][0]["lr"] == pytest.approx(wanted, abs=1e-9)


def ranks_in(home: Path) -> list[psutil.Process]:
    """The processes that train in a project's folder."""
    found = psutil.process_iter(["cwd", "status"])
    alive = [one for one in found if one.info["status"] != psutil.STATUS_ZOMBIE]
    return [one for one in alive if one.info["cwd"] == str(home)]


def test_it_starts_its_own_processes_where_that_pays(home, few, capsys):
    options = ("--data", str(few), "--workers", "0", "--gpus", "freest:2")
    train("12", *options, "--batch", "4", gpus=3, epochs=1)
    assert "processes: 2\n" in capsys.readouterr().out
    train("12", *options, "--batch", "8", gpus=3, epochs=1)
    printed = capsys.readouterr().out
    assert "one process: 2 GPUs would leave only 7 steps in an epoch\n" in printed
    assert "processes: 1\n" in printed


@pytest.mark.parametrize(
    ("ranks", "words", "sentence"),
    (
        (2, (), "--nproc-per-node is more than the number of GPUs, which is 1"),
        (1, ("--gpus", "freest"), "every process would choose cards: do it before"),
    ),
)
def test_what_torchrun_cannot_do_is_a_sentence(few, monkeypatch, capsys, ranks, words, sentence):
    """In the last of its processes."""
    rank = str(ranks - 1)
    launched = {"TORCHELASTIC_RUN_ID": "1", "RANK": rank, "LOCAL_RANK": rank}
    for name, value in {**launched, "WORLD_SIZE": str(ranks)}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    with virtual_cuda.enabled(1, quiet=True, hide_real_gpus=True), pytest.raises(SystemExit) as end:
        run_here("11", *words, "--data", few, monkeypatch=monkeypatch)
    assert end.value.code == 2
    assert f"train.py: error: {sentence}" in capsys.readouterr().err


def test_a_full_disk_leaves_the_checkpoint_and_says_so(home, few, tmp_path):
    words = ("--data", few, "--out", tmp_path / "out", "--workers", "0", "--epochs")
    assert script(home, *words, "1").returncode == 0
    saved = (tmp_path / "out" / "checkpoint.pt").read_bytes()
    full = ["bash", "-c", 'ulimit -f 64; exec "$@"', "bash", sys.executable]
    command = [*full, home / "12" / "train.py", *words, "3", "--resume"]
    done = subprocess.run(command, cwd=home, capture_output=True, text=True)
    assert done.returncode == 1
    (sentence,) = done.stderr.splitlines()
    assert sentence.startswith("[Errno 27] File too large")
    assert sentence.endswith("the last checkpoint is whole; make room and go on with --resume")
    assert (tmp_path / "out" / "checkpoint.pt").read_bytes() == saved
    done = script(home, *words, "3", "--resume")
    assert done.returncode == 0 and "epoch 2/3" in done.stdout


def test_a_full_disk_ends_all_processes(home, few):
    """Rank 0 alone writes. That it fails is said by `train`, in spite of the launcher's report."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, before[1]))
    try:
        with pytest.raises(CourseError, match=r"File too large: the last checkpoint is whole"):
            train("12", "--data", str(few), "--workers", "0", gpus=2, epochs=1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_one_command_begins_a_run_and_goes_on_with_it(home, few):
    words = ("--data", few, "--workers", "0", "--resume", "--epochs")
    begun = script(home, *words, "1")
    assert begun.returncode == 0 and "epoch 1/1" in begun.stdout, begun.stderr
    gone_on = script(home, *words, "2")
    assert gone_on.returncode == 0 and "epoch 2/2" in gone_on.stdout, gone_on.stderr
    assert "epoch 1/2" not in gone_on.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    (
        (("--predict", "nowhere"), "there are no pictures in nowhere"),
        (("--predict", "shapes/test"), "run/checkpoint.pt: train first"),
        (("--data", r"C:\shapes"), r"there are no pictures in C:\shapes/train: run `course shapes"),
    ),
)
def test_what_is_not_there_is_a_sentence(home, words, sentence):
    done = script(home, *words)
    assert done.returncode == 2
    assert sentence in done.stderr.splitlines()[-1]
