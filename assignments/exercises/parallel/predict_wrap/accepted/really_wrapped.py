import torch
from torch import nn


class Counting(nn.Module):
    def __init__(self, calls):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.register_buffer("seen", torch.zeros((), dtype=torch.int64))
        self.calls = calls

    def forward(self, x):
        self.calls += 1
        self.seen.add_(1)
        return (x * self.scale).mean()


def predict_wrap(wraps, gpus, batch, calls):
    counting = net = Counting(calls)
    for _ in range(wraps):
        outer = nn.Module()
        outer.module = net
        net = outer
    shape = []
    if wraps and gpus > 1:
        shape = [len(torch.ones(batch).chunk(gpus))]
        counting.seen += 1
    else:
        counting(torch.ones(batch, 2))
    keys = list(net.state_dict())
    return {"keys": keys, "calls": counting.calls,
            "seen": counting.seen.item(), "shape": shape}
