"""`module_map`: what is drawn is what the objects are."""

import pytest
import torch
from pages import assert_text_is_inside_and_apart
from torch import nn

from course_utils.figures.picture import Picture
from lesson_parts.lesson03.modules import module_map
from tests.fresh import fresh


class Tangled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(2, 1)
        self.register_buffer("saved", torch.ones(2))
        self.register_buffer("unsaved", torch.ones(1).long(), persistent=False)
        self.mask = torch.ones(3)
        self.more = [nn.Linear(1, 1, bias=False), (torch.ones(4),)]
        self.cache = {"scale": torch.ones(5), "name": "cat <&> $5$"}


def drawn(picture: Picture) -> list[str]:
    return [text.get_text() for text in picture.figure.axes[0].texts]


@pytest.mark.slow
@pytest.mark.parametrize(
    "told",
    [
        "first.weight (parameter, shape (1, 2), float32)",
        "first.bias (parameter, shape (1,), float32)",
        "saved (buffer, shape (2,), float32)",
        "unsaved (buffer, not saved, shape (1,), int64)",
        "mask (plain attribute, shape (3,), float32)",
        "more[0].weight (in a list, shape (1, 1), float32)",
        "more[1][0] (in a tuple, shape (4,), float32)",
        "cache['scale'] (in a dict, shape (5,), float32)",
    ],
)
def test_everything_a_module_holds_is_named_with_its_kind(told):
    alt = module_map(Tangled()).alt
    assert told in alt
    assert alt.startswith("Module map, 'Where the module is'. cpu holds 8 tensors: ")


def test_the_words_end_with_what_to_does_not_find():
    alt = module_map(Tangled()).alt
    assert alt.endswith(
        "The module's `to` does not find mask, more[0].weight, more[1][0] and cache['scale']."
    )
    assert "does not find" not in module_map(nn.Linear(2, 1)).alt


def test_picture_and_words_show_the_same_tensors():
    picture = module_map(Tangled())
    assert {"first.weight", "saved", "mask", "cache['scale']"} <= set(drawn(picture))
    assert {"parameter", "buffer", "buffer, not saved", "plain attribute"} <= set(drawn(picture))


def test_what_to_finds_is_framed_otherwise():
    frames = {patch.get_linestyle() for patch in module_map(nn.Linear(1, 1)).figure.axes[0].patches}
    assert len({str(frame) for frame in frames}) == 2  # the frame of a row, and the legend's other


def test_empty_devices_and_empty_modules_can_be_shown():
    alt = module_map(nn.ReLU(), devices=["cpu", "cuda:1"], title="T").alt
    assert alt == "Module map, 'T'. cpu holds no tensor. cuda:1 holds no tensor."


def test_text_stays_inside_the_page_and_apart():
    class Wide(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("b" * 60, torch.ones(1, 2, 3, 4, 5, 6, 7), persistent=False)

    for picture in (module_map(Wide(), title="t" * 40), module_map(Tangled())):
        assert_text_is_inside_and_apart(picture)


def test_drawing_is_the_same_every_time():
    torch.manual_seed(0)
    net = Tangled()
    assert module_map(net).svg() == module_map(net).svg()


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
