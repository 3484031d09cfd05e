"""`exchange_lanes`: gradients and exchanges of a backward pass, in the order of a log."""

from collections.abc import Sequence

from course_utils.experiments.recording import Span
from course_utils.figures.picture import Picture
from lesson_parts.lanes import order_lanes


def exchange_lanes(log: Sequence[str]) -> Picture:
    """A picture of "gradient …" and "exchange" in a log, which notes when each of them begins.

    An exchange runs beside the gradients after it. All are drawn as long as each other.
    """
    lanes: dict[str, list[Span]] = {"gradient": [], "exchange": []}
    for what in log:
        begin = len(lanes["gradient"])
        lanes[what.split()[0]].append((what, begin, begin + 1))
    return order_lanes(lanes, title="While a bucket is exchanged, the next gradient is computed")
