# finding: module-moved
from itertools import chain


def forward_from_anywhere(module, x, back):
    home = next(chain(module.parameters(), module.buffers(), [x])).device
    result = module.to(x.device)(x)
    module.to(home)
    return result if back else result.to(home)
