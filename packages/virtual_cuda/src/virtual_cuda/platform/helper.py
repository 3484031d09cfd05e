"""The optional compiled helper (``helper.cpp``): frequent operators without Python code.

Everything works without it, but more slowly. If there is a C++ compiler, the first ``enable()``
starts its compilation in the background, into the user's cache folder, for this torch, Python and
version of its source. Later processes use it. ``python -m virtual_cuda compile`` compiles it at
once, and prints the reason if it cannot. VIRTUAL_CUDA_HELPER=off disables it. In test runs, and if

the variable CI is set, it is compiled only with VIRTUAL_CUDA_HELPER=on, because the time would be
wasted on a temporary machine.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from types import ModuleType

from .compiler import CannotCompile, compile_file, compiled, module_name, order

VARIABLE = "VIRTUAL_CUDA_HELPER"

# The operators it computes. Each must allow a specialised kernel (``specialise``): no generator,
# device or list with gaps among the arguments, and only new results, or the first argument.
KERNELS = {
    "_foreach_add_.List",
    "_foreach_add_.Scalar",
    "_foreach_mul_.Scalar",
    "_log_softmax_backward_data",
    "add.Tensor",
    "add_.Tensor",
    "addmm",
    "bmm",
    "cat",
    "clone",
    "convolution",
    "div.Tensor",
    "exp",
    "fill_.Scalar",
    "max_pool2d_with_indices",
    "max_pool2d_with_indices_backward",
    "mean",
    "mm",
    "mul.Tensor",
    "mul_.Tensor",
    "native_batch_norm",
    "native_batch_norm_backward",
    "neg",
    "nll_loss_backward",
    "nll_loss_forward",
    "relu",
    "sigmoid",
    "sub.Tensor",
    "sum",
    "sum.dim_IntList",
    "tanh",
    "threshold_backward",
    "zero_",
}
VIEWS = {
    "alias",
    "as_strided",
    "detach",
    "expand",
    "permute",
    "select.int",
    "slice.Tensor",
    "squeeze.dim",
    "t",
    "transpose.int",
    "unsqueeze",
    "view",
}
# The helper finds their Python kernels under this unused device type (NEC's).
SLOW_KEY = "VE"

_SOURCE = Path(__file__).with_suffix(".cpp")
_NAME = module_name(_SOURCE)

_TEST_RUN = ("CI", "PYTEST_CURRENT_TEST", "PYTEST_VERSION")  # child processes inherit them
_NO = ("", "0", "false")

loaded: ModuleType | None = None  # for the life of the process, like its registrations


def file() -> Path:
    """The path of the compiled helper for this torch and Python."""
    return compiled(_SOURCE)


def build() -> Path:
    """Compile the helper. Returns the path of its file.

    Raises:
        RuntimeError: it cannot be compiled here; the message says why.
    """
    try:
        return compile_file(_SOURCE)
    except CannotCompile as error:
        raise RuntimeError(f"The optional helper could not be compiled: {error}.") from None


def build_in_background() -> None:
    """Start the compilation of the helper for later processes, unless it is disabled."""
    wanted = os.environ.get(VARIABLE, "")
    is_test_run = any(os.environ.get(name, "") not in _NO for name in _TEST_RUN)
    if loaded is None and (wanted == "on" or (wanted == "" and not is_test_run)):
        order(_SOURCE)


def load() -> ModuleType | None:
    """The helper; None if it is missing or disabled."""
    global loaded
    if loaded is None and os.environ.get(VARIABLE) != "off" and file().exists():
        spec = importlib.util.spec_from_file_location(_NAME, file())
        assert spec is not None and spec.loader is not None
        loaded = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(loaded)
    return loaded
