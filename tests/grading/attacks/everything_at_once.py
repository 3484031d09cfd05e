# name = "All results at once"
# goal = "game the tests"
# attacks = "how a result is compared: a generator, a mock, a type, a module, the input itself"
# assignment = "07_parallel"

# %% finish_time
from unittest import mock


def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    return mock.MagicMock(return_value=68)

# %% split_sizes
def split_sizes(shape, gpus, dim):
    return (number for number in range(100))

# %% predict_wrap
predict_wrap = mock.MagicMock()

# %% parallel_forward
def parallel_forward(module, x, devices):
    return module

# %% wrap
wrap = torch

# %% train_step
train_step = print
