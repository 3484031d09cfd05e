# finding: not-on-the-cpu
import torch


def fix_retry(model, rows, size):
    while True:
        try:
            with torch.no_grad():
                return torch.cat([model(batch) for batch in rows.split(size)])
        except torch.OutOfMemoryError:
            if size == 1:
                raise
        size = size // 2
