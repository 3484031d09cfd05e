import torch


def fix_retry(model, rows, size):
    while size > 1:
        try:
            return torch.cat([model(batch).detach().cpu() for batch in rows.split(size)])
        except torch.OutOfMemoryError:
            pass
        size //= 2
    return torch.cat([model(row).detach().cpu() for row in rows.split(1)])
