"""Observe `restart`: what it returns, and the weights that the next epoch makes of it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from torch import nn

from exercise_kit import Facts, Observer
from exercise_kit.facts import describe, raised_text
from exercise_kit.observers import settled
from exercise_kit.stand_ins import visible


class Restart(Observer):
    """Facts: `form`, if the result is no model, optimizer and number; a `wrapper` of the model;
    else `epochs`; `device`; `dtypes`; how many parameters are `frozen`; the `mode` of the model;
    `weights` and `states`, compared with the file; whether the optimizer `trains` the parameters of
    the model; the `places` of its averages; the `generator`; and, an epoch later, the error of a
    `step`, or the largest `difference` of a weight from a run without a stop.
    """

    def prepare(self, data: Mapping[str, Any]) -> Any:
        """The file's folder and the data."""
        folder = TemporaryDirectory()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(data["seed"])
            model = _build().to(data["saved"])
            optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
            for _ in range(data["epochs"]):
                _train_epoch(model, optimizer, data["saved"])
            state: dict = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
            state |= {"generator": torch.get_rng_state(), "epoch": data["epochs"]}
        torch.save(state, Path(folder.name, "run.pt"))
        return folder, data

    def observe(self, answer: Callable[..., Any], inputs: Any) -> Facts:
        """The facts of one call, and of an epoch with its result."""
        folder, data = inputs
        path, device = f"{folder.name}/run.pt", torch.device(data["device"])
        with folder, torch.random.fork_rng(devices=[]):
            torch.manual_seed(data["seed"] + 1)
            saved = torch.load(path, map_location="cpu", weights_only=True)
            with visible(data["gpus"], answer):
                result = settled(answer(_build, path, device))
            return _facts(result, saved, device)


def _facts(result: Any, saved: Mapping[str, Any], device: torch.device) -> Facts:
    if not (
        isinstance(result, list | tuple)
        and [type(each) for each in result[1:]] == [torch.optim.AdamW, int]
        and isinstance(result[0], nn.Module)
    ):
        return {"form": describe(result)}
    model, optimizer, epochs = result
    if isinstance(model, nn.DataParallel):
        return {"wrapper": f"a {type(model).__name__}"}
    generator, own = torch.get_rng_state(), [*model.parameters()]
    trained = [each for group in optimizer.param_groups for each in group["params"]]
    averages = [state["exp_avg"] for state in optimizer.state.values() if "exp_avg" in state]
    facts = {
        "epochs": epochs,
        "device": ", ".join(sorted({str(each.device) for each in own})),
        "dtypes": ", ".join(sorted({str(each.dtype) for each in own})),
        "frozen": sum(not each.requires_grad for each in own),
        "mode": "training mode" if model.training else "evaluation mode",
        "weights": _compared(model.state_dict(), saved["model"]),
        "trains": "those of the model" if [*map(id, own)] == [*map(id, trained)] else "others",
        "states": _compared(optimizer.state_dict()["state"], saved["optimizer"]["state"]),
        "places": sorted({str(each.device) for each in averages}),
        "generator": _generator(generator, saved["generator"]),
    }
    if facts["device"] != str(device) or facts["places"] != [str(device)]:
        return facts  # a step would fail
    torch.set_rng_state(generator)
    try:
        _train_epoch(model, optimizer, str(device))
    except Exception as error:  # of a model or an optimizer that the answer has changed
        return {**facts, "step": raised_text(error)}
    return {**facts, "difference": _difference(model, saved, device)}


def _difference(model: nn.Module, saved: Mapping[str, Any], device: torch.device) -> float:
    """The largest difference of a weight from that of a run that goes on from `saved`."""
    whole = _build().to(device)
    optimizer = torch.optim.AdamW(whole.parameters(), lr=0.01)
    whole.load_state_dict(saved["model"])
    optimizer.load_state_dict(saved["optimizer"])
    torch.set_rng_state(saved["generator"])
    _train_epoch(whole, optimizer, str(device))
    pairs = zip(model.parameters(), whole.parameters(), strict=True)
    return max((one - other).abs().max().item() for one, other in pairs)


def _build() -> nn.Module:
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))


def _train_epoch(model: nn.Module, optimizer: torch.optim.Optimizer, device: str) -> None:
    for batch in torch.randn(5, 16, 4):
        loss = (model(batch.to(device)) - 1).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def _compared(found: Any, saved: Any) -> str:
    """Whether all tensors of two nested dicts are equal, wherever they are."""
    ours, theirs = _tensors(found), _tensors(saved)
    pairs = [(ours.get(key), theirs.get(key)) for key in ours | theirs]
    same = all(
        one is not None and other is not None and one.dtype == other.dtype and one.equal(other)
        for one, other in pairs
    )
    return "as in the file" if same else "others"


def _tensors(value: Any, path: str = "") -> dict[str, torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return {path: value.detach().cpu()}
    items = value.items() if isinstance(value, Mapping) else ()
    return {k: v for key, item in items for k, v in _tensors(item, f"{path}.{key}").items()}


def _generator(state: torch.Tensor, saved: torch.Tensor) -> str:
    """How a state of the generator is related to the saved one."""
    if torch.equal(state, saved):
        return "as in the file"
    torch.set_rng_state(saved)
    _build()
    return "used by build since" if torch.equal(state, torch.get_rng_state()) else "another"
