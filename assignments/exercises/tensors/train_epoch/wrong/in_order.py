# finding: other-order
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = [list(range(at, at + args.batch)) for at in range(0, len(data) - args.batch + 1, args.batch)]
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)
