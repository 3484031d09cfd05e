import torch


def fix_flags(steps, batch, device):
    before = torch.cuda.current_device()
    torch.cuda.set_device(device)
    try:
        moved = batch.to("cuda")
        scaled = moved.mul(2)
        every = {"move": moved, "scale": scaled, "total": scaled.sum().item()}
        for name in ("move", "scale", "total"):
            if name not in steps:
                del every[name]
        return every
    finally:
        torch.cuda.set_device(before)
