"""The command `course`: named mistakes are one sentence, and the doctor looks at everything."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from course_utils import doctor
from course_utils.checking.exercises import exercise_names

pytestmark = pytest.mark.slow

COURSE = Path(sys.executable).with_name("course")  # also where no environment is active


def course(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run([COURSE, *arguments], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **environment})


def test_a_busy_port_is_named_before_jupyter_starts(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = course("lab", f"--port={port}", COURSE_WORKSPACE=str(tmp_path / "w"))
    assert done.returncode == 2
    assert f"Port {port} cannot be used" in done.stderr and "Traceback" not in done.stderr


def test_a_port_that_is_none_is_named(tmp_path):
    done = course("lab", "--port", "lots", COURSE_WORKSPACE=str(tmp_path / "w"))
    assert done.returncode == 2 and "--port=lots is no port" in done.stderr


def test_a_workspace_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("in the way")
    done = course("lab", COURSE_WORKSPACE=str(tmp_path / "file" / "w"))
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1 and "file" in done.stderr


def test_progress_is_shown_without_a_notebook(tmp_path):
    done = course("progress", "--workspace", str(tmp_path))
    assert done.returncode == 0
    assert f"0 of {len(exercise_names())} exercises passed." in done.stdout
    assert "Next: “" in done.stdout


def test_an_unknown_name_is_named():
    done = course("verify", "tensors.mov_batch")
    assert done.returncode == 2 and "tensors.move_batch" in done.stderr


def test_the_doctor_says_what_each_lack_means():
    findings = list(doctor.examine())
    assert [f.name for f in findings] == ["Python", "PyTorch", "NVIDIA driver", "GPUs",
                                          "Virtual CUDA", "nbgrader", "Sandbox", "Browser"]
    for finding in findings:
        assert finding.detail
        assert finding.present or (finding.means and finding.advice)


@pytest.mark.parametrize(("essential", "able"), [(True, False), (False, True)])
def test_only_an_essential_lack_fails(monkeypatch, essential, able):
    lack = doctor.Finding("Thing", False, "gone", "It hurts.", "Get one.", essential=essential)
    monkeypatch.setattr(doctor, "examine", lambda: iter([lack]))
    said: list[str] = []
    assert doctor.report(said.append) is able
    assert "It hurts. Get one." in said[1]
