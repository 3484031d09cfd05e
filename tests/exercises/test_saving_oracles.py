"""The oracles of assignment 10 against reality: what torch does, says and writes.

That stub, known answers, junk and mutants come out as they should, `course verify` proves.
"""

import json
import os
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from topic import Topic
from torch.nn.parallel import DistributedDataParallel

from course_utils.checking.exercises import exercise
from course_utils.experiments.visible import visible

NAMES = ["body", "norm", "head"]


pytestmark = pytest.mark.usefixtures("four_gpus")
TOPIC = Topic("saving", seeds=20)
_cases = TOPIC.cases


def _part(name: str, module: str) -> Any:
    return exercise(f"saving.{name}").module(module)


def _shared(module: str) -> Any:
    """`observing` or `judging` of the topic, by way of an exercise that imports from it."""
    return sys.modules[
        _part("save_checkpoint", module).__name__.replace(
            f"save_checkpoint.{module}", {"observe": "observing", "judge": "judging"}[module]
        )
    ]


def _error(action: Callable[[], Any]) -> str:
    try:
        action()
    except Exception as error:
        return str(error)
    return ""


# ---------------------------------------------------------------- the model of the observers


def test_the_state_dict_that_judges_expect_is_the_one_of_the_model() -> None:
    values = [float(n) for n in range(2, 20)]
    model = _shared("observe").model_of(NAMES)
    _shared("observe").fill(model.state_dict().values(), values)
    seen = {key: tensor.tolist() for key, tensor in model.state_dict().items()}
    assert seen == _shared("judge").state_of(NAMES, values)
    parameters = [key for key in seen if _shared("judge").is_parameter(key)]
    assert parameters == [key for key, _ in model.named_parameters()]


def test_forged_tags_are_followed(tmp_path: Path) -> None:
    observing = _shared("observe")
    observing.save_tagged(torch.ones(1), tmp_path / "x.pt", lambda storage: "cuda:7")
    with visible(2, torch.load):
        assert "on CUDA device 7 but torch.cuda.device_count() is 2" in _error(
            lambda: torch.load(tmp_path / "x.pt")
        )
    with visible(0, torch.load):
        assert "torch.cuda.is_available() is False" in _error(lambda: torch.load(tmp_path / "x.pt"))
    observing.save_tagged(torch.ones(1), tmp_path / "x.pt", lambda storage: "cuda:2")
    assert str(torch.load(tmp_path / "x.pt").device) == "cuda:2"


# ---------------------------------------------------------------- clean_keys


@pytest.mark.parametrize("wrappers", [["DataParallel"], ["compile"], ["DataParallel", "compile"]])
def test_real_wrappers_write_the_keys_and_the_metadata_that_cases_have(wrappers: list[str]) -> None:
    judge = _part("clean_keys", "judge")
    bare = _shared("observe").model_of(NAMES)
    wrapped: Any = bare
    for name in wrappers:
        wrapped = _part("save_checkpoint", "observe").WRAPPERS[name](wrapped)
    given, wanted = wrapped.state_dict(), bare.state_dict()
    front = judge.front_of([*given], judge.DEFAULT)
    assert [key[len(front) :] for key in given] == [*wanted]
    versions = {name: entry["version"] for name, entry in given._metadata.items()}
    right = {name: entry["version"] for name, entry in wanted._metadata.items()}
    assert judge.clean_versions(versions, front) == right


def test_torchs_own_cleaning_leaves_the_same_metadata() -> None:
    judge = _part("clean_keys", "judge")
    for case in _cases("clean_keys", 3):
        keys, versions = case.data["keys"], case.data["versions"]
        front = judge.front_of(keys, case.data["prefixes"] or judge.DEFAULT)
        if versions is None or front.count(".") != 1:
            continue
        given = OrderedDict((key, torch.ones(1)) for key in keys)
        given._metadata = OrderedDict(versions)  # type: ignore[attr-defined]
        torch.nn.modules.utils.consume_prefix_in_state_dict_if_present(given, front)
        assert judge.clean_versions(versions, front) == given._metadata  # type: ignore[attr-defined]


# ---------------------------------------------------------------- save_checkpoint


def test_the_stand_in_for_distributed_is_like_the_real_one() -> None:
    model = torch.nn.Linear(2, 2)
    store = torch.distributed.HashStore()
    torch.distributed.init_process_group("gloo", store=store, rank=0, world_size=1)
    try:
        real = DistributedDataParallel(model)
    finally:
        torch.distributed.destroy_process_group()
    stand_in = _part("save_checkpoint", "observe").WRAPPERS["DistributedDataParallel"](model)
    assert isinstance(stand_in, DistributedDataParallel)
    assert stand_in.module is real.module is model
    assert [*stand_in.state_dict()] == [*real.state_dict()]


def test_a_step_of_sgd_by_hand_is_a_step_of_sgd() -> None:
    judge = _part("save_checkpoint", "judge")
    for case in _cases("save_checkpoint", 1):
        if not case.data["trained"] or case.data["wrappers"]:
            continue
        model, optimizer = exercise("saving.save_checkpoint").observer.prepare(case.data)
        seen = {key: tensor.tolist() for key, tensor in model.state_dict().items()}
        assert seen == judge._after_step(case.data)
        assert judge._judge_optimizer(case.data, optimizer.state_dict()) is None


# ---------------------------------------------------------------- load_partial


def test_differences_are_those_of_load_state_dict() -> None:
    """Missing and unexpected from its result; sizes from its error.

    `strict=False` raises for sizes, so those keys are left out of that attempt.
    """
    judge, observe = _part("load_partial", "judge"), _part("load_partial", "observe")
    for case in _cases("load_partial", 5):
        entries, file = case.data["model"], case.data["file"]
        said = judge.differences(entries, file)
        found = OrderedDict((key, torch.ones(shape)) for key, shape, _ in file)
        text = _error(lambda e=entries, f=found: observe.model_of(e).load_state_dict(f))
        assert (text == "") == (said == {"missing": [], "unexpected": [], "mismatched": []})
        assert all(f"size mismatch for {key}:" in text for key in said["mismatched"])
        assert text.count("size mismatch for") == len(said["mismatched"])
        fitting = OrderedDict((k, v) for k, v in found.items() if k not in said["mismatched"])
        result = observe.model_of(entries).load_state_dict(fitting, strict=False)
        missing = set(result.missing_keys) - set(said["mismatched"])
        assert (sorted(missing), sorted(result.unexpected_keys)) == (
            said["missing"],
            said["unexpected"],
        )


# ---------------------------------------------------------------- mend_load


def test_outputs_by_hand_are_those_of_the_model() -> None:
    judge, observe = _part("mend_load", "judge"), _part("mend_load", "observe")
    for case in _cases("mend_load", 5):
        data = case.data
        model, mean, std = (
            observe.model_of(data["trained"]),
            *map(torch.tensor, (data["mean"], data["std"])),
        )
        seen = [model((torch.tensor(batch) - mean) / std).tolist() for batch in data["batches"]]
        assert seen == judge.outputs(data["batches"], data["trained"], data["mean"], data["std"])


# ---------------------------------------------------------------- predict_map

TAGS = ("cpu", "cuda:0", "cuda:1", "cuda:2", "cuda:3")
PLACES = ("cpu", "cuda", *TAGS[1:])
FORMS: tuple[tuple[str, Any], ...] = (
    ("nothing", None),
    *(("string", place) for place in PLACES),
    *(("device", place) for place in PLACES),
    *(("dict", {key: value}) for key in PLACES for value in PLACES),
    *(("dict", {a: b, b: "cpu"}) for a in TAGS for b in TAGS if a != b),
    *(("dict", {a: "cpu", b: "cuda:0"}) for a in TAGS for b in TAGS if a != b),
    *(("function", value) for value in (None, *TAGS)),
    *(("number", value) for value in range(4)),
)
COUNTS = (0, 1, 2, 3, 4)

PROGRAM = """
import io, json, os, sys
from unittest import mock
import torch
import virtual_cuda

tags, forms, counts = json.loads(sys.argv[1])
files = {}
for tag in tags:
    files[tag] = io.BytesIO()
    with mock.patch("torch.serialization.location_tag", lambda storage: tag):
        torch.save(torch.ones(1), files[tag])

def place(form, value):
    if form == "device":
        return torch.device(value)
    if form == "function":
        if value is None:
            return lambda storage, tag: None
        if value == "cpu":
            return lambda storage, tag: storage
        return lambda storage, tag: storage.cuda(int(value[5:]))
    return value

def outcome(tag, form, value):
    files[tag].seek(0)
    try:
        return str(torch.load(files[tag], map_location=place(form, value)).device)
    except (RuntimeError, TypeError) as error:
        return "TypeError" if isinstance(error, TypeError) else "RuntimeError"

seen = []
for count in counts:
    if count:
        os.environ.pop("CUDA_VISIBLE_DEVICES", None)
        virtual_cuda.enable(count, quiet=True, hide_real_gpus=True)
    # A function is only asked to use GPUs that are there.
    seen += [[tag, form, value, count, outcome(tag, form, value)]
             for tag in tags for form, value in forms
             if form != "function" or value in (None, "cpu") or int(value[5:]) < count]
    if count:
        virtual_cuda.disable()
print(json.dumps(seen))
"""


@pytest.mark.slow
def test_predictions_are_what_another_python_sees_when_it_loads() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps([TAGS, FORMS, COUNTS])],
        env={**os.environ, "CUDA_VISIBLE_DEVICES": "", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert not done.returncode, done.stderr
    landing = _part("predict_map", "judge").landing
    seen = json.loads(done.stdout)
    assert len(seen) > 2000
    assert [(*row[:4], landing(*row[:4])) for row in seen] == [tuple(row) for row in seen]


def test_predictions_are_what_this_python_sees_with_its_four_gpus(tmp_path: Path) -> None:
    landing = _part("predict_map", "judge").landing
    for tag in TAGS:
        torch.save(torch.ones(1, device=tag), tmp_path / "x.pt")
        for place in PLACES:
            for form, made in (("string", place), ("device", torch.device(place))):
                seen = str(torch.load(tmp_path / "x.pt", map_location=made).device)
                assert seen == landing(tag, form, place, 4)


def test_cases_ask_for_every_outcome() -> None:
    landing = _part("predict_map", "judge").landing
    outcomes = {landing(**case.data) for case in _cases("predict_map", 5)}
    assert {"cpu", "cuda:0", "RuntimeError", "TypeError"} <= outcomes
