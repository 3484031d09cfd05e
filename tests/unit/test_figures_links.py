"""What copies have crossed, and how thick it is drawn."""

import pytest
from matplotlib.patches import Rectangle

from course_utils.figures.picture import Picture
from lesson_parts.lesson02.links import CARD, CROSSED, HOST, PCIE, link_map

BOTH = {("cuda:1", "cuda:0"): 4000, ("cuda:0", "cpu"): 4_000_000}


def links(picture: Picture) -> list[Rectangle]:
    return [patch for patch in picture.figure.axes[0].patches if isinstance(patch, Rectangle)]


def test_it_tells_every_copy_with_its_size_and_least_time():
    alt = link_map(BOTH, title="Two ways").alt
    assert alt.startswith("Link map, 'Two ways'.") and "2 GPUs" in alt
    assert "cuda:1 → cuda:0: 3.91 KiB, 0.127 µs or more" in alt
    assert "cuda:0 → cpu: 3.81 MiB, 127 µs or more" in alt
    drawn = [text.get_text() for text in link_map(BOTH).figure.axes[0].texts]
    assert "cuda:0 → cpu: 3.81 MiB, 127 µs or more" in drawn and "nominal" in drawn


def test_a_link_is_as_thick_as_it_is_fast():
    card, host, pcie, *_ = (
        min(link.get_width(), link.get_height()) for link in links(link_map({}))
    )
    assert host / pcie == pytest.approx(HOST / PCIE)
    assert card / pcie == pytest.approx(CARD / PCIE)


@pytest.mark.parametrize(
    ("routes", "marked"),
    [
        ({}, 0),
        ({("cpu", "cuda:0"): 1}, 4),  # both stubs of both memories
        ({("cuda:1", "cuda:0"): 1}, 4),  # not the CPU's
        (BOTH, 6),
    ],
)
def test_what_was_crossed_stands_out(routes, marked):
    picture = link_map(routes)
    crossed = [link for link in links(picture) if link.get_facecolor() == _rgba(CROSSED)]
    assert len(crossed) == len(picture.figure.axes[0].lines) == marked


def _rgba(color: str) -> tuple[float, ...]:
    return Rectangle((0, 0), 1, 1, facecolor=color).get_facecolor()


def test_without_a_copy_it_says_so():
    picture = link_map({})
    assert picture.alt.endswith("No copy was made.")
    assert "no copy was made" in [text.get_text() for text in picture.figure.axes[0].texts]


def test_eight_cards_stay_inside_the_page_and_in_order():
    picture = link_map({("cpu", f"cuda:{number}"): 10**number for number in (10, *range(7))})
    picture.figure.canvas.draw()
    page, texts = picture.figure.bbox, picture.figure.axes[0].texts
    for text in texts:
        area = text.get_window_extent()
        assert area.x0 >= page.x0 and area.x1 <= page.x1 and area.y0 >= page.y0, text.get_text()
    named = [t for t in texts if t.get_text().startswith("cuda:")]
    assert [t.get_text() for t in named][-1] == "cuda:10"
    assert "317 ms or more" in picture.alt
