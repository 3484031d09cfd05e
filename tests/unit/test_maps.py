"""What figures say of devices, cards, programs and clocks, and the small words for it."""

import pytest
import torch
from torch import nn

from course_utils.experiments.children import Sight, WatchedLine
from course_utils.figures.timelines import timeline
from course_utils.words import counted, listed, shortened, size_of
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


@pytest.mark.slow
def test_an_input_in_another_memory_is_told():
    script = """
import torch
from course_utils import lab
from lesson_parts.lesson02.devices import device_map
devices = lab(gpus=2)
x = torch.arange(6.0)
print(device_map({"x": x, "y": x.to(devices[1])}, "x + y"))
print(device_map({"x": x, "y": x}, "x + y"))
"""
    _, mixed, same = fresh(script).splitlines()
    assert mixed == (
        "The inputs of x + y, which runs on cuda:1. "
        "cpu holds x (shape (6,), 24 bytes), which cuda:1 does not read. "
        "cuda:1 holds y (shape (6,), 24 bytes)."
    )
    assert "runs on cpu. cpu holds x (" in same and "does not read" not in same


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
        "Left behind: 4 of 8 tensors. "
        "first.weight (parameter, shape (1, 2)): cpu, saved: yes, trained: yes. "
        "first.bias (parameter, shape (1,)): cpu, saved: yes, trained: yes. "
        "saved (buffer, shape (2,)): cpu, saved: yes, trained: no. "
        "unsaved (buffer, not saved, shape (1,)): cpu, saved: no, trained: no. "
        "mask (plain attribute, shape (3,)): cpu, saved: no, trained: no. "
        "more[0].weight (in a list, shape (1, 1)): cpu, saved: no, trained: no. "
        "more[1][0] (in a tuple, shape (4,)): cpu, saved: no, trained: no. "
        "cache['scale'] (in a dict, shape (5,)): cpu, saved: no, trained: no."
    )


@pytest.mark.slow
def test_a_move_shows_what_changed_and_which_names_are_old():
    script = """
import torch
from torch import nn
from course_utils import lab
from lesson_parts.lesson03.modules import module_map, name_map
devices = lab(gpus=2)
old, new = nn.BatchNorm1d(2), nn.BatchNorm1d(2)
old.parts, new.parts = [nn.Linear(1, 1)], nn.ModuleList([nn.Linear(1, 1)])
weight, mean = new.weight, new.running_mean
print(module_map(new.to(devices[1]), before=old.to(devices[1])))
names = {"weight": weight, "mean": mean, "n.weight": new.weight, "n.mean": new.running_mean}
print(name_map(names, {"n.weight": weight, "n.mean": mean}, title="Names"))
"""
    _, change, names = fresh(script).splitlines()
    assert change.startswith("Left behind: 0 of 7 tensors; before, 2. parts.0.weight")
    moved = "shape (1, 1)): cpu → cuda:1, saved: no → yes, trained: no → yes."
    assert f"parts.0.weight (parameter, {moved}" in change and change.count("→") == 6
    assert "mean: one tensor on cpu, shape (2,)." in names
    assert "weight and n.weight: one Parameter on cuda:1" in names
    assert "n.mean: one tensor on cuda:1" in names
    assert names.endswith("Before, n.mean was another one, on cpu.")


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
