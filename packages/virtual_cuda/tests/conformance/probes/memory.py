"""The caching allocator: what it counts, when it takes segments, what it says without room."""

from __future__ import annotations

import gc

import torch

from ..probe import refuses, shows

ALLOCATOR = "c10/cuda/CUDACachingAllocator.cpp"
SETTINGS = "c10/cuda/CUDAAllocatorConfig.cpp; c10/core/AllocatorConfig.h"
PYTHON = "torch/cuda/memory.py"
TEST = "test/test_cuda.py"
KIB, MIB = 1 << 10, 1 << 20


def filled(nbytes):
    return torch.empty(nbytes, dtype=torch.uint8, device="cuda")


def made(nbytes, device="cuda"):
    """Makes a tensor, and lets it go."""
    torch.empty(nbytes, dtype=torch.uint8, device=device)


def grown(act, reading=torch.cuda.memory_allocated):
    """By how much a reading is larger while what ``act`` made is alive."""
    torch.cuda.empty_cache()
    before = reading()
    kept = act()
    after = reading()
    del kept
    return after - before


def reserved(*sizes):
    return grown(lambda: [filled(size) for size in sizes], torch.cuda.memory_reserved) // MIB


def stat(name):
    return lambda: torch.cuda.memory_stats()[name]


def after(act, name):
    """A statistic of what ``act`` did."""
    torch.cuda.empty_cache()
    torch.cuda.reset_accumulated_memory_stats()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_stats()[name]
    act()
    return torch.cuda.memory_stats()[name] - before


def fraction(value, act):
    torch.cuda.set_per_process_memory_fraction(value)
    try:
        return act()
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0)


def half_of_it():
    return filled(torch.cuda.get_device_properties(0).total_memory // 2)


def two_halves_and_a_bit():
    kept = [half_of_it()]
    kept.append(half_of_it())
    kept.append(half_of_it())


def out_of_memory():
    try:
        two_halves_and_a_bit()
    except torch.OutOfMemoryError:
        gc.collect()


def settings(text):
    torch.cuda.memory._set_allocator_settings(text)


def rounded(text, nbytes):
    """What a block takes under some settings."""
    settings(text)
    try:
        return grown(lambda: filled(nbytes))
    finally:
        settings("")


def history(act, context="all"):
    """The actions that the allocator notes."""
    torch.cuda.empty_cache()
    torch.cuda.memory._record_memory_history(context=context)
    try:
        act()
        trace = torch.cuda.memory._snapshot()["device_traces"][0]
    finally:
        torch.cuda.memory._record_memory_history(None)
    return [entry["action"] for entry in trace]


for nbytes, block in {
    1: 512,
    512: 512,
    513: 1024,
    MIB: MIB,
    MIB + 1: MIB + 512,
    3 * MIB: 3 * MIB,
}.items():
    shows(
        f"{nbytes} bytes take {block}",
        f"{ALLOCATOR} round_size: kMinBlockSize = 512",
        lambda n=nbytes: grown(lambda: filled(n)),
        block,
    )
for sizes, segments in {
    (1,): 2,
    (MIB,): 2,
    (MIB, MIB): 2,
    (MIB, MIB, 1): 4,
    (MIB + 1,): 20,
    (10 * MIB - 512,): 20,
    (10 * MIB,): 10,
    (11 * MIB,): 12,
    (21 * MIB,): 22,
    (5 * MIB, 5 * MIB): 20,
    (8 * MIB, 8 * MIB, 8 * MIB): 40,
}.items():
    shows(
        f"blocks of {sizes} bytes reserve {segments} MiB",
        f"{ALLOCATOR} get_allocation_size: kSmallBuffer, kLargeBuffer, kRoundLarge",
        lambda s=sizes: reserved(*s),
        segments,
    )
shows(
    "an empty tensor takes nothing",
    f"{ALLOCATOR} allocate: if (size != 0)",
    lambda: grown(lambda: torch.empty(0, device="cuda")),
    0,
)
shows(
    "a view takes nothing",
    "docs: Tensor views",
    lambda: (lambda x: grown(lambda: x.view(-1)))(filled(100)),
    0,
)
shows(
    "expand takes nothing",
    "docs: Tensor.expand",
    lambda: (lambda x: grown(lambda: x.expand(100, 100)))(filled(100)),
    0,
)
shows(
    "256 floats take 1 KiB",
    f"{TEST} test_memory_stats",
    lambda: grown(lambda: torch.randn(256, device="cuda"), stat("active_bytes.all.current")),
    1024,
)
shows("a slice keeps the whole", ALLOCATOR, lambda: grown(lambda: filled(4 * MIB)[:1]), 4 * MIB)
shows(
    "a clone of a slice does not",
    ALLOCATOR,
    lambda: grown(lambda: filled(4 * MIB)[:1].clone()),
    512,
)
shows(
    "freed memory stays reserved",
    "docs/source/notes/cuda.rst: Memory management",
    lambda: (made(30 * MIB), torch.cuda.memory_reserved() >= 30 * MIB)[1],
    True,
)
shows(
    "empty_cache gives it back",
    "docs: torch.cuda.empty_cache",
    lambda: (made(30 * MIB), torch.cuda.empty_cache(), torch.cuda.memory_reserved() >= 30 * MIB)[2],
    False,
)
shows(
    "the peak stays",
    "docs: torch.cuda.max_memory_allocated",
    lambda: after(lambda: filled(4 * MIB), "allocated_bytes.all.peak"),
    4 * MIB,
)
for name, change in {
    "allocation.all.allocated": 2,
    "allocation.all.freed": 2,
    "allocation.all.current": 0,
    "allocation.small_pool.allocated": 1,
    "allocation.large_pool.allocated": 1,
    "allocated_bytes.all.allocated": 512 + 2 * MIB,
    "allocated_bytes.all.freed": 512 + 2 * MIB,
    "requested_bytes.all.allocated": 3 + 2 * MIB,
    "segment.all.allocated": 2,
    "reserved_bytes.small_pool.allocated": 2 * MIB,
    "reserved_bytes.large_pool.allocated": 20 * MIB,
    "num_device_alloc": 2,
    "num_device_free": 0,
    "num_alloc_retries": 0,
    "num_ooms": 0,
}.items():
    shows(
        f"{name} of a small and a large block",
        f"docs: torch.cuda.memory_stats; {ALLOCATOR}",
        lambda n=name: after(lambda: (filled(3), filled(2 * MIB)), n),
        change,
    )
shows(
    "a refusal is an out of memory",
    f"{ALLOCATOR} malloc: stats.num_ooms",
    lambda: after(out_of_memory, "num_ooms"),
    1,
)
shows(
    "a refusal was retried",
    "docs: torch.cuda.memory_stats: num_alloc_retries",
    lambda: after(out_of_memory, "num_alloc_retries"),
    1,
)
shows(
    "memory is all there after a refusal",
    f"{TEST} test_out_of_memory_retry",
    lambda: (out_of_memory(), grown(lambda: half_of_it()) > 0)[1],
    True,
)
refuses(
    "too much",
    f"{TEST} test_out_of_memory; {ALLOCATOR}",
    lambda: torch.empty(1024 * 1024 * 1024 * 800000000, dtype=torch.int8, device="cuda"),
    "CUDA out of memory. Tried to allocate 800000000.00 GiB. GPU 0 has a total capacity of",
    "OutOfMemoryError",
)
refuses(
    "more than there can be",
    f"{TEST} test_out_of_memory",
    lambda: torch.empty(1024 * 1024 * 1024 * 8000000000, dtype=torch.int8, device="cuda"),
    "CUDA out of memory. Tried to allocate more than 1EB memory.",
    "OutOfMemoryError",
)
refuses(
    "the advice against fragments",
    f"{ALLOCATOR} malloc",
    two_halves_and_a_bit,
    "is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try "
    "setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.",
    "OutOfMemoryError",
)
refuses(
    "the limit is in the message",
    f"{ALLOCATOR} malloc: allowed_info",
    lambda: fraction(0.25, half_of_it),
    " allowed; Of the allocated memory ",
    "OutOfMemoryError",
)
shows(
    "an out of memory is a RuntimeError",
    "torch/__init__.py OutOfMemoryError",
    lambda: [
        issubclass(torch.OutOfMemoryError, RuntimeError),
        torch.cuda.OutOfMemoryError is torch.OutOfMemoryError,
    ],
    [True, True],
)
shows(
    "a fraction of the memory",
    f"{TEST} test_get_per_process_memory_fraction",
    lambda: fraction(0.5, torch.cuda.get_per_process_memory_fraction),
    0.5,
)
refuses(
    "a fraction that is no float",
    f"{TEST} test_set_per_process_memory_fraction",
    lambda: torch.cuda.set_per_process_memory_fraction(1),
    "Invalid type for fraction argument, must be `float`",
    "TypeError",
)
refuses(
    "a fraction above 1",
    f"{TEST} test_set_per_process_memory_fraction",
    lambda: torch.cuda.set_per_process_memory_fraction(2.0),
    "Invalid fraction value",
    "ValueError",
)
refuses(
    "a negative fraction",
    f"{TEST} test_set_per_process_memory_fraction",
    lambda: torch.cuda.set_per_process_memory_fraction(-0.1),
    "Invalid fraction value",
    "ValueError",
)
shows(
    "memory by address",
    f"{TEST} test_memory_allocation",
    lambda: grown(lambda: torch.cuda.caching_allocator_alloc(1)) > 0,
    True,
)
refuses(
    "an address that nobody has",
    f"{ALLOCATOR} free",
    lambda: torch.cuda.caching_allocator_delete(12345),
    "invalid device pointer: ",
)
refuses(
    "an allocation on a strange stream",
    f"{PYTHON} caching_allocator_alloc",
    lambda: torch.cuda.caching_allocator_alloc(1, stream="here"),
    "Invalid type for stream argument, must be `torch.cuda.Stream` or `int`",
    "TypeError",
)
shows(
    "free and total",
    "docs: torch.cuda.mem_get_info",
    lambda: (lambda free, total: free <= total)(*torch.cuda.mem_get_info()),
    True,
)
shows(
    "the backend",
    "docs: torch.cuda.get_allocator_backend",
    torch.cuda.get_allocator_backend,
    "native",
)
shows(
    "roundup_power2_divisions",
    f"{TEST} test_allocator_settings",
    lambda: rounded("roundup_power2_divisions:4", 84 * MIB),
    96 * MIB,
)
shows(
    "roundup_power2_divisions by size",
    f"{TEST} test_allocator_settings",
    lambda: rounded("roundup_power2_divisions:[64:8,128:2,256:2,512:2,1024:1,>:1]", 84 * MIB),
    88 * MIB,
)
for text, says in {
    "foo:1,bar:2": "Unrecognized key 'foo' in CUDA allocator config.",
    "garbage_collection_threshold:1.2": "garbage_collect_threshold is invalid, set it in (0.0, "
    "1.0)",
    "max_split_size_mb:2": "CachingAllocator option max_split_size_mb too small, must be >= 20",
    "release_lock_on_cudamalloc:none": "Expected 'True' or 'False' at index 2 in ConfigTokenizer "
    "but got 'none'",
    "pinned_use_cuda_host_register:none": "Expected 'True' or 'False' at index 2 in "
    "ConfigTokenizer but got 'none'",
    "pinned_num_register_threads:none": "stoull",
    "pinned_num_register_threads:3": "Number of register threads has to be power of 2, got 3",
    "pinned_num_register_threads:1024": "Number of register threads should be less than or equal "
    "to 128, got 1024",
    "backend:mine": "Unknown allocator backend, options are native and cudaMallocAsync",
}.items():
    refuses(
        f"the setting {text}",
        f"{TEST} test_allocator_settings; {SETTINGS}",
        lambda t=text: settings(t),
        says,
        "ValueError",
    )
shows(
    "a history of one large block",
    f"{TEST} TestCudaMallocAsync.test_memory_snapshot; docs: torch_cuda_memory",
    lambda: history(lambda: filled(30 * MIB)),
    ["segment_alloc", "alloc", "free_requested", "free_completed"],
)
shows(
    "a history with empty_cache",
    "docs/source/torch_cuda_memory.rst: segment_free",
    lambda: history(lambda: (made(30 * MIB), torch.cuda.empty_cache())),
    ["segment_alloc", "alloc", "free_requested", "free_completed", "segment_free"],
)
refuses(
    "a history of a strange kind",
    "torch/csrc/cuda/memory_snapshot.cpp",
    lambda: torch.cuda.memory._record_memory_history("some"),
    "expected state to be 'state', 'all', or None",
)
shows(
    "the summary names the card",
    f"{PYTHON} memory_summary",
    lambda: "PyTorch CUDA memory summary, device ID 0" in torch.cuda.memory_summary(),
    True,
)
shows(
    "the peak of another card",
    "docs: torch.cuda.max_memory_allocated",
    lambda: (
        torch.cuda.reset_peak_memory_stats(1),
        made(1, "cuda:1"),
        torch.cuda.max_memory_allocated(1) - torch.cuda.memory_allocated(1),
    )[2],
    512,
    devices=2,
)
shows(
    "expandable_segments is false by default",
    SETTINGS,
    lambda: torch.cuda.memory._snapshot()["allocator_settings"]["expandable_segments"],
    False,
)
