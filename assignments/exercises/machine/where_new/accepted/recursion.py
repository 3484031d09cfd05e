import torch


def where_new(steps):
    devices = []
    steps = iter(steps)

    def block(current):
        for step in steps:
            word, *rest = step.split()
            if word == "leave":
                return
            if word == "enter":
                block(int(rest[0]))
            elif word == "set":
                current = int(rest[0])
            elif not rest:
                devices.append(torch.device("cpu"))
            else:
                device = torch.device(rest[0])
                index = current if device.index is None else device.index
                devices.append(torch.device("cuda", index))

    block(0)
    return devices
