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

from course_utils.checking.exercises import exercise
from exercise_kit.corpus import load_answer
from exercise_kit.facts import describe
from exercise_kit.reference import reference

VARIABLE = "CUDA_VISIBLE_DEVICES"

judge_of_physical_of = exercise("visible.physical_of").module("judge")

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


def _answer(name: str) -> Any:
    return load_answer(reference(exercise(f"visible.{name}").path), name, "<reference>")


@pytest.mark.slow
@pytest.mark.more
def test_visible_cards_are_those_of_a_virtual_machine() -> None:
    parts = exercise("visible.logical_to_physical")
    cases = [*parts.public_cases, *(case for _, case in parts.hidden_cases("1"))]
    cases = [case for case in cases if case.data["n_physical"] <= 8]
    seen = _really_visible([case.data for case in cases])
    for case, cards in zip(cases, seen, strict=True):
        assert case.right and case.right["result"] == describe(cards), case.data


def _torchs_own(value: str) -> list[Any]:
    with mock.patch.dict(os.environ, {VARIABLE: value}):
        return torch.cuda._parse_visible_devices()


@pytest.mark.slow
@pytest.mark.parametrize(
    "visible_cards", [_answer("logical_to_physical"), judge_of_physical_of.visible_cards]
)
def test_values_are_read_as_torch_reads_them(visible_cards: Any) -> None:
    """With 50 cards no number is too large: what the task leaves out is not tried."""
    rng = random.Random(5)
    entries = ["3", "0", "-1", "", "x", "[2", " 1", "2 ", "cuda:4", "11", "49", "17"]
    for _ in range(3000):
        value = ",".join(rng.choices(entries, k=4))
        assert visible_cards(value, 50) == _torchs_own(value), value


@pytest.mark.slow
@pytest.mark.more
def test_the_card_behind_a_device_is_that_of_a_virtual_machine() -> None:
    judge = exercise("visible.physical_of").judge
    drawn = [case.data for seed in range(2) for case in judge.cases(random.Random(seed))]
    cases = [data for data in drawn if data["n_physical"] <= 8]
    seen = _really_visible(cases)
    for data, cards in zip(cases, seen, strict=True):
        device = torch.device(data["device"])
        exists = device.type == "cuda" and (device.index or 0) < len(cards)
        wanted = cards[device.index or 0] if exists else None
        assert judge_of_physical_of.card_behind(**data) == wanted, data


REAL = "import virtual_cuda; virtual_cuda.enable(4, quiet=True); import torch; "


@pytest.mark.slow
@pytest.mark.more
def test_real_programs_get_their_cards() -> None:
    uuid = "print(torch.cuda.device_count(), torch.cuda.get_device_properties(0).uuid)"
    one, two = _answer("run_jobs")([sys.executable, "-c", REAL + uuid], [[0], [3, 1]])
    assert one.split()[0] == "1" and two.split()[0] == "2"
    assert one.split()[1] != two.split()[1]


def test_every_write_and_every_start_of_a_process_is_seen_at_once(monkeypatch) -> None:
    monkeypatch.setenv("HERE", "1")
    init, put = subprocess.Popen.__init__, os.putenv
    with exercise("visible.run_jobs").module("observe").watched() as (writes, starts):
        os.environ[VARIABLE] = "2"
        del os.environ[VARIABLE]
        os.environ.pop("HERE")
        subprocess.run([sys.executable, "-S", "-c", ""])
        running = [subprocess.Popen(["sleep", "0.1"]) for _ in range(2)]
        assert starts.call_count == 3
    names = [call.args[0].decode() for call in writes.mock_calls]
    assert names == [VARIABLE, VARIABLE, "HERE"]
    assert subprocess.Popen.__init__ is init and os.putenv is put
    assert [process.wait() for process in running] == [0, 0]
