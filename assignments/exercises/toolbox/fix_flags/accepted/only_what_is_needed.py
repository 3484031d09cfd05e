def fix_flags(steps, batch, device):
    results = {}
    if not steps:
        return results
    moved = batch if batch.device == device else batch.to(device)
    if "move" in steps:
        results["move"] = moved
    if "scale" in steps or "total" in steps:
        scaled = moved + moved
        if "scale" in steps:
            results["scale"] = scaled
        if "total" in steps:
            results["total"] = scaled.sum().tolist()
    return results
