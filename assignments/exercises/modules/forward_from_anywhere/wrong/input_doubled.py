# finding: other-result
from itertools import chain


def forward_from_anywhere(module, x, back):
    device = next(chain(module.parameters(), module.buffers(), [x])).device
    result = module(2 * x.to(device))
    return result.to(x.device) if back else result
