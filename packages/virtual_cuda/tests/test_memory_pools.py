"""Private pools of memory: those of programs, and those of CUDA graphs."""

from __future__ import annotations

import gc
import threading

import pytest
import torch

CARD = 1
MIB = 1 << 20


@pytest.fixture(autouse=True)
def empty_card():
    gc.collect()
    assert torch.cuda.memory_allocated(CARD) == 0, "an earlier test left tensors behind"
    torch.cuda.empty_cache()
    with torch.cuda.device(CARD):
        yield


def filled(nbytes: int) -> torch.Tensor:
    return torch.empty(nbytes, dtype=torch.uint8, device=CARD)


def reserved() -> int:
    return torch.cuda.memory_reserved(CARD)


def sizes(segments: list) -> list[tuple[str, int, int]]:
    """Kind, bytes and used bytes of every segment."""
    return [(one["segment_type"], one["total_size"], one["allocated_size"]) for one in segments]


def test_what_is_made_in_a_pool_lies_there():
    pool = torch.cuda.MemPool()
    before = filled(512)
    with torch.cuda.use_mem_pool(pool):
        small, large = filled(512), filled(3 * MIB)
    after = filled(1024)
    assert sizes(pool.snapshot()) == [("small", 2 * MIB, 512), ("large", 20 * MIB, 3 * MIB)]
    assert torch.cuda.memory_snapshot(pool.id) == pool.snapshot()
    assert {one["segment_pool_id"] for one in pool.snapshot()} == {pool.id}
    own = [one for one in torch.cuda.memory_snapshot() if one["segment_pool_id"] == (0, 0)]
    assert sizes(own) == [("small", 2 * MIB, 1536)]
    assert torch.cuda.memory_allocated(CARD) == 2048 + 3 * MIB and reserved() == 24 * MIB
    del before, small, large, after


def test_a_pool_keeps_its_segments_as_long_as_it_lives():
    pool = torch.cuda.MemPool()
    with torch.cuda.use_mem_pool(pool):
        x = filled(12 * MIB)
    del x
    torch.cuda.empty_cache()
    assert sizes(pool.snapshot()) == [("large", 12 * MIB, 0)] and reserved() == 12 * MIB
    with torch.cuda.use_mem_pool(pool):
        x = filled(12 * MIB)
    assert reserved() == 12 * MIB  # the same segment
    del x, pool
    assert reserved() == 0


def test_what_outlives_its_pool_keeps_its_segment():
    pool = torch.cuda.MemPool()
    with torch.cuda.use_mem_pool(pool):
        kept, gone = filled(12 * MIB), filled(14 * MIB)
    del gone, pool
    assert reserved() == 12 * MIB
    del kept
    assert reserved() == 12 * MIB
    torch.cuda.empty_cache()
    assert reserved() == 0


def test_the_innermost_pool_of_the_calling_thread_counts():
    outer, inner = torch.cuda.MemPool(), torch.cuda.MemPool()
    made = []

    def elsewhere() -> None:
        made.append(filled(16 * MIB))

    with torch.cuda.use_mem_pool(outer):
        made.append(filled(10 * MIB))
        with torch.cuda.use_mem_pool(inner):
            made.append(filled(12 * MIB))
            thread = threading.Thread(target=elsewhere)
            thread.start()
            thread.join()
        made.append(filled(14 * MIB))
    assert [one[1] for one in sizes(outer.snapshot())] == [10 * MIB, 14 * MIB]
    assert [one[1] for one in sizes(inner.snapshot())] == [12 * MIB]
    assert outer.use_count() == inner.use_count() == 1 and outer.id != inner.id


def test_statistics_count_pools_in():
    pool = torch.cuda.MemPool()
    with torch.cuda.use_mem_pool(pool):
        x, y = filled(MIB // 2), filled(3 * MIB)
    stats = torch.cuda.memory_stats(CARD)
    assert stats["segment.all.current"] == 2
    assert stats["active_bytes.small_pool.current"] == MIB // 2
    assert stats["inactive_split_bytes.large_pool.current"] == 17 * MIB
    assert stats["inactive_split_bytes.small_pool.current"] == 3 * MIB // 2
    del x, y


def test_a_full_card_takes_back_what_no_pool_uses(no_machine):
    import virtual_cuda

    virtual_cuda.enable(2, "64 MiB", quiet=True)
    pool = torch.cuda.MemPool()
    with torch.cuda.use_mem_pool(pool):
        x = torch.empty(40 * MIB, dtype=torch.uint8, device="cuda")
    del x
    with pytest.raises(torch.OutOfMemoryError):  # the pool has it
        torch.empty(40 * MIB, dtype=torch.uint8, device="cuda")
    with torch.cuda.use_mem_pool(pool), pytest.raises(torch.OutOfMemoryError):
        torch.empty(48 * MIB, dtype=torch.uint8, device="cuda")
    del pool
    torch.empty(40 * MIB, dtype=torch.uint8, device="cuda")
    assert torch.cuda.memory_reserved() == 40 * MIB


def test_events_name_their_pool():
    pool = torch.cuda.MemPool()
    torch.cuda.memory._record_memory_history()
    try:
        with torch.cuda.use_mem_pool(pool):
            x = filled(3 * MIB)
        y = filled(3 * MIB)
        del x, y
        trace = torch.cuda.memory._snapshot()["device_traces"][CARD]
    finally:
        torch.cuda.memory._record_memory_history(enabled=None)
    of_blocks = [(one["action"], one["pool_id"]) for one in trace if "segment" not in one["action"]]
    assert of_blocks == [
        ("alloc", pool.id),
        ("alloc", (0, 0)),
        ("free_requested", pool.id),
        ("free_completed", pool.id),
        ("free_requested", (0, 0)),
        ("free_completed", (0, 0)),
    ]


def test_to_leave_a_pool_that_was_not_entered():
    with pytest.raises(RuntimeError, match="not currently recording to mempool_id"):
        torch._C._cuda_endAllocateToPool(CARD, (0, 1 << 20))


# Graphs.


def captured(x: torch.Tensor, **options) -> tuple[torch.cuda.CUDAGraph, torch.Tensor]:
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, **options):
        y = x * 2
        for _ in range(4):
            y = y + 1
    return graph, y


def test_a_graph_keeps_what_its_results_took_at_once():
    x = torch.zeros(3 * MIB, device=CARD)  # 12 MiB
    graph, y = captured(x)
    pool = graph.pool()
    # y, and the one before it, whose place is free.
    taken = [("large", 12 * MIB, 0), ("large", 12 * MIB, 12 * MIB)]
    assert sorted(sizes(torch.cuda.memory_snapshot(pool))) == taken
    x.fill_(3)
    at_rest = torch.cuda.memory_allocated(CARD), reserved()
    torch.cuda.reset_peak_memory_stats(CARD)
    graph.replay()
    assert (torch.cuda.memory_allocated(CARD), reserved()) == at_rest
    assert (torch.cuda.max_memory_allocated(CARD), torch.cuda.max_memory_reserved(CARD)) == at_rest
    assert y[0].item() == y[-1].item() == 10
    del y
    assert torch.cuda.memory_allocated(CARD) == at_rest[0] - 12 * MIB
    graph.replay()  # it fills what is still the pool's
    torch.cuda.empty_cache()
    assert len(torch.cuda.memory_snapshot(pool)) == 2
    graph.reset()
    torch.cuda.empty_cache()
    assert torch.cuda.memory_snapshot(pool) == []


def test_a_result_outlives_its_graph():
    x = torch.full((100,), 3.0, device=CARD)
    graph, y = captured(x)
    graph.replay()
    del graph
    torch.cuda.empty_cache()
    assert y.tolist() == [10.0] * 100


def test_graphs_may_share_a_pool():
    x = torch.zeros(3 * MIB, device=CARD)
    handle = torch.cuda.graph_pool_handle()
    first, y = captured(x, pool=handle)
    del y
    alone = len(torch.cuda.memory_snapshot(handle))
    second, y = captured(x, pool=first.pool())
    assert second.pool() == handle and len(torch.cuda.memory_snapshot(handle)) == alone
    x.fill_(2)
    second.replay()
    assert y.unique().item() == 8
    first.reset()
    torch.cuda.empty_cache()
    assert len(torch.cuda.memory_snapshot(handle)) == alone  # the other one has it still
    del first, second, y
    torch.cuda.empty_cache()
    assert torch.cuda.memory_snapshot(handle) == []


def test_a_graph_without_a_capture_has_no_pool():
    with pytest.raises(RuntimeError, match=r"pool\(\) without a preceding successful capture"):
        torch.cuda.CUDAGraph().pool()
