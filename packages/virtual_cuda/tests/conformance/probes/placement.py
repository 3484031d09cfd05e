"""Where tensors are, which card is the current one, and what a wrong question is told."""

from __future__ import annotations

import torch
from torch import nn

from ..probe import in_a_thread, refuses, shows, within

NOTES = "docs/source/notes/cuda.rst"
CUDA = "torch/cuda/__init__.py"
UTILS = "torch/cuda/_utils.py _get_device_index"
MULTI = "test/test_cuda_multigpu.py"
TEST = "test/test_cuda.py"
EXPECTED = "Expected a cuda device, but got: cpu"


def on_the_second(act):
    return within(torch.cuda.device(1), act)


shows("a bare cuda is card 0", NOTES, lambda: torch.ones(1, device="cuda").device, "cuda:0")
shows(
    "a bare cuda is the current card",
    NOTES,
    lambda: on_the_second(lambda: torch.ones(1, device="cuda").device),
    "cuda:1",
    devices=2,
)
shows(
    ".cuda() goes to the current card",
    NOTES,
    lambda: on_the_second(lambda: torch.ones(1).cuda().device),
    "cuda:1",
    devices=2,
)
shows(
    "a number beats the current card",
    NOTES,
    lambda: on_the_second(lambda: torch.ones(1).cuda(0).device),
    "cuda:0",
    devices=2,
)
shows(
    "results stay on their operands' card, whatever is current",
    NOTES,
    lambda: on_the_second(lambda: (torch.ones(1, device="cuda:0") + 1).device),
    "cuda:0",
    devices=2,
)
shows(
    "a legacy constructor goes to the current card",
    f"{MULTI} test_tensor_device",
    lambda: on_the_second(lambda: torch.cuda.FloatTensor(1).get_device()),
    1,
    devices=2,
)
shows(
    "a legacy constructor with a device",
    f"{MULTI} test_tensor_device",
    lambda: on_the_second(lambda: torch.cuda.FloatTensor(1, device=0).get_device()),
    0,
    devices=2,
)
shows("get_device of the CPU", "docs: Tensor.get_device", lambda: torch.ones(1).get_device(), -1)
shows(
    "get_device of a card",
    "docs: Tensor.get_device",
    lambda: torch.ones(1, device="cuda:1").get_device(),
    1,
    devices=2,
)
shows(
    "a new thread begins on card 0",
    f"{NOTES}; c10/cuda/CUDAFunctions.cpp: cudaGetDevice is per thread",
    lambda: on_the_second(lambda: in_a_thread(torch.cuda.current_device)),
    0,
    devices=2,
)
shows(
    "device_of follows a tensor",
    f"{CUDA} device_of",
    lambda: within(torch.cuda.device_of(torch.ones(1, device="cuda:1")), torch.cuda.current_device),
    1,
    devices=2,
)
shows(
    "device_of the CPU changes nothing",
    f"{CUDA} device_of: idx = -1",
    lambda: torch.cuda.device_of(torch.ones(1)).idx,
    -1,
)
shows(
    "device(-1) changes nothing",
    f"{CUDA} device; c10/cuda/CUDAFunctions.cpp ExchangeDevice",
    lambda: within(torch.cuda.device(-1), torch.cuda.current_device),
    0,
)
shows(
    "set_device(-1) changes nothing",
    f"{CUDA} set_device: if device >= 0",
    lambda: (torch.cuda.set_device(-1), torch.cuda.current_device())[1],
    0,
)
shows(
    "a module's new parameters follow device=",
    "docs: torch.nn.Linear",
    lambda: nn.Linear(2, 2, device="cuda:1").weight.device,
    "cuda:1",
    devices=2,
)
shows(
    "new_ones follows its tensor",
    f"{NOTES}: new_* constructors",
    lambda: torch.ones(1, device="cuda:1").new_ones(2).device,
    "cuda:1",
    devices=2,
)
shows(
    "zeros_like follows its tensor",
    f"{NOTES}: ones_like, zeros_like",
    lambda: torch.zeros_like(torch.ones(1, device="cuda:1")).device,
    "cuda:1",
    devices=2,
)
shows(
    "torch.tensor of a tensor of a card stays there",
    "docs: torch.tensor, device: if None and data is a tensor the device of data is used",
    lambda: torch.tensor(torch.ones(1, device="cuda")).device,
    "cuda:0",
)
shows(
    "torch.device in a with block",
    "docs: torch.device as a context manager",
    lambda: within(torch.device("cuda", 0), lambda: torch.ones(1).device),
    "cuda:0",
)
shows("a number is a card", "docs: torch.device: legacy", lambda: torch.device(1), "cuda:1")
shows(
    "cuda without a number has no index",
    "docs: torch.device",
    lambda: torch.device("cuda").index,
    None,
)
shows(
    "cuda is not cuda:0",
    "c10/core/Device.h operator==",
    lambda: torch.device("cuda") == torch.device("cuda:0"),
    False,
)
shows(
    "is_cuda of both",
    "docs: Tensor.is_cuda",
    lambda: [torch.ones(1).is_cuda, torch.ones(1, device="cuda").is_cuda],
    [False, True],
)
shows(
    "type() of a tensor of a card",
    "torch/csrc/utils/tensor_types.cpp",
    lambda: [torch.ones(1, device="cuda").type(), torch.ones(1, device="cuda").half().type()],
    ["torch.cuda.FloatTensor", "torch.cuda.HalfTensor"],
)
shows(
    "type() moves to a card",
    "docs: Tensor.type",
    lambda: torch.ones(1).type("torch.cuda.DoubleTensor").device,
    "cuda:0",
)
shows(
    "isinstance of the legacy types",
    "docs: torch.Tensor: legacy types",
    lambda: [
        isinstance(torch.ones(1, device="cuda"), torch.cuda.FloatTensor),
        isinstance(torch.ones(1), torch.cuda.FloatTensor),
    ],
    [True, False],
)
shows(
    "a copy to the same card is the same tensor",
    "docs: Tensor.cuda: no copy is performed",
    lambda: (lambda x: x.cuda() is x)(torch.ones(1, device="cuda")),
    True,
)
shows(
    "to(copy=True) is another",
    "docs: Tensor.to",
    lambda: (lambda x: x.to("cuda", copy=True) is x)(torch.ones(1, device="cuda")),
    False,
)
refuses(
    "synchronize of the CPU",
    f"{MULTI} test_cuda_synchronize",
    lambda: torch.cuda.synchronize("cpu"),
    EXPECTED,
    "ValueError",
)
refuses(
    "current_stream of the CPU",
    f"{MULTI} test_current_stream",
    lambda: torch.cuda.current_stream(torch.device("cpu")),
    EXPECTED,
    "ValueError",
)
refuses(
    "default_stream of the CPU",
    f"{MULTI} test_default_stream",
    lambda: torch.cuda.default_stream(torch.device("cpu")),
    EXPECTED,
    "ValueError",
)
refuses(
    "get_device_name of the CPU",
    UTILS,
    lambda: torch.cuda.get_device_name("cpu"),
    EXPECTED,
    "ValueError",
)
refuses(
    "memory_allocated of the CPU",
    UTILS,
    lambda: torch.cuda.memory_allocated("cpu"),
    EXPECTED,
    "ValueError",
)
refuses(
    "set_device of the CPU", UTILS, lambda: torch.cuda.set_device("cpu"), EXPECTED, "ValueError"
)
refuses(
    "a device string without a colon",
    f"{TEST} test_get_device_index",
    lambda: torch.cuda.synchronize("cuda0"),
    "Invalid device string: 'cuda0'",
)
refuses(
    "loading to a device string without a colon",
    f"{TEST} test_specify_improper_device_name",
    lambda: torch.ones(1).to("cuda0"),
    "Invalid device string: 'cuda0'",
)
refuses(
    "properties of a negative number",
    f"{CUDA} get_device_properties",
    lambda: torch.cuda.get_device_properties(-3),
    "Invalid device id",
    "AssertionError",
)
refuses(
    "peer access of a missing card",
    f"{CUDA} can_device_access_peer",
    lambda: torch.cuda.can_device_access_peer(0, 99),
    "Invalid peer device id",
    "AssertionError",
)
refuses(
    "peer access from a missing card",
    f"{CUDA} can_device_access_peer",
    lambda: torch.cuda.can_device_access_peer(99, 0),
    "Invalid device id",
    "AssertionError",
)
for name, act in {
    "set_device": lambda: torch.cuda.set_device(77),
    "a tensor": lambda: torch.ones(1, device="cuda:77"),
    "cuda()": lambda: torch.ones(1).cuda(77),
    "a module": lambda: nn.Linear(1, 1).to("cuda:77"),
    "the context": lambda: torch.cuda.device(77).__enter__(),
}.items():
    refuses(
        f"{name} on a missing card",
        "c10/cuda/CUDAFunctions.cpp SetDevice; cudaErrorInvalidDevice of the CUDA runtime",
        act,
        "CUDA error: invalid device ordinal",
        "AcceleratorError",
    )
refuses(
    "numpy of a card's tensor",
    f"{TEST} test_to_numpy; torch/csrc/utils/tensor_numpy.cpp tensor_to_numpy",
    lambda: torch.empty(1, device="cuda").numpy(),
    "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to "
    "host memory first.",
    "TypeError",
)
