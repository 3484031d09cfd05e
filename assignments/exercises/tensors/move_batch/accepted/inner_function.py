import torch


def move_batch(batch, device):
    def move(value):
        if torch.is_tensor(value):
            return value if value.device == device else value.to(device)
        if isinstance(value, dict):
            return dict(zip(value, map(move, value.values())))
        if isinstance(value, list):
            return [move(item) for item in value]
        if isinstance(value, tuple):
            moved = [move(item) for item in value]
            return type(value)(*moved) if hasattr(value, "_fields") else tuple(moved)
        return value

    return move(batch)
