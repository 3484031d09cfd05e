# finding: refused-needlessly
def physical_of(value, device, n_physical):
    cards = list(range(n_physical)) if value is None else [int(c) for c in value.split(",")]
    index = int(device.partition(":")[2] or 0)
    if index not in cards:
        raise ValueError(f"{device} is not visible")
    return cards[index]
