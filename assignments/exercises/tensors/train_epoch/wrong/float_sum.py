# finding: waits-in-every-step
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = 0.0
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += float(train_batch(model, images, targets, args))
        optimizer.step()
    return total(torch.tensor(loss, device=device)).item() / (len(batches) * args.batch)
