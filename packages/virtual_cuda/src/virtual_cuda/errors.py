"""The messages of CUDA and of PyTorch's CUDA build, in one place.

Each text is the one a CUDA user of PyTorch 2.13 sees, so that it can be searched for.
Sources: ``c10/cuda/CUDAException.cpp``, ``CUDAMiscFunctions.cpp``, ``CUDACachingAllocator.cpp``,
``torch/cuda/__init__.py``, ``torch/csrc/distributed/c10d/NCCLUtils.cpp``.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

NCCL_VERSION = (2, 29, 7)  # the version in torch 2.13

NOT_COMPILED = "Torch not compiled with CUDA enabled"
NO_DEVICES = "No CUDA GPUs are available"
FORKED = (
    "Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, "
    "you must use the 'spawn' start method"
)
_LOG = "For more detailed error information, run with CUDA_LOG_FILE=stderr\n"
_ASYNCHRONOUS = (
    "CUDA kernel errors might be asynchronously reported at some other API call, "
    "so the stacktrace below might be incorrect.\n"
    "For debugging consider passing CUDA_LAUNCH_BLOCKING=1\n"
)


class VirtualCudaUnavailable(RuntimeError):
    """Virtual GPUs cannot be switched on here. The message says why and what to do."""


class VirtualCudaUnsupported(VirtualCudaUnavailable):
    """Virtual GPUs, or some of their features, do not work with this system, Python or torch.

    ``cause`` is only the reason, for callers with their own advice.
    """

    def __init__(self, cause: str) -> None:
        super().__init__(
            f"Virtual GPUs are not possible here ({cause}). Use an official wheel of torch on "
            "Linux; WSL, a container or a hosted notebook is Linux too."
        )
        self.cause = cause


class UnsupportedFeature(VirtualCudaUnsupported, NotImplementedError):
    """A feature of CUDA that virtual GPUs do not have. Everything else keeps working.

    ``cause`` is the missing feature. The message says what to do instead.
    """

    def __init__(self, cause: str, instead: str) -> None:
        RuntimeError.__init__(self, f"Virtual GPUs have no {cause}: {instead}.")
        self.cause = cause


class UnsupportedName(UnsupportedFeature, AttributeError):
    """A name that is missing in a CUDA module here. It makes ``hasattr`` return False."""


def _cuda_error(code: int, text: str, help_text: str, suffix: str) -> torch.AcceleratorError:
    """An error of the CUDA runtime from its number, text, help text, and a hint on debugging."""
    error = torch.AcceleratorError(
        f"CUDA error: {text}\n{help_text}\n{suffix}"
        "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.\n"
    )
    error.error_code = code  # type: ignore[attr-defined]
    return error


def _search_for(name: str) -> str:
    return (
        f"Search for `{name}' in https://docs.nvidia.com/cuda/cuda-runtime-api/"
        "group__CUDART__TYPES.html for more information."
    )


def invalid_ordinal() -> torch.AcceleratorError:
    """The error for a device number that does not exist."""
    return _cuda_error(
        101,
        "invalid device ordinal",
        "GPU device may be out of range, do you have enough GPUs?",
        _LOG,
    )


def invalid_resource_handle() -> torch.AcceleratorError:
    """The error for a stream or event that belongs to another card."""
    return _cuda_error(
        400, "invalid resource handle", _search_for("cudaErrorInvalidResourceHandle"), _LOG
    )


def device_side_assert() -> torch.AcceleratorError:
    """The error for an index out of range in a kernel, and for every later call."""
    return _cuda_error(
        710, "device-side assert triggered", _search_for("cudaErrorAssert"), _ASYNCHRONOUS
    )


def illegal_memory_access() -> torch.AcceleratorError:
    """The error for a kernel that reads or writes memory of the host, or of another card."""
    return _cuda_error(
        700,
        "an illegal memory access was encountered",
        _search_for("cudaErrorIllegalAddress"),
        _ASYNCHRONOUS,
    )


def duplicate_gpu(rank: int, other: int, bus_id: str) -> Exception:
    """NCCL's error for two ranks of a communicator on the same card."""
    number = int(bus_id.replace(":", "").replace(".", ""), 16)
    version = ".".join(map(str, NCCL_VERSION))
    return torch.distributed.DistBackendError(
        "NCCL error in: /__w/pytorch/pytorch/torch/csrc/distributed/c10d/NCCLUtils.cpp:92, "
        f"invalid usage (run with NCCL_DEBUG=WARN for details), NCCL version {version}\n"
        "ncclInvalidUsage: This usually reflects invalid usage of NCCL library.\n"
        f"Last error:\nDuplicate GPU detected : rank {rank} and rank {other} both on CUDA device "
        f"{number:x}"
    )


def not_while_capturing() -> torch.AcceleratorError:
    """The error for a wait of the host during a CUDA graph's capture."""
    return _cuda_error(
        900,
        "operation not permitted when stream is capturing",
        _search_for("cudaErrorStreamCaptureUnsupported"),
        _ASYNCHRONOUS,
    )


def capture_was_lost() -> torch.AcceleratorError:
    """The error at the end of an invalidated capture."""
    return _cuda_error(
        901,
        "operation failed due to a previous error during capture",
        _search_for("cudaErrorStreamCaptureInvalidated"),
        _ASYNCHRONOUS,
    )


def no_quantized_tensors() -> UnsupportedFeature:
    """The error for quantized tensors."""
    return UnsupportedFeature(
        "quantized tensors", "quantize on the CPU, or use torch.fake_quantize_per_tensor_affine"
    )


def no_kernel(name: str) -> UnsupportedFeature:
    """The error for an operator that has kernels only for real GPUs."""
    return UnsupportedFeature(
        f"kernel for {name}, because torch has no CPU kernel for it",
        "use operators that also run on the CPU, or a real GPU",
    )


def human_bytes(count: int) -> str:
    """Bytes as the caching allocator prints them (``CUDACachingAllocator.cpp: format_size``)."""
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= size:
            return f"{count / size:.2f} {unit}"
    return f"{count} bytes"


def out_of_memory(
    device: int,
    requested: int,
    capacity: int,
    reserved: int,
    live: int,
    allowed: int | None,
    others: Sequence[tuple[int, int]],
    free: int,
) -> torch.OutOfMemoryError:
    """The out-of-memory error of one device. All amounts are bytes.

    ``allowed`` is the limit from ``torch.cuda.set_per_process_memory_fraction``, if there is one;
    ``others`` are pid and memory of the other compute processes.
    """
    neighbours = "".join(
        f"Process {pid} has {human_bytes(memory)} memory in use. " for pid, memory in others
    )
    limit = f"{human_bytes(allowed)} allowed; " if allowed is not None else ""
    return torch.OutOfMemoryError(
        f"CUDA out of memory. Tried to allocate {human_bytes(requested)}. "
        f"GPU {device} has a total capacity of {human_bytes(capacity)} "
        f"of which {human_bytes(free)} is free. {neighbours}"
        f"Including non-PyTorch memory, this process has {human_bytes(reserved)} memory in use. "
        f"{limit}Of the allocated memory {human_bytes(live)} is allocated by PyTorch, "
        f"and {human_bytes(reserved - live)} is reserved by PyTorch but unallocated. "
        "If reserved but unallocated memory is large try setting "
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  "
        "See documentation for Memory Management  (https://docs.pytorch.org/docs/stable/notes/"
        "cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf)"
    )


def too_much() -> torch.OutOfMemoryError:
    """The error for a request beyond the address space."""
    return torch.OutOfMemoryError("CUDA out of memory. Tried to allocate more than 1EB memory.")


def host_is_full(requested: int, free: int, left: int) -> torch.OutOfMemoryError:
    """The error if a virtual GPU has free memory, but the computer has not. Amounts are bytes."""
    return torch.OutOfMemoryError(
        f"CUDA out of memory. Tried to allocate {human_bytes(requested)}. "
        f"The virtual GPU has {human_bytes(free)} free. But it uses the memory of this computer, "
        f"which has only {human_bytes(left)} left."
    )
