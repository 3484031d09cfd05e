# %% by_hand
# finding: step-by-hand
import torch
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    total = 0.0
    for x, y in zip(batch.split(size), targets.split(size)):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter -= 0.1 * parameter.grad
    return total

# %% chunks
# finding: other-parts
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    count = -(-len(batch) // size)
    total = 0.0
    for x, y in zip(batch.tensor_split(count), targets.tensor_split(count)):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total

# %% cleared_before_the_step
# finding: nothing-to-step-with
import torch
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    """Make one step on the whole batch, in parts of `size` samples, and return its loss."""
    total = 0.0
    for x, y in zip(batch.split(size), targets.split(size), strict=True):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
    optimizer.zero_grad()
    optimizer.step()
    return total

# %% every_nth
# finding: other-parts
import torch
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    """Make one step on the whole batch, in parts of `size` samples, and return its loss."""
    optimizer.zero_grad()
    total = 0.0
    parts = -(-len(batch) // size)
    for start in range(parts):
        x, y = batch[start::parts], targets[start::parts]
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total

# %% last_loss
# finding: loss-of-one-part
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    for x, y in zip(batch.split(size), targets.split(size)):
        loss = nn.functional.mse_loss(model(x), y)
        (loss * len(x) / len(batch)).backward()
    optimizer.step()
    return loss.item()

# %% last_loss_backward
# finding: last-part-only
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    total = 0.0
    for x, y in zip(batch.split(size), targets.split(size)):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        total += loss.item()
    loss.backward()
    optimizer.step()
    return total

# %% list_of_losses
# finding: other-form
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    losses = []
    for x, y in zip(batch.split(size), targets.split(size)):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
        losses.append(loss.item())
    optimizer.step()
    return losses

# %% loss_after_the_step
# finding: ran-more-than-once
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    for x, y in zip(batch.split(size), targets.split(size)):
        (nn.functional.mse_loss(model(x), y) * len(x) / len(batch)).backward()
    optimizer.step()
    total = 0.0
    for x, y in zip(batch.split(size), targets.split(size)):
        total += nn.functional.mse_loss(model(x), y).item() * len(x) / len(batch)
    return total

# %% loss_run_again
# finding: ran-more-than-once
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    for x, y in zip(batch.split(size), targets.split(size)):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
    total = sum(nn.functional.mse_loss(model(x), y).item() * len(x) / len(batch)
                for x, y in zip(batch.split(size), targets.split(size)))
    optimizer.step()
    return total

# %% losses_added
# finding: losses-added-up
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    total = 0.0
    for x, y in zip(batch.split(size), targets.split(size)):
        loss = nn.functional.mse_loss(model(x), y)
        (loss * len(x) / len(batch)).backward()
        total += loss.item()
    optimizer.step()
    return total

# %% no_optimizer_step
# finding: no-step
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    total = 0.0
    for x, y in zip(batch.split(size), targets.split(size)):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
    return total

# %% no_return
# finding: nothing-returned
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    for x, y in zip(batch.split(size), targets.split(size)):
        (nn.functional.mse_loss(model(x), y) * len(x) / len(batch)).backward()
    optimizer.step()

# %% no_zero_grad
# finding: gradients-left-over
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    total = 0.0
    for x, y in zip(batch.split(size), targets.split(size)):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total

# %% on_the_cpu
# finding: model-moved
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    model.cpu()
    optimizer.zero_grad()
    total = 0.0
    for x, y in zip(batch.cpu().split(size), targets.cpu().split(size)):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total

# %% reversed
# finding: parts-in-another-order
import torch
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    """Make one step on the whole batch, in parts of `size` samples, and return its loss."""
    optimizer.zero_grad()
    total = 0.0
    for x, y in reversed(list(zip(batch.split(size), targets.split(size)))):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total

# %% sum_of_squares
# finding: other-step
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    total = 0.0
    for x, y in zip(batch.split(size), targets.split(size)):
        loss = nn.functional.mse_loss(model(x), y, reduction="sum")
        loss.backward()
        total += loss.item() / targets.numel()
    optimizer.step()
    return total

# %% tensor_of_the_loss
# finding: loss-is-a-tensor
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    total = 0
    for x, y in zip(batch.split(size), targets.split(size)):
        loss = nn.functional.mse_loss(model(x), y) * len(x) / len(batch)
        loss.backward()
        total += loss.detach()
    optimizer.step()
    return total

# %% whole_batch
# finding: part-too-large
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(batch), targets)
    loss.backward()
    optimizer.step()
    return loss.item()

# %% without_the_model
# finding: model-not-run
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    total = 0.0
    for x, y in zip(batch.split(size), targets.split(size)):
        out = nn.functional.linear(x, *model.parameters())
        loss = nn.functional.mse_loss(out, y) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total

# %% wrong_share
# finding: other-loss
from torch import nn


def accumulate(model, optimizer, batch, targets, size):
    optimizer.zero_grad()
    total = 0.0
    for x, y in zip(batch.split(size), targets.split(size)):
        loss = nn.functional.mse_loss(model(x), y)
        (loss * len(x) / len(batch)).backward()
        total += loss.item() / len(x)
    optimizer.step()
    return total
