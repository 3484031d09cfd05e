"""Run code in child processes with another environment: CUDA reads its variables once a process.

A child has the computer's own GPUs if the lab of this process is real, else four virtual ones. It
has virtual ones too if CUDA_VISIBLE_DEVICES is set here: then GPUs were assigned to this process,
and a child that chooses others could take those of other users. A machine of different cards is
always virtual. With `commands_use_lab`, a notebook's `!` commands have the same GPUs.
"""

from __future__ import annotations

import json
import os
import sys
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from course_utils.devices import current_lab
from course_utils.errors import CourseError
from course_utils.experiments.fork_server import start_program
from exercise_kit.programs.launcher import raise_fault, read

GPUS = 4
"""The default number of virtual GPUs of a child."""

VISIBLE = os.environ.get("CUDA_VISIBLE_DEVICES")
"""The variable when this process began: on a virtual server of a lesson it is another one."""

_PATIENCE = 600.0  # seconds: on a busy computer, twenty seconds of work take two minutes

_FOR_COMMANDS = {"VIRTUAL_CUDA": str(GPUS), "VIRTUAL_CUDA_HIDE_REAL_GPUS": "1"}
"""Environment variables that give any process with torch the virtual GPUs of a child."""

_ERRORS = Path(__file__).with_name("brief_errors.py").read_text(encoding="utf-8")
"""The source as text, for a child that imports nothing of the course."""

_IN_CHILD = "from course_utils.experiments import in_child\n"
_MARK = "step: "


def run_child(code: str, *, cards: Sequence[str] | None = None, **variables: str | None) -> str:
    """The output of `code`, run in a new Python process.

    An exception that ends the child is printed as its last line, without the traceback.

    Args:
        code: a program with real or virtual GPUs: see this module's docstring.
        cards: names of `virtual_cuda.CATALOGUE`, for a machine of different virtual cards.
        variables: changes of the environment; None removes a variable.

    Raises:
        ChildTooSlow: the child did not end in time.
    """
    return _run(_ERRORS + _machine(cards) + code, variables)


def _machine(cards: Sequence[str] | None) -> str:
    """The lines that give a program virtual GPUs; "" if it has real ones."""
    if _real(cards):
        return ""
    gpus = None if cards else GPUS
    return f"{_IN_CHILD}in_child.be_virtual({gpus}, {list(cards) if cards else None})\n"


class ChildTooSlow(CourseError):
    """The child did not end in time."""


def run_bare_child(
    code: str,
    *,
    show: Callable[[str], object] | None = None,
    patience: float | None = None,
    **variables: str | None,
) -> str:
    """The output of `code`, run in a new Python process with this computer's own GPUs, if any.

    show: called with each line at the time it is printed. patience: seconds until the child is
    stopped. variables: changes of the environment. Raises ChildTooSlow.
    """
    return _run(_ERRORS + code, variables, show, patience)


def this_python_first() -> None:
    """Let `python` in a notebook's `!` commands be the Python that runs the notebook."""
    here = str(Path(sys.executable).parent)
    paths = os.environ.get("PATH", "").split(os.pathsep)
    os.environ["PATH"] = os.pathsep.join([here, *(path for path in paths if path != here)])


def commands_use_lab() -> None:
    """Let a notebook's `!` commands use this Python, and the GPUs of a child."""
    this_python_first()
    if not _real(None):
        import virtual_cuda

        os.environ.update(_FOR_COMMANDS)
        virtual_cuda.install_nvidia_smi()


def _real(cards: Sequence[str] | None) -> bool:
    lab = current_lab()
    chosen = os.environ.get("CUDA_VISIBLE_DEVICES") is not None
    return cards is None and lab is not None and lab.kind == "real" and not chosen


def _run(
    program: str,
    variables: Mapping[str, str | None],
    show: Callable[[str], object] | None = None,
    patience: float | None = None,
) -> str:
    patience = _PATIENCE if patience is None else patience
    dropped = {*variables, *_FOR_COMMANDS}
    env = {name: value for name, value in os.environ.items() if name not in dropped}
    env["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    env |= {name: value for name, value in variables.items() if value is not None}
    decode, rest = getincrementaldecoder("utf-8")("replace").decode, ""

    def heard(piece: bytes) -> None:
        nonlocal rest
        *lines, rest = (rest + decode(piece)).split("\n")
        if not piece and rest:
            lines.append(rest)
        if show:
            for line in lines:
                show(line)

    with start_program(["-c", program], env, Path.cwd()) as running:
        printed, ended = read(running, patience, heard=heard)
    if not ended:
        raise ChildTooSlow(
            f"The child process was stopped: it was still running after {patience:g} seconds. "
            "Look for a loop or a wait that does not end."
        )
    raise_fault(running)
    return printed.rstrip("\n")


@dataclass(frozen=True)
class Sight:
    """The GPUs that a process sees under a setting of its environment.

    cards: the names of all cards of the machine, in the order of nvidia-smi.
    visible: the indices in `cards` of `cuda:0`, `cuda:1`, and so on.
    uuids: of all cards, as nvidia-smi writes them; may be empty.
    """

    setting: str
    cards: tuple[str, ...]
    visible: tuple[int, ...]
    uuids: tuple[str, ...] = field(default=(), compare=False)


def look(*settings: Mapping[str, str | None], cards: Sequence[str] | None = None) -> list[Sight]:
    """The GPUs that a child process sees under each of `settings`.

    A setting is a dict of environment variables. CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER are
    removed unless it contains them.
    """
    unset = {"CUDA_VISIBLE_DEVICES": None, "CUDA_DEVICE_ORDER": None}
    survey = f"{_IN_CHILD}in_child.survey()"
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        printed = list(
            pool.map(lambda s: run_child(survey, cards=cards, **{**unset, **s}), settings)
        )
    sights = []
    for setting, text in zip(settings, printed, strict=True):
        try:
            names, visible, uuids = map(tuple, json.loads(text))
        except ValueError:
            raise CourseError(f"The child process could not list its GPUs: {text}") from None
        words = [f'{name}="{value}"' for name, value in setting.items() if value is not None]
        sights.append(Sight(" ".join(words) or "nothing set", names, visible, uuids))
    return sights


@dataclass(frozen=True)
class WatchedLine:
    """A line of a program, and the state after it.

    value: CUDA_VISIBLE_DEVICES (None: unset); cards: the ones that CUDA uses if it starts now;
    read: whether CUDA has already read the variable, so that later changes have no effect.
    """

    line: str
    value: str | None
    read: bool
    cards: tuple[int, ...]


def watch(lines: Iterable[str], start: str | None = None) -> list[WatchedLine]:
    """The state after each of `lines`, run in a child process with four virtual GPUs.

    start: CUDA_VISIBLE_DEVICES at the start of the child.

    Raises CourseError if one of the lines raises.
    """
    watching = f"in_child.be_virtual({GPUS})\nin_child.watch({list(lines)}, {_MARK!r})"
    program = f"{_ERRORS}{_IN_CHILD}{watching}"
    printed = _run(program, {"CUDA_VISIBLE_DEVICES": start}).splitlines()
    steps = [json.loads(line.removeprefix(_MARK)) for line in printed if line.startswith(_MARK)]
    if printed and not printed[-1].startswith(_MARK):
        raise CourseError(f"The watched program stopped early: {printed[-1]}")
    return [WatchedLine(line, value, read, tuple(cards)) for line, value, read, cards in steps]
