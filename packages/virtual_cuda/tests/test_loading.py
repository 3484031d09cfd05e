"""Pinned memory, the DataLoader, and forked processes."""

from __future__ import annotations

import os

import pytest
import torch
from torch.utils.data import DataLoader, Dataset

from virtual_cuda.platform.switches import HAS_CUDA_BUILD

pytestmark = pytest.mark.slow


class Numbers(Dataset):
    def __len__(self) -> int:
        return 16

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        return torch.full((3,), float(index)), index


class NumbersOnCuda(Numbers):
    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        return torch.full((3,), float(index), device="cuda"), index


def test_pin_memory():
    x = torch.arange(3.0)
    pinned = x.pin_memory()
    assert pinned.is_pinned() and not x.is_pinned()
    assert pinned is not x and torch.equal(pinned, x) and pinned.pin_memory() is pinned
    assert pinned[1:].is_pinned()
    moved = pinned.to("cuda:1", non_blocking=True)
    assert moved.tolist() == [0, 1, 2] and not moved.is_pinned()


def test_pinned_flag_dies_with_its_memory():
    for _ in range(50):
        torch.ones(1000).pin_memory()
        assert not torch.ones(1000).is_pinned()


@pytest.mark.parametrize("name", ["empty", "zeros", "ones", "rand", "randn"])
def test_created_pinned(name):
    assert getattr(torch, name)(3, pin_memory=True).is_pinned()
    assert not getattr(torch, name)(3).is_pinned()


def test_only_cpu_tensors_can_be_pinned():
    text = "cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned"
    with pytest.raises(RuntimeError, match=text):
        torch.ones(2, device="cuda").pin_memory()


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("pin", [False, True])
@pytest.mark.filterwarnings("error")  # 'pin_memory' without an accelerator would warn
def test_loader_with_and_without_workers_and_pinning(workers, pin):
    seen = []
    for x, index in DataLoader(Numbers(), batch_size=4, num_workers=workers, pin_memory=pin):
        assert x.is_pinned() == pin
        assert torch.equal(x.to("cuda", non_blocking=pin).cpu(), x)
        seen += index.tolist()
    assert seen == list(range(16))


def test_worker_that_uses_cuda_is_refused():
    torch.ones(1, device="cuda")  # the parent has started CUDA
    with pytest.raises(RuntimeError, match="Cannot re-initialize CUDA in forked subprocess"):
        list(DataLoader(NumbersOnCuda(), batch_size=4, num_workers=1))


def fork_and_ask(question) -> str:
    """What ``question`` answers, or the text of its error, in a forked child."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            answer = str(question())
        except BaseException as error:
            answer = str(error)
        os.write(writing, answer.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as stream:
        answer = stream.read()
    os.waitpid(child, 0)
    return answer


FORKED = (
    "Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, "
    "you must use the 'spawn' start method"
)


def test_forked_child_cannot_use_cuda():
    x = torch.ones(3, device="cuda:1")
    assert fork_and_ask(lambda: torch.ones(1, device="cuda")) == FORKED
    assert fork_and_ask(lambda: x + 1) == FORKED
    assert fork_and_ask(lambda: torch.ones(1).cuda()) == FORKED
    assert fork_and_ask(lambda: torch.ones(2).sum().item()) == "2.0"  # the CPU still works
    assert (x + 1).tolist() == [2, 2, 2]


def test_fork_before_cuda_has_started_is_harmless(run_python):
    printed = run_python("""
        import os, torch
        import virtual_cuda
        virtual_cuda.enable(2, quiet=True)
        child = os.fork()
        who = "child" if child == 0 else "parent"
        os.write(1, f"{who} {torch.ones(1, device='cuda:1').tolist()}\\n".encode())
        if child:
            os.waitpid(child, 0)
    """)
    assert sorted(printed.splitlines()) == ["child [1.0]", "parent [1.0]"]


@pytest.mark.parametrize("check", ["0", "1"])
def test_forked_child_after_the_question_whether_cuda_is_there(run_python, check):
    """As torch has it: the usual answer is CUDA's, which spoils a fork; NVML's does not."""
    printed = run_python(f"""
        import os
        os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "{check}"
        import torch
        import virtual_cuda
        virtual_cuda.enable(2, quiet=True)
        torch.cuda.is_available()
        child = os.fork()
        if child == 0:
            print(torch.cuda._is_in_bad_fork(), flush=True)
            os._exit(0)
        os.waitpid(child, 0)
    """)
    assert printed.split() == [str(check == "0")]


@pytest.mark.parametrize("first", ["virtual_cuda.disable()", "torch.cuda.is_available()"])
def test_a_fork_of_one_that_had_them_or_only_counted_can_have_its_own(run_python, first):
    """On the CUDA build, torch's own count of real cards spoils every later fork."""
    counted = first.startswith("torch")
    printed = run_python(f"""
        import os, torch
        import virtual_cuda
        {"" if counted else "virtual_cuda.enable(2, quiet=True)"}
        {first}
        child = os.fork()
        if child == 0:
            print(torch.cuda._is_in_bad_fork())
            virtual_cuda.enable(4, quiet=True)
            print(torch.ones(1, device="cuda:3").tolist(), flush=True)
            os._exit(0)
        os.waitpid(child, 0)
    """)
    assert printed.splitlines() == [str(counted and HAS_CUDA_BUILD), "[1.0]"]
