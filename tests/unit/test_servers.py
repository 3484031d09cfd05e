"""The shared server of lesson 01, the picture of its nvidia-smi, and the two processors."""

import re

import pytest

from course_utils import explore
from course_utils.errors import CourseError
from lesson_parts.lesson01.nvidia_smi import SYSTEMS, fields, places, smi_map, table
from lesson_parts.lesson01.pictures import processors_map, work_chart
from lesson_parts.lesson01.processors import CPU, GPU, Work
from lesson_parts.lesson01.servers import on_server, python_on_server

pytestmark = pytest.mark.slow

N = 4096
TRAFFIC = 3 * N * N * 4
ADDITION, PRODUCT = Work(TRAFFIC, N * N), Work(TRAFFIC, 2 * N**3)


def test_the_picture_shows_what_the_server_prints():
    printed = [line.rstrip() for line in on_server("nvidia-smi").splitlines()]
    assert printed[1:] == list(table("Linux"))[1:]  # the first one is the time


def test_the_server_is_one_machine_for_commands_and_programs():
    listed = on_server("nvidia-smi -L").splitlines()
    code = "import torch; print([torch.cuda.get_device_name(i) for i in range(3)])"
    names = [re.search(r": (.+) \(UUID", line)[1] for line in listed]
    assert python_on_server(code) == str(names)
    free = python_on_server("import torch; print(torch.cuda.mem_get_info(1)[0] >> 20)")
    asked = on_server("nvidia-smi -i 1 --query-gpu=memory.free --format=csv,noheader,nounits")
    assert free == asked


def test_the_first_card_is_full_and_the_error_says_by_whom():
    code = 'import torch; torch.empty(3 * 2**30, dtype=torch.uint8, device="cuda")'
    said = python_on_server(code)
    assert "OutOfMemoryError" in said and "Process 48213 has 38.00 GiB" in said


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_field_is_marked_at_its_heading_and_its_values(system):
    lines = table(system)
    cards = sum(re.match(r"\|   \d  \S", line) is not None for line in lines)
    processes = sum(re.match(r"\|    \d   N/A", line) is not None for line in lines)
    assert cards and processes
    once = {"timestamp", "tool", "driver", "cuda"}
    rows = {"gi": 2 + processes, "usage": 2 + processes, "gpu": 2 + cards + processes}
    of_a_process = dict.fromkeys(("pid", "type", "process"), 1 + processes)
    for field in fields():
        expected = 1 if field.key in once else {**rows, **of_a_process}.get(field.key, 1 + cards)
        marked = [lines[line][first:last] for line, first, last in places(field.key, lines)]
        assert len(marked) == expected, field
        assert all(text == text.strip() for text in marked)


def test_a_marked_field_is_told_in_words():
    picture = smi_map("Windows", [field.key for field in fields()].index("usage") + 1)
    assert "marked at 'GPU Memory', 'Usage', 'N/A', 'N/A', 'N/A'" in picture.alt
    assert "It does not mean 0." in picture.alt and picture.png()[:4] == b"\x89PNG"


def test_the_explorer_shows_the_picture():
    assert repr(explore("smi", field=15, system="Linux")) == smi_map("Linux", 15).alt


@pytest.mark.parametrize(("system", "number"), [("macOS", 1), ("Linux", 0), ("Linux", 24)])
def test_what_is_not_in_the_table_is_refused(system, number):
    with pytest.raises(CourseError, match="give 1 to 23, and Linux or Windows"):
        smi_map(system, number)


def test_the_addition_waits_for_bytes_and_the_product_computes():
    for processor in (CPU, GPU):
        assert processor.seconds(ADDITION) == processor.moving(ADDITION)
        assert processor.seconds(PRODUCT) == processor.computing(PRODUCT)
    assert PRODUCT.operations == 2 * N * ADDITION.operations
    assert PRODUCT.intensity == pytest.approx(2 * N**3 / TRAFFIC)


def test_the_numbers_are_those_of_the_data_sheets():
    """And those that the lesson's prose names: operations for each byte at which the pace turns."""
    assert CPU.rate == pytest.approx(4.608e12) and GPU.rate == pytest.approx(19.5e12, rel=1e-3)
    assert GPU.parts * GPU.units == 6912
    assert [f"{one.rate / one.bandwidth:.1f}" for one in (CPU, GPU)] == ["22.5", "12.5"]


def test_the_pictures_say_what_they_show():
    chart = work_chart({"addition": ADDITION, "product": PRODUCT})
    assert "addition on the CPU: 983 µs for the bytes, 3.64 µs for the operations" in chart.alt
    assert "product on the GPU: 129 µs for the bytes, 7.05 ms for the operations" in chart.alt
    both = processors_map()
    assert "6,912 units" in both.alt and "205 GB/s" in both.alt
    assert chart.png()[:4] == both.png()[:4] == b"\x89PNG"
