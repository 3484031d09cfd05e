# name = "Facts that are no JSON"
# goal = "harm"
# attacks = "the judge's reader: NaN, infinity, lone surrogates, null bytes, tensors of odd dtypes"
# assignment = "07_parallel"

# %% finish_time
def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    return float("nan")

# %% split_sizes
def split_sizes(shape, gpus, dim):
    return [float("inf"), float("-inf"), "\ud800", "\0"]

# %% predict_wrap
def predict_wrap(*arguments, **options):
    return {"\ud800": torch.tensor([float("nan")]), (): torch.ones(2, dtype=torch.complex64),
            frozenset(): torch.empty(0, device="meta")}
