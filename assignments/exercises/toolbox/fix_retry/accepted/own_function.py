import torch


@torch.inference_mode()
def outputs(model, rows, size):
    parts = []
    for start in range(0, len(rows), size):
        parts.append(model(rows[start : start + size]).cpu())
    return torch.cat(parts)


def fix_retry(model, rows, size):
    while True:
        try:
            return outputs(model, rows, size)
        except torch.cuda.OutOfMemoryError:
            if size == 1:
                raise
        size = size // 2
