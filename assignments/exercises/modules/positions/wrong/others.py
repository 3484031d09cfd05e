# %% as_it_was
# finding: two-devices
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, batch):
        steps = torch.arange(batch.shape[1])
        return batch + self.factor * steps


def positions(factor):
    return Positions(factor)

# %% batch_to_the_cpu
# finding: copied-in-forward
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, batch):
        steps = torch.arange(batch.shape[1])
        return batch.cpu() + self.factor * steps


def positions(factor):
    return Positions(factor)

# %% current_gpu
# finding: two-devices
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, batch):
        steps = torch.arange(batch.shape[1], device="cuda")
        return batch + self.factor * steps


def positions(factor):
    return Positions(factor)

# %% factor_a_parameter
# finding: keeps-tensors
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor
        self.scale = nn.Parameter(torch.tensor(factor))

    def forward(self, batch):
        steps = torch.arange(batch.shape[1], device=self.scale.device)
        return batch + self.factor * steps


def positions(factor):
    return Positions(factor)

# %% from_a_list
# finding: copied-in-forward
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, batch):
        steps = torch.tensor(list(range(batch.shape[1])), device=batch.device)
        return batch + self.factor * steps


def positions(factor):
    return Positions(factor)

# %% from_one
# finding: other-result
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, batch):
        steps = torch.arange(1, batch.shape[1] + 1, device=batch.device)
        return batch + self.factor * steps


def positions(factor):
    return Positions(factor)

# %% in_float64
# finding: other-dtype
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, batch):
        steps = torch.arange(batch.shape[1], dtype=torch.float64, device=batch.device)
        return batch + self.factor * steps


def positions(factor):
    return Positions(factor)

# %% new_tensor
# finding: copied-in-forward
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, batch):
        steps = batch.new_tensor(range(batch.shape[1]))
        return batch + self.factor * steps


def positions(factor):
    return Positions(factor)

# %% own_device
# finding: asked-itself
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, batch):
        steps = torch.arange(batch.shape[1], device=self.device)
        return batch + self.factor * steps


def positions(factor):
    return Positions(factor)

# %% the_class_itself
# finding: other-form
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, batch):
        steps = torch.arange(batch.shape[1])
        return batch + self.factor * steps


def positions(factor):
    return Positions

# %% there_and_back
# finding: copied-in-forward
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, batch):
        steps = torch.arange(batch.shape[1])
        return (batch.cpu() + self.factor * steps).to(batch.device)


def positions(factor):
    return Positions(factor)

# %% the_batch_as_device
# finding: not-a-device
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, batch):
        steps = torch.arange(batch.shape[1], device=batch)
        return batch + self.factor * steps


def positions(factor):
    return Positions(factor)

# %% number_as_device
# finding: not-a-device
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, batch):
        steps = torch.arange(batch.shape[1], device=batch.get_device())
        return batch + self.factor * steps


def positions(factor):
    return Positions(factor)

# %% in_place
# finding: input-changed
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, batch):
        batch += self.factor * torch.arange(batch.shape[1], device=batch.device)
        return batch


def positions(factor):
    return Positions(factor)

# %% a_long_buffer
# finding: two-devices
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor
        self.register_buffer("steps", torch.arange(100_000), persistent=False)

    def forward(self, batch):
        return batch + self.factor * self.steps[: batch.shape[1]]


def positions(factor):
    return Positions(factor)

# %% steps_of_the_first_batch
# finding: call-fails
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor
        self.steps = None

    def forward(self, batch):
        if self.steps is None or self.steps.device != batch.device:
            self.steps = torch.arange(batch.shape[1], device=batch.device)
        return batch + self.factor * self.steps


def positions(factor):
    return Positions(factor)
