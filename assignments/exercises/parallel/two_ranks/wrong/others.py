# %% a_variable_of_slurm
# finding: raised-on-a-rank
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def two_ranks(model, dataset):
    torch.cuda.set_device(int(os.environ["SLURM_LOCALID"]))
    dist.init_process_group("nccl")
    model = DistributedDataParallel(model.cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch, targets in DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset)):
        loss = nn.functional.mse_loss(model(batch.cuda()), targets.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model

# %% crossed
# finding: other-gpus
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def two_ranks(model, dataset):
    torch.cuda.set_device(1 - int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    model = DistributedDataParallel(model.cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch, targets in DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset)):
        loss = nn.functional.mse_loss(model(batch.cuda()), targets.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model

# %% gradients_kept
# finding: other-training
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def two_ranks(model, dataset):
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    model = DistributedDataParallel(model.cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch, targets in DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset)):
        loss = nn.functional.mse_loss(model(batch.cuda()), targets.cuda())
        loss.backward()
        optimizer.step()
    return model

# %% unwrapped
# finding: other-result
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def two_ranks(model, dataset):
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    model = DistributedDataParallel(model.cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch, targets in DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset)):
        loss = nn.functional.mse_loss(model(batch.cuda()), targets.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.module

# %% a_string
# finding: index-as-a-string
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def two_ranks(model, dataset):
    torch.cuda.set_device(os.environ["LOCAL_RANK"])
    dist.init_process_group("nccl")
    model = DistributedDataParallel(model.cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch, targets in DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset)):
        loss = nn.functional.mse_loss(model(batch.cuda()), targets.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model

# %% not_wrapped
# finding: ranks-differ
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def two_ranks(model, dataset):
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    model = model.cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch, targets in DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset)):
        loss = nn.functional.mse_loss(model(batch.cuda()), targets.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model
