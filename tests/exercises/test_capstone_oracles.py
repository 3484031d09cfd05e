"""The oracles of assignment 13 against reality: plain training, real files, a real kill.

That stub, junk and mutants are refused, and that the corpus is complete, `course verify` proves.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from topic import Topic
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from course_utils.checking.exercises import exercise

pytestmark = pytest.mark.usefixtures("four_gpus")
TOPIC = Topic("capstone", seeds=4)
_judge, _cases, _reference = TOPIC.judge, TOPIC.cases, TOPIC.reference


@pytest.mark.slow
def test_the_oracle_of_fix_script_trains_as_torch_does() -> None:
    judge = _judge("fix_script")
    for case in _cases("fix_script"):
        data = case.data
        net = nn.Linear(3, 2)
        with torch.no_grad():
            net.weight.copy_(torch.tensor(data["weight"]))
            net.bias.copy_(torch.tensor(data["bias"]))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for _ in range(data["epochs"]):
            optimizer.zero_grad()
            outputs = net(torch.tensor(data["x"]))
            nn.functional.mse_loss(outputs, torch.tensor(data["y"])).backward()
            optimizer.step()
        plain = torch.cat([parameter.detach().flatten() for parameter in net.parameters()])
        torch.testing.assert_close(judge.trained(data), plain)


def test_the_oracle_of_train_takes_the_steps_of_sgd_with_momentum() -> None:
    judge = _judge("train_or_resume")
    data = _cases("train_or_resume", seeds=1)[0].data
    samples = judge.Samples(data)
    net = nn.Linear(3, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    state = judge._drawn([v for p in net.parameters() for v in p.detach().flatten().tolist()])
    rows = dict(zip(samples_tags(data), zip(data["x"], data["y"], strict=True), strict=True))
    for order in ([samples.tags[:12], samples.tags[12:]], [samples.tags[5:], samples.tags[:5]]):
        state, loss = samples.epoch(state, order)
        total = 0.0
        for tags in order:
            x, y = (torch.tensor(part) for part in zip(*(rows[tag] for tag in tags), strict=True))
            optimizer.zero_grad()
            value = nn.functional.mse_loss(net(x), y)
            value.backward()
            optimizer.step()
            total += value.item() * len(tags)
        plain = torch.cat([parameter.detach().flatten() for parameter in net.parameters()])
        torch.testing.assert_close(state.weights, plain)
        assert loss.of_samples == pytest.approx(total / len(data["x"]), rel=1e-4)


def samples_tags(data: dict) -> list[float]:
    """The tags as float32 has them."""
    return torch.tensor(data["x"])[:, 0].tolist()


_PROGRAM = """
import os, signal, sys
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
{function}
class Fatal(DataLoader):
    epochs = 0
    def __iter__(self):
        Fatal.epochs += 1
        for number, batch in enumerate(super().__iter__()):
            if (Fatal.epochs, number) == (3, 1):
                os.kill(os.getpid(), signal.SIGKILL)
            yield batch

torch.manual_seed(5)
data = TensorDataset(torch.randn(20, 3), torch.randn(20, 2))
train_or_resume(lambda: nn.Linear(3, 2), Fatal(data, batch_size=8, shuffle=True), 4, sys.argv[1], 0)
"""


@pytest.mark.slow
@pytest.mark.more
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such kill on this system")
def test_the_reference_goes_on_after_a_real_kill(tmp_path: Path) -> None:
    """What observers do to a run, done to a process: the file it leaves leads to the same end."""
    source = (exercise("capstone.train_or_resume").path / "answer.py").read_text(encoding="utf-8")
    program = tmp_path / "program.py"
    program.write_text(_PROGRAM.format(function=source.partition("# %% try")[0]), encoding="utf-8")
    killed, alone = str(tmp_path / "killed.pt"), str(tmp_path / "alone.pt")
    env = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, str(program), killed], env=env)
    assert done.returncode == -signal.SIGKILL
    assert torch.load(killed)["epoch"] == 2

    torch.manual_seed(5)
    data = TensorDataset(torch.randn(20, 3), torch.randn(20, 2))
    loader = DataLoader(data, batch_size=8, shuffle=True)
    train = _reference("train_or_resume")
    resumed = train(lambda: nn.Linear(3, 2), loader, 4, killed, 0)
    whole = train(lambda: nn.Linear(3, 2), loader, 4, alone, 0)
    assert resumed == pytest.approx(whole[2:], rel=1e-3)
    ends = [torch.load(path)["model"]["weight"] for path in (killed, alone)]
    torch.testing.assert_close(*ends, rtol=1e-3, atol=1e-4)
