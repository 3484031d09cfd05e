"""Observe `child_device_count`: the number, and what child and parent saw of the environment."""

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe

from ..observing import (
    LEAVE_A_NOTE,
    VARIABLE,
    environment,
    lost,
    notes,
    python,
    quiet_stderr,
    refusal,
)

PROGRAM = f"""{LEAVE_A_NOTE}
cards, first, last, status = sys.argv[2:]
value = os.environ.get("{VARIABLE}")
if first:
    print(first)
print(cards if value is None else len([entry for entry in value.split(",") if entry]), flush=True)
if last:
    print(last, file=sys.stderr, flush=True)
sys.exit(int(status))
"""
"""Says `first`, counts the visible cards, warns about `last`, and ends with `status`."""


class ChildDeviceCount(Observer):
    """Facts: `result` or `failed` (CalledProcessError); `runs`; the child's value in `visible`;
    `lost`, the variables it has not; `touched` and `changed`: the parent's variable, the command.
    """

    parameters = ("command", "visible")
    needs_devices = False

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        here = {VARIABLE: inputs["parent"], inputs["marker"]: "kept"}
        asked = [inputs[name] for name in ("cards", "first", "last", "status")]
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            command = python(PROGRAM, folder, *asked)
            given = list(command)
            with environment(here) as (inherited, touched), quiet_stderr():
                result, failed = refusal(
                    lambda: answer(given, inputs["visible"]), subprocess.CalledProcessError
                )
            children = notes(Path(folder))
        child = children[-1] if children else {}
        return {
            "result": describe(result),
            "failed": failed is not None,
            "runs": len(children),
            "visible": child.get(VARIABLE),
            "lost": lost(child, inherited),
            "touched": VARIABLE in touched,
            "changed": given != command,
        }


observer = ChildDeviceCount()
