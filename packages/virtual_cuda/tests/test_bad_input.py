"""What must be refused, and what must be whole again after something went wrong."""

from __future__ import annotations

import gc
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import torch
from torch import nn

import virtual_cuda
from virtual_cuda import switchboard

DEVICE_STRINGS = {
    "gpu": (RuntimeError, "at start of device string: gpu"),
    "cuda:[0,1]": (RuntimeError, "Invalid device string: 'cuda:[0,1]'"),
    "cuda:-1": (RuntimeError, "Invalid device string: 'cuda:-1'"),
    "cuda:a": (RuntimeError, "Invalid device string: 'cuda:a'"),
    "cuda:": (RuntimeError, "Invalid device string: 'cuda:'"),
    "cuda:4": (torch.AcceleratorError, "CUDA error: invalid device ordinal"),
    "cuda:99": (torch.AcceleratorError, "CUDA error: invalid device ordinal"),
}


@pytest.mark.parametrize("text", DEVICE_STRINGS)
def test_wrong_device_strings(text):
    kind, message = DEVICE_STRINGS[text]
    for use in (
        lambda: torch.ones(1, device=text),
        lambda: torch.ones(1).to(text),
        lambda: nn.Linear(1, 1).to(text),
    ):
        with pytest.raises(kind, match=re.escape(message)):
            use()


ORDINALS = {
    "set_device": lambda: torch.cuda.set_device(4),
    "synchronize": lambda: torch.cuda.synchronize(4),
    "stream": lambda: torch.cuda.Stream(4),
    "generator": lambda: torch.Generator("cuda:4"),
    "memory": lambda: torch.cuda.mem_get_info(4),
    "sparse": lambda: torch.eye(2).to_sparse().to("cuda:4"),
    "storage": lambda: torch.UntypedStorage(4, device="cuda:4"),
    "gather": lambda: nn.parallel.gather([torch.ones(1, device="cuda")], 4),
}


@pytest.mark.parametrize("use", ORDINALS.values(), ids=ORDINALS.keys())
def test_ordinals_out_of_range(use):
    with pytest.raises(torch.AcceleratorError, match="invalid device ordinal"):
        use()
    assert torch.cuda.current_device() == 0


def test_negative_ordinals():
    for use in (lambda: torch.ones(1).cuda(-1), lambda: torch.ones(1).to(-1)):
        with pytest.raises(RuntimeError, match="Device index must not be negative"):
            use()


def test_data_parallel_with_a_missing_card():
    with pytest.raises(AssertionError, match="Invalid device id"):
        nn.DataParallel(nn.Linear(1, 1).cuda(), device_ids=[0, 4])


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.ones(-1, device="cuda"),
        lambda: torch.empty((2, -3), device="cuda"),
        lambda: torch.empty_strided((-1,), (1,), device="cuda"),
        lambda: torch.linspace(0, 1, -1, device="cuda"),
        lambda: torch.randperm(-1, device="cuda"),
    ],
)
def test_negative_sizes(make):
    before = torch.cuda.memory_allocated()
    with pytest.raises(RuntimeError, match="negative"):
        make()
    assert torch.cuda.memory_allocated() == before


@pytest.mark.usefixtures("no_machine")
class TestEnabling:
    def test_twice(self):
        first = virtual_cuda.enable(2, "1 GiB", quiet=True)
        assert virtual_cuda.enable(2, "1 GiB", quiet=True) == first
        with pytest.raises(RuntimeError, match=r"already on.*disable"):
            virtual_cuda.enable(3, "1 GiB", quiet=True)
        with pytest.raises(RuntimeError, match="already on"):
            virtual_cuda.enable(2, "2 GiB", quiet=True)

    def test_in_a_thread(self):
        """The machine is the process's: a thread may switch it on, and no thread gets another."""

        def attempt(count: int) -> None:
            try:
                outcomes.append(str(virtual_cuda.enable(count, quiet=True).device_count))
            except RuntimeError as error:
                outcomes.append(str(error))

        outcomes: list[str] = []
        for count in (2, 3):
            thread = threading.Thread(target=attempt, args=(count,))
            thread.start()
            thread.join()
        assert outcomes[0] == "2"
        assert re.match(r"Virtual GPUs are already on \(2 .*Call virtual_cuda.disable", outcomes[1])
        assert torch.ones(2, device="cuda:1").sum().item() == torch.cuda.device_count() == 2

    def test_too_many(self):
        for settings in ({"device_count": 65}, {"cards": ["T4"] * 65}):
            with pytest.raises(ValueError, match="from 1 to 64"):
                virtual_cuda.enable(quiet=True, **settings)
        assert virtual_cuda.enable(8, quiet=True).device_count == torch.cuda.device_count() == 8
        assert torch.ones(1, device="cuda:7").get_device() == 7

    def test_more_memory_than_the_host(self, capsys):
        virtual_cuda.enable(8, "64 TiB")
        assert "This computer has" in capsys.readouterr().out
        x = torch.ones(1, device="cuda")
        assert torch.cuda.mem_get_info()[1] == 64 << 40
        with pytest.raises(torch.OutOfMemoryError, match="it uses the memory of this computer"):
            torch.empty(32 << 40, dtype=torch.uint8, device="cuda")
        assert (x + 1).item() == 2

    def test_disabling_while_tensors_live(self):
        virtual_cuda.enable(2, quiet=True)
        self.use_orphans()
        gc.collect()
        virtual_cuda.enable(2, quiet=True)
        assert virtual_cuda.live_bytes() == 0
        assert torch.ones(1, device="cuda:1").item() == 1

    def use_orphans(self):
        x = torch.ones(3, device="cuda:1", requires_grad=True)
        y = (x * 2).sum()
        sparse = torch.eye(2, device="cuda").to_sparse()
        virtual_cuda.disable()
        for use in (lambda: x + 1, y.item, x.cpu, y.backward, lambda: sparse + sparse):
            with pytest.raises((AssertionError, RuntimeError)):
                use()


def test_enabling_after_cuda_was_used(no_machine, monkeypatch):
    monkeypatch.setattr(torch.cuda, "_initialized", True)
    with pytest.raises(virtual_cuda.VirtualCudaUnavailable, match="already started"):
        virtual_cuda.enable(quiet=True)
    assert not virtual_cuda.is_enabled()


def test_enabling_in_a_fork_of_a_process_that_used_cuda(no_machine, monkeypatch):
    """There torch says that CUDA has not started; what the parent left of it cannot be used."""
    monkeypatch.setattr(torch.cuda, "_initialized", True)
    monkeypatch.setattr(torch.cuda, "_is_in_bad_fork", lambda: True)
    with pytest.raises(virtual_cuda.VirtualCudaUnavailable, match=r"was forked\. .* spawn "):
        virtual_cuda.enable(quiet=True)
    assert not virtual_cuda.is_enabled()


# After an error


@contextmanager
def nothing_lost() -> Iterator[None]:
    gc.collect()
    before = [torch.cuda.memory_allocated(i) for i in range(4)]
    yield
    gc.collect()
    assert [torch.cuda.memory_allocated(i) for i in range(4)] == before


def fails(act: Callable[[], object], kind: type[BaseException]) -> None:
    """``act`` raises; its frames are not kept."""
    try:
        act()
    except kind:
        return
    pytest.fail(f"no {kind.__name__}")


def test_an_exception_inside_a_kernel():
    x = torch.ones(3, 3, device="cuda")
    with nothing_lost():
        for _ in range(20):
            fails(lambda: x @ torch.ones(4, 4, device="cuda"), RuntimeError)
            fails(lambda: torch.linalg.cholesky(-x), RuntimeError)
            fails(lambda: x.reshape(2, 2), RuntimeError)
            fails(lambda: torch.empty(4 << 30, dtype=torch.uint8, device="cuda"), RuntimeError)
        assert (x @ x).sum().item() == 27


def test_a_card_stays_usable_after_a_device_side_assert():
    """A mistake costs a notebook one cell, unless ``lost_contexts`` was asked for."""
    logits = torch.randn(2, 3, device="cuda:1")
    with nothing_lost():
        fails(
            lambda: nn.functional.cross_entropy(logits, torch.tensor([0, 9], device="cuda:1")),
            torch.AcceleratorError,
        )
        assert torch.isfinite(logits.sum()).item()


def test_a_context_that_is_lost_stays_lost():
    """What needs no context still works; so does the machine that comes after it."""
    with switchboard.replaced(2, lost_contexts=True):
        x, other = torch.ones(4, device="cuda"), torch.ones(4, device="cuda:1")
        event = torch.cuda.Event()
        uses = [x.cpu, x.zero_, event.record, torch.cuda.synchronize, torch.cuda.mem_get_info]
        uses += [lambda: x + 1, lambda: other + 1, lambda: torch.empty(1, device="cuda")]
        fails(lambda: x[torch.tensor([4], device="cuda")], torch.AcceleratorError)
        for use in uses:
            with pytest.raises(torch.AcceleratorError, match="device-side assert triggered"):
                use()
        assert x.view(2, 2).shape == (2, 2)
        assert torch.cuda.memory_allocated(1) == 512
    assert torch.ones(2, device="cuda").sum().item() == 2


def compute(net: nn.Module) -> None:
    net(torch.randn(32, 64, device="cuda")).pow(2).mean()


def train(net: nn.Module) -> None:
    net(torch.randn(32, 64, device="cuda")).pow(2).mean().backward()


def interrupt(work: Callable[[nn.Module], None], after: float) -> None:
    """Let Ctrl-C come ``after`` seconds of some work."""

    def raise_it(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    def repeat() -> None:
        net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 8)).cuda()
        end = time.monotonic() + 60
        while time.monotonic() < end:
            work(net)

    previous = signal.signal(signal.SIGALRM, raise_it)
    # Again after a while: Python drops what is raised where no exception can go.
    signal.setitimer(signal.ITIMER_REAL, after, 0.5)
    try:
        fails(repeat, KeyboardInterrupt)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


@pytest.mark.slow
def test_interrupting_a_running_cell():
    """Anywhere in the work, many times: the memory numbers return to what they were."""
    with torch.no_grad(), nothing_lost():
        for k in range(80):
            interrupt(compute, after=0.005 + 0.00037 * k)


def test_interrupting_backward():
    """What waited in autograd's own queue stays there, as it does without cards; all goes on."""
    for k in range(40):
        interrupt(train, after=0.005 + 0.00037 * k)
        # Where Ctrl-C meets torch's own `no_grad` on its way out, it stays in force: cards or none.
        torch.set_grad_enabled(True)
    x = torch.ones(3, device="cuda", requires_grad=True)
    (x * x).sum().backward()
    assert x.grad.tolist() == [2, 2, 2]


def test_many_threads():
    def work(number: int) -> None:
        device = torch.device("cuda", number % 4)
        with torch.cuda.device(device):
            for _ in range(30):
                x = torch.randn(8, 8, device="cuda", requires_grad=True)
                (x @ x).sum().backward()
                assert x.grad is not None and x.grad.device == device
        done.append(number)

    done: list[int] = []
    with nothing_lost():
        threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(done) == list(range(8))
