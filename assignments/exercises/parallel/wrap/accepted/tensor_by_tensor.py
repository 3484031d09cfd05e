from itertools import chain

import torch
from torch import nn


def wrap(model, ids):
    from collections import Counter
    visible = torch.cuda.device_count()
    left = [i for i in (range(visible) if ids is None else ids) if i < visible]
    if not left:
        return model
    held = Counter(t.device for t in chain(model.parameters(), model.buffers()))
    most = max(held[torch.device("cuda", i)] for i in left)
    main = next(i for i in left if held[torch.device("cuda", i)] == most)
    target = torch.device("cuda", main)
    for p in model.parameters():
        if p.device != target:
            p.data = p.data.to(target)
    for m in model.modules():
        for name, b in m.named_buffers(recurse=False):
            if b.device != target:
                m._buffers[name] = b.to(target)
    if len(left) == 1:
        return model
    others = sorted(set(left) - {main}, reverse=True)
    return nn.DataParallel(model, device_ids=[main, *others], output_device=main)
