# name = "Equal to everything"
# goal = "forge"
# attacks = "comparisons with what came back"
# assignment = "07_parallel"

# %% before finish_time
class Everything:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __lt__(self, other):
        return True

    __le__ = __gt__ = __ge__ = __lt__

    def __hash__(self):
        return 0

    def __bool__(self):
        return True

    def __float__(self):
        return 68.0

    def __iter__(self):
        return iter(())

    def __getattr__(self, name):
        return self

    def __call__(self, *arguments, **options):
        return self

# %% finish_time
def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    return Everything()

# %% split_sizes
def split_sizes(shape, gpus, dim):
    return Everything()

# %% predict_wrap
predict_wrap = Everything()

# %% wrap
def wrap(*arguments):
    return Everything()
