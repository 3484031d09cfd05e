"""Copies, pinned memory, arrays of other libraries, files."""

from __future__ import annotations

import copy
import io
import pickle

import torch
from torch import nn

from ..probe import refuses, shows

COPY = "aten/src/ATen/native/cuda/Copy.cu"
NOTES = "docs/source/notes/cuda.rst: Use pinned memory buffers"
SYNC = "c10/cuda/CUDAFunctions.cpp warn_or_error_on_sync; test/test_cuda.py test_cuda_sync_warnings"


def pinned(*shape):
    return torch.ones(shape or (2,)).pin_memory()


def synchronizes(act):
    """Whether the host waits for a card."""
    torch.cuda.synchronize()
    torch.cuda.set_sync_debug_mode("error")
    try:
        act()
    except RuntimeError as error:
        return str(error) == "called a synchronizing CUDA operation" or str(error)
    finally:
        torch.cuda.set_sync_debug_mode("default")
    return False


def waits(act):
    """Whether the host waits until work that was given before is done."""
    torch.cuda._sleep(200_000_000)
    event = torch.cuda.current_stream().record_event()
    act()
    done = event.query()
    torch.cuda.synchronize()
    return done


def x(*shape):
    return torch.ones(shape or (2,), device="cuda")


def saved(value, **how):
    buffer = io.BytesIO()
    torch.save(value, buffer)
    buffer.seek(0)
    return torch.load(buffer, **how)


INDEX = torch.tensor([0])
SYNCHRONIZING = {
    "item": (lambda: x(1).item(), True),
    "cpu": (lambda: x().cpu(), True),
    "to the CPU, not blocking": (lambda: x().to("cpu", non_blocking=True), False),
    "from pageable memory": (lambda: torch.ones(2).cuda(), True),
    "from pageable memory, not blocking": (
        lambda: torch.ones(2).to("cuda", non_blocking=True),
        False,
    ),
    "from pinned memory": (lambda: pinned().cuda(), True),
    "from pinned memory, not blocking": (lambda: pinned().cuda(non_blocking=True), False),
    "nonzero": (lambda: x().nonzero(), True),
    "masked_select": (lambda: x().masked_select(x() > 0), True),
    "a mask as index": (lambda: x()[x() > 0], True),
    "an index of the CPU": (lambda: x()[INDEX], True),
    "an index of the card": (lambda: x()[:1], False),
    "a slice": (lambda: x()[0], False),
    "filling where a mask says": (lambda: x().masked_fill_(x() > 0, 1.0), False),
    "where": (lambda: torch.where(x() > 0, x(), 0.0), False),
    "bool": (lambda: bool(x(1)), True),
    "tolist": (lambda: x().tolist(), True),
    "torch.equal": (lambda: torch.equal(x(), x()), True),
    "unique": (lambda: x().unique(), True),
    "repeat_interleave": (
        lambda: x().repeat_interleave(torch.ones(2, dtype=torch.int64, device="cuda")),
        True,
    ),
    "repeat_interleave of a known size": (
        lambda: x().repeat_interleave(
            torch.ones(2, dtype=torch.int64, device="cuda"), output_size=2
        ),
        False,
    ),
    "a product": (lambda: x(2, 2) @ x(2, 2), False),
    "a number": (lambda: x() + 1.5, False),
    "a copy within a card": (lambda: x().clone(), False),
    "a full tensor": (lambda: torch.full((2,), 3.0, device="cuda"), False),
    "torch.tensor": (lambda: torch.tensor([1.0], device="cuda"), True),
}
for name, (act, expected) in SYNCHRONIZING.items():
    shows(f"{name}: whether the host waits", SYNC, lambda a=act: synchronizes(a), expected)
shows(
    "between two cards the host does not wait",
    f"{COPY} copy_kernel_cuda: peer copies",
    lambda: synchronizes(lambda: x().to("cuda:1")),
    False,
    devices=2,
)
shows(
    "item waits for the work before",
    "docs/source/notes/cuda.rst: Asynchronous execution",
    lambda: waits(lambda: x(1).item()),
    True,
)
shows(
    "a kernel does not wait",
    "docs/source/notes/cuda.rst: Asynchronous execution",
    lambda: waits(lambda: x(2) + 1),
    False,
)
shows(
    "freeing does not wait",
    "docs/source/notes/cuda.rst: Memory management",
    lambda: waits(lambda: x(2)),
    False,
)
warning = "called a synchronizing CUDA operation"
refuses(
    "a sync debug mode that there is not",
    "torch/cuda/__init__.py set_sync_debug_mode",
    lambda: torch.cuda.set_sync_debug_mode("loud"),
    "invalid value of debug_mode, expected one of `default`, `warn`, `error`",
)
shows(
    "the sync debug mode is a number",
    "torch/cuda/__init__.py get_sync_debug_mode",
    torch.cuda.get_sync_debug_mode,
    0,
)
shows(
    "pinned memory is of the CPU",
    NOTES,
    lambda: [pinned().device, pinned().is_pinned()],
    ["cpu", True],
)
shows("plain memory is not pinned", NOTES, lambda: torch.ones(1).is_pinned(), False)
shows(
    "a part of a pinned tensor is pinned",
    "aten/src/ATen/cuda/CachingHostAllocator.cpp isPinnedPtr",
    lambda: pinned(4)[1:].is_pinned(),
    True,
)
shows(
    "a copy of a pinned tensor is not",
    "docs: Tensor.pin_memory",
    lambda: pinned().clone().is_pinned(),
    False,
)
shows(
    "pinning twice is free",
    "aten/src/ATen/native/Memory.cpp pin_memory",
    lambda: (lambda p: p.pin_memory() is p or p.pin_memory().data_ptr() == p.data_ptr())(pinned()),
    True,
)
shows(
    "made pinned",
    "docs: torch.empty, pin_memory",
    lambda: torch.empty(2, pin_memory=True).is_pinned(),
    True,
)
shows(
    "not blocking, to the host: pinned",
    f"{COPY}; aten/src/ATen/native/TensorConversions.cpp _to_copy",
    lambda: x().to("cpu", non_blocking=True).is_pinned(),
    True,
)
refuses(
    "pinning a card's tensor",
    "aten/src/ATen/native/Memory.cpp _pin_memory",
    lambda: x().pin_memory(),
    "cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned",
)
refuses(
    "making a card's tensor pinned",
    "aten/src/ATen/cuda/EmptyTensor.cpp",
    lambda: torch.empty(2, device="cuda", pin_memory=True),
    "Only dense CPU tensors can be pinned",
)
shows(
    "cudaHostRegister",
    "test/test_cuda.py test_cudart_register",
    lambda: registered(),
    [False, True, False],
)


def registered():
    tensor = torch.ones(20)
    seen, cudart = [tensor.is_pinned()], torch.cuda.cudart()
    cudart.cudaHostRegister(tensor.data_ptr(), tensor.nbytes, 0)
    seen.append(tensor.is_pinned())
    cudart.cudaHostUnregister(tensor.data_ptr())
    return [*seen, tensor.is_pinned()]


refuses(
    "an array of numpy's own making",
    "torch/_tensor.py __array__",
    lambda: x().__array__(),
    "can't convert cuda:0 device type tensor to numpy.",
    "TypeError",
)
refuses(
    "the array interface of the CPU",
    "torch/_tensor.py __cuda_array_interface__",
    lambda: torch.ones(1).__cuda_array_interface__,
    "Can't get __cuda_array_interface__ on non-CUDA tensor type: torch.FloatTensor",
    "AttributeError",
)
refuses(
    "the array interface of what is trained",
    "torch/_tensor.py __cuda_array_interface__",
    lambda: x().requires_grad_().__cuda_array_interface__,
    "Can't get __cuda_array_interface__ on Variable that requires grad.",
)
shows(
    "the array interface",
    "torch/_tensor.py __cuda_array_interface__; test/test_numba_integration.py",
    lambda: [
        x(2, 3).__cuda_array_interface__[k] for k in ("typestr", "shape", "strides", "version")
    ],
    ["<f4", [2, 3], None, 2],
)
shows(
    "the array interface of nothing",
    "torch/_tensor.py: data_ptr = 0",
    lambda: x(0).__cuda_array_interface__["data"],
    [0, False],
)
shows(
    "DLPack's device",
    "torch/_tensor.py __dlpack_device__: kDLCUDA = 2",
    lambda: [int(v) for v in x().__dlpack_device__()],
    [2, 0],
)
shows(
    "DLPack shares",
    "docs: torch.from_dlpack",
    lambda: (lambda t: torch.from_dlpack(t).data_ptr() == t.data_ptr())(x()),
    True,
)
shows("saved and loaded", "docs: torch.load", lambda: saved(x()).device, "cuda:0")
shows(
    "loaded on the CPU",
    "docs: torch.load, map_location",
    lambda: saved(x(), map_location="cpu").device,
    "cpu",
)
shows(
    "loaded on another card",
    "docs: torch.load, map_location",
    lambda: saved(torch.ones(1), map_location="cuda:1").device,
    "cuda:1",
    devices=2,
)
refuses(
    "loaded on a missing card",
    "torch/serialization.py _validate_device",
    lambda: saved(x(), map_location="cuda:77"),
    "Attempting to deserialize object on CUDA device 77 but torch.cuda.device_count() is",
)
shows(
    "pickled",
    "torch/_tensor.py __reduce_ex__",
    lambda: pickle.loads(pickle.dumps(x())).device,
    "cuda:0",
)
shows("a deep copy", "torch/_tensor.py __deepcopy__", lambda: copy.deepcopy(x()).device, "cuda:0")
shows(
    "a module's state",
    "docs: Module.state_dict",
    lambda: nn.Linear(1, 1).cuda().state_dict()["weight"].device,
    "cuda:0",
)
refuses(
    "from a meta tensor",
    "aten/src/ATen/native/Copy.cpp",
    lambda: torch.ones(1, device="meta").cuda(),
    "Cannot copy out of meta tensor; no data!",
    "NotImplementedError",
)
refuses(
    "a module from meta",
    "torch/nn/modules/module.py to",
    lambda: nn.Linear(1, 1, device="meta").cuda(),
    "Cannot copy out of meta tensor; no data!",
    "NotImplementedError",
)
refuses(
    "sharing memory of another kind",
    "torch/cuda/__init__.py _CudaLegacyStorage",
    lambda: torch.cuda.FloatStorage.from_buffer(b"1234"),
    "from_buffer: Not available for CUDA storage",
)
