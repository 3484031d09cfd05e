# finding: starts-too-small
import torch


@torch.no_grad()
def fix_retry(model, rows, size):
    return torch.cat([model(row) for row in rows.split(1)]).cpu()
