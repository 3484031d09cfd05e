"""The same-device rule: what may be mixed, and the text of every refusal.

Operators marked ``device_check: NoCheck`` in native_functions.yaml check inside TensorIterator; for
all others torchgen writes a check that names the argument and the wrapper it stands in.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from ..registry import Devices, Facts, program, refused

ITERATOR = "aten/src/ATen/TensorIterator.cpp compute_types; ERRATA J"
GENERATED = "native_functions.yaml, torchgen/dest/register_dispatch_key.py, adaption.cpp; ERRATA J"
CONVOLUTION = "aten/src/ATen/native/Convolution.cpp check_input_same_type_as_parameters; ERRATA J"

SAME = "Expected all tensors to be on the same device, but "


def two(one: str, other: str) -> str:
    """TensorIterator's text."""
    return f"{SAME}found at least two devices, {one} and {other}!"


def named(argument: str, device: str, others: str, wrapper: str) -> str:
    """The generated check's text."""
    return (
        f"{SAME}got {argument} is on {device}, different from other tensors on {others} "
        f"(when checking argument in method wrapper_CUDA_{wrapper})"
    )


def on(device: torch.device, *size: int) -> torch.Tensor:
    """Ones on a device."""
    return torch.ones(*size or (3,), device=device)


def labels() -> torch.Tensor:
    return torch.tensor([0, 1, 2, 0])


@refused(two("cuda:0", "cpu"), source=ITERATOR)
def add_cpu_second(devices: Devices) -> None:
    """Card plus CPU."""
    _ = on(devices[0]) + torch.ones(3)


@refused(two("cuda:0", "cpu"), source=ITERATOR)
def add_cpu_first(devices: Devices) -> None:
    """CPU plus card: the card is still named first."""
    _ = torch.ones(3) + on(devices[0])


@refused(two("cuda:0", "cuda:1"), source=ITERATOR, devices=2)
def add_two_cards(devices: Devices) -> None:
    """Card plus other card."""
    _ = on(devices[0]) + on(devices[1])


@refused(two("cuda:0", "cuda:1"), source=ITERATOR, devices=2)
def in_place_two_cards(devices: Devices) -> None:
    """In place, the target comes first."""
    on(devices[0]).add_(on(devices[1]))


@refused(two("cuda:0", "cpu"), source=ITERATOR)
def in_place_on_the_cpu(devices: Devices) -> None:
    """A CPU tensor does not take a card's values."""
    torch.ones(3).add_(on(devices[0]))


@refused(two("cuda:0", "cpu"), source=ITERATOR)
def one_element_is_not_zero_dimensional(devices: Devices) -> None:
    """One element in one dimension is no exception."""
    _ = on(devices[0]) * torch.ones(1)


@refused(two("cuda:0", "cpu"), source=ITERATOR)
def a_card_s_scalar_and_a_cpu_tensor(devices: Devices) -> None:
    """The exception is for CPU scalars, not for a card's."""
    _ = torch.ones(3) + on(devices[0])[0]


@refused(two("cuda:0", "cuda:1"), source=ITERATOR, devices=2)
def a_scalar_of_another_card(devices: Devices) -> None:
    """Nor for another card's."""
    _ = on(devices[0]) + on(devices[1])[0]


@refused(two("cuda:0", "cpu"), source=ITERATOR)
def compare(devices: Devices) -> None:
    """Comparisons follow the rule."""
    _ = on(devices[0]) > torch.ones(3)


@refused(two("cuda:0", "cpu"), source=ITERATOR)
def where_condition(devices: Devices) -> None:
    """``where`` with a condition on the CPU."""
    torch.where(torch.tensor([True, False, True]), on(devices[0]), on(devices[0]))


@refused(two("cuda:0", "cpu"), source=ITERATOR)
def mse_loss_target(devices: Devices) -> None:
    """A target that was not moved."""
    F.mse_loss(on(devices[0]), torch.ones(3))


@refused(two("cuda:0", "cpu"), source=ITERATOR)
def binary_cross_entropy_target(devices: Devices) -> None:
    """The same for binary cross entropy."""
    F.binary_cross_entropy(on(devices[0]) / 2, torch.ones(3))


@refused(
    named("min", "cpu", "cuda:0", "clamp_Tensor"),
    source=GENERATED + ": only the out form of clamp.Tensor is NoCheck",
)
def clamp_bound(devices: Devices) -> None:
    """Bounds are operands."""
    torch.clamp(on(devices[0]), min=torch.zeros(3))


@refused(two("cuda:0", "cpu"), source=ITERATOR)
def lerp_weight(devices: Devices) -> None:
    """Weights are operands."""
    torch.lerp(on(devices[0]), on(devices[0]), torch.ones(3))


@refused(two("cuda:0", "cpu"), source=ITERATOR)
def out_elsewhere(devices: Devices) -> None:
    """``out=`` must be on the card, too."""
    torch.add(on(devices[0]), on(devices[0]), out=torch.empty(3))


@program(
    {
        "sum": "cuda:0",
        "product": [2.0, 2.0, 2.0],
        "maximum": [2.0, 2.0, 2.0],
        "in_place": [3.0, 3.0, 3.0],
        "compare": [False, False, False],
        "where": [2.0, 2.0, 2.0],
    },
    source=ITERATOR,
)
def cpu_scalars_may_join(devices: Devices) -> Facts:
    """0-dimensional CPU tensors join element-wise operations on a card."""
    x, scalar = on(devices[0]), torch.tensor(2.0)
    return {
        "sum": (x + scalar).device,
        "product": (scalar * x).tolist(),
        "maximum": torch.maximum(x, scalar).tolist(),
        "in_place": on(devices[0]).add_(scalar).tolist(),
        "compare": (x > scalar).tolist(),
        "where": torch.where(x > 5, x, scalar).tolist(),
    }


@program(
    {"addcmul": [3.0, 3.0, 3.0], "masked_fill": [7.0, 7.0, 7.0], "pow": [1.0, 1.0, 1.0]},
    source=ITERATOR,
)
def more_cpu_scalars(devices: Devices) -> Facts:
    """The exception in other operators."""
    x = on(devices[0])
    return {
        "addcmul": torch.addcmul(x, x, x, value=2).tolist(),
        "masked_fill": x.masked_fill(x > 0, torch.tensor(7.0)).tolist(),
        "pow": torch.pow(x, torch.tensor(2.0)).tolist(),
    }


@refused(named("mat2", "cpu", "cuda:0", "mm"), source=GENERATED)
def matmul(devices: Devices) -> None:
    """Matrix products name the argument."""
    _ = on(devices[0], 2, 2) @ torch.ones(2, 2)


@refused(named("mat2", "cuda:0", "cpu", "mm"), source=GENERATED)
def matmul_cpu_first(devices: Devices) -> None:
    """The first argument sets the device, CPU or not."""
    _ = torch.ones(2, 2) @ on(devices[0], 2, 2)


@refused(named("mat2", "cuda:1", "cuda:0", "mm"), source=GENERATED, devices=2)
def matmul_two_cards(devices: Devices) -> None:
    """Two cards in a matrix product."""
    _ = on(devices[0], 2, 2) @ on(devices[1], 2, 2)


@refused(named("mat2", "cpu", "cuda:0", "bmm"), source=GENERATED)
def batched_matmul(devices: Devices) -> None:
    """Batched products."""
    torch.bmm(on(devices[0], 1, 2, 2), torch.ones(1, 2, 2))


@refused(named("tensor", "cpu", "cuda:0", "_dot"), source=GENERATED)
def dot(devices: Devices) -> None:
    """Dot products."""
    torch.dot(on(devices[0]), torch.ones(3))


@refused(named("mat1", "cpu", "cuda:0", "addmm"), source="ERRATA J")
def linear_input_left_on_the_cpu(devices: Devices) -> None:
    """Model on the card, input on the CPU."""
    nn.Linear(3, 2).to(devices[0])(torch.ones(4, 3))


@refused(named("mat1", "cuda:0", "cpu", "addmm"), source="ERRATA J")
def linear_model_left_on_the_cpu(devices: Devices) -> None:
    """Input on the card, model on the CPU."""
    nn.Linear(3, 2)(on(devices[0], 4, 3))


@refused(named("mat2", "cuda:0", "cpu", "mm"), source=GENERATED)
def linear_without_bias(devices: Devices) -> None:
    """Without bias it is another operator and another argument."""
    nn.Linear(3, 2, bias=False).to(devices[0])(torch.ones(4, 3))


@refused(named("mat1", "cuda:0", "cuda:1", "addmm"), source="ERRATA J", devices=2)
def linear_two_cards(devices: Devices) -> None:
    """Model and input on different cards."""
    nn.Linear(3, 2).to(devices[1])(on(devices[0], 4, 3))


@refused(named("target", "cpu", "cuda:0", "nll_loss_forward"), source=GENERATED)
def cross_entropy_target(devices: Devices) -> None:
    """Labels that were not moved."""
    F.cross_entropy(on(devices[0], 4, 3), labels())


@refused(named("weight", "cpu", "cuda:0", "nll_loss_forward"), source="ERRATA J: PR #150750")
def cross_entropy_weight(devices: Devices) -> None:
    """Class weights that were not moved."""
    F.cross_entropy(on(devices[0], 4, 3), labels().to(devices[0]), weight=torch.ones(3))


@refused(named("index", "cpu", "cuda:0", "_index_select"), source="ERRATA J")
def embedding(devices: Devices) -> None:
    """Token numbers that were not moved."""
    nn.Embedding(5, 2).to(devices[0])(labels())


@refused(named("index", "cuda:0", "cpu", "_index_select"), source=GENERATED)
def embedding_left_on_the_cpu(devices: Devices) -> None:
    """The table was not moved."""
    nn.Embedding(5, 2)(labels().to(devices[0]))


@refused(named("index", "cpu", "cuda:0", "gather"), source=GENERATED)
def gather(devices: Devices) -> None:
    """``gather`` with an index on the CPU."""
    torch.gather(on(devices[0], 2, 2), 1, torch.zeros(2, 1, dtype=torch.int64))


@refused(named("src", "cpu", "cuda:0", "scatter__src"), source=GENERATED)
def scatter_source(devices: Devices) -> None:
    """``scatter_`` with values on the CPU."""
    index = torch.zeros(1, 2, dtype=torch.int64, device=devices[0])
    on(devices[0], 2, 2).scatter_(0, index, torch.ones(1, 2))


@refused(named("tensors", "cpu", "cuda:0", "cat"), source=GENERATED)
def concatenate(devices: Devices) -> None:
    """``cat`` of two devices."""
    torch.cat([on(devices[0]), torch.ones(3)])


@refused(named("tensors", "cuda:1", "cuda:0", "cat"), source=GENERATED, devices=2)
def concatenate_cards(devices: Devices) -> None:
    """Results of two cards are not joined by themselves."""
    torch.cat([on(devices[0]), on(devices[1])])


@refused(named("tensors", "cpu", "cuda:0", "cat"), source="TensorShape.cpp stack; " + GENERATED)
def stack(devices: Devices) -> None:
    """``stack`` is a ``cat`` inside."""
    torch.stack([on(devices[0]), torch.ones(3)])


@refused(named("other", "cpu", "cuda:0", "_equal"), source=GENERATED)
def equal(devices: Devices) -> None:
    """``torch.equal`` compares on one device only."""
    torch.equal(on(devices[0]), torch.ones(3))


@refused(named("weight", "cpu", "cuda:0", "_native_layer_norm"), source=GENERATED)
def layer_norm_weight(devices: Devices) -> None:
    """A weight of layer norm on the CPU."""
    F.layer_norm(on(devices[0], 2, 3), (3,), weight=torch.ones(3))


@refused(
    named("self", "cuda:0", "cpu", "mm_out_out"),
    source="torchgen/api/native.py name(): out overloads get _out twice",
)
def matmul_out_elsewhere(devices: Devices) -> None:
    """``out=`` is checked first, and the wrapper has a name of its own."""
    torch.mm(on(devices[0], 2, 2), on(devices[0], 2, 2), out=torch.empty(2, 2))


@refused(
    "Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) should be the same "
    "or input should be a MKLDNN tensor and weight is a dense tensor",
    source=CONVOLUTION,
)
def convolution_input(devices: Devices) -> None:
    """Convolution speaks of types."""
    F.conv2d(torch.ones(1, 3, 8, 8), on(devices[0], 4, 3, 3, 3))


@refused(
    "Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same",
    source=CONVOLUTION,
)
def convolution_weight(devices: Devices) -> None:
    """The other way round the text is shorter."""
    F.conv2d(on(devices[0], 1, 3, 8, 8), torch.ones(4, 3, 3, 3))


@refused(
    "Input type (torch.cuda.FloatTensor) and bias type (torch.FloatTensor) should be the same",
    source=CONVOLUTION,
)
def convolution_bias(devices: Devices) -> None:
    """The bias is looked at last."""
    F.conv2d(on(devices[0], 1, 3, 8, 8), on(devices[0], 4, 3, 3, 3), torch.ones(4))


@program(
    {"type": "RuntimeError", "same_device": True},
    devices=2,
    source="cudnn_convolution: the wrapper depends on the cuDNN in use",
)
def convolution_two_cards(devices: Devices) -> Facts:
    """Two cards in a convolution."""
    try:
        F.conv2d(on(devices[0], 1, 3, 8, 8), on(devices[1], 4, 3, 3, 3))
    except RuntimeError as error:
        return {"type": "RuntimeError", "same_device": str(error).startswith(SAME)}
    return {}


@refused(
    "expected self and mask to be on the same device, but got mask on cpu and self on cuda:0",
    source="aten/src/ATen/native/cuda/Indexing.cu masked_fill__cuda",
)
def masked_fill_mask(devices: Devices) -> None:
    """``masked_fill`` has a text of its own."""
    on(devices[0]).masked_fill(torch.tensor([True, False, True]), 0.0)


@refused(
    "expected self and mask to be on the same device, but got mask on cuda:0 and self on cpu",
    source="aten/src/ATen/native/cuda/Indexing.cu masked_fill__cuda",
)
def masked_fill_mask_of_a_card(devices: Devices) -> None:
    """The other way round."""
    torch.ones(3).masked_fill(on(devices[0]) > 0, 0.0)


@refused(
    "Expected a 'cuda' device type for generator but found 'cpu'",
    source="ATen/core/Generator.h check_generator",
)
def generator_of_the_cpu(devices: Devices) -> None:
    """A CPU generator does not draw on a card."""
    torch.rand(2, device=devices[0], generator=torch.Generator())


@refused(
    "Expected a 'cpu' device type for generator but found 'cuda'",
    source="ATen/core/Generator.h check_generator",
)
def generator_of_a_card(devices: Devices) -> None:
    """Nor the other way round."""
    torch.rand(2, generator=torch.Generator(device=devices[0]))
