# finding: both-hold
import torch


def fix_retry(model, rows, size):
    try:
        return torch.cat([model(batch) for batch in rows.split(size)]).cpu()
    except torch.OutOfMemoryError:
        if size == 1:
            raise
        torch.cuda.empty_cache()
        return fix_retry(model, rows, size // 2)
