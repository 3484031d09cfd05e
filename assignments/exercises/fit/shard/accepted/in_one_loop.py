import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard


def shard(model):
    mesh = init_device_mesh("cuda", (dist.get_world_size(),))
    for part in [*model.blocks, model]:
        fully_shard(part, mesh=mesh)
    return model
