"""The oracles of topic `feeding` against reality: PyTorch's own loader and workers, the clock.

That the corpus is complete, and that stub, junk and mutants are refused, `course verify` proves
for every exercise.
"""

import random
from typing import Any

import pytest
import torch
from topic import Topic
from torch.utils.data import DataLoader, Dataset

import virtual_cuda
from course_utils.authoring.corpus import known_answers, load_answer
from course_utils.checking.beside import Beside
from course_utils.checking.contract import Case, Raise
from course_utils.checking.exercises import exercise
from course_utils.checking.reference import reference
from course_utils.devices import current_lab

pytestmark = pytest.mark.usefixtures("four_gpus")
TOPIC = Topic("feeding")
_cases = TOPIC.cases


def _virtual_only() -> None:
    if current_lab().kind == "real":
        pytest.skip("the clock is that of virtual GPUs")


def _seen(name: str, source: str, case: Case) -> Any:
    part = exercise(f"feeding.{name}")
    return Beside(part.observer, load_answer(source, part.short, "<answer>"))(case)


@pytest.mark.slow
def test_every_seed_has_settings_that_tell_the_rivals_apart() -> None:
    assert len(_cases("best_settings", seeds=100)) == 100 * 12


class Draws(Dataset[torch.Tensor]):
    def __len__(self) -> int:
        return 8

    def __getitem__(self, index: int) -> torch.Tensor:
        import numpy

        return torch.tensor([torch.randn(()).item(), numpy.random.normal(), random.random()])


def test_a_played_worker_draws_what_a_real_one_draws() -> None:
    seeds = torch.Generator().manual_seed(7)
    base_seed = torch.empty((), dtype=torch.int64).random_(generator=seeds).item()
    loader = DataLoader(
        Draws(), batch_size=2, num_workers=2, generator=torch.Generator().manual_seed(7)
    )
    real = [row.tolist() for batch in loader for row in batch]
    play = exercise("feeding.varied_noise").module("observe")
    drawn: list[list[float]] = []
    with play._random_states_kept():
        played = {
            number: item["values"]
            for worker in range(2)
            for number, item in play._worker(Draws(), 8, 2, worker, base_seed, drawn)
        }
    assert [played[number] for number in range(8)] == real
    assert [draws[0] for draws in drawn] == pytest.approx([real[0][0], real[2][0]])


def test_invented_noise_without_the_generators_own_numbers_is_no_answer() -> None:
    part = exercise("feeding.varied_noise")
    case = _cases("varied_noise", seeds=1)[0]
    facts = _seen("varied_noise", reference(part.path), case)
    assert part.judge.judge(case, facts) is None
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
    case = _cases("varied_noise", seeds=1)[0]
    exercise("feeding.varied_noise").observer.observe(lambda values: Draws(), case.data)
    assert [*seen, draw()] == wanted


def test_the_workers_of_mend_loader_are_real_and_their_error_is_torchs() -> None:
    case = _cases("mend_loader", seeds=1)[0]
    source = exercise("feeding.mend_loader").path / "wrong" / "mean_still_in_the_worker.py"
    seen = _seen("mend_loader", source.read_text("utf-8"), case)
    assert isinstance(seen, Raise)
    first, *frames, last = seen.text.splitlines()
    assert first == "Caught RuntimeError in DataLoader worker process 0."
    assert last.startswith("RuntimeError: Cannot re-initialize CUDA in forked subprocess.")
    assert frames[1:] == [
        '  File "your cell", line 14, in __getitem__',
        "    return self.decode(self.names[index]) - self.mean",
    ]


PLAIN = """
def prefetch(loader, device):
    for batch in loader:
        yield [tensor.to(device, non_blocking=True) for tensor in batch]
"""


def test_copying_ahead_is_faster_than_the_plain_loop() -> None:
    _virtual_only()
    place = exercise("feeding.prefetch").path
    same_stream = (place / "wrong" / "same_stream.py").read_text("utf-8")
    ends = []
    for source in (reference(place), PLAIN, same_stream):
        prefetch = load_answer(source, "prefetch", "<answer>")
        batches = [[torch.zeros(512, 1024).pin_memory()] for _ in range(8)]
        with virtual_cuda.trace() as trace:
            for (inputs,) in prefetch(batches, torch.device("cuda:0")):
                inputs + inputs
                torch.cuda._sleep(400_000)
                torch.cuda.current_stream().synchronize()
        ends.append(trace.end)
    assert ends[0] < 0.8 * min(ends[1:])


@pytest.mark.parametrize("case", range(10))
def test_facts_about_waiting_alone_tell_right_from_wrong_as_on_real_gpus(case: int) -> None:
    part = exercise("feeding.prefetch")
    blind = {"hazards": None, "overlap": None, "copying": None}
    put = part.judge.cases(random.Random(1))[case]
    right = [reference(part.path), *(a.source for a in known_answers(part.path, "accepted"))]
    for source in right:
        assert part.judge.judge(put, {**_seen("prefetch", source, put), **blind}) is None
    if len(put.data["batches"]) < 4:
        return
    for name, finding in (
        ("stream_not_waited_for", "copy-not-waited-for"),
        ("waits_after_the_next_fetch", "no-overlap"),
    ):
        source = (part.path / "wrong" / f"{name}.py").read_text("utf-8")
        found = part.judge.judge(put, {**_seen("prefetch", source, put), **blind})
        assert found is not None and found.name == finding
