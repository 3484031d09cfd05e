from itertools import chain

import torch
from torch import nn


def wrap(model, ids):
    if ids is None:
        ids = range(torch.cuda.device_count())
    ids = [i for i in ids if i in range(torch.cuda.device_count())]
    where = [t.get_device() for t in list(model.parameters()) + list(model.buffers())]
    ids = sorted(ids, key=where.count, reverse=True)
    if len(ids) == 0:
        return model
    model = model.cuda(ids[0])
    return model if len(ids) == 1 else nn.DataParallel(model, ids)
