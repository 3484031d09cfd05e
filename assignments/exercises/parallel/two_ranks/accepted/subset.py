import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def two_ranks(model, dataset):
    torch.cuda.set_device(int(os.environ["RANK"]))
    dist.init_process_group("nccl")
    mine = torch.utils.data.Subset(dataset, range(dist.get_rank(), len(dataset), 2))
    model = DistributedDataParallel(model.cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch, targets in DataLoader(mine, batch_size=4):
        loss = nn.functional.mse_loss(model(batch.cuda()), targets.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model
