"""What `python -m torch.distributed.run` needs where a notebook starts it."""

import os
import socket
import sys
from pathlib import Path


def meet_locally() -> None:
    """Let processes that a `!` command starts be this Python's, and meet over the loopback.

    Host names may not resolve, and a firewall may close the other interfaces. What the
    environment says about them already is kept.
    """
    here = str(Path(sys.executable).parent)
    paths = os.environ.get("PATH", "").split(os.pathsep)
    os.environ["PATH"] = os.pathsep.join([here, *(path for path in paths if path != here)])
    os.environ.setdefault("PET_LOCAL_ADDR", "127.0.0.1")  # torchrun's option --local-addr
    names = [name for _, name in socket.if_nameindex()] if hasattr(socket, "if_nameindex") else []
    loopback = next((name for name in ("lo", "lo0") if name in names), None)
    if loopback:
        os.environ.setdefault("GLOO_SOCKET_IFNAME", loopback)
