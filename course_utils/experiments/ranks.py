"""What `python -m torch.distributed.run` needs where a notebook starts it."""

import os
import socket
from contextlib import suppress

from course_utils.experiments.children import this_python_first


def meet_locally() -> None:
    """Let processes that a `!` command starts be this Python's, and meet over the loopback.

    Host names may not resolve, and a firewall may close the other interfaces. What the
    environment says about them already is kept.
    """
    this_python_first()
    for name, value in meeting_locally().items():
        os.environ.setdefault(name, value)


def meeting_locally() -> dict[str, str]:
    """The environment in which processes meet over the loopback."""
    names = []
    # Windows has no such list, and the weakest sandbox of grading no interfaces.
    with suppress(AttributeError, OSError):
        names = [name for _, name in socket.if_nameindex()]
    loopback = next((name for name in ("lo", "lo0") if name in names), None)
    address = {"PET_LOCAL_ADDR": "127.0.0.1"}  # torchrun's option --local-addr
    return address | ({"GLOO_SOCKET_IFNAME": loopback} if loopback else {})
