"""Run code in child processes with another environment: CUDA reads its variables once a process.

A child has the computer's own GPUs where the lab of this process is real, and four virtual ones
elsewhere. It has virtual ones, too, where CUDA_VISIBLE_DEVICES is set here: somebody has chosen
cards for this process then, and a child that chose for itself would take those of others. A machine
of different cards is always virtual. `commands_use_lab` gives the same to what a notebook's `!`
starts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from course_utils.devices import current_lab
from course_utils.errors import CourseError
from course_utils.experiments.warm_parent import run_python

GPUS = 4
"""How many virtual GPUs a child has where nothing else is said."""

_PATIENCE = 120.0  # seconds

_FOR_COMMANDS = {"VIRTUAL_CUDA": str(GPUS), "VIRTUAL_CUDA_HIDE_REAL_GPUS": "1"}
"""Asks torch itself, in a process that knows nothing of virtual GPUs, for those of a child."""

_ERRORS = """
import sys, traceback

def _show(kind, error, trace):
    print("".join(traceback.format_exception_only(kind, error)).rstrip())

sys.excepthook = _show
"""
_VIRTUAL = """
import virtual_cuda
virtual_cuda.enable({gpus}, cards={cards}, quiet=True, hide_real_gpus=True)
virtual_cuda.install_nvidia_smi()
"""
_SURVEY = """
import json, subprocess, torch
query = ["nvidia-smi", "--query-gpu=uuid,name", "--format=csv,noheader"]
lines = subprocess.run(query, capture_output=True, text=True, check=True).stdout.splitlines()
cards = [line.split(", ", 1) for line in lines]
uuids = [uuid.removeprefix("GPU-") for uuid, _ in cards]
count = torch.cuda.device_count()
seen = [uuids.index(str(torch.cuda.get_device_properties(i).uuid)) for i in range(count)]
print(json.dumps([[name for _, name in cards], seen, [uuid for uuid, _ in cards]]))
"""
_WATCH = """
import json, os
VARIABLE = "CUDA_VISIBLE_DEVICES"

def _put(value):
    os.environ.pop(VARIABLE, None)
    if value is not None:
        os.environ[VARIABLE] = value

def _cards_under(value):
    before = os.environ.get(VARIABLE)
    _put(value)
    cards = list(virtual_cuda.machine().visible_devices)
    _put(before)
    return cards

for _line in {lines}:
    exec(_line)
    _value = os.environ.get(VARIABLE)
    _read = _cards_under("0") == _cards_under("1")  # whatever the environment says
    print({mark!r} + json.dumps([_line, _value, _read, _cards_under(_value)]))
"""
_FAMILY = """
import json, os, subprocess, sys
VARIABLE = "CUDA_VISIBLE_DEVICES"
code, (name, *rest), given, changed = sys.argv[1], *map(json.loads, sys.argv[2:])
first = os.environ.get(VARIABLE)
below = []
if rest:
    env = {**os.environ, **({} if given is None else {VARIABLE: given})}
    values = [code, json.dumps(rest), "null", json.dumps(changed)]
    command = [sys.executable, "-c", code, *values]
    below = json.loads(subprocess.run(command, env=env, stdout=subprocess.PIPE).stdout)
else:
    os.environ[VARIABLE] = changed
print(json.dumps([[name, first, os.environ.get(VARIABLE)], *below]))
"""
_MARK = "step: "


def run_child(code: str, *, cards: Sequence[str] | None = None, **variables: str | None) -> str:
    """Run `code` in a new Python process, and return what it printed.

    An exception that ends the child is printed as its last line, without the traceback.

    Args:
        code: a program. It has real GPUs or virtual ones: see this module's docstring.
        cards: names of `virtual_cuda.CATALOGUE`, for a machine of different virtual cards.
        variables: changes of the environment; None removes a variable.

    Raises:
        CourseError: the child did not come to an end.
    """
    machine = (
        ""
        if _real(cards)
        else _VIRTUAL.format(gpus=None if cards else GPUS, cards=list(cards) if cards else None)
    )
    return _run(_ERRORS + machine + code, variables)


def run_bare_child(code: str) -> str:
    """Run `code` in a new Python process with nothing but this computer's own GPUs, if any."""
    return _run(_ERRORS + code, {})


def this_python_first() -> None:
    """Let the `python` of commands that a notebook starts with `!` be the one that runs it."""
    here = str(Path(sys.executable).parent)
    paths = os.environ.get("PATH", "").split(os.pathsep)
    os.environ["PATH"] = os.pathsep.join([here, *(path for path in paths if path != here)])


def commands_use_lab() -> None:
    """Let commands that a notebook starts with `!` find this Python, and the GPUs of a child."""
    this_python_first()
    if not _real(None):
        import virtual_cuda

        os.environ.update(_FOR_COMMANDS)
        virtual_cuda.install_nvidia_smi()


def _real(cards: Sequence[str] | None) -> bool:
    lab = current_lab()
    chosen = os.environ.get("CUDA_VISIBLE_DEVICES") is not None
    return cards is None and lab is not None and lab.kind == "real" and not chosen


def _run(program: str, variables: Mapping[str, str | None]) -> str:
    dropped = {*variables, *_FOR_COMMANDS}
    env = {name: value for name, value in os.environ.items() if name not in dropped}
    env |= {name: value for name, value in variables.items() if value is not None}
    try:
        return run_python(program, env, list(filter(None, sys.path)), _PATIENCE).rstrip("\n")
    except subprocess.TimeoutExpired:
        raise CourseError(
            f"The child process was still running after {_PATIENCE:g} seconds, and was stopped."
        ) from None


@dataclass(frozen=True)
class Sight:
    """What a process sees under a setting of its environment.

    cards: the names of all cards of the machine, in the order of nvidia-smi.
    visible: the places in it of `cuda:0`, `cuda:1`, and so on.
    uuids: of all cards, as nvidia-smi writes them; none where nobody asked.
    """

    setting: str
    cards: tuple[str, ...]
    visible: tuple[int, ...]
    uuids: tuple[str, ...] = field(default=(), compare=False)


def look(*settings: Mapping[str, str | None], cards: Sequence[str] | None = None) -> list[Sight]:
    """Let a child process for each of `settings` tell which cards it sees.

    A setting is a dict of environment variables. CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER are
    removed where it does not name them.
    """
    unset = {"CUDA_VISIBLE_DEVICES": None, "CUDA_DEVICE_ORDER": None}
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        told = list(pool.map(lambda s: run_child(_SURVEY, cards=cards, **{**unset, **s}), settings))
    sights = []
    for setting, text in zip(settings, told, strict=True):
        try:
            names, visible, uuids = map(tuple, json.loads(text))
        except ValueError:
            raise CourseError(f"The child process could not look around: {text}") from None
        words = [f'{name}="{value}"' for name, value in setting.items() if value is not None]
        sights.append(Sight(" ".join(words) or "nothing set", names, visible, uuids))
    return sights


@dataclass(frozen=True)
class Step:
    """A line of a program, and how things stand after it.

    value: what the environment says (None: nothing); cards: those that CUDA works with if it is
    used now; read: whether CUDA has read the variable for good.
    """

    line: str
    value: str | None
    read: bool
    cards: tuple[int, ...]


def watch(lines: Iterable[str], start: str | None = None) -> list[Step]:
    """Run `lines` in a child process with four virtual GPUs, and look around after each.

    start: CUDA_VISIBLE_DEVICES in the environment in which the child starts.

    Raises CourseError if one of the lines raises.
    """
    program = (
        _ERRORS
        + _VIRTUAL.format(gpus=GPUS, cards=None)
        + _WATCH.format(lines=list(lines), mark=_MARK)
    )
    told = _run(program, {"CUDA_VISIBLE_DEVICES": start}).splitlines()
    steps = [json.loads(line.removeprefix(_MARK)) for line in told if line.startswith(_MARK)]
    if told and not told[-1].startswith(_MARK):
        raise CourseError(f"The watched program stopped early: {told[-1]}")
    return [Step(line, value, read, tuple(cards)) for line, value, read, cards in steps]


@dataclass(frozen=True)
class Member:
    """A process, and what CUDA_VISIBLE_DEVICES says in it at first and in the end (None: unset)."""

    name: str
    first: str | None
    last: str | None


def family(names: Sequence[str], given: str, changed: str) -> list[Member]:
    """Start processes of these names, each by the one before, and let them tell the variable.

    The first has none. It gives `given` to the second, the others inherit, and the last one changes
    its own to `changed`. The others look again after that.
    """
    env = {name: value for name, value in os.environ.items() if name != "CUDA_VISIBLE_DEVICES"}
    values = [_FAMILY, *map(json.dumps, (list(names), given, changed))]
    done = subprocess.run(
        [sys.executable, "-c", _FAMILY, *values], env=env, capture_output=True, text=True
    )
    if done.returncode:
        raise CourseError(f"The processes could not be started: {done.stderr.strip()}")
    return [Member(*told) for told in json.loads(done.stdout)]
