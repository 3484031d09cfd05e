# %% all_on_the_cpu
# finding: results-elsewhere
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1], device=batch.device) < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.cpu(), lengths.cpu()))
    return results, model

# %% batch_moved_twice
# finding: needless-copy
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1], device=batch.device) < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.cpu().to(device), lengths.cpu().to(device)))
    return results, model

# %% brought_back
# finding: results-elsewhere
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1], device=batch.device) < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)).cpu())
    return results, model

# %% current_gpu
# finding: still-two-devices
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1], device="cuda") < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model

# %% default_device
# finding: does-not-follow
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1]) < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    torch.set_default_device(device)
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model

# %% generator_of_results
# finding: other-form
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1], device=batch.device) < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = (model(batch.to(device), lengths.to(device)) for batch, lengths in batches)
    return results, model

# %% mask_of_a_list
# finding: needless-copy
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, batch, lengths):
        mask = torch.tensor(range(batch.shape[1]), device=batch.device) < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model

# %% mask_only
# finding: still-two-devices
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.mean = torch.zeros(width)

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1], device=batch.device) < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model

# %% mask_passed_in
# finding: later-raised
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, batch, lengths, steps):
        mask = steps < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device),
                             torch.arange(batch.shape[1], device=device)))
    return results, model

# %% mean_assigned_to_a_parameter
# finding: mean-trained
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.mean = nn.Parameter(torch.zeros(width))

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1], device=batch.device) < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model

# %% mean_kept_on_the_cpu
# finding: needless-copy
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1], device=batch.device) < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        mean = 0.5 * self.mean.to(batch.device) + 0.5 * average.mean(0)
        self.mean = mean.cpu()
        return average - mean


def fix_module(batches, width, device):
    model = Centre(width)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model

# %% mean_local
# finding: other-result
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1], device=batch.device) < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model

# %% mean_not_persistent
# finding: mean-not-saved
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width), persistent=False)

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1], device=batch.device) < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model

# %% new_model_for_each_batch
# finding: other-result
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1], device=batch.device) < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        model = Centre(width).to(device)
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model

# %% no_return
# finding: nothing-returned
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1], device=batch.device) < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))

# %% other_name
# finding: other-keys
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("running", torch.zeros(width))

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1], device=batch.device) < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.running = 0.5 * self.running + 0.5 * average.mean(0)
        return average - self.running


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model

# %% padding_counted
# finding: other-result
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1], device=batch.device) <= lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model

# %% results_only
# finding: other-form
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1], device=batch.device) < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results

# %% slice_by_slice
# finding: number-read
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, batch, lengths):
        average = torch.stack([row[:n].mean(0) for row, n in zip(batch, lengths)])
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model

# %% steps_saved
# finding: other-keys
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("steps", torch.arange(100))

    def forward(self, batch, lengths):
        mask = self.steps[:batch.shape[1]] < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model

# %% through_the_cpu
# finding: needless-copy
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1]) < lengths.cpu()[:, None]
        average = (batch * mask[:, :, None].to(batch.device)).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model

# %% unchanged
# finding: still-two-devices
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.mean = torch.zeros(width)

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1]) < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model

# %% assigned_and_registered
# finding: assigned-before
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.mean = torch.zeros(width)
        self.register_buffer("mean", self.mean)

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1]) < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model

# %% no_mask
# finding: other-result
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, batch, lengths):
        average = batch.mean(1)
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model

# %% device_kept
# finding: does-not-follow
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width, device):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))
        self.device = device

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1], device=self.device) < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width, device).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model

# %% steps_of_the_example
# finding: later-raised
import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("positions", torch.arange(5), persistent=False)

    def forward(self, batch, lengths):
        mask = self.positions[: batch.shape[1]] < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    results = []
    for batch, lengths in batches:
        results.append(model(batch.to(device), lengths.to(device)))
    return results, model
