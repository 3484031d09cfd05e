"""What the figures of lesson 11 show: exchanges in a backward pass and a ring, ranks apart."""

import torch

from lesson_parts.lesson11.distances import distance_chart, weight_chart
from lesson_parts.lesson11.exchanges import exchange_lanes
from lesson_parts.lesson11.rings import ring_rounds

START, LAST = torch.zeros(2, 1), torch.tensor([[0.1], [0.7]])


def test_an_exchange_runs_beside_the_gradients_after_it():
    logs = {1: ["gradient 1", "bucket 0", "gradient 0", "bucket 1"]}
    logs[2] = ["gradient 1", "gradient 0", "bucket 0"]
    alt = exchange_lanes(logs).alt
    assert (
        "bucket_cap_mb=1, exchange: bucket 0, bucket 1. At the end, the GPU waits, as long" in alt
    )
    assert alt.index("as long as for 1 gradient.") < alt.index("as long as for 2 gradients.")


def test_a_ring_has_all_sums_after_its_last_round():
    alt = ring_rounds(4).alt
    assert "After round 3, each GPU has 1 full sum. After round 4, each GPU has 2 full" in alt
    assert alt.endswith("After round 6, each GPU has 4 full sums.")


def test_charts_tell_the_weight_that_differs_most_and_the_first_and_last_distance():
    alt = weight_chart(([START, LAST], [START, START]), title="Apart").alt
    assert "Rank 0: 0.00 after the first step, 0.70 after the last." in alt
    assert alt.endswith("They are 0.00 apart after step 1. They are 0.70 apart after step 2.")
    alt = distance_chart({"alone": [START, LAST]}, [START, START], title="Apart").alt
    assert alt.endswith("alone: 0 after the first step, 0.7 after the last.")
