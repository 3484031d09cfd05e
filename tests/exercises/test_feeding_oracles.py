"""The oracles of topic `feeding` against reality: PyTorch's own loader and workers, the clock.

That the corpus is complete, and that stub, junk and mutants are refused, `course verify` proves
for every exercise.
"""

import random
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import torch
from topic import Topic
from torch.utils.data import DataLoader, Dataset

import virtual_cuda
from course_utils.checking.exercises import exercise
from course_utils.devices import current_lab
from exercise_kit.check import check
from exercise_kit.contract import Case, Raise
from exercise_kit.corpus import load_answer
from exercise_kit.reference import reference
from exercise_kit.runner import Runner

pytestmark = pytest.mark.usefixtures("four_gpus")
TOPIC = Topic("feeding")
_cases = TOPIC.cases


def _virtual_only() -> None:
    if current_lab().kind == "real":
        pytest.skip("the clock is that of virtual GPUs")


def _seen(name: str, source: str, case: Case) -> Any:
    part = exercise(f"feeding.{name}")
    return Runner(part.observer, load_answer(source, part.short, "<answer>"), part.world)(case)


SOURCES: dict[str, Callable[[], float]] = {
    "torch": lambda: torch.randn(()).item(),
    "numpy": lambda: numpy.random.normal(),
    "random": lambda: random.random(),
}


class Draws(Dataset[torch.Tensor]):
    def __init__(self, *sources: str) -> None:
        self.sources = sources

    def __len__(self) -> int:
        return 8

    def __getitem__(self, index: int) -> torch.Tensor:
        return torch.tensor([SOURCES[source]() for source in self.sources]).squeeze()


@pytest.mark.parametrize("source", SOURCES)
def test_a_played_worker_draws_what_a_real_one_draws(source: str) -> None:
    seeds = torch.Generator().manual_seed(7)
    base_seed = torch.empty((), dtype=torch.int64).random_(generator=seeds).item()
    loader = DataLoader(
        Draws(source), batch_size=2, num_workers=2, generator=torch.Generator().manual_seed(7)
    )
    real = [number for batch in loader for number in batch.tolist()]
    play = exercise("feeding.varied_noise").module("observe")
    inputs = {"values": [0.0] * 8, "workers": 2, "used_first": False}
    run = play._Run(Draws(source), inputs, [base_seed])
    assert run.epochs == [[real[0:2] + real[4:6], real[2:4] + real[6:8]]]
    if source == "torch":
        assert [draws[0] for draws in run.drawn] == pytest.approx([real[0], real[2]])


@pytest.mark.slow
def test_invented_noise_without_the_generators_own_numbers_is_no_answer() -> None:
    part = exercise("feeding.varied_noise")
    for case in _cases("varied_noise", seeds=1):
        facts = case.right
        assert facts and part.judge.judge(case, facts) is None
        invented = {**facts, "drawn": [[0.1, 0.2] for _ in facts["drawn"]]}
        with pytest.raises(ValueError, match="seeds of the case"):
            part.judge.judge(case, invented)


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
    check(exercise("feeding.varied_noise"), lambda values: Draws(*SOURCES))
    assert [*seen, draw()] == wanted


@pytest.mark.slow
@pytest.mark.more
def test_the_workers_of_fix_loader_are_real_and_their_error_is_torchs() -> None:
    case = _cases("fix_loader", seeds=1)[0]
    source = exercise("feeding.fix_loader").path / "wrong" / "mean_still_in_the_worker.py"
    seen = _seen("fix_loader", source.read_text("utf-8"), case)
    assert isinstance(seen, Raise)
    first, *frames, last = seen.text.splitlines()
    assert first == "Caught RuntimeError in DataLoader worker process 0."
    assert last.startswith("RuntimeError: Cannot re-initialize CUDA in forked subprocess.")
    assert frames[1:] == [
        '  File "your cell", line 14, in __getitem__',
        "    return self.decode(self.names[index]) - self.mean",
    ]


PLAIN = """
def batches_ahead(loader, device):
    for batch in loader:
        yield [tensor.to(device, non_blocking=True) for tensor in batch]
"""


def test_copying_ahead_is_faster_than_the_plain_loop() -> None:
    _virtual_only()
    place = exercise("feeding.batches_ahead").path
    same_stream = (place / "wrong" / "same_stream.py").read_text("utf-8")
    ends = []
    for source in (reference(place), PLAIN, same_stream):
        batches_ahead = load_answer(source, "batches_ahead", "<answer>")
        batches = [[torch.zeros(512, 1024).pin_memory()] for _ in range(8)]
        with virtual_cuda.trace() as trace:
            for (inputs,) in batches_ahead(batches, torch.device("cuda:0")):
                inputs + inputs
                torch.cuda._sleep(400_000)
                torch.cuda.current_stream().synchronize()
        ends.append(trace.end)
    assert ends[0] < 0.8 * min(ends[1:])


CURES = {
    "too few workers": "workers = 4",
    "workers restarted": "persistent_workers = True",
    "uneven batches": "prefetch_factor = 2",
    "blocking copy": "inputs = batch.to(device, non_blocking=True)",
    "read": "total = total + loss",
}


def test_each_starved_loop_waits_and_its_cure_reaches_the_planned_gap() -> None:
    _virtual_only()
    module = exercise("feeding.starved").module("run")
    seen = set()
    for run in range(1, 16):
        program = module.draw(run)
        seen.add(program.cause)
        as_it_is = module.execute("\n".join(program.lines))
        assert as_it_is["idle"] != program.right["idle"], run
        cured = module.execute(program.changed(program.line, CURES[program.cause]))
        assert cured == program.right, run
    assert seen == set(CURES) == set(module.CAUSES)
