"""Train a network on images of shapes: on a CPU, on one GPU or several, and on after a stop."""

import argparse
import io
import os
import signal
import subprocess
import sys
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from tempfile import TemporaryFile

import torch
import torch.distributed as dist
from shapes import RANK, RANKS, ShapeNet, Shapes, batches_of, load

TORCHRUN = "-m torch.distributed.run --standalone --shutdown-timeout=3600 --nproc-per-node"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default="shapes", help="made by `course shapes`")
    parser.add_argument("--checkpoint", type=Path, default="run/checkpoint.pt")
    parser.add_argument("--device", default="cpu", help="cpu, cuda, cuda:1, auto …")
    parser.add_argument("--gpus", type=int, default=0, help="this many of the freest, all at work")
    parser.add_argument("--epochs", type=int, default=6, help="SIGTERM waits for the end of one")
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
    if min(args.epochs, args.parts, args.workers + 1) < 1:
        parser.error("--epochs and --parts are 1 or more, --workers 0 or more")
    return args


def take_cards(wanted):
    """Before CUDA starts, let it see only `wanted` GPUs: idle ones first, then by free memory."""
    for name in {"CUDA_VISIBLE_DEVICES", "WORLD_SIZE"} & os.environ.keys():
        sys.exit(f"--gpus chooses GPUs and starts torchrun itself, but {name} is set already")
    query = "nvidia-smi --query-gpu=utilization.gpu,memory.free,uuid --format=csv,noheader,nounits"
    try:
        told = subprocess.check_output(query.split(), text=True, timeout=10)
    except (OSError, subprocess.SubprocessError) as problem:
        sys.exit(f"nvidia-smi does not tell which GPUs are free ({problem}): leave out --gpus")
    rows = [line.split(", ") for line in told.splitlines()]
    cards = [row for row in rows if len(row) == 3 and row[0].isdigit() and row[1].isdigit()]
    if not 0 < wanted <= len(cards):  # a card without numbers is unknown, and not free
        sys.exit(f"--gpus {wanted}: nvidia-smi tells of {len(cards)}")
    cards.sort(key=lambda card: (int(card[0]) >= 10, -int(card[1])))  # equal ones keep their order
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(uuid for *_, uuid in cards[:wanted])


def pick_device(wanted):
    """The device that is called `wanted`; for "auto", the accelerator, or else the CPU."""
    if wanted == "auto":
        return torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")
    try:
        device = torch.device(wanted)
        count = torch.get_device_module(device).device_count()
    except RuntimeError:
        sys.exit(f"--device {wanted}: no device is called that; try cpu, cuda:0 or auto")
    if not 0 <= (device.index or 0) < count:
        sys.exit(f"--device {wanted}: PyTorch sees {count} devices of this kind")
    return device


def start_ranks(device):
    """Join the processes that torchrun has started, if it has; returns this one's device."""
    if device.type == "cuda":
        if RANKS > 1:
            device = pick_device(f"{device}:{os.environ['LOCAL_RANK']}")  # refuses a given index
        torch.cuda.set_device(device.index or 0)  # else cuda:0 would be started, too
    if RANKS > 1:
        dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    return device


def total(tensor):
    """The sum of `tensor` over all ranks, on each of them."""
    if RANKS > 1:
        dist.all_reduce(tensor)
    return tensor


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
    for number, (piece, wanted) in enumerate(pieces, start=1):  # one exchange of gradients a step
        with model.no_sync() if RANKS > 1 and number < len(pieces) else nullcontext():
            with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
                part = torch.nn.functional.cross_entropy(model(piece), wanted, reduction="sum")
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
    batches = torch.utils.data.BatchSampler(range(RANK, len(data), RANKS), 256, drop_last=False)
    for images, targets in batches_ahead(load(data, batches, device, args.workers), device):
        right += (model(images).argmax(dim=1) == targets).sum()
    return total(right).item() / len(data)


def save(path, state):
    """Let `path` hold `state`; whenever this is killed, it holds the old state or the new one."""
    data, spare = io.BytesIO(), path.with_name(f"{path.name}.{os.getpid()}.tmp")
    torch.save(state, data)  # first into memory, so that a full disk is an OSError
    spare.write_bytes(data.getbuffer())
    with spare.open("rb+") as file:
        os.fsync(file)  # or a power cut could leave the new name without its bytes
    os.replace(spare, path)


def resume(path, model, optimizer, settings):
    """Go on from the checkpoint `path`, if there is one; returns the log of its epochs."""
    if not path.exists():
        return []
    state = torch.load(path, map_location="cpu", weights_only=True)
    if others := {name: was for name, was in state["settings"].items() if was != settings[name]}:
        sys.exit(f"{path} was made with other settings: {others}")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["generator"])  # from which the order of the images is drawn
    return state["log"]


def keep(path, model, optimizer, log, settings):
    """Save the run as it is now, and tell of its last epoch; returns why that is not possible."""
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
    try:
        save(path, state | {"generator": torch.get_rng_state(), "log": log, "settings": settings})
    except OSError as problem:
        return f"{path} could not be saved: {problem}"
    told = "epoch {}: loss {loss:.3f}, accuracy {accuracy:.1%}".format(len(log), **log[-1])
    print(told, flush=True)


def main():
    args = parse_arguments()
    if args.gpus:  # again, by torchrun, which after SIGTERM gives an epoch an hour to end
        take_cards(args.gpus)
        again = [*TORCHRUN.split(), str(args.gpus), *sys.argv, "--gpus=0", "--device=cuda"]
        os.execv(sys.executable, [sys.executable, *again])
    device = start_ranks(pick_device(args.device))
    torch.manual_seed(args.seed)
    train_set = Shapes(args.data / "train")
    test_set = Shapes(args.data / "test", train_set.classes)
    net = ShapeNet(len(train_set.classes)).to(device)
    model = torch.nn.parallel.DistributedDataParallel(net) if RANKS > 1 else net
    optimizer = torch.optim.AdamW(net.parameters())
    settings = {name: getattr(args, name) for name in ("epochs", "batch", "lr", "seed", "bf16")}
    settings |= {"classes": train_set.classes, "images": len(train_set)}
    args.checkpoint.parent.mkdir(parents=True, exist_ok=True)
    TemporaryFile(dir=args.checkpoint.parent).close()  # fails now where no file can be made
    log = resume(args.checkpoint, net, optimizer, settings)
    stopped = []
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    for epoch in range(len(log), args.epochs):
        optimizer.param_groups[0]["lr"] = args.lr * (1 - epoch / args.epochs)
        loss = train_epoch(model, train_set, optimizer, device, args)
        log.append({"loss": loss, "accuracy": accuracy(net, test_set, device, args)})
        problem = keep(args.checkpoint, net, optimizer, log, settings) if RANK == 0 else None
        failed, ended = total(torch.tensor([bool(problem), len(stopped)], device=device)).tolist()
        if failed:  # or the others would wait for rank 0
            return problem or f"{args.checkpoint} could not be saved by rank 0"
        if ended and len(log) < args.epochs:
            return 128 + signal.SIGTERM  # as if the signal had ended it; torchrun itself gives 1


if __name__ == "__main__":
    try:
        code = main()
    except OSError as problem:
        sys.exit(str(problem))
    finally:  # DataLoader would end workers by SIGTERM, which is blocked in them
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # or it would say that they were killed
        for worker in torch.multiprocessing.active_children():
            worker.kill()
    if RANKS > 1:
        dist.destroy_process_group()
    sys.exit(code)
