"""What the observers of this topic share: a small model, forged tags, and loading from a file."""

import itertools
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import torch

from course_utils.experiments.copies import count_copies
from exercise_kit import Facts, Observer
from exercise_kit.fitting import indices_in
from exercise_kit.observers import settled
from exercise_kit.stand_ins import visible


def model_of(names: Sequence[str]) -> torch.nn.Sequential:
    """A model of two inputs: the names are those of a layer, a normalisation and a head."""
    parts = (torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2), torch.nn.Linear(2, 1))
    return torch.nn.Sequential(OrderedDict(zip(names, parts, strict=True)))


def fill(tensors: Iterable[torch.Tensor], values: Iterable[float]) -> None:
    """Write `values` into the tensors, one after another."""
    rest = iter(values)
    with torch.no_grad():
        for tensor in tensors:
            part = torch.tensor(list(itertools.islice(rest, tensor.numel())))
            tensor.copy_(part.reshape(tensor.shape))


def save_tagged(content: object, path: str | Path, tags: Iterable[str]) -> None:
    """Save `content` so that its storages claim to come from `tags`, in turn."""
    turn = itertools.cycle(tags)
    with mock.patch("torch.serialization.location_tag", lambda storage: next(turn)):
        torch.save(content, path)


class Loading(Observer):
    """Observes an answer that loads a file into a model.

    The data of a case says which `tags` the file has, how many `gpus` torch finds, on which
    `device` the model should be in the end, and perhaps where it is at the `start`.

    Facts: those of `facts`; `kept` (the bytes of the file); `replaced` (parameters that are other
    objects now); `copies` (how many), and `detour` (the GPUs in them that nobody asked for).
    """

    def indices(self, data: Mapping[str, Any]) -> range:
        """The GPUs of the model: those of the file and of the counted machine need not exist."""
        return range(max(indices_in([data["device"], data.get("start", "cpu")]), default=-1) + 1)

    def content(self, data: Mapping[str, Any]) -> Any:
        """What is in the file."""

    def model(self, data: Mapping[str, Any]) -> torch.nn.Module:
        """The model as it comes in."""
        raise NotImplementedError

    def facts(self, result: Any, model: torch.nn.Module) -> Facts:
        """What is seen of the result, and of the model afterwards."""
        raise NotImplementedError

    def prepare(self, data: Mapping[str, Any]) -> Any:
        """The folder of the file, values for an answer's parameters by name, and the data."""
        folder = tempfile.TemporaryDirectory()
        path = f"{folder.name}/checkpoint.pt"
        save_tagged(self.content(data), path, data["tags"])
        batches = [torch.tensor(batch) for batch in data.get("batches", ())]
        given = {"path": path, "model": self.model(data), "batches": batches}
        return folder, {**given, "device": torch.device(data["device"])}, data

    def observe(self, answer: Callable[..., Any], inputs: Any) -> Facts:
        """The facts of one call; afterwards the file is gone."""
        folder, given, data = inputs
        path, model = Path(given["path"]), given["model"]
        before, parameters = path.read_bytes(), [*model.parameters()]
        with folder, count_copies() as copies, visible(data["gpus"], answer):
            result = settled(answer(*(given[name] for name in self.parameters)))
            kept = path.exists() and path.read_bytes() == before
        pairs = zip(parameters, model.parameters(), strict=False)
        ends = {end for route in copies.by_route for end in route}
        return {
            "kept": kept,
            "replaced": sum(old is not new for old, new in pairs),
            "copies": copies.total,
            "detour": sorted(ends - {"cpu", data["device"], data.get("start")}),
            **self.facts(result, model),
        }
