"""A warm process that forks, confines and runs programs for test_sandbox.py: a line in, a line out.

python sandbox_case.py '["torch", …]': modules to import first. With virtual_cuda, four GPUs.
"""

import contextlib
import importlib
import io
import json
import os
import select
import signal
import sys
import time
import traceback
import types
from pathlib import Path

import course_utils
from course_grading.sandbox import Level, Limits, SandboxRefused, confine, probe, seccomp

ROOT = Path(course_utils.__file__).parents[1]
READABLE = [
    Path(sys.prefix),
    Path(sys.base_prefix),
    ROOT / "course_utils",
    ROOT / "packages" / "exercise_kit" / "src",
    ROOT / "packages" / "virtual_cuda" / "src",
]


def forbid_namespaces() -> None:
    """Forbid namespaces, as the filter of a container does."""
    seccomp.libc.prctl(seccomp.libc.PR_SET_NO_NEW_PRIVS, 1)
    seccomp.restrict(in_the_open=False)


def run(request: dict) -> dict:
    level, work = Level[request["level"]], request.get("work", {})
    answer, told = os.pipe()
    began = time.monotonic()
    child = os.fork()
    if not child:
        os.close(answer)

        def tell(value: object) -> None:
            os.write(told, json.dumps(value).encode() + b"\n")

        try:
            if request.get("forbid"):
                forbid_namespaces()
            confine(
                level,
                Limits(**request.get("limits", {})),
                READABLE,
                {name: text.encode() for name, text in work.items()},
                keep=[told],
                devices=[Path(name) for name in request.get("devices", [])],
            )
            tell("confined")
            # As in a kernel, the main module is not a file that spawned processes could import.
            sys.modules["__main__"] = types.ModuleType("__main__")
            exec(request["program"], {"tell": tell, "__name__": "submission"})
        except SandboxRefused as refusal:
            tell({"refused": str(refusal)})
        except SystemExit as end:
            os._exit(end.code)
        except BaseException:
            tell({"error": traceback.format_exc()})
        os._exit(0)
    os.close(told)
    lines, confined_ms = [], None
    until = began + request.get("seconds", 30)
    with open(answer, "rb", buffering=0) as pipe:
        text = b""
        while select.select([pipe], [], [], max(0, until - time.monotonic()))[0]:
            piece = os.read(pipe.fileno(), 1 << 16)
            confined_ms = confined_ms or (time.monotonic() - began) * 1e3
            if not piece:
                break
            text += piece
            if request.get("kill_at") and request["kill_at"].encode() in text:
                os.kill(child, request["signal"])
        else:
            os.kill(child, signal.SIGTERM)
            lines.append("late")  # a process still had the pipe open
    _, status = os.waitpid(child, 0)
    lines += [json.loads(line) for line in text.splitlines()]
    return {
        "told": [line for line in lines if line != "confined"],
        "status": status,
        "supervisor": child,
        "confined_ms": confined_ms,
        "ms": (time.monotonic() - began) * 1e3,
    }


def main() -> None:
    for name in json.loads(sys.argv[1]):
        importlib.import_module(name)
    if "virtual_cuda" in sys.modules:
        with contextlib.redirect_stdout(io.StringIO()):
            sys.modules["virtual_cuda"].enable(4)
    for line in sys.stdin:
        request = json.loads(line)
        if request.get("probe"):
            found = probe(READABLE)
            reply = {"level": found.level.name, "lacks": found.lacks}
        elif request.get("probe_in_child"):
            reply = probed_where_namespaces_are_forbidden()
        else:
            reply = run(request)
        print(json.dumps(reply), flush=True)


def probed_where_namespaces_are_forbidden() -> dict:
    answer, told = os.pipe()
    child = os.fork()
    if not child:
        forbid_namespaces()
        found = probe(READABLE)
        os.write(told, json.dumps({"level": found.level.name, "lacks": found.lacks}).encode())
        os._exit(0)
    os.close(told)
    with open(answer) as file:
        text = file.read()
    os.waitpid(child, 0)
    return json.loads(text)


if __name__ == "__main__":
    main()
