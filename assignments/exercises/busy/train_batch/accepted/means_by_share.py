from contextlib import nullcontext

import torch


def train_batch(model, images, targets, args):
    total = 0
    *most, last = zip(images.tensor_split(min(args.parts, len(images))),
                      targets.tensor_split(min(args.parts, len(images))))

    def one(some, wanted):
        with torch.autocast(images.device.type, torch.bfloat16, enabled=args.bf16):
            mean = torch.nn.functional.cross_entropy(model(some), wanted)
        (mean * len(some) / args.batch * RANKS).backward()
        return mean.detach() * len(some)

    with model.no_sync() if RANKS > 1 else nullcontext():
        for some, wanted in most:
            total = total + one(some, wanted)
    return total + one(*last)
