"""The optional compiled helper (``helper.cpp``): frequent operators without Python around a call.

Everything works without it, in the same way and more slowly. It is compiled when somebody asks,
``python -m virtual_cuda compile``, into the user's cache folder, for this torch, this
Python and this version of its source; ``enable()`` uses it from then on.
VIRTUAL_CUDA_HELPER=off does without it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from types import ModuleType

import torch

from .cache import cache_folder, combination
from .switches import HAS_CUDA_BUILD

VARIABLE = "VIRTUAL_CUDA_HELPER"

# The operators it computes. A made-to-measure kernel (``specialise``) must be possible for each:
# no generator, device or list with gaps among the arguments, and results that are all fresh, or the
# first argument.
KERNELS = {
    "_foreach_add_.List", "_foreach_add_.Scalar", "_foreach_mul_.Scalar",
    "_log_softmax_backward_data", "add.Tensor", "add_.Tensor", "addmm", "bmm", "cat", "clone",
    "convolution", "convolution_backward", "div.Tensor", "exp", "fill_.Scalar",
    "max_pool2d_with_indices", "max_pool2d_with_indices_backward", "mean", "mm", "mul.Tensor",
    "mul_.Tensor", "native_batch_norm", "native_batch_norm_backward", "neg", "nll_loss_backward",
    "nll_loss_forward", "relu", "sigmoid", "sub.Tensor", "sum", "sum.dim_IntList", "tanh",
    "threshold_backward", "zero_",
}  # fmt: skip
VIEWS = {
    "alias", "as_strided", "detach", "expand", "permute", "select.int", "slice.Tensor",
    "squeeze.dim", "t", "transpose.int", "unsqueeze", "view",
}  # fmt: skip
# Their Python kernels move to a device type that nobody has (NEC's), where the helper finds them.
SLOW_KEY = "VE"

_SOURCE = Path(__file__).with_suffix(".cpp")
_NAME = "virtual_cuda_helper"
_PATIENCE = 600  # seconds

loaded: ModuleType | None = None  # for the life of the process, as what it registers


def file() -> Path:
    """Where the helper for this torch and Python is, once it is compiled."""
    digest = hashlib.sha256(_SOURCE.read_bytes())
    digest.update(" ".join(combination()).encode())
    return cache_folder() / "virtual_cuda" / f"{_NAME}-{digest.hexdigest()[:16]}.so"


def build() -> Path:
    """Compile the helper; return its file.

    Raises:
        RuntimeError: that is not possible here; the message says why.
    """
    if sys.platform != "linux" or HAS_CUDA_BUILD:
        raise RuntimeError("The helper is for Linux and the CPU build of torch; do without it.")
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        raise RuntimeError(
            "The helper needs a C++ compiler (Debian, Ubuntu: `apt install g++`), or do without it."
        )
    root = Path(torch.__file__).parent
    includes = [root / "include", root / "include/torch/csrc/api/include"]
    target = file()
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_suffix(f".{os.getpid()}")  # another process may be loading it
    command = [
        compiler, "-O2", "-std=c++20", "-shared", "-fPIC", "-fvisibility=hidden",
        f"-DTORCH_EXTENSION_NAME={_NAME}",
        f"-D_GLIBCXX_USE_CXX11_ABI={int(torch.compiled_with_cxx11_abi())}",
        *(f"-I{folder}" for folder in (*includes, sysconfig.get_paths()["include"])),
        str(_SOURCE), "-o", str(draft),
        f"-L{root / 'lib'}", "-ltorch_cpu", "-lc10", "-ltorch_python",
    ]  # fmt: skip
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE)
        if done.returncode != 0:
            reason = next((s for s in done.stderr.splitlines() if "error" in s), "no reason given")
            raise RuntimeError(f"The helper could not be compiled, do without it: {reason}")
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    return target


def load() -> ModuleType | None:
    """The helper, if it is there and wanted."""
    global loaded
    if loaded is None and os.environ.get(VARIABLE) != "off" and file().exists():
        spec = importlib.util.spec_from_file_location(_NAME, file())
        assert spec is not None and spec.loader is not None
        loaded = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(loaded)
    return loaded
