# finding: keeps-growing
import torch


def validate(model, batches):
    losses = []
    for batch in batches:
        loss = model(batch).square().mean()
        losses.append(loss)
        del loss
        torch.cuda.empty_cache()
    return torch.stack(losses).mean().item()
