# %% always_cuda
# finding: gpu-not-visible
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    """Take a step for each batch of `loader`, and return the mean loss of all samples."""
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = torch.device("cuda")
    model.to(device)
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    return (total / samples).item()

# %% batches_cut
# finding: other-parts
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        batch, targets = batch[:4], targets[:4]
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    return (total / samples).item()

# %% cleared_afterwards
# finding: gradients-left-over
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    return (total / samples).item()

# %% cleared_before_the_step
# finding: nothing-to-step-with
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    """Take a step for each batch of `loader`, and return the mean loss of all samples."""
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    return (total / samples).item()

# %% copied_twice
# finding: copied-too-much
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        targets.to(outputs.device)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    return (total / samples).item()

# %% last_loss
# finding: loss-of-one-batch
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    return loss.item()

# %% list_of_losses
# finding: other-form
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = [], 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total.append(loss.detach())
        samples += len(batch)
    return [loss.item() for loss in total]

# %% loader_not_used
# finding: model-not-run
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in []:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    return 0.0

# %% loss_after_the_step
# finding: ran-more-than-once
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    return (total / samples).item()

# %% loss_divided
# finding: other-loss
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = total + loss.detach() * len(batch) / 2
        samples += len(batch)
    return (total / samples).item()

# %% module_called
# finding: gpus-idle
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = (model.module if shared else model)(batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    return (total / samples).item()

# %% no_return
# finding: nothing-returned
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    print((total / samples).item())

# %% no_step
# finding: no-step
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    return (total / samples).item()

# %% outputs_on_the_cpu
# finding: fetched-in-the-loop
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs.cpu(), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    return (total / samples).item()

# %% printed_loss
# finding: fetched-in-the-loop
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
        print(f'{samples} samples, loss {loss:.3f}')
    return (total / samples).item()

# %% step_after_the_loop
# finding: too-few-steps
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    optimizer.zero_grad()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        loss.backward()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    optimizer.step()
    return (total / samples).item()

# %% sum_by_samples
# finding: sum-of-losses
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = total + loss.detach()
        samples += len(batch)
    return (total / samples).item()

# %% sum_reduced
# finding: other-step
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device), reduction='sum')
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    return (total / samples).item()

# %% sums
# finding: sum-of-losses
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = total + loss.detach()
        samples += len(batch)
    return total.item()

# %% tensor
# finding: loss-is-a-tensor
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    return total / samples

# %% two_steps
# finding: several-steps
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        optimizer.step()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    return (total / samples).item()

# %% uphill
# finding: other-step
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        (-loss).backward()
        optimizer.step()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    return (total / samples).item()

# %% moved_to_the_main_gpu
# finding: by-way-of-the-main-gpu
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    model.train()
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    return (total / samples).item()

# %% no_train
# finding: evaluation-mode
import torch
from torch import nn


def train_epoch(model, loader, optimizer):
    shared = isinstance(model, nn.DataParallel)
    device = next(model.parameters()).device
    total, samples = 0, 0
    for batch, targets in loader:
        outputs = model(batch if shared else batch.to(device))
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = total + loss.detach() * len(batch)
        samples += len(batch)
    return (total / samples).item()
