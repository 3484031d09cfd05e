"""Where virtual CUDA is not what a real GPU is: for good, or for now.

Both lists are asserted by the tests. A difference says what virtual CUDA shows instead; a gap says
only that it is not yet right, and its test fails on the day it is.
"""

from __future__ import annotations

from dataclasses import dataclass

from .registry import Facts


@dataclass(frozen=True)
class Difference:
    """A program that must show something else. ``virtual`` are the facts that change."""

    program: str
    virtual: Facts
    reason: str
    applies: bool = True


@dataclass(frozen=True)
class Gap:
    """Programs that fail on virtual CUDA and should not."""

    programs: tuple[str, ...]
    reason: str


DIFFERENCES = (
    Difference(
        "toolbox.the_name_is_honest",
        {"is_virtual": True},
        "Virtual GPUs never pass for real ones.",
    ),
    Difference(
        "memory.first_matrix_product",
        {"more_than_the_operands": False},
        "There is no cuBLAS that would need a workspace.",
    ),
    Difference(
        "data_parallel.applying_in_threads",
        {"distinct": 1},
        "All replicas share one thread that is kept: what CPU libraries set up per thread is slow.",
    ),
    Difference(
        "data_parallel.replicas_run_side_by_side",
        {"met": False},
        "Replicas run one after the other, so that prints stay whole and modelled times repeat.",
    ),
    Difference(
        "beneath: hooks of backward run in the card's thread",
        {"is": True},
        "Backward stays in the thread that calls it, so that prints stay whole.",
    ),
    Difference(
        "beneath: numbers are Philox's",
        {"is": [0.3917, 0.1919, 0.9697]},
        "Numbers are drawn by a generator of the CPU, with another seed on cards.",
    ),
    Difference(
        "beneath: the context takes memory",
        {"is": False},
        "What a context takes depends on the card, the driver and the kernels that are loaded.",
    ),
)

KNOWN_GAPS: tuple[Gap, ...] = (
    Gap(
        ("beneath: addresses are multiples of 512",),
        "Memory is the host's, where the host's allocator puts it.",
    ),
    Gap(
        (
            "beneath: another stream's memory is not given out",
            "beneath: not even after a wait",
        ),
        "The books keep no segments of a stream's own.",
    ),
    Gap(
        ("memory: roundup_power2_divisions", "memory: roundup_power2_divisions by size"),
        "The books round as CUDA's allocator does by default; a warning says so.",
    ),
)

GAP_REASONS = {program: gap.reason for gap in KNOWN_GAPS for program in gap.programs}


def on_virtual(name: str, real: Facts) -> Facts:
    """What virtual CUDA must show where a real GPU shows ``real``."""
    changed = {d.program: d.virtual for d in DIFFERENCES if d.applies}
    return {**real, **changed.get(name, {})}
