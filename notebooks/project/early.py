"""The parts of train.py and shapes.py as they are until the lesson that asks you to write them.

Each of them runs, and each has the fault that its lesson is about. They stand here under the names
of what takes their place: `course_utils.program.holes` puts a program together from both.
"""

import sys

import torch
from shapes import MEAN, RANKS, STD, conv_block, load
from torch import nn


def pick_device(wanted):
    """The device that is called `wanted`; for "auto", the accelerator, or else the CPU."""
    if wanted != "cpu":
        sys.exit(f"--device {wanted}: this program knows only the CPU until lesson 01 is done")
    return torch.device("cpu")


def train_epoch(model, data, optimizer, device, args):
    """One pass over the training images; returns their mean loss."""
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = 0.0
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args).item()
        optimizer.step()
    return loss / (len(batches) * args.batch)


class ShapeNet(nn.Module):
    """From images of bytes, (N, 3, height, width), to scores of their classes, (N, classes)."""

    def __init__(self, classes, widths=(16, 32, 64)):
        super().__init__()
        self.mean = torch.tensor(MEAN).view(3, 1, 1)
        self.std = torch.tensor(STD).view(3, 1, 1)
        self.blocks = nn.ModuleList(conv_block(a, b) for a, b in zip((3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):
        features = (images / 255 - self.mean.to(images.device)) / self.std.to(images.device)
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))


def take_cards(wanted):
    """Before CUDA starts, let it see only `wanted` GPUs: idle ones first, then by free memory."""
    sys.exit(f"--gpus {wanted}: this program cannot choose GPUs until lesson 06 is done")


def train_batch(model, images, targets, args):
    """Add the gradient of a batch's mean loss; returns the loss of this rank's images, summed."""
    if args.parts > 1 or args.bf16:
        sys.exit("--parts, --bf16: this program has neither until lesson 08 is done")
    loss = torch.nn.functional.cross_entropy(model(images), targets, reduction="sum")
    (loss / args.batch).backward()
    return loss.detach()


def batches_ahead(loader, device):
    """The batches of `loader` on `device`, each copied while the one before is at work."""
    for batch in loader:
        yield [tensor.to(device) for tensor in batch]


def save(path, state):
    """Let `path` hold `state`; whenever this is killed, it holds the old state or the new one."""
    torch.save(state, path)


def resume(path, model, optimizer, settings):
    """Go on from the checkpoint `path`, if there is one; returns the log of its epochs."""
    if path.exists():
        sys.exit("--resume: this program cannot go on until lesson 10 is done")
    return []


def start_ranks(device):
    """Join the processes that torchrun has started, if it has; returns this one's device."""
    if RANKS > 1:
        sys.exit(f"{RANKS} processes: this program is one process until lesson 11 is done")
    return device


def batches_of(count, size):
    """An epoch's batches of `size` images each, less the rest of `count`; this rank's part."""
    return [batch.tolist() for batch in torch.randperm(count)[: count // size * size].split(size)]
