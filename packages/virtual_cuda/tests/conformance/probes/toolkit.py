"""``torch.cuda`` and ``torch.backends`` beside tensors; operators that programs bring along."""

from __future__ import annotations

import torch

from ..probe import refuses, shows, within

CUDA = "torch/cuda/__init__.py"
NVML = "docs: torch.cuda."
LIBRARY = "docs: torch.library; the dispatcher, aten/src/ATen/core/dispatch/OperatorEntry.cpp"
BACKENDS = "docs: torch.backends"


@torch.library.custom_op("probes::on_the_cpu", mutates_args=(), device_types="cpu")
def on_the_cpu(x: torch.Tensor) -> torch.Tensor:
    return x + 1


@torch.library.custom_op("probes::anywhere", mutates_args=())
def anywhere(x: torch.Tensor) -> torch.Tensor:
    return x + 1


@torch.library.custom_op("probes::on_cards", mutates_args=(), device_types="cuda")
def on_cards(x: torch.Tensor) -> torch.Tensor:
    return x + 1


def x():
    return torch.ones(4, 4, device="cuda")


def uncached():
    torch.cuda.memory.caching_allocator_enable(False)
    try:
        return torch._C._cuda_cudaCachingAllocator_is_enabled()
    finally:
        torch.cuda.memory.caching_allocator_enable(True)


def set_and_back(module, name, value):
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        return getattr(module, name)
    finally:
        setattr(module, name, before)


refuses(
    "an operator for the CPU alone",
    LIBRARY,
    lambda: on_the_cpu(x()),
    "Could not run 'probes::on_the_cpu' with arguments from the 'CUDA' backend.",
    "NotImplementedError",
)
shows("an operator for every device", LIBRARY, lambda: anywhere(x()).device, "cuda:0")
shows("an operator for cards", LIBRARY, lambda: on_cards(x()).device, "cuda:0")
refuses(
    "an operator for cards, on the CPU",
    LIBRARY,
    lambda: on_cards(torch.ones(1)),
    "Could not run 'probes::on_cards' with arguments from the 'CPU' backend.",
    "NotImplementedError",
)
refuses(
    "a quantized layer",
    "docs: torch.ao.quantization: backends are of the CPU",
    lambda: torch.ao.nn.quantized.dynamic.Linear(4, 4)(x()),
    "Could not run 'quantized::linear_dynamic' with arguments from the 'CUDA' backend.",
    "NotImplementedError",
)
refuses(
    "record_stream of the CPU",
    "native_functions.yaml record_stream: CUDA",
    lambda: torch.ones(1).record_stream(torch.cuda.current_stream()),
    "Could not run 'aten::record_stream' with arguments from the 'CPU' backend.",
    "NotImplementedError",
)
refuses(
    "the MKLDNN layout",
    "native_functions.yaml to_mkldnn: CPU",
    lambda: x().to_mkldnn(),
    "Could not run 'aten::to_mkldnn' with arguments from the 'CUDA' backend.",
    "NotImplementedError",
)
refuses(
    "histogram",
    "native_functions.yaml histogram: CPU",
    lambda: torch.histogram(x(), 4),
    "Could not run 'aten::histogram.bin_ct' with arguments from the 'CUDA' backend.",
    "NotImplementedError",
)
refuses(
    "a named file of shared memory",
    "torch/csrc/StorageSharing.cpp",
    lambda: x().untyped_storage()._share_filename_cpu_(),
    "_share_filename_: only available on CPU",
)
shows(
    "share_memory_ changes nothing",
    "docs: Tensor.share_memory_: a no-op for CUDA tensors",
    lambda: (lambda t: t.share_memory_() is t)(x()),
    True,
)
shows(
    "CUDA tensors are shared",
    "docs: Tensor.is_shared: always True for CUDA tensors",
    lambda: x().is_shared(),
    True,
)
shows(
    "the allocator without its cache",
    "test/test_cuda.py test_cachingAllocator_raw_alloc",
    uncached,
    False,
)
shows(
    "temperature is a number",
    NVML + "temperature",
    lambda: type(torch.cuda.temperature()).__name__,
    "int",
)
shows(
    "power_draw is a number",
    NVML + "power_draw",
    lambda: type(torch.cuda.power_draw()).__name__,
    "int",
)
shows(
    "clock_rate is a number",
    NVML + "clock_rate",
    lambda: type(torch.cuda.clock_rate()).__name__,
    "int",
)
shows(
    "utilization is a percentage",
    NVML + "utilization",
    lambda: 0 <= torch.cuda.utilization() <= 100,
    True,
)
shows(
    "memory_usage is a percentage",
    NVML + "memory_usage",
    lambda: 0 <= torch.cuda.memory_usage() <= 100,
    True,
)
shows(
    "list_gpu_processes names the card",
    NVML + "list_gpu_processes",
    lambda: torch.cuda.list_gpu_processes().startswith("GPU:0"),
    True,
)
shows(
    "gencode flags come from the list of architectures",
    f"{CUDA} get_gencode_flags",
    lambda: torch.cuda.get_gencode_flags().count("-gencode") == len(torch.cuda.get_arch_list()),
    True,
)
shows(
    "a card's name is asked in three ways",
    "test/test_cuda.py test_cuda_get_device_name",
    lambda: len(
        {
            torch.cuda.get_device_name(),
            torch.cuda.get_device_name(None),
            torch.cuda.get_device_name(0),
        }
    ),
    1,
)
shows(
    "a card's capability is asked in three ways",
    "test/test_cuda.py test_cuda_get_device_capability",
    lambda: len(
        {
            torch.cuda.get_device_capability(),
            torch.cuda.get_device_capability(None),
            torch.cuda.get_device_capability(0),
        }
    ),
    1,
)
shows(
    "a runtime error by its number",
    "test/test_cuda.py test_check_error",
    lambda: torch.cuda.check_error(0),
    None,
)
refuses(
    "error 2 is out of memory",
    "test/test_cuda.py test_check_error",
    lambda: torch.cuda.check_error(2),
    "out of memory",
    "CudaError",
)
refuses(
    "error 101 is the ordinal",
    "CUDA runtime: cudaErrorInvalidDevice",
    lambda: torch.cuda.check_error(101),
    "invalid device ordinal",
    "CudaError",
)
shows(
    "TF32 of products is off",
    "docs/source/notes/cuda.rst: False in PyTorch 1.12 and later",
    lambda: torch.backends.cuda.matmul.allow_tf32,
    False,
)
shows(
    "TF32 of convolutions is on",
    "docs/source/notes/cuda.rst: TF32",
    lambda: torch.backends.cudnn.allow_tf32,
    True,
)
shows(
    "TF32 can be set",
    BACKENDS,
    lambda: set_and_back(torch.backends.cuda.matmul, "allow_tf32", True),
    True,
)
shows(
    "benchmark can be set",
    BACKENDS,
    lambda: set_and_back(torch.backends.cudnn, "benchmark", True),
    True,
)
shows(
    "cuDNN flags in a block",
    BACKENDS + ".cudnn.flags",
    lambda: within(torch.backends.cudnn.flags(enabled=False), lambda: torch.backends.cudnn.enabled),
    False,
)
shows(
    "reduced precision of halves is allowed",
    BACKENDS + ".cuda.matmul",
    lambda: torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction,
    True,
)
refuses(
    "a setting of products that there is not",
    "torch/backends/cuda/__init__.py cuBLASModule",
    lambda: torch.backends.cuda.matmul.fast,
    "Unknown attribute fast",
    "AttributeError",
)
shows(
    "plans of cuFFT",
    "test/test_spectral_ops.py test_cufft_plan_cache",
    lambda: torch.backends.cuda.cufft_plan_cache.max_size > 0,
    True,
)
refuses(
    "plans of cuFFT on a missing card",
    "test/test_spectral_ops.py test_cufft_plan_cache; torch/backends/cuda",
    lambda: torch.backends.cuda.cufft_plan_cache[77],
    "cufft_plan_cache: expected 0 <= device index < ",
)
refuses(
    "a missing library for linear algebra",
    "torch/backends/cuda/__init__.py preferred_linalg_library",
    lambda: torch.backends.cuda.preferred_linalg_library("mine"),
    "Unknown input value. Choose from: default, ",
)
shows(
    "all three kernels of attention are on",
    BACKENDS + ".cuda",
    lambda: [
        torch.backends.cuda.flash_sdp_enabled(),
        torch.backends.cuda.mem_efficient_sdp_enabled(),
        torch.backends.cuda.math_sdp_enabled(),
    ],
    [True, True, True],
)
shows(
    "the accelerator is CUDA",
    "docs: torch.accelerator",
    lambda: torch.accelerator.current_accelerator(),
    "cuda",
)
shows(
    "torch.get_device_module",
    "docs: torch.get_device_module",
    lambda: torch.get_device_module("cuda") is torch.cuda,
    True,
)
shows(
    "NCCL is there", "docs: torch.distributed", lambda: torch.distributed.is_nccl_available(), True
)
shows(
    "NCCL's version has three numbers",
    "torch/cuda/nccl.py version",
    lambda: len(torch.cuda.nccl.version()) >= 3,
    True,
)
shows(
    "torch.version",
    "a CUDA build of torch",
    lambda: [torch.version.hip, torch.version.cuda is None],
    [None, False],
)
shows("half is there", f"{CUDA} has_half", lambda: torch.cuda.has_half, True)
shows("nothing is lazy once it was used", f"{CUDA} is_initialized", torch.cuda.is_initialized, True)
