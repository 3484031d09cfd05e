"""The warm process: `python -m course_utils.grading.worker CONTROL SETTINGS`, for one assignment.

It never runs a line of a submission itself. For each one it forks, once, and says what became of
that process. CONTROL is the number of an inherited socket, SETTINGS a JSON object.
"""

import contextlib
import json
import os
import socket
import sys
from typing import Any

from course_utils.grading.pipe import Answering
from course_utils.grading.sandbox import Level, Limits, Refused, confine
from course_utils.grading.worker.readable import readable_places
from course_utils.grading.worker.session import Session
from course_utils.grading.worker.tripwires import Tripwires
from course_utils.grading.worker.warm import warm_up

# A submission's own processes have an empty home: each would compile the helper, and probe, anew.
_FOR_CHILDREN = {"VIRTUAL_CUDA_HELPER": "off", "VIRTUAL_CUDA_PROBE": "skip"}


def main(control: socket.socket, settings: dict[str, Any]) -> None:
    shell = warm_up(settings["assignment"])
    tripwires = Tripwires()
    control.send(b"{}")
    while True:
        _, descriptors, *_ = socket.recv_fds(control, 16, 1)
        if not descriptors:
            return  # the judge is gone
        (descriptor,) = descriptors
        pid = os.fork()
        if pid == 0:
            with contextlib.suppress(BaseException):
                control.close()
                _serve(descriptor, Session(shell, tripwires), settings)
            os._exit(0)
        os.close(descriptor)
        control.send(json.dumps({"pid": pid}).encode())
        _, status, usage = os.wait4(pid, 0)
        cpu = usage.ru_utime + usage.ru_stime
        code = os.waitstatus_to_exitcode(status)
        control.send(json.dumps({"code": code, "cpu": cpu}).encode())


def _serve(descriptor: int, session: Session, settings: dict[str, Any]) -> None:
    pipe = Answering(socket.socket(fileno=descriptor))
    files = pipe.next()["files"]
    work = {name: bytes.fromhex(content) for name, content in files.items()}
    os.environ.update(_FOR_CHILDREN)
    try:
        confine(
            Level[settings["level"]],
            Limits(**settings["limits"]),
            readable_places(),
            work,
            keep=(descriptor,),
        )
    except Refused as refused:
        pipe.reply(refused=str(refused))
        return
    pipe.reply()
    session.serve(pipe)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])), json.loads(sys.argv[2]))
