"""The oracles of topic `feeding` against reality: PyTorch's own loader and workers, the clock.

That the corpus is complete, and that stub, junk and mutants are refused, `course verify` proves
for every exercise.
"""

import random
import subprocess
import sys
from pathlib import Path
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


def _finished(*numbers: Any) -> int:
    module = exercise("feeding.epoch_time").module("judge")
    return module.finished(module.Epoch(*numbers))


@pytest.mark.parametrize("workers", [0, 1, 2, 3])
def test_epochs_of_equal_batches_have_a_closed_form(workers: int) -> None:
    for load, compute in ((30, 4), (10, 40)):
        time = _finished([load] * 12, compute, workers, 2, 100)
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
    assert _finished(short, 10, 2, 2, 500) > _finished(short, 10, 0, 2, 500)
    assert _finished(long, 10, 2, 2, 500) < _finished(long, 10, 0, 2, 500)


def test_more_workers_stop_helping_where_training_is_the_slower_side() -> None:
    times = [_finished([30] * 50, 10, workers, 2, 0) for workers in (1, 2, 3, 4, 8)]
    assert times == sorted(times, reverse=True)
    assert times[2] == times[3] == times[4] == 30 + 50 * 10


def test_prefetching_takes_up_a_slow_batch() -> None:
    loads = [10] * 8 + [90] + [10] * 8
    times = [_finished(loads, 20, 1, prefetch, 0) for prefetch in (1, 2, 4, 8)]
    assert times == sorted(times, reverse=True) and times[0] > times[-1]


def test_predicted_copies_are_those_of_the_clock_of_the_virtual_gpus() -> None:
    _virtual_only()
    judge = exercise("feeding.predict_copy").judge
    for case in _cases("predict_copy", seeds=3):
        assert judge.oracle(**case.data) == _really_copied(case.data), case.data


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


REALLY_SPAWNED = """
from torch.utils.data import DataLoader
from answer import spawnable
if __name__ == "__main__":
    dataset = spawnable("records.bin", 3, 0.5)
    dataset[1]
    loader = DataLoader(dataset, num_workers=1, multiprocessing_context="spawn")
    print("ITEMS", [batch.tolist() for batch in loader])
"""


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["reference", "lazy_with_getstate", "lazy_only"])
def test_what_the_played_workers_accept_real_ones_can_start_with(
    answer: str, tmp_path: Path
) -> None:
    place = exercise("feeding.spawnable").path
    sources = {"reference": reference(place)}
    for kind in ("accepted", "wrong"):
        sources |= {known.path.stem: known.source for known in known_answers(place, kind)}
    (tmp_path / "answer.py").write_text(sources[answer])
    (tmp_path / "main.py").write_text(REALLY_SPAWNED)
    (tmp_path / "records.bin").write_bytes(bytes(range(1, 7)))
    ran = subprocess.run(
        [sys.executable, "main.py"], capture_output=True, text=True, cwd=tmp_path, timeout=120
    )
    right = "ITEMS [[[0.5, 1.0, 1.5]], [[2.0, 2.5, 3.0]]]" in ran.stdout
    assert right == (answer != "lazy_only"), ran.stderr


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
