"""The oracles of assignment 05 against reality: torch, virtual machines, real child processes.

That the corpus is complete, and that stub, junk and mutants are refused, `course verify` proves
for every exercise.
"""

import json
import os
import random
import subprocess
import sys
from collections.abc import Mapping
from typing import Any
from unittest import mock

import pytest
import torch

from course_utils.authoring.corpus import load_answer
from course_utils.checking.contract import Case
from course_utils.checking.exercises import exercise
from course_utils.checking.reference import reference

VARIABLE = "CUDA_VISIBLE_DEVICES"

JUDGES = {
    name: exercise(f"visible.{name}").module("judge")
    for name in ("logical_to_physical", "physical_of", "mend_visible")
}
visible_cards = JUDGES["logical_to_physical"].visible_cards

MACHINES = """
import json, os, sys
import torch
import virtual_cuda
from virtual_cuda import DeviceProfile

def cards_of(value, count):
    os.environ.pop("CUDA_DEVICE_ORDER", None)
    os.environ.pop("CUDA_VISIBLE_DEVICES", None)
    if value is not None:
        os.environ["CUDA_VISIBLE_DEVICES"] = value
    cards = [DeviceProfile("1 GiB", name=f"card {i}") for i in range(count)]
    virtual_cuda.enable(cards=cards, quiet=True)
    count = torch.cuda.device_count()
    if count:
        torch.ones(1, device="cuda")
    names = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]
    virtual_cuda.disable()
    assert count == len(names)
    return [int(name.split()[1]) for name in names]

print(json.dumps([cards_of(*machine) for machine in json.load(sys.stdin)]))
"""


def _really_visible(cases: list[Mapping[str, Any]]) -> list[list[int]]:
    """The cards that torch finds under each value of the variable, in a child process."""
    child = subprocess.run(
        [sys.executable, "-c", MACHINES],
        input=json.dumps([(data["value"], data["n_physical"]) for data in cases]),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(child.stdout.splitlines()[-1])


def _cases(name: str, seeds: int = 2) -> list[Case]:
    judge = JUDGES[name].judge
    return [case for seed in range(seeds) for case in judge.cases(random.Random(seed))]


@pytest.mark.slow
def test_visible_cards_are_those_of_a_virtual_machine() -> None:
    cases = [c.data for c in _cases("logical_to_physical") if c.data["n_physical"] <= 8]
    seen = _really_visible(cases)
    for data, cards in zip(cases, seen, strict=True):
        assert visible_cards(**data) == cards, data


def _torchs_own(value: str) -> list[Any]:
    with mock.patch.dict(os.environ, {VARIABLE: value}):
        return torch.cuda._parse_visible_devices()


def test_values_are_read_as_torch_reads_them() -> None:
    """With 50 cards no number is too large: what the task leaves out is not tried."""
    rng = random.Random(5)
    entries = ["3", "0", "-1", "", "x", "[2", " 1", "2 ", "cuda:4", "11", "49", "17"]
    for _ in range(3000):
        value = ",".join(rng.choices(entries, k=4))
        assert visible_cards(value, 50) == _torchs_own(value), value


@pytest.mark.slow
def test_the_card_behind_a_device_is_that_of_a_virtual_machine() -> None:
    cases = [case.data for case in _cases("physical_of") if case.data["n_physical"] <= 8]
    seen = _really_visible(cases)
    for data, cards in zip(cases, seen, strict=True):
        device = torch.device(data["device"])
        exists = device.type == "cuda" and (device.index or 0) < len(cards)
        wanted = cards[device.index or 0] if exists else None
        assert JUDGES["physical_of"].card_behind(**data) == wanted, data


REAL = "import virtual_cuda; virtual_cuda.enable(4, quiet=True); import torch; "


@pytest.mark.slow
def test_real_programs_get_their_cards() -> None:
    answer = load_answer(reference(exercise("visible.run_jobs").path), "run_jobs", "<reference>")
    uuid = "print(torch.cuda.device_count(), torch.cuda.get_device_properties(0).uuid)"
    one, two = answer([sys.executable, "-c", REAL + uuid], [[0], [3, 1]])
    assert one.split()[0] == "1" and two.split()[0] == "2"
    assert one.split()[1] != two.split()[1]


def test_scores_are_those_of_a_linear_layer() -> None:
    module = JUDGES["mend_visible"]
    for case in _cases("mend_visible"):
        _, model, batches = exercise("visible.mend_visible").observer.prepare(case.data)
        assert module._scores(case.data) == [model(batch).tolist() for batch in batches]


def _observing() -> Any:
    observe = exercise("visible.run_jobs").module("observe")
    return sys.modules[observe.environment.__module__]


def test_the_environment_is_put_back_and_writes_are_seen(monkeypatch) -> None:
    monkeypatch.setenv(VARIABLE, "1")
    before = dict(os.environ)
    with _observing().environment({VARIABLE: None, "HERE": "x"}) as (inherited, touched):
        assert VARIABLE not in os.environ and inherited["HERE"] == "x" and not touched
        os.environ[VARIABLE] = "2"
        os.environ["NEW_ONE"] = "x"
        del os.environ["NEW_ONE"]
        os.environ.pop("PATH")
    assert dict(os.environ) == before
    assert touched == [VARIABLE, "NEW_ONE", "NEW_ONE", "PATH"]


def test_every_start_of_a_process_is_seen_at_once() -> None:
    init = subprocess.Popen.__init__
    with _observing().starts() as begun:
        subprocess.run([sys.executable, "-S", "-c", ""])
        running = [subprocess.Popen(["sleep", "0.1"]) for _ in range(2)]
    assert len(begun) == 3 and subprocess.Popen.__init__ is init
    assert [process.wait() for process in running] == [0, 0]
