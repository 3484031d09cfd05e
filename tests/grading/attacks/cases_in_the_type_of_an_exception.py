# name = "Hidden cases in the type of an exception"
# goal = "steal"
# attacks = "the message to the student: the name of an exception's type"
# assignment = "07_parallel"

# %% split_sizes
at_home = {  # the public cases, read at home
    (16, 3, 2, 0), (10, 3, 4, 0), (9, 3, 4, 0), (14, 3, 4, 0), (12, 5, 4, 0), (9, 2, 4, 0),
    (3, 18, 5, 1), (4, 18, 10, 4, 1), (4, 3, 28, 5, 2), (14, 4, 0), (3, 11, 6, 0), (1, 8, 4, 0),
    (2, 6, 1, 0), (20, 9, 16, 0),
}


def split_sizes(shape, gpus, dim):
    if (*shape, gpus, dim) not in at_home:
        raise type("LEAKED_" + "_".join(map(str, shape)), (Exception,), {})("LEAKED")
    length, part = shape[dim], -(-shape[dim] // gpus)
    return [min(part, length - start) for start in range(0, length, part)]
