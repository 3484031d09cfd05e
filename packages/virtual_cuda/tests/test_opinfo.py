"""All of PyTorch's own operator database on a card: the values and gradients of the CPU.

Each operator is called with the database's own samples, on the CPU and on a card that draws the
same random numbers. The tables below are strict both ways: what is not in them must agree, and what
is in them must not.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterable, Mapping

import pytest
import torch

from opinfo import SAMPLED, compare, operators
from virtual_cuda.platform.switches import HAS_CUDA_BUILD

pytestmark = pytest.mark.slow

CHUNKS = 12
AGREEING = 0.99  # of the operators that can be compared at all

# The CPU has no kernel for these, so that there is nothing to compare with.
_NEWER = {"torch._scaled_mm_v2"} if torch.__version__.startswith(("2.11.", "2.12.")) else set()
NOT_ON_THE_CPU = _NEWER | {
    "jiterator_2inputs_2outputs",
    "jiterator_4inputs_with_extra_args",
    "jiterator_binary",
    "jiterator_binary_return_by_ref",
    "jiterator_unary",
    "torch.ops.aten._efficient_attention_forward",
    "torch.ops.aten._flash_attention_forward",
}

_A_VIEW = "the sample is a view into a larger tensor; its copy on the card has no more than itself"
_AN_A100 = "cards before 8.9 refuse it"
FORWARD = {
    "torch._scaled_mm": _AN_A100,
    "torch._scaled_mm_v2": _AN_A100,
    "as_strided.partial_views": _A_VIEW,
    "tensor_split": "wants its indices on the CPU, on CUDA as here; the samples were moved",
    "histogram": "CUDA has no kernel for it, and says so",
    "histogramdd": "CUDA has no kernel for it, and says so",
}
BACKWARD: dict[str, str] = (
    {"nn.functional.rms_norm": "the CUDA build has its fused backward pass for CUDA alone"}
    if HAS_CUDA_BUILD
    else {}
)


@functools.cache
def outcomes(chunk: int) -> dict[str, tuple[str | None, str | None]]:
    """Operator -> what went wrong forward and backward, for one part of the database."""
    return compared(list(operators())[chunk::CHUNKS])


def compared(names: Iterable[str]) -> dict[str, tuple[str | None, str | None]]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return {name: compare(operators()[name]) for name in names}
    finally:
        torch.set_num_threads(threads)


def assert_as_listed(found: Mapping[str, tuple[str | None, str | None]]) -> None:
    assert {name for name, (forward, _) in found.items() if forward is None} == (
        NOT_ON_THE_CPU & found.keys()
    )
    wrong = {name: forward for name, (forward, _) in found.items() if forward}
    assert wrong.keys() == FORWARD.keys() & found.keys(), wrong
    wrong = {name: backward for name, (_, backward) in found.items() if backward}
    assert wrong.keys() == BACKWARD.keys() & found.keys(), wrong


def test_values_and_gradients_of_a_sample_are_the_cpus():
    names = [name for name, op in operators().items() if op.name in SAMPLED]
    found = compared([*names, *FORWARD])
    assert {operators()[name].name for name in names} == SAMPLED
    assert_as_listed(found)
    assert sum(backward == "" for _, backward in found.values()) > len(SAMPLED) / 2


@pytest.mark.full
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_values_and_gradients_are_the_cpus(chunk):
    assert_as_listed(outcomes(chunk))


@pytest.mark.full
def test_nearly_all_agree():
    found = [outcome for chunk in range(CHUNKS) for outcome in outcomes(chunk).values()]
    for direction in zip(*found, strict=True):
        compared = [outcome for outcome in direction if outcome is not None]
        assert len(compared) > 500
        assert sum(outcome == "" for outcome in compared) >= AGREEING * len(compared)
