# finding: module-moved
import copy


def forward_from_anywhere(module, x, back):
    result = copy.deepcopy(module).to(x.device)(x)
    tensors = [*module.parameters(), *module.buffers(), x]
    return result if back else result.to(tensors[0].device)
