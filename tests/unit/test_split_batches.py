"""What lesson 07 computes and runs: the time of a step, its two scripts."""

import json
from pathlib import Path

import pytest

from course_authoring.text import notebook_from_text
from tests.fresh import fresh

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_a_step_takes_longer_with_more_work_and_trains_the_model():
    script = """
import json
import torch
from torch import nn
from lesson_parts.hosts import log_in
from lesson_parts.lesson07 import step_time
log_in("porto")
devices = [torch.device("cuda", index) for index in (1, 2)]
net = nn.Linear(64, 64).to(devices[0])
before = net.weight.detach().clone()
times = [step_time(net, torch.ones(2, n, 64), devices[:g])
         for n, g in ((8, 1), (65536, 1), (8, 2))]
print(json.dumps([*times, torch.equal(before, net.weight)]))
"""
    small, large, shared, unchanged = json.loads(fresh(script).splitlines()[-1])
    assert 0 < small < large and not unchanged
    assert shared > small  # organising eight samples costs more than computing them


@pytest.mark.more
@pytest.mark.slow
def test_both_scripts_of_the_lesson_train_to_the_same_weights(tmp_path):
    """The very files of lesson 07, on two GPUs of porto: other losses, one gradient, one norm."""
    lesson = notebook_from_text((ROOT / "notebooks/text/07_data_parallel.py").read_text("utf-8"))
    for cell in lesson.cells:
        first, _, text = cell.source.partition("\n")
        if first.startswith("%%writefile "):
            (tmp_path / first.split()[1]).write_text(text, encoding="utf-8")
    script = f"""
import os, subprocess
from lesson_parts.hosts import log_in
log_in("porto")
os.chdir({str(tmp_path)!r})
os.environ["CUDA_VISIBLE_DEVICES"] = "1,2"
for command in ("python finetune.py", "torchrun --standalone --nproc-per-node 2 ddp.py"):
    print(subprocess.check_output(command, shell=True, text=True), end="", flush=True)
"""
    _, alone, *ranks = fresh(script).splitlines()
    assert "forwards by replicas: 40;" in alone
    losses, rests = zip(*(line.partition(", ")[::2] for line in sorted(ranks)), strict=True)
    assert losses[0].startswith("rank 0: loss ") and losses[1].startswith("rank 1: loss ")
    assert losses[0].split()[-1] != losses[1].split()[-1]
    assert rests[0] == rests[1]
    assert rests[0].endswith(alone.split("; ")[-1])
