# finding: gpu-not-visible
import torch
from torch import nn


def mend_script(net, inputs, labels, epochs):
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
