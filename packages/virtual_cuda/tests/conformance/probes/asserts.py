"""What a kernel finds out by an assertion, and how CUDA is after that. A process for each."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from ..probe import refuses, shows

KERNELS = "aten/src/ATen/native/cuda/"
STICKY = (
    "CUDA runtime: cudaErrorAssert: the device cannot be used again, the process must be "
    "terminated and relaunched"
)
TEXT = "CUDA error: device-side assert triggered"


def ints(*values):
    return torch.tensor(values, device="cuda")


def floats(*shape):
    return torch.zeros(shape or (3,), device="cuda")


ASSERTED = {
    "an index": ("IndexKernel.cu index_kernel", lambda: floats()[ints(3)]),
    "a negative index": ("IndexKernel.cu index_kernel", lambda: floats()[ints(-4)]),
    "assigning to an index": (
        "Indexing.cu index_put",
        lambda: floats().index_put_((ints(3),), floats(1)),
    ),
    "gather": ("ScatterGatherKernel.cu", lambda: floats().gather(0, ints(3))),
    "scatter": ("ScatterGatherKernel.cu", lambda: floats().scatter(0, ints(3), 1.0)),
    "index_select": ("Indexing.cu", lambda: floats().index_select(0, ints(3))),
    "index_add": ("Indexing.cu", lambda: floats().index_add(0, ints(3), floats(1))),
    "index_copy": ("IndexKernel.cu", lambda: floats().index_copy(0, ints(3), floats(1))),
    "index_fill": ("IndexKernel.cu", lambda: floats().index_fill(0, ints(3), 1.0)),
    "take": ("IndexKernel.cu cuda_take_put_kernel", lambda: floats().take(ints(3))),
    "embedding": (
        "Indexing.cu; embedding is index_select",
        lambda: F.embedding(ints(3), floats(3, 2)),
    ),
    "embedding_bag": ("EmbeddingBag.cu", lambda: F.embedding_bag(ints(3)[None], floats(3, 2))),
    "a label": ("Loss.cu CHECK_INDEX_IN_CLASS", lambda: F.cross_entropy(floats(1, 3), ints(3))),
    "a negative label": ("Loss.cu", lambda: F.cross_entropy(floats(1, 3), ints(-1))),
    "a label of a pixel": (
        "NLLLoss2d.cu",
        lambda: F.nll_loss(floats(1, 3, 1, 1), ints(3)[None, None]),
    ),
    "a label of multi_margin_loss": (
        "MultiMarginLoss.cu",
        lambda: F.multi_margin_loss(floats(1, 3), ints(3)),
    ),
    "a probability above 1": (
        "Loss.cu binary_cross_entropy",
        lambda: F.binary_cross_entropy(floats() + 2, floats()),
    ),
    "a target above 1": (
        "Loss.cu binary_cross_entropy",
        lambda: F.binary_cross_entropy(floats() + 0.5, floats() + 2),
    ),
    "a negative weight to draw by": (
        "MultinomialKernel.cu",
        lambda: torch.multinomial(floats() - 1, 2, True),
    ),
    "a negative rate": ("Distributions.cu poisson", lambda: torch.poisson(floats() - 1)),
    "a class of one_hot": (
        "aten/src/ATen/native/Onehot.cpp: scatter_ on CUDA",
        lambda: F.one_hot(ints(3), num_classes=3),
    ),
    "an asserted zero": ("TensorCompare.cu _assert_async", lambda: torch._assert_async(ints(0))),
}


def waited(act):
    act()
    torch.cuda.synchronize()


for name, (where, act) in ASSERTED.items():
    refuses(
        f"{name}, out of range",
        where if "/" in where else KERNELS + where,
        lambda a=act: waited(a),
        TEXT,
        "AcceleratorError",
        own=True,
    )


def lost(act):
    """Do something once the context is lost; True where it was, and nothing was raised."""
    tensor = floats()
    other = torch.ones(3, device=f"cuda:{torch.cuda.device_count() - 1}")
    event = torch.cuda.Event()
    event.record()
    try:
        waited(lambda: tensor[ints(3)])
    except torch.AcceleratorError:
        act(tensor, other, event)
        return True
    return False


for name, act in {
    "copying to the host": lambda x, other, event: x.cpu(),
    "a kernel": lambda x, other, event: waited(lambda: x + 1),
    "work on the last card": lambda x, other, event: waited(lambda: other + 1),
    "an event": lambda x, other, event: event.record(),
    "a fresh segment": lambda x, other, event: torch.empty(30 << 20, device="cuda"),
    "mem_get_info": lambda x, other, event: torch.cuda.mem_get_info(),
    "printing": lambda x, other, event: str(x),
    "waiting": lambda x, other, event: torch.cuda.synchronize(),
}.items():
    refuses(
        f"{name}, after an assertion",
        STICKY,
        lambda a=act: lost(a),
        TEXT,
        "AcceleratorError",
        own=True,
    )
for name, act in {
    "counting memory": lambda x, other, event: torch.cuda.memory_allocated(),
    "a view": lambda x, other, event: x.view(3, 1),
    "the current card": lambda x, other, event: torch.cuda.current_device(),
}.items():
    shows(
        f"{name}, after an assertion",
        "it calls no function of the CUDA runtime",
        lambda a=act: lost(a),
        True,
        own=True,
    )
shows(
    "asserting what is true",
    "test/test_cuda.py test_fixed_cuda_assert_async",
    lambda: [torch._assert_async(ints(v)) for v in (1, -1)],
    [None, None],
)
refuses(
    "asserting nothing",
    "test/test_cuda.py test_fixed_cuda_assert_async",
    lambda: torch._assert_async(torch.tensor([], device="cuda")),
    "Boolean value of Tensor with no values is ambiguous",
)
refuses(
    "asserting two",
    "test/test_cuda.py test_fixed_cuda_assert_async",
    lambda: torch._assert_async(ints(0, 0)),
    "Boolean value of Tensor with more than one value is ambiguous",
)
