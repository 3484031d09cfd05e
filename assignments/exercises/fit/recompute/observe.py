"""Observe `recompute`: the types, the loss, and the activations in memory."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from exercise_kit import Facts, Observer

from ..observing import Memory, Sizes, loss_of, measuring, nearer


def _stored(model: nn.Module, text: Tensor) -> Tensor:
    with torch.autocast("cuda", torch.bfloat16):
        return loss_of(model, text)


def _recomputed(model: nn.Module, text: Tensor) -> Tensor:
    with torch.autocast("cuda", torch.bfloat16):
        return loss_of(model, text, run=partial(checkpoint, use_reentrant=False))


class Recompute(Observer):
    """Facts: the dtype of the `weights`, and whether they changed; whether `backward()` `trains`;
    the dtypes `computed` by blocks; the `loss`; `gradients`: "right", "others" or "none".

    kept, peak: "those of all blocks", or fewer, whichever is nearer: activations after the forward
    pass, and at the peak of `backward()`.
    """

    parameters = ("model", "text")
    gpus = 1

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        """The facts of one call, and of two calls of the course's own functions."""
        sizes = Sizes(**inputs["sizes"])
        with measuring():
            _run(_stored, sizes)  # on a real GPU, the first call reserves the libraries' memory
            seen = _run(answer, sizes)
            few, many = _run(_recomputed, sizes), _run(_stored, sizes)
        facts = {name: seen[name] for name in ("weights", "trains", "computed", "loss")}
        off = abs(seen["gradients"] - few["gradients"])
        near = "right" if off <= 0.05 * few["gradients"] else "others"
        facts["gradients"] = near if seen["gradients"] else "none"
        for name in ("kept", "peak"):
            ways = {"few": lambda name=name: few[name], "all blocks": lambda name=name: many[name]}
            facts[name] = nearer(seen[name], ways)
        return facts


def _run(answer: Callable[..., Any], sizes: Sizes) -> dict[str, Any]:
    """The facts of a call and its `backward()`, with numbers of bytes."""
    model, text = sizes.make()
    before = [each.detach().clone() for each in model.parameters()]
    computed = set()
    for block in model.blocks:
        block.get_submodule("up").register_forward_hook(
            lambda layer, args, out: computed.add(str(out.dtype))
        )
    memory = Memory()
    loss = answer(model, text)
    kept = memory.now
    trains = isinstance(loss, Tensor) and loss.requires_grad and loss.numel() == 1
    if trains:
        loss.backward()
    dtypes = sorted({str(each.dtype) for each in model.parameters()})
    same = all(map(torch.equal, before, model.parameters()))
    grads = [each.grad for each in model.parameters() if each.grad is not None]
    return {
        "weights": [*dtypes, "unchanged" if same else "changed"],
        "trains": trains,
        "computed": sorted(computed),
        "loss": loss.item() if trains else None,
        "gradients": sum(float(grad.float().abs().sum()) for grad in grads),
        "kept": kept,
        "peak": memory.peak,
    }


observer = Recompute()
