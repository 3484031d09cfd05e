# %% always_cuda
# finding: gpu-not-visible
import os

import torch
from torch import nn


def train_or_resume(make_model, loader, epochs, path, seed):
    """Train on what there is, save after each epoch, go on from `path`; return the new losses."""
    torch.manual_seed(seed)
    gpus = torch.cuda.device_count()
    device = torch.device("cuda")
    bare = make_model().to(device)
    model = nn.DataParallel(bare) if gpus > 1 else bare
    optimizer = torch.optim.SGD(bare.parameters(), lr=0.1, momentum=0.9)

    done = 0
    if os.path.exists(path):
        checkpoint = torch.load(path, map_location="cpu", weights_only=True)
        bare.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])  # moves it to the parameters
        torch.set_rng_state(checkpoint["random"])  # last: the lines above may draw numbers
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
        os.replace(path + ".tmp", path)  # the old one or the new one, never half of one
    return losses

# %% batch_to_the_main_gpu
# finding: by-way-of-the-main-gpu
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
        torch.set_rng_state(checkpoint["random"])
        done = checkpoint["epoch"]

    losses = []
    for epoch in range(done + 1, epochs + 1):
        model.train()
        total, samples = 0, 0
        for batch, targets in loader:
            outputs = model(batch.to(device))
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
        os.replace(path + ".tmp", path)
    return losses

# %% copied_over
# finding: written-in-place
import os
import shutil

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
        shutil.copyfile(path + ".tmp", path)
    return losses

# %% counted_from_zero
# finding: other-epoch
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
        torch.set_rng_state(checkpoint["random"])
        done = checkpoint["epoch"] + 1

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
            "epoch": epoch - 1,
        }
        torch.save(checkpoint, path + ".tmp")
        os.replace(path + ".tmp", path)
    return losses

# %% cpu_only
# finding: gpus-idle
import os

import torch
from torch import nn


def train_or_resume(make_model, loader, epochs, path, seed):
    torch.manual_seed(seed)
    gpus = torch.cuda.device_count()
    device = torch.device("cpu")
    bare = make_model().to(device)
    model = bare
    optimizer = torch.optim.SGD(bare.parameters(), lr=0.1, momentum=0.9)

    done = 0
    if os.path.exists(path):
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
        os.replace(path + ".tmp", path)
    return losses

# %% deleted_and_written
# finding: torn
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
        if os.path.exists(path):
            os.remove(path)
        torch.save(checkpoint, path)
    return losses

# %% deleted_before
# finding: deleted-first
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
        if os.path.exists(path):
            os.remove(path)
        torch.save(checkpoint, path + ".tmp")
        os.replace(path + ".tmp", path)
    return losses

# %% every_other_epoch
# finding: not-saved-each-epoch
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
        if epoch % 2 or epoch == epochs:
            torch.save(checkpoint, path + ".tmp")
            os.replace(path + ".tmp", path)
    return losses

# %% from_the_gpu
# finding: tagged-with-a-gpu
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
            "model": bare.state_dict(),
            "optimizer": optimizer.state_dict(),
            "random": torch.get_rng_state(),
            "epoch": epoch,
        }
        torch.save(checkpoint, path + ".tmp")
        os.replace(path + ".tmp", path)
    return losses

# %% generator_before_the_epoch
# finding: other-order
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
        torch.set_rng_state(checkpoint["random"])
        done = checkpoint["epoch"]

    losses = []
    for epoch in range(done + 1, epochs + 1):
        model.train()
        before = torch.get_rng_state()
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
            "random": before,
            "epoch": epoch,
        }
        torch.save(checkpoint, path + ".tmp")
        os.replace(path + ".tmp", path)
    return losses

# %% generator_set_too_early
# finding: other-order
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
        torch.set_rng_state(checkpoint["random"])
        torch.rand(3)
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
        os.replace(path + ".tmp", path)
    return losses

# %% item_in_the_loop
# finding: fetched-in-the-loop
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
            total = total + loss.item() * len(batch)
            samples += len(batch)
        losses.append(total / samples)
        checkpoint = {
            "model": {key: value.cpu() for key, value in bare.state_dict().items()},
            "optimizer": optimizer.state_dict(),
            "random": torch.get_rng_state(),
            "epoch": epoch,
        }
        torch.save(checkpoint, path + ".tmp")
        os.replace(path + ".tmp", path)
    return losses

# %% loaded_into_the_wrapper
# finding: keys-do-not-fit
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
        model.load_state_dict(checkpoint["model"])
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
        os.replace(path + ".tmp", path)
    return losses

# %% losses_of_all_runs
# finding: other-losses
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
        torch.set_rng_state(checkpoint["random"])
        done = checkpoint["epoch"]

    losses = torch.load(path)["losses"] if done else []
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
            "losses": losses,
        }
        torch.save(checkpoint, path + ".tmp")
        os.replace(path + ".tmp", path)
    return losses

# %% mean_of_means
# finding: batches-weighted-equally
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
            total = total + loss.detach()
            samples += 1
        losses.append((total / samples).item())
        checkpoint = {
            "model": {key: value.cpu() for key, value in bare.state_dict().items()},
            "optimizer": optimizer.state_dict(),
            "random": torch.get_rng_state(),
            "epoch": epoch,
        }
        torch.save(checkpoint, path + ".tmp")
        os.replace(path + ".tmp", path)
    return losses

# %% model_pickled
# finding: not-loadable
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
        checkpoint = torch.load(path, map_location="cpu", weights_only=False)
        bare.load_state_dict(checkpoint["model"].state_dict())
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
            "model": bare,
            "optimizer": optimizer.state_dict(),
            "random": torch.get_rng_state(),
            "epoch": epoch,
        }
        torch.save(checkpoint, path + ".tmp")
        os.replace(path + ".tmp", path)
    return losses

# %% never_saved
# finding: no-checkpoint
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
    return losses

# %% no_momentum
# finding: other-steps
import os

import torch
from torch import nn


def train_or_resume(make_model, loader, epochs, path, seed):
    torch.manual_seed(seed)
    gpus = torch.cuda.device_count()
    device = torch.device("cuda:0" if gpus else "cpu")
    bare = make_model().to(device)
    model = nn.DataParallel(bare) if gpus > 1 else bare
    optimizer = torch.optim.SGD(bare.parameters(), lr=0.1)

    done = 0
    if os.path.exists(path):
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
        os.replace(path + ".tmp", path)
    return losses

# %% no_return
# finding: nothing-returned
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
        os.replace(path + ".tmp", path)
    print(losses)

# %% no_train
# finding: evaluation-mode
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
        torch.set_rng_state(checkpoint["random"])
        done = checkpoint["epoch"]

    losses = []
    for epoch in range(done + 1, epochs + 1):
        model.eval()
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
        os.replace(path + ".tmp", path)
    return losses

# %% no_zero_grad
# finding: other-steps
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
        torch.set_rng_state(checkpoint["random"])
        done = checkpoint["epoch"]

    losses = []
    for epoch in range(done + 1, epochs + 1):
        model.train()
        total, samples = 0, 0
        for batch, targets in loader:
            outputs = model(batch if gpus > 1 else batch.to(device))
            loss = nn.functional.mse_loss(outputs, targets.to(device))
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
        os.replace(path + ".tmp", path)
    return losses

# %% not_renamed
# finding: no-checkpoint
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
    return losses

# %% not_seeded
# finding: not-repeatable
import os

import torch
from torch import nn


def train_or_resume(make_model, loader, epochs, path, seed):
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
        os.replace(path + ".tmp", path)
    return losses

# %% old_one_set_aside
# finding: deleted-first
import os

import torch
from torch import nn


def train_or_resume(make_model, loader, epochs, path, seed):
    """Train on what there is, save after each epoch, go on from `path`; return the new losses."""
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
        optimizer.load_state_dict(checkpoint["optimizer"])  # moves it to the parameters
        torch.set_rng_state(checkpoint["random"])  # last: the lines above may draw numbers
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
        if os.path.exists(path):
            os.rename(path, path + ".old")
        os.rename(path + ".tmp", path)
    return losses

# %% one_gpu_only
# finding: gpus-idle
import os

import torch
from torch import nn


def train_or_resume(make_model, loader, epochs, path, seed):
    torch.manual_seed(seed)
    gpus = torch.cuda.device_count()
    device = torch.device("cuda:0" if gpus else "cpu")
    bare = make_model().to(device)
    model = bare
    optimizer = torch.optim.SGD(bare.parameters(), lr=0.1, momentum=0.9)

    done = 0
    if os.path.exists(path):
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
            outputs = model(batch.to(device))
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
        os.replace(path + ".tmp", path)
    return losses

# %% one_too_few
# finding: other-number-of-epochs
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
        torch.set_rng_state(checkpoint["random"])
        done = checkpoint["epoch"]

    losses = []
    for epoch in range(done + 1, epochs):
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
        os.replace(path + ".tmp", path)
    return losses

# %% optimizer_in_every_epoch
# finding: other-steps
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
        torch.set_rng_state(checkpoint["random"])
        done = checkpoint["epoch"]

    losses = []
    for epoch in range(done + 1, epochs + 1):
        model.train()
        optimizer = torch.optim.SGD(bare.parameters(), lr=0.1, momentum=0.9)
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
        os.replace(path + ".tmp", path)
    return losses

# %% other_names
# finding: other-content
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
        bare.load_state_dict(checkpoint["state_dict"])
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
            "state_dict": {key: value.cpu() for key, value in bare.state_dict().items()},
            "optimizer": optimizer.state_dict(),
            "random": torch.get_rng_state(),
            "epoch": epoch,
        }
        torch.save(checkpoint, path + ".tmp")
        os.replace(path + ".tmp", path)
    return losses

# %% own_model
# finding: no-model
import os

import torch
from torch import nn


def train_or_resume(make_model, loader, epochs, path, seed):
    torch.manual_seed(seed)
    gpus = torch.cuda.device_count()
    device = torch.device("cuda:0" if gpus else "cpu")
    bare = nn.Linear(3, 2).to(device)
    model = nn.DataParallel(bare) if gpus > 1 else bare
    optimizer = torch.optim.SGD(bare.parameters(), lr=0.1, momentum=0.9)

    done = 0
    if os.path.exists(path):
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
        os.replace(path + ".tmp", path)
    return losses

# %% removed_then_renamed
# finding: deleted-first
import os

import torch
from torch import nn


def train_or_resume(make_model, loader, epochs, path, seed):
    """Train on what there is, save after each epoch, go on from `path`; return the new losses."""
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
        optimizer.load_state_dict(checkpoint["optimizer"])  # moves it to the parameters
        torch.set_rng_state(checkpoint["random"])  # last: the lines above may draw numbers
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
        if os.path.exists(path):
            os.remove(path)
        os.rename(path + ".tmp", path)
    return losses

# %% saved_at_the_end
# finding: no-checkpoint
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
    if losses:
        torch.save(checkpoint, path + ".tmp")
        os.replace(path + ".tmp", path)
    return losses

# %% seed_zero
# finding: seed-not-used
import os

import torch
from torch import nn


def train_or_resume(make_model, loader, epochs, path, seed):
    torch.manual_seed(0)
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
        os.replace(path + ".tmp", path)
    return losses

# %% seeded_after_the_model
# finding: not-repeatable
import os

import torch
from torch import nn


def train_or_resume(make_model, loader, epochs, path, seed):
    bare = make_model()
    torch.manual_seed(seed)
    gpus = torch.cuda.device_count()
    device = torch.device("cuda:0" if gpus else "cpu")
    bare.to(device)
    model = nn.DataParallel(bare) if gpus > 1 else bare
    optimizer = torch.optim.SGD(bare.parameters(), lr=0.1, momentum=0.9)

    done = 0
    if os.path.exists(path):
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
        os.replace(path + ".tmp", path)
    return losses

# %% small_batch_not_run
# finding: other-parts
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
        torch.set_rng_state(checkpoint["random"])
        done = checkpoint["epoch"]

    losses = []
    for epoch in range(done + 1, epochs + 1):
        model.train()
        total, samples = 0, 0
        for batch, targets in loader:
            if len(batch) < loader.batch_size:
                continue
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
        os.replace(path + ".tmp", path)
    return losses

# %% small_batch_skipped
# finding: samples-left-out
import itertools
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
        torch.set_rng_state(checkpoint["random"])
        done = checkpoint["epoch"]

    losses = []
    for epoch in range(done + 1, epochs + 1):
        model.train()
        total, samples = 0, 0
        for batch, targets in itertools.islice(loader, len(loader) - 1):
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
        os.replace(path + ".tmp", path)
    return losses

# %% so_many_more
# finding: not-resumed
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
        torch.set_rng_state(checkpoint["random"])
        done = checkpoint["epoch"]

    losses = []
    for epoch in range(done + 1, done + epochs + 1):
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
        os.replace(path + ".tmp", path)
    return losses

# %% targets_left
# finding: devices-mixed
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
        torch.set_rng_state(checkpoint["random"])
        done = checkpoint["epoch"]

    losses = []
    for epoch in range(done + 1, epochs + 1):
        model.train()
        total, samples = 0, 0
        for batch, targets in loader:
            outputs = model(batch if gpus > 1 else batch.to(device))
            loss = nn.functional.mse_loss(outputs, targets)
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
        os.replace(path + ".tmp", path)
    return losses

# %% tensors_returned
# finding: other-form
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
        losses.append((total / samples))
        checkpoint = {
            "model": {key: value.cpu() for key, value in bare.state_dict().items()},
            "optimizer": optimizer.state_dict(),
            "random": torch.get_rng_state(),
            "epoch": epoch,
        }
        torch.save(checkpoint, path + ".tmp")
        os.replace(path + ".tmp", path)
    return losses

# %% weights_not_loaded
# finding: resumed-otherwise
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
        os.replace(path + ".tmp", path)
    return losses

# %% written_from_memory
# finding: written-in-place
import io
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
        buffer = io.BytesIO()
        torch.save(checkpoint, buffer)
        with open(path, "wb") as file:
            file.write(buffer.getvalue())
    return losses

# %% file_ignored
# finding: not-resumed
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
    if False:
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
        os.replace(path + ".tmp", path)
    return losses

# %% generator_not_saved
# finding: order-begins-again
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
        os.replace(path + ".tmp", path)
    return losses

# %% saved_epoch_again
# finding: epoch-trained-again
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
        torch.set_rng_state(checkpoint["random"])
        done = checkpoint["epoch"]

    losses = []
    for epoch in range(max(done, 1), epochs + 1):
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
        os.replace(path + ".tmp", path)
    return losses
