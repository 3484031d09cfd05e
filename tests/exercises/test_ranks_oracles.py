"""The answers of assignment 11 against reality: one process with all samples, and real processes.

That stub, junk and mutants are refused, and that the corpus is complete, `course verify` proves.
"""

import datetime
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from topic import Topic
from torch import nn
from torch.utils.data import TensorDataset

from course_utils.checking.exercises import exercise
from exercise_kit.contract import Case
from exercise_kit.runner import Runner

pytestmark = pytest.mark.usefixtures("four_gpus")
TOPIC = Topic("ranks", seeds=10)


def _cases(short: str, seeds: int) -> Iterator[tuple[Any, Any]]:
    """The data of the public cases and of others, each with the facts of the exercise's answer."""

    def both(case: Case) -> tuple[Any, Any]:
        assert case.right is not None
        return case.data, case.right

    yield from map(both, exercise(f"ranks.{short}").public_cases)
    for seed in range(seeds):
        yield from (both(case) for _, case in exercise(f"ranks.{short}").hidden_cases(str(seed)))


def _layer(weight: Any, bias: Any) -> nn.Linear:
    layer = nn.Linear(len(weight[0]), len(bias))
    layer.load_state_dict({"weight": torch.tensor(weight), "bias": torch.tensor(bias)})
    return layer


@pytest.mark.slow
@pytest.mark.more
def test_averaged_gradients_are_those_of_one_process_with_all_samples() -> None:
    for data, facts in _cases("average_gradients", seeds=1):
        for number, (frozen, shares) in enumerate(data["rows"]):
            layers = {name: _layer(*data[name]) for name in ("first", "second")}
            batch, targets = (torch.tensor(one + other) for one, other in zip(*shares, strict=True))
            loss = nn.functional.mse_loss(layers["second"](layers["first"](batch)), targets)
            loss.backward()
            trained = ["first"] if frozen else [*layers]
            wanted = {
                f"{layer}.{name}": parameter.grad
                for layer in trained
                for name, parameter in layers[layer].named_parameters()
            }
            for by_step in facts["gradients"].values():
                assert by_step[number].keys() == wanted.keys()
                for name, gradient in by_step[number].items():
                    seen = torch.tensor(gradient)
                    torch.testing.assert_close(seen, wanted[name], rtol=1e-4, atol=1e-3)


def _rank(rank: int, folder: str, short: str, source: str, data: Any) -> None:
    """One real rank: it calls an answer, and writes what is there afterwards into a file."""
    dist.init_process_group(
        "gloo",
        f"file://{folder}/store",
        rank=rank,
        world_size=len(data["ranks"]),
        timeout=datetime.timedelta(seconds=60),
    )
    space: dict[str, Any] = {}
    exec(source, space)
    own = data["ranks"][rank]
    model = _layer(*own)
    dataset = TensorDataset(torch.tensor(data["batch"]), torch.tensor(data["targets"]))
    result = space[short](model, dataset, data["epochs"], dist)
    seen = [value for p in model.parameters() for value in p.flatten().tolist()]
    Path(folder, f"{rank}.json").write_text(json.dumps([seen, result]), encoding="utf-8")
    dist.destroy_process_group()


def _in_processes(folder: Path, short: str, data: Any) -> list[Any]:
    """For each rank what is there afterwards in a row, and what came back."""
    source = (exercise(f"ranks.{short}").path / "answer.py").read_text(encoding="utf-8")
    ranks = len(data["ranks"])
    mp.spawn(_rank, (str(folder), short, source, data), nprocs=ranks)
    return [json.loads((folder / f"{n}.json").read_text(encoding="utf-8")) for n in range(ranks)]


@pytest.mark.slow
@pytest.mark.more
def test_real_processes_train_to_the_same_weights_and_losses(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("GLOO_SOCKET_IFNAME", "lo")
    cases = _cases("fix_ranks", seeds=0)
    data, facts = next(pair for pair in cases if pair[0]["epochs"] > 1)
    trained = _in_processes(tmp_path, "fix_ranks", data)
    for rank, (seen, _) in enumerate(trained):
        assert seen == pytest.approx(facts["weights"][f"rank {rank}"], rel=1e-4, abs=1e-5)
        assert seen == trained[0][0]
    losses = [item["value"] for item in facts["result"]["items"]]
    assert trained[0][1] == pytest.approx(losses, rel=1e-4)


@pytest.mark.slow
@pytest.mark.more
def test_ranks_that_wait_are_told_from_ranks_that_work_for_long() -> None:
    """By their places and processor time, and not by the clock."""
    launching = sys.modules[exercise("ranks.step").module("observe").OnRanks.__module__]
    program = """
import time, torch, torch.distributed as dist
dist.init_process_group("gloo")
{}
dist.barrier()
facts = dist.get_rank
"""
    work = "end = time.time() + 3 * dist.get_rank()\nwhile time.time() < end: torch.ones(99).sum()"
    assert launching.run_watched(program.format(work)) == ([0, 1], "")
    alone = "if dist.get_rank() == 0: dist.reduce(torch.ones(1), dst=0)"
    assert launching.run_watched(program.format(alone)) == ([], "Waits: [4, 5]")


def test_what_a_rank_prints_is_printed_once(capsys) -> None:
    observe = exercise("ranks.fix_ranks").module("observe")
    play = sys.modules[observe.RankCall.__module__].play

    def work(dist: Any) -> None:
        print("before", dist.get_rank())
        dist.barrier()
        print("after", dist.get_rank())

    play(2, work)
    assert capsys.readouterr().out == "before 0\nafter 0\nbefore 1\nafter 1\n"


def test_a_check_with_a_process_group_leaves_the_hook_of_exceptions_as_it_was() -> None:
    before = sys.excepthook
    parts = exercise("ranks.parts")
    runner = Runner(parts.observer, TOPIC.reference("parts"), parts.world)
    assert "steps" in runner(TOPIC.cases("parts", 1)[0])
    assert sys.excepthook is before
