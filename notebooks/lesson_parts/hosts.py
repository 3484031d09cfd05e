"""Shared machines to log in to: virtual cards with other people's processes on them.

They are virtual on every computer, since other people's processes cannot be arranged. Commands that
a notebook starts find the machine's `nvidia-smi`, and its cards: `python SCRIPT` and `torchrun` by
as_user.py. Any other program with torch has as many virtual GPUs.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from shutil import which

import torch

import virtual_cuda
from course_utils.devices import take_virtual_gpus
from course_utils.errors import CourseError
from course_utils.experiments.children import this_python_first
from course_utils.experiments.ranks import meeting_locally
from course_utils.words import listed
from lesson_parts.in_turns import in_turns
from lesson_parts.own_gpu import own_gpus
from virtual_cuda import DeviceProfile, OtherProcess, card

MIB = 1 << 20
NEWER, NEWEST = "580.65.06", "590.44.01"

_FOR_COMMANDS = {"VIRTUAL_CUDA_HIDE_REAL_GPUS": "1", "VIRTUAL_CUDA_NVIDIA_SMI": "0"}
_HOME = re.compile(r"/home/([^/]+)/")


def _other(pid: int, owner: str, mib: int) -> OtherProcess:
    return OtherProcess(pid, mib * MIB, f"/home/{owner}/venv/bin/python")


def _xorg(pid: int, mib: int) -> OtherProcess:
    return OtherProcess(pid, mib * MIB, "/usr/lib/xorg/Xorg", "G")


def _uuid(begin: str) -> str:
    """A UUID that stays with its card; without one, a card gets the UUID of its slot."""
    return f"GPU-{begin}-949f-4b5a-83d6-6f2d5c1bcfe3"


_PORTO = (
    card("A100", uuid=_uuid("3e514387"), others=(_other(48213, "li", 38912),), utilization=97),
    card("A100", uuid=_uuid("2c050327"), others=(_other(51877, "chen", 9300),)),
    card("A100", uuid=_uuid("c24bcb5d"), others=(_other(50112, "mei", 21500),), utilization=64),
    card("RTX 2080 Ti", uuid=_uuid("d7f4dfed"), others=(_xorg(1704, 143),), utilization=3),
)
_HOSTS: Mapping[str, tuple[str, Sequence[DeviceProfile]]] = {
    "lima": (
        NEWER,
        (
            card("T4", others=(_other(2107, "ana", 2400),)),
            card(
                "RTX 3090",
                others=(_other(2950, "ben", 9100), _other(3381, "carla", 6000)),
                utilization=87,
            ),
            card("RTX 3090", others=(_other(4242, "dina", 3400),), utilization=97),
            card("RTX 3090", others=(_other(3390, "carla", 11564),)),
        ),
    ),
    "quito": (NEWER, ()),
    "porto": (NEWEST, _PORTO),
    "porto on Monday": (NEWEST, (_PORTO[3], *_PORTO[:3])),  # the last card is in the first slot
}


@dataclass(frozen=True)
class CardNow:
    """A card of the machine, with memory in MiB.

    number: nvidia-smi's. held: memory used by each owner's processes. busy: utilisation in percent.
    """

    number: int
    name: str
    uuid: str
    total: int
    held: Mapping[str, int]
    busy: int

    @property
    def free(self) -> int:
        """The free memory in MiB."""
        return self.total - sum(self.held.values())


def log_in(name: str) -> None:
    """Work on the machine `name` from now on, and print its cards and driver in one sentence.

    Checks use its cards, if there are enough. A second sentence names this computer's own GPUs,
    which this process cannot use any more.

    Raises CourseError if there is no such machine, or tensors are left on the one before.
    """
    if name not in _HOSTS:
        raise CourseError(f"There is no machine {name!r}. The machines are {', '.join(_HOSTS)}.")
    driver, cards = _HOSTS[name]
    own = own_gpus()  # found before virtual ones take their place
    for variable in ("CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"):
        os.environ.pop(variable, None)  # they are about this computer's own cards
    this_python_first()
    enter(name)
    if cards:
        take_virtual_gpus()
    os.environ.update(_FOR_COMMANDS, VIRTUAL_CUDA=str(len(cards)))
    if smi := which("nvidia-smi"):
        _add_commands(Path(smi).parent, name)
    what = f"{len(cards)} virtual GPUs, driver {driver}" if cards else "no GPU driver"
    print(f"{name}: {what}.")
    if own:
        print(
            f"In this kernel, your {listed(own)} cannot be used, because other users' processes "
            "cannot be put on a real GPU."
        )


def _add_commands(folder: Path, name: str) -> None:
    """Put `python` and `torchrun` for a notebook's `!` commands into `folder`.

    Their programs see the cards of the machine `name`.
    """
    python = [sys.executable, str(Path(__file__).with_name("as_user.py")), name]
    variables = {"PYTHON_EXEC": str(folder / "python"), "OMP_NUM_THREADS": "1", **meeting_locally()}
    pairs = [f"{key}={value}" for key, value in variables.items()]
    torchrun = ["env", *pairs, sys.executable, "-m", "torch.distributed.run"]
    for command, words in (("python", python), ("torchrun", torchrun)):
        script = folder / command
        script.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', encoding="utf-8")
        script.chmod(0o755)


def enter(name: str) -> None:
    """Let this process, and commands that it starts, see the cards of the machine `name`.

    CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER choose among them.
    """
    driver, cards = _HOSTS[name]
    _show(cards, driver)
    virtual_cuda.install_nvidia_smi()


def cards_now() -> list[CardNow]:
    """The cards of the machine, in nvidia-smi's order; this process's memory has the owner `you`.

    First, memory that PyTorch keeps without tensors is freed, as after `empty_cache`.
    """
    torch.cuda.empty_cache()
    machine = virtual_cuda.machine()
    logical = {number: index for index, number in enumerate(machine.visible_devices)}
    return [
        _card_now(number, one, torch.cuda.memory_reserved(logical[number]) // MIB)
        for number, one in enumerate(machine.devices)
    ]


def _card_now(number: int, one: DeviceProfile, yours: int = 0) -> CardNow:
    held: dict[str, int] = {}
    for process in one.others:
        home = _HOME.match(process.name)
        owner = home[1] if home else PurePosixPath(process.name).name
        held[owner] = held.get(owner, 0) + process.memory // MIB
    if yours:
        held["you"] = yours
    return CardNow(number, one.name, one.uuid, one.memory // MIB, held, one.utilization)


def _show(cards: Sequence[DeviceProfile], driver: str) -> None:
    """Make these the cards of the virtual machine; without any it has no driver."""
    if virtual_cuda.is_enabled():
        if virtual_cuda.live_bytes():
            raise CourseError(
                "Tensors are still on the GPUs of this machine. Delete them, or restart the "
                "kernel, before you log in to another one."
            )
        virtual_cuda.disable()
    if not cards:
        return
    try:
        virtual_cuda.enable(cards=cards, driver=driver, quiet=True, hide_real_gpus=True)
    except virtual_cuda.VirtualCudaUnavailable as reason:
        raise CourseError(str(reason)) from None


@dataclass(frozen=True)
class Turn:
    """The course of one user's program: times in seconds, memory in MiB.

    looked: when it chose its card, with `saw` free at that time. began: when it needed its memory;
    `left` was free then.
    """

    user: str
    looked: float
    card: int
    saw: int
    began: float
    left: int
    needs: int

    @property
    def fits(self) -> bool:
        """Whether it got its memory; else it ran out of memory."""
        return self.left >= self.needs


def rush(
    choose: Callable[[], str], looks: Mapping[str, float], *, needs: int, startup: float
) -> list[Turn]:
    """The course of several users' programs, each started on this machine at its own time.

    Only the clock is simulated: `choose` reads the machine as it is. Afterwards the machine is as
    before.

    Args:
        choose: returns the UUID of a card; called once for each user, at the time of `looks`. Calls
            at the same time run one line of the notebook each in turn.
        looks: for each user, when the program chooses a card, in seconds.
        needs: the memory of each program, in MiB, which it allocates `startup` seconds later.

    Raises:
        CourseError: there is no card with that UUID.
    """
    before, chosen = virtual_cuda.machine(), dict[str, str]()
    cards, turns = list(before.devices), dict[str, Turn]()
    events = [(when, user) for user, when in looks.items()]
    events += [(when + startup, user) for user, when in looks.items()]
    try:
        for when, user in sorted(events):
            if user not in turns:
                if user not in chosen:
                    together = [each for each in looks if looks[each] == when]
                    chosen |= zip(together, in_turns(choose, len(together)), strict=True)
                number = _numbered(chosen[user], cards)
                saw = _card_now(number, cards[number]).free
                turns[user] = Turn(user, when, number, saw, when + startup, 0, needs)
                continue
            number = turns[user].card
            left = _card_now(number, cards[number]).free
            turns[user] = replace(turns[user], left=left)
            if turns[user].fits:
                others = (*cards[number].others, _other(7000 + len(turns), user, needs))
                cards[number] = replace(cards[number], others=others)
                _show(cards, before.driver)
    finally:
        _show(before.devices, before.driver)
    return list(turns.values())


def _numbered(uuid: str, cards: Sequence[DeviceProfile]) -> int:
    for number, one in enumerate(cards):
        if one.uuid == uuid:
            return number
    raise CourseError(
        f"No card of this machine has the UUID {uuid!r}. Return one as nvidia-smi "
        "writes it, such as GPU-8932f937-d72c-4106-c12f-20bd9faed9f6."
    )
