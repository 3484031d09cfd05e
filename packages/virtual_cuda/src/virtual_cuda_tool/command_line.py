"""``virtual_cuda run …`` and ``virtual_cuda compile``: the command line."""

from __future__ import annotations

import argparse
import os
import runpy
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from .settings import BANNER, Settings

_EXAMPLES = """\
examples:
  virtual_cuda run train.py                                 four GPUs of 2 GiB
  virtual_cuda run --gpus 2 --memory 8GiB train.py --epochs 3
  virtual_cuda run --gpus 4 torchrun --nproc-per-node 4 train.py
  virtual_cuda run -m package.train --epochs 3
  virtual_cuda run --nvidia-smi bash launch.sh              its nvidia-smi shows the GPUs
"""
_AUTOLOAD = "TORCH_DEVICE_BACKEND_AUTOLOAD"
_MISTAKE = 2  # argparse's own exit status


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. After a mistake, ends the process with status 2 and a message."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        if given.action == "compile":
            _compile()
        else:
            settings = Settings(
                given.gpus, given.memory, given.nvidia_smi, given.stale_copies, given.races
            )
            command = _command(given.program, given.arguments, given.module)
            _run(settings, command, given.quiet)
    except (ValueError, RuntimeError) as error:
        print(f"virtual_cuda: {error}", file=sys.stderr)
        sys.exit(_MISTAKE)


def _parser() -> argparse.ArgumentParser:
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="virtual_cuda",
        description="Virtual GPUs for PyTorch programs, on a computer that has none.",
        epilog=_EXAMPLES + "  virtual_cuda compile\n",
        formatter_class=layout,
        allow_abbrev=False,
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="run | compile")
    run = actions.add_parser(
        "run",
        help="run a program and its child processes with virtual GPUs",
        description="Run a program and its child processes with virtual GPUs. "
        "Options come before the program. Arguments after it belong to the program.",
        epilog=_EXAMPLES,
        formatter_class=layout,
        allow_abbrev=False,
    )
    run.add_argument(
        "--gpus",
        type=int,
        default=Settings.gpus,
        metavar="N",
        help="number of GPUs, 4 by default (--gpus 2)",
    )
    run.add_argument(
        "--memory",
        default=Settings.memory,
        metavar="SIZE",
        help="memory of each GPU, 2 GiB by default (--memory 8GiB)",
    )
    run.add_argument(
        "--nvidia-smi",
        action="store_true",
        help="give the program and its child processes a command nvidia-smi "
        "(run --nvidia-smi bash launch.sh)",
    )
    run.add_argument(
        "--stale-copies",
        action="store_true",
        help="delay non-blocking copies to the host until the program waits for them, as on a real "
        "GPU (run --stale-copies train.py)",
    )
    run.add_argument(
        "--races",
        default="",
        metavar="SEED",
        help="run the work of streams in another allowed order, chosen by a seed. A missing wait "
        "then gives wrong numbers. late=N delays only operation N (run --races 0 train.py)",
    )
    run.add_argument(
        "--quiet",
        action="store_true",
        help="print no notice on stderr that the GPUs are virtual (run --quiet train.py)",
    )
    run.add_argument(
        "-m",
        dest="module",
        action="store_true",
        help="the program is a module, as for Python (run -m package.train)",
    )
    run.add_argument("program", help="a Python file, or a command (train.py, torchrun)")
    run.add_argument(
        "arguments", nargs=argparse.REMAINDER, help="its arguments (train.py --epochs 3)"
    )
    actions.add_parser(
        "compile",
        help="compile the optional helper, which makes small operators faster",
        description="Compile the optional helper for this torch and this Python into the user's "
        "cache folder. It needs a C++ compiler and half a minute (virtual_cuda compile).",
    )
    return parser


def _compile() -> None:
    from virtual_cuda.platform import helper

    helper.build()
    print("virtual_cuda: The helper is compiled. From now on, enable() uses it.")


def _command(program: str, arguments: Sequence[str], is_module: bool) -> list[str]:
    """The program's command line. Raises ValueError if there is no such program."""
    if is_module:
        return [sys.executable, "-m", program, *arguments]
    if program.endswith(".py") or Path(program).is_dir():
        if not Path(program).exists():
            raise ValueError(f"There is no file {program} in {os.getcwd()}.")
        if Path(program).is_dir() and not Path(program, "__main__.py").exists():
            raise ValueError(f"There is no file __main__.py in {program}.")
        return [sys.executable, program, *arguments]
    # First in this Python's folder: its torchrun is meant, even if its environment is not active.
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    found = shutil.which(program, path=places)
    if found is None and Path(program).exists():
        raise ValueError(f"{program} is not a program. The name of a Python file ends in .py.")
    if found is None:
        raise ValueError(f"There is no command {program}.")
    return [found, *arguments]


def _run(settings: Settings, command: list[str], quiet: bool) -> None:
    """Replace this process by the program, without an import of torch here, which takes a second.

    Raises ValueError for an impossible machine. The program's torch reports other errors
    (``startup``).
    """
    _check_way()
    _check_machine(settings)
    environment = {**os.environ, **settings.variables(), BANNER: str(int(not quiet))}
    if settings.nvidia_smi:
        environment["PATH"] = (
            f"{_nvidia_smi(settings)}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        )
    if sys.platform == "win32":  # after exec there, the shell has no child to wait for
        sys.exit(subprocess.call(command, env=environment))
    os.execve(command[0], command, environment)


def _check_machine(settings: Settings) -> None:
    """Raise ValueError for an impossible machine, checked with a file that needs no torch."""
    package = find_spec("virtual_cuda")
    assert package is not None and package.origin is not None
    profiles = runpy.run_path(str(Path(package.origin).parent / "hardware" / "profiles.py"))
    profiles["check_device_count"](settings.gpus)
    profiles["parse_memory"](settings.memory)


def _nvidia_smi(settings: Settings) -> Path:
    """The folder of a command that shows the machine. Raises errors of ``virtual_cuda.enable``."""
    from virtual_cuda import disable, enable
    from virtual_cuda.nvidia.command import leave_nvidia_smi
    from virtual_cuda.platform.cache import cache_folder

    disable()  # the machine of an outer `run`
    enable(settings.gpus, settings.memory, quiet=True)
    return leave_nvidia_smi(cache_folder() / "virtual_cuda" / "nvidia-smi")


def _check_way() -> None:
    """Raise RuntimeError if torch would not call ``startup.start`` in the program."""
    if not entry_points(group="torch.backends", name="virtual_cuda"):
        raise RuntimeError(
            "virtual_cuda is not installed in this Python, so torch cannot find it. Install it "
            "with: pip install ./packages/virtual_cuda"
        )
    if os.environ.get(_AUTOLOAD, "1") != "1":
        raise RuntimeError(
            f"{_AUTOLOAD}={os.environ[_AUTOLOAD]} stops torch from loading virtual GPUs. Unset it."
        )
