"""Four virtual GPUs for every test file here; other files of the same process do not see them."""

from __future__ import annotations

import gc
import textwrap
from collections.abc import Callable, Iterator

import pytest
import torch

import virtual_cuda
import warm_python


@pytest.fixture(autouse=True, scope="module")
def four_gpus() -> Iterator[None]:
    virtual_cuda.enable(device_count=4, memory="2 GiB", quiet=True)
    gc.collect()
    gc.freeze()  # tests that collect look at their own objects only, which is fast
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # replicas are threads already; more would only wait for each other
    yield
    torch.set_num_threads(threads)
    gc.unfreeze()
    virtual_cuda.disable()


@pytest.fixture(autouse=True)
def same_start(four_gpus: None) -> Iterator[None]:
    torch.manual_seed(0)
    yield
    torch.set_default_device(None)
    torch.cuda.set_device(0)


@pytest.fixture
def no_machine(four_gpus: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No machine yet, and nothing about one in the environment: the test enables its own."""
    virtual_cuda.disable()
    for name in ("CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"):
        monkeypatch.delenv(name, raising=False)
    yield
    virtual_cuda.disable()
    monkeypatch.undo()
    virtual_cuda.enable(device_count=4, memory="2 GiB", quiet=True)


@pytest.fixture
def run_python() -> Callable[[str], str]:
    """Run code in a process of its own without virtual GPUs and return what it printed."""

    def run(code: str) -> str:
        outcome = warm_python.run("-c", textwrap.dedent(code))
        assert outcome.returncode == 0, outcome.stderr
        return outcome.stdout

    return run
