# %% copies_always
# finding: copied-needlessly
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device, copy=True)
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*(move_batch(value, device) for value in batch))
    if isinstance(batch, (tuple, list)):
        return type(batch)(move_batch(value, device) for value in batch)
    return batch

# %% current_gpu
# finding: wrong-device
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.cuda()
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, (tuple, list)):
        return type(batch)(move_batch(value, device) for value in batch)
    return batch

# %% data_swapped
# finding: input-changed
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        batch.data = batch.data.to(device)
    elif isinstance(batch, dict):
        for value in batch.values():
            move_batch(value, device)
    elif isinstance(batch, (tuple, list)):
        for value in batch:
            move_batch(value, device)
    return batch

# %% detached
# finding: copied-needlessly
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.detach().to(device)
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*(move_batch(value, device) for value in batch))
    if isinstance(batch, (tuple, list)):
        return type(batch)(move_batch(value, device) for value in batch)
    return batch

# %% device_types_compared
# finding: tensors-left-behind
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch if batch.device.type == device.type else batch.to(device)
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*(move_batch(item, device) for item in batch))
    if isinstance(batch, (list, tuple)):
        return type(batch)(move_batch(item, device) for item in batch)
    return batch

# %% dict_skipped
# finding: tensors-left-behind
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*(move_batch(item, device) for item in batch))
    if isinstance(batch, (list, tuple)):
        return type(batch)(move_batch(item, device) for item in batch)
    return batch

# %% dtype_changed
# finding: other-result
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device, torch.float16)
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, (tuple, list)):
        return type(batch)(move_batch(value, device) for value in batch)
    return batch

# %% empty_made_none
# finding: plain-value-touched
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if not batch:
        return None
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*(move_batch(item, device) for item in batch))
    if isinstance(batch, (list, tuple)):
        return type(batch)(move_batch(item, device) for item in batch)
    return batch

# %% first_tensor_decides
# finding: tensors-left-behind
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*(move_batch(value, device) for value in batch))
    if isinstance(batch, list | tuple):
        first = batch[0] if batch else None
        if isinstance(first, torch.Tensor) and first.device == device:
            return batch
        return type(batch)(move_batch(value, device) for value in batch)
    return batch

# %% generator
# finding: container-changed
def move_batch(batch, device):
    return (value.to(device) for value in batch)

# %% namedtuple_class_made_anew
# finding: another-class
from collections import namedtuple

import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        kind = namedtuple(type(batch).__name__, batch._fields)
        return kind(*(move_batch(value, device) for value in batch))
    if isinstance(batch, (tuple, list)):
        return type(batch)(move_batch(value, device) for value in batch)
    return batch

# %% namedtuple_made_a_tuple
# finding: namedtuple-lost
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, list):
        return [move_batch(value, device) for value in batch]
    if isinstance(batch, tuple):
        return tuple(move_batch(value, device) for value in batch)
    return batch

# %% namedtuple_skipped
# finding: tensors-left-behind
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if type(batch) is dict:
        return {key: move_batch(value, device) for key, value in batch.items()}
    if type(batch) in (list, tuple):
        return type(batch)(move_batch(item, device) for item in batch)
    return batch

# %% none_left_out
# finding: other-result
import torch


def move_batch(batch, device):
    """What is None in a dict is left out."""
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_batch(x, device) for key, x in batch.items() if x is not None}
    if isinstance(batch, (tuple, list)):
        moved = [move_batch(x, device) for x in batch]
        return type(batch)(*moved) if hasattr(batch, "_fields") else type(batch)(moved)
    return batch

# %% numbers_made_tensors
# finding: plain-value-touched
import torch


def move_batch(batch, device):
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*(move_batch(value, device) for value in batch))
    if isinstance(batch, (tuple, list)):
        return type(batch)(move_batch(value, device) for value in batch)
    if isinstance(batch, (torch.Tensor, int, float)):
        return torch.as_tensor(batch, device=device)
    return batch

# %% plain_values_dropped
# finding: plain-value-touched
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*(move_batch(item, device) for item in batch))
    if isinstance(batch, (list, tuple)):
        return type(batch)(move_batch(item, device) for item in batch)

# %% tuple_written_into
# finding: input-changed
def move_batch(batch, device):
    for i in range(len(batch)):
        batch[i] = batch[i].to(device)
    return batch

# %% nested_dict_not_opened
# finding: container-taken-for-tensor
def move_batch(batch, device):
    if isinstance(batch, (tuple, list)):
        return type(batch)(value.to(device) for value in batch)
    return batch.to(device)

# %% whole_batch_moved
# finding: container-taken-for-tensor
def move_batch(batch, device):
    return batch.to(device)

# %% everything_opened
# finding: opened-without-end
def move_batch(batch, device):
    try:
        return batch.to(device)
    except AttributeError:
        pass
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    try:
        return type(batch)([move_batch(value, device) for value in batch])
    except TypeError:
        return batch

# %% everything_has_to
# finding: plain-value-touched
def move_batch(batch, device):
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, (tuple, list)):
        return type(batch)(move_batch(value, device) for value in batch)
    return batch.to(device)

# %% gpu_written_in
# finding: wrong-device
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to("cuda:1")
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, (tuple, list)):
        moved = [move_batch(value, device) for value in batch]
        return type(batch)(*moved) if hasattr(batch, "_fields") else type(batch)(moved)
    return batch

# %% list_written_into
# finding: input-changed
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, tuple):
        return tuple(move_batch(value, device) for value in batch)
    if isinstance(batch, list):
        for i, value in enumerate(batch):
            batch[i] = move_batch(value, device)
    if isinstance(batch, dict):
        for key, value in batch.items():
            batch[key] = move_batch(value, device)
    return batch

# %% namedtuple_from_one_iterable
# finding: namedtuple-lost
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, (tuple, list)):
        return type(batch)(move_batch(value, device) for value in batch)
    return batch
