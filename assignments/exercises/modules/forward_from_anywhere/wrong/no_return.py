# finding: nothing-returned
from itertools import chain


def forward_from_anywhere(module, x, back):
    device = next(chain(module.parameters(), module.buffers(), [x])).device
    result = module(x.to(device))
    result = result.to(x.device) if back else result
