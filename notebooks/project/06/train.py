"""Train a small CNN to recognise the shapes that `course shapes` has drawn."""

import argparse
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch import nn
from torch.nn.functional import cross_entropy

MEAN = (0.43, 0.36, 0.47)
STD = (0.28, 0.27, 0.28)


class Shapes:
    """The pictures of folder/CLASS/*.jpg, all of them in one tensor of bytes."""

    def __init__(self, folder):
        self.files = sorted(folder.glob("*/*.jpg"))
        self.classes = sorted({file.parent.name for file in self.files})
        self.targets = torch.tensor([self.classes.index(file.parent.name) for file in self.files])
        pictures = np.stack([np.asarray(Image.open(file)) for file in self.files])
        self.pictures = torch.from_numpy(pictures).permute(0, 3, 1, 2)

    def batches(self, size, shuffle=False):
        count = len(self.files)
        order = torch.randperm(count) if shuffle else torch.arange(count)
        return [(self.pictures[chosen], self.targets[chosen]) for chosen in order.split(size)]


def conv_block(inputs, outputs):
    convolution = nn.Conv2d(inputs, outputs, kernel_size=3, stride=2, padding=1)
    return nn.Sequential(convolution, nn.BatchNorm2d(outputs), nn.ReLU())


class ShapeNet(nn.Module):
    def __init__(self, classes, widths=(16, 32, 64)):
        super().__init__()
        self.register_buffer("mean", torch.tensor(MEAN).view(3, 1, 1))
        self.register_buffer("std", torch.tensor(STD).view(3, 1, 1))
        self.blocks = nn.ModuleList(map(conv_block, (3, *widths), widths))
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, batch):
        features = (batch / 255 - self.mean) / self.std
        for block in self.blocks:
            features = block(features)
        return self.head(features.amax(dim=(2, 3)))


def train_epoch(model, batches, optimizer, device):
    """One pass over the training pictures; returns the mean loss."""
    model.train()
    losses = []
    for batch, targets in batches:
        batch, targets = batch.to(device), targets.to(device)
        loss = cross_entropy(model(batch), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses).mean().item()  # brought back once an epoch


@torch.no_grad()
def predict(model, batches, device):
    """The index of the most likely class of each picture."""
    model.eval()
    return torch.cat([model(batch.to(device)).argmax(dim=1) for batch, _ in batches]).cpu()


def freest(count):
    """The UUIDs of the cards with the most free memory; if nobody knows, the program ends."""
    command = ["nvidia-smi", "--query-gpu=uuid,memory.free", "--format=csv,noheader,nounits"]
    try:
        told = subprocess.check_output(command, text=True, timeout=10)
        cards = re.findall(r"^(GPU-\S+), (\d+)$", told, re.MULTILINE)
        if not cards or len(cards) < len(told.splitlines()):
            raise ValueError(f"it says {told[:80]!r}")
    except (OSError, subprocess.SubprocessError, ValueError) as problem:
        sys.exit(f"nvidia-smi does not tell the freest cards ({problem}): choose, as in --gpus 0")
    cards.sort(key=lambda card: -int(card[1]))  # of two that are equal, the first stays first
    return ",".join(uuid for uuid, _ in cards[:count])


def use_repeatable_algorithms():
    """What PyTorch's notes on reproducibility ask for, apart from seeds. Before CUDA starts."""
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.backends.cudnn.benchmark = False  # it would choose by timing, and so not always the same
    torch.use_deterministic_algorithms(True)  # an error where an operation has none


def fingerprint(model):
    """A short text that is the same for two models if their weights are, to the last bit."""
    digest = hashlib.sha256()
    for tensor in model.state_dict().values():
        digest.update(tensor.cpu().numpy().tobytes())
    return digest.hexdigest()[:12]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default="shapes", help="made by `course shapes`")
    parser.add_argument("--out", type=Path, default="run", help="for the log and some samples")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--lr", type=float, default=0.002)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--repeatable", action="store_true", help="the same weights in every run")
    parser.add_argument("--gpus", help="the cards to use: 2,3 or freest or freest:2")
    args = parser.parse_args()
    if not (args.data / "train").is_dir():
        parser.error(f"there are no pictures in {args.data}: run `course shapes {args.data}`")

    if args.gpus:
        if "CUDA_VISIBLE_DEVICES" in os.environ:
            parser.error("cards were given in CUDA_VISIBLE_DEVICES already: leave out --gpus")
        rule = re.fullmatch(r"freest(?::([1-9]\d*))?", args.gpus)
        count = int(rule[1] or 1) if rule else len(args.gpus.split(","))
        chosen = freest(count) if rule else args.gpus
        os.environ["CUDA_VISIBLE_DEVICES"] = chosen  # before anything starts CUDA
        if torch.cuda.device_count() != count:
            parser.error(f"--gpus {args.gpus}: not all of these cards are there")
    if args.repeatable:
        use_repeatable_algorithms()
    device = torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")
    print(f"training on {device}")
    print("CUDA_VISIBLE_DEVICES:", os.environ.get("CUDA_VISIBLE_DEVICES", "not set"))
    gpus = torch.cuda.device_count() if device.type == "cuda" else 0
    for index in range(gpus):
        card = torch.cuda.get_device_properties(index)
        print(f"cuda:{index} is {card.name}, GPU-{card.uuid}")
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)  # the generators of the CPU and of all GPUs
    train_set, test_set = Shapes(args.data / "train"), Shapes(args.data / "test")
    model = ShapeNet(len(train_set.classes)).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)

    args.out.mkdir(parents=True, exist_ok=True)
    with open(args.out / "log.jsonl", "w", buffering=1) as log:
        for epoch in range(1, args.epochs + 1):
            started = time.perf_counter()
            batches = train_set.batches(args.batch, shuffle=True)
            loss = train_epoch(model, batches, optimizer, device)
            scheduler.step()
            predicted = predict(model, test_set.batches(256), device)
            accuracy = (predicted == test_set.targets).float().mean().item()
            seconds = time.perf_counter() - started
            line = {"epoch": epoch, "loss": loss, "accuracy": accuracy, "seconds": seconds}
            log.write(json.dumps(line) + "\n")
            print(f"epoch {epoch}/{args.epochs}: loss {loss:.3f}, accuracy {accuracy:.1%}")

    names = [test_set.classes[index] for index in predict(model, test_set.batches(256), device)]
    samples = dict(zip(map(str, test_set.files), names, strict=True))
    (args.out / "predictions.json").write_text(json.dumps(samples, indent=1))
    print(f"fingerprint of the weights: {fingerprint(model)}")


if __name__ == "__main__":
    main()
