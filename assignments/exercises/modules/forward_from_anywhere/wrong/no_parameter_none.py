# finding: no-parameter-to-ask
from itertools import chain


def forward_from_anywhere(module, x, back):
    tensor = next(chain(module.parameters(), module.buffers()), None)
    result = module(x.to(tensor.device))
    return result.to(x.device) if back else result
