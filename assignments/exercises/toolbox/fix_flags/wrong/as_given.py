# finding: block-not-run
import torch


def fix_flags(steps, batch, device):
    results = {}
    torch.cuda.set_device(device)
    if "move" in steps:
        moved = batch.to("cuda")
        results["move"] = moved
    if "scale" in steps:
        scaled = moved.mul_(2)
        results["scale"] = scaled
    if "total" in steps:
        results["total"] = scaled.sum().item()
    return results
