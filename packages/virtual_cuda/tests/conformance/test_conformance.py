"""Virtual CUDA against the recording of a real GPU, or the authored expectations until then."""

from __future__ import annotations

import ast
import dataclasses
import sys
import warnings
from pathlib import Path

import pytest
import torch

import warm_python

from . import runner
from .differences import DIFFERENCES, GAP_REASONS, KNOWN_GAPS, on_virtual
from .programs import PROGRAMS
from .recording import NONE_YET, Recording, load_all, origin, standard
from .registry import Facts, caught, observe, stable_text
from .worlds import VIRTUAL_DEVICES

pytestmark = [pytest.mark.slow, pytest.mark.more]

RECORDINGS = load_all()
REAL = standard(RECORDINGS)
HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def virtual() -> dict[str, Facts]:
    """The facts of all programs on virtual CUDA."""
    return runner.run(PROGRAMS.values(), "virtual", VIRTUAL_DEVICES, python=warm_python.run)


@pytest.mark.parametrize("name", PROGRAMS)
def test_virtual_cuda_shows_what_a_gpu_shows(name, virtual):
    wanted = on_virtual(name, REAL[name])
    if name in GAP_REASONS:
        assert virtual[name] != wanted, f"{name} passes now: take it out of KNOWN_GAPS"
        pytest.xfail(GAP_REASONS[name])
    assert virtual[name] == wanted


def test_a_real_gpu_was_recorded():
    if not RECORDINGS:
        warnings.warn(NONE_YET, stacklevel=1)
        pytest.skip(NONE_YET)


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.title)
def test_recordings_agree_with_what_was_authored(recording):
    assert "\n".join(recording.disagreements(PROGRAMS.values())) == ""
    assert recording.facts.keys() | recording.not_recorded.keys() == PROGRAMS.keys()


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda difference: difference.program)
def test_differences_are_differences_and_have_reasons(difference):
    real = REAL[difference.program]
    assert difference.reason and difference.program not in GAP_REASONS
    assert all(real[key] != value for key, value in difference.virtual.items())


def test_gaps_have_reasons_and_programs():
    listed = [program for gap in KNOWN_GAPS for program in gap.programs]
    assert len(listed) == len(set(listed)) and set(listed) <= PROGRAMS.keys()
    assert all(gap.reason for gap in KNOWN_GAPS)


def test_there_are_programs_for_every_machine():
    assert len(PROGRAMS) >= 150
    assert {program.needs_devices for program in PROGRAMS.values()} == {1, 2, 4}
    assert all(program.source and program.expected for program in PROGRAMS.values())


def test_probes_are_many_and_say_where_they_were_read():
    probes = [program for program in PROGRAMS.values() if program.says_cuda]
    assert len(probes) >= 400
    assert all(origin(probe, []) == f"read: {probe.source}" for probe in probes)


def test_a_bare_machine_can_record():
    """The programs and all that runs them import nothing beside torch."""
    allowed = sys.stdlib_module_names | {"torch"}
    for path in [*HERE.glob("pro*s/*.py"), *HERE.glob("*.py")]:
        if path.name.startswith("test_"):
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Import):
                names = {alias.name.split(".")[0] for alias in node.names}
            else:
                is_foreign = isinstance(node, ast.ImportFrom) and node.level == 0
                names = {node.module.split(".")[0]} if is_foreign else set()
            assert names <= allowed, path.name


def test_what_a_machine_cannot_run_is_said():
    four = next(p for p in PROGRAMS.values() if p.needs_devices == 4)
    missing = dataclasses.replace(four, needs_devices=1, needs_module="no_such_package")
    assert runner.unrunnable(four, 1) == "needs 4 GPUs, there are 1"
    assert runner.unrunnable(missing, 1) == "needs the package no_such_package"
    assert runner.unrunnable(four, 4) is None


@pytest.mark.skipif(torch.version.cuda is not None, reason="this machine may have a GPU")
def test_recording_without_a_gpu_says_so():
    done = warm_python.run("-m", "conformance.record", cwd=runner.HERE)
    assert done.returncode == 1
    assert "Nothing was recorded: torch sees no CUDA device" in done.stdout


def test_a_recording_is_written_read_and_wins(tmp_path):
    name, other = list(PROGRAMS)[:2]
    facts = {name: {"seen": 1}, other: PROGRAMS[other].expected}
    recording = Recording(["A Card"] * 2, "1", "2.13.0", "13.0", "3.12", "Linux", facts, {})
    assert recording.save(tmp_path).name == "2x-a-card-torch-2.13.0.json"
    assert load_all(tmp_path) == [recording]
    assert standard([recording])[name] == {"seen": 1}
    assert origin(PROGRAMS[name], [recording]) == f"recorded: {recording.title}"
    (disagreement,) = recording.disagreements(PROGRAMS.values())
    assert disagreement.startswith(name)


def test_facts_of_failures():
    def fail() -> None:
        raise ValueError("pid 17 at 0x7f\nException raised from f at x.cpp:1")

    assert caught(fail) == {"type": "ValueError", "text": "pid N at 0xN"}
    assert caught(lambda: None) == {"type": None, "text": None}
    assert observe(lambda devices: fail(), [])["failed"]["type"] == "ValueError"
    wrapped = "In replica 1.\nOriginal Traceback (most recent call last):\n  File x\n\nNo: y\n"
    assert stable_text(wrapped).splitlines()[0] == "In replica 1."
