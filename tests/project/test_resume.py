"""train.py of lessons 10 to 12 stops when it is told to, and goes on as the run that it was."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import weakref
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import psutil
import pytest
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.optim.optimizer import register_optimizer_step_pre_hook

from .conftest import PROGRAMS, run_here

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

RESUMING = ("10", "11", "12")
BEGUN = 2  # epochs


@pytest.fixture(autouse=True)
def without_gpus(monkeypatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")


@pytest.fixture(scope="module", params=RESUMING)
def whole(request, one_thread, few, tmp_path_factory) -> tuple[str, Path]:
    """A version, and what a run of it left behind."""
    folder = tmp_path_factory.mktemp("begun")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
        words = ("--data", few, "--out", folder, "--workers", "0", "--epochs", str(BEGUN))
        run_here(request.param, *words, monkeypatch=monkeypatch)
    return request.param, folder


@pytest.fixture
def go_on(whole, few, tmp_path, monkeypatch) -> Any:
    """A function that goes on with the run, in a copy of its folder."""
    stage, folder = whole
    shutil.copytree(folder, tmp_path / "out")

    def run(*words: str) -> None:
        always = ("--data", few, "--out", tmp_path / "out", "--workers", "0", "--resume")
        run_here(stage, *always, *words, monkeypatch=monkeypatch)

    return run


def epochs(folder: Path) -> list[int]:
    return [json.loads(line)["epoch"] for line in (folder / "log.jsonl").read_text().splitlines()]


@pytest.fixture
def rates():
    """The learning rates of all steps that have gradients."""
    seen = []

    def note(optimizer: torch.optim.Optimizer, args: Any, kwargs: Any) -> None:
        (group,) = optimizer.param_groups
        if group["params"][0].grad is not None:
            seen.append(group["lr"])

    handle = register_optimizer_step_pre_hook(note)
    yield seen
    handle.remove()


def test_more_epochs_are_trained_as_in_a_run_of_so_many(
    whole, go_on, rates, few, tmp_path, monkeypatch
):
    words = ("--data", few, "--out", tmp_path / "long", "--workers", "0", "--epochs", "5")
    run_here(whole[0], *words, monkeypatch=monkeypatch)
    long = rates.copy()
    rates.clear()
    go_on("--epochs", "5")
    assert rates == long[len(long) * BEGUN // 5 :]
    assert min(rates) > 0 and rates == sorted(rates, reverse=True)


@pytest.mark.parametrize(
    ("name", "was", "given"), (("batch", "16", "8"), ("lr", "0.002", "0.01"), ("seed", "0", "1"))
)
def test_what_makes_it_another_run_is_refused(go_on, capsys, name, was, given):
    with pytest.raises(SystemExit) as end:
        go_on("--epochs", "3", f"--{name}", given)
    assert end.value.code == 2
    sentence = capsys.readouterr().err.splitlines()[-1]
    assert f"checkpoint.pt was made with --{name} {was}, and not {given}: " in sentence
    assert sentence.endswith(f"give --{name} {was}, or begin a new run in another --out")


def test_the_checkpoint_alone_is_enough(go_on, tmp_path):
    for file in (tmp_path / "out").iterdir():
        if file.name != "checkpoint.pt":
            file.unlink()
    go_on("--epochs", "3")
    assert epochs(tmp_path / "out") == [1, 2, 3]


# ---------------------------------------------------------------- SIGTERM

TORCHRUN = ("-m", "torch.distributed.run", "--standalone", "--local-addr=127.0.0.1")
TWO_GPUS = {"VIRTUAL_CUDA": "2", "VIRTUAL_CUDA_HIDE_REAL_GPUS": "1"}


def all_of(process: subprocess.Popen[str]) -> None:
    os.killpg(process.pid, signal.SIGTERM)


def all_while_it_loads(process: subprocess.Popen[str]) -> None:
    """The worker that loads the tests stays; the other one is there while an epoch is trained."""
    while process.poll() is None and len(psutil.Process(process.pid).children()) < 2:
        time.sleep(0.01)
    all_of(process)


def rank_1(process: subprocess.Popen[str]) -> None:
    children = psutil.Process(process.pid).children()
    (rank,) = (child for child in children if child.environ().get("RANK") == "1")
    rank.terminate()


@pytest.mark.parametrize(
    ("stage", "launcher", "variables", "stop", "code"),
    (
        ("10", (), {}, all_while_it_loads, 128 + signal.SIGTERM),
        ("11", (*TORCHRUN, "--nproc-per-node=2"), {}, rank_1, 1),  # 1 is torchrun's own
        ("12", (), TWO_GPUS, all_of, 128 + signal.SIGTERM),
    ),
    ids=("alone", "one of two ranks", "its own launcher"),
)
def test_a_run_that_is_told_to_stop_saves_its_epoch_and_can_go_on(
    few, tmp_path, monkeypatch, stage, launcher, variables, stop, code
):
    words = ("--data", few, "--out", tmp_path, "--batch", "4", "--workers", "1")
    env = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1", **variables}
    if variables:
        del env["CUDA_VISIBLE_DEVICES"]
    process = subprocess.Popen(
        [sys.executable, *launcher, PROGRAMS / stage / "train.py", *words, "--epochs", "60"],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    lines = []
    with process:
        for line in process.stdout or ():
            lines.append(line)
            if line.startswith("epoch 1/"):
                stop(process)
    assert process.returncode == code, lines
    done = torch.load(tmp_path / "checkpoint.pt", "cpu", weights_only=True)["epoch"]
    assert [line for line in lines if line.startswith("epoch ")][-1].startswith(f"epoch {done}/")
    assert f"stopped by SIGTERM: epoch {done} is saved; go on with --resume\n" in lines
    run_here(stage, *words, "--resume", "--epochs", str(done + 1), monkeypatch=monkeypatch)
    assert epochs(tmp_path) == list(range(1, done + 2))


@pytest.mark.parametrize("fails", (False, True))
@pytest.mark.parametrize("stage", ("11", "12"))
def test_the_process_group_ends_after_the_model_also_by_an_error(
    few, tmp_path, monkeypatch, stage, fails
):
    models = weakref.WeakSet()
    left = []
    destroy = dist.destroy_process_group

    class Noted(DistributedDataParallel):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            models.add(self)

        def forward(self, batch: torch.Tensor) -> torch.Tensor:
            assert len(models) == 1
            if fails:
                raise ValueError("made to fail")
            return super().forward(batch)

    def note() -> None:
        left.append(len(models))
        destroy()

    launched = {"TORCHELASTIC_RUN_ID": "1", "RANK": "0", "LOCAL_RANK": "0", "WORLD_SIZE": "1"}
    for name, value in {**launched, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "0"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(torch.nn.parallel, "DistributedDataParallel", Noted)
    monkeypatch.setattr(dist, "destroy_process_group", note)
    words = ("--data", few, "--out", tmp_path, "--workers", "0", "--epochs", "1")
    try:
        with pytest.raises(ValueError, match="made to fail") if fails else nullcontext():
            run_here(stage, *words, monkeypatch=monkeypatch)
        assert left == [0] and not dist.is_initialized()
    finally:
        if dist.is_initialized():
            destroy()
