# finding: tensor-brought-back
def mend_flags(steps, batch, device):
    moved = batch.to(device)
    scaled = moved * 2
    results = {"move": moved, "scale": scaled}
    if "total" in steps:
        results["total"] = sum(scaled.tolist())
    return {step: results[step] for step in steps}
