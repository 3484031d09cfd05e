# finding: scaled-in-place
import torch


def fix_flags(steps, batch, device):
    moved = batch.to(device)
    scaled = moved.mul_(2)
    results = {}
    if "move" in steps:
        results["move"] = moved
    if "scale" in steps:
        results["scale"] = scaled
    if "total" in steps:
        results["total"] = scaled.sum().item()
    return results
