"""The compiled helper: the same in everything but speed, and never there unasked."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from virtual_cuda.platform import helper
from virtual_cuda.platform.switches import HAS_CUDA_BUILD

IS_POSSIBLE = sys.platform == "linux" and not HAS_CUDA_BUILD

# Prints what a program sees: values, devices, errors, memory and modelled time.
PROGRAM = """
import gc, os, torch, torch.nn.functional as F
from torch import nn
import virtual_cuda
from virtual_cuda.platform import helper

def show(*facts):
    print(*facts, torch.cuda.memory_allocated(1), torch.cuda.max_memory_allocated(1),
          torch.cuda.memory_reserved(1), virtual_cuda.now())

def error(action):
    try:
        action()
    except Exception as problem:
        return type(problem).__name__, str(problem), problem.__context__
    return "none"

torch.set_num_threads(1)
torch.manual_seed(0)
virtual_cuda.enable(2, "64 MiB", quiet=True)
c = torch.device("cuda:1")
show("start")
x, y = torch.randn(4, 6, device=c, requires_grad=True), torch.randn(6, device=c)
z = torch.cat([x.t() + 1, 2 * y[:, None]], 1)[1:3].permute(1, 0).unsqueeze(0).squeeze(0)
show(z.tolist(), z.device, type(z.grad_fn).__name__, z.is_contiguous())
torch.sigmoid(z @ z.t()).mean().backward()
show(x.grad.tolist(), x.grad.device)
del z
net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                    nn.Linear(36, 3)).to(c)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
images, labels = torch.randn(5, 1, 8, 8, device=c), torch.arange(5, device=c) % 3
for _ in range(3):
    optimizer.zero_grad(set_to_none=False)
    loss = F.cross_entropy(net(images), labels)
    loss.backward()
    optimizer.step()
    show(loss.item())
show(net[1].running_mean.tolist(), list(net[0].weight.grad.shape))
show(error(lambda: x + torch.ones(4, 6)), error(lambda: x + x.to("cuda:0")))
show(error(lambda: x.mm(torch.ones(6, 2))), error(lambda: torch.cat([x, x.cpu()])))
show(error(lambda: F.nll_loss(torch.zeros(2, 3, device=c), torch.tensor([0, 7], device=c))))
show(error(lambda: torch.cat([torch.ones(9 << 20, device=c)] * 2)))
show((x * torch.tensor(2.0)).sum().item(), (x.to(torch.complex64).conj() * 1j).sum().item())
with torch.inference_mode(), torch.autocast("cuda"):
    show((x @ x.t()).dtype, (y + 1).is_inference())
with virtual_cuda.trace() as trace:
    x.detach().mul_(2).add_(x.mm(y[:, None]))
show([work.name for work in trace.intervals], trace.hazards)
total = torch._foreach_add([y, x.detach().to("cuda:0")], 1)
show([t.device for t in total], torch.func.vmap(torch.relu)(x.detach()).sum().item())
kept = torch.zeros(3, device=c).add_(1)
child = os.fork()
if not child:
    print(error(lambda: kept + 1), flush=True)
    os._exit(0)
os.waitpid(child, 0)
del net, optimizer, loss, images, labels, trace, total
gc.collect()
show(kept.tolist())
virtual_cuda.disable()
print(error(lambda: kept + 1), error(lambda: kept.view(3, 1)))
virtual_cuda.enable(1, quiet=True)
print(error(lambda: kept + 1)[:1], (torch.ones(2, device="cuda") + 1).tolist())
with open(os.environ["SAID"], "w") as file:
    print(helper.loaded is not None, file=file)
"""


def run(folder: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder), **environment}
    return subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, timeout=600
    )


@pytest.mark.slow
@pytest.mark.skipif(not IS_POSSIBLE, reason="for Linux and the CPU build of torch")
def test_a_program_sees_no_difference(tmp_path):
    said = {}
    for choice in ("nothing compiled", "off", "on"):
        if choice == "off":
            done = run(tmp_path, "-m", "virtual_cuda", "compile")
            if "C++ compiler" in done.stderr:
                pytest.skip(done.stderr)
            assert done.returncode == 0, done.stderr
        said_by = tmp_path / choice
        done = run(tmp_path, "-c", textwrap.dedent(PROGRAM), SAID=str(said_by),
                   VIRTUAL_CUDA_HELPER=choice)  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert said_by.read_text() == f"{choice == 'on'}\n"
        said[choice] = done.stdout.splitlines()
    assert said["on"] == said["off"] == said["nothing compiled"]


def test_without_a_compiler_a_sentence_says_so(monkeypatch):
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(RuntimeError, match=r"do without it: it needs a C\+\+ compiler .*\.$"):
        helper.build()


@pytest.mark.skipif(not IS_POSSIBLE, reason="for Linux and the CPU build of torch")
def test_a_compiler_that_fails_leaves_nothing_behind(monkeypatch, tmp_path):
    monkeypatch.setenv("CXX", "false")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(RuntimeError, match="could not be compiled, do without it"):
        helper.build()
    assert not list(tmp_path.rglob("*helper*"))


def test_the_command_explains_itself(tmp_path):
    done = run(tmp_path, "-m", "virtual_cuda")
    assert done.returncode == 2 and done.stderr.startswith("usage: virtual_cuda")
