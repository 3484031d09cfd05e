# finding: other-values
import torch


def mend_flags(steps, batch, device):
    moved = batch.to(device)
    scaled = moved * 2
    results = {}
    if "move" in steps:
        results["move"] = moved
    if "scale" in steps:
        results["scale"] = scaled
    if "total" in steps:
        results["total"] = round(scaled.sum().item())
    return results
