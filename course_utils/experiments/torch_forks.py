"""The setup of a fork of a process with torch, before its program begins.

A file for `exercise_kit.programs.launcher.Launcher`. It imports nothing of the course, so that the
imports of a program work as in a new process.
"""

import atexit
import importlib
import shutil
import socket
import weakref

import numpy
import torch
import torch.distributed

import virtual_cuda
import virtual_cuda_tool.startup

virtual_cuda.disable()  # the parent process may have enabled virtual GPUs
virtual_cuda.prepare()


def ready() -> None:
    """Import the modules that a training program loads, itself or at torch's first step.

    Their clean-up at exit is removed: it would take longer than the program.
    """
    for name in ("torch._dynamo", "torch.nn.parallel", "torch.utils.data", "PIL.JpegImagePlugin"):
        importlib.import_module(name)
    atexit.unregister(torch._dynamo.utils.dump_compile_times)
    atexit.unregister(shutil.rmtree)  # of matplotlib's temporary folder, which is the parent's
    for finalizer in weakref.finalize._registry:  # type: ignore[attr-defined]
        finalizer.atexit = False  # of torch.library, which unregisters operators


def settle() -> None:
    """Seed the fork's random numbers again, and enable the virtual GPUs of its environment."""
    numpy.random.seed()  # Python reseeds its own generator
    torch.default_generator.seed()
    virtual_cuda_tool.startup.start()


def meet(place: socket.socket) -> torch.distributed.TCPStore:
    """The store through which ranks connect. It listens on the given socket, and owns it."""
    host, port = place.getsockname()
    return torch.distributed.TCPStore(
        host, port, is_master=True, wait_for_workers=False, master_listen_fd=place.detach()
    )


def rank_variables(rank: int, ranks: int, place: socket.socket) -> dict[str, str]:
    """The variables that torchrun sets on one machine (torch/distributed/elastic/agent)."""
    number, count = str(rank), str(ranks)
    return {
        **dict.fromkeys(("RANK", "LOCAL_RANK", "ROLE_RANK"), number),
        **dict.fromkeys(("WORLD_SIZE", "LOCAL_WORLD_SIZE", "ROLE_WORLD_SIZE"), count),
        **{"GROUP_RANK": "0", "GROUP_WORLD_SIZE": "1", "ROLE_NAME": "default"},
        **{"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(place.getsockname()[1])},
        **{"TORCHELASTIC_USE_AGENT_STORE": "True", "TORCHELASTIC_RUN_ID": "none"},
        **{"TORCHELASTIC_RESTART_COUNT": "0", "TORCHELASTIC_MAX_RESTARTS": "0"},
    }
