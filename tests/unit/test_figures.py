"""Whatever the course draws can be read: in words, in grey, in the dark, on a narrow screen."""

import subprocess
import sys
from collections.abc import Callable, Iterable
from itertools import combinations

import matplotlib
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.transforms import Bbox

from course_utils.devices import current_lab, lab
from course_utils.figures.picture import PAPER, Picture, bar_styles_of
from tests.chromium import chromium
from tests.unit.drawings import DRAWN, drawers

CONTRAST = 4.5
"""That of a text and what it stands on, at least: WCAG 2.1, level AA."""

SHADES = 0.04
"""The least difference in brightness, of 1, by which two areas are told apart."""

MARGIN = 4
"""Pixels inside the frame of a page that stay empty."""

LONG = ("data_flow", "loop_lanes", "memory_chart")
"""Drawers that take more than half a second. Crowded pictures do, too."""

NARROW = 400
"""Pixels of a narrow screen."""

Draw = Callable[[], Picture]
Words = list[tuple[str, Bbox]]
"""Texts, the title first, and where their letters stand, without the space between lines."""


@pytest.fixture(scope="module", autouse=True)
def four_gpus() -> None:
    if current_lab() is None:
        lab(gpus=4)


def test_every_drawer_of_the_course_is_drawn_here():
    assert sorted(drawers()) == sorted(DRAWN)


@pytest.mark.parametrize(
    "draw",
    [
        pytest.param(each, id=f"{name}-{n}", marks=[pytest.mark.slow] * (n > 0 or name in LONG))
        for name in DRAWN
        for n, each in enumerate(DRAWN[name])
    ],
)
def test_a_picture_can_be_read(draw: Draw):
    picture = draw()
    page = _pixels(picture)
    texts = [text for axes in picture.figure.axes for text in axes.texts if text.get_text()]
    words = [(text.get_text(), text.get_window_extent().padded(0, -4)) for text in texts]
    _assert_words_say_more_than_the_title(picture.alt, title=words[0][0])
    _assert_nothing_is_cut(page, words)
    _assert_texts_are_apart(words)
    _assert_areas_differ_in_grey(picture, words)
    _assert_curves_differ_in_grey(picture)
    inks = [(text.get_color(), text.get_bbox_patch()) for text in texts]
    for text in texts:
        text.set_visible(False)
    below = _pixels(picture)
    assert below[..., 3].min() == 1, "a dark theme would shine through the page"
    for (text, area), (ink, patch) in zip(words, inks, strict=True):
        behind = patch.get_facecolor()[:3] if patch else _colour(below, area)
        assert _contrast(to_rgb(ink), behind) >= CONTRAST, (text, ink, behind)


def _pixels(picture: Picture) -> np.ndarray:
    """The page as red, green, blue and opacity, from 0 to 1."""
    picture.figure.canvas.draw()
    return np.asarray(picture.figure.canvas.buffer_rgba()) / 255


def _assert_words_say_more_than_the_title(alt: str, title: str) -> None:
    assert len(alt.replace(title, "").split()) > 6 and alt.endswith("."), alt


def _assert_nothing_is_cut(page: np.ndarray, words: Words) -> None:
    height, width, _ = page.shape
    for text, area in words:
        assert 0 < area.x0 < area.x1 < width and 0 < area.y0 < area.y1 < height, text
    inner = page[MARGIN:-MARGIN, MARGIN:-MARGIN, :3]
    for edge in (inner[0], inner[-1], inner[:, 0], inner[:, -1]):
        assert np.allclose(edge, to_rgb(PAPER), atol=0.01), "something reaches the frame"


def _assert_texts_are_apart(words: Words) -> None:
    for (one, area), (two, other) in combinations(words, 2):
        assert not area.overlaps(other), (one, two)


def _assert_areas_differ_in_grey(picture: Picture, words: Words) -> None:
    """Areas without a word of their own: by brightness, hatch or frame."""
    centres = [((area.x0 + area.x1) / 2, (area.y0 + area.y1) / 2) for _, area in words]
    styles = {
        (to_rgb(patch.get_facecolor()), patch.get_hatch(), str(patch.get_linestyle()))
        for axes in picture.figure.axes
        for patch in axes.patches
        if not any(patch.get_window_extent().contains(*centre) for centre in centres)
    }
    for (one, *rest), (two, *others) in combinations(styles, 2):
        told = rest != others or abs(_light(one) - _light(two)) >= SHADES
        assert told, f"{one} and {two} are one grey"


def _assert_curves_differ_in_grey(picture: Picture) -> None:
    """Those of a chart: by dashes or marker."""
    for axes in picture.figure.axes[1:]:
        curves = [line for line in axes.lines if len(np.ravel(line.get_xdata())) > 1]
        styles = [(line.get_linestyle(), line.get_marker()) for line in curves]
        assert len(set(styles)) == len(styles), f"curves share dashes and markers: {styles}"


def _colour(page: np.ndarray, area: Bbox) -> np.ndarray:
    """What most of an area is coloured in. Rows count from the top, matplotlib's from below."""
    height = len(page)
    rows = slice(round(height - area.y1), round(height - area.y0) + 1)
    return np.median(page[rows, round(area.x0) : round(area.x1) + 1, :3], axis=(0, 1))


def _light(colour: Iterable[float]) -> float:
    """Brightness from 0 to 1, as a grey print has it."""
    return float(np.dot(list(colour), (0.299, 0.587, 0.114)))


def _contrast(one: Iterable[float], two: Iterable[float]) -> float:
    """The ratio of their luminances, as WCAG defines it."""

    def luminance(colour: Iterable[float]) -> float:
        parts = [v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for v in colour]
        return float(np.dot(parts, (0.2126, 0.7152, 0.0722)))

    dark, bright = sorted((luminance(one), luminance(two)))
    return (bright + 0.05) / (dark + 0.05)


def test_kinds_of_work_differ_in_hatch():
    styles = bar_styles_of("abcdefgh")
    assert len({hatch for _, hatch in styles.values()}) == len(styles) == 8


@pytest.mark.slow
def test_pictures_fit_a_narrow_screen():
    shown = "".join(draw().html() for draw, *_ in DRAWN.values())
    with chromium() as browser:
        page = browser.new_page(viewport={"width": NARROW, "height": 800})
        page.set_content(f"<body style='margin: 0'>{shown}</body>")
        widths = page.evaluate("[...document.images].map(e => e.naturalWidth && e.width)")
        assert len(widths) == len(DRAWN) and set(widths) == {NARROW}
        assert page.evaluate("document.documentElement.scrollWidth") == NARROW


@pytest.mark.slow
def test_pictures_are_the_same_every_time_and_leave_matplotlib_alone():
    before = dict(matplotlib.rcParams)
    for name in ("timeline", "device_map", "module_map", "load_map", "visible_map", "moment_map"):
        one, two = (DRAWN[name][0]().svg() for _ in range(2))
        assert one == two, name
    assert dict(matplotlib.rcParams) == before


@pytest.mark.slow
def test_figures_load_matplotlib_on_first_use_and_never_its_windows():
    script = (
        "import sys, course_utils.figures; assert 'matplotlib' not in sys.modules\n"
        "from course_utils.figures.timelines import timeline\n"
        "timeline(host=[], device=[]).html(); assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_notebook_gets_image_and_words_and_a_terminal_the_words():
    picture = Picture(2, "A title")
    picture.tell('What is <drawn> "here".')
    assert picture._repr_html_() == picture.html() and picture.html().count("<") == 1
    assert 'alt="What is &lt;drawn&gt; &quot;here&quot;."' in picture.html()
    assert repr(picture) == picture.alt
