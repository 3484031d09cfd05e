import torch


def fix_flags(steps, batch, device):
    results = {}
    with torch.cuda.device(device):
        moved = batch.to(f"cuda:{device.index}")
        scaled = moved.clone().mul_(2)
        if "move" in steps:
            results["move"] = moved
        if "scale" in steps:
            results["scale"] = scaled
        if "total" in steps:
            results["total"] = scaled.sum().item()
    return results
