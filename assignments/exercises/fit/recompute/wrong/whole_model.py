# finding: all-at-once
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def recompute(model, text):
    with torch.autocast("cuda", torch.bfloat16):
        scores = checkpoint(model, text[:, :-1], use_reentrant=False)
        return nn.functional.cross_entropy(scores.flatten(0, 1).float(), text[:, 1:].flatten())
