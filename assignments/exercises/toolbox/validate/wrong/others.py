# %% added_up
# finding: keeps-growing
def validate(model, batches):
    total = 0
    for batch in batches:
        total += model(batch).square().mean()
    return total.item() / len(batches)

# %% all_at_once
# finding: other-calls
import torch


def validate(model, batches):
    with torch.no_grad():
        outputs = model(torch.cat(batches)).split([len(batch) for batch in batches])
    return torch.stack([output.square().mean() for output in outputs]).mean().item()

# %% as_it_was
# finding: keeps-growing
import torch


def validate(model, batches):
    losses = []
    for batch in batches:
        loss = model(batch).square().mean()
        losses.append(loss)
    return torch.stack(losses).mean().item()

# %% backward_instead
# finding: gradients-made
import torch


def validate(model, batches):
    losses = []
    for batch in batches:
        loss = model(batch).square().mean()
        loss.backward()
        losses.append(loss)
    return torch.stack(losses).mean().item()

# %% batches_kept
# finding: more-than-losses
import torch


def validate(model, batches):
    losses, seen = [], []
    for batch in batches:
        loss = model(batch).square().mean()
        losses.append(loss.detach())
        seen.append(batch.clone())
    return torch.stack(losses).mean().item()

# %% cache_emptied
# finding: keeps-growing
import torch


def validate(model, batches):
    losses = []
    for batch in batches:
        loss = model(batch).square().mean()
        losses.append(loss)
        del loss
        torch.cuda.empty_cache()
    return torch.stack(losses).mean().item()

# %% called_twice
# finding: called-too-often
import torch


def validate(model, batches):
    losses = []
    for batch in batches:
        with torch.no_grad():
            print(model(batch).square().mean())
            losses.append(model(batch).square().mean())
    return torch.stack(losses).mean().item()

# %% moved_to_the_cpu
# finding: keeps-growing
import torch


def validate(model, batches):
    losses = []
    for batch in batches:
        loss = model(batch).square().mean()
        losses.append(loss.cpu())
    return torch.stack(losses).mean().item()

# %% parameters_frozen
# finding: parameters-switched
import torch


def validate(model, batches):
    model.requires_grad_(False)
    losses = []
    for batch in batches:
        loss = model(batch).square().mean()
        losses.append(loss)
    return torch.stack(losses).mean().item()

# %% training_mode_in_the_end
# finding: mode-switched
import torch


@torch.no_grad()
def validate(model, batches):
    model.eval()
    losses = [model(batch).square().mean() for batch in batches]
    model.train()
    return torch.stack(losses).mean().item()

# %% on_the_cpu
# finding: moved
import torch


def validate(model, batches):
    model.cpu()
    losses = []
    for batch in batches:
        loss = model(batch.cpu()).square().mean()
        losses.append(loss)
    return torch.stack(losses).mean().item()

# %% there_and_back
# finding: moved
import torch


def validate(model, batches):
    device = batches[0].device
    model.cpu()
    losses = [model(batch.cpu()).square().mean() for batch in batches]
    model.to(device)
    return torch.stack(losses).mean().item()

# %% no_grad_around_the_list
# finding: keeps-growing
import torch


def validate(model, batches):
    losses = []
    for batch in batches:
        loss = model(batch).square().mean()
        with torch.no_grad():
            losses.append(loss)
    return torch.stack(losses).mean().item()

# %% no_grad_around_the_mean
# finding: keeps-growing
import torch


def validate(model, batches):
    losses = []
    for batch in batches:
        loss = model(batch).square().mean()
        losses.append(loss.clone())
        del loss
    with torch.no_grad():
        return torch.stack(losses).mean().item()

# %% batch_detached
# finding: keeps-growing
import gc

import torch


def validate(model, batches):
    losses = []
    for batch in batches:
        loss = model(batch.detach()).square().mean()
        losses.append(loss)
        gc.collect()
    return torch.stack(losses).mean().item()

# %% gradients_left_off
# finding: left-switched
import torch


def validate(model, batches):
    torch.set_grad_enabled(False)
    losses = []
    for batch in batches:
        loss = model(batch).square().mean()
        losses.append(loss)
    return torch.stack(losses).mean().item()
