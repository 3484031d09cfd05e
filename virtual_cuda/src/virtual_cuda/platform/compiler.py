"""Compiling a C++ file of this package for this torch and this Python, into the user's cache."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import torch

from .cache import HAS_CUDA_BUILD, cache_folder, combination

_PATIENCE = 600  # seconds


class CannotCompile(RuntimeError):
    """Why not, as the end of a sentence."""


def module_name(source: Path) -> str:
    """What the compiled file calls itself."""
    return f"virtual_cuda_{source.stem}"


def compiled(source: Path) -> Path:
    """Where the compiled file is, once it is: another one for every torch, Python and source."""
    digest = hashlib.sha256(source.read_bytes())
    digest.update(" ".join(combination()).encode())
    return cache_folder() / "virtual_cuda" / f"{module_name(source)}-{digest.hexdigest()[:16]}.so"


def compile_file(source: Path) -> Path:
    """Compile a file; return the result. Raises CannotCompile."""
    if sys.platform != "linux" or HAS_CUDA_BUILD:
        raise CannotCompile("it is for Linux and the CPU build of torch")
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        raise CannotCompile("it needs a C++ compiler (Debian, Ubuntu: `apt install g++`)")
    root = Path(torch.__file__).parent
    includes = [root / "include", root / "include/torch/csrc/api/include"]
    target = compiled(source)
    draft = target.with_suffix(f".{os.getpid()}")  # another process may be loading it
    command = [
        compiler, "-O2", "-std=c++20", "-shared", "-fPIC", "-fvisibility=hidden",
        f"-DTORCH_EXTENSION_NAME={module_name(source)}",
        f"-D_GLIBCXX_USE_CXX11_ABI={int(torch.compiled_with_cxx11_abi())}",
        *(f"-I{folder}" for folder in (*includes, sysconfig.get_paths()["include"])),
        str(source), "-o", str(draft),
        f"-L{root / 'lib'}", "-ltorch_cpu", "-lc10", "-ltorch_python",
    ]  # fmt: skip
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE)
        if done.returncode != 0:
            status = f"{compiler} ended with {done.returncode}"
            raise CannotCompile(next((s for s in done.stderr.splitlines() if "error" in s), status))
        draft.replace(target)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotCompile(str(error)) from None
    finally:
        draft.unlink(missing_ok=True)
    return target
