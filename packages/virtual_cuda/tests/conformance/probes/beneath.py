"""What lies beneath: the context, threads, addresses, the bits of numbers."""

from __future__ import annotations

import threading

import torch

from ..probe import in_a_thread, shows, within

ALLOCATOR = "c10/cuda/CUDACachingAllocator.cpp"
PROPERTIES = "torch/_C/__init__.pyi _CudaDeviceProperties; CUDA runtime: cudaDeviceProp"
NVTX = "nvtx3/nvtxDetail/nvtxImplCore.h: NVTX_NO_PUSH_POP_TRACKING where no tool listens"
TF32 = "docs/source/notes/cuda.rst: TF32 rounds inputs to 10 bits of mantissa"
MIB = 1 << 20
SLIGHTLY_MORE = 1 + 2**-12  # which ten bits of mantissa cannot tell from 1


def x(*shape):
    return torch.ones(shape or (2,), device="cuda")


def large(stream=None):
    with torch.cuda.stream(stream):
        return torch.empty(30 * MIB, dtype=torch.uint8, device="cuda")


def reserved(act):
    torch.cuda.empty_cache()
    before = torch.cuda.memory_reserved()
    act()
    return (torch.cuda.memory_reserved() - before) // MIB


def on_two_streams(wait):
    """Memory that one stream freed, and another asks for."""
    side = torch.cuda.Stream()
    kept = large(side)
    if wait:
        torch.cuda.synchronize()
    del kept
    large()


def thread_of_a_hook():
    seen = []
    leaf = x().requires_grad_()
    leaf.register_hook(lambda grad: seen.append(threading.get_ident()))
    (leaf * 2).sum().backward()
    return seen == [threading.get_ident()]


def drawn():
    torch.manual_seed(0)
    return [round(value, 4) for value in torch.rand(3, device="cuda").tolist()]


def taken_by_the_context():
    free, total = torch.cuda.mem_get_info()
    return total - free - torch.cuda.memory_reserved() > 0


def product():
    """An element of a product, on a card with TF32; the rounded one on a card without."""
    if torch.cuda.get_device_capability() < (8, 0) and torch.backends.cuda.matmul.allow_tf32:
        return 1.0
    return (SLIGHTLY_MORE * x(512, 512) @ torch.eye(512, device="cuda"))[0, 0].item()


def with_tf32(allowed):
    torch.backends.cuda.matmul.allow_tf32 = allowed
    try:
        return product()
    finally:
        torch.backends.cuda.matmul.allow_tf32 = False


def with_precision(name):
    torch.set_float32_matmul_precision(name)
    try:
        return product()
    finally:
        torch.set_float32_matmul_precision("highest")


shows(
    "hooks of backward run in the card's thread",
    "torch/csrc/autograd/engine.cpp: a thread per device",
    thread_of_a_hook,
    False,
)
shows(
    "numbers are Philox's",
    "aten/src/ATen/native/cuda/DistributionTemplates.h; curand_philox4x32_x.h: Philox 4x32-10 "
    "of seed 0, one subsequence for each element",
    drawn,
    [0.399, 0.5167, 0.0249],
)
shows(
    "the context takes memory",
    "docs/source/notes/cuda.rst: memory in nvidia-smi",
    taken_by_the_context,
    True,
)
shows(
    "addresses are multiples of 512",
    f"{ALLOCATOR}: kMinBlockSize",
    lambda: sum(x(size).data_ptr() % 512 for size in range(1, 400, 20)),
    0,
)
shows(
    "another stream's memory is not given out",
    f"{ALLOCATOR} BlockComparatorSize: p.stream()",
    lambda: reserved(lambda: on_two_streams(False)),
    60,
)
shows(
    "not even after a wait",
    f"{ALLOCATOR} BlockComparatorSize: p.stream()",
    lambda: reserved(lambda: on_two_streams(True)),
    60,
)
shows(
    "the same stream's memory is",
    f"{ALLOCATOR} get_free_block",
    lambda: reserved(lambda: (large(), None)[1] or large()),
    30,
)
shows("products are not rounded by default", TF32, product, SLIGHTLY_MORE)
shows("products are rounded with TF32", TF32, lambda: with_tf32(True), 1.0)
shows(
    "products are rounded at high precision",
    "docs: torch.set_float32_matmul_precision",
    lambda: with_precision("high"),
    1.0,
)
shows(
    "and not at the highest",
    "docs: torch.set_float32_matmul_precision",
    lambda: with_precision("highest"),
    SLIGHTLY_MORE,
)
for name in (
    "clock_rate",
    "memory_clock_rate",
    "memory_bus_width",
    "shared_memory_per_multiprocessor",
):
    shows(
        f"{name} of a card",
        PROPERTIES,
        lambda n=name: getattr(torch.cuda.get_device_properties(0), n) > 0,
        True,
    )
shows("an NVTX range without a tool", NVTX, lambda: torch.cuda.nvtx.range_push("a"), -2)
shows("the end of an NVTX range without a tool", NVTX, torch.cuda.nvtx.range_pop, -2)
shows(
    "the handle of an NVTX range without a tool",
    "nvtx3/nvtxDetail/nvtxImplCore.h nvtxRangeStartA",
    lambda: torch.cuda.nvtx.range_start("a"),
    0,
)
shows(
    "the current card of a thread is its own",
    "c10/cuda/CUDAFunctions.cpp: cudaGetDevice is per thread",
    lambda: (in_a_thread(lambda: torch.cuda.set_device(1)), torch.cuda.current_device())[1],
    0,
    devices=2,
)
shows(
    "autograd's state is per thread",
    "docs: torch.no_grad is thread local",
    lambda: within(torch.no_grad(), lambda: in_a_thread(torch.is_grad_enabled)),
    True,
)
