"""`profile_chart`: an operation's own time beside that of the operations it calls."""

import pytest
import torch
from pages import assert_text_is_inside_and_apart
from torch.autograd.profiler_util import EventList

from lesson_parts.lesson08.profiles import profile_chart


@pytest.fixture(scope="module")
def entries() -> EventList:
    x = torch.rand(64, 256, requires_grad=True)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        torch.nn.functional.linear(x, torch.rand(256, 256)).relu().sum().backward()
    return profile.key_averages()


def test_the_largest_totals_are_drawn_with_their_self_times(entries):
    picture = profile_chart(entries, title="T", rows=3)
    largest = sorted(entries, key=lambda entry: -entry.cpu_time_total)[:3]
    _, _, _, *bars = picture.figure.axes[0].patches  # the stamp and the legend
    widths = [bar.get_width() for bar in bars]
    assert len(widths) == 6 and widths[0] == max(widths)
    for entry, total, own in zip(largest, widths[::2], widths[1::2], strict=True):
        assert own / total == pytest.approx(entry.self_cpu_time_total / entry.cpu_time_total)
        assert f"total {entry.cpu_time_total / 1e3:.1f} ms" in picture.alt


def test_text_stays_inside_the_page_and_apart(entries):
    picture = profile_chart(entries, title="The operations with the largest total times")
    assert_text_is_inside_and_apart(picture)
