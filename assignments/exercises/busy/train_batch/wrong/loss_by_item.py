# finding: loss-is-no-tensor
from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    loss = 0.0
    pieces = list(zip(images.chunk(args.parts), targets.chunk(args.parts), strict=True))
    for number, (piece, wanted) in enumerate(pieces, start=1):
        with model.no_sync() if RANKS > 1 and number < len(pieces) else nullcontext():
            with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
                part = torch.nn.functional.cross_entropy(model(piece), wanted, reduction="sum")
            (part * RANKS / args.batch).backward()
        loss += part.item()
    return loss
