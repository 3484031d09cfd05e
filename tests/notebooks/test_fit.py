"""Lesson 12: its GPT is that of the exercises, and its measurements can be repeated in a kernel."""

import gc
import threading
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

import pytest
import torch
from torch.distributed.fsdp import fully_shard
from torch.utils.checkpoint import checkpoint

from course_authoring.text import notebook_from_text
from course_utils.checking.exercises import exercise
from course_utils.manifest import repository_root

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("four_gpus")]
ROUNDS = 20


@pytest.fixture(scope="module")
def fit() -> tuple[ModuleType, ModuleType]:
    """The modules `gpt` and `group` of the exercises' topic."""
    observe = exercise("fit.sharded").module("observe")
    topic = observe.__name__.rsplit(".", 2)[0]
    gpt, group = (__import__(f"{topic}.{name}", fromlist=["_"]) for name in ("gpt", "group"))
    return gpt, group


def test_the_gpt_of_the_lesson_is_that_of_the_exercises(fit):
    text = repository_root() / "notebooks" / "text" / "12_when_it_does_not_fit.py"
    (cell,) = (
        each.source
        for each in notebook_from_text(text.read_text("utf-8")).cells
        if each.source.startswith("%%writefile gpt.py\n")
    )
    lesson: dict[str, Any] = {}
    exec(cell.partition("\n")[2], lesson)
    shown = []
    for make in (lesson["GPT"], fit[0].GPT):
        torch.manual_seed(0)
        model = make(layers=2, width=16)
        shown.append((list(model.state_dict()), model(torch.arange(9).expand(2, 9))))
    assert shown[0][0] == shown[1][0]
    assert torch.equal(shown[0][1], shown[1][1])


@pytest.mark.more
def test_twenty_measurements_in_one_process_with_threads_beside(fit):
    gpt, group = fit
    stop = threading.Event()

    def beside() -> None:
        while not stop.wait(0.01):
            torch.ones(64, 64, device="cuda:2").exp().sum().item()

    def peak(place: Callable[[Any], Any], run: Callable[..., Any]) -> int:
        gc.collect()  # as in the lesson: modules of FSDP2 hold each other
        before = torch.cuda.memory_allocated(0)
        model = gpt.GPT(layers=3, width=32)
        place(model)
        optimizer = torch.optim.AdamW(model.parameters())
        for _ in range(2):
            torch.cuda.reset_peak_memory_stats(0)
            with torch.autocast("cuda", torch.bfloat16):
                loss = model(torch.arange(64, device="cuda:0")[None], run).float().square().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        return torch.cuda.max_memory_allocated(0) - before

    def shard(model: Any) -> None:
        for module in (*model.blocks, model):
            fully_shard(module)

    threads = [threading.Thread(target=beside, daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    found = []
    by_block = partial(checkpoint, use_reentrant=False)
    for _ in range(ROUNDS):
        with group.one_of(4):
            found.append((peak(lambda model: model.cuda(), by_block), peak(shard, by_block)))
    stop.set()
    for thread in threads:
        thread.join()
    assert len(set(found[1:])) == 1, found  # the first one makes lasting tensors of the process
