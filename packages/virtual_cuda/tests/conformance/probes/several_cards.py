"""``torch.nn.parallel.comm`` and lists of tensors: results and refusals over several cards."""

from __future__ import annotations

import torch
from torch.cuda import comm, nccl
from torch.nn.parallel import DataParallel, replicate, scatter
from torch.optim.optimizer import _default_to_fused_or_foreach

from ..probe import refuses, shows

COMM = "torch/csrc/cuda/comm.cpp; test/test_cuda_multigpu.py test_"
FOREACH = "test/test_foreach.py test_"
OPTIM = "torch/optim/; test/test_optim.py"


def x(*shape, card=0):
    return torch.ones(shape or (2, 3), device=f"cuda:{card}")


def params(*cards):
    made = [x(2, card=card).requires_grad_() for card in cards]
    for tensor in made:
        tensor.grad = torch.ones_like(tensor)
    return made


def places(tensors):
    return [str(tensor.device) for tensor in tensors]


BOTH = ["cuda:0", "cuda:1"]
shows(
    "broadcast",
    COMM + "broadcast_gpu",
    lambda: places(comm.broadcast(x(), (0, 1))),
    BOTH,
    devices=2,
)
shows(
    "broadcast from the CPU",
    COMM + "broadcast_cpu",
    lambda: places(comm.broadcast(torch.ones(2), (0, 1))),
    BOTH,
    devices=2,
)
shows("scatter", COMM + "scatter_gpu", lambda: places(comm.scatter(x(4), (0, 1))), BOTH, devices=2)
shows(
    "scatter by sizes",
    COMM + "scatter_gpu_sizes",
    lambda: [len(t) for t in comm.scatter(x(4), (0, 1), chunk_sizes=[1, 3])],
    [1, 3],
    devices=2,
)
shows(
    "gather",
    COMM + "gather",
    lambda: comm.gather((x(2, 3), x(1, 3, card=1)), 0).shape,
    [3, 3],
    devices=2,
)
shows(
    "gather to the CPU",
    COMM + "gather_dim",
    lambda: comm.gather((x(), x(card=1)), 0, "cpu").device,
    "cpu",
    devices=2,
)
shows(
    "reduce_add",
    COMM + "reduce_add",
    lambda: comm.reduce_add((x(2), x(2, card=1))).tolist(),
    [2, 2],
    devices=2,
)
shows(
    "reduce_add goes where it is told",
    COMM + "reduce_add",
    lambda: comm.reduce_add((x(2), x(2, card=1)), 1).device,
    "cuda:1",
    devices=2,
)
shows(
    "broadcast_coalesced",
    COMM + "broadcast_coalesced",
    lambda: [places(ts) for ts in comm.broadcast_coalesced([x(2), x(3)], (0, 1))],
    [["cuda:0"] * 2, ["cuda:1"] * 2],
    devices=2,
)
REFUSED = [
    (
        "broadcast to devices and out",
        lambda: comm.broadcast(x(), (0, 1), out=[x(), x(card=1)]),
        "Exactly one of 'devices' and 'out' must be specified",
        "broadcast_gpu",
    ),
    (
        "broadcast out to the CPU",
        lambda: comm.broadcast(x(), out=[x(), torch.ones(2, 3)]),
        "Expected all output tensors to be CUDA tensors, but output tensor at index 1 has "
        "device 'cpu'",
        "broadcast_gpu",
    ),
    (
        "broadcast out of another shape",
        lambda: comm.broadcast(x(), out=[x(), x(1, card=1)]),
        "Expected all output tensors to have same shape as the source tensor [2, 3], but output "
        "tensor at index 1 has shape [1]",
        "broadcast_gpu",
    ),
    (
        "scatter to sizes that are too many",
        lambda: comm.scatter(x(), (0, 1), chunk_sizes=[1]),
        "Expected devices and chunk_sizes to be of same length, but got len(devices) = 2 and "
        "len(chunk_sizes) = 1",
        "scatter_gpu_sizes",
    ),
    (
        "scatter to devices and out",
        lambda: comm.scatter(x(), (0, 1), out=[x(1, 3), x(1, 3, card=1)]),
        "'devices' must not be specified when 'out' is specified",
        "scatter_gpu",
    ),
    (
        "scatter to nobody",
        lambda: comm.scatter(x(), ()),
        "Expected at least one device to scatter to",
        "scatter_gpu",
    ),
    (
        "scatter to no output",
        lambda: comm.scatter(x(), out=[]),
        "Expected at least one output tensor to scatter to",
        "scatter_gpu",
    ),
    (
        "scatter out to the CPU",
        lambda: comm.scatter(x(), out=[torch.ones(1, 3), x(1, 3, card=1)]),
        "Expected all output tensors to be CUDA tensors, but output tensor at index 0 has "
        "device 'cpu'",
        "scatter_gpu",
    ),
    (
        "scatter out of another shape",
        lambda: comm.scatter(x(), out=[x(1, 1, 3), x(1, 3, card=1)]),
        "Output tensor at index 0 has incorrect shape",
        "scatter_gpu",
    ),
    (
        "scatter out that is too short",
        lambda: comm.scatter(x(), out=[x(1, 3)]),
        "Total size for output tensors along scatter dim 0 does not match",
        "scatter_gpu",
    ),
    (
        "gather to a destination and out",
        lambda: comm.gather((x(), x(card=1)), 0, destination="cpu", out=torch.ones(4, 3)),
        "'destination' must not be specified when 'out' is specified",
        "gather",
    ),
    (
        "gather of nothing",
        lambda: comm.gather(()),
        "Expected at least one tensor to gather from",
        "gather",
    ),
    (
        "gather from the CPU",
        lambda: comm.gather((torch.ones(2, 3), x())),
        "Expected all input tensors to be CUDA tensors, but tensor at index 0 has device",
        "gather",
    ),
    (
        "gather of dimensions that differ",
        lambda: comm.gather((x(), x(1, 2, 3, card=1))),
        "Expected all input tensors to have the same number of dimensions, but tensor at index 1",
        "gather",
    ),
    (
        "gather of shapes that differ",
        lambda: comm.gather((x(), x(2, 2, card=1)), 0),
        "Input tensor at index 1 has invalid shape [2, 2], but expected [",
        "gather",
    ),
    (
        "reduce_add from the CPU",
        lambda: comm.reduce_add((x(2), torch.ones(2))),
        "reduce_add expects all inputs to be on GPUs, but input 1 is on CPU",
        "reduce_add",
    ),
    (
        "reduce_add to a third card",
        lambda: comm.reduce_add((x(2), x(2)), 1),
        "reduce_add expects destination to be on the same GPU with one of the tensors",
        "reduce_add",
    ),
]
for name, act, says, test in REFUSED:
    kind = "AssertionError" if name == "reduce_add from the CPU" else "RuntimeError"
    refuses(name, COMM + test, act, says, kind, devices=2)
refuses(
    "reduce_add of shapes that differ",
    COMM + "reduce_add",
    lambda: comm.reduce_add((x(2), x(3, card=1))),
    "input 1 has invalid size: got 3, but expected 2",
    "ValueError",
    devices=2,
)
refuses(
    "NCCL of a tensor",
    "test/distributed/test_nccl.py test_collective_errors; torch/cuda/nccl.py",
    lambda: nccl.all_reduce(x()),
    "Inputs should be a collection of tensors",
    "TypeError",
)
refuses(
    "NCCL of nothing",
    "test/distributed/test_nccl.py; torch/cuda/nccl.py",
    lambda: nccl.broadcast(x()),
    "Inputs should be a collection of tensors",
    "TypeError",
)
shows(
    "nccl.all_reduce",
    "test/distributed/test_nccl.py test_all_reduce",
    lambda: (lambda ts: (nccl.all_reduce(ts), [t.sum().item() for t in ts])[1])(
        [x(2), x(2, card=1)]
    ),
    [4, 4],
    devices=2,
)
shows(
    "replicas share no parameters",
    "torch/nn/parallel/replicate.py",
    lambda: places(m.weight for m in replicate(torch.nn.Linear(1, 1).cuda(), [0, 1])),
    BOTH,
    devices=2,
)
shows(
    "scatter of other values",
    "torch/nn/parallel/scatter_gather.py",
    lambda: scatter("a", [0, 1]),
    ["a", "a"],
    devices=2,
)
refuses(
    "DataParallel of a module left behind",
    "torch/nn/parallel/data_parallel.py",
    lambda: DataParallel(torch.nn.Linear(1, 1), [0, 1])(torch.ones(2, 1)),
    "module must have its parameters and "
    "buffers on device cuda:0 (device_ids[0]) but found one of them on device: cpu",
    devices=2,
)
refuses(
    "a list of nothing",
    FOREACH + "binary_op_list_error_cases",
    lambda: torch._foreach_add([], []),
    "Tensor list must have at least one tensor.",
)
refuses(
    "lists of two lengths",
    FOREACH + "binary_op_list_error_cases",
    lambda: torch._foreach_add([x()], [x(), x()]),
    "Tensor lists must have the same number of tensors, got 1 and 2",
)
refuses(
    "numbers of another length",
    FOREACH + "binary_op_scalarlist",
    lambda: torch._foreach_add([x()], [1, 2]),
    "Tensor list must have same number of elements as scalar list.",
)
refuses(
    "lists on two cards",
    FOREACH + "binary_op_list_error_cases",
    lambda: torch._foreach_add([x()], [x(card=1)]),
    "Expected all tensors to be on the same device",
    devices=2,
)
refuses(
    "a list and a tensor of the CPU",
    FOREACH + "tensor_scalar; ForeachBinaryOpScalarTensor.cu",
    lambda: torch._foreach_add([x()], torch.tensor(1.0), alpha=1.0),
    "scalar tensor expected to be on cuda:0 but is on cpu",
)
refuses(
    "a list and a tensor of two",
    FOREACH + "tensor_scalar; ForeachBinaryOpScalarTensor.cu",
    lambda: torch._foreach_add([x()], torch.ones(2, device="cuda")),
    "scalar tensor expected to be 0 dim but it has 1 dimensions and 2 elements.",
)
shows(
    "a list with a number",
    FOREACH + "binary_op_scalar",
    lambda: torch._foreach_add([x(2)], 1)[0].tolist(),
    [2, 2],
)
shows(
    "foreach is the default on cards",
    f"{OPTIM} _default_to_fused_or_foreach",
    lambda: _default_to_fused_or_foreach(params(0), False)[1],
    True,
)
shows(
    "foreach is not the default on the CPU",
    f"{OPTIM} _default_to_fused_or_foreach",
    lambda: _default_to_fused_or_foreach([torch.ones(1)], False)[1],
    False,
)
shows(
    "one optimizer over two cards",
    f"{OPTIM} test_defaults_changed_to_foreach",
    lambda: (
        lambda ps: (torch.optim.Adam(ps, lr=1.0).step(), [round(p[0].item(), 4) for p in ps])[1]
    )(params(0, 1)),
    [0.0, 0.0],
    devices=2,
)
shows(
    "fused over two cards",
    f"{OPTIM} adam.py _fused_adam",
    lambda: (
        lambda ps: (
            torch.optim.Adam(ps, lr=1.0, fused=True).step(),
            [round(p[0].item(), 4) for p in ps],
        )[1]
    )(params(0, 1)),
    [0.0, 0.0],
    devices=2,
)
for name in ("Adam", "AdamW"):
    shows(
        f"steps of a capturable {name} are on the card",
        f"{OPTIM} adam.py _init_group",
        lambda n=name: (lambda ps, o: (o.step(), o.state[ps[0]]["step"].device)[1])(
            *(lambda ps: (ps, getattr(torch.optim, n)(ps, capturable=True)))(params(0))
        ),
        "cuda:0",
    )
    shows(
        f"steps of a plain {name} are on the CPU",
        f"{OPTIM} adam.py _init_group",
        lambda n=name: (lambda ps, o: (o.step(), o.state[ps[0]]["step"].device)[1])(
            *(lambda ps: (ps, getattr(torch.optim, n)(ps)))(params(0))
        ),
        "cpu",
    )
refuses(
    "fused and foreach",
    f"{OPTIM} adam.py __init__",
    lambda: torch.optim.Adam(params(0), fused=True, foreach=True),
    "`fused` and `foreach` cannot be `True` together.",
)
