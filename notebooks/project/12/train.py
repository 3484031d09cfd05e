"""Train a small CNN to recognise the shapes that `course shapes` has drawn."""

import argparse
import errno
import hashlib
import io
import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import time
import traceback
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
from PIL import Image
from torch import nn
from torch.distributed.elastic.multiprocessing import SignalException
from torch.distributed.run import main as torchrun
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset, DistributedSampler

MEAN = (0.43, 0.36, 0.47)
STD = (0.28, 0.27, 0.28)
SAME = ("batch", "lr", "seed")  # in every part of one run
FEWEST_STEPS = 10  # of an epoch: with fewer, a model learns too little for its time
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # a disk, a quota, a file


class Shapes(Dataset):
    """The pictures of folder/CLASS/*.jpg, each decoded when it is asked for."""

    def __init__(self, folder, mirror=False):
        self.files = sorted(folder.glob("**/*.jpg"))
        self.classes = sorted({file.parent.name for file in self.files})
        self.targets = torch.tensor([self.classes.index(file.parent.name) for file in self.files])
        self.mirror = mirror

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        picture = torch.from_numpy(np.array(Image.open(self.files[index]))).permute(2, 0, 1)
        if self.mirror and torch.rand(()) < 0.5:  # DataLoader seeds torch in every worker
            picture = picture.flip(-1)
        return picture, self.targets[index]


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


def train_epoch(model, batches, optimizer, device, parts):
    """One pass over the training pictures, each batch in parts; returns the mean loss."""
    model.train()
    losses = []
    for batch, targets in batches:
        optimizer.zero_grad()
        pieces = list(zip(batch.chunk(parts), targets.chunk(parts), strict=True))
        for number, (part, wanted) in enumerate(pieces, start=1):
            share = len(part) / len(batch)
            part = part.to(device, non_blocking=True)
            wanted = wanted.to(device, non_blocking=True)
            wait = dist.is_initialized() and number < len(pieces)  # exchange gradients only once
            with model.no_sync() if wait else nullcontext():
                loss = cross_entropy(model(part), wanted) * share
                loss.backward()  # adds to the gradients, and frees what this part has kept
            losses.append(loss.detach())
        optimizer.step()
    return torch.stack(losses).sum() / len(batches)


def add_up(tensor):
    """The sum of what all ranks have, on each of them."""
    if dist.is_initialized():
        dist.all_reduce(tensor)
    return tensor


def peak_memory():
    """The most that tensors took on one GPU in this epoch's training, in MiB; 0 without a GPU."""
    peaks = map(torch.cuda.max_memory_allocated, range(torch.cuda.device_count()))
    return max(peaks, default=0) / 2**20


@torch.no_grad()
def predict(model, batches, device):
    """The index of the most likely class of each picture; each rank looks at its own share."""
    model.eval()
    if dist.is_initialized():
        for buffer in model.buffers():  # each rank's BatchNorm has its own statistics
            dist.broadcast(buffer, src=0)
    predicted = torch.zeros(len(batches.dataset), dtype=torch.long, device=device)
    found = [predicted[:0]]  # a share may be empty
    found += [model(batch.to(device)).argmax(dim=1) for batch, _ in batches]
    predicted[list(batches.sampler)] = torch.cat(found)
    return add_up(predicted).cpu()  # each picture is zero on all ranks but one


def bare(model):
    """The model inside the wrapper, whose keys have no "module." in front."""
    return model.module if isinstance(model, DistributedDataParallel) else model


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


def name_shapes(folder, path, device):
    """Print what a saved model sees in each picture. Any machine may have saved it."""
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    model = ShapeNet(len(checkpoint["classes"])).to(device)
    model.load_state_dict(checkpoint["model"])
    pictures = Shapes(folder)
    indices = predict(model, DataLoader(pictures), device)
    for file, index in zip(pictures.files, indices, strict=True):
        print(f"{file}: {checkpoint['classes'][index]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default="shapes", help="made by `course shapes`")
    parser.add_argument("--out", type=Path, default="run", help="for the log and some samples")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch", type=int, default=16, help="pictures per process")
    parser.add_argument("--accumulate", type=int, default=1, help="parts that a batch is cut into")
    parser.add_argument("--lr", type=float, default=0.002)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--repeatable", action="store_true", help="the same weights in every run")
    parser.add_argument(
        "--resume",
        action="store_true",
        help="go on from the checkpoint in --out: --batch, --lr and --seed have to be its own; the "
        "learning rate follows the curve of a run with the --epochs that are given now",
    )
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--gpus", help="the cards to use: 2,3 or freest or freest:2")
    parser.add_argument("--predict", type=Path, metavar="FOLDER", help="only name its shapes")
    args = parser.parse_args()
    needed = args.predict or args.data / "train"
    if not needed.is_dir():
        parser.error(f"there are no pictures in {needed}: run `course shapes {args.data}`")

    saved = args.out / "checkpoint.pt"
    args.resume = args.resume and saved.is_file()  # a job is always started alike, also at first
    if args.predict and not saved.is_file():
        parser.error(f"there is no {saved}: train first, without --predict")
    if args.resume:
        checkpoint = torch.load(saved, map_location="cpu", weights_only=True)
        for name, value in checkpoint["settings"].items():
            if getattr(args, name) != value:
                parser.error(
                    f"{saved} was made with --{name} {value}, and not {getattr(args, name)}: give "
                    f"--{name} {value}, or begin a new run in another --out"
                )
    if args.gpus:
        if "CUDA_VISIBLE_DEVICES" in os.environ:
            parser.error("cards were given in CUDA_VISIBLE_DEVICES already: leave out --gpus")
        if "freest" in args.gpus and dist.is_torchelastic_launched():
            parser.error("every process would choose cards: do it before, in CUDA_VISIBLE_DEVICES")
        rule = re.fullmatch(r"freest(?::([1-9]\d*))?", args.gpus)
        count = int(rule[1] or 1) if rule else len(args.gpus.split(","))
        chosen = freest(count) if rule else args.gpus
        os.environ["CUDA_VISIBLE_DEVICES"] = chosen  # before anything starts CUDA
        if torch.cuda.device_count() != count:
            parser.error(f"--gpus {args.gpus}: not all of these cards are there")
    if args.repeatable:
        use_repeatable_algorithms()
    device = torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")
    gpus = torch.cuda.device_count() if device.type == "cuda" else 0
    if args.predict:
        return name_shapes(args.predict, saved, device)
    if gpus > 1 and not dist.is_torchelastic_launched():
        steps = len(Shapes(args.data / "train")) // (gpus * args.batch)
        if steps >= FEWEST_STEPS:
            options = ["--standalone", "--local-addr=127.0.0.1", f"--nproc-per-node={gpus}"]
            return torchrun([*options, *sys.argv, "--gpus="])  # the cards are chosen already
        print(f"one process: {gpus} GPUs would leave only {steps} steps in an epoch")
    rank, ranks = 0, 1
    if dist.is_torchelastic_launched():  # by torchrun, which has started `ranks` processes
        if gpus:
            local_rank = int(os.environ["LOCAL_RANK"])
            if local_rank >= gpus:
                parser.error(f"--nproc-per-node is more than the number of GPUs, which is {gpus}")
            device = torch.device("cuda", local_rank)
            torch.cuda.set_device(device)
        dist.init_process_group("nccl" if gpus and dist.is_nccl_available() else "gloo")
        rank, ranks = dist.get_rank(), dist.get_world_size()
    if rank > 0:
        sys.stdout = None  # rank 0 speaks for all
    print(f"training on {device}")
    print(f"processes: {ranks}")
    print("CUDA_VISIBLE_DEVICES:", os.environ.get("CUDA_VISIBLE_DEVICES", "not set"))
    for index in range(gpus):
        card = torch.cuda.get_device_properties(index)
        print(f"cuda:{index} is {card.name}, GPU-{card.uuid}")
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)  # the generators of the CPU and of all GPUs
    train_set, test_set = Shapes(args.data / "train", mirror=True), Shapes(args.data / "test")
    model = ShapeNet(len(train_set.classes)).to(device)
    if dist.is_initialized():
        model = DistributedDataParallel(model, device_ids=[device] if gpus else None)
    lr = args.lr * math.sqrt(ranks)  # Adam's rule of thumb; for SGD it would be args.lr * ranks
    sampler = DistributedSampler(train_set, ranks, rank, seed=args.seed)
    feeding = {"num_workers": args.workers, "pin_memory": device.type == "cuda"}
    batches = DataLoader(train_set, args.batch, sampler=sampler, **feeding)
    share = range(rank, len(test_set), ranks)  # DistributedSampler might repeat some
    test_batches = DataLoader(
        test_set, 256, sampler=share, persistent_workers=args.workers > 0, **feeding
    )
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)

    args.out.mkdir(parents=True, exist_ok=True)
    done, lines = 0, []
    if args.resume:
        bare(model).load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        for group in optimizer.param_groups:
            group["lr"] = lr
        for _ in range(checkpoint["epoch"]):
            optimizer.step()  # does nothing, since there are no gradients yet
            scheduler.step()
        done, lines = checkpoint["epoch"], checkpoint["log"]
    stopping = []
    signal.signal(signal.SIGTERM, lambda *_: stopping.append(True))
    # torchrun stops whole process groups: DataLoaders' workers leave theirs, the epoch needs them.
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=os.setsid)
    with open(args.out / "log.jsonl" if rank == 0 else os.devnull, "w", buffering=1) as log:
        log.writelines(lines)
        for epoch in range(done + 1, args.epochs + 1):
            for index in range(torch.cuda.device_count() if device.type == "cuda" else 0):
                torch.cuda.reset_peak_memory_stats(index)  # testing takes more: larger batches
            started = time.perf_counter()
            sampler.set_epoch(epoch)  # another order, the same on all ranks
            torch.manual_seed(args.seed + epoch * ranks + rank)  # for the mirroring
            loss = train_epoch(model, batches, optimizer, device, args.accumulate)
            loss = add_up(loss).item() / ranks  # waits until the GPU is done
            rate = len(train_set.files) / (time.perf_counter() - started)
            peak = peak_memory()
            scheduler.step()
            predicted = predict(bare(model), test_batches, device)
            accuracy = (predicted == test_set.targets).float().mean().item()
            seconds = time.perf_counter() - started
            line = {"epoch": epoch, "loss": loss, "accuracy": accuracy, "seconds": seconds}
            lines.append(json.dumps(line) + "\n")
            log.write(lines[-1])
            checkpoint = {
                "model": bare(model).state_dict(),
                "optimizer": optimizer.state_dict(),
                "epoch": epoch,
                "log": lines,
                "settings": {name: getattr(args, name) for name in SAME},
                "classes": train_set.classes,
            }
            if rank == 0:
                data = io.BytesIO()  # written in one piece, so that a full disk is an OSError
                torch.save(checkpoint, data)
                saved.with_suffix(".tmp").write_bytes(data.getbuffer())
                os.replace(saved.with_suffix(".tmp"), saved)  # the old or the new one, never half
            print(
                f"epoch {epoch}/{args.epochs}: loss {loss:.3f}, accuracy {accuracy:.1%}, "
                f"{rate:.0f} pictures per s, peak {peak:.0f} MiB"
            )
            if add_up(torch.tensor(len(stopping), device=device)):
                print(f"stopped by SIGTERM: epoch {epoch} is saved; go on with --resume")
                return 128 + signal.SIGTERM

    names = [test_set.classes[index] for index in predict(bare(model), test_batches, device)]
    samples = dict(zip(map(Path.as_posix, test_set.files), names, strict=True))
    if rank == 0:
        (args.out / "predictions.json").write_text(json.dumps(samples, indent=1))
    print(f"fingerprint of the weights: {fingerprint(bare(model))}")


def run():
    """`main`; whatever happens, the model is freed, and then its process group."""
    try:
        return main()
    finally:
        if dist.is_initialized():
            traceback.clear_frames(sys.exc_info()[2])  # an error holds the model
            dist.destroy_process_group()  # before the model, gloo may hang: pytorch/pytorch#56297


if __name__ == "__main__":
    try:
        sys.exit(run())
    except OSError as problem:
        if problem.errno not in FULL:
            raise
        sys.exit(f"{problem}: the last checkpoint is whole; make room and go on with --resume")
    except SignalException as caught:  # by torchrun in this process: the others have ended
        sys.exit(128 + caught.sigval)
