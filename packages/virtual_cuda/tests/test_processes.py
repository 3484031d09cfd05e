"""Tensors of cards on their way to other processes, in torch's own queues and loaders."""

from __future__ import annotations

import gc
import textwrap
from pathlib import Path

import pytest
import torch

import virtual_cuda
import warm_python

pytestmark = pytest.mark.slow

SENDING = """
from multiprocessing.reduction import ForkingPickler
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
    again = inbox.get()  # the sender of a tensor must live until it was received, as on CUDA
    try:
        ForkingPickler.dumps(x)
        refusal = "none"
    except RuntimeError as error:
        refusal = str(error)
    outbox.put((x.tolist(), again.tolist(), weight.tolist(), refusal))
    x.zero_()
    again.add_(1)

if __name__ == "__main__":
    inbox, outbox = context.Queue(), context.Queue()
    x = torch.arange(4.0, device="cuda:1")
    row = x[1:]
    weight = nn.Linear(1, 1).cuda().weight.detach()
    process = context.Process(target=child, args=(torch.ones(4, device="cuda:1"), inbox, outbox))
    process.start()
    inbox.put((x, weight, [x, x[2:]]))
    total, *seen, part = outbox.get()
    print(total.device, total.tolist(), *seen, part.tolist())
    weight.fill_(7)
    row.add_(1)
    y = torch.full((6,), 5.0, device="cuda:1")
    inbox.put(y)
    print(*outbox.get())
    process.join()
    print(process.exitcode, x.tolist(), row.tolist(), y.tolist())
"""

HOGWILD = """
import torch
from torch import nn
import virtual_cuda

virtual_cuda.enable(2, quiet=True)

def train(rank, net):
    optimizer = torch.optim.SGD([net.weight if rank else net.bias], lr=0.5)
    net(torch.ones(2, 4, device="cuda:1")).sum().backward()
    optimizer.step()

if __name__ == "__main__":
    net = nn.Linear(4, 1).to("cuda:1")
    nn.init.zeros_(net.weight), nn.init.zeros_(net.bias)
    torch.multiprocessing.spawn(train, (net,), nprocs=2)
    print(net.weight.tolist(), net.bias.tolist(), net(torch.ones(1, 4, device="cuda:1")).item())
"""

QUEUEING = """
import threading
import torch
import virtual_cuda

class Slow:
    def __reduce__(self):
        may_go_on.wait()
        return str, ()

virtual_cuda.enable(1, quiet=True)
may_go_on = threading.Event()
queue = torch.multiprocessing.get_context("spawn").Queue()
queue.put(Slow())
x = torch.ones(4, device="cuda")
queue.put({"weights": [x]})
before = x.data_ptr()
may_go_on.set()
queue.close()
queue.join_thread()
print(x.data_ptr() == before)
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
        Numbers(), batch_size=2, num_workers=1, multiprocessing_context=sys.argv[1], timeout=300
    )
    for batch in loader:
        print(batch.device, batch[:, 0].tolist())
"""


def run(tmp_path: Path, program: str, *arguments: str) -> list[str]:
    script = tmp_path / "program.py"
    script.write_text(textwrap.dedent(program))
    done = warm_python.run(script, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_through_queues_and_as_arguments(tmp_path):
    assert run(tmp_path, SENDING) == [
        "cuda:1 [1.0, 2.0, 3.0, 4.0] cuda:0 Tensor True [2.0, 3.0]",
        "[0.0, 2.0, 3.0, 4.0] [5.0, 5.0, 5.0, 5.0, 5.0, 5.0] [[7.0]] Attempted to send CUDA tensor "
        "received from another process; this is not currently supported. Consider cloning before "
        "sending.",
        "0 [0.0, 0.0, 0.0, 0.0] [0.0, 0.0, 0.0] [6.0, 6.0, 6.0, 6.0, 6.0, 6.0]",
    ]


@pytest.mark.more
def test_a_model_that_processes_train_together(tmp_path):
    assert run(tmp_path, HOGWILD) == ["[[-1.0, -1.0, -1.0, -1.0]] [-1.0] -5.0"]


def test_no_memory_moves_behind_the_back_of_a_program(tmp_path):
    assert run(tmp_path, QUEUEING) == ["True"]


def test_what_was_sent_and_grew_is_sent_anew():
    x = torch.arange(4.0, device="cuda:1")
    first = x.untyped_storage()._share_cuda_()[1]
    assert x.untyped_storage()._share_cuda_()[1] == first
    x.resize_(6).fill_(2)
    _, second, nbytes, *_ = x.untyped_storage()._share_cuda_()
    assert (second == first, nbytes, x.tolist()) == (False, 24, [2] * 6)


def test_sending_takes_no_more_memory(no_machine):
    virtual_cuda.enable(1, "32 MiB", quiet=True)
    x = torch.ones(5 << 20, device="cuda")
    x.untyped_storage()._share_cuda_()
    gc.collect()
    assert torch.cuda.memory_allocated() == torch.cuda.max_memory_allocated() == 20 << 20
    del x
    assert torch.cuda.memory_allocated() == 0


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_from_the_workers_of_a_loader(tmp_path, method):
    """A worker that was forked before CUDA's first use may use CUDA itself."""
    assert run(tmp_path, LOADING, method) == ["cuda:1 [0.0, 1.0]", "cuda:1 [2.0, 3.0]"]
