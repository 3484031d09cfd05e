"""nn.DataParallel and its parts."""

from __future__ import annotations

import copy
import threading
import warnings

import torch
from torch import nn
from torch.nn.parallel import comm, gather, parallel_apply, replicate, scatter

from ..registry import Devices, Facts, caught, close, places, program, refused

PARALLEL = "torch/nn/parallel/data_parallel.py"
CHUNK = "torch/csrc/cuda/comm.cpp scatter: chunk; ERRATA E66"


class Spy(nn.Module):
    """A linear layer that notes where it runs."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 2)
        self.seen: list[list[int]] = []

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        weight, current = self.linear.weight.get_device(), torch.cuda.current_device()
        self.seen.append([x.get_device(), weight, current, len(x)])
        return self.linear(x)


def numbers(devices: Devices) -> list[int]:
    return [device.index for device in devices]


def split(batch: int, devices: Devices) -> Facts:
    """How a batch is split over the devices."""
    net = Spy().to(devices[0])
    out = nn.DataParallel(net, device_ids=numbers(devices))(torch.randn(batch, 4))
    return {"replicas": sorted(net.seen), "out": [out.device, out.shape]}


def expected_split(*sizes: int) -> Facts:
    return {
        "replicas": [[i, i, i, size] for i, size in enumerate(sizes)],
        "out": ["cuda:0", [sum(sizes), 2]],
    }


@program(expected_split(4, 4, 4, 4), devices=4, source=CHUNK)
def sixteen_on_four(devices: Devices) -> Facts:
    """16 samples on 4 cards."""
    return split(16, devices)


@program(expected_split(3, 3, 3, 1), devices=4, source=CHUNK)
def ten_on_four(devices: Devices) -> Facts:
    """10 samples on 4 cards."""
    return split(10, devices)


@program(expected_split(3, 3, 3), devices=4, source=CHUNK)
def nine_on_four(devices: Devices) -> Facts:
    """9 samples leave the fourth card idle."""
    return split(9, devices)


@program(expected_split(2, 2, 1), devices=4, source=CHUNK)
def five_on_four(devices: Devices) -> Facts:
    """5 samples need 3 of 4 cards."""
    return split(5, devices)


@program(expected_split(4, 3), devices=2, source=CHUNK)
def seven_on_two(devices: Devices) -> Facts:
    """7 samples on 2 cards."""
    return split(7, devices)


@program(expected_split(5), source=PARALLEL + ": one device")
def one_device(devices: Devices) -> Facts:
    """With one device the module itself runs."""
    return split(5, devices)


@program({"out": True, "weight": True, "bias": True, "place": "cuda:0"}, devices=2, source=PARALLEL)
def values_and_gradients(devices: Devices) -> Facts:
    """Outputs and gradients are those of one device."""
    net = nn.Linear(4, 2)
    twin, x = copy.deepcopy(net).to(devices[0]), torch.randn(10, 4)
    out, expected = nn.DataParallel(twin, numbers(devices))(x), net(x)
    out.pow(2).sum().backward()
    expected.pow(2).sum().backward()
    return {
        "out": close(out, expected),
        "weight": close(twin.weight.grad, net.weight.grad),
        "bias": close(twin.bias.grad, net.bias.grad),
        "place": twin.weight.grad.device,
    }


@program({"default": "cuda:1", "chosen": "cuda:0", "cpu": "cpu"}, devices=2, source=PARALLEL)
def output_device(devices: Devices) -> Facts:
    """Outputs are gathered on the first device, or where one says."""
    net, x = nn.Linear(4, 2).to(devices[1]), torch.randn(4, 4)
    ids = numbers(devices)[::-1]
    facts = {
        "default": nn.DataParallel(net, ids)(x).device,
        "chosen": nn.DataParallel(net, ids, output_device=0)(x).device,
    }
    return {**facts, "cpu": x.device}


@refused(
    "module must have its parameters and buffers on device cuda:1 (device_ids[0]) but found one of "
    "them on device: cuda:0",
    devices=2,
    source=PARALLEL,
)
def module_on_another_card(devices: Devices) -> None:
    """The module must be on the first of the devices."""
    nn.DataParallel(nn.Linear(4, 2).to(devices[0]), [1, 0])(torch.randn(4, 4))


@refused(
    "module must have its parameters and buffers on device cuda:0 (device_ids[0]) but found one of "
    "them on device: cpu",
    devices=2,
    source=PARALLEL + "; ERRATA E69",
)
def module_never_moved(devices: Devices) -> None:
    """A module that was never moved."""
    nn.DataParallel(nn.Linear(4, 2), [0, 1])(torch.randn(4, 4))


@refused("Invalid device id", kind="AssertionError", source="torch/cuda/__init__.py; ERRATA E47")
def device_that_does_not_exist(devices: Devices) -> None:
    """Device ids count visible cards."""
    nn.DataParallel(nn.Linear(4, 2).to(devices[0]), [0, 77])


@refused(
    "Caught RuntimeError in replica 1 on device 1.\nRuntimeError: Expected all tensors to be on "
    "the same device, but found at least two devices, cuda:1 and cuda:0!\n",
    devices=2,
    source="torch/nn/parallel/parallel_apply.py, torch/_utils.py ExceptionWrapper, which ends its "
    "text as traceback.format_exception does",
)
def error_in_a_replica(devices: Devices) -> None:
    """An error names the replica it happened in (traceback left out here)."""

    class ForgetsToMove(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = nn.Linear(4, 2)
            self.scale = torch.ones(4, device=devices[0])

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.linear(x * self.scale)

    nn.DataParallel(ForgetsToMove().to(devices[0]), numbers(devices))(torch.randn(8, 4))


@program({"first_chunk": True, "counter": 1}, devices=2, source=PARALLEL + " docstring")
def buffers(devices: Devices) -> Facts:
    """Only the first replica's buffer updates survive."""
    net, x = nn.BatchNorm1d(4).to(devices[0]), torch.randn(16, 4) + 3
    nn.DataParallel(net, numbers(devices))(x)
    return {
        "first_chunk": close(net.running_mean, 0.1 * x[:8].mean(0)),
        "counter": net.num_batches_tracked.item(),
    }


@program({"count": 0}, devices=2, source=PARALLEL + " docstring; ERRATA E77")
def attributes_are_lost(devices: Devices) -> Facts:
    """What forward assigns to a replica is lost."""

    class Counting(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.ones(1))
            self.count = 0

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.count += 1
            return x * self.weight

    net = Counting().to(devices[0])
    nn.DataParallel(net, numbers(devices))(torch.ones(4, 1))
    return {"count": net.count}


@program(
    {
        "keys": ["module.weight", "module.bias"],
        "missing": {
            "type": "AttributeError",
            "text": "'DataParallel' object has no attribute 'weight'",
        },
    },
    source="ERRATA E77",
)
def wrapped(devices: Devices) -> Facts:
    """Wrapping adds ``module.`` and hides attributes."""
    net = nn.DataParallel(nn.Linear(1, 1).to(devices[0]), [devices[0].index])
    return {"keys": list(net.state_dict()), "missing": caught(lambda: net.weight)}


@program(
    {"shape": [2], "place": "cuda:0", "warned": True},
    devices=2,
    source="torch/nn/parallel/_functions.py Gather",
)
def scalar_outputs(devices: Devices) -> Facts:
    """Scalars come back as a vector, with a warning."""

    class Loss(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x.sum()

    with warnings.catch_warnings(record=True) as caught_warnings:
        warnings.simplefilter("always")
        out = nn.DataParallel(Loss(), numbers(devices))(torch.ones(4, 2))
    return {
        "shape": out.shape,
        "place": out.device,
        "warned": any("all input tensors were scalars" in str(w.message) for w in caught_warnings),
    }


@program(
    {"keyword": [2.0, 2.0], "structure": ["cuda:0", "cuda:0"], "text": "kept"},
    devices=2,
    source="torch/nn/parallel/scatter_gather.py",
)
def structured_arguments(devices: Devices) -> Facts:
    """Keywords are scattered, other values copied, structures gathered."""

    class Net(nn.Module):
        def forward(self, x, *, scale, note):
            return {"scaled": x * scale, "pair": (x, x + 1), "note": note}

    net = nn.DataParallel(Net(), numbers(devices))
    out = net(torch.ones(4), scale=torch.full((4,), 2.0), note=torch.ones(2))
    return {
        "keyword": out["scaled"][:2].tolist(),
        "structure": places(*out["pair"]),
        "text": "kept" if out["note"].tolist() == [1.0, 1.0] else out["note"].tolist(),
    }


@program({"type": "TypeError"}, devices=4, source="ERRATA E70")
def more_replicas_than_inputs(devices: Devices) -> Facts:
    """A plain keyword goes to all cards, also to those that got no sample."""

    class Net(nn.Module):
        def forward(self, x, flag=True):
            return x

    net = nn.DataParallel(Net(), numbers(devices))
    return {"type": caught(lambda: net(torch.ones(5, 1), flag=False))["type"]}


@program(
    {
        "parts": [["cuda:0", [0, 1, 2]], ["cuda:1", [3, 4]]],
        "pair": [["cuda:0", "x"], ["cuda:1", "x"]],
    },
    devices=2,
    source=CHUNK,
)
def scattering(devices: Devices) -> Facts:
    """``scatter`` by itself."""
    parts = scatter(torch.arange(5), numbers(devices))
    pairs = scatter((torch.ones(2), "x"), numbers(devices))
    return {
        "parts": [[p.device, p.tolist()] for p in parts],
        "pair": [[t.device, word] for t, word in pairs],
    }


@program(
    {
        "weights": ["cuda:0", "cuda:1"],
        "equal": True,
        "parameters": 0,
        "buffers": ["cuda:0", "cuda:1"],
    },
    devices=2,
    source="torch/nn/parallel/replicate.py",
)
def replicating(devices: Devices) -> Facts:
    """``replicate`` makes copies whose weights are no parameters."""
    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)).to(devices[0])
    copies = replicate(net, numbers(devices))
    return {
        "weights": places(*(c[0].weight for c in copies)),
        "equal": close(copies[0][0].weight, copies[1][0].weight),
        "parameters": len(list(copies[1].parameters())),
        "buffers": places(*(c[1].running_mean for c in copies)),
    }


@program(
    {"main": False, "distinct": 2, "out": ["cuda:0", "cuda:1"]},
    devices=2,
    source="torch/nn/parallel/parallel_apply.py",
)
def applying_in_threads(devices: Devices) -> Facts:
    """Replicas run in threads of their own."""
    threads: list[threading.Thread] = []

    class Net(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            threads.append(threading.current_thread())
            return x

    out = parallel_apply(
        [Net(), Net()], [(torch.ones(1, device=d),) for d in devices], devices=numbers(devices)
    )
    return {
        "main": threading.current_thread() in threads,
        "distinct": len(set(threads)),
        "out": places(*out),
    }


@program({"met": True}, devices=2, source="torch/nn/parallel/parallel_apply.py")
def replicas_run_side_by_side(devices: Devices) -> Facts:
    """One replica can wait for another."""
    barrier = threading.Barrier(2, timeout=5)

    class Net(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            barrier.wait()
            return x

    inputs = [(torch.ones(1, device=d),) for d in devices]
    error = caught(lambda: parallel_apply([Net(), Net()], inputs, devices=numbers(devices)))
    return {"met": error["type"] is None}


@program(
    {"to_second": ["cuda:1", [0.0, 1.0]], "to_cpu": "cpu", "grad": ["cuda:0", "cuda:1"]},
    devices=2,
    source="torch/nn/parallel/_functions.py",
)
def gathering(devices: Devices) -> Facts:
    """``gather`` joins on a card or on the CPU, and backward finds its way."""
    parts = [
        torch.full((1,), float(i), device=d, requires_grad=True) for i, d in enumerate(devices)
    ]
    joined = gather(parts, devices[1].index)
    joined.sum().backward()
    return {
        "to_second": [joined.device, joined.tolist()],
        "to_cpu": gather([p.detach() for p in parts], "cpu").device,
        "grad": places(*(p.grad for p in parts)),
    }


@program(
    {
        "broadcast": ["cuda:0", "cuda:1"],
        "shares": True,
        "reduce_add": ["cuda:1", [3.0, 3.0]],
        "scatter": [[0.0], [1.0, 2.0]],
    },
    devices=2,
    source="torch/nn/parallel/comm.py",
)
def communication(devices: Devices) -> Facts:
    """Broadcast, reduce, scatter of torch.cuda.comm."""
    x, ids = torch.arange(3.0, device=devices[0]), numbers(devices)
    copies = comm.broadcast(x, ids)
    added = comm.reduce_add(
        [torch.ones(2, device=devices[0]), torch.full((2,), 2.0, device=devices[1])], 1
    )
    pieces = comm.scatter(x, ids, chunk_sizes=[1, 2])
    return {
        "broadcast": places(*copies),
        "shares": copies[0].data_ptr() == x.data_ptr(),
        "reduce_add": [added.device, added.tolist()],
        "scatter": [p.tolist() for p in pieces],
    }


@program({"before": [0, 0], "trained": True}, devices=2, source="reference counting")
def training_leaves_nothing(devices: Devices) -> Facts:
    """Replicas are gone after every step; the loss falls."""
    net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1)).to(devices[0])
    parallel = nn.DataParallel(net, numbers(devices))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    x, y = torch.randn(16, 8), torch.zeros(16, 1, device=devices[0])

    def step() -> float:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(parallel(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()

    first = step()
    step()
    before = [torch.cuda.memory_allocated(d) for d in devices]
    last = [step() for _ in range(5)][-1]
    after = [torch.cuda.memory_allocated(d) for d in devices]
    return {"before": [b - a for a, b in zip(before, after, strict=True)], "trained": last < first}
