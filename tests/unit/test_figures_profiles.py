"""`profile_chart`: an operation's own time beside that of the operations it calls."""

import pytest
import torch
from torch.autograd.profiler_util import EventList

from course_utils.figures import profile_chart


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
    picture.figure.canvas.draw()
    page = picture.figure.bbox
    areas = [text.get_window_extent() for text in picture.figure.axes[0].texts]
    assert all(page.x0 <= area.x0 and area.x1 <= page.x1 for area in areas)
    assert all(page.y0 <= area.y0 and area.y1 <= page.y1 for area in areas)
    inner = [area.padded(-4) for area in areas]
    for number, area in enumerate(inner):
        assert not any(area.overlaps(other) for other in inner[number + 1 :])
