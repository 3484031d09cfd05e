# happened = "A cell reads a file that lies beside the notebook, and an answer imports one."
# flagged = true
# %% before add_on
from pathlib import Path

from helpers import total

FACTOR = int(Path("data/factor.txt").read_text())

# %% add_on
def add_on(a, b, where):
    device = {"a": a.device, "b": b.device, "cpu": "cpu"}[where]

    def bring(x):
        return x.to(device) if x.dim() or x.is_cuda else x

    return total(bring(a), bring(b), FACTOR)

# %% tamper
(folder / "data").mkdir()
(folder / "data" / "factor.txt").write_text("1\n")
(folder / "helpers.py").write_text("import torch\n\n\ndef total(a, b, factor):\n    return torch.add(a, b, alpha=factor)\n")
