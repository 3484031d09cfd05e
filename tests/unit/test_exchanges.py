"""What the figures of lesson 11 show: the order of exchanges, and how far ranks are apart."""

from lesson_parts.lesson11.distances import distance_chart
from lesson_parts.lesson11.exchanges import exchange_lanes


def test_an_exchange_runs_beside_the_gradient_that_the_log_has_after_it():
    alt = exchange_lanes(["gradient 1", "exchange", "gradient 0", "exchange"]).alt
    begins = alt.index("exchange begins exchange"), alt.index("gradient begins gradient 0")
    assert max(begins) < alt.index("exchange ends exchange") < alt.rindex("exchange begins")


def test_a_distance_chart_tells_the_first_and_the_last_distance():
    alt = distance_chart({"alone": [0.6, 0.9, 1.2], "together": [0.0] * 3}, title="Apart").alt
    assert "alone: 0.6 after the first step, 1.2 after the last." in alt
    assert "together: 0 after the first step, 0 after the last." in alt
