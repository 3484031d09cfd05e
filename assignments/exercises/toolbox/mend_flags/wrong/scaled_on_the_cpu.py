# finding: copied-too-often
import torch


def mend_flags(steps, batch, device):
    results = {}
    if "move" in steps:
        results["move"] = batch.to(device)
    if "scale" in steps:
        results["scale"] = (batch * 2).to(device)
    if "total" in steps:
        results["total"] = (batch * 2).sum().item()
    return results
