"""Memory numbers of the cards, running out of memory, and recovering."""

from __future__ import annotations

import gc
import re

import pytest
import torch

import virtual_cuda

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
CARD = 1


@pytest.fixture(autouse=True)
def empty_card():
    gc.collect()  # a caught exception keeps the frames it went through
    assert torch.cuda.memory_allocated(CARD) == 0, "an earlier test left tensors behind"
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats(CARD)


def filled(nbytes: int) -> torch.Tensor:
    return torch.empty(nbytes, dtype=torch.uint8, device=CARD)


def test_live_bytes_are_exact():
    x = filled(4 * MIB)
    assert torch.cuda.memory_allocated(CARD) == 4 * MIB
    part = x[10:]
    del x
    assert torch.cuda.memory_allocated(CARD) == 4 * MIB  # the view keeps the storage
    del part
    assert torch.cuda.memory_allocated(CARD) == 0


def test_every_card_counts_for_itself():
    x = filled(MIB)
    assert [torch.cuda.memory_allocated(i) for i in range(4)] == [0, MIB, 0, 0]
    assert virtual_cuda.live_bytes() == x.untyped_storage().nbytes()


@pytest.mark.parametrize(("nbytes", "counted"), [(1, 512), (512, 512), (513, 1024), (0, 0)])
def test_blocks_are_rounded_to_512_bytes(nbytes, counted):
    x = filled(nbytes)
    assert torch.cuda.memory_allocated(CARD) == counted
    del x


def test_peak_and_its_reset():
    x, y = filled(MIB), filled(2 * MIB)
    del y
    assert torch.cuda.max_memory_allocated(CARD) == 3 * MIB
    torch.cuda.reset_peak_memory_stats(CARD)
    assert torch.cuda.max_memory_allocated(CARD) == MIB
    del x


def test_results_and_temporaries_are_counted():
    x = torch.ones(MIB, device=CARD)  # 4 MiB
    y = (x + 1) * x
    assert torch.cuda.memory_allocated(CARD) == 8 * MIB
    assert torch.cuda.max_memory_allocated(CARD) == 12 * MIB
    y.add_(1)
    assert torch.cuda.max_memory_allocated(CARD) == 12 * MIB  # in place needs nothing


@pytest.mark.parametrize(
    ("nbytes", "segment"),
    [
        (KIB, 2 * MIB),
        (MIB, 2 * MIB),
        (MIB + 1, 20 * MIB),
        (10 * MIB, 10 * MIB),
        (11 * MIB, 12 * MIB),
    ],
)
def test_reserved_memory_comes_in_segments_and_is_kept(nbytes, segment):
    x = filled(nbytes)
    assert torch.cuda.memory_reserved(CARD) == segment
    del x
    assert torch.cuda.memory_reserved(CARD) == segment
    torch.cuda.empty_cache()
    assert torch.cuda.memory_reserved(CARD) == 0


def test_a_rest_that_is_not_split_counts():
    sizes = {11 * MIB: 12 * MIB, 10 * MIB + 1: 10 * MIB + 512}  # the second leaves almost 2 MiB
    for nbytes, counted in sizes.items():
        x = filled(nbytes)
        assert torch.cuda.memory_allocated(CARD) == counted
        del x
        torch.cuda.empty_cache()


def test_statistics_and_snapshots_agree_about_free_pieces():
    sizes = [100, 5000, 300_000, 900_000, 3 * MIB, 12 * MIB]
    kept = []
    for step in range(120):
        if step % 3 == 2:
            kept.pop(step * 7 % len(kept))
        else:
            kept.append(torch.empty(sizes[step * 5 % 6], dtype=torch.uint8, device=CARD))
        if step % 10:
            continue
        stats, found = torch.cuda.memory_stats(CARD), {"small": [], "large": []}
        for segment in torch.cuda.memory_snapshot():
            blocks = segment["blocks"] if segment["device"] == torch.device(CARD).index else []
            if any(block["state"] == "active_allocated" for block in blocks):
                found[segment["segment_type"]] += [
                    block["size"] for block in blocks if block["state"] == "inactive"
                ]
        for kind, pieces in found.items():
            assert stats[f"inactive_split.{kind}_pool.current"] == len(pieces)
            assert stats[f"inactive_split_bytes.{kind}_pool.current"] == sum(pieces)
    del kept


def test_counters_are_those_of_the_statistics():
    x, y = filled(3 * MIB), filled(100)
    del x
    stats = torch.cuda.memory_stats(CARD)
    assert torch.cuda.memory_allocated(CARD) == stats["allocated_bytes.all.current"]
    assert torch.cuda.max_memory_allocated(CARD) == stats["allocated_bytes.all.peak"]
    assert torch.cuda.memory_reserved(CARD) == stats["reserved_bytes.all.current"]
    assert torch.cuda.max_memory_reserved(CARD) == stats["reserved_bytes.all.peak"]
    with pytest.raises(ValueError, match="Expected a cuda device"):
        torch.cuda.memory_allocated("cpu")
    del y


def test_large_blocks_stay_where_they_are():
    kept = [filled(9 * MIB) for _ in range(4)]  # two segments
    del kept[3], kept[1]
    assert torch.cuda.memory_stats(CARD)["inactive_split.large_pool.current"] == 2
    torch.cuda.empty_cache()
    assert torch.cuda.memory_reserved(CARD) == 40 * MIB
    x = filled(12 * MIB)  # the free 11 MiB are in two pieces
    assert torch.cuda.memory_reserved(CARD) == 52 * MIB
    del kept[:], x
    y = filled(19 * MIB)  # neighbours were merged
    assert torch.cuda.memory_reserved(CARD) == 52 * MIB
    assert torch.cuda.memory_stats(CARD)["inactive_split_bytes.all.current"] == 0
    del y


def test_free_and_total():
    assert torch.cuda.mem_get_info(CARD) == (2 * GIB, 2 * GIB)
    x = filled(100 * MIB)
    assert torch.cuda.mem_get_info(CARD) == (2 * GIB - 100 * MIB, 2 * GIB)
    assert torch.cuda.get_device_properties(CARD).total_memory == 2 * GIB
    del x


def test_out_of_memory_by_fragmentation(no_machine):
    virtual_cuda.enable(2, memory="100 MiB", quiet=True)
    kept = [filled(2 * MIB) for _ in range(50)]
    del kept[::2]  # no two neighbours
    with pytest.raises(torch.OutOfMemoryError) as caught:
        filled(8 * MIB)
    assert (
        "50.00 MiB is allocated by PyTorch, and 50.00 MiB is reserved by PyTorch but unallocated"
        in str(caught.value)
    )
    kept.append(filled(2 * MIB))  # such a piece is there
    stats = torch.cuda.memory_stats(CARD)
    assert (stats["num_ooms"], stats["num_alloc_retries"]) == (1, 1)
    with pytest.raises(torch.OutOfMemoryError):
        filled(200 * MIB)  # more than the card has
    stats = torch.cuda.memory_stats(CARD)
    assert (stats["num_ooms"], stats["num_alloc_retries"]) == (2, 2)
    kept.clear()
    assert filled(90 * MIB).numel() == 90 * MIB


def test_out_of_memory_text_and_recovery():
    kept = [filled(512 * MIB) for _ in range(3)]
    text = (
        "CUDA out of memory. Tried to allocate 1.00 GiB. GPU 1 has a total capacity of 2.00 GiB "
        "of which 512.00 MiB is free. Including non-PyTorch memory, this process has 1.50 GiB "
        "memory in use. Of the allocated memory 1.50 GiB is allocated by PyTorch, and 0 bytes is "
        "reserved by PyTorch but unallocated. If reserved but unallocated memory is large try "
        "setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See "
        "documentation for Memory Management  "
        "(https://docs.pytorch.org/docs/stable/notes/cuda.html"
        "#optimizing-memory-usage-with-pytorch-cuda-alloc-conf)"
    )
    with pytest.raises(torch.OutOfMemoryError, match="^" + re.escape(text) + "$"):
        filled(GIB)
    assert issubclass(torch.cuda.OutOfMemoryError, RuntimeError)
    assert torch.cuda.memory_allocated(CARD) == 3 * 512 * MIB
    kept.clear()
    assert filled(GIB).numel() == GIB


def test_a_request_far_beyond_the_host_fails_at_once():
    with pytest.raises(torch.OutOfMemoryError, match=re.escape("allocate 1048576.00 GiB")):
        torch.zeros(1 << 48, dtype=torch.float32, device=CARD)


@pytest.mark.slow
def test_out_of_memory_inside_an_operator():
    x = filled(1200 * MIB)
    with pytest.raises(torch.OutOfMemoryError):
        x + x
    assert torch.cuda.memory_allocated(CARD) == 1200 * MIB
    del x


def test_other_cards_have_room():
    full = filled(2 * GIB)
    with pytest.raises(torch.OutOfMemoryError):
        filled(1)
    assert torch.empty(1, device="cuda:2").get_device() == 2
    del full


def test_memory_fraction():
    torch.cuda.set_per_process_memory_fraction(0.25, CARD)
    try:
        with pytest.raises(torch.OutOfMemoryError, match=re.escape("512.00 MiB allowed; ")):
            filled(600 * MIB)
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0, CARD)


def test_summary_and_stats():
    x = filled(3 * MIB)
    stats = torch.cuda.memory_stats(CARD)
    assert stats["allocated_bytes.all.current"] == 3 * MIB
    assert stats["allocation.all.current"] == 1
    assert "3072 KiB" in torch.cuda.memory_summary(CARD)
    assert torch.accelerator.memory_allocated(CARD) == 3 * MIB
    del x


def test_module_in_numbers():
    net = torch.nn.Linear(1024, 1024).to(CARD)
    assert torch.cuda.memory_allocated(CARD) == 1024 * 1024 * 4 + 1024 * 4
    net(torch.ones(1, 1024, device=CARD)).sum().backward()
    assert torch.cuda.memory_allocated(CARD) == 2 * (1024 * 1024 * 4 + 1024 * 4)  # and gradients
