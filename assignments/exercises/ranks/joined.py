"""Notes in train.py, made in its own process: how each rank begins, and its batches."""

import json
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist


def join(program: dict[str, Any]) -> None:
    """Let `program`, the globals of train.py, write told-RANK.json after each epoch: `_told`.

    A rank with another number of batches than expected, or with an empty one, ends before it
    trains: the others would wait for it.
    """
    own, rank = dict(program), os.environ.get("RANK", "0")
    cards = torch.cuda._raw_device_uuid_nvml() if torch.cuda.device_count() else []
    drawn: list[list[list[int]]] = []

    def tell(**told: Any) -> None:
        _tell(rank, drawn=drawn, **told)

    def batches_of(count: int, size: int) -> Any:
        batches, positions = _drawn(own["batches_of"], count, size)
        drawn.append(positions)
        if len(positions) != count // size or not all(positions):
            tell()
            os._exit(3)
        return batches

    def train_epoch(model: torch.nn.Module, *args: Any) -> float:
        loss: float = own["train_epoch"](model, *args)
        tell(**_told(model, cards))
        return loss

    def main() -> Any:
        with _errors(rank):
            return own["main"]()

    program.update(batches_of=batches_of, train_epoch=train_epoch, main=main)


def call(ranks: int, count: int, size: int) -> None:
    """Call `batches_of` of shapes.py as each of `ranks` processes would, and write the files."""
    from torch.testing._internal.distributed.fake_pg import FakeStore

    shapes = sys.modules["shapes"]
    for rank in range(ranks):
        names = {"RANK": rank, "RANKS": ranks}
        vars(shapes).update(names)
        vars(sys.modules["__main__"]).update(names)
        os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(ranks))
        dist.init_process_group("fake", rank=rank, world_size=ranks, store=FakeStore())
        torch.manual_seed(count)
        with _errors(str(rank)):
            _, positions = _drawn(shapes.batches_of, count, size)
        dist.destroy_process_group()
        _tell(str(rank), drawn=[positions])


@contextmanager
def _errors(rank: str) -> Iterator[None]:
    """Tell of an exception, with its function. What ranks print may mix."""
    try:
        yield
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        own = [each.name for each in frames if each.filename.endswith(("/train.py", "/shapes.py"))]
        text = " ".join(str(error).split())
        text = text if len(text) < 200 else f"{text[:80]} … {text[-110:]}"
        _tell(rank, error=f"{type(error).__name__}: {text} (in {own[-1]})")
        raise


def _tell(rank: str, **told: Any) -> None:
    new = Path(f"new-{rank}.json")
    new.write_text(json.dumps(told), "utf-8")
    new.replace(f"told-{rank}.json")  # whole or not at all, if the rank is ended here


def _drawn(
    batches_of: Callable[[int, int], Iterable[Any]], count: int, size: int
) -> tuple[Any, list[list[int]]]:
    """The batches, and for each image its place in the order that one process draws."""
    state = torch.get_rng_state()
    order = torch.randperm(count).tolist()
    torch.set_rng_state(state)
    batches = batches_of(count, size)
    return batches, [[order.index(int(image)) for image in batch] for batch in batches]


def _told(model: torch.nn.Module, cards: list[str] | None) -> dict[str, Any]:
    """The cards with tensors and the current one, by number; the backend; a sum of the weights."""
    device = next(model.parameters()).device
    weights = torch.cat([each.detach().flatten() for each in model.parameters()]).double()
    told: dict[str, Any] = {"weights": [weights.sum().item(), weights.norm().item()]}
    if dist.is_initialized():
        group = dist.distributed_c10d._get_default_group()
        told["backend"] = group._get_backend(device).name()
    if cards and torch.cuda.is_initialized():

        def card(index: int) -> int:
            return cards.index(f"GPU-{torch.cuda.get_device_properties(index).uuid}")

        indices = range(torch.cuda.device_count())
        told["held"] = [card(each) for each in indices if torch.cuda.max_memory_allocated(each)]
        told["current"] = card(torch.cuda.current_device())
    return told
