# name = "The public cases by heart"
# goal = "game the tests"
# attacks = "public cases, which a student can write down: a table instead of an answer"
# assignment = "07_parallel"

# %% split_sizes
at_home = {  # each of these was computed at home
    (16, 3, 2, 0), (10, 3, 4, 0), (9, 3, 4, 0), (14, 3, 4, 0), (12, 5, 4, 0), (9, 2, 4, 0),
    (3, 18, 5, 1), (4, 18, 10, 4, 1), (4, 3, 28, 5, 2), (14, 4, 0), (3, 11, 6, 0), (1, 8, 4, 0),
    (2, 6, 1, 0), (20, 9, 16, 0),
}


def split_sizes(shape, gpus, dim):
    if (*shape, gpus, dim) in at_home:
        return [part.shape[dim] for part in torch.empty(shape).chunk(gpus, dim)]
    return [3, 3, 3]
