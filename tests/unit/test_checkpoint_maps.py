"""`key_map` and `tag_map` show what is in the model and in the file, and nothing else."""

from pathlib import Path
from unittest import mock

import pytest
import torch

from lesson_parts.lesson10.checkpoints import load_map, tag_map
from lesson_parts.lesson10.keys import key_map
from tests.fresh import fresh


def net(width: int = 2) -> torch.nn.Sequential:
    return torch.nn.Sequential(torch.nn.Linear(2, width), torch.nn.BatchNorm1d(width))


# ---------------------------------------------------------------- key_map


def test_a_file_that_fits_is_matched_key_by_key():
    picture = key_map(net(), net().state_dict(), title="T")
    assert picture.alt.startswith(
        "Key map, 'T'. 7 matched, 0 missing, 0 unexpected, 0 of another size. Matched: 0.weight, "
    )


def test_keys_that_differ_by_a_prefix_share_a_row_on_either_side():
    bare, wrapped = net(), torch.nn.DataParallel(net())
    for model, found, owner in ((bare, wrapped, "file"), (wrapped, bare, "model")):
        picture = key_map(model, found.state_dict())
        assert "0 matched, 6 missing, 7 unexpected" in picture.alt
        assert f"Alike but for the prefix module. of the {owner}'s keys: 7 pairs." in picture.alt


def test_a_key_whose_absence_torch_forgives_is_not_missing():
    found = dict(net().state_dict())
    del found["1.num_batches_tracked"]
    assert net().load_state_dict(found, strict=False).missing_keys == []
    picture = key_map(net(), found)
    assert "6 matched, 0 missing, 0 unexpected, 0 of another size, 1 forgiven." in picture.alt
    assert "Not in the file, and forgiven: 1.num_batches_tracked." in picture.alt


def test_each_key_is_of_one_kind():
    found = net(3).state_dict()
    del found["1.bias"]
    found["2.weight"] = torch.ones(1)
    picture = key_map(net(), found)
    assert "1 matched, 1 missing, 1 unexpected, 5 of another size" in picture.alt
    assert "Missing in the file: 1.bias." in picture.alt
    assert "Unexpected in the file: 2.weight." in picture.alt
    assert "0.weight is (2, 2) in the model and (3, 2) in the file." in picture.alt


def test_the_lists_are_those_of_load_state_dict():
    model, found = net(), dict(net().state_dict())
    found["x"] = found.pop("0.bias")
    result = model.load_state_dict(found, strict=False)
    before = [tensor.clone() for tensor in model.state_dict().values()]
    alt = key_map(model, found).alt
    assert all(map(torch.equal, before, model.state_dict().values()))  # it loads nothing
    assert f"Missing in the file: {', '.join(result.missing_keys)}." in alt
    assert f"Unexpected in the file: {', '.join(result.unexpected_keys)}." in alt


# ---------------------------------------------------------------- tag_map


def test_tags_are_read_from_the_file(tmp_path: Path):
    first, second = torch.ones(3), torch.ones(2, 2, dtype=torch.float64)
    tags = {first.data_ptr(): "cuda:3", second.data_ptr(): "xpu:1"}
    with mock.patch("torch.serialization.location_tag", lambda storage: tags[storage.data_ptr()]):
        torch.save({"a": first, "more": [first[1:], (second,)]}, tmp_path / "x.pt")
    assert tag_map(tmp_path / "x.pt", title="T").alt == (
        "Tag map, 'T'. 3 tensors in 2 storages. "
        "Tagged cuda:3: a (shape (3,), storage 0, 12 bytes) and more > 0 (shape (2,), storage 0, "
        "12 bytes). Tagged xpu:1: more > 1 > 0 (shape (2, 2), storage 1, 32 bytes)."
    )


@pytest.mark.parametrize("dtype", [torch.float16, torch.int64, torch.bool, torch.complex64])
def test_sizes_are_those_of_the_storages(tmp_path: Path, dtype: torch.dtype):
    x = torch.zeros(5, dtype=dtype)
    torch.save(x, tmp_path / "x.pt")
    alt = tag_map(tmp_path / "x.pt").alt
    assert f"tensor (shape (5,), storage 0, {x.nbytes} bytes)" in alt


def test_a_whole_module_and_an_optimizer_can_be_looked_at(tmp_path: Path):
    model = net()
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(4, 2)).sum().backward()
    optimizer.step()
    torch.save({"net": model, "optimizer": optimizer.state_dict()}, tmp_path / "x.pt")
    alt = tag_map(tmp_path / "x.pt").alt
    assert "net > 0 > weight (shape (2, 2)" in alt
    assert "optimizer > state > 0 > exp_avg (shape (2, 2)" in alt


class Loud:
    def __reduce__(self):
        return print, ("this must not be printed",)


def test_nothing_in_the_file_is_run(tmp_path: Path, capsys):
    torch.save({"loud": Loud(), "x": torch.ones(1)}, tmp_path / "x.pt")
    assert "1 tensor in 1 storage" in tag_map(tmp_path / "x.pt").alt
    assert capsys.readouterr().out == ""


def test_a_file_without_tensors_and_a_file_of_another_kind(tmp_path: Path):
    torch.save({"epoch": 3}, tmp_path / "x.pt")
    assert "0 tensors in 0 storages" in tag_map(tmp_path / "x.pt").alt
    (tmp_path / "text").write_text("no zip")
    with pytest.raises(ValueError, match="is not a zip file"):
        tag_map(tmp_path / "text")


@pytest.mark.slow
def test_tags_of_virtual_devices(tmp_path: Path):
    script = f"""
import torch
from course_utils import lab
from lesson_parts.lesson10.checkpoints import tag_map
devices = lab(gpus=4)
torch.save([torch.ones(1, device=devices[3]), torch.ones(1)], {str(tmp_path / "x.pt")!r})
print(tag_map({str(tmp_path / "x.pt")!r}))
"""
    said = fresh(script)
    alt = said.splitlines()[-1]
    assert "Tagged cuda:3: 0 (shape (1,)" in alt and "Tagged cpu: 1 (shape (1,)" in alt


# ---------------------------------------------------------------- load_map


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


# ---------------------------------------------------------------- both
