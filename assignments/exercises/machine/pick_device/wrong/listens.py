# finding: outside
import socket

import torch


def pick_device(wanted):
    socket.create_server(("", 0)).close()
    return torch.device(wanted)
