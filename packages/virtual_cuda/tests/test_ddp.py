"""Training with several processes: DDP and FSDP2 over many steps, and torchrun."""

from __future__ import annotations

import json
import subprocess
import sys
import weakref

import pytest
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from ranks import start

pytestmark = [pytest.mark.slow, pytest.mark.more]

PROGRAM = """
import os, torch, torch.distributed as dist
from torch import nn
import virtual_cuda

virtual_cuda.enable(int(os.environ["WORLD_SIZE"]), quiet=True)
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
dist.init_process_group("nccl")
torch.manual_seed(0)
net = nn.Linear(3, 1)
twin = nn.Linear(3, 1)
twin.load_state_dict(net.state_dict())
model = nn.parallel.DistributedDataParallel(net.cuda(), device_ids=[torch.cuda.current_device()])
rank, world = dist.get_rank(), dist.get_world_size()
data = torch.utils.data.TensorDataset(torch.randn(48, 3), torch.randn(48, 1))
sampler = torch.utils.data.DistributedSampler(data, shuffle=False)
loader = torch.utils.data.DataLoader(data, batch_size=2, sampler=sampler, pin_memory=True)
optimizers = [torch.optim.SGD(m.parameters(), lr=0.1) for m in (model, twin)]
steps = 0
for step, (x, y) in enumerate(loader):
    (model(x.cuda(non_blocking=True)) - y.cuda(non_blocking=True)).square().mean().backward()
    x, y = data[2 * world * step : 2 * world * (step + 1)]
    (twin(x) - y).square().mean().backward()
    torch.testing.assert_close(net.weight.grad.cpu(), twin.weight.grad)
    for optimizer in optimizers:
        optimizer.step()
        optimizer.zero_grad()
    steps += 1
if rank == 0:
    print(steps, "steps of", world, "ranks on", net.weight.device)
dist.destroy_process_group()
"""


@pytest.mark.parametrize(
    ("ranks", "backend"),
    [
        (4, "nccl"),
        *(
            pytest.param(*others, marks=pytest.mark.full)
            for others in ((2, "gloo"), (2, "nccl"), (4, "gloo"))
        ),
    ],
)
def test_programs_of_many_steps(ranks, backend, tmp_path):
    """All programs in the same processes, since starting those takes longest."""
    import ddp_cases  # which imports all that torch has for it: two seconds

    names = list(ddp_cases.CASES)
    start(ddp_cases.run_cases, (ranks, backend, str(tmp_path), names), ranks)
    for rank in range(ranks):
        outcomes = json.loads((tmp_path / f"{rank}.json").read_text())
        failures = {name: text for name, text in outcomes.items() if text}
        assert not failures, f"rank {rank}: {next(iter(failures.items()))}"
        assert list(outcomes) == names


@pytest.mark.parametrize("ranks", [2, pytest.param(4, marks=pytest.mark.full)])
def test_torchrun(ranks, tmp_path):
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    torchrun = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={ranks}"]
    done = subprocess.run([sys.executable, *torchrun, str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert f"{24 // ranks} steps of {ranks} ranks on cuda:0" in done.stdout


def test_a_model_that_outlives_its_group_frees_the_reducer_first():
    """The last hold on a group must be one that gives up the GIL, as gloo's threads may need it."""
    freed = []
    dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1)
    model = DistributedDataParallel(nn.Linear(3, 2).cuda())
    for name in ("reducer", "process_group"):
        weakref.finalize(getattr(model, name), freed.append, name)
    dist.destroy_process_group()
    assert not freed
    del model
    assert freed == ["reducer", "process_group"]
