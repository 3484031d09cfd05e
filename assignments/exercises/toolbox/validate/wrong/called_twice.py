# finding: called-too-often
import torch


def validate(model, batches):
    losses = []
    for batch in batches:
        with torch.no_grad():
            print(model(batch).square().mean())
            losses.append(model(batch).square().mean())
    return torch.stack(losses).mean().item()
