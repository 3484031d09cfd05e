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


def test_a_name_is_resolved_as_torch_does_where_the_gpu_exists(gpu_0: None) -> None:
    resolved = _judge("resolve").resolved
    names = {case.data["name"] for case in _cases("resolve")} | {"cuda:0", "cuda:3", "cuda:-1"}
    for name in sorted(names):
        try:
            known = torch.device(name).type in ("cpu", "cuda")
            with torch.cuda.device(2):
                device = str(torch.ones(2, device=name).device) if known else None
        except RuntimeError:
            device = None
        assert resolved(name, 2, 4) == device, name
