# %% not_cleared
# finding: gradients-left-over
from contextlib import nullcontext

from torch import nn


def parts(model, optimizer, batches):
    for number, (batch, targets) in enumerate(batches, start=1):
        with model.no_sync() if number < len(batches) else nullcontext():
            (nn.functional.mse_loss(model(batch), targets) / len(batches)).backward()
    optimizer.step()

# %% divided_by_ranks
# finding: ranks-counted
from contextlib import nullcontext

import torch.distributed as dist
from torch import nn


def parts(model, optimizer, batches):
    optimizer.zero_grad()
    for number, (batch, targets) in enumerate(batches, start=1):
        with model.no_sync() if number < len(batches) else nullcontext():
            loss = nn.functional.mse_loss(model(batch), targets) / len(batches)
            (loss / dist.get_world_size()).backward()
    optimizer.step()

# %% step_in_the_loop
# finding: other-steps
from contextlib import nullcontext

from torch import nn


def parts(model, optimizer, batches):
    optimizer.zero_grad()
    for number, (batch, targets) in enumerate(batches, start=1):
        with model.no_sync() if number < len(batches) else nullcontext():
            (nn.functional.mse_loss(model(batch), targets) / len(batches)).backward()
        optimizer.step()

# %% joined
# finding: other-parts
import torch
from torch import nn


def parts(model, optimizer, batches):
    optimizer.zero_grad()
    batch, targets = (torch.cat(each) for each in zip(*batches))
    nn.functional.mse_loss(model(batch), targets).backward()
    optimizer.step()

# %% other_rate
# finding: other-weights
from contextlib import nullcontext

from torch import nn


def parts(model, optimizer, batches):
    optimizer.zero_grad()
    for number, (batch, targets) in enumerate(batches, start=1):
        with model.no_sync() if number < len(batches) else nullcontext():
            (nn.functional.l1_loss(model(batch), targets) / len(batches)).backward()
    optimizer.step()

# %% one_backward
# finding: all-held
from torch import nn


def parts(model, optimizer, batches):
    optimizer.zero_grad()
    losses = [nn.functional.mse_loss(model(batch), targets) for batch, targets in batches]
    (sum(losses) / len(batches)).backward()
    optimizer.step()

# %% cleared_in_the_loop
# finding: last-part-only
from contextlib import nullcontext

from torch import nn


def parts(model, optimizer, batches):
    for number, (batch, targets) in enumerate(batches, start=1):
        optimizer.zero_grad()
        with model.no_sync() if number < len(batches) else nullcontext():
            (nn.functional.mse_loss(model(batch), targets) / len(batches)).backward()
    optimizer.step()

# %% first_exchanges
# finding: exchange-too-early
from contextlib import nullcontext

from torch import nn


def parts(model, optimizer, batches):
    optimizer.zero_grad()
    for number, (batch, targets) in enumerate(batches):
        with model.no_sync() if number else nullcontext():
            (nn.functional.mse_loss(model(batch), targets) / len(batches)).backward()
    optimizer.step()
