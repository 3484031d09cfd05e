# finding: input-changed
from itertools import chain


def forward_from_anywhere(module, x, back):
    home = x.device
    x.data = x.data.to(next(chain(module.parameters(), module.buffers(), [x])).device)
    result = module(x)
    return result.to(home) if back else result
