import contextlib

import torch
import torch.nn.functional as F


def train_batch(model, images, targets, args):
    pieces = list(zip(torch.chunk(images, args.parts), torch.chunk(targets, args.parts)))
    losses = []
    for place, (some, wanted) in enumerate(pieces):
        with contextlib.ExitStack() as stack:
            if RANKS > 1 and place + 1 < len(pieces):
                stack.enter_context(model.no_sync())
            if args.bf16:
                stack.enter_context(torch.autocast(images.device.type, dtype=torch.bfloat16))
            loss = F.cross_entropy(model(some), wanted, reduction="sum")
            losses.append(loss.detach())
            loss.backward(torch.full_like(loss, RANKS / args.batch))
    return torch.stack(losses).sum()
