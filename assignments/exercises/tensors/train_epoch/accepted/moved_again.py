import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    optimizer.zero_grad()
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        images, targets = images.to(device), targets.to(device)  # where they are already
        loss += train_batch(model, images, targets, args)
        optimizer.step()
        optimizer.zero_grad()
    return total(loss).item() / (len(batches) * args.batch)
