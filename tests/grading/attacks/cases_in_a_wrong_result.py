# name = "Hidden cases in a wrong result"
# goal = "steal"
# attacks = "the message to the student: what was seen and expected"
# assignment = "07_parallel"

# %% split_sizes
seen = []


def split_sizes(shape, gpus, dim):
    seen.append((shape, gpus, dim))
    if len(seen) > 14:
        return f"LEAKED {seen[-1]}"
    length, part = shape[dim], -(-shape[dim] // gpus)
    return [min(part, length - start) for start in range(0, length, part)]
