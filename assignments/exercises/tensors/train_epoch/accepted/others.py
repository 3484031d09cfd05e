# %% counted
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss, images_seen = torch.zeros(1, device=device), 0
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
        images_seen += args.batch
    return (total(loss) / images_seen).tolist()[0]

# %% moved_again
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

# %% total_in_company
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    if RANKS > 1:
        loss = total(loss)
    return loss.item() / (len(batches) * args.batch)

# %% both_in_total
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

# %% mean_as_it_goes
import torch


def train_epoch(model, data, optimizer, device, args):
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args) / args.batch
        optimizer.step()
    return float(total(loss)) / len(batches)
