# finding: copied-too-often
def mend_flags(steps, batch, device):
    moved = batch.to(device, copy=True)
    scaled = moved * 2
    results = {"move": moved, "scale": scaled, "total": scaled.sum().item()}
    return {step: results[step] for step in steps}
