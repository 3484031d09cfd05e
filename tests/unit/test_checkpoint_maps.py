"""`load_map` shows the tensors in the file, the loaded dict and the model. It runs nothing."""

from pathlib import Path
from unittest import mock

import pytest
import torch

from course_utils import lab
from lesson_parts.lesson10.checkpoints import load_map


def shown(path: Path) -> str:
    return load_map(path, {"x": torch.ones(1)}, torch.nn.Linear(1, 1), "cpu").alt


def test_the_way_from_the_file_into_the_model(tmp_path: Path):
    shared, other = torch.ones(4), torch.ones(2)
    tags = {shared.data_ptr(): "cuda:3", other.data_ptr(): "cuda:1"}
    with mock.patch("torch.serialization.location_tag", lambda storage: tags[storage.data_ptr()]):
        torch.save({"weight": shared, "bias": shared[:1], "scale": other}, tmp_path / "x.pt")
    loaded = torch.load(tmp_path / "x.pt", map_location="cpu")
    model = torch.nn.Linear(2, 1, dtype=torch.float64, device="meta")
    assert load_map(tmp_path / "x.pt", loaded, model, "cuda:2", title="T").alt == (
        "Load map, 'T'. The file: 1 storage tagged cuda:1 (8 bytes) and 1 storage tagged cuda:3 "
        "(16 bytes). After torch.load, the loaded tensors: 3 on cpu (28 bytes). "
        "After load_state_dict, the model: 2 on meta (24 bytes). "
        "After to(device), the model: 2 on cuda:2 (24 bytes)."
    )


@pytest.mark.parametrize("dtype", [torch.float16, torch.int64, torch.bool, torch.complex64])
def test_sizes_are_those_of_the_storages(tmp_path: Path, dtype: torch.dtype):
    x = torch.zeros(5, dtype=dtype)
    torch.save(x, tmp_path / "x.pt")
    assert f"1 storage tagged cpu ({x.nbytes} bytes)" in shown(tmp_path / "x.pt")


class Loud:
    def __reduce__(self):
        return print, ("this must not be printed",)


def test_nothing_in_the_file_is_run(tmp_path: Path, capsys):
    content = {"loud": Loud(), "net": torch.nn.Linear(2, 2), "x": torch.ones(1)}
    torch.save(content, tmp_path / "x.pt")
    assert "3 storages tagged cpu (28 bytes)" in shown(tmp_path / "x.pt")
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("four_gpus")
def test_tags_of_devices(tmp_path: Path):
    *_, last = lab(gpus=4)
    torch.save([torch.ones(1, device=last), torch.ones(1)], tmp_path / "x.pt")
    assert "1 storage tagged cpu (4 bytes) and 1 storage tagged cuda:3" in shown(tmp_path / "x.pt")
