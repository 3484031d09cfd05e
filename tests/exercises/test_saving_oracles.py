"""The oracles of assignment 10 against reality: what torch does, says and writes."""

import random
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any
from unittest import mock

import pytest
import torch
from course_utils.exercises.saving import OBSERVERS
from course_utils.exercises.saving.keys import skeleton
from course_utils.exercises.saving.material import fill, net_of
from course_utils.exercises.saving.save_checkpoint import WRAPPERS
from course_utils.judging.saving import JUDGES
from course_utils.judging.saving import clean_keys as clean_keys_judge
from course_utils.judging.saving import predict_map as predict_map_judge
from course_utils.judging.saving import read_load_error as read_judge
from course_utils.judging.saving.explain_load_error import differences
from course_utils.judging.saving.material import net_state
from torch.nn.parallel import DistributedDataParallel

from course_utils.checking.contract import Case
from course_utils.devices import current_lab, lab


@pytest.fixture(scope="module", autouse=True)
def _four_gpus() -> None:
    if current_lab() is None:
        lab(gpus=4)


def _cases(name: str, seeds: int = 20) -> list[Case]:
    judge = JUDGES[f"saving.{name}"]
    return [case for seed in range(seeds) for case in judge.cases(random.Random(seed))]


def test_observers_and_judges_belong_together() -> None:
    assert list(OBSERVERS) == list(JUDGES)


@pytest.mark.parametrize("name", OBSERVERS)
def test_findings_have_names_of_their_own(name: str) -> None:
    names = [kind.name for kind in JUDGES[name].findings]
    assert len(names) == len(set(names))


# ---------------------------------------------------------------- keys


@pytest.mark.parametrize("wrappers", [["DataParallel"], ["compile"], ["DataParallel", "compile"]])
def test_real_wrappers_write_the_keys_and_the_metadata_that_cases_have(wrappers: list[str]) -> None:
    bare = net_of(["body", "norm", "head"])
    wrapped: Any = bare
    for name in wrappers:
        wrapped = WRAPPERS[name](wrapped)
    given, wanted = wrapped.state_dict(), bare.state_dict()
    keys, front = clean_keys_judge._bare([*given], clean_keys_judge.DEFAULT)
    assert keys == [*wanted]
    versions = {name: entry["version"] for name, entry in given._metadata.items()}
    right = [[name, _described(entry)] for name, entry in wanted._metadata.items()]
    assert clean_keys_judge._judge_metadata(right, versions, front) is None


def _described(entry: Mapping[str, int]) -> dict[str, Any]:
    value = {"type": "int", "value": entry["version"]}
    return {"type": "dict", "keys": [{"type": "str", "value": "version"}], "items": [value]}


def test_the_stand_in_for_distributed_is_like_the_real_one() -> None:
    net = torch.nn.Linear(2, 2)
    store = torch.distributed.HashStore()
    torch.distributed.init_process_group("gloo", store=store, rank=0, world_size=1)
    try:
        real = DistributedDataParallel(net)
    finally:
        torch.distributed.destroy_process_group()
    stand_in = WRAPPERS["DistributedDataParallel"](net)
    assert isinstance(stand_in, DistributedDataParallel) and stand_in.module is real.module is net
    assert [*stand_in.state_dict()] == [*real.state_dict()]


def test_differences_are_those_of_load_state_dict() -> None:
    """Missing and unexpected from its result; sizes, and whether anything is wrong, from its error.

    `strict=False` raises for sizes, so those keys are left out of that attempt.
    """
    advice = set()
    for case in _cases("explain_load_error"):
        said = differences(case.data["model"], case.data["file"])
        found = OrderedDict((key, torch.ones(shape)) for key, shape in case.data["file"])
        text = _error(lambda f=found, c=case: skeleton(c.data["model"]).load_state_dict(f))
        assert (text == "") == (said["advice"] == "load it")
        for key in said["size"]:
            assert f"size mismatch for {key}:" in text
        assert text.count("size mismatch for") == len(said["size"])
        fitting = OrderedDict((k, v) for k, v in found.items() if k not in said["size"])
        result = skeleton(case.data["model"]).load_state_dict(fitting, strict=False)
        assert [k for k in result.missing_keys if k not in said["size"]] == said["missing"]
        assert result.unexpected_keys == said["unexpected"]
        advice.add(said["advice"])
    assert len(advice) == 5


def _error(action: Callable[[], Any]) -> str:
    try:
        action()
    except Exception as error:
        return str(error)
    return ""


# ---------------------------------------------------------------- messages


def _tree(keys: Any) -> torch.nn.Module:
    """A module with these keys, whose class is called Net."""
    net = skeleton([[key, [1], "parameter"] for key in keys])
    net.__class__ = type("Net", (torch.nn.Module,), {})
    return net


def test_messages_about_keys_are_torchs_own() -> None:
    for missing, unexpected in (
        *((keys, [f"module.{key}" for key in keys]) for keys in read_judge.LAYERS),
        *read_judge.OTHER_NAMES,
    ):
        given = OrderedDict((key, torch.ones(1)) for key in unexpected)
        text = _error(lambda m=missing, g=given: _tree(m).load_state_dict(g))
        assert text == read_judge._keys("Net", missing, unexpected)


def test_the_message_about_a_size_is_torchs_own() -> None:
    net = _tree([])
    net.register_parameter("w", torch.nn.Parameter(torch.zeros(7, 4)))
    text = _error(lambda: net.load_state_dict({"w": torch.zeros(3, 4)}))
    size = read_judge.SIZE.format(key="w", found=3, wanted=7)
    assert text == read_judge.KEYS.format(model="Net") + size


def test_messages_about_devices_are_torchs_own(tmp_path: Any) -> None:
    with mock.patch("torch.serialization.location_tag", lambda storage: "cuda:12"):
        torch.save(torch.ones(1), tmp_path / "x.pt")
    for count, wanted in (
        (0, read_judge.NO_GPU),
        (2, read_judge.FEW_GPUS.format(device=12, count=2)),
    ):
        with (
            mock.patch("torch.cuda.is_available", lambda n=count: n > 0),
            mock.patch("torch.cuda.device_count", lambda n=count: n),
        ):
            assert _error(lambda: torch.load(tmp_path / "x.pt")) == wanted


def test_the_message_about_objects_is_torchs_own(tmp_path: Any) -> None:
    torch.save(torch.nn.Linear(1, 1), tmp_path / "x.pt")
    text = _error(lambda: torch.load(tmp_path / "x.pt"))
    assert text == read_judge.PICKLE.format(name="torch.nn.modules.linear.Linear")


# ---------------------------------------------------------------- places


def test_what_the_other_python_saw_is_so_here(tmp_path: Any) -> None:
    """The table of `saving.predict_map`, against loading in this process, with its four GPUs."""
    for tag in predict_map_judge.TAGS:
        path = tmp_path / "x.pt"
        torch.save(torch.ones(1, device=tag), path)
        for place in predict_map_judge.PLACES:
            for form, made in (("string", place), ("device", torch.device(place))):
                seen = str(torch.load(path, map_location=made).device)
                assert predict_map_judge._table()[
                    predict_map_judge._key(tag, form, place, 4)
                ] == seen
        seen = str(torch.load(path, map_location={"cuda:1": "cuda:2"}).device)
        key = predict_map_judge._key(tag, "dict", {"cuda:1": "cuda:2"}, 4)
        assert predict_map_judge._table()[key] == seen


def test_every_case_can_be_looked_up() -> None:
    outcomes = {predict_map_judge._truth(case.data) for case in _cases("predict_map", 40)}
    assert {"cpu", "cuda:0", "RuntimeError", "TypeError"} <= outcomes


# ---------------------------------------------------------------- values


def test_a_step_of_sgd_by_hand_is_a_step_of_sgd() -> None:
    names, values = ["body", "norm", "head"], [float(i) for i in range(1, 14)]
    gradients = [float(2 * i) for i in range(1, 14)]
    net = net_of(names)
    fill([*net.parameters()], values)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.25, momentum=0.5)
    for parameter in net.parameters():
        parameter.grad = torch.zeros_like(parameter)
    fill([parameter.grad for parameter in net.parameters()], gradients)
    optimizer.step()
    by_hand = [v - 0.25 * g for v, g in zip(values, gradients, strict=True)]
    seen = {key: tensor.tolist() for key, tensor in net.state_dict().items()}
    assert seen == net_state(names, by_hand)
    buffers = [entry["momentum_buffer"] for entry in optimizer.state_dict()["state"].values()]
    assert [number for b in buffers for number in b.flatten().tolist()] == gradients
