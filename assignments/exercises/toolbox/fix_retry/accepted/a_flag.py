import torch


def fix_retry(model, rows, size):
    failed = False
    try:
        with torch.no_grad():
            result = torch.cat([model(batch) for batch in rows.split(size)]).cpu()
    except torch.OutOfMemoryError:
        if size == 1:
            raise
        failed = True
    if failed:
        return fix_retry(model, rows, size // 2)
    return result
