# %% rounded_and_back
# finding: weights-rounded
from functools import partial

from torch import nn
from torch.utils.checkpoint import checkpoint


def recompute(model, text):
    model.bfloat16().float()
    scores = model(text[:, :-1], run=partial(checkpoint, use_reentrant=False))
    return nn.functional.cross_entropy(scores.flatten(0, 1).float(), text[:, 1:].flatten())

# %% half
# finding: not-bfloat16
from functools import partial

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def recompute(model, text):
    with torch.autocast("cuda"):
        scores = model(text[:, :-1], run=partial(checkpoint, use_reentrant=False))
        return nn.functional.cross_entropy(scores.flatten(0, 1).float(), text[:, 1:].flatten())

# %% last_block
# finding: nothing-recomputed
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def recompute(model, text):
    def run(block, x):
        if block is model.blocks[-1]:
            return checkpoint(block, x, use_reentrant=False)
        return block(x)

    with torch.autocast("cuda", torch.bfloat16):
        scores = model(text[:, :-1], run)
        return nn.functional.cross_entropy(scores.flatten(0, 1).float(), text[:, 1:].flatten())

# %% loss_inside
# finding: all-at-once
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def recompute(model, text):
    def loss():
        with torch.autocast("cuda", torch.bfloat16):
            scores = model(text[:, :-1])
            return nn.functional.cross_entropy(scores.flatten(0, 1).float(), text[:, 1:].flatten())

    return checkpoint(loss, use_reentrant=False)

# %% cut_off
# finding: other-gradients
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def recompute(model, text):
    def run(block, x):
        return checkpoint(block, x.detach().requires_grad_(), use_reentrant=False)

    with torch.autocast("cuda", torch.bfloat16):
        scores = model(text[:, :-1], run)
        return nn.functional.cross_entropy(scores.flatten(0, 1).float(), text[:, 1:].flatten())

# %% a_number
# finding: no-gradient
from functools import partial

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def recompute(model, text):
    with torch.autocast("cuda", torch.bfloat16):
        scores = model(text[:, :-1], run=partial(checkpoint, use_reentrant=False))
        return nn.functional.cross_entropy(scores.flatten(0, 1).float(), text[:, 1:].flatten()).item()

# %% a_copy
# finding: copy-trained
import copy
from functools import partial

from torch import nn
from torch.utils.checkpoint import checkpoint


def recompute(model, text):
    half = copy.deepcopy(model).bfloat16()
    scores = half(text[:, :-1], run=partial(checkpoint, use_reentrant=False))
    return nn.functional.cross_entropy(scores.flatten(0, 1).float(), text[:, 1:].flatten())

# %% in_float32
# finding: not-bfloat16
from functools import partial

from torch import nn
from torch.utils.checkpoint import checkpoint


def recompute(model, text):
    scores = model(text[:, :-1], run=partial(checkpoint, use_reentrant=False))
    return nn.functional.cross_entropy(scores.flatten(0, 1).float(), text[:, 1:].flatten())

# %% summed
# finding: other-loss
from functools import partial

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def recompute(model, text):
    with torch.autocast("cuda", torch.bfloat16):
        scores = model(text[:, :-1], run=partial(checkpoint, use_reentrant=False))
        return nn.functional.cross_entropy(
            scores.flatten(0, 1).float(), text[:, 1:].flatten(), reduction="sum"
        )
