# %% as_it_was
# finding: missing-gpu
import torch


def try_gpu(i=0):
    if torch.cuda.device_count() >= 1:
        return torch.device("cuda", i)
    return torch.device("cpu")

# %% current_one
# finding: current-gpu
import torch


def try_gpu(i=0):
    if torch.cuda.device_count() > i:
        return torch.device("cuda")
    return torch.device("cpu")

# %% four_gpus
# finding: missing-gpu
import torch


def try_gpu(i=0):
    if i < 4:
        return torch.device("cuda", i)
    return torch.device("cpu")

# %% name_in_quotes
# finding: no-name-of-a-device
import torch


def try_gpu(i=0):
    if torch.cuda.device_count() > i:
        return torch.device("cuda:i")
    return torch.device("cpu")

# %% number_added
# finding: number-and-text
import torch


def try_gpu(i=0):
    if torch.cuda.device_count() > i:
        return torch.device("cuda:" + i)
    return torch.device("cpu")

# %% one_too_few
# finding: cpu-instead
import torch


def try_gpu(i=0):
    if torch.cuda.device_count() > i + 1:
        return torch.device("cuda", i)
    return torch.device("cpu")

# %% tried
# finding: missing-gpu
import torch


def try_gpu(i=0):
    try:
        torch.device("cuda", i)
    except RuntimeError:
        return torch.device("cpu")
    return torch.device("cuda", i)
