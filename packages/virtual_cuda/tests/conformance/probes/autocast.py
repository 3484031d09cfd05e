"""Autocast and what belongs to it: in which type each operator computes, and scaled gradients."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from ..probe import in_a_thread, refuses, shows, warns

LISTS = "torch/testing/_internal/autocast_test_lists.py AutocastTestLists."
DOCS = "docs/source/amp.md: CUDA Ops that "
SCALER = "torch/amp/grad_scaler.py; test/test_cuda.py "
HALF, FLOAT, BF16 = torch.float16, torch.float32, torch.bfloat16


def mat(dtype=FLOAT):
    return torch.ones(4, 4, device="cuda", dtype=dtype)


def in_autocast(act, dtype=HALF, **options):
    with torch.autocast("cuda", dtype=dtype, **options):
        return act()


def type_of(act, **options):
    return in_autocast(act, **options).dtype


HALVES = {
    "conv1d": lambda: F.conv1d(mat()[None], mat()[None]),
    "conv2d": lambda: F.conv2d(mat()[None, None], mat()[None, None]),
    "conv_transpose2d": lambda: F.conv_transpose2d(mat()[None, None], mat()[None, None]),
    "addmm": lambda: torch.addmm(mat(), mat(), mat()),
    "addmv": lambda: torch.addmv(mat()[0], mat(), mat()[0]),
    "addr": lambda: torch.addr(mat(), mat()[0], mat()[0]),
    "matmul": lambda: mat() @ mat(),
    "einsum": lambda: torch.einsum("ij,jk", mat(), mat()),
    "mv": lambda: mat() @ mat()[0],
    "bmm": lambda: mat()[None] @ mat()[None],
    "baddbmm": lambda: torch.baddbmm(mat()[None], mat()[None], mat()[None]),
    "chain_matmul": lambda: torch.linalg.multi_dot([mat(), mat(), mat()]),
    "prelu": lambda: F.prelu(mat(), mat()[0, :1]),
    "linear": lambda: F.linear(mat(), mat(), mat()[0]),
    "lstm_cell": lambda: nn.LSTMCell(4, 4, device="cuda")(mat())[0],
    "gru_cell": lambda: nn.GRUCell(4, 4, device="cuda")(mat()),
}
for name, act in HALVES.items():
    shows(
        f"{name} computes in halves",
        f"{LISTS}torch_fp16; {DOCS}can autocast to float16",
        lambda a=act: type_of(a),
        HALF,
    )
FLOATS = {
    "exp": torch.exp,
    "log": torch.log,
    "rsqrt": torch.rsqrt,
    "acos": torch.acos,
    "pow": lambda x: x**2.5,
    "softmax": lambda x: x.softmax(0),
    "log_softmax": lambda x: x.log_softmax(0),
    "sum": torch.sum,
    "prod": torch.prod,
    "cumsum": lambda x: x.cumsum(0),
    "norm": torch.norm,
    "cdist": lambda x: torch.cdist(x, x),
    "layer_norm": lambda x: F.layer_norm(x, (4,)),
    "group_norm": lambda x: F.group_norm(x[None], 1),
    "mse_loss": lambda x: F.mse_loss(x, x),
    "l1_loss": lambda x: F.l1_loss(x, x),
    "smooth_l1_loss": lambda x: F.smooth_l1_loss(x, x),
    "binary_cross_entropy_with_logits": lambda x: F.binary_cross_entropy_with_logits(x, x),
    "nll_loss": lambda x: F.nll_loss(x, torch.zeros(4, dtype=torch.int64, device="cuda")),
    "kl_div": lambda x: F.kl_div(x, x, reduction="sum"),
    "softplus": F.softplus,
    "logsumexp": lambda x: x.logsumexp(0),
    "cosine_similarity": lambda x: F.cosine_similarity(x, x),
}
for name, call in FLOATS.items():
    shows(
        f"{name} of halves computes in floats",
        f"{LISTS}torch_fp32, nn_fp32; {DOCS}can autocast to float32",
        lambda c=call: type_of(lambda: c(mat(HALF))),
        FLOAT,
    )
WIDEST = {
    "addcmul": lambda x, y: torch.addcmul(x, y, y),
    "atan2": torch.atan2,
    "cross": lambda x, y: torch.cross(x[:, :3], y[:, :3], dim=1),
    "dot": lambda x, y: torch.dot(x[0], y[0]),
    "tensordot": torch.tensordot,
    "cat": lambda x, y: torch.cat([x, y]),
    "stack": lambda x, y: torch.stack([x, y]),
    "add": torch.add,
    "scatter_add": lambda x, y: torch.scatter_add(
        x, 0, torch.zeros(4, 4, dtype=torch.int64, device="cuda"), y
    ),
}
for name, call in WIDEST.items():
    shows(
        f"{name} of a half and a float",
        f"{LISTS}torch_need_autocast_promote; {DOCS}promote to the widest input type",
        lambda c=call: type_of(lambda: c(mat(HALF), mat())),
        FLOAT,
    )
for name, call in {
    "relu": torch.relu,
    "sigmoid": torch.sigmoid,
    "gelu": F.gelu,
    "dropout": F.dropout,
    "mean": torch.mean,
}.items():
    shows(
        f"{name} stays in halves",
        "docs/source/amp.md: ops that are not listed run in the type defined by their inputs",
        lambda c=call: type_of(lambda: c(mat(HALF))),
        HALF,
    )
refuses(
    "binary_cross_entropy",
    f"{LISTS}banned; aten/src/ATen/autocast_mode.cpp binary_cross_entropy_banned",
    lambda: in_autocast(lambda: F.binary_cross_entropy(mat(), mat())),
    "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.",
)
shows(
    "float64 is left alone",
    "aten/src/ATen/autocast_mode.h is_eligible",
    lambda: type_of(lambda: mat(torch.float64) @ mat(torch.float64)),
    torch.float64,
)
shows(
    "tensors of the CPU are left alone",
    "aten/src/ATen/autocast_mode.h is_eligible",
    lambda: type_of(lambda: torch.ones(2, 2) @ torch.ones(2, 2)),
    FLOAT,
)
shows(
    "bfloat16",
    "docs: torch.autocast, dtype",
    lambda: type_of(lambda: mat() @ mat(), dtype=BF16),
    BF16,
)
shows("the default type", "docs: torch.autocast", lambda: torch.get_autocast_dtype("cuda"), HALF)
shows(
    "a disabled region inside",
    "test/test_cuda.py test_autocast_nested",
    lambda: in_autocast(lambda: type_of(lambda: mat() @ mat(), enabled=False)),
    FLOAT,
)
shows(
    "after the region",
    "test/test_cuda.py test_autocast_nested",
    lambda: (in_autocast(lambda: None), (mat() @ mat()).dtype)[1],
    FLOAT,
)
shows(
    "other threads know nothing of it",
    "docs/source/notes/amp_examples.rst: autocast state is thread local",
    lambda: in_autocast(lambda: in_a_thread(lambda: torch.is_autocast_enabled("cuda"))),
    False,
)
shows(
    "gradients have the parameters' type",
    "docs/source/notes/amp_examples.rst",
    lambda: gradient_type(),
    FLOAT,
)
shows(
    "the cast of a weight is cached", "docs: torch.autocast, cache_enabled", lambda: cached(True), 1
)
shows("without the cache", "docs: torch.autocast, cache_enabled", lambda: cached(False), 2)
refuses(
    "custom_fwd without a device",
    "torch/amp/autocast_mode.py custom_fwd",
    lambda: torch.amp.custom_fwd(lambda ctx: None),
    "missing 1 required keyword-only argument",
    "TypeError",
)
refuses(
    "autocast of a strange device",
    "torch/amp/autocast_mode.py",
    lambda: torch.autocast("gpu"),
    "Expected one of cpu, cuda",
)
shows(
    "float32 is a type like the others",
    "torch/amp/autocast_mode.py: device_supported_dtypes are asked of other devices only",
    lambda: type_of(lambda: mat(HALF) @ mat(HALF), dtype=FLOAT),
    FLOAT,
)
warns(
    "torch.cuda.amp.autocast",
    "torch/cuda/amp/autocast_mode.py",
    lambda: torch.cuda.amp.autocast(),
    "`torch.cuda.amp.autocast(args...)` is deprecated.",
)


def gradient_type():
    net = nn.Linear(4, 4, device="cuda")
    in_autocast(lambda: net(mat()).sum()).backward()
    return net.weight.grad.dtype


def cached(enabled):
    """How many copies in halves two products make of a weight that is trained."""
    weight = mat().requires_grad_()
    with torch.autocast("cuda", cache_enabled=enabled):
        products = [torch.mm(mat(), weight) for _ in range(2)]
    return len({product.grad_fn.next_functions[1][0] for product in products})


def scaler_of(*gradients, **options):
    """A scaler after one step with some gradients, and how often the weights moved."""
    weight = torch.zeros(len(gradients), device="cuda", requires_grad=True)
    optimizer = torch.optim.SGD([weight], 1.0)
    scaler = torch.amp.GradScaler("cuda", init_scale=4.0, **options)
    loss = scaler.scale((weight * torch.tensor(gradients, device="cuda")).sum())
    loss.backward()
    scaler.step(optimizer)
    scaler.update()
    return scaler.get_scale(), weight.tolist()


shows(
    "a step with good gradients",
    SCALER + "test_grad_scaling_unscale",
    lambda: scaler_of(1.0),
    [4.0, [-1.0]],
)
shows(
    "a step with an infinite gradient is skipped",
    SCALER + "test_grad_scaling_update_scale",
    lambda: scaler_of(1.0, float("inf")),
    [2.0, [0.0, 0.0]],
)
shows(
    "a step with a NaN is skipped", SCALER + "step", lambda: scaler_of(float("nan")), [2.0, [0.0]]
)
shows(
    "the scale grows",
    SCALER + "test_grad_scaling_update_scale",
    lambda: scaler_of(1.0, growth_interval=1),
    [8.0, [-1.0]],
)
shows(
    "a scaler that is off", SCALER + "scale", lambda: scaler_of(1.0, enabled=False), [1.0, [-1.0]]
)
shows(
    "the default scale",
    SCALER + "__init__",
    lambda: torch.amp.GradScaler("cuda").get_scale(),
    65536.0,
)
refuses(
    "update before any step",
    SCALER + "update",
    lambda: torch.amp.GradScaler("cuda").update(),
    "Attempted update but _scale is None.",
    "AssertionError",
)
refuses(
    "unscaling halves",
    SCALER + "_unscale_grads_",
    lambda: unscale_halves(),
    "Attempting to unscale FP16 gradients.",
    "ValueError",
)
refuses(
    "unscaling twice",
    SCALER + "unscale_",
    lambda: unscale_twice(),
    "unscale_() has already been called on this optimizer since the last update().",
)


def unscale_halves():
    weight = mat(HALF).requires_grad_()
    optimizer, scaler = torch.optim.SGD([weight], 1.0), torch.amp.GradScaler("cuda")
    scaler.scale(weight.sum()).backward()
    scaler.unscale_(optimizer)


def unscale_twice():
    weight = mat().requires_grad_()
    optimizer, scaler = torch.optim.SGD([weight], 1.0), torch.amp.GradScaler("cuda")
    scaler.scale(weight.sum()).backward()
    scaler.unscale_(optimizer)
    scaler.unscale_(optimizer)
