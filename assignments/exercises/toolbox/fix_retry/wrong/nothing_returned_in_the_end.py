# finding: error-swallowed
import torch


def fix_retry(model, rows, size):
    while True:
        try:
            with torch.no_grad():
                return torch.cat([model(batch) for batch in rows.split(size)]).cpu()
        except torch.OutOfMemoryError:
            if size == 1:
                return None
        size = size // 2
