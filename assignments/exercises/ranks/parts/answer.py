from contextlib import nullcontext

from torch import nn


def parts(model, optimizer, batches):
    """Make one step with the mean loss over all `batches`, pairs of inputs and targets."""
    ### BEGIN SOLUTION
    optimizer.zero_grad()
    for number, (batch, targets) in enumerate(batches, start=1):
        # DDP decides in the forward pass whether `backward` will exchange: both are inside.
        with model.no_sync() if number < len(batches) else nullcontext():
            loss = nn.functional.mse_loss(model(batch), targets) / len(batches)
            loss.backward()
    optimizer.step()
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# import torch
# import torch.distributed as dist
# dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
# model = nn.parallel.DistributedDataParallel(nn.Linear(3, 2))
# optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
# parts(model, optimizer, [(torch.ones(4, 3), torch.ones(4, 2))] * 4)
# dist.destroy_process_group()
