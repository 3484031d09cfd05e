"""The oracles of assignment 05 against reality: virtual machines, and real child processes.

That the corpus is complete, and that stub, junk and mutants are refused, `course verify` proves
for every exercise.
"""

import itertools
import json
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest import mock

import pytest
import torch
from course_utils.exercises.visible import OBSERVERS
from course_utils.exercises.visible.material import same_environment
from course_utils.exercises.visible.set_visible import Environment
from course_utils.judging.visible import JUDGES, first, force, material, messages, physical

from course_utils.checking.contract import Case

VARIABLE, ORDER = "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"

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
    child = subprocess.run([sys.executable, "-c", MACHINES], input=json.dumps(machines),
                           capture_output=True, text=True, check=True)
    return json.loads(child.stdout.splitlines()[-1])


def _machine(value: str | None, ranks: list[int], order: str | None = None,
             uuids: list[str] | None = None) -> dict[str, Any]:
    made = [f"GPU-{number:08x}-0000-4000-8000-000000000000" for number in range(len(ranks))]
    return {"environment": {VARIABLE: value, ORDER: order}, "ranks": ranks, "uuids": uuids or made}


def _cases(name: str, seeds: int = 4) -> list[Case]:
    judge = JUDGES[f"visible.{name}"]
    return [case for seed in range(seeds) for case in judge.cases(random.Random(seed))]


def test_observers_and_judges_belong_together() -> None:
    assert list(OBSERVERS) == list(JUDGES)


def test_visible_numbers_are_those_of_a_virtual_machine() -> None:
    cases = [case.data for case in _cases("logical_to_physical") if case.data["n_physical"] <= 8]
    seen = _really_visible([_machine(data["value"], [0] * data["n_physical"]) for data in cases])
    for data, cards in zip(cases, seen, strict=True):
        assert material.visible_numbers((data["value"], data["n_physical"])) == cards, data


def _torchs_own(value: str) -> list[Any]:
    with mock.patch.dict(os.environ, {VARIABLE: value}):
        return torch.cuda._parse_visible_devices()


def test_values_are_read_as_torch_reads_them() -> None:
    rng = random.Random(5)
    for _ in range(3000):
        entry = "".join(rng.choices("0123456789", k=2)), rng.choice(["3", "0", "-1", "", "x", "[2"])
        value = ",".join(rng.choice([*entry, " 1", "2 ", "4;5", "6a"]) for _ in range(4))
        wanted = list(itertools.takewhile(lambda number: number < 50, _torchs_own(value)))
        assert material.visible_numbers((value, 50)) == wanted, value


def test_uuids_are_read_as_torch_reads_them() -> None:
    rng = random.Random(5)
    uuids = [f"GPU-{number}" for number in ("aa1", "aa2", "ab3", "b44")]
    entries = [*uuids, "GPU-aa", "GPU-ab", "GPU-b", "GPU-", "GPU-c", "2", ""]
    for _ in range(1000):
        value = ",".join(["GPU-b", *rng.choices(entries, k=3)][rng.randint(0, 1) :])
        if value.startswith("GPU-"):
            wanted = torch.cuda._transform_uuid_to_ordinals(_torchs_own(value), uuids)
            assert material.visible_uuids(value, uuids) == wanted, value


def test_the_card_behind_a_device_is_that_of_a_virtual_machine() -> None:
    cases = [case.data for case in _cases("physical_of") if case.data["n_physical"] <= 8]
    seen = _really_visible([_machine(data["value"], [0] * data["n_physical"]) for data in cases])
    for data, cards in zip(cases, seen, strict=True):
        device = torch.device(data["device"])
        exists = device.type == "cuda" and (device.index or 0) < len(cards)
        assert physical.card_behind(data) == (cards[device.index or 0] if exists else None), data


def _full(uuid: str) -> str:
    """A UUID of the exercise, filled up to the length of a real one."""
    digits = uuid.removeprefix("GPU-").ljust(32, "0")
    parts = (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
    return f"GPU-{'-'.join(parts)}"


def test_the_first_card_is_that_of_a_virtual_machine() -> None:
    cases = [case.data for case in _cases("first_card")]
    machines = []
    for data in cases:
        uuids = [_full(uuid) for uuid, _ in data["cards"]]
        value = data["visible"]
        if value and value.startswith("GPU-"):
            value = ",".join(entry if len(entry) <= 12 else _full(entry)
                             for entry in value.split(","))
        ranks = [-speed for _, speed in data["cards"]]
        machines.append(_machine(value, ranks, data["order"], uuids))
    for data, cards in zip(cases, _really_visible(machines), strict=True):
        wanted = data["cards"][cards[0]][0] if cards else None
        assert first.truth(data) == wanted, data


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
    child = subprocess.run([sys.executable, "-c", _script(data["events"])], env=env,
                           capture_output=True, text=True)
    assert child.returncode == 0, child.stderr
    return json.loads(child.stdout.splitlines()[-1])


@pytest.mark.slow
@pytest.mark.skipif(torch.__version__.startswith("2.11"), reason="its device_count() never freezes")
def test_predictions_are_what_processes_do() -> None:
    cases = [case.data for case in _cases("in_force", seeds=1)]
    with ThreadPoolExecutor(2) as pool:
        seen = list(pool.map(_run, cases))
    for data, cards in zip(cases, seen, strict=True):
        assert force.truth(data) == cards, data


def test_every_misconception_can_be_told_from_the_truth() -> None:
    cases = [case.data for case in _cases("in_force", seeds=1)]
    for kind in force.InForce.findings[1:-2]:
        assert any(force.truth(data, kind) != force.truth(data) for data in cases), kind.name


def test_messages_of_this_torch_and_of_the_virtual_machine_are_in_the_table() -> None:
    script = """
import torch
def say(work):
    try:
        work()
    except Exception as error:
        print(repr(str(error)))
say(torch.cuda.init)
import os
import virtual_cuda
virtual_cuda.enable(2, quiet=True)
say(lambda: torch.ones(1, device="cuda:2"))
say(lambda: torch.cuda.get_device_properties(2))
virtual_cuda.disable()
os.environ["CUDA_VISIBLE_DEVICES"] = ""
virtual_cuda.enable(2, quiet=True)
say(lambda: torch.ones(1, device="cuda"))
"""
    child = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                           check=True)
    *build, ordinal, device_id, hidden = map(eval, child.stdout.splitlines())
    causes = [messages.meanings()[text] for text in (ordinal, device_id, hidden)]
    assert causes == ["number", "number", "hidden"]
    if not torch.backends.cuda.is_built():
        assert messages.meanings()[build[0]] == "build"


def test_other_messages_have_no_cause() -> None:
    others = (*messages.OTHER_CUDA, *messages.OTHER_MESSAGES, *messages.STRINGS)
    assert not set(others) & set(messages.meanings())


@pytest.mark.parametrize("value", [2, [2, 3], None])
def test_the_mapping_refuses_what_an_environment_refuses(value: Any) -> None:
    with pytest.raises(TypeError) as real:
        os.environ[VARIABLE] = value
    with pytest.raises(TypeError) as ours:
        Environment()[VARIABLE] = value
    assert str(real.value) == str(ours.value)


def test_the_environment_is_put_back_and_writes_are_seen(monkeypatch) -> None:
    monkeypatch.setenv(VARIABLE, "1")
    before = dict(os.environ)
    with same_environment() as written:
        os.environ[VARIABLE] = "2"
        os.environ["NEW_ONE"] = "x"
        del os.environ["NEW_ONE"]
        os.environ.pop("PATH")
    assert dict(os.environ) == before
    assert written == [VARIABLE, "NEW_ONE", "NEW_ONE", "PATH"]
