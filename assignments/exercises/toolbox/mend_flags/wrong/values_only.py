# finding: other-form
import torch


def mend_flags(steps, batch, device):
    moved = batch.to(device)
    scaled = moved * 2
    every = {"move": moved, "scale": scaled, "total": scaled.sum().item()}
    return [every[step] for step in steps]
