"""The oracles of assignment 10 against reality: what torch does, says and writes.

That stub, known answers, junk and mutants come out as they should, `course verify` proves.
"""

import sys
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from topic import Topic

from course_utils.checking.exercises import exercise
from exercise_kit.stand_ins import visible

NAMES = ["body", "norm", "head"]


pytestmark = pytest.mark.usefixtures("four_gpus")
TOPIC = Topic("saving", seeds=20)
_cases = TOPIC.cases


def _part(name: str, module: str) -> Any:
    return exercise(f"saving.{name}").module(module)


def _observing() -> Any:
    """What the observers share, by way of an exercise that imports from it."""
    observe = _part("load_anywhere", "observe").__name__
    return sys.modules[observe.replace("load_anywhere.observe", "observing")]


def _error(action: Callable[[], Any]) -> str:
    try:
        action()
    except Exception as error:
        return str(error)
    return ""


# ---------------------------------------------------------------- the model of the observers


def test_forged_tags_are_followed(tmp_path: Path) -> None:
    observing = _observing()
    observing.save_tagged(torch.ones(1), tmp_path / "x.pt", ["cuda:7"])
    with visible(2, torch.load):
        assert "on CUDA device 7 but torch.cuda.device_count() is 2" in _error(
            lambda: torch.load(tmp_path / "x.pt")
        )
    with visible(0, torch.load):
        assert "torch.cuda.is_available() is False" in _error(lambda: torch.load(tmp_path / "x.pt"))
    observing.save_tagged(torch.ones(1), tmp_path / "x.pt", ["cuda:2"])
    assert str(torch.load(tmp_path / "x.pt").device) == "cuda:2"


# ---------------------------------------------------------------- load_partial


def test_differences_are_those_of_load_state_dict() -> None:
    """Missing and unexpected from its result; sizes from its error.

    `strict=False` raises for sizes, so those keys are left out of that attempt.
    """
    observe = _part("load_partial", "observe")
    for case in TOPIC.cases("load_partial", seeds=2):
        assert case.right is not None
        entries, file, said = case.data["model"], case.data["file"], case.right["report"]
        found = OrderedDict((key, torch.ones(shape)) for key, shape, _ in file)
        text = _error(partial(observe.model_of(entries).load_state_dict, found))
        assert (text == "") == (said == {"missing": [], "unexpected": [], "mismatched": []})
        assert all(f"size mismatch for {key}:" in text for key in said["mismatched"])
        assert text.count("size mismatch for") == len(said["mismatched"])
        fitting = OrderedDict((k, v) for k, v in found.items() if k not in said["mismatched"])
        result = observe.model_of(entries).load_state_dict(fitting, strict=False)
        missing = set(result.missing_keys) - set(said["mismatched"])
        assert (sorted(missing), sorted(result.unexpected_keys)) == (
            said["missing"],
            said["unexpected"],
        )
