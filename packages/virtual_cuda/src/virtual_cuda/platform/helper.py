"""The optional compiled helper (``helper.cpp``): frequent operators without Python around a call.

Everything works without it, in the same way and more slowly. Where a C++ compiler is, the first
``enable()`` has it compiled in the background, into the user's cache folder, for this torch, this
Python and this version of its source; processes that start later use it.
``python -m virtual_cuda compile`` does the same at once, and says why where it cannot.

VIRTUAL_CUDA_HELPER=off does without it. In test runs, and where the variable CI is set, only
VIRTUAL_CUDA_HELPER=on has it compiled: a machine that is thrown away would only lose time.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from types import ModuleType

from .compiler import CannotCompile, compile_file, compiled, module_name, order

VARIABLE = "VIRTUAL_CUDA_HELPER"

# The operators it computes. A made-to-measure kernel (``specialise``) must be possible for each:
# no generator, device or list with gaps among the arguments, and results that are all fresh, or the
# first argument.
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
# Their Python kernels move to a device type that nobody has (NEC's), where the helper finds them.
SLOW_KEY = "VE"

_SOURCE = Path(__file__).with_suffix(".cpp")
_NAME = module_name(_SOURCE)

_TEST_RUN = ("CI", "PYTEST_CURRENT_TEST", "PYTEST_VERSION")  # children see them, too
_NO = ("", "0", "false")

loaded: ModuleType | None = None  # for the life of the process, as what it registers


def file() -> Path:
    """Where the helper for this torch and Python is, once it is compiled."""
    return compiled(_SOURCE)


def build() -> Path:
    """Compile the helper; return its file.

    Raises:
        RuntimeError: that is not possible here; the message says why.
    """
    try:
        return compile_file(_SOURCE)
    except CannotCompile as error:
        raise RuntimeError(f"The helper could not be compiled, do without it: {error}.") from None


def build_in_background() -> None:
    """Have the helper compiled for the processes to come, unless that is not wanted here."""
    wanted = os.environ.get(VARIABLE, "")
    is_test_run = any(os.environ.get(name, "") not in _NO for name in _TEST_RUN)
    if loaded is None and (wanted == "on" or (wanted == "" and not is_test_run)):
        order(_SOURCE)


def load() -> ModuleType | None:
    """The helper, if it is there and wanted."""
    global loaded
    if loaded is None and os.environ.get(VARIABLE) != "off" and file().exists():
        spec = importlib.util.spec_from_file_location(_NAME, file())
        assert spec is not None and spec.loader is not None
        loaded = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(loaded)
    return loaded
