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
        "startup.after_a_device_side_assert",
        {"later": None},
        "A real card's context is lost until the process ends; on virtual cards a wrong label "
        "costs a cell, not the notebook's kernel.",
    ),
)

KNOWN_GAPS = (
    Gap(
        (
            "current_device.no_such_device",
            "factories.on_a_missing_device",
            "moving.to_a_missing_device",
            "startup.a_wrong_number_first",
            "toolbox.synchronizing_a_missing_card",
        ),
        "The text is that of torch 2.10. Since then the two lines about asynchronous errors are "
        "left out for errors that are not, and CUDA_LOG_FILE=stderr is named instead.",
    ),
    Gap(
        ("startup.a_label_out_of_range",),
        'The line "Search for `cudaErrorAssert\' in …", which every error but a wrong device '
        "number has since torch 2.9, is missing.",
    ),
    Gap(
        ("memory.out_of_memory",),
        "The end of the text is that of torch 2.9 and 2.10; later ones name "
        "PYTORCH_CUDA_ALLOC_CONF again and another address.",
    ),
    Gap(
        ("data_parallel.error_in_a_replica",),
        "The text shows an exception of virtual CUDA's own that came before; it should be raised "
        "from None.",
    ),
    Gap(
        ("optimizers.state_left_behind",),
        "_foreach_ operators check no devices, so Adam steps with averages left on the CPU.",
    ),
    Gap(
        ("same_device_rule.masked_fill_mask", "same_device_rule.masked_fill_mask_of_a_card"),
        "masked_fill has a check and a text of its own.",
    ),
    Gap(
        ("same_device_rule.matmul_out_elsewhere",),
        "torchgen calls the wrapper of an out overload wrapper_CUDA_mm_out_out.",
    ),
    Gap(
        ("indexing.index_put_values_on_the_cpu", "indexing.accumulating_values_on_the_cpu"),
        "Values of index_put_ are checked by TensorIterator, or when accumulating by a check with "
        "a text of its own; neither names the wrapper.",
    ),
    Gap(
        ("pinned_memory.a_pinned_tensor_on_a_card",),
        "pin_memory=True is ignored for a card instead of refused.",
    ),
    Gap(
        ("memory.a_rest_too_small_to_split",),
        "A large block whose rest is 1 MiB or less is not split and counts whole.",
    ),
    Gap(
        ("memory.fragmentation_of_two_segments",),
        "Segments are modelled by their sum, so memory scattered over several looks movable.",
    ),
    Gap(
        ("storage.emptying_a_storage",),
        "UntypedStorage.resize_ of a card's storage asks for the CUDA build.",
    ),
    Gap(
        ("streams_and_events.cuda_graph",),
        "CUDA graphs are not there.",
    ),
    Gap(
        ("toolbox.properties",),
        "Some properties (registers, cache, UUID) are missing.",
    ),
)

GAP_REASONS = {program: gap.reason for gap in KNOWN_GAPS for program in gap.programs}


def on_virtual(name: str, real: Facts) -> Facts:
    """What virtual CUDA must show where a real GPU shows ``real``."""
    changed = {d.program: d.virtual for d in DIFFERENCES if d.applies}
    return {**real, **changed.get(name, {})}
