import os
import pathlib

import torch
from torch import nn


def _epoch(model, batches, optimizer, device):
    model.train()
    losses, sizes = [], []
    for batch, targets in batches:
        optimizer.zero_grad(set_to_none=True)
        if not isinstance(model, nn.DataParallel):
            batch = batch.to(device, non_blocking=True)
        outputs = model(batch)
        loss = nn.functional.mse_loss(outputs, targets.to(outputs.device, non_blocking=True))
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
        sizes.append(len(batch))
    values = torch.stack(losses).tolist()
    return sum(v * s for v, s in zip(values, sizes)) / sum(sizes)


def train_or_resume(make_model, loader, epochs, path, seed):
    path = pathlib.Path(path)
    torch.manual_seed(seed)
    found = torch.load(path, map_location="cpu", weights_only=True) if path.exists() else None
    net = make_model()
    if found:
        net.load_state_dict(found["model"])
    device = torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")
    net = net.to(device)
    model = nn.DataParallel(net) if torch.accelerator.device_count() > 1 else net
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    history = []
    first = 1
    if found:
        optimizer.load_state_dict(found["optimizer"])
        torch.set_rng_state(found["rng"])
        first += found["epoch"]
    for epoch in range(first, epochs + 1):
        history.append(_epoch(model, loader, optimizer, device))
        state = dict(
            model={k: v.detach().to("cpu") for k, v in net.state_dict().items()},
            optimizer=optimizer.state_dict(), rng=torch.get_rng_state(), epoch=epoch,
        )
        temporary = path.with_suffix(".new")
        torch.save(state, temporary)
        temporary.replace(path)
    return history
