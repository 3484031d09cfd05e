"""What lesson 07 computes and measures: splits, costs and phases of a step, its script."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import nn

from course_authoring.text import notebook_from_text
from course_utils.experiments.ranks import meet_locally
from lesson_parts.lanes import schedule
from lesson_parts.lesson07.speedups import Costs
from tests.fresh import fresh

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_a_split_says_which_samples_are_where():
    script = """
import torch
from torch.nn.parallel import scatter
from course_utils import lab
from lesson_parts.lesson07.batches import batch_split
devices = lab(gpus=4)
for batch in (10, 5, 1):
    print(batch_split(scatter(torch.arange(batch), devices), devices))
"""
    said = fresh(script)
    assert said.splitlines()[1:] == [
        "Batch split, '10 samples on 4 GPUs'. The batch has 10 samples. cuda:0 gets 3 samples, "
        "number 0 to 2. cuda:1 gets 3 samples, number 3 to 5. cuda:2 gets 3 samples, number 6 to "
        "8. cuda:3 gets 1 sample, number 9.",
        "Batch split, '5 samples on 4 GPUs'. The batch has 5 samples. cuda:0 gets 2 samples, "
        "number 0 to 1. cuda:1 gets 2 samples, number 2 to 3. cuda:2 gets 1 sample, number 4. "
        "cuda:3 gets nothing.",
        "Batch split, '1 sample on 4 GPUs'. The batch has 1 sample. cuda:0 gets 1 sample, number "
        "0. cuda:1 gets nothing. cuda:2 gets nothing. cuda:3 gets nothing.",
    ]


def test_spans_of_one_kind_that_follow_each_other_are_one_in_words():
    slivers = [("launch", moment, moment + 1) for moment in range(0, 600, 2)]
    spans = [*slivers, ("copy", 600, 801.2), ("copy", 801.2, 1000), ("add", 1200, 1234.5)]
    assert schedule({"you": spans, "nobody": []}, title="T").alt == (
        "Schedule in µs, 'T'. you: launch from 0 to 599 in 300 pieces, copy from 600 to 1000 and "
        "add from 1200 to 1234. nobody does nothing. All is done at 1234 µs."
    )


def test_costs_of_a_step_add_up():
    costs = Costs(sample=2, launch=300, exchange=200)
    assert costs.step(100, 1) == 300  # launching takes longer than computing
    assert costs.step(1000, 1) == 2000
    assert costs.step(1000, 4) == 3 * 200 + max(4 * 300, 2 * 250)
    assert costs.speedup(4096, 4) == 8192 / (600 + 2048)


def test_costs_follow_the_rule_of_the_split():
    assert Costs(sample=1, launch=0, exchange=0).step(10, 4) == 3


@pytest.mark.slow
def test_phases_are_those_of_the_wrapper():
    script = """
import torch
from torch import nn
from course_utils import lab
from lesson_parts.lesson07 import phases
from lesson_parts.lesson07.phases import run_phases
devices = lab(gpus=4)
net, x = nn.Linear(3, 2).to(devices[0]), torch.randn(10, 3)
ran = run_phases(net, x, devices)
print([[str(part.device), len(part)] for part in ran.parts])
print(torch.equal(ran.output, nn.DataParallel(net)(x)), ran.output.requires_grad)
host, *gpus = ran.lanes.values()
print([[what for what, *_ in spans] for spans in gpus])
print([what for what, *_ in host], all(a[2] == b[1] for a, b in zip(host, host[1:])))
print(ran.time >= max(end for spans in ran.lanes.values() for *_, end in spans) > 0)
print([what for what, *_ in run_phases(net, x, devices[:1]).lanes["cuda:0"]])
print(run_phases(net, x[:2], devices).lanes["cuda:3"])
measured = phases._measured(net, x, devices)
print(measured.kind, [what for what, *_ in measured.lanes["cuda:3"]], measured.time > 0)
"""
    said = fresh(script)
    told = said.splitlines()[1:]
    assert told[0] == "[['cuda:0', 3], ['cuda:1', 3], ['cuda:2', 3], ['cuda:3', 1]]"
    assert told[1] == "True True"
    if "virtual" in said:  # on real GPUs each phase is measured on all of them at once
        main, *others = [["scatter", "replicate", "replicate", "replicate", "apply", "gather"]] + [
            ["scatter", "apply", "gather"]
        ] * 3
        assert told[2] == str([main, *others])
        assert told[3] == "['scatter', 'replicate', 'apply', 'gather'] True"
        assert told[5] == "['scatter', 'apply']"
        assert told[6] == "[]"
    assert told[4] == "True"
    assert told[7] == "measured ['scatter', 'replicate', 'apply', 'gather'] True"


@pytest.mark.slow
def test_a_step_takes_longer_with_more_work_and_trains_the_model():
    script = """
import json
import torch
from torch import nn
from course_utils import lab
from lesson_parts.lesson07.speedups import step_time
devices = lab(gpus=2)
net = nn.Linear(64, 64).to(devices[0])
before = net.weight.detach().clone()
times = [step_time(net, torch.ones(n, 64), torch.zeros(n, 64), devices[:g])
         for n, g in ((8, 1), (65536, 1), (8, 2))]
print(json.dumps([*times, torch.equal(before, net.weight)]))
"""
    said = fresh(script)
    small, large, shared, unchanged = json.loads(said.splitlines()[-1])
    assert 0 < small < large and not unchanged
    if "virtual" in said:
        assert shared > small  # organising eight samples costs more than computing them


def test_meeting_locally_keeps_what_is_set_already(monkeypatch):
    monkeypatch.setenv("GLOO_SOCKET_IFNAME", "eth7")
    monkeypatch.setenv("PATH", os.pathsep.join(["/somewhere", "/elsewhere"]))
    monkeypatch.delenv("PET_LOCAL_ADDR", raising=False)
    meet_locally()
    meet_locally()
    here = str(Path(sys.executable).parent)
    assert os.environ["PATH"].split(os.pathsep) == [here, "/somewhere", "/elsewhere"]
    assert os.environ["GLOO_SOCKET_IFNAME"] == "eth7"
    assert os.environ.pop("PET_LOCAL_ADDR") == "127.0.0.1"


@pytest.mark.more
@pytest.mark.slow
def test_the_lessons_script_trains_like_one_process(tmp_path, monkeypatch):
    """The very file that lesson 07 writes: two ranks, other losses, one gradient, equal weights."""
    lesson = notebook_from_text((ROOT / "notebooks/text/07_data_parallel.py").read_text("utf-8"))
    (cell,) = [cell for cell in lesson.cells if cell.source.startswith("%%writefile ddp.py\n")]
    (tmp_path / "ddp.py").write_text(cell.source.partition("\n")[2], encoding="utf-8")
    monkeypatch.setattr(os, "environ", os.environ.copy())
    meet_locally()
    command = ["python", "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    ran = subprocess.run(
        [*command, "ddp.py"],
        cwd=tmp_path,
        env=os.environ,
        text=True,
        capture_output=True,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr
    first, second = (line.partition(", gradient ") for line in sorted(ran.stdout.splitlines()))
    assert first[0].startswith("rank 0 of 2: loss ") and second[0].startswith("rank 1 of 2: loss ")
    assert first[0].split()[-1] != second[0].split()[-1]
    assert first[2] == second[2] != ""
    trained = torch.load(tmp_path / "ddp.pt")["weight"]
    assert torch.allclose(trained, _trained_alone(batch_size=16))
    assert not torch.allclose(trained, _trained_alone(batch_size=8))


def _trained_alone(batch_size):
    """The weights after the script's epoch in one process."""
    torch.manual_seed(0)
    data, targets, model = torch.randn(64, 4), torch.randn(64, 1), nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch, wanted in zip(data.split(batch_size), targets.split(batch_size), strict=True):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(batch), wanted).backward()
        optimizer.step()
    return model.weight
