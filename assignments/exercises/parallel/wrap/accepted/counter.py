from collections import Counter

import torch
from torch import nn


def wrap(model, ids):
    if ids is None:
        ids = list(range(torch.cuda.device_count()))
    ids = [i for i in ids if i in range(torch.cuda.device_count())]
    if ids == []:
        return model
    held = Counter(p.get_device() for p in model.parameters())
    held.update(b.get_device() for b in model.buffers())
    order = sorted(ids, key=lambda i: -held[i])
    model.cuda(order[0])
    return nn.DataParallel(model, order) if len(order) > 1 else model
