# finding: more-than-losses
import torch


def validate(model, batches):
    losses, seen = [], []
    for batch in batches:
        loss = model(batch).square().mean()
        losses.append(loss.detach())
        seen.append(batch.clone())
    return torch.stack(losses).mean().item()
