import torch


def resolve(name, current, count):
    devices = {f"cuda:{index}": torch.device("cuda", index) for index in range(count)}
    devices["cpu"] = torch.device("cpu")
    if count:
        devices["cuda"] = devices[f"cuda:{current}"]
    if name not in devices:
        raise ValueError(name)
    return devices[name]
