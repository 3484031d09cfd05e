# finding: module-moved
import torch


def forward_from_anywhere(module, x, back):
    state = [*module.named_parameters(), *module.named_buffers()]
    there = {name: tensor.to(x.device) for name, tensor in state}
    return torch.func.functional_call(module, there, (x,))
