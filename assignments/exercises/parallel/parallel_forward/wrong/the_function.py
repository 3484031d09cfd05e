# finding: wrapper-used
from torch.nn.parallel import data_parallel


def parallel_forward(module, x, devices):
    return data_parallel(module, x, devices)
