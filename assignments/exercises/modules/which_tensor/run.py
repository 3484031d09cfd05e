"""A training program in which one tensor stays on the CPU: which one follows from a number."""

import random
import re
import traceback
from typing import Any

import torch

from exercise_kit.diagnosis import Program

GPUS = 4
CAUSES = ("attribute", "list", "forward", "loss", "state")

_LEFT_BEHIND = {
    "attribute": ("self.mean = torch.full((4,), 0.5)", "self.mean = 0.5 * torch.ones(4)"),
    "list": (
        "self.layers = [nn.Linear(4, 4), nn.Linear(4, 4)]",
        "self.layers = [nn.Linear(4, 4) for _ in range(2)]",
    ),
    "forward": ("steps = torch.arange(4.0)", "steps = torch.ones(4).cumsum(0) - 1"),
    "loss": (
        "criterion = nn.CrossEntropyLoss(weight=torch.arange(1.0, 5.0))",
        "criterion = nn.NLLLoss(weight=torch.arange(1.0, 5.0))",
    ),
    "state": (
        'optimizer.state[weight]["momentum_buffer"] = torch.full(weight.shape, 0.5)',
        'optimizer.state[weight] = {"momentum_buffer": torch.full((4, 4), 0.5)}',
    ),
}
_MOVED = {
    "attribute": (
        'self.register_buffer("mean", torch.full((4,), 0.5))',
        'self.register_buffer("mean", 0.5 * torch.ones(4))',
    ),
    "list": (
        "self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])",
        "self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(2))",
    ),
    "forward": (
        "steps = torch.arange(4.0, device=batch.device)",
        "steps = torch.ones_like(batch[0]).cumsum(0) - 1",
    ),
    "loss": (
        "criterion = nn.CrossEntropyLoss(weight=torch.arange(1.0, 5.0, device=device))",
        "criterion = nn.CrossEntropyLoss(weight=torch.arange(1.0, 5.0)).to(device)",
    ),
    "state": (
        'optimizer.state[weight]["momentum_buffer"] = torch.full_like(weight, 0.5)',
        'optimizer.state[weight] = {"momentum_buffer": torch.full((4, 4), 0.5, device=device)}',
    ),
}
_THERE = (
    "images = torch.ones(3, 4, device=device)",
    "labels = torch.tensor([0, 2, 3]).to(device)",
)
_NET = (
    "net = Net().to(device)",
    "optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)",
)
_MEETING = (
    "batch = batch - self.mean + steps",
    "batch = layer(batch).relu()",
    "loss = criterion(net(images), labels)",
    "optimizer.step()",
)
"""Lines that raise the error of a tensor left behind elsewhere."""


def draw(run: int) -> Program:
    """The program of the run with this number; one that leaves nothing behind gives its results."""
    rng = random.Random(f"who stayed behind in run {run}")
    cause, gpu = rng.choice(CAUSES), rng.randint(1, 3)
    line = {each: rng.choice((_LEFT_BEHIND if each == cause else _MOVED)[each]) for each in CAUSES}
    members = [f"        {line[each]}" for each in rng.sample(["attribute", "list"], 2)]
    tensors = rng.sample([*_THERE, line["loss"]], 3)
    lines = [
        "import torch",
        "from torch import nn",
        "",
        "class Net(nn.Module):",
        "    def __init__(self):",
        "        super().__init__()",
        *members,
        "        self.head = nn.Linear(4, 4)",
        "    def forward(self, batch):",
        f"        {line['forward']}",
        "        batch = batch - self.mean + steps",
        "        for layer in self.layers:",
        "            batch = layer(batch).relu()",
        "        return self.head(batch).log_softmax(dim=1)",
        "",
        f'device = torch.device("cuda:{gpu}")',
        "torch.manual_seed(0)",
        *_NET,
        "weight = net.head.weight",
        line["state"],
        *tensors,
        "for step in range(2):",
        "    optimizer.zero_grad()",
        "    loss = criterion(net(images), labels)",
        "    loss.backward()",
        "    optimizer.step()",
    ]
    number = {text.strip(): at for at, text in enumerate(lines, start=1)}
    innocent = {number[text]: "where-it-shows" for text in _MEETING}
    innocent |= {number[line[each]]: "not-left-behind" for each in CAUSES if each != cause}
    innocent |= {number[text]: "there-already" for text in _THERE}
    innocent |= {number[text]: "moves-what-it-knows" for text in _NET}
    fault = number[line[cause]]
    whole = "\n".join(lines).replace(line[cause], _MOVED[cause][0])
    right = execute(whole.replace(f'"cuda:{gpu}"', '"cpu"'))
    return Program(lines, fault, cause, right, innocent)


def execute(source: str) -> dict[str, Any]:
    """The facts of a run on another GPU than the one it names, and of a call of its net on the CPU.

    steps: the number of the last one. moved: "a result" of that call, or its error. kept: shapes of
    trained tensors, names of saved ones. result: the loss, the sum of all weights, and that of an
    output on the CPU, rounded, since devices differ in the last digits. The weights count besides,
    since a softmax hides a number that is added to all scores alike.
    """
    names: dict[str, Any] = {}
    # Whoever wrote the number of the GPU into the line meets two devices.
    gpu = re.compile(r'(?<=^device = torch.device\("cuda:)\d', re.MULTILINE)
    source = gpu.sub(lambda number: str(int(number[0]) % 3 + 1), source)
    exec(compile(source, "run.py", "exec"), names)
    net = names["net"]
    weights = [weight.detach().cpu() for weight in net.parameters()]
    kept = {
        "trained": sorted(list(weight.shape) for weight in weights),
        "saved": sorted(net.state_dict()),
    }
    result = {
        "loss": round(float(names["loss"].detach()), 3),
        "weights": round(sum(float(weight.sum()) for weight in weights), 2),
    }
    try:
        with torch.no_grad():
            result["output"] = round(float(net.cpu()(torch.ones(3, 4)).sum()), 3)
        moved = "a result"
    except Exception as error:  # of a net that does not move as a whole
        moved = f"{type(error).__name__}: {error}"[:300]
    return {"steps": names.get("step"), "moved": moved, "kept": kept, "result": result}


def show(run: int) -> str:
    """The program with its line numbers, and the error that ends it."""
    program = draw(run)
    try:
        exec(compile("\n".join(program.lines), "run.py", "exec"), {})
    except RuntimeError as error:
        own = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == "run.py"]
        where = "\n".join(f"  in line {frame.lineno}, in {frame.name}" for frame in own)
        said = f"{where}\n{type(error).__name__}: {str(error).splitlines()[0]}"
    else:
        said = "It ran without an error."
    return f"{program.numbered()}\n\n{said}"
