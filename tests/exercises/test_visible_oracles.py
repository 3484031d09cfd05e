"""The oracles of assignment 05 against reality: torch, virtual machines, real child processes.

That the corpus is complete, and that stub, junk and mutants are refused, `course verify` proves
for every exercise.
"""

import os
import subprocess
import sys

import pytest
from topic import Topic

from course_utils.checking.exercises import exercise

VARIABLE = "CUDA_VISIBLE_DEVICES"

REAL = "import virtual_cuda; virtual_cuda.enable(4, quiet=True); import torch; "


@pytest.mark.slow
@pytest.mark.more
def test_real_programs_get_their_cards() -> None:
    uuid = "print(torch.cuda.device_count(), torch.cuda.get_device_properties(0).uuid)"
    answer = Topic("visible").reference("run_jobs")
    one, two = answer([sys.executable, "-c", REAL + uuid], [[0], [3, 1]])
    assert one.split()[0] == "1" and two.split()[0] == "2"
    assert one.split()[1] != two.split()[1]


def test_every_write_and_every_start_of_a_process_is_seen_at_once(monkeypatch) -> None:
    monkeypatch.setenv("HERE", "1")
    init, put = subprocess.Popen.__init__, os.putenv
    with exercise("visible.run_jobs").module("observe").watched() as (writes, starts):
        os.environ[VARIABLE] = "2"
        del os.environ[VARIABLE]
        os.environ.pop("HERE")
        subprocess.run([sys.executable, "-S", "-c", ""])
        running = [subprocess.Popen(["sleep", "0.1"]) for _ in range(2)]
        assert starts.call_count == 3
    names = [call.args[0].decode() for call in writes.mock_calls]
    assert names == [VARIABLE, VARIABLE, "HERE"]
    assert subprocess.Popen.__init__ is init and os.putenv is put
    assert [process.wait() for process in running] == [0, 0]
