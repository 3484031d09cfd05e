# finding: copied-too-often
import torch


def fix_flags(steps, batch, device):
    results = {}
    if "move" in steps:
        results["move"] = batch.to(device)
    if "scale" in steps:
        results["scale"] = batch.to(device) * 2
    if "total" in steps:
        results["total"] = (batch.to(device) * 2).sum().item()
    return results
