# finding: graph-holds
import torch


def fix_retry(model, rows, size):
    while True:
        try:
            return torch.cat([model(batch) for batch in rows.split(size)]).cpu()
        except torch.OutOfMemoryError:
            if size == 1:
                raise
        size = size // 2
