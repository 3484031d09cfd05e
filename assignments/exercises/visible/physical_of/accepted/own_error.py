import numpy as np


class NoSuchDevice(ValueError):
    pass


def physical_of(value, device, n_physical):
    cards = np.arange(n_physical)
    if value is not None:
        ends = [e.strip() for e in value.split(",")]
        good = 0
        while good < len(ends) and ends[good].isdigit() and int(ends[good]) < n_physical:
            good += 1
        cards = np.array(ends[:good], dtype=int)
        if len(np.unique(cards)) < good:
            cards = cards[:0]
    if not device.startswith("cuda"):
        raise NoSuchDevice(f"not a CUDA device: {device}")
    try:
        return cards[int(device[5:] or 0)]
    except IndexError as error:
        raise NoSuchDevice(device) from error
