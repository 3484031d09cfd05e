# %% all_devices
# finding: other-devices-counted
import torch


def training_bytes(model, optimizer, device):
    return {
        "parameters": sum(p.nbytes for p in model.parameters()),
        "buffers": sum(b.nbytes for b in model.buffers()),
        "gradients": sum(p.grad.nbytes for p in model.parameters() if p.grad is not None),
        "states": sum(v.nbytes for s in optimizer.state.values() for v in s.values()
                      if torch.is_tensor(v)),
    }

# %% all_states
# finding: other-devices-counted
import torch


def training_bytes(model, optimizer, device):
    here = [p for p in model.parameters() if p.device == device]
    return {
        "parameters": sum(p.nbytes for p in here),
        "buffers": sum(b.nbytes for b in model.buffers() if b.device == device),
        "gradients": sum(p.grad.nbytes for p in here if p.grad is not None),
        "states": sum(v.nbytes for p in here for v in optimizer.state.get(p, {}).values()
                      if torch.is_tensor(v)),
    }

# %% all_states_are_tensors
# finding: state-is-no-tensor
import torch


def training_bytes(model, optimizer, device):
    def total(tensors):
        return sum(t.nbytes for t in tensors if t.device == device)

    return {
        "parameters": total(model.parameters()),
        "buffers": total(model.buffers()),
        "gradients": total(p.grad for p in model.parameters() if p.grad is not None),
        "states": total(v for s in optimizer.state.values() for v in s.values()),
    }

# %% one_number
# finding: other-form
def training_bytes(model, optimizer, device):
    return sum(tensor.nbytes for tensor in model.parameters() if tensor.device == device)

# %% buffers_of_each_module
# finding: counted-twice
import torch


def training_bytes(model, optimizer, device):
    def total(tensors):
        return sum(t.nbytes for t in tensors if torch.is_tensor(t) and t.device == device)

    states = [v for s in optimizer.state.values() for v in s.values()]
    return {
        "parameters": total(model.parameters()),
        "buffers": total(b for m in model.modules() for b in m.buffers(recurse=False)),
        "gradients": total(p.grad for p in model.parameters()),
        "states": total(states),
    }

# %% cleared_first
# finding: input-changed
import torch


def training_bytes(model, optimizer, device):
    def total(tensors):
        return sum(t.nbytes for t in tensors if torch.is_tensor(t) and t.device == device)

    states = [v for s in optimizer.state.values() for v in s.values()]
    optimizer.zero_grad()
    return {
        "parameters": total(model.parameters()),
        "buffers": total(model.buffers()),
        "gradients": total(p.grad for p in model.parameters()),
        "states": total(states),
    }

# %% cloned
# finding: memory-taken
import torch


def training_bytes(model, optimizer, device):
    def total(tensors):
        return sum(t.clone().nbytes for t in tensors if torch.is_tensor(t) and t.device == device)

    states = [v for s in optimizer.state.values() for v in s.values()]
    return {
        "parameters": total(model.parameters()),
        "buffers": total(model.buffers()),
        "gradients": total(p.grad for p in model.parameters()),
        "states": total(states),
    }

# %% computed
# finding: memory-taken
import torch

def training_bytes(model, optimizer, device):
    def size(tensors):
        return sum(int(torch.ones_like(t).sum()) * t.element_size() for t in tensors if t.device == device)
    return {"parameters": size(model.parameters()), "buffers": size(model.buffers()),
            "gradients": size(p.grad for p in model.parameters() if p.grad is not None),
            "states": size(v for s in optimizer.state.values() for v in s.values() if torch.is_tensor(v))}

# %% first_dtype_for_all
# finding: four-bytes-assumed
import torch

def training_bytes(model, optimizer, device):
    one = next(model.parameters()).element_size()
    def size(tensors):
        return sum(one * t.numel() for t in tensors if t.device == device)
    return {"parameters": size(model.parameters()), "buffers": size(model.buffers()),
            "gradients": size(p.grad for p in model.parameters() if p.grad is not None),
            "states": size(v for s in optimizer.state.values() for v in s.values() if torch.is_tensor(v))}

# %% gradients_of_the_groups
# finding: updated-only
import torch

def training_bytes(model, optimizer, device):
    def size(tensors):
        return sum(t.nbytes for t in tensors if t.device == device)
    return {"parameters": size(model.parameters()), "buffers": size(model.buffers()),
            "gradients": size(p.grad for g in optimizer.param_groups for p in g["params"] if p.grad is not None),
            "states": size(v for s in optimizer.state.values() for v in s.values() if torch.is_tensor(v))}

# %% gradients_where_required
# finding: frozen-since-left-out
import torch
from torch import nn


def training_bytes(model, optimizer, device):
    """Return how many bytes of parameters, buffers, gradients and states are on device."""

    def total(tensors):
        return sum(t.numel() * t.element_size() for t in tensors if t.device == device)

    parameters = list(model.parameters())
    states = [value for state in optimizer.state.values() for value in state.values()]
    return {
        "parameters": total(parameters),
        "buffers": total(model.buffers()),
        "gradients": total(p.grad for p in parameters if p.requires_grad and p.grad is not None),
        "states": total(value for value in states if torch.is_tensor(value)),
    }

# %% groups_counted
# finding: updated-only
import torch

def training_bytes(model, optimizer, device):
    def size(tensors):
        return sum(t.nbytes for t in tensors if t.device == device)
    ps = [p for g in optimizer.param_groups for p in g["params"]]
    return {"parameters": size(ps), "buffers": size(model.buffers()),
            "gradients": size(p.grad for p in ps if p.grad is not None),
            "states": size(v for s in optimizer.state.values() for v in s.values() if torch.is_tensor(v))}

# %% momentum_always
# finding: states-assumed
import torch


def training_bytes(model, optimizer, device):
    def total(tensors):
        return sum(t.nbytes for t in tensors if torch.is_tensor(t) and t.device == device)

    return {
        "parameters": total(model.parameters()),
        "buffers": total(model.buffers()),
        "gradients": total(p.grad for p in model.parameters()),
        "states": total(model.parameters()),
    }

# %% moved_to_count
# finding: copied
import torch


def training_bytes(model, optimizer, device):
    def total(tensors):
        return sum(t.cpu().nbytes for t in tensors if torch.is_tensor(t) and t.device == device)

    states = [v for s in optimizer.state.values() for v in s.values()]
    return {
        "parameters": total(model.parameters()),
        "buffers": total(model.buffers()),
        "gradients": total(p.grad for p in model.parameters()),
        "states": total(states),
    }

# %% no_buffers
# finding: buffers-by-the-parameters
import torch


def training_bytes(model, optimizer, device):
    def total(tensors):
        return sum(t.nbytes for t in tensors if torch.is_tensor(t) and t.device == device)

    states = [v for s in optimizer.state.values() for v in s.values()]
    return {
        "parameters": total(model.parameters()),
        "buffers": total(p for p in model.parameters() if not isinstance(p, torch.nn.Parameter)),
        "gradients": total(p.grad for p in model.parameters()),
        "states": total(states),
    }

# %% none_forgotten
# finding: state-is-no-tensor
import torch

def training_bytes(model, optimizer, device):
    def size(tensors):
        return sum(t.nbytes for t in tensors if t.device == device)
    return {"parameters": size(model.parameters()), "buffers": size(model.buffers()),
            "gradients": size(p.grad for p in model.parameters() if p.grad is not None),
            "states": size(v for s in optimizer.state.values() for v in s.values() if not isinstance(v, (int, float)))}

# %% one_gradient_each
# finding: gradients-assumed
import torch


def training_bytes(model, optimizer, device):
    def total(tensors):
        return sum(t.nbytes for t in tensors if torch.is_tensor(t) and t.device == device)

    states = [v for s in optimizer.state.values() for v in s.values()]
    return {
        "parameters": total(model.parameters()),
        "buffers": total(model.buffers()),
        "gradients": total(model.parameters()),
        "states": total(states),
    }

# %% only_what_is_there
# finding: other-keys
import torch


def training_bytes(model, optimizer, device):
    found = {}
    for p in model.parameters():
        if p.device == device:
            found["parameters"] = found.get("parameters", 0) + p.nbytes
    return found

# %% printed
# finding: nothing-returned
def training_bytes(model, optimizer, device):
    print(sum(p.nbytes for p in model.parameters() if p.device == device))

# %% saved_buffers_only
# finding: unsaved-missed
import torch

def training_bytes(model, optimizer, device):
    def size(tensors):
        return sum(t.nbytes for t in tensors if t.device == device)
    names = {n for n, _ in model.named_buffers()}
    return {"parameters": size(model.parameters()), "buffers": size(v for k, v in model.state_dict().items() if k in names),
            "gradients": size(p.grad for p in model.parameters() if p.grad is not None),
            "states": size(v for s in optimizer.state.values() for v in s.values() if torch.is_tensor(v))}

# %% state_dict_counted
# finding: other-bytes
import torch


def training_bytes(model, optimizer, device):
    def total(tensors):
        return sum(t.nbytes for t in tensors if torch.is_tensor(t) and t.device == device)

    states = [v for s in optimizer.state.values() for v in s.values()]
    return {
        "parameters": total(model.state_dict().values()),
        "buffers": total(model.buffers()),
        "gradients": total(p.grad for p in model.parameters()),
        "states": total(states),
    }

# %% states_of_the_model
# finding: states-missed
import torch

def training_bytes(model, optimizer, device):
    def size(tensors):
        return sum(t.nbytes for t in tensors if t.device == device)
    ps = list(model.parameters())
    states = [v for p in ps for v in optimizer.state.get(p, {}).values() if torch.is_tensor(v)]
    return {"parameters": size(ps), "buffers": size(model.buffers()),
            "gradients": size(p.grad for p in ps if p.grad is not None),
            "states": size(states)}

# %% step_counts_left_out
# finding: states-missed
import torch

def training_bytes(model, optimizer, device):
    def size(tensors):
        return sum(t.nbytes for t in tensors if t.device == device)
    return {"parameters": size(model.parameters()), "buffers": size(model.buffers()),
            "gradients": size(p.grad for p in model.parameters() if p.grad is not None),
            "states": size(v for s in optimizer.state.values() for v in s.values() if torch.is_tensor(v) and v.dim())}

# %% stepped_first
# finding: input-changed
import torch

def training_bytes(model, optimizer, device):
    optimizer.step()
    def size(tensors):
        return sum(t.nbytes for t in tensors if t.device == device)
    return {"parameters": size(model.parameters()), "buffers": size(model.buffers()),
            "gradients": size(p.grad for p in model.parameters() if p.grad is not None),
            "states": size(v for s in optimizer.state.values() for v in s.values() if torch.is_tensor(v))}

# %% tensors_in_lists
# finding: state-is-no-tensor
import torch
from torch import nn


def training_bytes(model, optimizer, device):

    def size(tensors):
        return sum(t.numel() * t.element_size() for t in tensors if t.device == device)

    return {
        "parameters": size(model.parameters()),
        "buffers": size(model.buffers()),
        "gradients": size(p.grad for p in model.parameters() if p.grad is not None),
        "states": size(v for v in torch.utils._pytree.tree_leaves([dict(s) for s in optimizer.state.values()]) if torch.is_tensor(v)),
    }

# %% trained_parameters_only
# finding: updated-only
import torch
from torch import nn


def training_bytes(model, optimizer, device):

    def size(tensors):
        return sum(t.numel() * t.element_size() for t in tensors if t.device == device)

    return {
        "parameters": size(p for p in model.parameters() if p.requires_grad),
        "buffers": size(model.buffers()),
        "gradients": size(p.grad for p in model.parameters() if p.grad is not None),
        "states": size(v for s in optimizer.state.values() for v in s.values() if torch.is_tensor(v)),
    }

# %% whole_storages
# finding: other-bytes
import torch
from torch import nn


def training_bytes(model, optimizer, device):

    def size(tensors):
        return sum(t.untyped_storage().nbytes() for t in tensors if t.device == device)

    return {
        "parameters": size(model.parameters()),
        "buffers": size(model.buffers()),
        "gradients": size(p.grad for p in model.parameters() if p.grad is not None),
        "states": size(v for s in optimizer.state.values() for v in s.values() if torch.is_tensor(v)),
    }

# %% adam_always
# finding: states-assumed
import torch


def training_bytes(model, optimizer, device):
    def total(tensors):
        return sum(t.nbytes for t in tensors if torch.is_tensor(t) and t.device == device)

    return {
        "parameters": total(model.parameters()),
        "buffers": total(model.buffers()),
        "gradients": total(p.grad for p in model.parameters()),
        "states": 2 * total(model.parameters()),
    }

# %% four_bytes
# finding: four-bytes-assumed
import torch


def training_bytes(model, optimizer, device):
    def total(tensors):
        return sum(4 * t.numel() for t in tensors if torch.is_tensor(t) and t.device == device)

    states = [v for s in optimizer.state.values() for v in s.values()]
    return {
        "parameters": total(model.parameters()),
        "buffers": sum(b.nbytes for b in model.buffers() if b.device == device),
        "gradients": total(p.grad for p in model.parameters()),
        "states": total(states),
    }
