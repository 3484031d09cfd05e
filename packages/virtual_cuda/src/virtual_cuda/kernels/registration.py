"""Registration of all kernels for cards with torch's dispatcher, and errors for other operators.

Every operator with a CPU kernel gets a ``BoxedKernel``. Special kernels replace it.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import torch
from torch._C import DispatchKey, DispatchKeySet
from torch._ops import OpOverload
from torch.library import Library

from .. import errors, runtime
from ..cards import close_to_all
from ..platform import helper
from ..platform.switches import HAS_CUDA_BUILD
from ..timing import costs
from . import dtypes, nested
from .boxed import BoxedKernel, Kernel
from .specialise import in_place_view_kernel, operator, operators_of

# Operators without their own CPU kernel that must still use ours.
_ALSO = {"convolution", "convolution_backward", "convolution_overrideable", "mode.values"}
_IN_PLACE_VIEWS = (
    "as_strided_",
    "squeeze_",
    "squeeze_.dim",
    "squeeze_.dims",
    "t_",
    "transpose_",
    "unsqueeze_",
)
# Kernels specialised at registration, which saves a step on every call.
_FREQUENT = {
    "_foreach_add_.List",
    "_foreach_add_.Scalar",
    "_foreach_mul_.Scalar",
    "_log_softmax_backward_data",
    "_unsafe_view",
    "add.Tensor",
    "add_.Tensor",
    "addmm",
    "as_strided",
    "cat",
    "clone",
    "convolution",
    "convolution_backward",
    "div.Tensor",
    "fill_.Scalar",
    "mean",
    "mm",
    "mul.Tensor",
    "mul_.Tensor",
    "neg",
    "nll_loss_backward",
    "nll_loss_forward",
    "relu",
    "sub.Tensor",
    "sum",
    "sum.dim_IntList",
    "threshold_backward",
    "view",
    "zero_",
}
# The CPU has its own kernels for these; CUDA uses the composite ones, which exist anyway.
COMPOSITE = {"_stack", "narrow_copy", "native_channel_shuffle", "pixel_shuffle", "pixel_unshuffle"}
# CUDA has no kernel for these (torch's native_functions.yaml has one only for the CPU).
CPU_ONLY = {
    "_add_relu.Scalar",
    "_add_relu.Tensor",
    "_add_relu.out",
    "_add_relu_.Scalar",
    "_add_relu_.Tensor",
    "_histogramdd_bin_edges",
    "_histogramdd_from_bin_cts",
    "_histogramdd_from_bin_tensors",
    "_spdiags",
    "histogram.bin_ct",
    "histogram.bin_ct_out",
    "histogram.bins_tensor",
    "histogram.bins_tensor_out",
    "to_mkldnn",
}
_NO_DEVICE = DispatchKey.PrivateUse3  # a key without any kernel


def add_kernel(library: Library, name: str, kernel: Callable[..., Any]) -> None:
    """Register a kernel as ``Library.impl``, without its checks, which are slow."""
    assert library.m is not None, "the library was destroyed"
    library.m.impl(name, library.dispatch_key, kernel, False)


def take_away(libraries: list[Library]) -> None:
    """Remove our kernels from the CUDA build, which restores its own.

    In the CPU build ours stay registered until the process ends. Without a runtime they raise
    torch's own "not compiled" error, also for tensors that outlive ``disable()``.
    """
    if HAS_CUDA_BUILD:
        for library in libraries:
            library._destroy()
        libraries.clear()


def _operator_names() -> set[str]:
    prefix, known = "aten::", torch._C._dispatch_get_all_op_names()
    names = operators_of("CPU")
    names |= {n.removeprefix(prefix) for n in known if n.startswith("aten::_foreach_")}
    if HAS_CUDA_BUILD:
        names |= operators_of("CUDA")
    return names - COMPOSITE | _ALSO


def names_of_kernels() -> set[str]:
    """The operators with a kernel for cards, except those that only change a tensor's layout."""
    return operators_of("CUDA") - helper.VIEWS - set(_IN_PLACE_VIEWS) - CPU_ONLY


def refuse_as_dispatcher(backend: str, op: OpOverload | str, *args: Any, **kwargs: Any) -> Any:
    """Raise the dispatcher's own error for an operator that a backend does not have."""
    op = operator(op) if isinstance(op, str) else op
    try:
        op._handle.redispatch_boxed(DispatchKeySet(_NO_DEVICE), *args, **kwargs)
    except NotImplementedError as error:
        sentence = str(error).partition("\n")[0].replace(_NO_DEVICE.name, backend, 1)
        raise NotImplementedError(sentence.replace(f"{backend}, ", "")) from None


@functools.cache
def _kernel_of(op: OpOverload) -> Kernel:
    """The kernel for an operator without one of ours.

    Operators of other libraries are called, because they may have a kernel for real GPUs. The
    exceptions: torch's own for quantized tensors, and those that Python registered for the CPU.
    """
    namespace, _, name = op._schema.name.partition("::")
    overload = f".{op._schema.overload_name}" if op._schema.overload_name else ""
    if namespace == "quantized" or f"{namespace}/{name}{overload}/CPU" in torch.library._impls:
        return functools.partial(refuse_as_dispatcher, "CUDA", op)
    return BoxedKernel(op)


def _fallback(op: OpOverload, *args: Any, **kwargs: Any) -> Any:
    state = runtime.current()
    with nullcontext() if state is None else state.clock.at_once(op.name()):
        return _kernel_of(op)(*args, **kwargs)


def _refuse_quantized(*args: Any, **kwargs: Any) -> Any:
    runtime.ready()
    raise errors.no_quantized_tensors()


_libraries: list[torch.library.Library] = []


def _cover_others(key: str, kernel: Callable[..., Any]) -> None:
    """Put ``kernel`` above the CUDA build's kernels outside aten.

    A key's fallback does not replace these. Kernels in Python, such as FSDP's, do not need it.
    ``interface.distributed.collectives`` handles c10d.
    """
    for full_name in torch._C._dispatch_get_registrations_for_dispatch_key(key):
        namespace, _, name = full_name.partition("::")
        in_python = f"{namespace}/{name}/{key}" in torch.library._impls
        if namespace not in ("aten", "c10d") and not in_python:
            library = torch.library.Library(namespace, "IMPL", key)
            _libraries.append(library)
            add_kernel(library, name, functools.partial(kernel, operator(name, namespace)))


def register(
    special: dict[str, Kernel], on_cpu: dict[str, Kernel], with_gradients: dict[str, Kernel]
) -> Callable[[], None]:
    """Register all kernels. Returns the function that removes them.

    ``with_gradients``: kernels that call other operators, which have gradients.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch warns about every kernel that replaces another
        if not _libraries:
            aten = torch.library.Library("aten", "IMPL", "CUDA")
            fallback = torch.library.Library("_", "IMPL")
            of_quantized = torch.library.Library("aten", "IMPL", "QuantizedCUDA")
            _libraries.extend((aten, fallback, of_quantized))
            of_nested = torch.library.Library("aten", "IMPL", "NestedTensorCUDA")
            _libraries.append(of_nested)
            for name in operators_of(nested.KEY) | operators_of("NestedTensorCUDA"):
                add_kernel(of_nested, name, nested.kernel(name))
            fallback.fallback(_fallback, "CUDA")
            fallback.fallback(_refuse_quantized, "QuantizedCUDA")
            for name in operators_of("QuantizedCUDA"):  # the CUDA build's own
                add_kernel(of_quantized, name, _refuse_quantized)
            fallback.fallback(nested.call, "NestedTensorCUDA")
            _cover_others("CUDA", _fallback)
            _cover_others("QuantizedCUDA", _refuse_quantized)
            compiled = helper.load()
            if compiled is not None:
                needs = [
                    (name, costs.FLOPS.get(name), name in dtypes.REFUSED) for name in helper.KERNELS
                ]
                compiled.register(needs, list(helper.VIEWS))
                spare = torch.library.Library("aten", "IMPL", helper.SLOW_KEY)
                _libraries.append(spare)
            for name in CPU_ONLY:
                add_kernel(aten, name, functools.partial(refuse_as_dispatcher, "CUDA", name))
            for name in _operator_names() - set(special) - set(_IN_PLACE_VIEWS) - CPU_ONLY:
                boxed = BoxedKernel(name)
                if compiled is not None and name in helper.KERNELS | helper.VIEWS:
                    add_kernel(spare, name, boxed)
                    continue
                add_kernel(aten, name, boxed.made_to_measure() if name in _FREQUENT else boxed)
            for name in _IN_PLACE_VIEWS:
                add_kernel(aten, name, in_place_view_kernel(operator(name)))
            above = torch.library.Library("aten", "IMPL", "AutogradCUDA")
            _libraries.append(above)
            for name, kernel in with_gradients.items():
                add_kernel(above, name, kernel)
            known = set(torch._C._dispatch_get_all_op_names())
            for name, kernel in (special | with_gradients).items():
                if f"aten::{name}" in known:  # a version of torch may lack one
                    add_kernel(aten, name, kernel)
        cpu = torch.library.Library("aten", "IMPL", "CPU")
        for name, kernel in on_cpu.items():
            cpu.impl(name, kernel)

    def unregister() -> None:
        close_to_all()
        cpu._destroy()
        take_away(_libraries)

    return unregister
