import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros(2, device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        found = train_batch(model, images, targets, args)
        loss += torch.stack([found, torch.full((), float(len(targets)), device=device)])
        optimizer.step()
    losses, images_seen = total(loss).tolist()
    return losses / images_seen
