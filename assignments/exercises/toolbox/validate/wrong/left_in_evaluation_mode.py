# finding: mode-switched
import torch


def validate(model, batches):
    model.eval()
    losses = []
    with torch.no_grad():
        for batch in batches:
            losses.append(model(batch).square().mean())
    return torch.stack(losses).mean().item()
