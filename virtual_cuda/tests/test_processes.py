"""Tensors of cards on their way to other processes, in torch's own queues and loaders."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SENDING = """
import torch
from torch import nn
import virtual_cuda

virtual_cuda.enable(2, quiet=True)
context = torch.multiprocessing.get_context("spawn")

def child(argument, inbox, outbox):
    x, weight, (whole, part) = inbox.get()
    outbox.put((
        argument + x, str(weight.device), type(weight).__name__,
        whole.untyped_storage().data_ptr() == part.untyped_storage().data_ptr(), part.clone(),
    ))
    x.zero_()
    inbox.get()  # the sender of a tensor must live until it was received, as on CUDA

if __name__ == "__main__":
    inbox, outbox = context.Queue(), context.Queue()
    x = torch.arange(4.0, device="cuda:1")
    process = context.Process(target=child, args=(torch.ones(4, device="cuda:1"), inbox, outbox))
    process.start()
    inbox.put((x, nn.Linear(1, 1).cuda().weight.detach(), [x, x[2:]]))
    total, *seen, part = outbox.get()
    print(total.device, total.tolist(), *seen, part.tolist())
    inbox.put(None)
    process.join()
    print(process.exitcode, x.tolist(), torch.cuda.memory_allocated(0))
"""

LOADING = """
import sys, torch
import virtual_cuda

virtual_cuda.enable(2, quiet=True)

class Numbers(torch.utils.data.Dataset):
    def __len__(self):
        return 4
    def __getitem__(self, i):
        return torch.full((2,), float(i), device="cuda:1")

if __name__ == "__main__":
    loader = torch.utils.data.DataLoader(
        Numbers(), batch_size=2, num_workers=1, multiprocessing_context=sys.argv[1], timeout=30
    )
    for batch in loader:
        print(batch.device, batch[:, 0].tolist())
"""


def run(tmp_path: Path, program: str, *arguments: str) -> list[str]:
    script = tmp_path / "program.py"
    script.write_text(textwrap.dedent(program))
    done = subprocess.run(
        [sys.executable, str(script), *arguments], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_through_queues_and_as_arguments(tmp_path):
    assert run(tmp_path, SENDING) == [
        "cuda:1 [1.0, 2.0, 3.0, 4.0] cuda:0 Tensor True [2.0, 3.0]",
        "0 [0.0, 1.0, 2.0, 3.0] 0",  # what the receiver wrote stayed there
    ]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_from_the_workers_of_a_loader(tmp_path, method):
    """A worker that was forked before CUDA's first use may use CUDA itself."""
    assert run(tmp_path, LOADING, method) == ["cuda:1 [0.0, 1.0]", "cuda:1 [2.0, 3.0]"]
