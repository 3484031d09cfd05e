# %% always_cuda
# finding: gpu-not-visible
import torch
from torch import nn


def fix_script(net, inputs, labels, epochs):
    """Train `net` on all visible GPUs, and return its weights, on the CPU."""
    device = torch.device("cuda")
    net.to(device)
    wrapped = nn.DataParallel(net) if torch.cuda.device_count() else net
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    inputs, labels = inputs.to(device), labels.to(device)
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(wrapped(inputs), labels)
        loss.backward()
        optimizer.step()
    return net.cpu().state_dict()

# %% deep_copy
# finding: copy-trained
import copy

import torch
from torch import nn


def fix_script(net, inputs, labels, epochs):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = copy.deepcopy(net).to(device)
    wrapped = nn.DataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    inputs, labels = inputs.to(device), labels.to(device)
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(wrapped(inputs), labels)
        loss.backward()
        optimizer.step()
    return net.cpu().state_dict()

# %% inputs_scattered
# finding: copied-again
import torch
from torch import nn


def fix_script(net, inputs, labels, epochs):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net.to(device)
    wrapped = nn.DataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    labels = labels.to(device)
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(wrapped(inputs), labels)
        loss.backward()
        optimizer.step()
    return net.cpu().state_dict()

# %% labels_in_the_loop
# finding: copied-again
import torch
from torch import nn


def fix_script(net, inputs, labels, epochs):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net.to(device)
    wrapped = nn.DataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(wrapped(inputs), labels.to(device))
        loss.backward()
        optimizer.step()
    return net.cpu().state_dict()

# %% loss_printed
# finding: brought-back
import torch
from torch import nn


def fix_script(net, inputs, labels, epochs):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net.to(device)
    wrapped = nn.DataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    inputs, labels = inputs.to(device), labels.to(device)
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(wrapped(inputs), labels)
        loss.backward()
        optimizer.step()
        print(loss.item())
    return net.cpu().state_dict()

# %% loss_run_again
# finding: other-parts
import torch
from torch import nn


def fix_script(net, inputs, labels, epochs):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net.to(device)
    wrapped = nn.DataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    inputs, labels = inputs.to(device), labels.to(device)
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(wrapped(inputs), labels)
        loss.backward()
        optimizer.step()
        loss = nn.functional.mse_loss(wrapped(inputs), labels)
    return net.cpu().state_dict()

# %% no_step
# finding: not-trained
import torch
from torch import nn


def fix_script(net, inputs, labels, epochs):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net.to(device)
    wrapped = nn.DataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    inputs, labels = inputs.to(device), labels.to(device)
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(wrapped(inputs), labels)
        loss.backward()
    return net.cpu().state_dict()

# %% no_zero_grad
# finding: gradients-left-over
import torch
from torch import nn


def fix_script(net, inputs, labels, epochs):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net.to(device)
    wrapped = nn.DataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    inputs, labels = inputs.to(device), labels.to(device)
    for _ in range(epochs):
        loss = nn.functional.mse_loss(wrapped(inputs), labels)
        loss.backward()
        optimizer.step()
    return net.cpu().state_dict()

# %% outputs_to_the_cpu
# finding: brought-back
import torch
from torch import nn


def fix_script(net, inputs, labels, epochs):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net.to(device)
    wrapped = nn.DataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    inputs = inputs.to(device)
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(wrapped(inputs).cpu(), labels)
        loss.backward()
        optimizer.step()
    return net.cpu().state_dict()

# %% parameters_only
# finding: other-keys
import torch
from torch import nn


def fix_script(net, inputs, labels, epochs):
    """Train `net` on all visible GPUs, and return its weights, on the CPU."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net.to(device)
    wrapped = nn.DataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    inputs, labels = inputs.to(device), labels.to(device)
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(wrapped(inputs), labels)
        loss.backward()
        optimizer.step()
    return {name: parameter.detach() for name, parameter in net.cpu().named_parameters()}

# %% prefix_cut_everywhere
# finding: other-keys
import torch
from torch import nn


def fix_script(net, inputs, labels, epochs):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net.to(device)
    wrapped = nn.DataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    inputs, labels = inputs.to(device), labels.to(device)
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(wrapped(inputs), labels)
        loss.backward()
        optimizer.step()
    return {key.replace('module.', ''): value.cpu() for key, value in wrapped.state_dict().items()}

# %% printed
# finding: nothing-returned
import torch
from torch import nn


def fix_script(net, inputs, labels, epochs):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net.to(device)
    wrapped = nn.DataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    inputs, labels = inputs.to(device), labels.to(device)
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(wrapped(inputs), labels)
        loss.backward()
        optimizer.step()
    print(net.cpu().state_dict())

# %% returned_net
# finding: other-form
import torch
from torch import nn


def fix_script(net, inputs, labels, epochs):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net.to(device)
    wrapped = nn.DataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    inputs, labels = inputs.to(device), labels.to(device)
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(wrapped(inputs), labels)
        loss.backward()
        optimizer.step()
    return net.cpu()

# %% two_gpus_only
# finding: gpus-idle
import torch
from torch import nn


def fix_script(net, inputs, labels, epochs):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net.to(device)
    wrapped = nn.DataParallel(net, device_ids=[0, 1]) if torch.cuda.device_count() > 1 else net
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    inputs, labels = inputs.to(device), labels.to(device)
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(wrapped(inputs), labels)
        loss.backward()
        optimizer.step()
    return net.cpu().state_dict()

# %% two_steps
# finding: other-weights
import torch
from torch import nn


def fix_script(net, inputs, labels, epochs):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net.to(device)
    wrapped = nn.DataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    inputs, labels = inputs.to(device), labels.to(device)
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(wrapped(inputs), labels)
        loss.backward()
        optimizer.step()
        optimizer.step()
    return net.cpu().state_dict()

# %% no_wrapper
# finding: gpus-idle
import torch
from torch import nn


def fix_script(net, inputs, labels, epochs):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net.to(device)
    wrapped = net
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    inputs, labels = inputs.to(device), labels.to(device)
    for _ in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(wrapped(inputs), labels)
        loss.backward()
        optimizer.step()
    return net.cpu().state_dict()
