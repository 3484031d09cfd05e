# name = "Hooks on every module"
# goal = "forge"
# attacks = "torch's hooks for all modules, and so the observer's own module"
# assignment = "07_parallel"
# flagged = true

# %% train_step
from torch.nn.modules import module as home

seen = []
home.register_module_forward_pre_hook(lambda module, inputs: seen.append(module))
home.register_module_forward_hook(lambda module, inputs, result: result)


def train_step(replicas, batch, targets, lr):
    result = replicas[0](batch.to(next(replicas[0].parameters()).device))
    return result.sum() * 1
