# finding: result-elsewhere
from itertools import chain


def forward_from_anywhere(module, x, back):
    device = next(chain(module.parameters(), module.buffers(), [x])).device
    x = x.to(device)
    result = module(x)
    return result.to(x.device) if back else result
