# finding: parameters-switched
import torch


def validate(model, batches):
    model.requires_grad_(False)
    losses = []
    for batch in batches:
        loss = model(batch).square().mean()
        losses.append(loss)
    return torch.stack(losses).mean().item()
