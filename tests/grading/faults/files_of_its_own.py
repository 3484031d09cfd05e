# happened = "A cell reads a file that lies beside the notebook, and an answer imports one."
# flagged = true
# %% before fix_mismatch
from pathlib import Path

from helpers import mean_of

FACTOR = int(Path("data/factor.txt").read_text())

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    device = weight.device
    mean, errors = mean.to(device), []
    for batch, target in zip(batches, targets):
        error = (batch.to(device) - mean) @ weight - target.to(device)
        errors.append((error * error).mean())
    return mean_of(errors, FACTOR)

# %% tamper
(folder / "data").mkdir()
(folder / "data" / "factor.txt").write_text("1\n")
(folder / "helpers.py").write_text(
    "import torch\n\n\ndef mean_of(errors, factor):\n    return torch.stack(errors).mean() * factor\n")
