"""Memory counters. All run in one process in which no matrix product takes a workspace."""

from __future__ import annotations

import gc

import torch
from torch import nn

from ..registry import OWN, Devices, Facts, caught, program

ALLOCATOR = "c10/cuda/CUDACachingAllocator.cpp, c10/core/AllocatorConfig.h"
PROCESS = "memory"
KIB, MIB = 1 << 10, 1 << 20


def filled(nbytes: int, device: torch.device) -> torch.Tensor:
    return torch.empty(nbytes, dtype=torch.uint8, device=device)


class Counter:
    """Bytes allocated and reserved on a device since this was made."""

    def __init__(self, device: torch.device) -> None:
        self.device = device
        self._allocated = torch.cuda.memory_allocated(device)
        self._reserved = torch.cuda.memory_reserved(device)

    @property
    def allocated(self) -> int:
        return torch.cuda.memory_allocated(self.device) - self._allocated

    @property
    def reserved(self) -> int:
        return torch.cuda.memory_reserved(self.device) - self._reserved

    @property
    def peak(self) -> int:
        return torch.cuda.max_memory_allocated(self.device) - self._allocated


@program(
    {"1": 512, "512": 512, "513": 1024, "0": 0, "100000": 100352}, source=ALLOCATOR, process=PROCESS
)
def blocks(devices: Devices) -> Facts:
    """Every allocation is rounded up to 512 bytes."""
    facts: Facts = {}
    for nbytes in (1, 512, 513, 0, 100000):
        counter = Counter(devices[0])
        x = filled(nbytes, devices[0])
        facts[str(nbytes)] = counter.allocated
        del x
    return facts


@program(
    {"view": 4 * MIB, "after_owner": 4 * MIB, "after_view": 0}, source=ALLOCATOR, process=PROCESS
)
def a_view_keeps_the_memory(devices: Devices) -> Facts:
    """Views cost nothing and keep everything."""
    counter = Counter(devices[0])
    x = filled(4 * MIB, devices[0])
    part = x[10:20]
    facts = {"view": counter.allocated}
    del x
    facts["after_owner"] = counter.allocated
    del part
    return {**facts, "after_view": counter.allocated}


@program({"second": [MIB, 0], "first": [0, 512]}, devices=2, source=ALLOCATOR, process=PROCESS)
def cards_count_apart(devices: Devices) -> Facts:
    """Every card has its own books."""
    first, second = Counter(devices[0]), Counter(devices[1])
    x = filled(MIB, devices[1])
    facts = {"second": [second.allocated, first.allocated]}
    y = filled(1, devices[0])
    del x
    facts["first"] = [second.allocated, first.allocated]
    del y
    return facts


@program({"peak": 3 * MIB, "after_reset": MIB}, source=ALLOCATOR, process=PROCESS)
def peak(devices: Devices) -> Facts:
    """The peak stays until it is reset."""
    counter = Counter(devices[0])
    x, y = filled(MIB, devices[0]), filled(2 * MIB, devices[0])
    del y
    facts = {"peak": counter.peak}
    torch.cuda.reset_peak_memory_stats(devices[0])
    facts["after_reset"] = counter.peak
    del x
    return facts


@program(
    {"result": 8 * MIB, "peak": 12 * MIB, "in_place": 12 * MIB}, source=ALLOCATOR, process=PROCESS
)
def temporaries(devices: Devices) -> Facts:
    """An expression needs memory for what it passes through; in place needs none."""
    counter = Counter(devices[0])
    x = torch.ones(MIB, device=devices[0])
    y = (x + 1) * x
    facts = {"result": counter.allocated, "peak": counter.peak}
    y.add_(1)
    return {**facts, "in_place": counter.peak}


@program(
    {
        "1 KiB": 2 * MIB,
        "1 MiB": 2 * MIB,
        "1 MiB + 1": 20 * MIB,
        "10 MiB": 10 * MIB,
        "11 MiB": 12 * MIB,
    },
    source=ALLOCATOR,
    process=PROCESS,
)
def segments(devices: Devices) -> Facts:
    """What is reserved comes in segments whose size depends on the request."""
    sizes = {
        "1 KiB": KIB,
        "1 MiB": MIB,
        "1 MiB + 1": MIB + 1,
        "10 MiB": 10 * MIB,
        "11 MiB": 11 * MIB,
    }
    facts: Facts = {}
    for name, nbytes in sizes.items():
        torch.cuda.empty_cache()
        counter = Counter(devices[0])
        x = filled(nbytes, devices[0])
        facts[name] = counter.reserved
        del x
    return facts


@program({"kept": 2 * MIB, "emptied": 0}, source="docs: empty_cache", process=PROCESS)
def the_cache(devices: Devices) -> Facts:
    """Freed memory stays reserved until the cache is emptied."""
    counter = Counter(devices[0])
    x = filled(MIB, devices[0])
    del x
    facts = {"kept": counter.reserved}
    torch.cuda.empty_cache()
    return {**facts, "emptied": counter.reserved}


@program({"together": 2 * MIB, "reused": 2 * MIB}, source=ALLOCATOR, process=PROCESS)
def segments_are_shared(devices: Devices) -> Facts:
    """Small tensors share a segment, and new ones use what old ones left."""
    counter = Counter(devices[0])
    kept = [filled(100 * KIB, devices[0]) for _ in range(10)]
    facts = {"together": counter.reserved}
    kept.clear()
    kept = [filled(200 * KIB, devices[0]) for _ in range(5)]
    return {**facts, "reused": counter.reserved}


@program(
    {"large": [15 * MIB, 20 * MIB], "two": [15 * MIB, 20 * MIB]}, source=ALLOCATOR, process=PROCESS
)
def medium_segments(devices: Devices) -> Facts:
    """Two requests of some MiB fit into one 20 MiB segment."""
    counter = Counter(devices[0])
    x, y = filled(9 * MIB, devices[0]), filled(6 * MIB, devices[0])
    facts: Facts = {"large": [counter.allocated, counter.reserved]}
    del x
    z = filled(9 * MIB, devices[0])
    facts["two"] = [counter.allocated, counter.reserved]
    del y, z
    return facts


@program(
    {"allocated": 12 * MIB, "requested": 11 * MIB},
    source=ALLOCATOR + ": should_split",
    process=PROCESS,
)
def a_rest_too_small_to_split(devices: Devices) -> Facts:
    """A large block is not split for a rest of 1 MiB or less, and counts whole."""
    counter = Counter(devices[0])
    requested = torch.cuda.memory_stats(devices[0])["requested_bytes.all.current"]
    x = filled(11 * MIB, devices[0])
    now = torch.cuda.memory_stats(devices[0])["requested_bytes.all.current"]
    facts = {"allocated": counter.allocated, "requested": now - requested}
    del x
    return facts


@program({"reserved": [40 * MIB, 20 * MIB]}, source=ALLOCATOR, process=PROCESS)
def fragmentation(devices: Devices) -> Facts:
    """A segment is given back only when all of it is free."""
    counter = Counter(devices[0])
    kept = [filled(9 * MIB, devices[0]) for _ in range(4)]
    del kept[1:]
    facts = [counter.reserved]
    torch.cuda.empty_cache()
    return {"reserved": [*facts, counter.reserved]}


@program({"scattered": [40 * MIB, 40 * MIB], "live": 18 * MIB}, source=ALLOCATOR, process=PROCESS)
def fragmentation_of_two_segments(devices: Devices) -> Facts:
    """Half-used segments are all kept, though what lives would fit into one."""
    counter = Counter(devices[0])
    kept = [filled(9 * MIB, devices[0]) for _ in range(4)]
    kept = [kept[0], kept[2]]
    facts = [counter.reserved]
    torch.cuda.empty_cache()
    return {"scattered": [*facts, counter.reserved], "live": counter.allocated}


@program({"moved": 3584, "same": 3584, "grad": 7168, "freed": 0}, source=ALLOCATOR, process=PROCESS)
def a_module(devices: Devices) -> Facts:
    """A module's parameters, its gradients, and nothing when it is gone."""
    counter = Counter(devices[0])
    net = nn.ParameterList([nn.Parameter(torch.ones(700)), nn.Parameter(torch.ones(10))])
    net.to(devices[0])
    facts = {"moved": counter.allocated}
    net.to(devices[0])
    facts["same"] = counter.allocated
    torch.autograd.backward([(p * 2).sum() for p in net])
    facts["grad"] = counter.allocated
    del net
    return {**facts, "freed": counter.allocated}


@program(
    {"adam": 2 * 4096, "sgd": 0, "momentum": 4096},
    source="torch/optim; " + ALLOCATOR,
    process=PROCESS,
)
def optimizer_state(devices: Devices) -> Facts:
    """What optimizers keep on the card for a parameter of 4 KiB."""
    facts: Facts = {}
    makes = {
        "adam": lambda p: torch.optim.Adam(p),
        "sgd": lambda p: torch.optim.SGD(p, lr=0.1),
        "momentum": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9),
    }
    for name, make in makes.items():
        parameter = nn.Parameter(torch.ones(1024, device=devices[0]))
        parameter.grad = torch.ones_like(parameter)
        optimizer = make([parameter])
        counter = Counter(devices[0])
        optimizer.step()
        facts[name] = counter.allocated
    return facts


@program(
    {"graph": 2 * 4096, "freed": 4096, "no_grad": 4096},
    source="docs: saved tensors",
    process=PROCESS,
)
def saved_for_backward(devices: Devices) -> Facts:
    """The graph keeps intermediate results until it is used or dropped."""
    x = torch.ones(1024, device=devices[0], requires_grad=True)
    counter = Counter(devices[0])
    y = x.exp().exp()
    facts = {"graph": counter.allocated}
    y = y.detach()
    facts["freed"] = counter.allocated
    del y
    with torch.no_grad():
        y = x.exp().exp()
    facts["no_grad"] = counter.allocated
    del y
    return facts


@program(
    {"allocated": MIB, "count": 1, "peak": True, "reserved": 2 * MIB},
    source="docs: torch.cuda.memory_stats",
    process=PROCESS,
)
def stats(devices: Devices) -> Facts:
    """The same numbers by name."""
    before = torch.cuda.memory_stats(devices[0])
    x = filled(MIB, devices[0])
    after = torch.cuda.memory_stats(devices[0])
    return {
        "allocated": after["allocated_bytes.all.current"] - before["allocated_bytes.all.current"],
        "count": after["allocation.all.current"] - before["allocation.all.current"],
        "peak": after["allocated_bytes.all.peak"] >= x.numel(),
        "reserved": after["reserved_bytes.all.current"] - before["reserved_bytes.all.current"],
    }


@program(
    {"segments": 1, "small": [MIB, 0], "large": [0, 4 * MIB]},
    process=PROCESS,
    source="docs: memory_stats: segment, small_pool, large_pool",
)
def stats_by_pool(devices: Devices) -> Facts:
    """Requests up to 1 MiB are kept apart from larger ones."""

    def read() -> list[int]:
        now = torch.cuda.memory_stats(devices[0])
        return [
            now["segment.all.current"],
            now["allocated_bytes.small_pool.current"],
            now["allocated_bytes.large_pool.current"],
        ]

    torch.cuda.empty_cache()
    first = read()
    x = filled(MIB, devices[0])
    second = read()
    y = filled(4 * MIB, devices[0])
    third = read()
    del x, y
    return {
        "segments": second[0] - first[0],
        "small": [second[1] - first[1], third[1] - second[1]],
        "large": [second[2] - first[2], third[2] - second[2]],
    }


@program({"after": 0}, process=PROCESS, source="docs: memory_stats accumulate")
def freed_at_once(devices: Devices) -> Facts:
    """Reference counting frees; no collection is needed."""
    counter = Counter(devices[0])
    gc.disable()
    try:
        for _ in range(10):
            x = filled(MIB, devices[0])
            x = x + 1
        del x
        return {"after": counter.allocated}
    finally:
        gc.enable()


@program({"dies_with_cycle": [MIB, 0]}, process=PROCESS, source="Python's garbage collector")
def cycles_keep_memory(devices: Devices) -> Facts:
    """A reference cycle holds card memory until it is collected."""
    counter = Counter(devices[0])
    gc.disable()
    try:
        cycle: list[object] = [filled(MIB, devices[0])]
        cycle.append(cycle)
        del cycle
        held = counter.allocated
        gc.collect()
        return {"dies_with_cycle": [held, counter.allocated]}
    finally:
        gc.enable()


@program(
    {"total": True, "bounds": True, "difference": 64 * MIB},
    process=PROCESS,
    source="cudaMemGetInfo",
)
def free_and_total(devices: Devices) -> Facts:
    """The driver's view: free falls by what is reserved."""
    torch.cuda.empty_cache()
    free, total = torch.cuda.mem_get_info(devices[0])
    x = filled(64 * MIB, devices[0])
    now, _ = torch.cuda.mem_get_info(devices[0])
    del x
    return {
        "total": total == torch.cuda.get_device_properties(devices[0]).total_memory,
        "bounds": 0 < free <= total,
        "difference": free - now,
    }


@program(
    {
        "type": "OutOfMemoryError",
        "is_runtime_error": True,
        "same_class": True,
        "start": "CUDA out of memory. Tried to allocate 1048576.00 GiB. GPU 0 has a total capacity "
        "of ",
        "end": "is reserved by PyTorch but unallocated. If reserved but unallocated memory is "
        "large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid "
        "fragmentation.  See documentation for Memory Management  (https://docs.pytorch.org/docs/stable/notes/"
        "cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf)",
    },
    process=PROCESS,
    source="CUDACachingAllocator.cpp; literals of the 2.12 library and public "
    "logs of June to October 2026; releases to 2.10 say it otherwise",
)
def out_of_memory(devices: Devices) -> Facts:
    """A request beyond the card: class and text, without the card's own numbers."""
    error = caught(lambda: filled(1 << 50, devices[0]))
    text = error["text"] or ""
    return {
        "type": error["type"],
        "start": text[: text.find("total capacity of ") + 18],
        "end": text[text.find("is reserved by PyTorch but") :],
        "is_runtime_error": issubclass(torch.OutOfMemoryError, RuntimeError),
        "same_class": torch.cuda.OutOfMemoryError is torch.OutOfMemoryError,
    }


@program({"allocated": MIB, "works": True, "ooms": 1}, process=PROCESS, source=ALLOCATOR)
def life_after_out_of_memory(devices: Devices) -> Facts:
    """What lived before lives on, and there is room for small things."""
    counter = Counter(devices[0])
    ooms = torch.cuda.memory_stats(devices[0])["num_ooms"]
    x = filled(MIB, devices[0])
    caught(lambda: filled(1 << 50, devices[0]))
    return {
        "allocated": counter.allocated,
        "works": (x[:1].fill_(1) + 1).item() == 2,
        "ooms": torch.cuda.memory_stats(devices[0])["num_ooms"] - ooms,
    }


@program(
    {"type": "OutOfMemoryError", "allowed": True, "fraction": 0.001, "after": None},
    process=PROCESS,
    source="docs: set_per_process_memory_fraction",
)
def memory_fraction(devices: Devices) -> Facts:
    """A process can limit itself, and the text says so."""
    total = torch.cuda.get_device_properties(devices[0]).total_memory
    torch.cuda.set_per_process_memory_fraction(0.001, devices[0])
    try:
        error = caught(lambda: filled(total // 100, devices[0]))
        fraction = torch.cuda.get_per_process_memory_fraction(devices[0])
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0, devices[0])
    after = caught(lambda: filled(total // 100, devices[0]))
    return {
        "type": error["type"],
        "allowed": " allowed; " in (error["text"] or ""),
        "fraction": round(fraction, 6),
        "after": after["type"],
    }


@program(
    {"current": True, "generic": MIB, "title": True},
    process=PROCESS,
    source="docs: memory_summary, torch.accelerator.memory_allocated",
)
def other_ways_to_ask(devices: Devices) -> Facts:
    """Without an argument the current card is meant; the generic API agrees."""
    generic = torch.accelerator.memory_allocated(devices[0])
    x = filled(MIB, devices[0])
    generic = torch.accelerator.memory_allocated(devices[0]) - generic
    del x
    return {
        "current": torch.cuda.memory_allocated() == torch.cuda.memory_allocated(devices[0]),
        "generic": generic,
        "title": "PyTorch CUDA memory summary, device ID 0"
        in torch.cuda.memory_summary(devices[0]),
    }


@program(
    {"more_than_the_operands": True},
    process=OWN,
    source="docs: cuBLAS workspaces (CUBLAS_WORKSPACE_CONFIG)",
)
def first_matrix_product(devices: Devices) -> Facts:
    """The first product also allocates a workspace for cuBLAS."""
    x = torch.ones(4, 4, device=devices[0])
    counter = Counter(devices[0])
    y = x @ x
    torch.cuda.synchronize()
    more = counter.allocated - y.untyped_storage().nbytes()
    return {"more_than_the_operands": more > 512}


@program({"allocated": 4 * MIB, "freed": 0}, process=PROCESS, source=ALLOCATOR)
def moving_counts_there(devices: Devices) -> Facts:
    """A moved tensor counts where it arrives; host memory does not count."""
    counter = Counter(devices[0])
    x = torch.ones(MIB)
    y = x.to(devices[0])
    facts = {"allocated": counter.allocated}
    del y
    return {**facts, "freed": counter.allocated}
