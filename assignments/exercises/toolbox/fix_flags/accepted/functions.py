def move(batch, device):
    return batch.to(device)


def scale(batch, device):
    return 2 * move(batch, device)


def fix_flags(steps, batch, device):
    moved = move(batch, device)
    results = {}
    for step in steps:
        if step == "move":
            results[step] = moved
        elif step == "scale":
            results[step] = scale(moved, device)
        elif step == "total":
            results[step] = float(scale(moved, device).sum())
    return results
