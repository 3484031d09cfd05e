# finding: waits-in-every-step
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    losses = []
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        losses.append(train_batch(model, images, targets, args))
        optimizer.step()
    loss = torch.tensor(sum(each.item() for each in losses), device=device)
    return total(loss).item() / (len(batches) * args.batch)
