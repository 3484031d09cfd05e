"""Observe `ShapeNet` in shapes.py: one run, its checkpoint, and what was copied."""

import torch

from course_utils.program.observer import HoleObserver


class WholeNetwork(HoleObserver):
    """Facts of the one run: `error`, `ends`, `devices`. Of its checkpoint: `trained`, how many
    tensors the optimizer was given; `keys` of the model; `fixed`, the numbers of `mean` and `std`;
    `weights`. And where it has a GPU: `copies` to it and `waits` for it, in the whole run."""

    processor = 4

    def __init__(self):
        super().__init__("modules.shape_net")
        three = {file.replace("shapes", "three", 1): data for file, data in self._pictures.items()}
        third = {file.replace("light", "other"): data for file, data in three.items()}
        self._pictures |= three | third

    def look(self, folder, runs, data):
        (run,) = runs
        (counted,) = run.counts or [{}]
        facts = {"error": run.error, "ends": run.end}
        if (file := folder / "run.pt").exists():
            state = torch.load(file, map_location="cpu", weights_only=True)
            facts |= {"devices": counted.get("used"), **self._content(state, data["plain"])}
        if "copies" in counted:
            facts |= {"copies": sum(counted["copies"].values()), "waits": counted["waits"]}
        return facts

    def _content(self, state, words):
        model, plain = state["model"], self._plainly_trained(tuple(words))["model"]
        alike = all(name in model and torch.equal(model[name], plain[name]) for name in plain)
        return {
            "trained": sum(len(group["params"]) for group in state["optimizer"]["param_groups"]),
            "keys": sorted(model, key=lambda name: (len(name), name)),  # the short ones are shown
            "fixed": [model[name].flatten().tolist() for name in ("mean", "std") if name in model],
            "weights": "as they should be" if alike else "others",
        }


observer = WholeNetwork()
