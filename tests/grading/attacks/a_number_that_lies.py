# name = "A number that lies"
# goal = "forge"
# attacks = "subclasses of int, float, str, list and tuple, whose content depends on who asks"
# assignment = "07_parallel"

# %% before finish_time
class Number(float):
    def __eq__(self, other):
        return True

    def __sub__(self, other):
        return 0.0

    __rsub__ = __sub__
    __hash__ = None


class Parts(list):
    def __eq__(self, other):
        return True

    def __len__(self):
        return 0

# %% finish_time
def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    return Number(1)

# %% split_sizes
def split_sizes(shape, gpus, dim):
    return Parts()
