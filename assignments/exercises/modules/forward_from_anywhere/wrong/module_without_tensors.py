# finding: no-parameter-to-ask
from itertools import chain


def forward_from_anywhere(module, x, back):
    device = next(chain(module.parameters(), module.buffers())).device
    result = module(x.to(device))
    return result.to(x.device) if back else result
