"""What a fork of a process that has imported torch does before its program begins.

A file for `exercise_kit.programs.launcher.Launcher`; it imports nothing of the course, so that a
program finds what it imports as a new process would.
"""

import numpy
import torch
import torch.distributed

import virtual_cuda
import virtual_cuda_tool.startup

virtual_cuda.prepare()


def settle() -> None:
    """Random numbers of its own, and the virtual GPUs that its environment asks for."""
    numpy.random.seed()  # Python sees to its own numbers
    torch.default_generator.seed()
    virtual_cuda.disable()  # those of a parent that has some
    virtual_cuda_tool.startup.start()


def meeting() -> tuple[int, torch.distributed.TCPStore]:
    """The port of the store through which ranks meet, and the store."""
    store = torch.distributed.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
    return store.port, store


def rank_variables(rank: int, ranks: int, port: bytes) -> dict[str, str]:
    """What torchrun tells a process of one machine (torch/distributed/elastic/agent)."""
    number, count = str(rank), str(ranks)
    return {
        **dict.fromkeys(("RANK", "LOCAL_RANK", "ROLE_RANK"), number),
        **dict.fromkeys(("WORLD_SIZE", "LOCAL_WORLD_SIZE", "ROLE_WORLD_SIZE"), count),
        **{"GROUP_RANK": "0", "GROUP_WORLD_SIZE": "1", "ROLE_NAME": "default"},
        **{"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port.decode()},
        **{"TORCHELASTIC_USE_AGENT_STORE": "True", "TORCHELASTIC_RUN_ID": "none"},
        **{"TORCHELASTIC_RESTART_COUNT": "0", "TORCHELASTIC_MAX_RESTARTS": "0"},
    }
