# finding: back-unasked
from itertools import chain


def forward_from_anywhere(module, x, back):
    device = next(chain(module.parameters(), module.buffers(), [x])).device
    result = module(x.to(device))
    return result if back else result.to(x.device)
