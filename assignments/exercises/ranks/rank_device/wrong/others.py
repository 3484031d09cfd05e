# %% as_a_string
# finding: not-a-device
def rank_device(environ, accelerator):
    if not accelerator.is_available():
        return "cpu"
    number = int(environ.get("LOCAL_RANK", 0))
    if number >= accelerator.device_count():
        raise ValueError("no device")
    return f"{accelerator.current_accelerator().type}:{number}"

# %% asserted
# finding: another-exception
import torch


def rank_device(environ, accelerator):
    if not accelerator.is_available():
        return torch.device("cpu")
    number = int(environ.get("LOCAL_RANK", 0))
    assert number < accelerator.device_count(), "no device"
    return torch.device(accelerator.current_accelerator().type, number)

# %% availability_not_asked
# finding: accelerator-not-there
import torch


def rank_device(environ, accelerator):
    kind = accelerator.current_accelerator()
    if kind is None:
        return torch.device("cpu")
    number = int(environ.get("LOCAL_RANK", 0))
    if accelerator.device_count() and number >= accelerator.device_count():
        raise ValueError("no device")
    return torch.device(kind.type, number)

# %% cpu_refused
# finding: cpu-refused
import torch


def rank_device(environ, accelerator):
    number = int(environ.get("LOCAL_RANK", 0))
    if number >= max(1, accelerator.device_count()):
        raise ValueError("no device")
    if not accelerator.is_available():
        return torch.device("cpu")
    return torch.device(accelerator.current_accelerator().type, number)

# %% cpu_with_index
# finding: other-device
import torch


def rank_device(environ, accelerator):
    number = int(environ.get("LOCAL_RANK", 0))
    if not accelerator.is_available():
        return torch.device("cpu", number)
    if number >= accelerator.device_count():
        raise ValueError("no device")
    return torch.device(accelerator.current_accelerator().type, number)

# %% is_available_not_asked
# finding: cpu-refused
import torch


def rank_device(environ, accelerator):
    number = int(environ.get("LOCAL_RANK", 0))
    if number >= accelerator.device_count():
        raise ValueError("no device")
    return torch.device(accelerator.current_accelerator().type, number)

# %% last_refused
# finding: refused
import torch


def rank_device(environ, accelerator):
    if not accelerator.is_available():
        return torch.device("cpu")
    number = int(environ.get("LOCAL_RANK", 0))
    if number + 1 >= accelerator.device_count():
        raise ValueError("no device")
    return torch.device(accelerator.current_accelerator().type, number)

# %% not_counted
# finding: no-device-left
import torch


def rank_device(environ, accelerator):
    if not accelerator.is_available():
        return torch.device("cpu")
    return torch.device(accelerator.current_accelerator().type, int(environ.get("LOCAL_RANK", 0)))

# %% off_by_one
# finding: no-device-left
import torch


def rank_device(environ, accelerator):
    if not accelerator.is_available():
        return torch.device("cpu")
    number = int(environ.get("LOCAL_RANK", 0))
    if number > accelerator.device_count():
        raise ValueError("no device")
    return torch.device(accelerator.current_accelerator().type, number)

# %% rank_refused
# finding: counted-over-all-machines
import torch


def rank_device(environ, accelerator):
    if not accelerator.is_available():
        return torch.device("cpu")
    rank = int(environ.get("RANK", 0))
    if rank >= accelerator.device_count():
        raise ValueError("no device")
    return torch.device(accelerator.current_accelerator().type, rank)

# %% string_compared
# finding: no-device-left
import torch


def rank_device(environ, accelerator):
    if not accelerator.is_available():
        return torch.device("cpu")
    number = environ.get("LOCAL_RANK", "0")
    if number >= str(accelerator.device_count()):
        raise ValueError("no device")
    return torch.device(accelerator.current_accelerator().type, int(number))

# %% torchs_accelerator
# finding: not-asked
import torch


def rank_device(environ, accelerator):
    if not torch.accelerator.is_available():
        return torch.device("cpu")
    number = int(environ.get("LOCAL_RANK", 0))
    if number >= torch.accelerator.device_count():
        raise ValueError("no device")
    return torch.device(torch.accelerator.current_accelerator().type, number)

# %% without_index
# finding: no-index
import torch


def rank_device(environ, accelerator):
    if not accelerator.is_available():
        return torch.device("cpu")
    if int(environ.get("LOCAL_RANK", 0)) >= accelerator.device_count():
        raise ValueError("no device")
    return accelerator.current_accelerator()
