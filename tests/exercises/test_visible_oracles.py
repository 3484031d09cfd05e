"""The oracles of assignment 05 against reality: torch, virtual machines, real child processes.

That the corpus is complete, and that stub, junk and mutants are refused, `course verify` proves
for every exercise.
"""

import json
import os
import random
import subprocess
import sys
from typing import Any
from unittest import mock

import pytest
import torch

from course_utils.authoring.corpus import load_answer
from course_utils.checking.contract import Case
from course_utils.checking.exercises import exercise
from course_utils.checking.reference import reference

VARIABLE, ORDER = "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"

JUDGES = {
    name: exercise(f"visible.{name}").module("judge")
    for name in ("logical_to_physical", "physical_of", "first_card", "in_force", "mend_visible")
}
visible_cards = JUDGES["logical_to_physical"].visible_cards

MACHINES = """
import json, os, sys
import torch
import virtual_cuda
from virtual_cuda import DeviceProfile

def cards_of(machine):
    for name, value in machine["environment"].items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
    ranks = machine["ranks"]
    cards = [DeviceProfile("1 GiB", name=f"card {i}", speed_rank=rank, uuid=machine["uuids"][i])
             for i, rank in enumerate(ranks)]
    virtual_cuda.enable(cards=cards, quiet=True)
    count = torch.cuda.device_count()
    if count:
        torch.ones(1, device="cuda")
    names = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]
    virtual_cuda.disable()
    assert count == len(names)
    return [int(name.split()[1]) for name in names]

print(json.dumps([cards_of(machine) for machine in json.load(sys.stdin)]))
"""


def _really_visible(machines: list[dict[str, Any]]) -> list[list[int]]:
    """The cards, in PCI order, that torch finds under each environment in a child process."""
    child = subprocess.run(
        [sys.executable, "-c", MACHINES],
        input=json.dumps(machines),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(child.stdout.splitlines()[-1])


def _machine(
    value: str | None, ranks: list[int], order: str | None = None, uuids: list[str] | None = None
) -> dict[str, Any]:
    made = [f"GPU-{number:08x}-0000-4000-8000-000000000000" for number in range(len(ranks))]
    return {"environment": {VARIABLE: value, ORDER: order}, "ranks": ranks, "uuids": uuids or made}


def _cases(name: str, seeds: int = 2) -> list[Case]:
    judge = JUDGES[name].judge
    return [case for seed in range(seeds) for case in judge.cases(random.Random(seed))]


@pytest.mark.slow
def test_visible_cards_are_those_of_a_virtual_machine() -> None:
    cases = [c.data for c in _cases("logical_to_physical") if c.data["n_physical"] <= 8]
    seen = _really_visible([_machine(data["value"], [0] * data["n_physical"]) for data in cases])
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


def test_uuids_are_read_as_torch_reads_them() -> None:
    rng = random.Random(5)
    uuids = [f"GPU-{number}" for number in ("aa1", "aa2", "ab3", "b44")]
    entries = [*uuids, "GPU-aa", "GPU-ab", "GPU-b", "GPU-c", "2", ""]
    for _ in range(1000):
        drawn = ["GPU-b", *rng.choices(entries, k=3)][rng.randint(0, 1) :]
        value = ",".join(drawn)
        # An entry that is repeated after the end of the list is left out by the task.
        if not value.startswith("GPU-") or len(set(drawn)) < len(drawn):
            continue
        wanted = torch.cuda._transform_uuid_to_ordinals(_torchs_own(value), uuids)
        cards = [(uuid, 1) for uuid in uuids]
        found = JUDGES["first_card"].chosen(cards, value)
        assert found == [uuids[index] for index in wanted], value


@pytest.mark.slow
def test_the_card_behind_a_device_is_that_of_a_virtual_machine() -> None:
    cases = [case.data for case in _cases("physical_of") if case.data["n_physical"] <= 8]
    seen = _really_visible([_machine(data["value"], [0] * data["n_physical"]) for data in cases])
    for data, cards in zip(cases, seen, strict=True):
        device = torch.device(data["device"])
        exists = device.type == "cuda" and (device.index or 0) < len(cards)
        wanted = cards[device.index or 0] if exists else None
        assert JUDGES["physical_of"].card_behind(**data) == wanted, data


def _full(uuid: str) -> str:
    """A UUID of the exercise, filled up to the length of a real one."""
    digits = uuid.removeprefix("GPU-").ljust(32, "0")
    parts = (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
    return f"GPU-{'-'.join(parts)}"


@pytest.mark.slow
def test_the_first_card_is_that_of_a_virtual_machine() -> None:
    cases = [case.data for case in _cases("first_card")]
    machines = []
    for data in cases:
        uuids = [_full(uuid) for uuid, _ in data["cards"]]
        ranks = [-speed for _, speed in data["cards"]]
        machines.append(_machine(data["visible"], ranks, data["order"], uuids))
    for data, cards in zip(cases, _really_visible(machines), strict=True):
        wanted = data["cards"][cards[0]][0] if cards else None
        assert JUDGES["first_card"].first_card(**data) == wanted, data


LINES = {
    "import": "import torch",
    "set": f"os.environ['{VARIABLE}'] = {{!r}}",
    "setdefault": f"os.environ.setdefault('{VARIABLE}', {{!r}})",
    "is_available": "torch.cuda.is_available()",
    "device_count": "torch.cuda.device_count()",
    "tensor": "torch.ones(1, device='cuda')",
}
BEGIN = """import os, subprocess, sys
import virtual_cuda
virtual_cuda.enable(cards=[virtual_cuda.DeviceProfile("1 GiB", name=f"card {i}") for i in range(4)],
                    quiet=True)
"""
END = """
import torch
count = len(virtual_cuda.machine().visible_devices)
if count:
    torch.ones(1, device="cuda")
print([int(torch.cuda.get_device_name(i).split()[1]) for i in range(count)])
"""


def _script(events: list[list[str]]) -> str:
    """The events as a program; a child's own are a program inside it."""
    lines = [BEGIN]
    for number, (kind, *values) in enumerate(events):
        if kind == "child":
            inner = _script(events[number + 1 :])
            lines.append(f"subprocess.run([sys.executable, '-c', {inner!r}], check=True)")
            return "\n".join(lines)
        lines.append(LINES[kind].format(*values))
    return "\n".join([*lines, END])


def _run(data: dict[str, Any]) -> list[int]:
    env = dict(os.environ)
    env.pop(VARIABLE, None)
    if data["start"] is not None:
        env[VARIABLE] = data["start"]
    child = subprocess.run(
        [sys.executable, "-c", _script(data["events"])], env=env, capture_output=True, text=True
    )
    assert child.returncode == 0, child.stderr
    return json.loads(child.stdout.splitlines()[-1])


FORKS = """
import json, os, sys
import torch
import virtual_cuda

LINES = json.loads(sys.argv[1])

def run(value, events):
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.write(writing, json.dumps(follow(value, events)).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as told:
        end = json.load(told)
    os.wait()
    return run(*end["child"]) if "child" in end else end["cards"]

def follow(value, events):
    os.environ.pop("CUDA_VISIBLE_DEVICES", None)
    if value is not None:
        os.environ["CUDA_VISIBLE_DEVICES"] = value
    cards = [virtual_cuda.DeviceProfile("1 GiB", name=f"card {i}") for i in range(4)]
    virtual_cuda.enable(cards=cards, quiet=True)
    for number, (kind, *values) in enumerate(events):
        if kind == "child":
            return {"child": [os.environ.get("CUDA_VISIBLE_DEVICES"), events[number + 1:]]}
        exec(LINES[kind].format(*values))
    count = len(virtual_cuda.machine().visible_devices)
    if count:
        torch.ones(1, device="cuda")
    names = [torch.cuda.get_device_name(i) for i in range(count)]
    return {"cards": [int(name.split()[1]) for name in names]}

print(json.dumps([run(data["start"], data["events"]) for data in json.load(sys.stdin)]))
"""
"""Follows each program in a fork of a process that has imported torch and not used CUDA."""

frozen_count = pytest.mark.skipif(
    torch.__version__.startswith("2.11"), reason="its device_count() never freezes"
)


@pytest.mark.slow
@frozen_count
def test_predictions_are_what_forks_do() -> None:
    cases = [case.data for case in _cases("in_force", seeds=2)]
    child = subprocess.run(
        [sys.executable, "-c", FORKS, json.dumps(LINES)],
        text=True,
        check=True,
        input=json.dumps(cases),
        capture_output=True,
    )
    for data, cards in zip(cases, json.loads(child.stdout.splitlines()[-1]), strict=True):
        assert JUDGES["in_force"].judge.oracle(**data) == cards, data


@pytest.mark.slow
@frozen_count
@pytest.mark.parametrize(
    "title", ["set after the import", "`is_available`, then set", "a child that uses `setdefault`"]
)
def test_predictions_are_what_processes_do(title: str) -> None:
    (data,) = (case.data for case in _cases("in_force", seeds=1) if case.title == title)
    assert JUDGES["in_force"].judge.oracle(**data) == _run(data)


REAL = "import virtual_cuda; virtual_cuda.enable(4, quiet=True); import torch; "


@pytest.mark.slow
@pytest.mark.parametrize("value", ["0,9,1", None])
def test_a_real_program_counts_what_the_stand_in_does(value: str | None) -> None:
    folder = exercise("visible.child_device_count").path
    answer = load_answer(reference(folder), "child_device_count", "<reference>")
    command = [sys.executable, "-c", f"{REAL} print(torch.cuda.device_count())"]
    assert answer(command, value) == len(visible_cards(value, 4))


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
