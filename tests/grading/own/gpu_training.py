# Own invention: week 2, a training loop on a tiny problem, with partial credit for how far it gets.
# %% plain setup
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(1)
x = torch.linspace(-1, 1, 64, device=device).unsqueeze(1)
y = 3 * x + 0.5
# %% solution model
# A linear layer in `model`, on `device`.
### BEGIN SOLUTION
model = nn.Linear(1, 1).to(device)
### END SOLUTION
# %% test model_test 1
assert sum(p.numel() for p in model.parameters()) == 2
assert next(model.parameters()).device.type == device
# %% solution train
def train(model, x, y, steps, lr=0.3):
    """Train with SGD and mean squared error; the losses as a list of numbers."""
    ### BEGIN SOLUTION
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
    ### END SOLUTION
# %% test losses 6
losses = train(model, x, y, 80)
credit = 0
if isinstance(losses, list) and all(isinstance(each, float) for each in losses):
    credit += 1
if len(losses) == 80:
    credit += 1
if losses[-1] < losses[0] / 10:
    credit += 2
if losses[-1] < 1e-4:
    credit += 2
credit
# %% test learned 2
with torch.no_grad():
    assert abs(model.weight.item() - 3) < 0.05, f"the slope is {model.weight.item():.2f}"
### BEGIN HIDDEN TESTS
torch.manual_seed(7)
other = nn.Linear(1, 1).to(device)
train(other, x, y, 200)
assert abs(other.bias.item() - 0.5) < 0.01
### END HIDDEN TESTS
# %% solution evaluate
def accuracy(logits, labels):
    """The share of right predictions, as a number."""
    ### BEGIN SOLUTION
    return (logits.argmax(1) == labels).float().mean().item()
    ### END SOLUTION
# %% test evaluate_test 2
logits = torch.tensor([[2.0, 1.0], [0.0, 1.0], [3.0, 0.0]], device=device)
labels = torch.tensor([0, 1, 1], device=device)
assert abs(accuracy(logits, labels) - 2 / 3) < 1e-6
# %% test evaluate_credit 3
3 * accuracy(logits, labels.clamp(max=0))
# %% task curve 5 [markdown]
# Plot the losses on a logarithmic scale and say what you see. Add cells below.

# ==== right
# %% model
model = nn.Sequential(nn.Linear(1, 1)).to(device)[0]
# %% train
def train(model, x, y, steps, lr=0.3):
    opt = torch.optim.SGD(model.parameters(), lr)
    losses = []
    for step in range(steps):
        loss = ((model(x) - y) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(float(loss))
    return losses
# %% evaluate
def accuracy(logits, labels):
    return sum(int(a.argmax() == b) for a, b in zip(logits, labels)) / len(labels)
# %% + curve
import matplotlib.pyplot as plt
plt.semilogy(train(nn.Linear(1, 1).to(device), x, y, 50))
# %% + curve [markdown]
# A straight line.

# ==== never resets gradients
# %% model
model = nn.Linear(1, 1)
model.to(device)
# %% train
def train(model, x, y, steps, lr=0.3):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    losses = []
    for _ in range(steps):
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss)
    return losses
# %% evaluate
def accuracy(logits, labels):
    return (logits.argmax(0) == labels[:2]).float().mean()

# ==== cannot learn
# %% model
model = nn.Linear(1, 1, bias=False).to(device)
# %% train
@torch.no_grad()
def train(model, x, y, steps, lr=0.3):
    return [nn.functional.mse_loss(model(x), y).item() for _ in range(steps)]
# %% evaluate
def accuracy(logits, labels):
    return 1.0

# ==== with a progress bar and adam
# %% model
torch.manual_seed(3)
model = nn.Linear(1, 1, device=device)
# %% train
import sys
def train(model, x, y, steps, lr=0.3):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for i in range(steps):
        optimizer.zero_grad(set_to_none=True)
        loss = nn.MSELoss()(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        print(f"\r{i + 1}/{steps}", end="", file=sys.stderr if i == steps - 1 else sys.stdout)
    return losses

# ==== untouched
