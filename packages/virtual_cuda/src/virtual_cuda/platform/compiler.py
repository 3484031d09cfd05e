"""Compiling a C++ file of this package for this torch and this Python, into the user's cache.

``compile_file`` waits for the compiler. ``order`` starts a separate process (``builder``).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from contextlib import suppress
from pathlib import Path

import torch

from ..hardware.profiles import host_memory_available
from . import builder
from .cache import HAS_CUDA_BUILD, cache_folder, combination

_PATIENCE = 600  # seconds
_MEMORY = 2 << 30  # bytes that a compiler needs for torch's headers
# A program that tests whether the compiled module loads here.
_TRY = """
import sys, torch
from importlib.util import module_from_spec, spec_from_file_location
module_from_spec(spec_from_file_location(*sys.argv[1:]))
"""


class CannotCompile(RuntimeError):
    """A file cannot be compiled. The text is the reason, as the end of a sentence."""


def module_name(source: Path) -> str:
    """The module name of the compiled file."""
    return f"virtual_cuda_{source.stem}"


def compiled(source: Path) -> Path:
    """The path of the compiled file: a different one for each torch, Python and source."""
    digest = hashlib.sha256(source.read_bytes())
    digest.update(" ".join(combination()).encode())
    return cache_folder() / "virtual_cuda" / f"{module_name(source)}-{digest.hexdigest()[:16]}.so"


def _command(source: Path, draft: Path) -> list[str]:
    """The command that compiles a file. Raises CannotCompile."""
    if sys.platform != "linux" or HAS_CUDA_BUILD:
        raise CannotCompile("it is for Linux and the CPU build of torch")
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        raise CannotCompile("it needs a C++ compiler (Debian, Ubuntu: `apt install g++`)")
    root = Path(torch.__file__).parent
    includes = [root / "include", root / "include/torch/csrc/api/include"]
    return [
        compiler,
        "-O2",
        "-std=c++20",
        "-shared",
        "-fPIC",
        "-fvisibility=hidden",
        f"-DTORCH_EXTENSION_NAME={module_name(source)}",
        f"-D_GLIBCXX_USE_CXX11_ABI={int(torch.compiled_with_cxx11_abi())}",
        *(f"-I{folder}" for folder in (*includes, sysconfig.get_paths()["include"])),
        str(source),
        "-o",
        str(draft),
        f"-L{root / 'lib'}",
        "-ltorch_cpu",
        "-lc10",
        "-ltorch_python",
    ]


def compile_file(source: Path) -> Path:
    """The path of the compiled file, after compiling it. Raises CannotCompile."""
    target = compiled(source)
    draft = target.with_suffix(f".{os.getpid()}")  # another process may be loading it
    command = _command(source, draft)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE)
        if done.returncode != 0:
            status = f"{command[0]} ended with {done.returncode}"
            raise CannotCompile(next((s for s in done.stderr.splitlines() if "error" in s), status))
        draft.replace(target)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotCompile(str(error)) from None
    finally:
        draft.unlink(missing_ok=True)
    return target


def order(source: Path) -> None:
    """Start a process that compiles a Python module, unless this is impossible or failed before.

    Returns at once. The new process is independent: it has its own session, none of our open files,
    and its parent shell ends, so that the system reaps it.
    """
    target = compiled(source)
    if target.exists() or builder.failure_of(target).exists() or not sys.executable:
        return
    if host_memory_available() < _MEMORY:
        return
    draft = target.with_suffix(".draft.so")  # a suffix that Python loads
    with suppress(CannotCompile, OSError):
        target.parent.mkdir(parents=True, exist_ok=True)
        work = {
            "target": str(target),
            "draft": str(draft),
            "patience": _PATIENCE,
            "commands": [
                _command(source, draft),
                [sys.executable, "-c", _TRY, module_name(source), str(draft)],
            ],
        }
        command = [sys.executable, "-I", "-S", builder.__file__, json.dumps(work)]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        environment["TORCH_DEVICE_BACKEND_AUTOLOAD"] = "0"  # the test needs only torch
        subprocess.run(
            ["/bin/sh", "-c", '"$@" &', "sh", *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=target.parent,
            env=environment,
            start_new_session=True,
        )
