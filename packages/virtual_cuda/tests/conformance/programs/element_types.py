"""Element types and operators that CUDA's kernels are not made for, or are, unlike the CPU's."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from ..registry import Devices, Facts, caught, program, refused

KERNELS = "names of kernels in libtorch_cuda 2.13; types in torch's operator database"
REFUSED = "NotImplementedError"


def integers(device: torch.device) -> torch.Tensor:
    return torch.arange(4, device=device).view(2, 2)


@refused("\"addmm_cuda\" not implemented for 'Long'", kind=REFUSED, source=KERNELS)
def integer_matrices(devices: Devices) -> None:
    """Matrices of integers are not multiplied on a GPU."""
    _ = integers(devices[0]) @ integers(devices[0])


@refused("\"baddbmm_cuda\" not implemented for 'Long'", kind=REFUSED, source=KERNELS)
def batches_of_integer_matrices(devices: Devices) -> None:
    """Nor are batches of them."""
    _ = integers(devices[0])[None] @ integers(devices[0])[None]


@refused("\"addmv_impl_cuda\" not implemented for 'Long'", kind=REFUSED, source=KERNELS)
def an_integer_matrix_and_a_vector(devices: Devices) -> None:
    """Nor a matrix and a vector."""
    _ = integers(devices[0]) @ integers(devices[0])[0]


@refused("\"addmm_cuda\" not implemented for 'Long'", kind=REFUSED, source=KERNELS)
def a_linear_layer_of_integers(devices: Devices) -> None:
    """A forgotten .float() before a linear layer."""
    weight = integers(devices[0])
    F.linear(weight, weight, weight[0])


@refused("\"host_softmax\" not implemented for 'Long'", kind=REFUSED, source=KERNELS)
def a_softmax_of_integers(devices: Devices) -> None:
    """The name is that of CUDA's kernel."""
    integers(devices[0]).softmax(0)


@refused("\"normal_kernel_cuda\" not implemented for 'Long'", kind=REFUSED, source=KERNELS)
def normal_integers(devices: Devices) -> None:
    """randn_like takes the type of its argument."""
    torch.randn_like(integers(devices[0]))


@refused(
    "\"upsample_bilinear2d_out_frame\" not implemented for 'Byte'", kind=REFUSED, source=KERNELS
)
def bytes_of_an_image_interpolated(devices: Devices) -> None:
    """An image of bytes is interpolated on the CPU only."""
    image = torch.zeros(1, 3, 4, 4, dtype=torch.uint8, device=devices[0])
    F.interpolate(image, scale_factor=2, mode="bilinear")


@program(
    {"start": "Could not run 'aten::histogram.bin_ct' with arguments from the 'CUDA' backend."},
    source="native_functions.yaml: histogram has a kernel for the CPU alone",
)
def an_operator_of_the_cpu_alone(devices: Devices) -> Facts:
    """torch.histogram has no CUDA kernel."""
    text = caught(lambda: torch.histogram(torch.ones(3, device=devices[0]), 2))["text"]
    return {"start": text[: text.find(" This could")]}


@program(
    {
        "spectrum": "torch.complex32",
        "back": "torch.float16",
        "six": "cuFFT only supports dimensions whose sizes are powers of two when computing in "
        "half precision, but got a signal size of[6]",
    },
    source=KERNELS,
)
def fourier_transforms_of_halves(devices: Devices) -> Facts:
    """cuFFT takes halves, where sizes are powers of two."""
    x = torch.ones(8, device=devices[0]).half()
    spectrum = torch.fft.rfft(x)
    return {
        "spectrum": str(spectrum.dtype),
        "back": str(torch.fft.irfft(spectrum).dtype),
        "six": caught(lambda: torch.fft.rfft(x[:6]))["text"],
    }


@program(
    {"softmax": "torch.float16", "log_softmax": "torch.float16"},
    source="torch/csrc/autograd/FunctionsManual.cpp; test_torch.py",
)
def gradients_of_softmax_from_halves(devices: Devices) -> Facts:
    """softmax(half, dtype=float32) has a gradient in halves."""
    facts: Facts = {}
    for softmax in (F.softmax, F.log_softmax):
        x = torch.randn(3, 4, device=devices[0]).half().requires_grad_()
        softmax(x, -1, dtype=torch.float32)[0].sum().backward()
        assert x.grad is not None
        facts[softmax.__name__] = str(x.grad.dtype)
    return facts
