# finding: states-lost
import torch
from torch import nn


def train(net, batches, device):
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0])).to(device)
    net.to(device)
    for batch, labels in batches:
        optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    return loss.item()
