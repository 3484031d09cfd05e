"""A choice of operators: the CPU's values, on the card."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import nn

from ..registry import Devices, Facts, close, places, program

VALUES = "the CPU's values"
Tensor = torch.Tensor


def compared(cases: dict[str, Callable[[Tensor], Tensor]], x: Tensor, devices: Devices) -> Facts:
    """For each case: whether the card gives the CPU's values, on the card."""
    there = x.to(devices[0])
    facts: Facts = {}
    for name, compute in cases.items():
        out = compute(there)
        facts[name] = out.is_cuda and close(out, compute(x))
    return facts


ELEMENTWISE = {
    "exp": torch.exp,
    "relu": F.relu,
    "gelu": F.gelu,
    "sigmoid": torch.sigmoid,
    "softmax": lambda x: x.softmax(1),
    "log_softmax": lambda x: x.log_softmax(1),
    "clamp": lambda x: x.clamp(-0.5, 0.5),
    "where": lambda x: torch.where(x > 0, x, -x),
}
REDUCTIONS = {
    "sum": lambda x: x.sum(),
    "mean": lambda x: x.mean(0),
    "max": lambda x: x.max(1).values,
    "norm": lambda x: x.norm(),
    "std": lambda x: x.std(1),
    "cumsum": lambda x: x.cumsum(1),
    "argmax": lambda x: x.argmax(1),
    "all": lambda x: (x == x).all(),
}
SHAPES = {
    "cat": lambda x: torch.cat([x, x]),
    "stack": lambda x: torch.stack([x, x]),
    "chunk": lambda x: x.chunk(2, 1)[1],
    "flip": lambda x: x.flip(0),
    "roll": lambda x: x.roll(1),
    "pad": lambda x: F.pad(x, (1, 1)),
    "repeat": lambda x: x.repeat(2, 2),
    "einsum": lambda x: torch.einsum("ij,kj->ik", x, x),
    "sort": lambda x: x.sort(1).values,
}
LINEAR_ALGEBRA = {
    "matmul": lambda x: x @ x.t(),
    "bmm": lambda x: torch.bmm(x[None], x.t()[None]),
    "mv": lambda x: x @ x[0],
    "baddbmm": lambda x: torch.baddbmm(x[:, :4][None], x[None, :, :4], x[None, :4, :4]),
    "inverse": lambda x: torch.linalg.inv(x @ x.t() + torch.eye(4, device=x.device)),
    "svd": lambda x: torch.linalg.svdvals(x),
    "fft": lambda x: torch.fft.fft(x).abs(),
}


@program(dict.fromkeys(ELEMENTWISE, True), source=VALUES)
def elementwise(devices: Devices) -> Facts:
    """Element by element."""
    return compared(ELEMENTWISE, torch.randn(4, 6), devices)


@program(dict.fromkeys(REDUCTIONS, True), source=VALUES)
def reductions(devices: Devices) -> Facts:
    """Many to one."""
    return compared(REDUCTIONS, torch.randn(4, 6), devices)


@program(dict.fromkeys(SHAPES, True), source=VALUES)
def shapes(devices: Devices) -> Facts:
    """Rearranging."""
    return compared(SHAPES, torch.randn(4, 6), devices)


@program(dict.fromkeys(LINEAR_ALGEBRA, True), source=VALUES)
def linear_algebra(devices: Devices) -> Facts:
    """Matrices."""
    return compared(LINEAR_ALGEBRA, torch.randn(4, 6), devices)


@program(
    {
        "convolution": True,
        "transposed": True,
        "max_pool": True,
        "average_pool": True,
        "batch_norm": True,
        "group_norm": True,
        "interpolate": True,
    },
    source=VALUES,
)
def images(devices: Devices) -> Facts:
    """What convolutional networks are made of."""
    weight = torch.randn(4, 3, 3, 3)
    cases = {
        "convolution": lambda x: F.conv2d(x, weight.to(x.device), padding=1),
        "transposed": lambda x: F.conv_transpose2d(x, weight[:3].to(x.device)),
        "max_pool": lambda x: F.max_pool2d(x, 2),
        "average_pool": lambda x: F.adaptive_avg_pool2d(x, 1),
        "batch_norm": lambda x: F.batch_norm(x, None, None, training=True),
        "group_norm": lambda x: F.group_norm(x, 3),
        "interpolate": lambda x: F.interpolate(x, scale_factor=2.0),
    }
    return compared(cases, torch.randn(2, 3, 8, 8), devices)


@program(
    {
        "lstm": True,
        "gru": True,
        "attention": True,
        "encoder": True,
        "embedding": True,
        "layer_norm": True,
    },
    source=VALUES,
)
def sequences(devices: Devices) -> Facts:
    """What sequence models are made of."""
    modules = {
        "lstm": nn.LSTM(6, 5),
        "gru": nn.GRU(6, 5),
        "layer_norm": nn.LayerNorm(6),
        "encoder": nn.TransformerEncoderLayer(6, 2, 8, dropout=0.0).eval(),
    }
    x, y = torch.randn(4, 2, 6), torch.tensor([0, 3])
    first = {name: m(x) for name, m in modules.items()}
    there = {name: m.to(devices[0])(x.to(devices[0])) for name, m in modules.items()}
    facts = {name: close(there[name][0], first[name][0]) for name in modules}
    q, table = x.transpose(0, 1), torch.randn(5, 3)
    facts["attention"] = compared(
        {"attention": lambda q: F.scaled_dot_product_attention(q, q, q)}, q, devices
    )["attention"]
    facts["embedding"] = close(F.embedding(y.to(devices[0]), table.to(devices[0])), table[y])
    return facts


@program(
    {"cross_entropy": True, "mse": True, "bce": True, "smooth_l1": True, "ctc": True}, source=VALUES
)
def losses(devices: Devices) -> Facts:
    """Losses."""
    target = torch.tensor([0, 1, 2, 3])
    ctc = torch.randn(6, 2, 4).log_softmax(2)
    cases = {
        "cross_entropy": lambda x: F.cross_entropy(x, target.to(x.device)),
        "mse": lambda x: F.mse_loss(x, torch.zeros_like(x)),
        "bce": lambda x: F.binary_cross_entropy_with_logits(x, torch.ones_like(x)),
        "smooth_l1": lambda x: F.smooth_l1_loss(x, torch.zeros_like(x)),
        "ctc": lambda x: F.ctc_loss(
            ctc.to(x.device),
            torch.tensor([[1, 2], [3, 1]]),
            torch.tensor([6, 6]),
            torch.tensor([2, 2]),
        ),
    }
    return compared(cases, torch.randn(4, 6), devices)


@program(
    {
        "sparse": ["cuda:0", "torch.sparse_coo"],
        "dense": [[0.0, 5.0], [0.0, 0.0]],
        "product": [[5.0, 5.0], [0.0, 0.0]],
    },
    source="docs: torch.sparse",
)
def sparse(devices: Devices) -> Facts:
    """Sparse tensors on a card."""
    x = torch.sparse_coo_tensor(torch.tensor([[0], [1]]), torch.tensor([5.0]), (2, 2)).to(
        devices[0]
    )
    return {
        "sparse": [x.device, x.layout],
        "dense": x.to_dense().tolist(),
        "product": torch.sparse.mm(x, torch.ones(2, 2, device=devices[0])).tolist(),
    }


@program(
    {"device": "cuda:0", "values": [3.0, 3.0], "dtype": "torch.float32"},
    source="TensorIterator type promotion",
)
def promotion(devices: Devices) -> Facts:
    """Integers and floats of one card meet as on the CPU."""
    y = torch.ones(2, dtype=torch.int64, device=devices[0]) + torch.full(
        (2,), 2.0, device=devices[0]
    )
    return {"device": y.device, "values": y.tolist(), "dtype": y.dtype}


@program(
    {"places": ["cuda:0", "cuda:1"], "values": [[2.0], [2.0]]},
    devices=2,
    source="torch/csrc: _foreach slow path runs tensor by tensor",
)
def foreach_over_cards(devices: Devices) -> Facts:
    """Lists of tensors may be spread over cards."""
    out = torch._foreach_add([torch.ones(1, device=d) for d in devices], 1.0)
    return {"places": places(*out), "values": [x.tolist() for x in out]}


@program({"vmap": True, "grad": [2.0, 2.0]}, source="docs: torch.func")
def functional_transforms(devices: Devices) -> Facts:
    """torch.func works on a card."""
    x = torch.randn(3, 4, device=devices[0])
    rows = torch.func.vmap(lambda row: row.sum())(x)
    grad = torch.func.grad(lambda v: (v * v).sum())(torch.ones(2, device=devices[0]))
    return {"vmap": rows.is_cuda and close(rows, x.sum(1)), "grad": grad.tolist()}
