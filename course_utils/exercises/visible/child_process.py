"""Observe `visible.child_device_count`.

The child is a stand-in for a program that would import torch and count: it starts in a twentieth
of a second, and notes down which environment it was given.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.exercises.visible.material import VARIABLE, same_environment

PROGRAM = """
import json, os, sys
notes, cards, first, status = sys.argv[1:]
with open(notes, "a") as file:
    print(json.dumps(dict(os.environ)), file=file)
value = os.environ.get("CUDA_VISIBLE_DEVICES")
if first:
    print(first)
print(cards if value is None else len([entry for entry in value.split(",") if entry]))
sys.exit(int(status))
"""
"""Notes down its environment, and prints how many cards are visible. Never writes to stderr,
which a notebook would show as its own."""


class ChildDeviceCount(Observer):
    """Facts: the number, and what the child and this process saw of the environment."""

    name = "visible.child_device_count"
    parameters = ("command", "visible")
    needs_devices = False
    seconds = 10.0

    def observe(self, answer: Callable[..., Any], data: Mapping[str, Any]) -> Facts:
        facts: dict[str, Any] = {}
        with TemporaryDirectory() as folder, same_environment() as written:
            notes = Path(folder, "notes")
            os.environ.pop(VARIABLE, None)
            if data["parent"] is not None:
                os.environ[VARIABLE] = data["parent"]
            os.environ[data["marker"]] = "kept"
            inherited = dict(os.environ)
            written.clear()
            own = [sys.executable, "-I", "-S", "-c", PROGRAM]
            command = [*own, str(notes), str(data["cards"]), data["first"], str(data["status"])]
            given = list(command)
            try:
                facts["returned"] = describe(answer(given, data["visible"]))
            except Exception as error:
                # The engine wraps what leaves an answer; this error can be what is asked for.
                if not isinstance(error.__cause__ or error, subprocess.CalledProcessError):
                    raise
                facts["failed"] = True
            seen = notes.read_text("utf-8").splitlines() if notes.exists() else []
            facts |= {"runs": len(seen), "written": VARIABLE in written, "kept": given == command}
        if seen:
            child = json.loads(seen[-1])
            facts["visible"] = child.get(VARIABLE)
            facts["lost"] = _lost(child, inherited)
        return facts


def _lost(child: Mapping[str, str], inherited: Mapping[str, str]) -> bool:
    """Whether the child lacks a variable of this process, or has another value for one."""
    names = set(inherited) - {VARIABLE, "LC_CTYPE"}  # a child in the C locale sets the latter
    return any(child.get(name) != inherited[name] for name in names)
