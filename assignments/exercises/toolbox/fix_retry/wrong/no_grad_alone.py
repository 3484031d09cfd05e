# finding: exception-holds
import torch


@torch.no_grad()
def fix_retry(model, rows, size):
    try:
        return torch.cat([model(batch) for batch in rows.split(size)]).cpu()
    except torch.OutOfMemoryError:
        if size == 1:
            raise
        return fix_retry(model, rows, size // 2)
