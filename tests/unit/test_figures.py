"""The drawings say in words what they show, and what they show is what is."""

import base64
import html
import io
import re
import subprocess
import sys
from collections import namedtuple

import matplotlib
import pytest
import torch
from PIL import Image

from course_utils.figures.picture import Picture
from course_utils.figures.timelines import timeline
from course_utils.words import counted, listed, shortened, size_of
from lesson_parts.lesson02.devices import device_map
from lesson_parts.lesson02.storages import storage_map
from tests.fresh import fresh

LAUNCHES = [("launch", 0, 5), ("launch", 5, 10)]
PRODUCTS = [("product", 5, 105), ("product", 105, 205)]


def pictures() -> list[Picture]:
    x = torch.arange(6.0).reshape(2, 3)
    return [
        storage_map(x=x, same=x, row=x[1]),
        device_map({"image": x, "name": "cat <&> $5$"}, devices=["cuda:1"]),
        timeline(host=LAUNCHES, device=PRODUCTS, marks={"start": 0, "stop": 10}),
    ]


# ---------------------------------------------------------------- Picture


@pytest.mark.parametrize("number", range(3))
def test_html_is_one_image_with_its_alt_text(number):
    picture = pictures()[number]
    tag = picture.html()
    assert re.fullmatch(r"<img [^<>]*>", tag)
    alt = html.unescape(re.search(r'alt="([^"]*)"', tag)[1])
    assert alt == picture.alt
    data = base64.b64decode(re.search(r'base64,([^"]+)"', tag)[1]).decode()
    assert data.startswith("<?xml") and "<svg" in data


def test_a_notebook_gets_image_and_words_and_a_terminal_the_words():
    picture = pictures()[0]
    assert picture._repr_html_() == picture.html()
    assert repr(picture) == picture.alt


def test_pictures_are_opaque_and_light():
    for picture in pictures():
        image = Image.open(io.BytesIO(picture.png())).convert("RGBA")
        assert image.getchannel("A").getextrema() == (255, 255)
        corner = image.getpixel((10, image.height - 10))
        assert min(corner) > 230


@pytest.mark.slow
def test_pictures_are_the_same_every_time():
    first, second = pictures(), pictures()
    assert [p.svg() for p in first] == [p.svg() for p in second]


@pytest.mark.slow
def test_drawing_leaves_matplotlibs_state_alone():
    before = dict(matplotlib.rcParams)
    for picture in pictures():
        picture.svg(), picture.png()
    assert dict(matplotlib.rcParams) == before
    script = (
        "import sys, torch; from lesson_parts.lesson02 import storage_map; "
        "storage_map(x=torch.ones(1)).html(); assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_figures_are_loaded_on_first_use():
    script = "import sys, course_utils.figures; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_text_stays_inside_the_page():
    names = {f"name_{number:02}": torch.ones(number + 1) for number in range(12)}
    wide = {"a" * 50: torch.ones(1, 2, 3, 4, 5, 6, 7, 8, 9), "b": torch.ones(2)}
    marks = {"start": 0, "stop": 205}
    crowded = [
        storage_map(**names),
        device_map(wide, title="t" * 40),
        timeline(host=LAUNCHES, device=PRODUCTS, marks=marks),
        *pictures(),
    ]
    for picture in crowded:
        picture.figure.canvas.draw()
        page = picture.figure.bbox
        for text in picture.figure.axes[0].texts:
            area = text.get_window_extent()
            assert area.x0 >= page.x0 and area.x1 <= page.x1, text.get_text()
            assert area.y0 >= page.y0 and area.y1 <= page.y1, text.get_text()


def test_texts_do_not_overlap():
    for picture in pictures():
        picture.figure.canvas.draw()
        texts = [text for text in picture.figure.axes[0].texts if text.get_text()]
        areas = [text.get_window_extent().padded(-4) for text in texts]  # without the leading
        for number, area in enumerate(areas):
            for other, text in zip(areas[number + 1 :], texts[number + 1 :], strict=True):
                assert not area.overlaps(other), (texts[number].get_text(), text.get_text())


# ---------------------------------------------------------------- storage_map


def test_two_names_of_one_object_are_drawn_as_one():
    x = torch.ones(2, 3)
    picture = storage_map(x=x, again=x.to("cpu"))
    assert "2 names, 1 tensor object, 1 piece of memory" in picture.alt
    assert "x and again are 2 names of one object" in picture.alt
    drawn = [text.get_text() for text in picture.figure.axes[0].texts]
    assert drawn.count("tensor (2, 3)") == 1
    assert {"x", "again"} <= set(drawn)


def test_equal_values_are_not_one_object():
    alt = storage_map(x=torch.ones(3), y=torch.ones(3)).alt
    assert "2 names, 2 tensor objects, 2 pieces of memory" in alt
    assert "one object" not in alt and "shared" not in alt


@pytest.mark.parametrize(
    "look",
    [lambda x: x.view(6), lambda x: x[1], lambda x: x.t(), torch.Tensor.detach, lambda x: x[:, 1:]],
)
def test_views_share_memory(look):
    x = torch.arange(6.0).reshape(2, 3)
    alt = storage_map(x=x, view=look(x)).alt
    assert "2 tensor objects, 1 piece of memory" in alt
    assert "Memory A on cpu, 24 bytes, is shared by" in alt


def test_memory_shared_with_numpy_is_one_piece():
    array = torch.ones(4).numpy()
    alt = storage_map(one=torch.from_numpy(array), two=torch.from_numpy(array)).alt
    assert "2 tensor objects, 1 piece of memory" in alt


def test_where_a_view_begins_is_told():
    x = torch.arange(6.0).reshape(2, 3)
    assert "row (shape (3,), float32, from element 3)" in storage_map(x=x, row=x[1]).alt


def arrows(picture: Picture) -> list[tuple[float, float]]:
    """Where the arrows from objects into memory end, from top to bottom of the objects."""
    ends = [text.xy for text in picture.figure.axes[0].texts if hasattr(text, "xy")]
    right = max(x for x, _ in ends)
    return [(x, y) for x, y in ends if x == right]


def test_an_arrow_ends_at_the_element_where_its_view_begins():
    x = torch.arange(6.0).reshape(2, 3)
    (_, whole), (_, flat), (_, row) = arrows(storage_map(x=x, flat=x.view(6), row=x[1]))
    numbered = {
        text.get_text(): text.get_position()[1]
        for text in storage_map(x=x, flat=x.view(6), row=x[1]).figure.axes[0].texts
        if text.get_text() in set("012345")
    }
    assert list(numbered) == list("012345")
    assert whole == flat == pytest.approx(numbered["0"])
    assert row == pytest.approx(numbered["3"])


def test_a_long_storage_is_drawn_without_its_elements_and_an_arrow_at_the_right_height():
    x = torch.zeros(1000)
    picture = storage_map(x=x, half=x[500:])
    (_, whole), (_, half) = arrows(picture)
    assert half - whole == pytest.approx(0.5 * (2 * 0.62 - 0.14), abs=0.01)
    assert len(picture.figure.axes[0].lines) == 1


def test_empty_tensors_share_nothing():
    alt = storage_map(x=torch.empty(0), y=torch.empty(0)).alt
    assert "2 pieces of memory" in alt


def test_other_things_are_refused():
    with pytest.raises(TypeError, match="at least one tensor"):
        storage_map()
    with pytest.raises(TypeError, match="a is a list"):
        storage_map(a=[torch.ones(1)])


# ---------------------------------------------------------------- device_map


def test_every_leaf_of_a_nesting_has_its_path_and_device():
    Pair = namedtuple("Pair", "mask ids")
    meta = torch.ones(2, 2, device="meta")
    batch = {"image": torch.zeros(8, 3), "more": [Pair(meta, (torch.ones(1).long(), 7))]}
    alt = device_map(batch, title="A batch").alt
    assert alt == (
        "Device map, 'A batch'. cpu holds 2 tensors: image (shape (8, 3), float32, 96 bytes) "
        "and more[0].ids[0] (shape (1,), int64, 8 bytes). "
        "meta holds 1 tensor: more[0].mask (shape (2, 2), float32, 16 bytes). "
        "No device holds more[0].ids[1] (a plain int)."
    )


def test_one_tensor_is_a_batch():
    assert "cpu holds 1 tensor: tensor (shape (2,)" in device_map(torch.ones(2)).alt


def test_devices_without_tensors_can_be_shown():
    alt = device_map([torch.ones(1)], devices=["cpu", torch.device("cuda", 3)]).alt
    assert "cpu holds 1 tensor" in alt and "cuda:3 holds no tensor." in alt


# ---------------------------------------------------------------- timeline


def test_the_clock_reads_the_time_between_the_marks():
    picture = timeline(host=LAUNCHES, device=PRODUCTS, marks={"start": 2, "stop": 10}, title="T")
    assert picture.alt == (
        "Modelled timeline in µs, 'T'. "
        "The host is busy until 10: launch from 0 to 5 and launch from 5 to 10. "
        "The device is busy until 205: product from 5 to 105 and product from 105 to 205. "
        "Marks: start at 2 and stop at 10. The clock reads 8 µs."
    )
    drawn = [text.get_text() for text in picture.figure.axes[0].texts]
    assert "the clock reads 8 µs" in drawn and "modelled" in drawn


def test_measured_numbers_are_not_called_modelled():
    picture = timeline(host=LAUNCHES, device=[], modelled=False, unit="ms")
    assert picture.alt.startswith("Timeline in ms") and "The device does nothing." in picture.alt
    assert "modelled" not in [text.get_text() for text in picture.figure.axes[0].texts]


def test_kinds_of_work_differ_in_hatch_and_not_only_in_colour():
    picture = timeline(host=[*LAUNCHES, ("wait", 10, 205)], device=PRODUCTS)
    hatches = {patch.get_hatch() for patch in picture.figure.axes[0].patches[1:]}
    assert len(hatches) == 3


def test_work_that_ends_before_it_begins_is_refused():
    with pytest.raises(ValueError, match="'launch' ends at 1, before it begins at 2"):
        timeline(host=[("launch", 2, 1)], device=[])


# ---------------------------------------------------------------- virtual GPUs, small words


@pytest.mark.slow
def test_virtual_devices_are_drawn_as_devices():
    script = """
import torch
from course_utils import lab
from lesson_parts.lesson02.devices import device_map
from lesson_parts.lesson02.storages import storage_map
devices = lab(gpus=2)
x = torch.arange(6.0)
y = x.to(devices[0])
print(storage_map(x=x, y=y, again=y.to(devices[0]), view=y.view(2, 3), z=y.to(devices[1])))
print(device_map([x, (y, y.to(devices[1]))]))
"""
    said = fresh(script)
    _, storages, places = said.splitlines()
    assert "5 names, 4 tensor objects, 3 pieces of memory. y and again are 2 names" in storages
    assert "on cuda:0, 24 bytes, is shared by y = again (shape (6,), float32) and view" in storages
    assert "Memory C on cuda:1" in storages
    assert "cuda:0 holds 1 tensor: [1][0]" in places
    assert "cuda:1 holds 1 tensor: [1][1]" in places


def test_sizes_are_for_people():
    assert [size_of(n) for n in (1, 24, 1536, 96 * 1024, 64 * 2**20, 3 * 2**30)] == [
        "1 byte",
        "24 bytes",
        "1.5 KiB",
        "96 KiB",
        "64 MiB",
        "3 GiB",
    ]


def test_small_words():
    assert counted(1, "name") == "1 name" and counted(0, "name") == "0 names"
    assert listed("a") == "a" and listed("ab") == "a and b" and listed("abc") == "a, b and c"
    assert shortened("abcdef", 4) == "abc…" and shortened("abcd", 4) == "abcd"
