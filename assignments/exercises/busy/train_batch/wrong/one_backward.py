# finding: parts-kept
from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    loss = torch.zeros((), device=images.device)
    with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
        for piece, wanted in zip(images.chunk(args.parts), targets.chunk(args.parts)):
            scores = model(piece)
            loss = loss + torch.nn.functional.cross_entropy(scores, wanted, reduction="sum")
    (loss * RANKS / args.batch).backward()
    return loss.detach()
