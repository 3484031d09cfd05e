"""Whole programs that are given virtual GPUs from outside: children, ranks, pytest, 64 cards."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import warm_python
from virtual_cuda.platform import helper
from virtual_cuda.platform.guard import CARDS_WITHOUT
from virtual_cuda.platform.switches import HAS_CUDA_BUILD

pytestmark = pytest.mark.slow

SHOW = """
import sys, torch
print(sys.argv[1:], __name__, torch.cuda.device_count(), torch.cuda.mem_get_info()[1] >> 20)
"""

# Asks nvidia-smi before torch is there, and again with memory in use; has children of two kinds.
PARENT = """
import subprocess, sys

QUERY = ["nvidia-smi", "--query-gpu=index,memory.used", "--format=csv,noheader"]

def smi():
    print(subprocess.run(QUERY, capture_output=True, text=True).stdout.split("\\n")[:-1])

def spawned(rank):
    import torch
    print("spawned", torch.ones(1, device=f"cuda:{rank}").device, flush=True)

if __name__ == "__main__":
    smi()
    import torch
    x = torch.ones(1 << 26, device="cuda:1")
    smi()
    sys.stdout.flush()
    subprocess.run([sys.executable, "-c", "import torch; print(torch.cuda.device_count())"])
    torch.multiprocessing.spawn(spawned, nprocs=1)
    sys.exit(7)
"""

# Chooses its card and forks before CUDA starts, then looks at a copy before and after it waited.
LOST = """
import torch
x = torch.ones(2).cuda()
for act in (lambda: x[torch.tensor([2]).cuda()], x.cpu):
    try:
        act()
    except torch.AcceleratorError as error:
        print(error.error_code)
"""

HASTY = """
import os, torch

os.environ["CUDA_VISIBLE_DEVICES"] = "1"
if os.fork() == 0:
    os._exit(0)
late = torch.ones(2, device="cuda").to("cpu", non_blocking=True)
print(torch.cuda.device_count(), late.tolist())
torch.cuda.synchronize()
print(late.tolist())
"""

RANKS = """
import os, torch
import torch.distributed as dist

dist.init_process_group("nccl")
rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(rank)
x = torch.full((1,), rank + 1.0, device="cuda")
dist.all_reduce(x)
print(f"{x.device} {x.item()}\\n", end="", flush=True)
dist.destroy_process_group()
"""

MANY = """
import sys, torch
import virtual_cuda

if sys.argv[1] == "cpu first":
    (torch.ones(3, requires_grad=True) * 2).sum().backward()
if sys.argv[1] == "few first":
    with virtual_cuda.enabled(4):
        (torch.ones(3, device="cuda:1", requires_grad=True) * 2).sum().backward()
virtual_cuda.enable(64, quiet=True)
for index in (0, 7, 8, 31, 32, 63):
    x = torch.ones(3, device=f"cuda:{index}", requires_grad=True)
    with torch.cuda.stream(torch.cuda.Stream(index)):
        (x * 2).sum().backward()
    assert x.grad.tolist() == [2, 2, 2] and x.grad.get_device() == index
    with torch.cuda.device(index):
        assert torch.ones(1, device="cuda").get_device() == index
    assert torch.cuda.memory_allocated(index) > 0
net = torch.nn.DataParallel(torch.nn.Linear(3, 2).cuda())
net(torch.ones(128, 3)).sum().backward()
assert net.module.weight.grad.tolist() == [[128] * 3] * 2
try:
    torch.ones(1, device="cuda:64")
except torch.AcceleratorError as error:
    print(str(error).splitlines()[0])
table = virtual_cuda.nvidia_smi().splitlines()[1:]
print(torch.cuda.device_count(), virtual_cuda.nvidia_smi("-L").count("\\n"), {*map(len, table)})
virtual_cuda.disable()
virtual_cuda.enable(2, quiet=True)
print((torch.ones(2, device="cuda:1") + 1).tolist())
"""

TESTS = """
import os, subprocess, sys, unittest
import pytest, torch
from conftest import needs_two

CHILD = [sys.executable, "-c", "import torch; print(torch.cuda.device_count())"]

def seen_by_a_child():
    return int(subprocess.run(CHILD, capture_output=True, text=True, check=True).stdout)

@needs_two
def test_the_option():
    assert torch.cuda.device_count() == seen_by_a_child() == 4
    assert torch.cuda.mem_get_info()[1] == 1 << 30

@pytest.mark.virtual_cuda(gpus=2, memory="512 MiB")
def test_the_marker():
    assert torch.cuda.device_count() == seen_by_a_child() == 2
    assert torch.cuda.mem_get_info() == (512 << 20, 512 << 20)
    torch.ones(256, device="cuda:1")

@pytest.mark.virtual_cuda(2, "512 MiB")
def test_the_machine_is_fresh(virtual_gpus):
    assert torch.cuda.max_memory_allocated(1) == 0 and virtual_gpus.device_count == 2

def test_the_fixture(virtual_gpus):
    assert torch.cuda.device_count() == virtual_gpus.device_count == 4

@pytest.mark.virtual_cuda(gpus=3)
class TestCase(unittest.TestCase):
    def test_in_a_class(self):
        assert torch.cuda.device_count() == 3
"""

WRONG_TESTS = """
import pytest

@pytest.mark.virtual_cuda(cards=3)
def test_unknown_word(): pass

@pytest.mark.virtual_cuda(gpus=99)
def test_impossible(): pass
"""

CONFTEST = """
import pytest, torch
needs_two = pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two GPUs")
"""


def surroundings(**environment: str) -> dict[str, str]:
    """Those of a program that no test run starts; it does not have the helper compiled even so."""
    clean = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST_")}
    return {**clean, helper.VARIABLE: "off", **environment}


def run(folder: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=surroundings(**environment),
        capture_output=True,
        text=True,
    )


def test_by_environment(tmp_path):
    (tmp_path / "show.py").write_text(SHOW)
    done = run(tmp_path, "show.py", "--x", VIRTUAL_CUDA="3", VIRTUAL_CUDA_MEMORY="1 GiB")
    assert (done.stdout, done.stderr) == ("['--x'] __main__ 3 1024\n", "")


@pytest.mark.more
def test_by_environment_where_virtual_cuda_comes_first():
    done = run(
        Path.cwd(),
        "-c",
        "import virtual_cuda as v; print(v.machine().device_count)",
        VIRTUAL_CUDA="3",
    )
    assert done.stdout == "3\n", done.stderr


@pytest.mark.more
def test_a_wrong_environment_ends_the_program(tmp_path):
    (tmp_path / "show.py").write_text(SHOW)
    done = run(tmp_path, "show.py", VIRTUAL_CUDA="99")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("virtual_cuda: device_count=99 is not possible")
    assert done.stderr.count("\n") == 1


def test_the_command_line(tmp_path):
    (tmp_path / "show.py").write_text(SHOW)
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "train.py").write_text(SHOW)
    tool = ("-m", "virtual_cuda", "run")
    done = run(tmp_path, *tool, "--gpus", "2", "--memory", "8GiB", "show.py", "--gpus", "9")
    assert done.stdout == "['--gpus', '9'] __main__ 2 8192\n"
    assert done.stderr.startswith("virtual_cuda: 2 virtual GPUs of 8.00 GiB")
    assert done.stderr.endswith("nvidia-smi with: virtual_cuda run --nvidia-smi …\n")
    # A run around this one does not count.
    done = run(tmp_path, *tool, "--quiet", "-m", "package.train", VIRTUAL_CUDA="3")
    assert (done.stdout, done.stderr) == ("[] __main__ 4 2048\n", "")


def test_the_command_line_leaves_torch_to_the_program(tmp_path):
    (tmp_path / "show.py").touch()
    program = "import os, sys; from virtual_cuda_tool import command_line; "
    program += "os.execve = lambda *given: print(given[1][1], 'torch' in sys.modules); "
    done = run(tmp_path, "-c", program + "command_line.main(['run', 'show.py'])")
    assert done.stdout == "show.py False\n", done.stderr


@pytest.mark.more
def test_one_process_of_many_says_what_it_has(tmp_path):
    (tmp_path / "parent.py").write_text(
        "import subprocess, sys, torch\nsubprocess.run([sys.executable, '-c', 'import torch'])\n"
    )
    done = run(tmp_path, "-m", "virtual_cuda", "run", "parent.py")
    assert done.stderr.count("virtual GPUs") == 1


@pytest.mark.more
def test_children_and_nvidia_smi(tmp_path):
    (tmp_path / "parent.py").write_text(PARENT)
    command = ("-m", "virtual_cuda", "run", "--quiet", "--nvidia-smi", "--gpus", "2", "parent.py")
    done = run(tmp_path, *command, XDG_CACHE_HOME=str(tmp_path))
    assert done.stdout.splitlines() == [
        "['0, 0 MiB', '1, 0 MiB']",
        "['0, 0 MiB', '1, 256 MiB']",
        "2",
        "spawned cuda:0",
    ]
    assert (done.returncode, done.stderr) == (7, "")


@pytest.mark.more
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the program forks")
def test_stale_copies(tmp_path):
    (tmp_path / "hasty.py").write_text(HASTY)
    command = ("-m", "virtual_cuda", "run", "--quiet")
    done = run(tmp_path, *command, "--stale-copies", "hasty.py")
    assert (done.stdout, done.stderr) == ("1 [nan, nan]\n[1.0, 1.0]\n", "")
    done = run(tmp_path, "hasty.py", VIRTUAL_CUDA="2", VIRTUAL_CUDA_STALE_COPIES="1")
    assert done.stdout == "1 [nan, nan]\n[1.0, 1.0]\n", done.stderr
    done = run(tmp_path, "hasty.py", VIRTUAL_CUDA="2")
    assert done.stdout == "1 [1.0, 1.0]\n[1.0, 1.0]\n", done.stderr


RACY = """
import torch

def test_racy():
    x = torch.arange(3.0, device="cuda")
    with torch.cuda.stream(torch.cuda.Stream()):
        y = x + 1
    torch.cuda.synchronize()
    print(y.tolist())

if __name__ == "__main__":
    test_racy()
"""


@pytest.mark.more
def test_races(tmp_path):
    (tmp_path / "test_racy.py").write_text(RACY)
    eager, command = "[1.0, 2.0, 3.0]\n", ("-m", "virtual_cuda", "run", "--quiet", "--races")
    for seed in "0123456789":
        done = run(tmp_path, *command, seed, "test_racy.py")
        if done.stdout != eager:
            break
    assert done.stdout == "[nan, nan, nan]\n", done.stderr
    told = f"virtual_cuda: races, seed {seed}: "
    assert done.stderr.startswith(told) and "test_racy.py:5) came late: " in done.stderr
    again = run(tmp_path, "test_racy.py", VIRTUAL_CUDA="2", VIRTUAL_CUDA_RACES=seed)
    assert (again.stdout, again.stderr) == (done.stdout, done.stderr)
    late = re.search(r"one operation late: (late=\d+)$", done.stderr, re.M)[1]
    alone = run(tmp_path, *command, late, "test_racy.py")
    assert alone.stdout == done.stdout and "test_racy.py:5) came late: " in alone.stderr
    refused = run(tmp_path, *command, "lots", "test_racy.py")
    assert refused.stderr.startswith("virtual_cuda: races: lots is not possible. Write a seed")
    tests = (
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-n",
        "0",
        "--virtual-cuda=1",
        "test_racy.py",
    )
    assert run(tmp_path, *tests).returncode == 0
    done = run(tmp_path, *tests, f"--virtual-cuda-races={seed}")
    assert done.returncode == 1 and f"races, seed {seed}: " in done.stdout
    done = run(tmp_path, *tests, "--virtual-cuda-races=lots")
    assert "--virtual-cuda-races: lots is not possible" in done.stderr


@pytest.mark.more
def test_a_context_is_lost_where_the_gpus_come_from_outside(tmp_path):
    done = run(tmp_path, "-c", LOST, VIRTUAL_CUDA="1")
    assert done.stdout == "710\n710\n", done.stderr


@pytest.mark.more
def test_torchrun(tmp_path):
    (tmp_path / "ranks.py").write_text(RANKS)
    done = run(
        tmp_path,
        "-m",
        "virtual_cuda",
        "run",
        "--quiet",
        "--gpus",
        "2",
        "torchrun",
        "--standalone",
        "--nproc-per-node",
        "2",
        "ranks.py",
    )
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.split("\n")) == ["", "cuda:0 3.0", "cuda:1 3.0"]


@pytest.mark.parametrize("workers", ["0", pytest.param("2", marks=pytest.mark.full)])
def test_in_pytest(tmp_path, workers):
    done = in_pytest(tmp_path, workers, "--virtual-cuda=4", "--virtual-cuda-memory=1GiB")
    assert "5 passed" in done.stdout, done.stdout
    assert "virtual_cuda: 4 virtual GPUs of 1GiB" in done.stdout


@pytest.mark.more
def test_in_pytest_without_the_option(tmp_path):
    done = in_pytest(tmp_path, "0")
    assert "4 passed, 1 skipped" in done.stdout, done.stdout


def in_pytest(folder, workers, *options):
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_cards.py").write_text(TESTS)
    return run(folder, "-m", "pytest", "-p", "no:cacheprovider", "-n", workers, *options)


@pytest.mark.more
def test_mistakes_in_pytest(tmp_path):
    (tmp_path / "test_wrong.py").write_text(WRONG_TESTS)
    command = ("-m", "pytest", "-p", "no:cacheprovider", "-n", "0")
    done = run(tmp_path, *command)
    assert "2 errors" in done.stdout and "Traceback" not in done.stdout + done.stderr
    assert "@pytest.mark.virtual_cuda takes gpus= and memory=, as in " in done.stdout
    assert "No virtual GPUs for this test: device_count=99 is not possible" in done.stdout
    for option, sentence in {
        "--virtual-cuda=0": "--virtual-cuda=0: device_count=0 is not possible",
        "--virtual-cuda-memory=lots": "'lots' is not an amount of memory",
    }.items():
        done = run(tmp_path, *command, "--virtual-cuda=4", option)
        assert done.returncode == 4 and sentence in done.stderr
        assert "Traceback" not in done.stderr


only_where_compiled = pytest.mark.skipif(
    sys.platform != "linux" or HAS_CUDA_BUILD, reason="for Linux and the CPU build of torch"
)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A cache folder in which the guard is compiled once."""
    return str(tmp_path_factory.mktemp("cache"))


@pytest.mark.more
@only_where_compiled
@pytest.mark.parametrize("before", ["nothing first", "cpu first", "few first"])
def test_sixty_four_cards(tmp_path, cache, before):
    (tmp_path / "many.py").write_text(MANY)
    done = warm_python.run("many.py", before, cwd=tmp_path, env=surroundings(XDG_CACHE_HOME=cache))
    if "it needs a C++ compiler" in done.stderr:
        pytest.skip("no C++ compiler")
    assert done.stdout.splitlines() == [
        "CUDA error: invalid device ordinal",
        "64 64 {91}",
        "[2.0, 2.0]",
    ], done.stderr


@pytest.mark.more
@only_where_compiled
def test_more_than_eight_without_a_compiler(tmp_path):
    program = f"""
import torch, virtual_cuda
try:
    virtual_cuda.enable({CARDS_WITHOUT + 1})
except virtual_cuda.VirtualCudaUnavailable as error:
    print(error)
print(virtual_cuda.is_enabled(), torch.cuda.is_available())
virtual_cuda.enable({CARDS_WITHOUT}, quiet=True)
print(torch.ones(1, device="cuda:{CARDS_WITHOUT - 1}").item())
"""
    env = surroundings(CXX="false", XDG_CACHE_HOME=str(tmp_path))
    done = warm_python.run("-c", program, env=env)
    refusal, *after = done.stdout.splitlines()
    assert refusal == (
        "More than 8 virtual GPUs need a device guard that is compiled on first use. It could not "
        "be compiled: false ended with 1. Use 8 GPUs or fewer."
    )
    assert after == ["False False", "1.0"]
