# %% a_tensor_tried
import torch


def try_gpu(i=0):
    try:
        torch.ones(1, device=f"cuda:{i}")
    except (RuntimeError, AssertionError):
        return torch.device("cpu")
    return torch.device("cuda", i)

# %% a_tensor_moved
import torch


def try_gpu(i=0):
    try:
        return torch.tensor(0).cuda(i).device
    except Exception:
        return torch.device("cpu")

# %% memory_asked
import torch


def try_gpu(i=0):
    device = torch.device("cuda", i)
    try:
        torch.cuda.mem_get_info(device)
    except (RuntimeError, AssertionError):
        device = torch.device("cpu")
    return device

# %% properties_asked
import torch


def try_gpu(i=0):
    try:
        torch.cuda.get_device_properties(i)
        return torch.device("cuda", i)
    except Exception:
        return torch.device("cpu")

# %% block_tried
import torch


def try_gpu(i=0):
    try:
        with torch.cuda.device(i):
            return torch.empty(0, device="cuda").device
    except (RuntimeError, AssertionError):
        return torch.device("cpu")

# %% any_kind
import torch


def try_gpu(i=0):
    accelerator = torch.accelerator.current_accelerator(check_available=True)
    if accelerator is None or i >= torch.accelerator.device_count():
        return torch.device("cpu")
    return torch.device(accelerator.type, i)

# %% in_range
import torch


def try_gpu(i=0):
    if i in range(torch.cuda.device_count()):
        return torch.device(i)
    return torch.device("cpu")
