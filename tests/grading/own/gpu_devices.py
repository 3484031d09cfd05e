# Own invention: week 1 of a small GPU class. Runs with or without a GPU.
# %% locked setup
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print("This notebook runs on", device)
torch.manual_seed(0)
# %% solution move
def to_device(batch, device):
    """A dictionary of tensors, and of other values as they are, with the tensors on `device`."""
    ### BEGIN SOLUTION
    return {k: v.to(device) if torch.is_tensor(v) else v for k, v in batch.items()}
    ### END SOLUTION
# %% test move_test 2
batch = {"x": torch.ones(2, 3), "name": "first", "y": torch.tensor([0, 1])}
moved = to_device(batch, device)
assert moved["name"] == "first"
assert all(moved[key].device.type == device.type for key in "xy")
### BEGIN HIDDEN TESTS
assert set(moved) == set(batch) and moved["y"].dtype == torch.int64
meta = to_device({"x": torch.ones(1)}, "meta")
assert meta["x"].is_meta, "use the argument, not the global"
### END HIDDEN TESTS
# %% solution norm
def normalise(x):
    """Each row of x divided by its Euclidean norm. No Python loop. Same device and dtype as x."""
    ### BEGIN SOLUTION
    return x / x.norm(dim=1, keepdim=True)
    ### END SOLUTION
# %% test norm_test 4
x = torch.randn(4, 3, device=device)
score = 0.0
try:
    y = normalise(x)
    score += 1 * (y.shape == x.shape)
    score += 1 * (y.device == x.device and y.dtype == x.dtype)
    score += 2 * torch.allclose(y.norm(dim=1), torch.ones(4, device=device))
except Exception as problem:
    print("normalise failed:", problem)
score
# %% test norm_half 1
assert normalise(torch.ones(1, 4, dtype=torch.float64)).dtype == torch.float64
# %% test norm_mean 2
# a 0-d tensor as the number of points
(normalise(torch.eye(3)).sum() / 3 * 2).cpu()
# %% test norm_item 2
normalise(torch.eye(3)).diagonal().mean().item()
# %% manual why 3 [markdown]
# Why should `to_device` take the device as an argument?

# ==== right
# %% move
def to_device(batch, device):
    out = {}
    for key, value in batch.items():
        out[key] = value.to(device) if isinstance(value, torch.Tensor) else value
    return out
# %% norm
def normalise(x):
    return torch.nn.functional.normalize(x, dim=1)
# %% why [markdown]
# So that it works with any GPU.

# ==== needs a gpu
# %% move
def to_device(batch, device):
    return {k: v.cuda() if torch.is_tensor(v) else v for k, v in batch.items()}
# %% norm
def normalise(x):
    return x / x.norm()

# ==== forgets others
# %% move
def to_device(batch, device):
    return {k: v.to("cuda" if torch.cuda.is_available() else "cpu") for k, v in batch.items()
            if torch.is_tensor(v)}
# %% norm
def normalise(x):
    rows = [row / sum(v * v for v in row) ** 0.5 for row in x]
    return torch.stack(rows)

# ==== in numpy
# %% move
import numpy as np
def to_device(batch, device):
    for key in ("x", "y"):
        batch[key] = batch[key].to(device)
    return batch
# %% norm
def normalise(x):
    a = x.numpy()
    return torch.tensor(a / np.linalg.norm(a, axis=1, keepdims=True))

# ==== untouched
