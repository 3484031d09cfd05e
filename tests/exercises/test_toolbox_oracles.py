"""The oracles of assignment 04 against reality, and its diagnoses under many draws.

That stub, junk and mutants are refused, and that the corpus is complete, `course verify` proves.
"""

from contextlib import ExitStack
from typing import Any

import pytest
import torch
from packaging.version import Version
from topic import Topic

pytestmark = pytest.mark.usefixtures("four_gpus")
TOPIC = Topic("toolbox", seeds=20)
_judge, _cases, _reference = TOPIC.judge, TOPIC.cases, TOPIC.reference
MiB = 2**20


def test_capabilities_compare_like_versions() -> None:
    oracle = _judge("new_enough").NewEnough().oracle
    for case in _cases("new_enough"):
        least = Version(case.data["needed"])
        given = [Version(f"{major}.{minor}") for major, minor in case.data["capabilities"]]
        expected = [index for index, version in enumerate(given) if version >= least]
        assert oracle(**case.data) == expected, case.title


def _played(program: list[list[Any]]) -> list[str]:
    """Where torch itself puts the tensors of a program."""
    tensors: list[torch.Tensor] = []
    blocks: list[ExitStack] = []
    torch.cuda.set_device(0)
    try:
        for step, *values in program:
            if step == "set":
                torch.cuda.set_device(*values)
            elif step == "with":
                blocks.append(ExitStack())
                blocks[-1].enter_context(torch.cuda.device(*values))
            elif step == "end":
                blocks.pop().close()
            elif step == "new":
                tensors.append(torch.ones(1, device=values[0]))
            else:
                tensors.append(tensors[values[0]] * 2)
    finally:
        torch.cuda.set_device(0)
    return [str(tensor.device) for tensor in tensors]


def test_tensors_are_made_where_torch_makes_them() -> None:
    oracle = _judge("predict_devices").PredictDevices().oracle
    for case in _cases("predict_devices"):
        assert oracle(**case.data) == _played(case.data["program"]), case.title


@pytest.mark.parametrize("index", [0, 1, 2])
def test_empty_cache_gives_back_what_the_snapshot_says(index: int) -> None:
    device = torch.device("cuda", index)
    torch.cuda.empty_cache()
    kept = {
        (gpu, size): torch.empty(size * MiB, dtype=torch.uint8, device=f"cuda:{gpu}")
        for size in (3, 4, 5, 8, 12, 30)  # the first four fill a segment of 20 MiB
        for gpu in range(3)
    }
    for gpu, size in ((0, 4), (0, 12), (0, 30), (1, 3), (1, 30), (2, 8), (2, 12)):
        del kept[gpu, size]
    said = _reference("given_back")(torch.cuda.memory_snapshot(), device)
    before = torch.cuda.memory_reserved(device)
    torch.cuda.empty_cache()
    assert 0 < said == before - torch.cuda.memory_reserved(device)
    kept.clear()
    torch.cuda.empty_cache()


def test_snapshots_of_the_judge_have_the_form_of_real_ones() -> None:
    block = torch.ones(1, device="cuda:1")
    real = next(one for one in torch.cuda.memory_snapshot() if one["device"] == 1)
    for case in _cases("given_back", seeds=2):
        for drawn in case.data["snapshot"]:
            assert drawn.keys() <= real.keys()
            assert all(piece.keys() <= real["blocks"][0].keys() for piece in drawn["blocks"])
            assert sum(piece["size"] for piece in drawn["blocks"]) == drawn["total_size"]
    del block


def test_what_the_findings_of_noise_say_of_generators_is_so() -> None:
    gpus = [torch.device("cuda", index) for index in range(4)]
    with torch.random.fork_rng(devices=range(4)):
        torch.manual_seed(3)
        draws = [torch.randn(5, device=gpu).cpu() for gpu in gpus]
        assert all(draw.equal(draws[0]) for draw in draws[1:])
        before = torch.cuda.get_rng_state_all()
        with torch.random.fork_rng(devices=[0]):
            torch.manual_seed(4)
        after = torch.cuda.get_rng_state_all()
        kept = [old.equal(new) for old, new in zip(before, after, strict=True)]
        assert kept == [True, False, False, False]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["new_enough", "predict_devices", "given_back", "mend_flags", "noise"]
)
def test_wrong_answers_meet_their_findings_in_other_draws_too(name: str) -> None:
    for told, outcome, expected in TOPIC.outcomes_in_other_draws(name):
        assert outcome == expected, told
