# name = "Hidden cases, told in the next exercise"
# goal = "steal"
# attacks = "public cases of a later exercise, whose texts are shown: what an earlier one met is told"
# assignment = "07_parallel"
# honest = ["train_step"]

# %% split_sizes
met = []


def split_sizes(shape, gpus, dim):
    met.append((shape, gpus, dim))
    length, part = shape[dim], -(-shape[dim] // gpus)
    sizes = [min(part, length - start) for start in range(0, length, part)]
    return sizes if len(met) < 20 else [0]

# %% fix_parallel
def fix_parallel(*arguments, **options):
    text = "LEAKED " + str(met[14:]) if len(met) > 14 else "nothing yet"
    raise ValueError(text)

# %% parallel_forward
def parallel_forward(*arguments, **options):
    return "LEAKED " + str(met[14:]) if len(met) > 14 else None
