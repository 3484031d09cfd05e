"""Observe `sharded`: in a group of one process its values, in a fake group of four its memory."""

from collections.abc import Callable, Mapping
from typing import Any

from torch import Tensor
from torch.distributed.fsdp import fully_shard
from torch.optim import AdamW, Optimizer

from exercise_kit import Facts, Observer

from ..gpt import GPT
from ..group import group_of_one, one_of
from ..observing import Memory, Sizes, loss_of, measuring, nearer

RANKS = 4
_FACTS = ("shards", "error", "trained", "rate", "weights", "peak")


def _whole(model: GPT) -> Optimizer:
    fully_shard(model)
    return AdamW(model.parameters(), lr=0.01)


def _by_block(model: GPT) -> Optimizer:
    for block in model.blocks:
        fully_shard(block)
    return _whole(model)


def _kept(model: GPT) -> Optimizer:
    for block in model.blocks:
        fully_shard(block, reshard_after_forward=False)
    return _whole(model)


def _alone(model: GPT) -> Optimizer:
    return AdamW(model.parameters(), lr=0.01)


class Sharded(Observer):
    """Facts: the type of the returned `optimizer`; the `shards`, "a quarter" or "all" parameters;
    an `error` of the first step; whether steps have `trained` the model, and its `weights` are
    those of one process; on one of four ranks, the learning `rate`, and the `peak`, as that of "a
    block", of "blocks that stay", or of "the model".
    """

    parameters = ("model",)
    gpus = 1
    seconds = 10.0

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        """The facts of two calls, in two groups."""
        sizes = Sizes(**inputs["sizes"])
        with measuring():
            return self._facts(answer, sizes)

    def _facts(self, answer: Callable[..., Any], sizes: Sizes) -> Facts:
        facts: dict[str, Any] = dict.fromkeys(_FACTS)
        with group_of_one():
            model, text = sizes.make()
            before = _values(model)
            optimizer = answer(model)
            facts["optimizer"] = type(optimizer).__name__
            if not isinstance(optimizer, Optimizer):
                return facts
            facts["error"] = _two_steps(model, text, optimizer)
            after = _values(model)
        facts["trained"] = _distance(after, before) > 0
        model, text = sizes.make()
        _two_steps(model, text, _alone(model))
        facts["weights"] = _distance(after, _values(model)) < 1e-4
        seen, share, facts["rate"] = _on_a_rank(answer, sizes)
        facts["shards"] = "a quarter" if share < 0.3 else "all"
        ways = {"a block": _by_block, "blocks that stay": _kept, "the model": _whole}
        peaks = {name: lambda way=way: _on_a_rank(way, sizes)[0] for name, way in ways.items()}
        return facts | {"peak": nearer(seen, peaks)}


def _two_steps(model: GPT, text: Tensor, optimizer: Optimizer) -> str | None:
    """Train for two steps. Returns the error that stopped them, as text."""
    try:
        for _ in range(2):
            loss_of(model, text).backward()
            optimizer.step()
            optimizer.zero_grad()
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return None


def _values(model: GPT) -> list[Tensor]:
    """Copies of all parameters, whole also if they are shards, on the CPU."""
    whole = (getattr(each, "full_tensor", lambda each=each: each)() for each in model.parameters())
    return [each.detach().cpu().clone() for each in whole]


def _distance(one: list[Tensor], other: list[Tensor]) -> float:
    """The largest difference between two parameters."""
    return max(float((a - b).abs().max()) for a, b in zip(one, other, strict=True))


def _on_a_rank(way: Callable[[GPT], Optimizer], sizes: Sizes) -> tuple[int, float, float]:
    """On one of `RANKS` ranks: the peak in bytes, its share of the parameters, the rate."""
    with one_of(RANKS):
        memory = Memory()
        model, text = sizes.make()
        whole = sum(each.nbytes for each in model.parameters())
        optimizer = way(model)
        _two_steps(model, text, optimizer)
        mine = (getattr(each, "_local_tensor", each) for each in model.parameters())
        share = sum(each.nbytes for each in mine) / whole
        return memory.peak, share, float(optimizer.param_groups[0]["lr"])


observer = Sharded()
