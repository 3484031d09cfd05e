"""What the figure of lesson 11 shows: the samples of each rank."""

import pytest
from torch.utils.data import DistributedSampler

from lesson_parts.lesson11.shards import shard_map


def test_a_shard_map_tells_who_has_a_sample_again_and_what_is_left_out():
    def shards(drop_last: bool) -> list[list[int]]:
        return [
            list(DistributedSampler(range(10), 4, rank, shuffle=False, drop_last=drop_last))
            for rank in range(4)
        ]

    filled = shard_map(shards(False), 10, title="Filled up")
    assert filled.alt == (
        "Filled up. rank 0: 0, 4 and 8; rank 1: 1, 5 and 9; "
        "rank 2: 2, 6 and 0 (again); rank 3: 3, 7 and 1 (again)."
    )
    assert shard_map(shards(True), 10, title="Dropped").alt.endswith("Left out: 8 and 9.")
    with pytest.raises(ValueError, match="cannot be drawn"):
        shard_map([range(11)], 11, title="Too many")
