from random import seed as seed_python

from numpy.random import seed as seed_numpy
from torch import device, manual_seed
from torch.cuda import device_count


def set_up(seed, samples):
    seed_python(seed)
    seed_numpy(seed)
    manual_seed(seed)
    if device_count() == 0:
        return [device("cpu")]
    each = -(-samples // device_count())
    return [device("cuda", index) for index in range(-(-samples // each))]
