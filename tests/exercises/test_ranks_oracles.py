"""The answers of assignment 11 against one process with all samples.

That stub, junk and mutants are refused, and that the corpus is complete, `course verify` proves.
"""

import sys
from typing import Any

import pytest
import torch
from topic import Topic
from torch import nn

from course_utils.checking.exercises import exercise
from exercise_kit.runner import Runner

pytestmark = pytest.mark.usefixtures("four_gpus")
TOPIC = Topic("ranks", seeds=10)


def _layer(weight: Any, bias: Any) -> nn.Linear:
    layer = nn.Linear(len(weight[0]), len(bias))
    layer.load_state_dict({"weight": torch.tensor(weight), "bias": torch.tensor(bias)})
    return layer


@pytest.mark.slow
@pytest.mark.more
def test_averaged_gradients_are_those_of_one_process_with_all_samples() -> None:
    for case in TOPIC.cases("average_gradients", seeds=1):
        data, facts = case.data, case.right
        assert facts is not None
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


@pytest.mark.slow
@pytest.mark.more
def test_ranks_that_wait_are_told_from_ranks_that_work_for_long() -> None:
    """By their places and processor time, and not by the clock."""
    launching = sys.modules[exercise("ranks.step").module("observe").OnWatchedRanks.__module__]
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


def test_a_check_with_a_process_group_leaves_the_hook_of_exceptions_as_it_was() -> None:
    before = sys.excepthook
    parts = exercise("ranks.parts")
    runner = Runner(parts.observer, TOPIC.reference("parts"), parts.world)
    assert "steps" in runner(TOPIC.cases("parts", 1)[0])
    assert sys.excepthook is before
