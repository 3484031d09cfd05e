# %% imported_names
from os.path import exists
from pathlib import Path

import torch
from torch import nn
from torch.cuda import device_count


def train_or_resume(make_model, loader, epochs, path, seed):
    """Train on what there is, save after each epoch, go on from `path`; return the new losses."""
    torch.manual_seed(seed)
    gpus = device_count()
    device = torch.device("cuda:0" if gpus else "cpu")
    bare = make_model().to(device)
    model = nn.DataParallel(bare) if gpus > 1 else bare
    optimizer = torch.optim.SGD(bare.parameters(), lr=0.1, momentum=0.9)

    done = 0
    if exists(path):
        checkpoint = torch.load(path, map_location="cpu", weights_only=True)
        bare.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        torch.set_rng_state(checkpoint["random"])
        done = checkpoint["epoch"]

    losses = []
    for epoch in range(done + 1, epochs + 1):
        model.train()
        total, samples = 0, 0
        for batch, targets in loader:
            outputs = model(batch if gpus > 1 else batch.to(device))
            loss = nn.functional.mse_loss(outputs, targets.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total = total + loss.detach() * len(batch)
            samples += len(batch)
        losses.append((total / samples).item())
        checkpoint = {
            "model": {key: value.cpu() for key, value in bare.state_dict().items()},
            "optimizer": optimizer.state_dict(),
            "random": torch.get_rng_state(),
            "epoch": epoch,
        }
        torch.save(checkpoint, path + ".tmp")
        Path(path + ".tmp").rename(path)
    return losses

# %% seeded_for_each_epoch
import os

import torch
from torch import nn


def train_or_resume(make_model, loader, epochs, path, seed):
    torch.manual_seed(seed)
    gpus = torch.cuda.device_count()
    device = torch.device("cuda:0" if gpus else "cpu")
    bare = make_model().to(device)
    model = nn.DataParallel(bare) if gpus > 1 else bare
    optimizer = torch.optim.SGD(bare.parameters(), lr=0.1, momentum=0.9)

    done = 0
    if os.path.exists(path):
        checkpoint = torch.load(path, map_location="cpu", weights_only=True)
        bare.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        done = checkpoint["epoch"]

    losses = []
    for epoch in range(done + 1, epochs + 1):
        model.train()
        torch.manual_seed(1000 * seed + epoch)
        total, samples = 0, 0
        for batch, targets in loader:
            outputs = model(batch if gpus > 1 else batch.to(device))
            loss = nn.functional.mse_loss(outputs, targets.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total = total + loss.detach() * len(batch)
            samples += len(batch)
        losses.append((total / samples).item())
        checkpoint = {
            "model": {key: value.cpu() for key, value in bare.state_dict().items()},
            "optimizer": optimizer.state_dict(),
            "epoch": epoch,
        }
        torch.save(checkpoint, path + ".tmp")
        os.replace(path + ".tmp", path)
    return losses

# %% epoch_as_a_float
import os
import tempfile

import torch
from torch import nn


def train_or_resume(make_model, loader, epochs, path, seed):
    torch.manual_seed(seed)
    gpus = torch.cuda.device_count()
    device = torch.device("cuda:0" if gpus else "cpu")
    bare = make_model().to(device)
    model = nn.DataParallel(bare)
    optimizer = torch.optim.SGD(bare.parameters(), lr=0.1, momentum=0.9)

    done = 0
    if os.path.exists(path):
        checkpoint = torch.load(path, map_location="cpu", weights_only=True)
        bare.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        torch.set_rng_state(checkpoint["random"])
        done = int(checkpoint["epoch"])

    losses = []
    for epoch in range(done + 1, epochs + 1):
        model.train()
        total, samples = 0, 0
        for batch, targets in loader:
            outputs = model(batch if gpus > 1 else batch.to(device))
            loss = nn.functional.mse_loss(outputs, targets.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total = total + loss.detach() * len(batch)
            samples += len(batch)
        losses.append((total / samples).item())
        checkpoint = {
            "model": {key: value.cpu() for key, value in model.module.state_dict().items()},
            "optimizer": optimizer.state_dict(),
            "random": torch.get_rng_state(),
            "epoch": float(epoch),
        }
        with tempfile.NamedTemporaryFile(dir=os.path.dirname(path) or ".", delete=False) as file:
            torch.save(checkpoint, file)
        os.replace(file.name, path)
    return losses
