# finding: batch-changed
def mend_flags(steps, batch, device):
    results = {}
    moved = batch.to(device)
    if "move" in steps:
        results["move"] = moved.clone()
    scaled = moved.mul_(2)
    if "scale" in steps:
        results["scale"] = scaled
    if "total" in steps:
        results["total"] = scaled.sum().item()
    return results
