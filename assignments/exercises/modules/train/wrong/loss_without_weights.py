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
