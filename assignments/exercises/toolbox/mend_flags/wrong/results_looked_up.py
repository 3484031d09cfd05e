# finding: block-not-run
import torch


def mend_flags(steps, batch, device):
    results = {}
    if "move" in steps:
        results["move"] = batch.to(device)
    if "scale" in steps:
        results["scale"] = results["move"] * 2
    if "total" in steps:
        results["total"] = results["scale"].sum().item()
    return results
