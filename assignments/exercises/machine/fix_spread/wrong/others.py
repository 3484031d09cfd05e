# %% all_or_none
# finding: on-the-cpu
import torch


def fix_spread(parts, gpus):
    if len(parts) > gpus:
        return [torch.tensor(p) for p in parts]
    return [torch.tensor(p, device=f"cuda:{i}") for i, p in enumerate(parts)]

# %% any_gpu
# finding: missing-gpu
import torch


def fix_spread(parts, gpus):
    tensors = []
    for i, part in enumerate(parts):
        if gpus >= 1:
            device = torch.device("cuda", i)
        else:
            device = torch.device("cpu")
        tensors.append(torch.tensor(part, device=device))
    return tensors

# %% as_it_was
# finding: context-manager
import torch


def fix_spread(parts, gpus):
    tensors = []
    for i, part in enumerate(parts):
        if gpus >= i:
            device = torch.cuda.device(i)
        else:
            device = torch.device("cpu")
        tensors.append(torch.tensor(part, device=device))
    return tensors

# %% block_without_a_name
# finding: on-the-cpu
import torch


def fix_spread(parts, gpus):
    tensors = []
    for i, part in enumerate(parts):
        if i < gpus:
            with torch.cuda.device(i):
                tensors.append(torch.tensor(part))
        else:
            tensors.append(torch.tensor(part))
    return tensors

# %% counted_from_one
# finding: other-device
import torch


def fix_spread(parts, gpus):
    tensors = []
    for i, part in enumerate(parts):
        if i < gpus - 1:
            device = torch.device("cuda", i)
        else:
            device = torch.device("cpu")
        tensors.append(torch.tensor(part, device=device))
    return tensors

# %% devices_only
# finding: other-form
import torch


def fix_spread(parts, gpus):
    return [torch.device("cuda", i) if i < gpus else torch.device("cpu")
            for i, part in enumerate(parts)]

# %% dtype_of_the_first
# finding: other-values
import torch


def fix_spread(parts, gpus):
    tensors = []
    for i, part in enumerate(parts):
        device = torch.device("cuda", i) if i < gpus else torch.device("cpu")
        dtype = torch.int64 if isinstance(part[0], int) else torch.float32
        tensors.append(torch.tensor(part, dtype=dtype, device=device))
    return tensors

# %% floats
# finding: other-values
import torch


def fix_spread(parts, gpus):
    return [torch.tensor(part, device=f"cuda:{i}" if i < gpus else "cpu", dtype=torch.float32)
            for i, part in enumerate(parts)]

# %% gpus_of_the_machine
# finding: too-many
import torch


def fix_spread(parts, gpus):
    tensors = []
    for i, part in enumerate(parts):
        if i < torch.cuda.device_count():
            device = torch.device("cuda", i)
        else:
            device = torch.device("cpu")
        tensors.append(torch.tensor(part, device=device))
    return tensors

# %% in_place
# finding: input-changed
import torch


def fix_spread(parts, gpus):
    for i, part in enumerate(parts):
        parts[i] = torch.tensor(part, device=f"cuda:{i}" if i < gpus else "cpu")
    return parts

# %% in_turn
# finding: in-turn
import torch


def fix_spread(parts, gpus):
    tensors = []
    for i, part in enumerate(parts):
        if gpus:
            device = torch.device("cuda", i % gpus)
        else:
            device = torch.device("cpu")
        tensors.append(torch.tensor(part, device=device))
    return tensors

# %% name_in_quotes
# finding: no-name-of-a-device
import torch


def fix_spread(parts, gpus):
    return [
        torch.tensor(part, device="cuda:i" if i < gpus else "cpu") for i, part in enumerate(parts)
    ]

# %% no_return
# finding: nothing-returned
import torch


def fix_spread(parts, gpus):
    tensors = []
    for i, part in enumerate(parts):
        device = torch.device("cuda", i) if i < gpus else torch.device("cpu")
        tensors.append(torch.tensor(part, device=device))

# %% number_added
# finding: number-and-text
import torch


def fix_spread(parts, gpus):
    return [
        torch.tensor(part, device="cuda:" + i if i < gpus else "cpu") for i, part in enumerate(parts)
    ]

# %% set_device
# finding: current-changed
import torch


def fix_spread(parts, gpus):
    tensors = []
    for i, part in enumerate(parts):
        if i < gpus:
            torch.cuda.set_device(i)
            tensors.append(torch.tensor(part, device="cuda"))
        else:
            tensors.append(torch.tensor(part))
    return tensors

# %% the_current_one
# finding: the-current-one
import torch


def fix_spread(parts, gpus):
    tensors = []
    for i, part in enumerate(parts):
        if i < gpus:
            device = torch.device("cuda")
        else:
            device = torch.device("cpu")
        tensors.append(torch.tensor(part, device=device))
    return tensors

# %% tried
# finding: too-many
import torch


def fix_spread(parts, gpus):
    tensors = []
    for i, part in enumerate(parts):
        try:
            tensors.append(torch.tensor(part, device=f"cuda:{i}"))
        except RuntimeError:
            tensors.append(torch.tensor(part))
    return tensors

# %% zipped_with_the_gpus
# finding: parts-missing
import torch


def fix_spread(parts, gpus):
    return [torch.tensor(part, device=f"cuda:{i}") for i, part in zip(range(gpus), parts)]

# %% rest_dropped
# finding: parts-missing
import torch


def fix_spread(parts, gpus):
    return [torch.tensor(part, device=f"cuda:{i}") for i, part in enumerate(parts[:gpus])]
