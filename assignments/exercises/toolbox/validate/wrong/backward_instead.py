# finding: gradients-made
import torch


def validate(model, batches):
    losses = []
    for batch in batches:
        loss = model(batch).square().mean()
        loss.backward()
        losses.append(loss)
    return torch.stack(losses).mean().item()
