# %% as_in_the_example
# finding: other-device
import torch


def build_on(make, device):
    with torch.device("cuda:1"):
        return make()

# %% asked_for_its_device
# finding: no-device-attribute
import torch


def build_on(make, device):
    with torch.device(device):
        module = make()
    assert module.device == device
    return module

# %% block_too_short
# finding: default-used
import torch


def build_on(make, device):
    with torch.device(device):
        build = make
    return build()

# %% copied
# finding: another-module
import copy

import torch


def build_on(make, device):
    with torch.device(device):
        return copy.deepcopy(make())

# %% current_gpu_switched
# finding: default-used
import torch


def build_on(make, device):
    with torch.cuda.device(device):
        return make()

# %% device_passed
# finding: make-takes-nothing
def build_on(make, device):
    return make(device=device)

# %% error_swallowed
# finding: error-swallowed
import torch


def build_on(make, device):
    try:
        with torch.device(device):
            return make()
    except Exception:
        return None

# %% error_wrapped
# finding: other-error
import torch


def build_on(make, device):
    try:
        with torch.device(device):
            return make()
    except Exception as error:
        raise RuntimeError(f"cannot build on {device}") from error

# %% fetched_back
# finding: moved-on
import torch


def build_on(make, device):
    with torch.device(device):
        return make().cpu()

# %% gpus_only
# finding: cpu-refused
import torch


def build_on(make, device):
    with torch.cuda.device(device), torch.device("cuda"):
        return make()

# %% index_lost
# finding: current-gpu
import torch


def build_on(make, device):
    with torch.device(device.type):
        return make()

# %% made_twice
# finding: called-again
import torch


def build_on(make, device):
    with torch.device(device):
        make()
        return make()

# %% make_moved
# finding: make-not-called
def build_on(make, device):
    return make.to(device)()

# %% meta_then_empty
# finding: made-on-meta
import torch


def build_on(make, device):
    with torch.device("meta"):
        module = make()
    return module.to_empty(device=device)

# %% no_return
# finding: nothing-returned
import torch


def build_on(make, device):
    with torch.device(device):
        make()

# %% default_reset_to_cpu
# finding: default-forgotten
import torch


def build_on(make, device):
    torch.set_default_device(device)
    try:
        return make()
    finally:
        torch.set_default_device("cpu")
