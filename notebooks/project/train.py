"""Train a network on images of shapes: on a CPU, on one GPU or several, and on after a stop."""

import argparse
import io
import os
import re
import signal
import subprocess
import sys
from itertools import chain
from pathlib import Path

import torch
import torch.distributed as dist
from shapes import ShapeNet, Shapes
from torch.distributed.checkpoint import state_dict as states
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader

SAME = ("batch", "lr", "seed", "bf16")  # in every part of one run
RANK = int(os.environ.get("RANK", "0"))  # of how many processes torchrun has started
RANKS = int(os.environ.get("WORLD_SIZE", "1"))
WHOLE = states.StateDictOptions(full_state_dict=True, cpu_offload=True)  # the same on any machine


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default="shapes", help="made by `course shapes`")
    parser.add_argument("--checkpoint", type=Path, default="run/checkpoint.pt")
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda, cuda:1 …")
    parser.add_argument("--gpus", type=int, default=0, help="this many of the freest, all at work")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch", type=int, default=30, help="images in a step, on all GPUs")
    parser.add_argument("--parts", type=int, default=1, help="micro-batches in a step, on a GPU")
    parser.add_argument("--lr", type=float, default=0.003)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--bf16", action="store_true", help="compute in bfloat16 where it is safe")
    parser.add_argument("--workers", type=int, default=2, help="processes that decode images")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint, if any")
    return parser.parse_args()


def take_cards(wanted):
    """Let this process and its children see the `wanted` GPUs with the most free memory."""
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        sys.exit("CUDA_VISIBLE_DEVICES has chosen GPUs already: leave out --gpus, or unset it")
    query = ["nvidia-smi", "--query-gpu=uuid,memory.free", "--format=csv,noheader,nounits"]
    try:
        told = subprocess.check_output(query, text=True, timeout=10)
    except (OSError, subprocess.SubprocessError) as problem:
        sys.exit(f"nvidia-smi does not tell which GPUs are free ({problem}): leave out --gpus")
    cards = re.findall(r"^(GPU-\S+), (\d+)$", told, re.MULTILINE)
    if len(cards) < wanted:
        sys.exit(f"--gpus {wanted}: nvidia-smi tells of {len(cards)}")
    cards.sort(key=lambda card: -int(card[1]))  # of two that are equal, the first stays first
    # Before anything starts CUDA, which reads the variable once.
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(uuid for uuid, _ in cards[:wanted])


def pick_device(wanted):
    """The device that is called `wanted`; for "auto", the accelerator, or else the CPU."""
    if wanted == "auto":
        return torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")
    try:
        device = torch.device(wanted)
    except RuntimeError:
        sys.exit(f"--device {wanted}: no device is called that; try auto, cpu or cuda:0")
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        sys.exit(f"--device {wanted}: PyTorch sees {torch.cuda.device_count()} CUDA devices")
    return device


def start_ranks(device):
    """Join the processes that torchrun has started, if it has; returns this one's device."""
    if RANKS == 1:
        return device
    if device.type == "cuda":
        device = pick_device(f"cuda:{os.environ['LOCAL_RANK']}")
        torch.cuda.set_device(device)  # also for what names none, such as NCCL's barrier
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
    for batch in chain(loader, [()]):
        if here and stream:
            torch.cuda.current_stream(device).wait_stream(stream)
            for tensor in here:  # or its memory would be given away as soon as `stream` allows
                tensor.record_stream(torch.cuda.current_stream(device))
        with torch.cuda.stream(stream):  # None changes nothing
            ahead = [tensor.to(device, non_blocking=True) for tensor in batch]
        if here:
            yield here
        here = ahead


def train_batch(model, images, targets, args):
    """Add the gradient of a batch's mean loss; returns the loss of this rank's images, summed."""
    loss = torch.zeros((), device=images.device)
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts), strict=True))
    for number, (piece, wanted) in enumerate(pieces, start=1):
        model.require_backward_grad_sync = number == len(pieces)  # as DDP's no_sync(): one exchange
        with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
            part = cross_entropy(model(piece), wanted, reduction="sum")
        (part * RANKS / args.batch).backward()  # DDP takes the mean over ranks, not the sum
        loss += part.detach()
    return loss


def train_epoch(model, data, optimizer, device, args):
    """One pass over the training images; returns their mean loss."""
    model.train()
    batches = batches_of(len(data), args.batch)
    feeding = {"num_workers": args.workers, "pin_memory": device.type == "cuda"}
    loader = DataLoader(data, batch_sampler=batches, **feeding)
    loss = torch.zeros((), device=device)
    for images, targets in batches_ahead(loader, device):
        optimizer.zero_grad()
        loss += train_batch(model, images, targets, args)
        optimizer.step()
    return total(loss).item() / (len(batches) * args.batch)  # the only wait for the GPU


@torch.no_grad()
def accuracy(model, data, device, args):
    """The share of the images of `data` that `model` recognises; the ranks share the work."""
    model.eval()
    right = torch.zeros((), device=device)
    loader = DataLoader(data, 256, sampler=range(RANK, len(data), RANKS), num_workers=args.workers)
    for images, targets in batches_ahead(loader, device):
        right += (model(images).argmax(dim=1) == targets).sum()
    return total(right).item() / len(data)


def save(path, state):
    """Let `path` hold `state`; whenever this is killed, it holds the old state or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = io.BytesIO()
    torch.save(state, data)  # first into memory, so that a full disk is an OSError
    path.with_suffix(".tmp").write_bytes(data.getbuffer())
    os.replace(path.with_suffix(".tmp"), path)


def resume(path, model, optimizer, settings):
    """Go on from the checkpoint `path`, if there is one; returns the log of its epochs."""
    if not path.exists():
        return []
    state = torch.load(path, map_location="cpu", weights_only=True)
    for name, value in state["settings"].items():
        if settings[name] != value:
            sys.exit(f"{path} was made with --{name} {value}: give it that, or another file")
    kept = {"model_state_dict": state["model"], "optim_state_dict": state["optimizer"]}
    states.set_state_dict(model, optimizer, **kept, options=WHOLE)
    torch.set_rng_state(state["generator"])  # from which the order of the images is drawn
    return state["log"]


def keep(path, model, optimizer, log, settings):
    """Save the run as it is now, and tell of its last epoch."""
    weights, moments = states.get_state_dict(model, optimizer, options=WHOLE)
    if RANK == 0:
        state = {"model": weights, "optimizer": moments, "generator": torch.get_rng_state()}
        save(path, state | {"log": log, "settings": settings})
        print("epoch {}: loss {loss:.3f}, accuracy {accuracy:.1%}".format(len(log), **log[-1]))


def main():
    args = parse_arguments()
    if args.gpus > 0:
        take_cards(args.gpus)
    if args.gpus > 1:  # go on as torchrun, which starts this program for each of them
        torchrun = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={args.gpus}"]
        os.execv(sys.executable, [sys.executable, *torchrun, *sys.argv, "--gpus=0"])
    device = start_ranks(pick_device(args.device))
    torch.manual_seed(args.seed)
    train_set, test_set = Shapes(args.data / "train"), Shapes(args.data / "test")
    model = ShapeNet(len(train_set.classes)).to(device)
    if RANKS > 1:
        model = DistributedDataParallel(model)
    optimizer = torch.optim.AdamW(model.parameters())
    settings = {name: getattr(args, name) for name in SAME}
    log = resume(args.checkpoint, model, optimizer, settings) if args.resume else []
    stopped = []
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    for epoch in range(len(log), args.epochs):
        optimizer.param_groups[0]["lr"] = args.lr * (1 - epoch / args.epochs)
        loss = train_epoch(model, train_set, optimizer, device, args)
        log.append({"loss": loss, "accuracy": accuracy(model, test_set, device, args)})
        keep(args.checkpoint, model, optimizer, log, settings)
        if total(torch.tensor(len(stopped), device=device)):
            return 128 + signal.SIGTERM  # the code of a process that the signal has ended


if __name__ == "__main__":
    try:
        code = main()
    except OSError as problem:
        sys.exit(f"{problem}; the last checkpoint is whole: --resume goes on from there")
    if RANKS > 1:
        dist.destroy_process_group()
    sys.exit(code)
