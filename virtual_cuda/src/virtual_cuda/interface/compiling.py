"""``torch.compile`` on virtual cards.

Its tracer must take our functions for what they stand in for, C functions. Otherwise it traces the
virtual machine with the program, and asks it, while it does so, for what it has not traced yet.

Its default backend, inductor, writes programs for real GPUs, in Triton. On virtual cards the graph
that was traced runs as it is instead (the backend ``aot_eager``), and a warning says so.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Sequence
from typing import Any

import torch

from ..patches import Patches

_compile = torch.compile
_Inductor = torch._TorchCompileInductorWrapper
_run_inductor = _Inductor.__call__


@functools.cache
def _leave_alone() -> None:
    from torch._dynamo import trace_rules  # takes seconds to import, so not before it is needed

    assert __package__ is not None
    trace_rules.add(__package__.rpartition(".")[0])  # all of virtual CUDA


@functools.wraps(_compile)
def _compile_the_rest(*args: Any, **kwargs: Any) -> Any:
    _leave_alone()
    return _compile(*args, **kwargs)


def _is_for_cards(graph: torch.fx.GraphModule, inputs: Sequence[Any]) -> bool:
    values = [*inputs, *(node.meta.get("example_value") for node in graph.graph.nodes)]
    return any(isinstance(value, torch.Tensor) and value.is_cuda for value in values)


def _run_the_graph(
    self: Any, graph: torch.fx.GraphModule, inputs: list[torch.Tensor], **options: Any
) -> Any:
    if not _is_for_cards(graph, inputs):
        return _run_inductor(self, graph, inputs, **options)
    warnings.warn(
        "torch.compile: virtual GPUs run the traced graph as it is (backend aot_eager), since "
        "inductor compiles for real ones. Values are right; nothing gets faster.",
        stacklevel=2,
    )
    return torch._dynamo.lookup_backend("aot_eager")(graph, inputs)


def patch(patches: Patches) -> None:
    """Let ``torch.compile`` leave this package alone, and do without inductor on cards."""
    patches.set(torch, compile=_compile_the_rest)
    patches.set(_Inductor, __call__=_run_the_graph)
