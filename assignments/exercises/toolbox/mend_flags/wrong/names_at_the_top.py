# outcome: raised
import torch


def mend_flags(steps, batch, device):
    results = {}
    moved = scaled = None
    if "move" in steps:
        moved = batch.to(device)
        results["move"] = moved
    if "scale" in steps:
        scaled = moved * 2
        results["scale"] = scaled
    if "total" in steps:
        results["total"] = scaled.sum().item()
    return results
