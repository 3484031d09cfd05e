# finding: prefixed-keys
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
    return {key: value.cpu() for key, value in wrapped.state_dict().items()}
