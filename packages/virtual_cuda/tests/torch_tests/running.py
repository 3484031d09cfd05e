"""Runs one file of torch's tests, in as many processes as it takes to get to its end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from virtual_cuda_tool.settings import Settings

_CHILD = Path(__file__).with_name("child.py")
_MACHINE = Settings(gpus=4, memory="8 GiB").variables()
_LOADING = "(loading the file)"
GPU_ENVIRONMENT = {**_MACHINE, "PYTORCH_TESTING_DEVICE_ONLY_FOR": "cuda"}
CPU_ENVIRONMENT = {"PYTORCH_TESTING_DEVICE_ONLY_FOR": "cpu"}


@dataclass(frozen=True)
class Result:
    """What came of one test: passed, failed, skipped, crashed, timed out or not run; its words."""

    outcome: str
    text: str = ""

    @property
    def is_failure(self) -> bool:
        return self.outcome not in ("passed", "skipped")


@dataclass(frozen=True)
class Order:
    """Tests of one file: those that a pattern finds, or those that are named."""

    folder: Path
    file: str
    results: Path
    environment: dict[str, str]
    pattern: str = ""
    names: Sequence[str] = ()
    left_out: Sequence[str] = ()
    alone: bool = False  # each test in a process of its own


def read(results: Path) -> dict[str, Result]:
    """What has been written of each test."""
    return {
        line["test"]: Result(line["outcome"], line.get("text", ""))
        for line in _lines(results)
        if line["outcome"] not in ("began", "end", "more")
    }


def forget_failures(results: Path) -> None:
    """Let the tests that failed be run once more."""
    passed = [line for line in _lines(results) if line["outcome"] in ("passed", "skipped")]
    if results.exists():
        results.write_text("".join(json.dumps(line) + "\n" for line in passed), "utf-8")


def run(order: Order, limit: float) -> dict[str, Result]:
    """Run what has not been run yet. A test that shows no end for ``limit`` seconds is ended."""
    order.results.parent.mkdir(parents=True, exist_ok=True)
    while _something_left(order):
        before = len(_lines(order.results))
        outcome, text = _run_child(order, limit)
        new = _lines(order.results)[before:]
        last = new[-1] if new else {"test": "", "outcome": "began"}  # it died while loading
        if last["outcome"] == "end":
            break
        if last["outcome"] == "more":
            continue
        test = last["test"] if last["outcome"] == "began" else f"{last['test']} (after it)"
        line = {"test": test or _LOADING, "outcome": outcome, "text": text}
        with order.results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        if not new:
            break
    return read(order.results)


def _something_left(order: Order) -> bool:
    if order.names:
        return not read(order.results).keys() >= set(order.names)
    lines = _lines(order.results)
    return not lines or lines[-1]["outcome"] != "end"


def _run_child(order: Order, limit: float) -> tuple[str, str]:
    log = order.results.with_suffix(".log")
    environment = {
        **{k: v for k, v in os.environ.items() if k not in _MACHINE},
        "OMP_NUM_THREADS": "1",
        "VIRTUAL_CUDA_HELPER": "off",
        **order.environment,
    }
    with log.open("w", encoding="utf-8") as output:
        child = subprocess.Popen(
            [sys.executable, _CHILD],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            cwd=order.folder,
            env=environment,
            text=True,
            start_new_session=True,
        )
        assert child.stdin is not None
        with child.stdin as stdin:
            json.dump(
                {
                    "file": str(order.folder / order.file),
                    "results": str(order.results),
                    "pattern": order.pattern,
                    "names": list(order.names),
                    "left_out": list(order.left_out),
                    "alone": order.alone,
                },
                stdin,
            )
        size, since, timed_out = -1, time.monotonic(), False
        while child.poll() is None:
            time.sleep(0.2)
            new = order.results.stat().st_size if order.results.exists() else 0
            if new != size:
                size, since = new, time.monotonic()
            elif time.monotonic() - since > limit:
                timed_out = True
                break
        _end(child)
    if timed_out:
        return "timed out", f"no end within {limit:g} s"
    words = log.read_text("utf-8", "replace").strip().splitlines() or ["no word why"]
    if child.returncode < 0:
        return "crashed", f"the process ended by {signal.Signals(-child.returncode).name}"
    return "crashed", f"the process ended: {words[-1]}"


def _end(child: subprocess.Popen[str]) -> None:
    """End a child with what its tests left behind: they are its process group."""
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def _lines(results: Path) -> list[dict[str, Any]]:
    if not results.exists():
        return []
    return [json.loads(line) for line in results.read_text("utf-8").splitlines()]
