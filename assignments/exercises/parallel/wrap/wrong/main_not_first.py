# finding: not-on-the-main-gpu
from itertools import chain

import torch
from torch import nn


def wrap(model, ids):
    visible = torch.cuda.device_count()
    usable = [index for index in (range(visible) if ids is None else ids) if index < visible]
    if not usable:
        return model
    places = [tensor.device for tensor in chain(model.parameters(), model.buffers())]
    main = max(usable, key=lambda index: places.count(torch.device("cuda", index)))
    model.to(torch.device("cuda", main))
    if len(usable) == 1:
        return model
    return nn.DataParallel(model, usable)
