from contextlib import nullcontext

from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    """Make one step with the whole batch of this rank, and exchange gradients once."""
    ### BEGIN SOLUTION
    optimizer.zero_grad()
    pairs = list(zip(batch.chunk(parts), targets.chunk(parts), strict=True))
    for number, (x, y) in enumerate(pairs, start=1):
        # `chunk` may give fewer parts than it was asked for, so the last one is found by counting.
        with nullcontext() if number == len(pairs) else model.no_sync():
            # DDP decides in the forward pass whether to exchange: it is inside as well.
            loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
            loss.backward()
    optimizer.step()
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# import torch.distributed as dist
# from torch.nn.parallel import DistributedDataParallel
# dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
# model = DistributedDataParallel(nn.Linear(3, 2))
# optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
# step_in_parts(model, optimizer, torch.randn(10, 3), torch.randn(10, 2), parts=4)
# dist.destroy_process_group()
