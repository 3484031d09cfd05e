# finding: read-too-early
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros(())
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args).to("cpu", non_blocking=True)
        optimizer.step()
    return total(loss.to(device)).item() / (len(batches) * args.batch)
