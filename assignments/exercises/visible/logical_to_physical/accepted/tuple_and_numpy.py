import numpy as np


def logical_to_physical(value, n_physical):
    if value is None:
        return tuple(np.arange(n_physical))
    found = np.array([], dtype=int)
    for entry in value.split(","):
        try:
            number = int(entry)
        except ValueError:
            break
        if number not in np.arange(n_physical):
            break
        found = np.append(found, number)
    return tuple(found) if len(np.unique(found)) == len(found) else ()
