# finding: not-on-the-main-gpu
from itertools import chain

import torch
from torch import nn


def wrap(model, ids):
    count = torch.cuda.device_count()
    gpus = list(range(count)) if ids is None else [i for i in ids if i < count]
    if not gpus:
        return model
    held = dict.fromkeys(gpus, 0)
    for tensor in chain(model.parameters(), model.buffers()):
        if tensor.device.type == "cuda" and tensor.device.index in held:
            held[tensor.device.index] += 1
    main = max(gpus, key=held.get)
    for p in model.parameters():
        p.data = p.data.to(f"cuda:{main}")
    if len(gpus) == 1:
        return model
    return nn.DataParallel(model, device_ids=[main] + [i for i in gpus if i != main])
