"""Train a network on images of shapes: on a CPU, on one GPU or several, and on after a stop."""

import argparse
import io
import os
import re
import signal
import subprocess
import sys
from contextlib import nullcontext
from itertools import chain
from pathlib import Path

import torch
import torch.distributed as dist
from shapes import ShapeNet, Shapes, load
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel

SAME = ("epochs", "batch", "lr", "seed", "bf16")  # in every part of one run
# After SIGTERM an epoch may take an hour to end.
TORCHRUN = "python -m torch.distributed.run --standalone --shutdown-timeout=3600 --nproc-per-node"
RANK = int(os.environ.get("RANK", "0"))  # of how many processes torchrun has started
RANKS = int(os.environ.get("WORLD_SIZE", "1"))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default="shapes", help="made by `course shapes`")
    parser.add_argument("--checkpoint", type=Path, default="run/checkpoint.pt")
    parser.add_argument("--device", default="cpu", help="cpu, cuda, cuda:1, auto …")
    parser.add_argument("--gpus", type=int, default=0, help="this many of the freest, all at work")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch", type=int, default=30, help="images in a step, on all GPUs")
    parser.add_argument("--parts", type=int, default=1, help="micro-batches in a step, on a GPU")
    parser.add_argument("--lr", type=float, default=0.003)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--bf16", action="store_true", help="compute in bfloat16 where it is safe")
    parser.add_argument("--workers", type=int, default=2, help="processes that decode images")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint, if any")
    args = parser.parse_args()
    if args.checkpoint.exists() and not args.resume:
        parser.error(f"{args.checkpoint} is there: --resume it, or name another --checkpoint")
    return args


def take_cards(wanted):
    """Before CUDA starts, let it see only the `wanted` GPUs with the most free memory."""
    for name in {"CUDA_VISIBLE_DEVICES", "WORLD_SIZE"} & os.environ.keys():
        sys.exit(f"--gpus chooses GPUs and starts torchrun itself, but {name} is set already")
    query = ["nvidia-smi", "--query-gpu=uuid,memory.free", "--format=csv,noheader,nounits"]
    try:
        told = subprocess.check_output(query, text=True, timeout=10)
    except (OSError, subprocess.SubprocessError) as problem:
        sys.exit(f"nvidia-smi does not tell which GPUs are free ({problem}): leave out --gpus")
    cards = re.findall(r"^(GPU-\S+), (\d+)$", told, re.MULTILINE)
    if not 0 < wanted <= len(cards):
        sys.exit(f"--gpus {wanted}: nvidia-smi tells of {len(cards)}")
    cards.sort(key=lambda card: -int(card[1]))  # of two that are equal, the first stays first
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(uuid for uuid, _ in cards[:wanted])


def pick_device(wanted):
    """The device that is called `wanted`; for "auto", the accelerator, or else the CPU."""
    if wanted == "auto":
        return torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")
    try:
        device = torch.device(wanted)
        count = torch.get_device_module(device).device_count()
    except RuntimeError:
        sys.exit(f"--device {wanted}: no device is called that; try cpu, cuda:0 or auto")
    if (device.index or 0) >= count:
        sys.exit(f"--device {wanted}: PyTorch sees {count} devices of this kind")
    return device


def start_ranks(device):
    """Join the processes that torchrun has started, if it has; returns this one's device."""
    if device.type == "cuda":
        if RANKS > 1:
            device = pick_device(f"cuda:{os.environ['LOCAL_RANK']}")
        torch.cuda.set_device(device.index or 0)  # else cuda:0 would be started, too
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def total(tensor):
    """The sum of `tensor` over all ranks, on each of them."""
    if RANKS > 1:
        dist.all_reduce(tensor)
    return tensor


def batches_of(count, size):
    """An epoch's batches of `size` images each, less the rest of `count`; this rank's part."""
    if not RANKS <= size <= count:
        sys.exit(f"--batch {size}: choose from {RANKS}, an image for each process, to {count}")
    order = torch.randperm(count)  # drawn on the CPU, where all ranks draw alike
    return [batch[RANK::RANKS].tolist() for batch in order[: count // size * size].split(size)]


def batches_ahead(loader, device):
    """The batches of `loader` on `device`, each copied while the one before is at work."""
    stream = torch.cuda.Stream(device) if device.type == "cuda" else None
    here = None
    for batch in chain(loader, [()]):  # once more, to hand over the last one
        if here and stream:
            torch.cuda.current_stream(device).wait_stream(stream)
            for tensor in here:  # or its memory would be given away as soon as `stream` allows
                tensor.record_stream(torch.cuda.current_stream(device))
        with stream or nullcontext():
            ahead = [tensor.to(device, non_blocking=True) for tensor in batch]
        if here:
            yield here
        here = ahead


def train_batch(model, images, targets, args):
    """Add the gradient of a batch's mean loss; returns the loss of this rank's images, summed."""
    loss = torch.zeros((), device=images.device)
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts), strict=True))
    for number, (piece, wanted) in enumerate(pieces, start=1):
        waits = RANKS > 1 and number < len(pieces)  # one exchange of gradients a step
        with model.no_sync() if waits else nullcontext():
            with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
                part = cross_entropy(model(piece), wanted, reduction="sum")
            (part * RANKS / args.batch).backward()  # DDP takes the mean over ranks, not the sum
        loss += part.detach()
    return loss


def train_epoch(model, data, optimizer, device, args):
    """One pass over the training images; returns their mean loss."""
    model.train()
    batches = batches_of(len(data), args.batch)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)  # the only wait for the GPU


@torch.no_grad()
def accuracy(model, data, device, args):
    """The share of the images of `data` that `model` recognises; the ranks share the work."""
    model.eval()
    right = torch.zeros((), device=device)
    share = list(range(RANK, len(data), RANKS))
    batches = [share[at : at + 256] for at in range(0, len(share), 256)]
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        right += (model(images).argmax(dim=1) == targets).sum()
    return total(right).item() / len(data)


def save(path, state):
    """Let `path` hold `state`; whenever this is killed, it holds the old state or the new one."""
    data, spare = io.BytesIO(), path.with_name(f"{path.name}.tmp")
    torch.save(state, data)  # first into memory, so that a full disk is an OSError
    spare.write_bytes(data.getbuffer())
    os.replace(spare, path)


def resume(path, model, optimizer, settings):
    """Go on from the checkpoint `path`, if there is one; returns the log of its epochs."""
    if not path.exists():
        return []
    state = torch.load(path, map_location="cpu", weights_only=True)
    if state["settings"] != settings:
        sys.exit(f"{path} was made with other settings: {state['settings']}")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["generator"])  # from which the order of the images is drawn
    return state["log"]


def keep(path, model, optimizer, log, settings):
    """Save the run as it is now, and tell of its last epoch."""
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
    save(path, state | {"generator": torch.get_rng_state(), "log": log, "settings": settings})
    print("epoch {}: loss {loss:.3f}, accuracy {accuracy:.1%}".format(len(log), **log[-1]))


def main():
    args = parse_arguments()
    if args.gpus:
        take_cards(args.gpus)
        again = [*sys.argv, "--gpus=0", "--device=cuda"]
        os.execv(sys.executable, [*TORCHRUN.split(), str(args.gpus), *again])
    device = start_ranks(pick_device(args.device))
    torch.manual_seed(args.seed)
    train_set = Shapes(args.data / "train")
    test_set = Shapes(args.data / "test", train_set.classes)
    net = ShapeNet(len(train_set.classes)).to(device)
    model = DistributedDataParallel(net) if RANKS > 1 else net
    optimizer = torch.optim.AdamW(net.parameters())
    settings = {name: getattr(args, name) for name in SAME} | {"classes": train_set.classes}
    args.checkpoint.parent.mkdir(parents=True, exist_ok=True)
    log = resume(args.checkpoint, net, optimizer, settings)
    stopped = []
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    for epoch in range(len(log), args.epochs):
        optimizer.param_groups[0]["lr"] = args.lr * (1 - epoch / args.epochs)
        loss = train_epoch(model, train_set, optimizer, device, args)
        log.append({"loss": loss, "accuracy": accuracy(net, test_set, device, args)})
        if RANK == 0:
            keep(args.checkpoint, net, optimizer, log, settings)
        if total(torch.tensor(len(stopped), device=device)) and len(log) < args.epochs:
            return 128 + signal.SIGTERM  # the code of a process that the signal has ended


if __name__ == "__main__":
    try:
        code = main()
    except OSError as problem:
        sys.exit(str(problem))
    if RANKS > 1:
        dist.destroy_process_group()
    sys.exit(code)
