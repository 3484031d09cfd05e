"""Observe `average_gradients`: called on two ranks, which are real processes without a GPU."""

from collections.abc import Mapping
from typing import Any

from exercise_kit import Facts

from ...parallel.launching import by_rank
from ..launching import OnWatchedRanks

_PROGRAM = """
def facts():
    dist.init_process_group("gloo")
    rank, found = dist.get_rank(), []
    for frozen, shares in {rows}:
        model = nn.Sequential()
        for name, (weight, bias) in (("first", {first}), ("second", {second})):
            layer = nn.Linear(len(weight[0]), len(bias))
            layer.load_state_dict({{"weight": torch.tensor(weight), "bias": torch.tensor(bias)}})
            model.add_module(name, layer)
        model.second.requires_grad_(not frozen)
        batch, targets = shares[rank]
        if batch:
            nn.functional.mse_loss(model(torch.tensor(batch)), torch.tensor(targets)).backward()
        named = dict(model.named_parameters())  # afterwards the model may name others
        before = [p.tolist() for p in named.values()]
        trained = {{name for name, p in named.items() if p.requires_grad}}
        average_gradients(model, len(batch))
        dist.barrier()
        grads = {{name: p.grad for name, p in named.items()}}
        found.append([
            before != [p.tolist() for p in named.values()],
            [name for name in grads if grads[name] is not None and name not in trained],
            [name for name in grads if grads[name] is None and name in trained],
            {{name: g.tolist() for name, g in grads.items() if g is not None}},
        ])
    dist.destroy_process_group()
    return found
"""
_FACTS = ("changed", "frozen", "without", "gradients")


class AverageGradients(OnWatchedRanks):
    """Facts: the first `error` of a rank; and by rank, with an entry for each exchange, whether
    weights changed, names of frozen parameters with a gradient and of trained ones without, and the
    gradients by name."""

    name = "average_gradients"
    parameters = ("model", "samples")

    def observe(self, answer: Any, inputs: Mapping[str, Any]) -> Facts:
        """The facts of two processes that define and call the answer."""
        found, error = self.ranks(answer, _PROGRAM.format(**inputs))
        if error:
            return {"error": error}
        each = {
            name: by_rank([[row[place] for row in rows] for rows in found])
            for place, name in enumerate(_FACTS)
        }
        return {"error": None, **each}


observer = AverageGradients()
