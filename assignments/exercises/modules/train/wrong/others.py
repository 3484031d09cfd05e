# %% a_copy_is_trained
# finding: net-untrained
import copy

import torch
from torch import nn


def train(net, batches, device):
    given, net = net.to(device), copy.deepcopy(net).to(device)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0])).to(device)
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    return loss.item()

# %% as_it_was
# finding: loss-left
import torch
from torch import nn


def train(net, batches, device):
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0]))
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    net.to(device)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    return loss.item()

# %% criterion_moved_in_the_loop
# finding: copied-in-step
import torch
from torch import nn


def train(net, batches, device):
    net.to(device)
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    for batch, labels in batches:
        optimizer.zero_grad()
        criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0])).to(device)
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    return loss.item()

# %% current_gpu
# finding: two-devices
import torch
from torch import nn


def train(net, batches, device):
    net.cuda()
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0])).cuda()
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    return loss.item()

# %% first_loss
# finding: other-loss
import torch
from torch import nn


def train(net, batches, device):
    net.to(device)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0])).to(device)
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    first = None
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        first = first or loss.item()
        loss.backward()
        optimizer.step()
    return first

# %% gradients_added_up
# finding: gradients-added
import torch
from torch import nn


def train(net, batches, device):
    net.to(device)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0])).to(device)
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    for batch, labels in batches:
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    return loss.item()

# %% labels_left
# finding: two-devices
import torch
from torch import nn


def train(net, batches, device):
    net.to(device)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0])).to(device)
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels)
        loss.backward()
        optimizer.step()
    return loss.item()

# %% labels_with_a_dimension
# finding: step-fails
import torch
from torch import nn


def train(net, batches, device):
    net.to(device)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0])).to(device)
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.unsqueeze(1).to(device))
        loss.backward()
        optimizer.step()
    return loss.item()

# %% loss_kept_as_a_tensor
# finding: not-a-number
import torch
from torch import nn


def train(net, batches, device):
    net.to(device)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0])).to(device)
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    return loss

# %% net_moved_in_the_loop
# finding: state-left
import torch
from torch import nn


def train(net, batches, device):
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0])).to(device)
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    for batch, labels in batches:
        net.to(device)
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    return loss.item()

# %% no_step
# finding: net-untrained
import torch
from torch import nn


def train(net, batches, device):
    net.to(device)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0])).to(device)
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
    return loss.item()

# %% on_the_cpu
# finding: net-elsewhere
import torch
from torch import nn


def train(net, batches, device):
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0]))
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch), labels)
        loss.backward()
        optimizer.step()
    return loss.item()

# %% left_in_evaluation_mode
# finding: mode-left
import torch
from torch import nn


def train(net, batches, device):
    net.to(device)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0])).to(device)
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    net.eval()
    return loss.item()

# %% without_gradients_afterwards
# finding: mode-left
import torch
from torch import nn


def train(net, batches, device):
    net.to(device)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0])).to(device)
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    net.requires_grad_(False)
    return loss.item()

# %% batches_emptied
# finding: input-changed
import torch
from torch import nn


def train(net, batches, device):
    net.to(device)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0])).to(device)
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    batches.clear()
    return loss.item()

# %% batches_popped
# finding: input-changed
import torch
from torch import nn


def train(net, batches, device):
    net.to(device)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0])).to(device)
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    while batches:
        batch, labels = batches.pop(0)
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    return loss.item()

# %% another_rate
# finding: other-weights
import torch
from torch import nn


def train(net, batches, device):
    net.to(device)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0])).to(device)
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.01)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    return loss.item()

# %% weights_exchanged
# finding: other-loss
import torch
from torch import nn


def train(net, batches, device):
    net.to(device)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([3.0, 1.0], device=device))
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    return loss.item()

# %% own_weighted_mean
# finding: other-loss
import torch
from torch import nn


def train(net, batches, device):
    net.to(device)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0], device=device), reduction="none")
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device)).mean()
        loss.backward()
        optimizer.step()
    return loss.item()

# %% mean_of_all_losses
# finding: other-loss
import torch
from torch import nn


def train(net, batches, device):
    net.to(device)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0], device=device))
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    losses = []
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses).mean().item()

# %% adam_instead
# finding: other-optimizer
import torch
from torch import nn


def train(net, batches, device):
    net.to(device)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0], device=device))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    return loss.item()

# %% default_device_left
# finding: left-switched
import torch
from torch import nn


def train(net, batches, device):
    torch.set_default_device(device)
    net.to(device)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0]))
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    return loss.item()

# %% weight_made_in_each_step
# finding: copied-in-step
import torch
from torch import nn


def train(net, batches, device):
    net.to(device)
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    for batch, labels in batches:
        optimizer.zero_grad()
        criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0], device=device))
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    return loss.item()

# %% item_in_each_step
# finding: number-in-step
import torch
from torch import nn


def train(net, batches, device):
    net.to(device)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0], device=device))
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
        last = loss.item()
    return last

# %% left_in_training_mode
# finding: mode-left
import torch
from torch import nn


def train(net, batches, device):
    net.to(device)
    net.train()
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0], device=device))
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    return loss.item()

# %% back_on_the_cpu
# finding: net-elsewhere
import torch
from torch import nn


def train(net, batches, device):
    net.to(device)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0])).to(device)
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    net.cpu()
    return loss.item()

# %% loss_without_weights
# finding: weights-dropped
import torch
from torch import nn


def train(net, batches, device):
    criterion = nn.CrossEntropyLoss()
    net.to(device)
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    return loss.item()

# %% sgd_instead
# finding: other-optimizer
import torch
from torch import nn


def train(net, batches, device):
    net.to(device)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0])).to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    return loss.item()
