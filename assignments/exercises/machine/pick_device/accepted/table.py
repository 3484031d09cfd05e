import sys

import torch


def names():
    count = torch.cuda.device_count()
    return ["cpu", *(["cuda"] if count else []), *(f"cuda:{index}" for index in range(count))]


def pick_device(wanted):
    if wanted == "auto":
        wanted = names()[-1]
    if wanted not in names():
        sys.stderr.write(f"{wanted} is none of {', '.join(names())}\n")
        sys.exit(2)
    return torch.device(wanted)
