# finding: current-device-changed
import torch


def mend_flags(steps, batch, device):
    torch.cuda.set_device(device)
    moved = batch.to("cuda")
    scaled = moved * 2
    results = {}
    if "move" in steps:
        results["move"] = moved
    if "scale" in steps:
        results["scale"] = scaled
    if "total" in steps:
        results["total"] = scaled.sum().item()
    return results
