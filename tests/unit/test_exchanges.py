"""What the figures of lesson 11 show: exchanges in a backward pass and a ring, ranks apart."""

import torch

from lesson_parts.lesson11 import distance_chart, exchange_lanes, ring_rounds, weight_chart


def test_exchanges_run_beside_later_gradients_and_a_ring_adds_up_all():
    alt = exchange_lanes({1: ["gradient 1", "bucket 0", "gradient 0", "bucket 1"]}).alt
    assert alt.endswith("bucket 0, bucket 1. At the end, the GPU waits, as long as for 1 gradient.")
    assert ring_rounds(4).alt.endswith("After round 6, each GPU has 4 full sums.")


def test_charts_tell_which_weight_differs_most_and_the_last_distance():
    runs = [torch.zeros(2), torch.tensor([0.1, 0.7])], [torch.zeros(2)] * 2
    alt = weight_chart(runs, title="Apart").alt
    assert alt.endswith("They are 0.00 apart after step 1. They are 0.70 apart after step 2.")
    alt = distance_chart({"alone": runs[0]}, runs[1], title="Apart").alt
    assert alt.endswith("alone: 0 after the first step, 0.7 after the last.")
