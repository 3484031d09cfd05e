"""What a fork of a process that has imported torch does before its program begins.

A file for `exercise_kit.programs.launcher.Launcher`; it imports nothing of the course, so that a
program finds what it imports as a new process would.
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

virtual_cuda.disable()  # those of a process that this one is a fork of
virtual_cuda.prepare()


def ready() -> None:
    """Import what a training program loads, by itself or at torch's first step.

    At a program's end, nothing is done about what it has from here: it takes longer than to run.
    """
    for name in ("torch._dynamo", "torch.nn.parallel", "torch.utils.data", "PIL.JpegImagePlugin"):
        importlib.import_module(name)
    atexit.unregister(torch._dynamo.utils.dump_compile_times)
    atexit.unregister(shutil.rmtree)  # of matplotlib's folder, where there is no home: the parent's
    for finalizer in weakref.finalize._registry:  # type: ignore[attr-defined]
        finalizer.atexit = False  # of torch.library: operators that are taken back


def settle() -> None:
    """Random numbers of its own, and the virtual GPUs that its environment asks for."""
    numpy.random.seed()  # Python sees to its own numbers
    torch.default_generator.seed()
    virtual_cuda_tool.startup.start()


def meet(place: socket.socket) -> torch.distributed.TCPStore:
    """The store through which ranks meet; from now on it listens at a socket, and owns that."""
    host, port = place.getsockname()
    return torch.distributed.TCPStore(
        host, port, is_master=True, wait_for_workers=False, master_listen_fd=place.detach()
    )


def rank_variables(rank: int, ranks: int, place: socket.socket) -> dict[str, str]:
    """What torchrun tells a process of one machine (torch/distributed/elastic/agent)."""
    number, count = str(rank), str(ranks)
    return {
        **dict.fromkeys(("RANK", "LOCAL_RANK", "ROLE_RANK"), number),
        **dict.fromkeys(("WORLD_SIZE", "LOCAL_WORLD_SIZE", "ROLE_WORLD_SIZE"), count),
        **{"GROUP_RANK": "0", "GROUP_WORLD_SIZE": "1", "ROLE_NAME": "default"},
        **{"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(place.getsockname()[1])},
        **{"TORCHELASTIC_USE_AGENT_STORE": "True", "TORCHELASTIC_RUN_ID": "none"},
        **{"TORCHELASTIC_RESTART_COUNT": "0", "TORCHELASTIC_MAX_RESTARTS": "0"},
    }
