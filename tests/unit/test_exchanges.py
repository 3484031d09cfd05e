"""What the figures of lesson 11 show: exchanges in a backward pass and a ring, ranks apart."""

import torch

from lesson_parts.lesson11.distances import distance_chart, weight_chart
from lesson_parts.lesson11.exchanges import exchange_lanes
from lesson_parts.lesson11.rings import ring_rounds


def test_an_exchange_runs_beside_the_gradients_after_it():
    alt = exchange_lanes({1: ["gradient 1", "bucket 0", "gradient 0", "bucket 1"]}).alt
    assert alt.endswith("bucket 0, bucket 1. At the end, the GPU waits, as long as for 1 gradient.")


def test_a_ring_has_all_sums_after_its_last_round():
    assert ring_rounds(4).alt.endswith("After round 6, each GPU has 4 full sums.")


def test_charts_tell_which_weight_differs_most_and_the_last_distance():
    start, last = torch.zeros(2, 1), torch.tensor([[0.1], [0.7]])
    alt = weight_chart(([start, last], [start, start]), title="Apart").alt
    assert alt.endswith("They are 0.00 apart after step 1. They are 0.70 apart after step 2.")
    alt = distance_chart({"alone": [start, last]}, [start, start], title="Apart").alt
    assert alt.endswith("alone: 0 after the first step, 0.7 after the last.")
