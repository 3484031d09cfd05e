# finding: tensor-brought-back
def fix_flags(steps, batch, device):
    moved = batch.to(device)
    scaled = moved * 2
    results = {"move": moved, "scale": scaled, "total": scaled.cpu().sum().item()}
    return {step: results[step] for step in steps}
