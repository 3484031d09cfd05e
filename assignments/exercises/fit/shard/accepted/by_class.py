from torch import nn
from torch.distributed.fsdp import fully_shard


def shard(model):
    model.cuda()
    for module in reversed(list(model.modules())):
        if isinstance(module, nn.Linear | nn.Embedding) and module in model.children():
            fully_shard(module)
        elif type(module).__name__ == "Block":
            fully_shard(module)
    fully_shard(model, reshard_after_forward=True)
