"""The worker of one assignment: a process with everything loaded, which forks for each submission.

It never runs code of a submission itself. It reports the end of each fork. The first message on its
socket contains the settings.
"""

import contextlib
import functools
import json
import os
import site
import socket
import sys
from pathlib import Path
from typing import Any

import course_utils
import exercise_kit
import virtual_cuda
from course_grading.protocol import WorkerEnd, hear
from course_grading.sandbox import OUR_FAULT, Level, Limits, SandboxRefused, confine, gpus
from course_grading.worker.preload import load_observers, preload, remember_torch, start_real_gpus
from course_grading.worker.session import Session
from course_grading.worker.tripwires import Tripwires
from course_utils.checking.exercises import exercise
from course_utils.experiments.fork_server import LAUNCHER
from course_utils.manifest import repository_root

# A submission's own processes have an empty home: each would compile the helper and probe again.
_FOR_CHILDREN = {"VIRTUAL_CUDA_HELPER": "off", "VIRTUAL_CUDA_PROBE": "skip"}
_OURS = (course_utils.__file__, exercise_kit.__file__, virtual_cuda.__file__)


def main(control: socket.socket) -> None:
    """Fork for each request until the judge closes its end of the socket."""
    settings = hear(control)
    observers = load_observers(settings["exercises"])
    shell = preload(real=settings["real"])
    remember_torch(observers)
    settings["programs"] = any(each.in_processes for each in observers.values())
    known = [exercise(name) for name in observers]
    tripwires = Tripwires([*known, *(each.world for each in known), *observers.values()])
    on_gpus = [name for name, each in observers.items() if each.gpus != 0]
    control.send(json.dumps({"on_gpus": on_gpus}).encode())
    while True:
        _, descriptors, *_ = socket.recv_fds(control, 16, 2)
        if not descriptors:
            return  # the judge has ended
        pid = os.fork()
        if pid == 0:
            with contextlib.suppress(BaseException):
                control.close()
                pipe, way_out = descriptors
                _serve(pipe, way_out, Session(shell, tripwires), settings)
                os._exit(0)
            os._exit(OUR_FAULT)
        for descriptor in descriptors:
            os.close(descriptor)
        control.send(json.dumps({"pid": pid}).encode())
        usage = os.wait4(pid, 0)[2]
        control.send(json.dumps({"cpu": usage.ru_utime + usage.ru_stime}).encode())


def _serve(descriptor: int, way_out: int, session: Session, settings: dict[str, Any]) -> None:
    pipe = WorkerEnd(socket.socket(fileno=descriptor))
    files = pipe.next()["files"]
    work = {name: bytes.fromhex(content) for name, content in files.items()}
    os.environ.update(_FOR_CHILDREN)
    real = settings["real"] is not None
    try:
        confine(
            Level[settings["level"]],
            Limits(**settings["limits"]),
            [*_readable_places(), *(gpus.FOLDERS if real else ())],
            work,
            keep=(descriptor, way_out),
            account=way_out,
            devices=gpus.nodes() if real else (),
        )
        if settings["programs"]:
            LAUNCHER.be_parent(way_out, functools.partial(session.tell, way_out))
        found = start_real_gpus() if real else ()
    except SandboxRefused as refused:
        pipe.reply(refused=str(refused))
        return
    session.tell(way_out)
    pipe.reply(gpus=found)
    session.serve(pipe)


def _readable_places() -> list[Path]:
    """The folders and files that a submission may read: Python, libraries, and course packages.

    They contain no exercise, no notebook and no data of the class.
    """
    prefixes = {Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve().parents[1]}
    packages = {Path(file).parent for file in _OURS}
    user = Path(site.getusersitepackages())
    return sorted(
        {
            *prefixes,
            *packages,
            *({user} if user.is_dir() else ()),
            repository_root() / "course.toml",
        }
    )
