"""The oracles of assignment 09 against reality: PyTorch's own loader, workers and messages.

That the corpus is complete, and that stub, junk and mutants are refused, `course verify` proves
for every exercise.
"""

import random
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
import torch
from course_utils.exercises.feeding import OBSERVERS
from course_utils.exercises.feeding.varied_noise import _worker
from course_utils.judging.feeding import (
    JUDGES,
    check_loader,
    epoch_time,
    predict_copy,
    read_worker_error,
)
from course_utils.judging.feeding.epoch_time import Epoch, finished
from torch.utils.data import DataLoader, Dataset

import virtual_cuda
from course_utils.checking.contract import Case
from course_utils.devices import current_lab, lab
from course_utils.experiments.loader_sweep import usable_cpus


@pytest.fixture(scope="module", autouse=True)
def _four_gpus() -> None:
    if current_lab() is None:
        lab(gpus=4)


def _cases(name: str, seeds: int = 10) -> list[Case]:
    judge = JUDGES[f"feeding.{name}"]
    return [case for seed in range(seeds) for case in judge.cases(random.Random(seed))]


def test_observers_and_judges_belong_together() -> None:
    assert list(OBSERVERS) == list(JUDGES)


def test_what_is_refused_is_what_the_loader_refuses_and_nothing_else() -> None:
    for case in _cases("check_loader"):
        problems = check_loader.refused(case.data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                DataLoader(range(4), **case.data["settings"])
                raised = False
            except ValueError:
                raised = True
        assert raised == bool(set(problems) - {check_loader.TOO_MANY}), case.data


def test_the_loader_warns_of_more_workers_than_cpus_and_not_of_as_many() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        DataLoader(range(4), num_workers=usable_cpus())
        with pytest.raises(UserWarning, match="worker processes in total"):
            DataLoader(range(4), num_workers=usable_cpus() + 1)


@pytest.mark.parametrize("workers", [0, 1, 2, 3])
def test_epochs_of_equal_batches_have_a_closed_form(workers: int) -> None:
    for load, compute in ((30, 4), (10, 40)):
        time = finished(Epoch([load] * 12, compute, workers, 2, 100))
        if workers == 0:
            assert time == 12 * (load + compute)
        elif load / workers > compute:
            # All workers load side by side, so that the last ones come together.
            assert 100 + 12 // workers * load + compute <= time
            assert time <= 100 + 12 // workers * load + workers * compute
        else:
            assert time == 100 + load + 12 * compute


def test_the_start_of_workers_can_cost_more_than_they_save() -> None:
    short, long = [30] * 4, [30] * 100
    assert finished(Epoch(short, 10, 2, 2, 500)) > finished(Epoch(short, 10, 0, 2, 500))
    assert finished(Epoch(long, 10, 2, 2, 500)) < finished(Epoch(long, 10, 0, 2, 500))


def test_more_workers_stop_helping_where_training_is_the_slower_side() -> None:
    times = [finished(Epoch([30] * 50, 10, workers, 2, 0)) for workers in (1, 2, 3, 4, 8)]
    assert times == sorted(times, reverse=True)
    assert times[2] == times[3] == times[4] == 30 + 50 * 10


def test_prefetching_takes_up_a_slow_batch() -> None:
    loads = [10] * 8 + [90] + [10] * 8
    times = [finished(Epoch(loads, 20, 1, prefetch, 0)) for prefetch in (1, 2, 4, 8)]
    assert times == sorted(times, reverse=True) and times[0] > times[-1]


def test_the_wrong_numbers_of_a_case_are_explained() -> None:
    for case in _cases("epoch_time", seeds=5):
        epoch = Epoch(**case.data)
        for kind, rival in epoch_time.RIVALS.values():
            told = epoch_time._explain(epoch, rival(epoch))
            assert told is kind or told in epoch_time.EpochTime.findings


def test_predicted_copies_are_those_of_the_clock_of_the_virtual_gpus() -> None:
    if current_lab().kind == "real":
        pytest.skip("the clock is that of virtual GPUs")
    for case in _cases("predict_copy", seeds=3):
        assert predict_copy.outcome(case.data) == _really_copied(case.data), case.data


def _really_copied(data: Any) -> dict[str, Any]:
    x = torch.ones(1 << 20, device=data["source"])
    x = x.pin_memory() if data["pinned"] else x
    torch.cuda.synchronize()
    with virtual_cuda.trace() as trace:
        begun = virtual_cuda.now()
        y = x.to(data["target"], non_blocking=data["non_blocking"])
        held = virtual_cuda.now() - begun
        if y.device.type == "cpu":
            y.sum()
    return {
        "waits": held > 50,
        "device": str(y.device),
        "pinned": y.is_pinned(),
        "risky": bool(trace.hazards),
    }


class Draws(Dataset[torch.Tensor]):
    def __len__(self) -> int:
        return 8

    def __getitem__(self, number: int) -> torch.Tensor:
        import numpy

        return torch.tensor([torch.randn(()).item(), numpy.random.normal(), random.random()])


def test_a_played_worker_draws_what_a_real_one_draws() -> None:
    seeds = torch.Generator().manual_seed(7)
    base_seed = torch.empty((), dtype=torch.int64).random_(generator=seeds).item()
    loader = DataLoader(Draws(), batch_size=2, num_workers=2,
                        generator=torch.Generator().manual_seed(7))
    real = [row.tolist() for batch in loader for row in batch]
    data = {"workers": 2, "values": [0.0] * 8}
    played = {
        number: item["values"]
        for worker in range(2)
        for number, item in _worker(Draws(), data, worker, base_seed)
    }
    assert [played[number] for number in range(8)] == real


def test_a_check_leaves_the_random_numbers_alone() -> None:
    def draw() -> list[float]:
        return [torch.randn(()).item(), torch.randn((), device="cuda:1").item(), random.random()]

    torch.cuda.init()
    torch.manual_seed(3)
    random.seed(3)
    wanted = [draw(), draw()]
    torch.manual_seed(3)
    random.seed(3)
    seen = [draw()]
    case = _cases("varied_noise", seeds=1)[0]
    OBSERVERS["feeding.varied_noise"].observe(lambda values: Draws(), case.data)
    assert [*seen, draw()] == wanted


MESSAGES = """
import pickle, torch
from torch.utils.data import DataLoader
from course_utils import lab
from course_utils.experiments import datasets
gpu = lab(gpus=1)[0]
torch.cuda.init()
def say(make):
    try:
        list(make())
    except Exception as error:
        print("MESSAGE", repr(str(error)))
who = datasets.WhoLoads(4)
say(lambda: DataLoader(datasets.Failing("own mistake"), num_workers=1))
say(lambda: DataLoader(datasets.Failing("cuda"), num_workers=1, multiprocessing_context="fork"))
say(lambda: DataLoader(datasets.Failing("exit"), num_workers=1))
say(lambda: DataLoader(who, prefetch_factor=2))
say(lambda: DataLoader(who, persistent_workers=True))
say(lambda: DataLoader(who, multiprocessing_context="spawn"))
say(lambda: DataLoader(torch.ones(2, 1, device=gpu), pin_memory=True))
say(lambda: [pickle.dumps(datasets.Scaled(2))])
say(lambda: [pickle.dumps(open(torch.__file__, "rb"))])
"""


def test_messages_of_pytorch_have_the_words_of_the_table() -> None:
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", MESSAGES], capture_output=True,
                         text=True, check=True, timeout=120)
    said = [eval(line.removeprefix("MESSAGE ")) for line in ran.stdout.splitlines()
            if line.startswith("MESSAGE")]
    words = ["in DataLoader worker process 0", "Cannot re-initialize CUDA", "exited unexpectedly",
             "num_workers > 0", "num_workers > 0", "num_workers > 0", "cannot pin '", "pickle",
             "pickle"]
    assert len(said) == len(words)
    for message, word in zip(said, words, strict=True):
        assert word in message
    # Apart from the traceback of the wrapper, the vocabulary has them letter by letter.
    known = read_worker_error.meanings()
    for message in said[3:7]:
        assert message.strip().splitlines()[-1] in known


def test_the_vocabulary_agrees_with_the_table_of_the_task() -> None:
    text = (Path(__file__).parents[2] / "assignments" / "text" / "09_feeding.py").read_text("utf-8")
    rows = re.findall(r'^# \| `"([a-z ]+)"` \| (.+?) \|', text.split("## 7.")[1], flags=re.M)
    marks = {cause: re.findall(r"`([^`]+)`", words) for cause, words in rows}
    assert list(marks) == ["cuda", "pin", "memory", "pickle", "settings", "killed", "own code"]
    for message, said in read_worker_error.meanings().items():
        fits = [cause for cause, words in marks.items() if any(w in message for w in words)]
        assert fits[0] == said["cause"], message
    for text in read_worker_error.OTHERS:
        assert not any(word in text for words in marks.values() for word in words)
