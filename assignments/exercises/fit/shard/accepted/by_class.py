from torch import nn
from torch.distributed.fsdp import fully_shard


def shard(model):
    for name, module in reversed(list(model.named_modules())):
        # The head as a group of its own: it is not needed before the end.
        if type(module).__name__ == "Block" or isinstance(module, nn.Linear) and name == "head":
            fully_shard(module)
    fully_shard(model, reshard_after_forward=True)
