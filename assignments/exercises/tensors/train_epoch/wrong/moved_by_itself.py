# finding: part-not-used
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in load(data, batches, device, args.workers):
        images, targets = images.to(device), targets.to(device)
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)
