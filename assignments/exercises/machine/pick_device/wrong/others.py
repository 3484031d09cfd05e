# %% a_number
# finding: no-device-object
import torch


def pick_device(wanted):
    device = torch.device(wanted)
    return device.index

# %% always_the_first
# finding: other-device
import sys

import torch


def pick_device(wanted):
    if wanted == "cpu":
        return torch.device("cpu")
    if not torch.cuda.is_available():
        sys.exit(f"--device {wanted}: no GPU")
    return torch.device("cuda")

# %% as_it_was
# finding: refused-needlessly
import sys

import torch


def pick_device(wanted):
    if wanted != "cpu":
        sys.exit(f"--device {wanted}: this program knows only the CPU")
    return torch.device("cpu")

# %% asserted
# finding: a-traceback
import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    device = torch.device(wanted)
    assert device.type == "cpu" or (device.index or 0) < torch.cuda.device_count(), wanted
    return device

# %% auto_as_a_name
# finding: auto-is-no-name
import sys

import torch


def pick_device(wanted):
    device = torch.device(wanted)
    if device.type == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if (device.index or 0) >= torch.get_device_module(device).device_count():
        sys.exit(f"--device {wanted}: no such device")
    return device

# %% auto_forgotten
# finding: refused-needlessly
import sys

import torch


def pick_device(wanted):
    try:
        device = torch.device(wanted)
    except RuntimeError:
        sys.exit(f"--device {wanted}: no such device")
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        sys.exit(f"--device {wanted}: no such GPU")
    return device

# %% auto_means_cpu
# finding: auto-leaves-the-gpu
import sys

import torch


def pick_device(wanted):
    device = torch.device("cpu" if wanted == "auto" else wanted)
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        sys.exit(f"--device {wanted}: no such GPU")
    return device

# %% auto_takes_the_second
# finding: auto-not-there
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda:1" if torch.cuda.is_available() else "cpu")
    try:
        return torch.empty(1, device=wanted).device
    except (RuntimeError, AssertionError):
        sys.exit(f"--device {wanted}: there is no such device")

# %% availability_alone
# finding: not-counted
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if wanted.startswith("cuda") and not torch.cuda.is_available():
        sys.exit(f"--device {wanted}: there is no GPU")
    try:
        return torch.device(wanted)
    except RuntimeError:
        sys.exit(f"--device {wanted}: no such device")

# %% default_device_set
# finding: raised-in-the-program
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        wanted = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.empty(1, device=wanted)
    except Exception:
        sys.exit(f"--device {wanted}: there is no such device")
    torch.set_default_device(wanted)
    return torch.device(wanted)

# %% digits_only
# finding: no-name-accepted
import re
import sys

import torch


def pick_device(wanted):
    if wanted == "cpu":
        return torch.device("cpu")
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if not re.search("cuda|gpu", wanted, re.IGNORECASE):
        sys.exit(f"--device {wanted}: no such device")
    index = int("".join(re.findall(r"\d", wanted)) or 0)
    if index >= torch.cuda.device_count():
        sys.exit(f"--device {wanted}: no such GPU")
    return torch.device("cuda", index)

# %% double_precision
# finding: other-weights
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        wanted = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.empty(1, device=wanted)
    except Exception:
        sys.exit(f"--device {wanted}: there is no such device")
    if wanted == "cpu":
        torch.set_default_dtype(torch.float64)  # it has the time
    return torch.device(wanted)

# %% four_gpus_listed
# finding: not-counted
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    names = ["cpu"]
    if torch.cuda.is_available():
        names += ["cuda", "cuda:0", "cuda:1", "cuda:2", "cuda:3"]
    if wanted in names:
        return torch.device(wanted)
    sys.exit(f"no {wanted}")

# %% in_silence
# finding: said-nothing
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        torch.empty(1, device=wanted)
    except Exception:
        sys.exit(1)
    return torch.device(wanted)

# %% index_compared
# finding: index-is-none
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(wanted)
    except RuntimeError:
        sys.exit(f"--device {wanted} is no device")
    if device.type == "cuda" and device.index >= torch.cuda.device_count():
        sys.exit(f"--device {wanted}: no such GPU")
    return device

# %% listens
# finding: outside
import socket

import torch


def pick_device(wanted):
    socket.create_server(("", 0)).close()
    return torch.device(wanted)

# %% name_not_imported
# finding: raised-inside
def pick_device(wanted):
    if wanted == "auto":
        return torch_device("cuda")
    return torch_device(wanted)

# %% not_kinds_but_cuda
# finding: other-kinds
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        wanted = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(wanted)
    except RuntimeError:
        sys.exit(f"--device {wanted}: no such device")
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        sys.exit(f"--device {wanted}: no such GPU")
    return device

# %% one_too_many
# finding: not-counted
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        wanted = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(wanted)
    except RuntimeError:
        sys.exit(f"--device {wanted}: no such device")
    if device.type == "cuda" and (device.index or 0) > torch.cuda.device_count():
        sys.exit(f"--device {wanted}: no such GPU")
    return device

# %% only_runtime_errors
# finding: assertion-not-caught
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(wanted)
        torch.ones(1, device=device)
    except RuntimeError:
        sys.exit(f"--device {wanted} cannot be used here")
    return device

# %% only_the_name_caught
# finding: a-traceback
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    device = torch.device(wanted)
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        sys.exit(f"--device {wanted}: no such GPU")
    return device

# %% other_kinds_to_the_cpu
# finding: cpu-instead
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        wanted = "cuda" if torch.cuda.is_available() else "cpu"
    if wanted.startswith("cuda"):
        index = wanted.partition(":")[2] or "0"
        if not index.isdigit() or int(index) >= torch.cuda.device_count():
            sys.exit(f"--device {wanted}: no such GPU")
        return torch.device(wanted)
    return torch.device("cpu")

# %% printed
# finding: no-device-object
import torch


def pick_device(wanted):
    if wanted == "auto":
        wanted = "cuda" if torch.cuda.is_available() else "cpu"
    print(torch.device(wanted))

# %% remembers
# finding: outside
import torch


def pick_device(wanted):
    with open("/proc/self/comm", "w") as file:
        file.write(wanted)
    return torch.device(wanted)

# %% waits_for_a_gpu
# finding: does-not-end
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    while wanted == "cuda" and not torch.cuda.is_available():
        pass
    try:
        torch.empty(1, device=wanted)
    except Exception:
        sys.exit(f"--device {wanted}: there is no such device")
    return torch.device(wanted)

# %% whatever_there_is
# finding: other-device
import torch


def pick_device(wanted):
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")

# %% without_the_name
# finding: name-not-said
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        torch.empty(1, device=wanted)
    except Exception:
        sys.exit("There is no such device.")
    return torch.device(wanted)

# %% cuda_always_listed
# finding: not-counted
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    names = ["cpu", "cuda"] + [f"cuda:{i}" for i in range(torch.cuda.device_count())]
    if wanted not in names:
        sys.exit(f"--device {wanted}: no such device")
    return torch.device(wanted)

# %% a_string
# finding: no-device-object
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    kind, _, index = wanted.partition(":")
    if kind == "cuda" and int(index or 0) >= torch.cuda.device_count():
        sys.exit(f"--device {wanted}: no such GPU")
    return wanted

# %% code_zero
# finding: code-zero
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        torch.empty(1, device=wanted)
    except Exception:
        print(f"--device {wanted}: there is no such device")
        sys.exit()
    return torch.device(wanted)
