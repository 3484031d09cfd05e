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

# %% another_kind_counted
# finding: another-kind-counted
import torch


def try_gpu(i=0):
    if i < torch.accelerator.device_count():
        return torch.device("cuda", i)
    return torch.device("cpu")

# %% last_one_instead
# finding: another-gpu-instead
import torch


def try_gpu(i=0):
    n = torch.cuda.device_count()
    return torch.device("cuda", min(i, n - 1)) if n else torch.device("cpu")

# %% memory_asked_untried
# finding: missing-gpu-used
import torch


def try_gpu(i=0):
    free, _ = torch.cuda.mem_get_info(i)
    return torch.device("cuda", i) if free else torch.device("cpu")

# %% no_gpu_at_all
# finding: missing-gpu-used
import torch


def try_gpu(i=0):
    torch.ones(1, device="cuda")
    if i < torch.cuda.device_count():
        return torch.device("cuda", i)
    return torch.device("cpu")

# %% only_runtime_errors
# finding: assertion-not-caught
import torch


def try_gpu(i=0):
    try:
        torch.ones(1, device=f"cuda:{i}")
    except RuntimeError:
        return torch.device("cpu")
    return torch.device("cuda", i)

# %% properties_untried
# finding: assertion-not-caught
import torch


def try_gpu(i=0):
    found = torch.cuda.get_device_properties(i)
    return torch.device("cuda", i) if found else torch.device("cpu")

# %% no_index_for_the_first
# finding: current-gpu
import torch


def try_gpu(i=0):
    if i >= torch.cuda.device_count():
        return torch.device("cpu")
    return torch.device(f"cuda:{i}" if i else "cuda")
