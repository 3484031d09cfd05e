"""What is right in assignment 01 against reality.

That stub, junk and mutants are refused, and that the corpus is complete, `course verify` proves.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack

import pytest
import torch
from topic import Topic

from exercise_kit.facts import describe

pytestmark = pytest.mark.usefixtures("four_gpus")
TOPIC = Topic("machine", seeds=10)
_judge, _cases = TOPIC.judge, TOPIC.cases


@pytest.fixture
def gpu_0() -> Iterator[None]:
    """The current GPU is 0, now and afterwards."""
    with torch.cuda.device(0):
        yield


def _run(steps: Sequence[str]) -> list[str]:
    """What torch does."""
    blocks, devices = [], []
    for step in steps:
        word, _, rest = step.partition(" ")
        if word == "set":
            torch.cuda.set_device(int(rest))
        elif word == "enter":
            blocks.append(ExitStack())
            blocks[-1].enter_context(torch.cuda.device(int(rest)))
        elif word == "leave":
            blocks.pop().close()
        else:
            devices.append(str(torch.ones(1, device=rest or None).device))
    return devices


def test_where_new_is_what_torch_does(gpu_0: None) -> None:
    for case in _cases("where_new"):
        with torch.cuda.device(0):
            assert case.right is not None
            assert case.right["result"] == describe(_run(case.data["steps"])), case.title
