# finding: back-unasked
from itertools import chain


def forward_from_anywhere(module, x, back):
    device = next(chain(module.parameters(), module.buffers(), [x])).device
    return module(x.to(device)).to(x.device)
