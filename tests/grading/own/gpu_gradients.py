# Own invention: week 5, gradients; messages of PyTorch's errors, a function of one's own, a checkpoint.
# %% plain setup
import io

import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
# %% solution slope
def slope(f, x):
    """The derivative of f at the number x, by autograd."""
    ### BEGIN SOLUTION
    x = torch.tensor(float(x), requires_grad=True)
    return torch.autograd.grad(f(x), x)[0].item()
    ### END SOLUTION
# %% test slope_test 2
assert slope(lambda x: x**3, 2) == 12
assert abs(slope(torch.sin, 0.0) - 1) < 1e-6
# %% test slope_numeric 4
import numpy as np

points = np.linspace(-1, 1, 4)
good = np.array([abs(slope(torch.exp, p) - np.exp(p)) < 1e-4 for p in points])
good.sum()
# %% test slope_numeric_float 4
float(good.sum())
# %% solution clipped
class Clip(torch.autograd.Function):
    """x itself; its gradient is limited to the range from -1 to 1."""
    ### BEGIN SOLUTION
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        return grad.clamp(-1, 1)
    ### END SOLUTION
# %% test clipped_test 3
x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
(Clip.apply(x) * torch.tensor([5.0, -0.5], device=device)).sum().backward()
assert x.grad.tolist() == [1.0, -0.5], x.grad
# %% solution message
# Provoke the error about an in-place change of a leaf that requires grad. Keep its text in `message`.
### BEGIN SOLUTION
leaf = torch.ones(1, requires_grad=True)
try:
    leaf += 1
except RuntimeError as problem:
    message = str(problem)
### END SOLUTION
# %% test message_test 2
assert "leaf" in message and "in-place" in message
# %% solution save
def roundtrip(model):
    """A new model with the parameters of `model`, by state_dict and torch.save into memory."""
    ### BEGIN SOLUTION
    file = io.BytesIO()
    torch.save(model.state_dict(), file)
    file.seek(0)
    new = torch.nn.Linear(model.in_features, model.out_features)
    new.load_state_dict(torch.load(file, map_location="cpu"))
    return new
    ### END SOLUTION
# %% test save_test 3
torch.manual_seed(0)
model = torch.nn.Linear(3, 2)
new = roundtrip(model)
assert new is not model and new.weight is not model.weight
assert torch.equal(new(torch.ones(3)), model(torch.ones(3)))
# %% test checked 1
torch.autograd.gradcheck(lambda x: x * x, torch.ones(2, dtype=torch.float64, requires_grad=True))
# %% test state 2
assert torch.is_grad_enabled(), "gradients were switched off"
assert torch.get_default_dtype() == torch.float32
# %% manual explained 2 [markdown]
# Why must a leaf not be changed in place?

# ==== right
# %% slope
def slope(f, x):
    x = torch.tensor(float(x), requires_grad=True)
    f(x).backward()
    return float(x.grad)
# %% clipped
class Clip(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1
    @staticmethod
    def backward(ctx, g):
        return torch.clamp(g, min=-1, max=1)
# %% message
try:
    torch.zeros(2, requires_grad=True).add_(1)
except RuntimeError as e:
    message = repr(e)
# %% save
import copy
def roundtrip(model):
    return copy.deepcopy(model)
# %% explained [markdown]
# Its old value is needed.

# ==== by differences
# %% slope
def slope(f, x):
    h = 1e-3
    return (f(torch.tensor(x + h)) - f(torch.tensor(x - h))).item() / (2 * h)
# %% clipped
class Clip:
    apply = staticmethod(lambda x: x.clamp(-1, 1))
# %% message
message = "a leaf Variable that requires grad is being used in an in-place operation."
# %% save
def roundtrip(model):
    return model

# ==== switches gradients off
# %% slope
torch.set_grad_enabled(False)
def slope(f, x):
    with torch.enable_grad():
        x = torch.tensor(float(x), requires_grad=True)
        return torch.autograd.grad(f(x), x)[0].item()
# %% clipped
class Clip(torch.autograd.Function):
    def forward(ctx, x):
        return x
    def backward(ctx, grad):
        return grad.clamp(-1, 1)
# %% message
leaf = torch.ones(1, requires_grad=True)
leaf += 1
message = "in-place leaf"

# ==== raises in the cell
# %% slope
x = torch.ones(3, requires_grad=True)
y = (x * 2).backward()
def slope(f, x):
    return 12
# %% message
a = torch.ones(2, requires_grad=True)
a[0] = 5

# ==== untouched
