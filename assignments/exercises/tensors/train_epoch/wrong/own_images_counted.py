# finding: other-images-counted
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss, count = torch.zeros((), device=device), 0
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        count += len(targets)
        optimizer.step()
    return total(loss).item() / count
