# finding: part-not-used
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        own = torch.nn.functional.cross_entropy(model(images), targets)
        own.backward()
        loss += own.detach()
        optimizer.step()
    return total(loss).item() / len(batches)
