"""The oracles of assignment 11 against reality, and its diagnoses under many draws.

That stub, junk and mutants are refused, and that the corpus is complete, `course verify` proves.
"""

import copy
import datetime
import sys
from typing import Any

import pytest
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from topic import Topic
from torch import nn

from course_utils.checking.beside import Beside
from course_utils.checking.exercises import exercise

pytestmark = pytest.mark.usefixtures("four_gpus")
TOPIC = Topic("beyond", seeds=10)


def _average(rank: int, store: str, states: list[Any], counts: list[int], answer: str) -> None:
    """One real rank: `answer` averages its gradients."""
    dist.init_process_group(
        "gloo",
        f"file://{store}",
        rank=rank,
        world_size=len(states),
        timeout=datetime.timedelta(seconds=60),
    )
    space: dict[str, Any] = {}
    exec(answer, space)
    model = nn.Linear(2, 1)
    model.load_state_dict(states[rank])
    torch.manual_seed(rank)
    batch = torch.randn(counts[rank], 2)
    if counts[rank]:
        model(batch).square().mean().backward()
    space["average_gradients"](model, counts[rank], dist)
    batches: list[Any] = [None] * len(states)
    dist.all_gather_object(batches, batch)
    whole = copy.deepcopy(model)
    whole.zero_grad()
    whole(torch.cat(batches)).square().mean().backward()
    assert torch.allclose(model.weight.grad, whole.weight.grad, atol=1e-6)
    dist.destroy_process_group()


@pytest.mark.slow
def test_gradients_are_averaged_over_real_processes_as_well(tmp_path, monkeypatch) -> None:
    """What the threads of the check accept is right under torch.distributed itself."""
    monkeypatch.setenv("GLOO_SOCKET_IFNAME", "lo")
    source = (exercise("beyond.average_gradients").path / "answer.py").read_text(encoding="utf-8")
    state = nn.Linear(2, 1).state_dict()
    mp.spawn(_average, (str(tmp_path / "store"), [state, state], [5, 0], source), nprocs=2)


def test_ranks_that_do_not_meet_are_told() -> None:
    group = exercise("beyond.mend_ranks").module("observe").Group(3)
    results = group.run(lambda dist: dist.get_rank() or dist.barrier())
    assert group.apart == ["barrier", "its end", "its end"]
    assert results == [None, 1, 2]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "rank_device",
        "step_in_parts",
        "average_gradients",
        "mend_ranks",
    ],
)
def test_wrong_answers_meet_their_findings_in_other_draws_too(name: str) -> None:
    for told, outcome, expected in TOPIC.outcomes_in_other_draws(name):
        assert outcome == expected, told


def test_a_check_with_a_process_group_leaves_the_hook_of_exceptions_as_it_was() -> None:
    before = sys.excepthook
    beside = Beside(exercise("beyond.step_in_parts").observer, TOPIC.reference("step_in_parts"))
    assert "steps" in beside(TOPIC.cases("step_in_parts", 1)[0])
    assert sys.excepthook is before
