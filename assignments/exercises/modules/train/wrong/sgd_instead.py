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
