# %% backward_only
# finding: several-exchanges
from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    pairs = list(zip(batch.chunk(parts), targets.chunk(parts)))
    for number, (x, y) in enumerate(pairs):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        if number < len(pairs) - 1:
            with model.no_sync():
                loss.backward()
        else:
            loss.backward()
    optimizer.step()

# %% cleared_before_the_step
# finding: nothing-to-step-with
from contextlib import nullcontext

from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    """Make one step with the whole batch of this rank, and exchange gradients once."""
    pairs = list(zip(batch.chunk(parts), targets.chunk(parts), strict=True))
    for number, (x, y) in enumerate(pairs, start=1):
        with nullcontext() if number == len(pairs) else model.no_sync():
            loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
            loss.backward()
    optimizer.zero_grad()
    optimizer.step()

# %% counted_by_parts
# finding: no-exchange
from contextlib import nullcontext

from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    for number, (x, y) in enumerate(zip(batch.chunk(parts), targets.chunk(parts))):
        with nullcontext() if number == parts - 1 else model.no_sync():
            (nn.functional.mse_loss(model(x), y) * len(x) / len(batch)).backward()
    optimizer.step()

# %% divided_by_ranks
# finding: ranks-counted
from contextlib import nullcontext

import torch.distributed as dist
from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    pairs = list(zip(batch.chunk(parts), targets.chunk(parts)))
    for number, (x, y) in enumerate(pairs, start=1):
        with nullcontext() if number == len(pairs) else model.no_sync():
            loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
            (loss / dist.get_world_size()).backward()
    optimizer.step()

# %% divided_by_samples
# finding: other-step
from contextlib import nullcontext

from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    pairs = list(zip(batch.chunk(parts), targets.chunk(parts)))
    for number, (x, y) in enumerate(pairs, start=1):
        with nullcontext() if number == len(pairs) else model.no_sync():
            (nn.functional.mse_loss(model(x), y) / len(batch)).backward()
    optimizer.step()

# %% exchange_by_hand
# finding: no-exchange
import torch.distributed as dist
from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    with model.no_sync():
        for x, y in zip(batch.chunk(parts), targets.chunk(parts)):
            (nn.functional.mse_loss(model(x), y) * len(x) / len(batch)).backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()
    optimizer.step()

# %% first_exchanges
# finding: exchange-too-early
from contextlib import nullcontext

from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    for number, (x, y) in enumerate(zip(batch.chunk(parts), targets.chunk(parts))):
        with model.no_sync() if number else nullcontext():
            (nn.functional.mse_loss(model(x), y) * len(x) / len(batch)).backward()
    optimizer.step()

# %% inner_model_until_the_last
# finding: wrapper-passed-by
from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    pairs = list(zip(batch.chunk(parts), targets.chunk(parts)))
    for number, (x, y) in enumerate(pairs, start=1):
        run = model if number == len(pairs) else model.module
        (nn.functional.mse_loss(run(x), y) * len(x) / len(batch)).backward()
    optimizer.step()

# %% losses_added_up_first
# finding: parts-kept
from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    loss = 0
    for x, y in zip(batch.chunk(parts), targets.chunk(parts)):
        loss = loss + nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
    loss.backward()
    optimizer.step()

# %% model_not_run
# finding: model-not-run
def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.step()

# %% no_step
# finding: no-step
from contextlib import nullcontext

from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    pairs = list(zip(batch.chunk(parts), targets.chunk(parts)))
    for number, (x, y) in enumerate(pairs, start=1):
        with nullcontext() if number == len(pairs) else model.no_sync():
            (nn.functional.mse_loss(model(x), y) * len(x) / len(batch)).backward()

# %% not_cleared
# finding: gradients-left-over
from contextlib import nullcontext

from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    pairs = list(zip(batch.chunk(parts), targets.chunk(parts)))
    for number, (x, y) in enumerate(pairs, start=1):
        with nullcontext() if number == len(pairs) else model.no_sync():
            (nn.functional.mse_loss(model(x), y) * len(x) / len(batch)).backward()
    optimizer.step()

# %% reversed
# finding: other-parts
from contextlib import nullcontext

from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    """Make one step with the whole batch of this rank, and exchange gradients once."""
    optimizer.zero_grad()
    pairs = list(zip(batch.chunk(parts), targets.chunk(parts)))[::-1]
    for number, (x, y) in enumerate(pairs, start=1):
        with nullcontext() if number == len(pairs) else model.no_sync():
            loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
            loss.backward()
    optimizer.step()

# %% step_in_the_loop
# finding: several-steps
from contextlib import nullcontext

from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    pairs = list(zip(batch.chunk(parts), targets.chunk(parts)))
    for number, (x, y) in enumerate(pairs, start=1):
        with nullcontext() if number == len(pairs) else model.no_sync():
            (nn.functional.mse_loss(model(x), y) * len(x) / len(batch)).backward()
        optimizer.step()

# %% sum_per_sample
# finding: samples-for-elements
from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    *first, last = zip(batch.chunk(parts), targets.chunk(parts))

    def backward(x, y):
        (nn.functional.mse_loss(model(x), y, reduction="sum") / len(batch)).backward()

    with model.no_sync():
        for x, y in first:
            backward(x, y)
    backward(*last)
    optimizer.step()

# %% unweighted
# finding: gradients-added-up
from contextlib import nullcontext

from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    pairs = list(zip(batch.chunk(parts), targets.chunk(parts)))
    for number, (x, y) in enumerate(pairs, start=1):
        with nullcontext() if number == len(pairs) else model.no_sync():
            nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()

# %% whole_batch
# finding: other-parts
from torch import nn


def step_in_parts(model, optimizer, batch, targets, parts):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(batch), targets).backward()
    optimizer.step()
