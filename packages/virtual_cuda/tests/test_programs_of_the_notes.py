"""Programs as the notes have them, in processes of their own: they print the notes' figures."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import warm_python

pytestmark = pytest.mark.slow

Run = Callable[..., str]

# What a program of the notes is, but for the first two lines.
FOO_NET = """
import virtual_cuda
virtual_cuda.enable(device_count=4, quiet=True)
import os
import sys
import torch
from torch import nn


class FooNet(nn.Module):
    def __init__(self, neural_num, layers=3):
        super().__init__()
        self.linears = nn.ModuleList(
            [nn.Linear(neural_num, neural_num, bias=False) for _ in range(layers)]
        )

    def forward(self, x):
        print("batch size in forward: {}".format(x.size()[0]))
        for linear in self.linears:
            x = torch.relu(linear(x))
        return x


device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
"""

FORWARD = """
inputs = torch.randn(16, 3).to(device)
net = nn.DataParallel(FooNet(neural_num=3, layers=3))
net.to(device)
outputs = net(inputs)
print("model outputs.size: {}".format(outputs.size()))
print("CUDA_VISIBLE_DEVICES :{}".format(os.environ.get("CUDA_VISIBLE_DEVICES")))
print("device_count :{}".format(torch.cuda.device_count()))
"""

MAIN_GPU = """
net = nn.DataParallel(FooNet(neural_num=3), device_ids=[1, 2])
try:
    net.to({place!r})(torch.randn(16, 3))
except RuntimeError as error:
    print(error)
"""

SAVE = """
net = nn.DataParallel(FooNet(neural_num=3)).to(device)
torch.save(net.state_dict(), sys.argv[1])
"""

# A process without any GPU: the network again, no virtual cards.
PLAIN = FOO_NET.replace("virtual_cuda.enable(device_count=4, quiet=True)", "")

LOAD = """
for map_location in (None, "cpu"):
    try:
        state = torch.load(sys.argv[1], map_location=map_location)
        FooNet(neural_num=3).load_state_dict(state)
    except RuntimeError as error:
        print(str(error).replace("\\n\\t", " "))
state = {key.removeprefix("module."): value for key, value in state.items()}
print(FooNet(neural_num=3).load_state_dict(state))
"""

DESERIALIZE = (
    "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. "
    "If you are running on a CPU-only machine, please use torch.load with "
    "map_location=torch.device('cpu') to map your storages to the CPU."
)
KEYS = (
    "Error(s) in loading state_dict for FooNet: "
    'Missing key(s) in state_dict: "linears.0.weight", "linears.1.weight", "linears.2.weight".  '
    'Unexpected key(s) in state_dict: "module.linears.0.weight", "module.linears.1.weight", '
    '"module.linears.2.weight". '
)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a program with CUDA_VISIBLE_DEVICES and arguments; return what it printed."""

    def run_program(program: str, *arguments: str, visible: str | None = None) -> str:
        file = tmp_path / "program.py"
        file.write_text(program)
        environment = {k: v for k, v in os.environ.items() if k != "CUDA_VISIBLE_DEVICES"}
        environment["PYTHONPATH"] = os.pathsep.join([str(Path.cwd()), *sys.path])
        if visible is not None:
            environment["CUDA_VISIBLE_DEVICES"] = visible
        outcome = warm_python.run(file, *arguments, env=environment)
        assert outcome.returncode == 0, outcome.stderr
        return outcome.stdout

    return run_program


@pytest.mark.parametrize(
    ("visible", "sizes"),
    [("2,3", [8, 8]), ("0,1,2,3", [4, 4, 4, 4]), ("0,3,2", [6, 6, 4]), ("1", [16])],
)
def test_batch_is_shared_among_the_visible_cards(run, visible, sizes):
    assert run(FOO_NET + FORWARD, visible=visible).splitlines() == [
        *(f"batch size in forward: {size}" for size in sizes),
        "model outputs.size: torch.Size([16, 3])",
        f"CUDA_VISIBLE_DEVICES :{visible}",
        f"device_count :{len(sizes)}",
    ]


def test_without_a_visible_card_the_same_program_runs_on_the_cpu(run):
    assert run(FOO_NET + FORWARD, visible="-1").splitlines() == [
        "batch size in forward: 16",
        "model outputs.size: torch.Size([16, 3])",
        "CUDA_VISIBLE_DEVICES :-1",
        "device_count :0",
    ]


@pytest.mark.parametrize(("place", "found"), [("cuda:0", "cuda:0"), ("cpu", "cpu")])
def test_module_away_from_the_main_gpu(run, place, found):
    assert run(FOO_NET + MAIN_GPU.format(place=place)).strip() == (
        "module must have its parameters and buffers on device cuda:1 (device_ids[0]) "
        f"but found one of them on device: {found}"
    )


def test_both_loading_errors_and_their_cure(run, tmp_path):
    file = str(tmp_path / "model_in_multi_gpu.pkl")
    run(FOO_NET + SAVE, file)
    assert run(PLAIN + LOAD, file).splitlines() == [
        DESERIALIZE,
        KEYS,
        "<All keys matched successfully>",
    ]
