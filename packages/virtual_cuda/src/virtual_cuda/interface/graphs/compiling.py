"""``torch.compile`` on virtual GPUs.

Its tracer must treat our functions as the C functions that they replace. Otherwise it traces the
virtual machine together with the program, and calls it at the same time.

Its default backend, inductor, writes Triton programs for real GPUs, and ``cudagraphs`` saves and
restores the driver's memory. On virtual GPUs the traced graph runs unchanged instead (the backend
``aot_eager``), with a warning. TorchScript's streams exist only in the C++ of the CUDA build; using
them raises an error.
"""

from __future__ import annotations

import ast
import functools
import re
import warnings
from collections.abc import Sequence
from typing import Any

import torch

from ...errors import UnsupportedFeature
from ...kernels.pinned import FACTORIES
from ...patches import Patches

_CUDAGRAPHS = "cudagraphs"
_STREAMS = (
    "Stream|Event|stream|(current|default|set)_stream|synchronize|(current|set|_(maybe_)?exchange)"
    "_device"
)
_SCRIPTED = re.compile(rf"\btorch\.cuda\.({_STREAMS})\b")

_compile = torch.compile
_build_def = torch.jit.frontend.build_def
_Inductor = torch._TorchCompileInductorWrapper
_run_inductor = _Inductor.__call__


@functools.cache
def _leave_alone() -> None:
    from torch._dynamo import trace_rules  # imported late, because this takes seconds

    trace_rules.add(__name__.partition(".")[0])  # the whole package
    for factory in FACTORIES:  # objects, which the tracer does not recognise as torch functions
        torch._dynamo.allow_in_graph(factory)


@functools.wraps(_compile)
def _compile_the_rest(*args: Any, **kwargs: Any) -> Any:
    _leave_alone()
    if kwargs.get("backend") == _CUDAGRAPHS:
        kwargs["backend"] = _without_driver
    return _compile(*args, **kwargs)


def _is_for_cards(graph: torch.fx.GraphModule, inputs: Sequence[Any]) -> bool:
    values = [*inputs, *(node.meta.get("example_value") for node in graph.graph.nodes)]
    return any(isinstance(value, torch.Tensor) and value.is_cuda for value in values)


def _run_the_graph(
    self: Any, graph: torch.fx.GraphModule, inputs: list[torch.Tensor], **options: Any
) -> Any:
    if not _is_for_cards(graph, inputs):
        return _run_inductor(self, graph, inputs, **options)
    return _as_it_is("inductor compiles", graph, inputs)


def _without_driver(graph: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> Any:
    if not _is_for_cards(graph, inputs):
        return torch._dynamo.lookup_backend(_CUDAGRAPHS)(graph, inputs)
    return _as_it_is("the backend cudagraphs records", graph, inputs)


def _as_it_is(who: str, graph: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> Any:
    warnings.warn(
        "torch.compile: virtual GPUs run the traced graph unchanged (backend aot_eager), because "
        f"{who} only for real GPUs. Values are right, but nothing gets faster.",
        stacklevel=3,
    )
    return torch._dynamo.lookup_backend("aot_eager")(graph, inputs)


def _build_script(ctx: Any, definition: ast.FunctionDef, *rest: Any, **named: Any) -> Any:
    """Raise an error before C++ searches for a missing type, which would end the process."""
    if found := _SCRIPTED.search(ast.unparse(definition)):
        raise UnsupportedFeature(
            f"{found.group()} in TorchScript", "use it outside of scripted functions"
        )
    return _build_def(ctx, definition, *rest, **named)


def patch(patches: Patches) -> None:
    """Make ``torch.compile`` skip this package, and use no inductor on cards."""
    patches.set(torch, compile=_compile_the_rest)
    patches.set(_Inductor, __call__=_run_the_graph)
    patches.set(torch.jit.frontend, build_def=_build_script)
