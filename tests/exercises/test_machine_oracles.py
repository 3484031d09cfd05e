"""What is right in assignment 01 against reality.

That stub, junk and mutants are refused, and that the corpus is complete, `course verify` proves.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack

import pytest
import torch
from topic import Topic

from course_utils.checking.exercises import exercise
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


@pytest.mark.slow
def test_why_no_gpu_is_what_torch_says(monkeypatch: pytest.MonkeyPatch) -> None:
    for case in _cases("why_no_gpu"):
        report = case.data["report"]
        assert case.right is not None
        causes = [each["value"] for each in case.right["result"]["items"]]
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
        if report["visible"] is not None:
            monkeypatch.setenv("CUDA_VISIBLE_DEVICES", report["visible"])
        first = torch.cuda._parse_visible_devices()[:1]
        named = str(first[0] if first else "").startswith("GPU-")  # by torch told from an index
        assert ("hidden" in causes) == (first != [0] and not named), case.title
        if not report["arch_list"] or report["compute_cap"] is None:
            assert "architecture" not in causes, case.title
            continue
        card = int(report["compute_cap"].replace(".", ""))
        fits = False
        for name in report["arch_list"]:
            each = torch.cuda._extract_arch_version(name)
            # torch warns as if there were no PTX, and the driver translates it
            is_code = torch.cuda._code_compatible_with_device(card, each)
            fits |= each <= card if name.startswith("compute_") else is_code
        assert ("architecture" not in causes) == fits, case.title


def test_why_no_gpu_has_the_lists_of_real_builds() -> None:
    builds = exercise("machine.why_no_gpu").module("cases").BUILDS
    for cuda, names in builds.items():
        real = torch.cuda.PYTORCH_RELEASES_CODE_CC[cuda]["x86_64"]
        assert {torch.cuda._extract_arch_version(name) for name in names} == real
