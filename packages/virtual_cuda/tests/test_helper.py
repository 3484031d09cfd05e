"""The compiled helper: the same in everything but speed, and nobody notices how it got there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import warm_python
from virtual_cuda.platform import helper
from virtual_cuda.platform.switches import HAS_CUDA_BUILD

pytestmark = pytest.mark.slow

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
show((x.bfloat16() @ x.t().bfloat16()).tolist())
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
    environment.setdefault(helper.VARIABLE, "off")
    if command[0] == "-c":
        return warm_python.run(*command, env=environment, timeout=600)
    return subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, timeout=600
    )


def seen(folder: Path, choice: str) -> list[str]:
    """What the program prints with the helper of a folder, or without one."""
    said_by = folder / choice
    done = run(
        folder, "-c", textwrap.dedent(PROGRAM), SAID=str(said_by), **{helper.VARIABLE: choice}
    )
    assert done.returncode == 0, done.stderr
    assert said_by.read_text() == f"{choice == 'on'}\n"
    return done.stdout.splitlines()


@pytest.mark.full
@pytest.mark.skipif(not IS_POSSIBLE, reason="for Linux and the CPU build of torch")
def test_a_program_sees_no_difference(tmp_path):
    said = {}
    for choice in ("nothing compiled", "off", "on"):
        if choice == "off":
            done = run(tmp_path, "-m", "virtual_cuda", "compile")
            if "C++ compiler" in done.stderr:
                pytest.skip(done.stderr)
            assert done.returncode == 0, done.stderr
        said[choice] = seen(tmp_path, choice)
    assert said["on"] == said["off"] == said["nothing compiled"]


@pytest.mark.skipif(not IS_POSSIBLE, reason="for Linux and the CPU build of torch")
def test_without_a_compiler_a_sentence_says_so(monkeypatch):
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(RuntimeError, match=r"not be compiled: it needs a C\+\+ compiler .*\.$"):
        helper.build()


@pytest.mark.skipif(not IS_POSSIBLE, reason="for Linux and the CPU build of torch")
def test_a_compiler_that_fails_leaves_nothing_behind(monkeypatch, tmp_path):
    monkeypatch.setenv("CXX", "false")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(RuntimeError, match="The optional helper could not be compiled"):
        helper.build()
    assert not list(tmp_path.rglob("*helper*"))


def test_the_command_explains_itself(tmp_path):
    done = run(tmp_path, "-m", "virtual_cuda")
    assert done.returncode == 2 and done.stderr.startswith("usage: virtual_cuda")


# The background build. A compiler of the tests' own stands before the real one where a test wants
# to know how often it was called, or to hold it up.

needs_linux = pytest.mark.skipif(not IS_POSSIBLE, reason="for Linux and the CPU build of torch")
ENABLE = "import virtual_cuda; virtual_cuda.enable(1, quiet=True)"
NO_CHILDREN = (
    ENABLE
    + """
import os, threading
def children():
    try:
        return os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return None
print(children(), threading.active_count(), flush=True)
child = os.fork()
if not child:
    print(children(), threading.active_count(), flush=True)
    os._exit(0)
os.waitpid(child, 0)
"""
)


def compiler(folder: Path, what_it_does: str) -> dict[str, str]:
    """The environment in which this shell script, which notes its calls, is the C++ compiler."""
    script = folder / "c++"
    script.write_text(f'#!/bin/sh\necho called >> "{folder}/calls"\n{what_it_does}\n')
    script.chmod(0o755)
    return {"CXX": str(script), helper.VARIABLE: "on"}


def calls(folder: Path) -> int:
    file = folder / "calls"
    return len(file.read_text().splitlines()) if file.exists() else 0


def files(folder: Path) -> set[str]:
    """Endings of what lies in the cache."""
    return {file.suffix for file in (folder / "virtual_cuda").glob("virtual_cuda_helper*")}


def builders(folder: Path) -> list[str]:
    """Command lines of the processes that work on this cache, the compiler's among them."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it ended meanwhile
            line = file.read_bytes().decode(errors="replace").replace("\0", " ")
            if f"{folder}/virtual_cuda/" in line:
                found.append(line)
    return found


def wait_until(fact: Callable[[], object]) -> None:
    patience = 1_500  # seconds: a compiler at the lowest priority on a busy computer
    for _ in range(patience * 10):
        if fact():
            return
        time.sleep(0.1)
    raise AssertionError("it did not come to that")


@pytest.mark.more
@needs_linux
@pytest.mark.timeout(1800)  # g++ takes minutes on a busy machine
def test_it_is_compiled_in_the_background_and_used_from_the_next_process_on(tmp_path):
    real = shutil.which("c++") or shutil.which("g++")
    if real is None:
        pytest.skip("needs a C++ compiler")
    environment = compiler(tmp_path, f'exec {real} "$@"')
    used = ENABLE + "; from virtual_cuda.platform import helper; print(helper.loaded is not None)"
    assert run(tmp_path, "-c", used, **environment).stdout == "False\n"
    run(tmp_path, "-c", used, **environment)  # finds the first one at work
    wait_until(lambda: not builders(tmp_path))
    assert files(tmp_path) == {".so", ".lock"} and calls(tmp_path) == 1
    assert run(tmp_path, "-c", used, **environment).stdout == "True\n"
    assert not builders(tmp_path) and calls(tmp_path) == 1
    assert seen(tmp_path, "on") == seen(tmp_path, "off")


@pytest.mark.more
@needs_linux
def test_the_program_does_not_notice_the_compiler(tmp_path):
    go = tmp_path / "go"
    environment = compiler(tmp_path, f'while [ ! -e "{go}" ]; do sleep 0.1; done; exit 1')
    try:
        done = run(tmp_path, "-c", NO_CHILDREN, **environment)  # ends, though the compiler waits
        assert (done.stdout, done.stderr) == ("None 1\nNone 1\n", "")
        wait_until(lambda: calls(tmp_path))
        assert builders(tmp_path)
        niceness = [
            os.getpriority(os.PRIO_PROCESS, int(stat.parent.name))
            for stat in Path("/proc").glob("[0-9]*/stat")
            if f"{tmp_path}/c++" in (stat.parent / "cmdline").read_text(errors="replace")
        ]
        assert set(niceness) == {19}
        run(tmp_path, "-c", ENABLE, **environment)  # a second one, while the first is at work
    finally:
        go.touch()
    wait_until(lambda: not builders(tmp_path))
    assert calls(tmp_path) == 1


@pytest.mark.more
@needs_linux
@pytest.mark.parametrize(
    "what_it_does",
    [
        "echo error >&2; exit 1",
        'while [ "$1" != -o ]; do shift; done; echo "no module" > "$2"',  # it does not load
    ],
)
def test_a_failure_is_silent_and_not_repeated(tmp_path, what_it_does):
    environment = compiler(tmp_path, what_it_does)
    for _ in range(2):
        done = run(tmp_path, "-c", ENABLE, **environment)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        wait_until(lambda: not builders(tmp_path))
        assert files(tmp_path) == {".failed", ".lock"} and calls(tmp_path) == 1


@needs_linux
def test_nothing_is_compiled_where_it_is_not_wanted(tmp_path):
    environment = compiler(tmp_path, "exit 1")
    program = f"import os; os.environ.pop('{helper.VARIABLE}', None); {ENABLE}"
    run(tmp_path, "-c", ENABLE, **{**environment, helper.VARIABLE: "off"})
    run(tmp_path, "-c", program, **environment)  # in a test run, as this one is
    quiet = {name: "" for name in helper._TEST_RUN}
    run(tmp_path, "-c", program, **environment, **{**quiet, "CI": "true"})
    assert not builders(tmp_path) and not files(tmp_path)
    run(tmp_path, "-c", program, **environment, **quiet)  # an ordinary program
    wait_until(lambda: files(tmp_path) == {".failed", ".lock"})
    assert calls(tmp_path) == 1


@needs_linux
def test_without_a_compiler_or_a_cache_nothing_happens(tmp_path):
    locked = tmp_path / "file"
    locked.touch()
    for folder, path in ((tmp_path, str(tmp_path)), (locked, os.environ["PATH"])):
        done = run(folder, "-c", ENABLE, PATH=path, **{helper.VARIABLE: "on"})
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not files(tmp_path) and not builders(tmp_path)
