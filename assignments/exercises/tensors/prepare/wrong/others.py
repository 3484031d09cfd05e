# %% as_it_was
# finding: images-travel
import torch


def prepare(images, mean):
    ones = torch.ones(len(images), 1).to(images.device)
    centred = (images.cpu() - mean).to(images.device)
    return torch.cat([centred, ones], dim=1)

# %% current_gpu
# finding: mismatch-left
import torch


def prepare(images, mean):
    ones = torch.ones(len(images), 1, device="cuda")
    centred = images - mean.cuda()
    return torch.cat([centred, ones], dim=1)

# %% mean_through_the_cpu
# finding: needless-copy
import torch


def prepare(images, mean):
    ones = torch.ones(len(images), 1, device=images.device)
    centred = images - mean.cpu().to(images.device)
    return torch.cat([centred, ones], dim=1)

# %% zeros
# finding: other-result
import torch


def prepare(images, mean):
    ones = torch.zeros(len(images), 1, device=images.device)
    centred = images - mean.to(images.device)
    return torch.cat([centred, ones], dim=1)

# %% moved_and_lost
# finding: mismatch-left
import torch


def prepare(images, mean):
    ones = torch.ones(len(images), 1, device=images.device)
    mean.to(images.device)
    return torch.cat([images - mean, ones], dim=1)

# %% mean_fetched_when_it_is_there
# finding: needless-copy
import torch


def prepare(images, mean):
    ones = torch.ones(len(images), 1, device=images.device)
    if mean.device.type == "cpu" or mean.device == images.device:
        mean = mean.cpu().to(images.device)
    return torch.cat([images - mean.to(images.device), ones], dim=1)

# %% left_on_the_cpu
# finding: result-elsewhere
import torch


def prepare(images, mean):
    ones = torch.ones(len(images), 1)
    centred = images.cpu() - mean.cpu()
    return torch.cat([centred, ones], dim=1)
