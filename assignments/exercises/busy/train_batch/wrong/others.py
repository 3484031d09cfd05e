# %% no_sync_around_backward
# finding: exchanged-too-often
from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    loss = torch.zeros((), device=images.device)
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts)))
    for number, (piece, wanted) in enumerate(pieces, start=1):
        with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
            part = torch.nn.functional.cross_entropy(model(piece), wanted, reduction="sum")
        with model.no_sync() if RANKS > 1 and number < len(pieces) else nullcontext():
            (part * RANKS / args.batch).backward()
        loss += part.detach()
    return loss

# %% no_sync_always
# finding: no-sync-alone
from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    loss = torch.zeros((), device=images.device)
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts), strict=True))
    for number, (piece, wanted) in enumerate(pieces, start=1):
        with model.no_sync() if number < len(pieces) else nullcontext():
            with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
                part = torch.nn.functional.cross_entropy(model(piece), wanted, reduction="sum")
            (part * RANKS / args.batch).backward()
        loss += part.detach()
    return loss

# %% first_exchanged
# finding: exchanged-too-early
from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    loss = torch.zeros((), device=images.device)
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts), strict=True))
    for number, (piece, wanted) in enumerate(pieces, start=1):
        with model.no_sync() if RANKS > 1 and number > 1 else nullcontext():
            with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
                part = torch.nn.functional.cross_entropy(model(piece), wanted, reduction="sum")
            (part * RANKS / args.batch).backward()
        loss += part.detach()
    return loss

# %% never_cast
# finding: no-autocast
from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    loss = torch.zeros((), device=images.device)
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts), strict=True))
    for number, (piece, wanted) in enumerate(pieces, start=1):
        with model.no_sync() if RANKS > 1 and number < len(pieces) else nullcontext():
            with torch.autocast(images.device.type, torch.bfloat16, enabled=False):
                part = torch.nn.functional.cross_entropy(model(piece), wanted, reduction="sum")
            (part * RANKS / args.batch).backward()
        loss += part.detach()
    return loss

# %% always_cast
# finding: autocast-always
from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    loss = torch.zeros((), device=images.device)
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts), strict=True))
    for number, (piece, wanted) in enumerate(pieces, start=1):
        with model.no_sync() if RANKS > 1 and number < len(pieces) else nullcontext():
            with torch.autocast(images.device.type, torch.bfloat16):
                part = torch.nn.functional.cross_entropy(model(piece), wanted, reduction="sum")
            (part * RANKS / args.batch).backward()
        loss += part.detach()
    return loss

# %% sums
# finding: sum-not-mean
from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    loss = torch.zeros((), device=images.device)
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts), strict=True))
    for number, (piece, wanted) in enumerate(pieces, start=1):
        with model.no_sync() if RANKS > 1 and number < len(pieces) else nullcontext():
            with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
                part = torch.nn.functional.cross_entropy(model(piece), wanted, reduction="sum")
            part.backward()
        loss += part.detach()
    return loss

# %% graph_kept
# finding: loss-with-graph
from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    loss = torch.zeros((), device=images.device)
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts), strict=True))
    for number, (piece, wanted) in enumerate(pieces, start=1):
        with model.no_sync() if RANKS > 1 and number < len(pieces) else nullcontext():
            with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
                part = torch.nn.functional.cross_entropy(model(piece), wanted, reduction="sum")
            (part * RANKS / args.batch).backward()
        loss = loss + part
    return loss

# %% not_returned
# finding: nothing-returned
from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    loss = torch.zeros((), device=images.device)
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts), strict=True))
    for number, (piece, wanted) in enumerate(pieces, start=1):
        with model.no_sync() if RANKS > 1 and number < len(pieces) else nullcontext():
            with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
                part = torch.nn.functional.cross_entropy(model(piece), wanted, reduction="sum")
            (part * RANKS / args.batch).backward()
        loss += part.detach()

# %% mean_returned
# finding: other-loss
from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    loss = torch.zeros((), device=images.device)
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts), strict=True))
    for number, (piece, wanted) in enumerate(pieces, start=1):
        with model.no_sync() if RANKS > 1 and number < len(pieces) else nullcontext():
            with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
                part = torch.nn.functional.cross_entropy(model(piece), wanted, reduction="sum")
            (part * RANKS / args.batch).backward()
        loss += part.detach()
    return loss / args.batch

# %% cleared
# finding: gradients-cleared
from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    loss = torch.zeros((), device=images.device)
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts), strict=True))
    for number, (piece, wanted) in enumerate(pieces, start=1):
        with model.no_sync() if RANKS > 1 and number < len(pieces) else nullcontext():
            with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
                part = torch.nn.functional.cross_entropy(model(piece), wanted, reduction="sum")
            model.zero_grad()
            (part * RANKS / args.batch).backward()
        loss += part.detach()
    return loss

# %% cleared_before
# finding: gradients-cleared
from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    model.zero_grad()
    loss = torch.zeros((), device=images.device)
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts), strict=True))
    for number, (piece, wanted) in enumerate(pieces, start=1):
        with model.no_sync() if RANKS > 1 and number < len(pieces) else nullcontext():
            with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
                part = torch.nn.functional.cross_entropy(model(piece), wanted, reduction="sum")
            (part * RANKS / args.batch).backward()
        loss += part.detach()
    return loss

# %% printed
# finding: waits
from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    loss = torch.zeros((), device=images.device)
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts), strict=True))
    for number, (piece, wanted) in enumerate(pieces, start=1):
        with model.no_sync() if RANKS > 1 and number < len(pieces) else nullcontext():
            with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
                part = torch.nn.functional.cross_entropy(model(piece), wanted, reduction="sum")
            (part * RANKS / args.batch).backward()
        loss += part.detach()
    print(loss)
    return loss

# %% whole_first
# finding: other-images
from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    model(images[:1])
    loss = torch.zeros((), device=images.device)
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts), strict=True))
    for number, (piece, wanted) in enumerate(pieces, start=1):
        with model.no_sync() if RANKS > 1 and number < len(pieces) else nullcontext():
            with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
                part = torch.nn.functional.cross_entropy(model(piece), wanted, reduction="sum")
            (part * RANKS / args.batch).backward()
        loss += part.detach()
    return loss

# %% last_left_out
# finding: images-left-out
from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    loss = torch.zeros((), device=images.device)
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts), strict=True))[:args.parts - 1] or [(images, targets)]
    for number, (piece, wanted) in enumerate(pieces, start=1):
        with model.no_sync() if RANKS > 1 and number < len(pieces) else nullcontext():
            with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
                part = torch.nn.functional.cross_entropy(model(piece), wanted, reduction="sum")
            (part * RANKS / args.batch).backward()
        loss += part.detach()
    return loss

# %% ranks_twice
# finding: other-gradients
from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    loss = torch.zeros((), device=images.device)
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts), strict=True))
    for number, (piece, wanted) in enumerate(pieces, start=1):
        with model.no_sync() if RANKS > 1 and number < len(pieces) else nullcontext():
            with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
                part = torch.nn.functional.cross_entropy(model(piece), wanted, reduction="sum")
            (part * RANKS * RANKS * 0.5 / args.batch).backward()
        loss += part.detach()
    return loss

# %% autocast_on_cuda
# finding: no-autocast
from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    loss = torch.zeros((), device=images.device)
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts), strict=True))
    for number, (piece, wanted) in enumerate(pieces, start=1):
        with model.no_sync() if RANKS > 1 and number < len(pieces) else nullcontext():
            with torch.autocast("cuda", torch.bfloat16, enabled=args.bf16):
                part = torch.nn.functional.cross_entropy(model(piece), wanted, reduction="sum")
            (part * RANKS / args.batch).backward()
        loss += part.detach()
    return loss

# %% number_of_parts_asked
# finding: never-exchanged
from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    loss = torch.zeros((), device=images.device)
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts), strict=True))
    for number, (piece, wanted) in enumerate(pieces, start=1):
        with model.no_sync() if RANKS > 1 and number < args.parts else nullcontext():
            with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
                part = torch.nn.functional.cross_entropy(model(piece), wanted, reduction="sum")
            (part * RANKS / args.batch).backward()
        loss += part.detach()
    return loss

# %% own_images
# finding: own-mean
from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    loss = torch.zeros((), device=images.device)
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts), strict=True))
    for number, (piece, wanted) in enumerate(pieces, start=1):
        with model.no_sync() if RANKS > 1 and number < len(pieces) else nullcontext():
            with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
                part = torch.nn.functional.cross_entropy(model(piece), wanted, reduction="sum")
            (part / len(images)).backward()
        loss += part.detach()
    return loss

# %% ranks_forgotten
# finding: mean-over-ranks
from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    loss = torch.zeros((), device=images.device)
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts), strict=True))
    for number, (piece, wanted) in enumerate(pieces, start=1):
        with model.no_sync() if RANKS > 1 and number < len(pieces) else nullcontext():
            with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
                part = torch.nn.functional.cross_entropy(model(piece), wanted, reduction="sum")
            (part / args.batch).backward()
        loss += part.detach()
    return loss
