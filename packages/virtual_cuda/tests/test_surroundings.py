"""Where programs run: a Jupyter kernel, pytest-xdist, threads, DataLoader workers."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.more]

PROGRAM = """
import virtual_cuda
virtual_cuda.enable(4, quiet=True)
import threading, torch
from torch import nn

class Loud(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 2)
    def forward(self, x):
        print("batch size in forward:", len(x))
        return self.linear(x)

net = nn.DataParallel(Loud().cuda())
out = net(torch.randn(16, 3))
out.sum().backward()
threads = [threading.Thread(target=lambda i=i: print(torch.ones(1, device=f"cuda:{i}")))
           for i in range(2)]
for thread in threads:
    thread.start()
    thread.join()
print(tuple(out.shape), net.module.linear.weight.grad.device)
"""
PRINTED = [
    *["batch size in forward: 4"] * 4,
    "tensor([1.], device='cuda:0')",
    "tensor([1.], device='cuda:1')",
    "(16, 2) cuda:0",
]


@pytest.mark.slow
def test_in_a_jupyter_kernel():
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    cells = ["import sys; sys.path.insert(0, '.')", PROGRAM, "torch.ones(1, device='cuda:3')"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    nbclient.NotebookClient(notebook, kernel_name="python3").execute()
    streams = [o["text"] for o in notebook.cells[1].outputs if o["output_type"] == "stream"]
    assert "".join(streams).splitlines() == PRINTED
    assert notebook.cells[2].outputs[0]["data"]["text/plain"] == "tensor([1.], device='cuda:3')"


@pytest.mark.slow
def test_under_pytest_xdist(tmp_path):
    """Every worker process has a machine of its own."""
    (tmp_path / "test_cards.py").write_text(
        textwrap.dedent("""
        import os
        import pytest
        import torch
        import virtual_cuda

        @pytest.mark.parametrize("index", range(4))
        def test_card(index):
            virtual_cuda.enable(4, quiet=True)
            assert "PYTEST_XDIST_WORKER" in os.environ
            x = torch.ones(index + 1, device=f"cuda:{index}")
            assert x.sum().item() == index + 1
            assert torch.cuda.memory_allocated(index) == 512
    """)
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([os.getcwd(), *sys.path])}
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "PYTEST_ADDOPTS"):
        environment.pop(name, None)
    command = [sys.executable, "-m", "pytest", "-n", "2", "-q", "-p", "no:cacheprovider", "."]
    outcome = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert outcome.returncode == 0, outcome.stdout
    assert "4 passed" in outcome.stdout


def test_with_threads_in_a_plain_program(run_python):
    assert run_python(PROGRAM).splitlines() == PRINTED


def test_with_loader_workers_and_its_pin_thread(run_python):
    printed = run_python("""
        import virtual_cuda
        virtual_cuda.enable(2, quiet=True)
        import torch
        from torch.utils.data import DataLoader, TensorDataset

        data = TensorDataset(torch.arange(12.0).reshape(12, 1))
        total = torch.zeros((), device="cuda:1")
        loader = DataLoader(data, 4, num_workers=2, pin_memory=True, persistent_workers=True)
        for epoch in range(2):
            for (x,) in loader:
                assert x.is_pinned()
                total += x.to("cuda:1", non_blocking=True).sum()
        print(total.item())
    """)
    assert printed == "132.0\n"
