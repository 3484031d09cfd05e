"""`load_map` and `file_map` show the keys and the tags of a file. They run nothing in it."""

from pathlib import Path
from unittest import mock

import pytest
import torch

from course_utils import lab
from lesson_parts.lesson10.checkpoints import file_map, load_map


def shown(path: Path, content: object) -> str:
    torch.save({"x": content}, path / "x.pt")
    return file_map(path / "x.pt").alt


def test_keys_of_the_file_and_of_the_model(tmp_path: Path):
    model = torch.nn.Linear(2, 1, device="meta")
    torch.save({"weight": torch.ones(1, 2), "module.bias": torch.ones(1)}, tmp_path / "x.pt")
    shown = load_map(tmp_path / "x.pt", tmp_path / "x.pt", model).alt
    assert "The model, on meta: weight, bias. The file x.pt: weight, module.bias. 1 of 2" in shown


def test_tensors_are_listed_by_key_and_tag(tmp_path: Path):
    one, other = torch.ones(4), torch.ones(2)
    tags = {one.data_ptr(): "cuda:3", other.data_ptr(): "cuda:1"}
    with mock.patch("torch.serialization.location_tag", lambda storage: tags[storage.data_ptr()]):
        alt = shown(tmp_path, {"a": [one, one[:1]], "b": other})
    assert "x: a, 2 tensors, 20 bytes, tagged cuda:3. x: b, 1 tensor, 8 bytes, tagged cuda:1" in alt
    assert "x: 2, not a tensor." in shown(tmp_path, 2)


@pytest.mark.parametrize("dtype", [torch.float16, torch.int64, torch.bool, torch.complex64])
def test_sizes_are_those_of_the_tensors(tmp_path: Path, dtype: torch.dtype):
    x = torch.zeros(5, dtype=dtype)
    assert f"1 tensor, {x.nbytes} bytes, tagged cpu" in shown(tmp_path, x)


class Loud:
    def __reduce__(self):
        return print, ("this must not be printed",)


def test_nothing_in_the_file_is_run(tmp_path: Path, capsys):
    content = {"loud": Loud(), "net": torch.nn.Linear(2, 2), "x": torch.nn.Parameter(torch.ones(1))}
    assert "x: 1 tensor, 4 bytes" in shown(tmp_path, content)
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("four_gpus")
def test_tags_of_devices(tmp_path: Path):
    *_, last = lab(gpus=4)
    alt = shown(tmp_path, [torch.ones(1, device=last), torch.ones(1)])
    assert "tagged cuda:3" in alt and "tagged cpu" in alt
