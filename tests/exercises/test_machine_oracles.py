"""The oracles of assignment 01 against reality, and its diagnoses under many draws.

That stub, junk and mutants are refused, and that the corpus is complete, `course verify` proves.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
import torch
from topic import Topic

from course_utils.checking.exercises import exercise

pytestmark = pytest.mark.usefixtures("four_gpus")
TOPIC = Topic("machine", seeds=10)
_judge, _cases, _reference = TOPIC.judge, TOPIC.cases, TOPIC.reference


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
    judge = exercise("machine.where_new").judge
    for case in _cases("where_new"):
        with torch.cuda.device(0):
            assert judge.oracle(**case.data) == _run(case.data["steps"]), case.title


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


def test_extensions_are_refused_as_torch_refuses_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """torch.utils.cpp_extension compares the toolkit with torch.version.cuda, by major version."""
    from torch.utils import cpp_extension

    outcome, nvcc = _judge("cuda_outcome").outcome, tmp_path / "bin" / "nvcc"
    nvcc.parent.mkdir()
    monkeypatch.setenv("TORCH_DONT_CHECK_COMPILER_ABI", "1")
    monkeypatch.setattr(cpp_extension, "CUDA_HOME", str(tmp_path))
    monkeypatch.setattr(torch.version, "cuda", "12.4")
    for toolkit in ("12.4", "12.6", "11.8", "13.0"):
        nvcc.write_text(f"#!/bin/sh\necho Cuda compilation tools, release {toolkit}\n")
        nvcc.chmod(0o755)
        try:
            cpp_extension._check_cuda_version("c++", torch.torch_version.TorchVersion("11.0"))
            seen = "compiles"
        except RuntimeError as error:
            assert "mismatches the version" in str(error)
            seen = "other toolkit"
        assert outcome("compile", None, "12.4", toolkit) == seen


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("cpu", (40.0, 89.0)),  # the task's example
        ("gpu", (120.0, 9.0)),
    ],
)
def test_estimates_worked_by_hand(data: str, expected: tuple[float, float]) -> None:
    work = {"bytes": 8000, "operations": 4000, "chain": False, "data": data}
    cpu = {"bandwidth": 200, "cores": 8, "rate": 400}
    gpu = {"bandwidth": 2000, "cores": 1000, "rate": 4000, "launch": 5, "link": 100}
    assert _judge("estimate").times(work, cpu, gpu) == expected
    chain = {**work, "chain": True}
    assert _judge("estimate").times(chain, cpu, gpu)[1] == expected[1] - 4 + 1000


def test_the_tables_are_those_that_nvidia_smi_prints() -> None:
    """Every width is that of the layout: Windows' words did not shift a line."""
    for case in _cases("processes", seeds=3):
        lines = case.data["table"].splitlines()[1:]
        assert len({len(line) for line in lines if line.strip()}) == 1, case.title
    windows = next(c for c in _cases("processes", 1) if c.title.startswith("Windows: no memory"))
    assert "  WDDM  |" in windows.data["table"] and "Driver-Model" in windows.data["table"]


@pytest.mark.parametrize(
    "short", ["where_new", "cuda_outcome", "resolve", "mend_spread", "estimate", "processes"]
)
def test_diagnoses_do_not_depend_on_the_draw(short: str) -> None:
    for told, seen, expected in TOPIC.outcomes_in_other_draws(short):
        assert seen == expected, told
