"""What every picture has to keep to."""

from course_utils.figures.picture import Picture


def assert_text_is_inside_and_apart(picture: Picture) -> None:
    """No text leaves the page, and none covers another (but for the space between lines)."""
    picture.figure.canvas.draw()
    page = picture.figure.bbox
    areas = [text.get_window_extent() for text in picture.figure.axes[0].texts]
    assert all(page.x0 <= area.x0 and area.x1 <= page.x1 for area in areas)
    assert all(page.y0 <= area.y0 and area.y1 <= page.y1 for area in areas)
    inner = [area.padded(-4) for area in areas]
    for number, area in enumerate(inner):
        assert not any(area.overlaps(other) for other in inner[number + 1 :])
