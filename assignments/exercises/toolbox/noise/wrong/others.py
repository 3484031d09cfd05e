# %% a_dict
# finding: other-form
import torch


def noise(seed, count, devices):
    own = torch.Generator().manual_seed(seed)
    return {device: torch.randn(count, generator=own).to(device) for device in devices}

# %% device_left_set
# finding: current-device-changed
import torch


def noise(seed, count, devices):
    tensors = []
    for number, device in enumerate(devices):
        if device.type == "cuda":
            torch.cuda.set_device(device)
        own = torch.Generator(device).manual_seed(1000 * seed + number)
        tensors.append(torch.randn(count, generator=own, device=device))
    return tensors

# %% forked_devices_only
# finding: other-generators-changed
import torch


def noise(seed, count, devices):
    tensors = []
    gpus = [device.index for device in devices if device.type == "cuda"]
    with torch.random.fork_rng(devices=gpus):
        for number, device in enumerate(devices):
            torch.manual_seed(seed + number)
            tensors.append(torch.randn(count, device=device))
    return tensors

# %% forked_without_gpus
# finding: generators-changed
import torch


def noise(seed, count, devices):
    tensors = []
    with torch.random.fork_rng(devices=[]):
        for number, device in enumerate(devices):
            torch.manual_seed(seed + number)
            tensors.append(torch.randn(count, device=device))
    return tensors

# %% gpus_put_back
# finding: cpu-generator-changed
import torch


def noise(seed, count, devices):
    gpus = torch.cuda.get_rng_state_all()
    tensors = []
    for number, device in enumerate(devices):
        torch.manual_seed(seed + number)
        tensors.append(torch.randn(count, device=device))
    torch.cuda.set_rng_state_all(gpus)
    return tensors

# %% hashed
# finding: not-repeatable
import torch


def noise(seed, count, devices):
    tensors = []
    for device in devices:
        generator = torch.Generator(device=device)
        generator.manual_seed(hash((seed, str(device))) % 2**63)
        tensors.append(torch.randn(count, generator=generator, device=device))
    return tensors

# %% index_as_seed
# outcome: raised
import torch


def noise(seed, count, devices):
    tensors = []
    for device in devices:
        own = torch.Generator(device).manual_seed(1000 * seed + device.index)
        tensors.append(torch.randn(count, generator=own, device=device))
    return tensors

# %% kept_between_calls
# finding: not-repeatable
import torch

_generators = {}


def noise(seed, count, devices):
    tensors = []
    for number, device in enumerate(devices):
        if device not in _generators:
            _generators[device] = torch.Generator(device).manual_seed(1000 * seed + number)
        tensors.append(torch.randn(count, generator=_generators[device], device=device))
    return tensors

# %% last_digits_of_the_seed
# finding: same-for-every-seed
import torch


def noise(seed, count, devices):
    tensors = []
    for number, device in enumerate(devices):
        own = torch.Generator(device).manual_seed(seed % 1000 * 100 + number)
        tensors.append(torch.randn(count, generator=own, device=device))
    return tensors

# %% left_on_the_cpu
# finding: other-device
import torch


def noise(seed, count, devices):
    own = torch.Generator().manual_seed(seed)
    return [torch.randn(count, generator=own) for _ in devices]

# %% never_seeded
# finding: same-on-every-device
import torch


def noise(seed, count, devices):
    return [torch.randn(count, device=device) for device in devices]

# %% numpys_global
# finding: other-libraries-changed
import numpy as np
import torch


def noise(seed, count, devices):
    np.random.seed(seed)
    rows = np.random.standard_normal((len(devices), count)).astype(np.float32)
    return [torch.from_numpy(row).to(device) for row, device in zip(rows, devices)]

# %% one_row
# finding: other-shape
import torch


def noise(seed, count, devices):
    own = torch.Generator().manual_seed(seed)
    return [torch.randn(1, count, generator=own).to(device) for device in devices]

# %% seed_forgotten
# finding: same-for-every-seed
import torch


def noise(seed, count, devices):
    tensors = []
    for number, device in enumerate(devices):
        own = torch.Generator(device).manual_seed(number)
        tensors.append(torch.randn(count, generator=own, device=device))
    return tensors

# %% seed_times_number
# finding: same-on-every-device
import torch

def noise(seed, count, devices):
    return [torch.randn(count, generator=torch.Generator().manual_seed(seed * (i + 1))).to(d) for i, d in enumerate(devices)]

# %% seeded_by_chance
# finding: not-repeatable
import torch


def noise(seed, count, devices):
    tensors = []
    for device in devices:
        own = torch.Generator(device)
        own.seed()
        tensors.append(torch.randn(count, generator=own, device=device))
    return tensors

# %% seeded_once
# finding: same-on-every-device
import torch


def noise(seed, count, devices):
    torch.manual_seed(seed)
    return [torch.randn(count, device=device) for device in devices]

# %% shifted
# finding: same-on-every-device
import torch


def noise(seed, count, devices):
    own = torch.Generator().manual_seed(seed)
    numbers = torch.randn(count + len(devices), generator=own)
    return [numbers[i : i + count].to(device) for i, device in enumerate(devices)]

# %% squeezed
# finding: other-shape
import torch

def noise(seed, count, devices):
    g = torch.Generator().manual_seed(seed)
    return [torch.randn(1, count, generator=g).squeeze().to(d) for d in devices]

# %% times_the_place
# finding: other-distribution
import torch


def noise(seed, count, devices):
    tensors = []
    for number, device in enumerate(devices):
        own = torch.Generator(device).manual_seed(1000 * seed + number)
        tensors.append(torch.randn(count, generator=own, device=device) * (number + 1))
    return tensors

# %% uniform
# finding: other-distribution
import torch


def noise(seed, count, devices):
    tensors = []
    for number, device in enumerate(devices):
        own = torch.Generator(device).manual_seed(1000 * seed + number)
        tensors.append(torch.rand(count, generator=own, device=device))
    return tensors

# %% windows_of_one_draw
# finding: same-on-every-device
import torch

def noise(seed, count, devices):
    x = torch.randn(count + len(devices), generator=torch.Generator().manual_seed(seed))
    return [x[i:i + count].to(d) for i, d in enumerate(devices)]

# %% with_another_sign
# finding: same-on-every-device
import torch


def noise(seed, count, devices):
    tensors = []
    for number, device in enumerate(devices):
        own = torch.Generator().manual_seed(seed + number // 2)
        tensors.append((torch.randn(count, generator=own) * (-1) ** number).to(device))
    return tensors
