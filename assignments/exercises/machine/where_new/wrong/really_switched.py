# finding: left-switched
import torch


def where_new(steps):
    devices, blocks = [], []
    for step in steps:
        word, _, rest = step.partition(" ")
        if word == "set":
            torch.cuda.set_device(int(rest))
        elif word == "enter":
            blocks.append(torch.cuda.device(int(rest)))
            blocks[-1].__enter__()
        elif word == "leave":
            blocks.pop().__exit__(None, None, None)
        else:
            devices.append(torch.ones(1, device=rest or None).device)
    return devices
