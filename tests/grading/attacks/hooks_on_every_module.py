# name = "Hooks on every module"
# goal = "forge"
# attacks = "torch's hooks for all modules, and so the observer's own module"
# assignment = "07_parallel"
# flagged = true

# %% parallel_forward
from torch.nn.modules import module as home

seen = []
home.register_module_forward_pre_hook(lambda module, inputs: seen.append(module))
home.register_module_forward_hook(lambda module, inputs, result: result)


def parallel_forward(module, x, devices):
    result = module(x.to(devices[0]))
    return result * 1
