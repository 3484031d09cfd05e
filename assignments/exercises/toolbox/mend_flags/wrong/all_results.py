# finding: other-keys
import torch


def mend_flags(steps, batch, device):
    moved = batch.to(device)
    scaled = moved * 2
    return {"move": moved, "scale": scaled, "total": scaled.sum().item()}
