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
from tests.fresh import fresh

LAUNCHES = [("launch", 0, 5), ("launch", 5, 10)]
PRODUCTS = [("product", 5, 105), ("product", 105, 205)]


def pictures() -> list[Picture]:
    x = torch.arange(6.0).reshape(2, 3)
    return [
        device_map(x),
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
        "import sys, torch; from lesson_parts.lesson02 import device_map; "
        "device_map(torch.ones(1)).html(); assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_figures_are_loaded_on_first_use():
    script = "import sys, course_utils.figures; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.slow
def test_text_stays_inside_the_page():
    names = {f"name_{number:02}": torch.ones(number + 1) for number in range(12)}
    wide = {"a" * 50: torch.ones(1, 2, 3, 4, 5, 6, 7, 8, 9), "b": torch.ones(2)}
    marks = {"start": 0, "stop": 205}
    crowded = [
        device_map(names),
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
devices = lab(gpus=2)
x = torch.arange(6.0)
y = x.to(devices[0])
print(device_map([x, (y, y.to(devices[1]))]))
"""
    _, places = fresh(script).splitlines()
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
