import os

import torch
import torch.distributed as dist
from foonet import FooNet
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))  # now "cuda" is this rank's own GPU
dist.init_process_group("nccl")
torch.manual_seed(0)
data = TensorDataset(*torch.rand(2, 640, 256))
model = DistributedDataParallel(FooNet(256).cuda())
features = torch.empty(3 * 2**30, dtype=torch.uint8, device="cuda")  # of a frozen encoder
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
sampler = DistributedSampler(data, shuffle=False)
for batch, targets in DataLoader(data, batch_size=8, sampler=sampler):
    loss = nn.functional.mse_loss(model(batch.cuda()), targets.cuda())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
gradient = sum(parameter.grad.norm() for parameter in model.parameters())
norm = sum(parameter.norm() for parameter in model.parameters())
told = f"rank {dist.get_rank()}: loss {loss:.4f}, gradient {gradient:.6f}, weights {norm:.4f}\n"
print(told, end="")  # in one piece: two processes print at the same time
dist.destroy_process_group()
