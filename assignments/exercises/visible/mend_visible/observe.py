"""Observe `mend_visible`: the scores, where they are, and what was copied to each GPU."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor, nn

from course_utils.checking.contract import Facts, Observer
from course_utils.checking.facts import describe
from course_utils.experiments.copies import count_copies

from ..observing import environment


class MendVisible(Observer):
    """Facts: `result`; `arrived`, the bytes that were copied to each device; `changed`, the names
    of the inputs that are not as before; `moved`, whether the model has other memory.
    """

    parameters = ("visible", "model", "batches")

    def prepare(self, data: Mapping[str, Any]) -> tuple[str, nn.Module, list[Tensor]]:
        model = nn.Linear(len(data["weight"][0]), len(data["weight"]))
        model.load_state_dict({name: torch.tensor(data[name]) for name in ("weight", "bias")})
        return data["visible"], model, [torch.tensor(batch) for batch in data["batches"]]

    def observe(
        self, answer: Callable[..., Any], inputs: tuple[str, nn.Module, list[Tensor]]
    ) -> Facts:
        visible, model, batches = inputs
        before = _described(model), describe(batches)
        own = [tensor.detach() for tensor in model.parameters()]  # keeps their memory in use
        with environment({}), count_copies() as copies:
            result = answer(visible, model, batches)
        after = _described(model), describe(batches)
        arrived = Counter[str]()
        for (_, target), size in copies.bytes_by_route.items():
            arrived[target] += size
        pairs = zip(("model", "batches"), before, after, strict=True)
        return {
            "result": describe(result),
            "arrived": dict(arrived),
            "changed": [name for name, old, new in pairs if old != new],
            "moved": [t.data_ptr() for t in own] != [t.data_ptr() for t in model.parameters()],
        }


def _described(model: nn.Module) -> dict[str, Any]:
    """The numbers of the model and what else an answer could leave changed."""
    flags = [tensor.requires_grad for tensor in model.parameters()]
    return describe([dict(model.state_dict()), model.training, flags])


observer = MendVisible()
