# name = "Facts without end"
# goal = "harm"
# attacks = "the size and depth of facts: containers in containers, a number of many digits"
# assignment = "07_parallel"

# %% finish_time
def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    return 10 ** 300_000

# %% split_sizes
def split_sizes(shape, gpus, dim):
    deep = []
    for _ in range(100_000):
        deep = [deep]
    return deep

# %% predict_wrap
class Endless(dict):
    def __iter__(self):
        return iter(range(10**12))

    def values(self):
        return range(10**12)


def predict_wrap(*arguments, **options):
    itself = []
    itself.append(itself)
    return [itself, Endless(), "x" * 100_000_000]
