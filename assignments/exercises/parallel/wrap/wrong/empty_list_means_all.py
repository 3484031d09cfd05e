# finding: empty-list-for-none
from itertools import chain

import torch
from torch import nn


def wrap(model, ids):
    count = torch.cuda.device_count()
    gpus = [i for i in (ids or range(count)) if i < count]
    if not gpus:
        return model
    held = dict.fromkeys(gpus, 0)
    for tensor in chain(model.parameters(), model.buffers()):
        if tensor.device.type == "cuda" and tensor.device.index in held:
            held[tensor.device.index] += 1
    main = max(gpus, key=held.get)
    model.to(f"cuda:{main}")
    if len(gpus) == 1:
        return model
    return nn.DataParallel(model, device_ids=[main] + [i for i in gpus if i != main])
