"""What figures say of devices, cards, programs and clocks, and the small words for it."""

from collections import namedtuple

import pytest
import torch
from torch import nn

from course_utils.experiments.children import Sight, WatchedLine
from course_utils.figures.timelines import timeline
from course_utils.words import counted, listed, shortened, size_of
from lesson_parts.lesson02.devices import device_map
from lesson_parts.lesson03.modules import module_map
from lesson_parts.visibility import moment_map, visible_map
from tests.fresh import fresh

EQUAL = ("Virtual CUDA device (runs on the CPU)",) * 4
MIXED = ("Virtual GeForce RTX 4060 Laptop GPU", "NVIDIA A100-SXM4-40GB", "Virtual Tesla T4")
STEPS = (
    WatchedLine("import torch", None, False, (0, 1, 2, 3)),
    WatchedLine('os.environ["CUDA_VISIBLE_DEVICES"] = "0,1"', "0,1", False, (0, 1)),
    WatchedLine("torch.cuda.is_available()", "0,1", True, (0, 1)),
    WatchedLine('os.environ["CUDA_VISIBLE_DEVICES"] = "-1"', "-1", True, (0, 1)),
    WatchedLine('torch.ones(1, device="cuda")', "0,1", True, (0, 1)),
)


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


def test_devices_without_tensors_can_be_shown():
    alt = device_map([torch.ones(1)], devices=["cpu", torch.device("cuda", 3)]).alt
    assert "cpu holds 1 tensor" in alt and "cuda:3 holds no tensor." in alt


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


class Tangled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(2, 1)
        self.register_buffer("saved", torch.ones(2))
        self.register_buffer("unsaved", torch.ones(1).long(), persistent=False)
        self.mask = torch.ones(3)
        self.more = [nn.Linear(1, 1, bias=False), (torch.ones(4),)]
        self.cache = {"scale": torch.ones(5), "name": "cat <&> $5$"}


def test_everything_a_module_holds_is_named_with_its_kind_and_what_to_does_not_find():
    assert module_map(Tangled()).alt == (
        "Module map, 'Where the module is'. cpu holds 8 tensors: "
        "first.weight (parameter, shape (1, 2), float32), "
        "first.bias (parameter, shape (1,), float32), "
        "saved (buffer, shape (2,), float32), "
        "unsaved (buffer, not saved, shape (1,), int64), "
        "mask (plain attribute, shape (3,), float32), "
        "more[0].weight (in a list, shape (1, 1), float32), "
        "more[1][0] (in a tuple, shape (4,), float32) and "
        "cache['scale'] (in a dict, shape (5,), float32). "
        "The module's `to` does not find mask, more[0].weight, more[1][0] and cache['scale']."
    )


@pytest.mark.slow
def test_a_move_shows():
    script = """
import torch
from torch import nn
from course_utils import lab
from lesson_parts.lesson03.modules import module_map
devices = lab(gpus=2)
net = nn.BatchNorm1d(2)
net.mask = torch.ones(1)
net.to(devices[1])
print(module_map(net))
"""
    said = fresh(script)
    told = said.splitlines()[-1]
    assert "cpu holds 1 tensor: mask (plain attribute" in told
    assert "cuda:1 holds 5 tensors: weight (parameter" in told


def test_the_words_tell_every_device_and_what_is_hidden():
    alt = visible_map(
        Sight("nothing set", EQUAL, (0, 1, 2, 3)),
        Sight('CUDA_VISIBLE_DEVICES="0,3"', EQUAL, (0, 3)),
        title="T",
    ).alt
    assert alt == (
        "Map of visible cards, 'T'. nothing set, 4 cards: cuda:0 is card 0, cuda:1 is card 1, "
        'cuda:2 is card 2 and cuda:3 is card 3. CUDA_VISIBLE_DEVICES="0,3", 4 cards: cuda:0 is '
        "card 0 and cuda:1 is card 3; hidden: 1 and 2."
    )


def test_cards_are_named_where_they_differ():
    alt = visible_map(Sight("a setting", MIXED, (2, 0))).alt
    assert "cuda:0 is card 2 (T4) and cuda:1 is card 0 (RTX 4060 Laptop); hidden: 1." in alt


def test_the_words_of_a_program_tell_when_its_variable_is_read():
    picture = moment_map(STEPS, title="T")
    assert picture.alt == (
        "Line by line, 'T'. import torch: environment not set; cards 0, 1, 2, 3. "
        'os.environ["CUDA_VISIBLE_DEVICES"] = "0,1": environment "0,1"; cards 0, 1. '
        'torch.cuda.is_available(): environment "0,1", read for good; cards 0, 1. '
        'os.environ["CUDA_VISIBLE_DEVICES"] = "-1": environment "-1", which is no longer read; '
        'cards 0, 1. torch.ones(1, device="cuda"): environment "0,1"; cards 0, 1.'
    )


def test_the_clock_reads_the_time_between_the_marks():
    host, device = (
        [("launch", 0, 5), ("launch", 5, 10)],
        [("product", 5, 105), ("product", 105, 205)],
    )
    picture = timeline(host=host, device=device, marks={"start": 2, "stop": 10}, title="T")
    assert picture.alt == (
        "Modelled timeline in µs, 'T'. "
        "The host is busy until 10: launch from 0 to 5 and launch from 5 to 10. "
        "The device is busy until 205: product from 5 to 105 and product from 105 to 205. "
        "Marks: start at 2 and stop at 10. The clock reads 8 µs."
    )


def test_work_that_ends_before_it_begins_is_refused():
    with pytest.raises(ValueError, match="'launch' ends at 1, before it begins at 2"):
        timeline(host=[("launch", 2, 1)], device=[])


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
