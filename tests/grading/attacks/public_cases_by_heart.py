# name = "The public cases by heart"
# goal = "game the tests"
# attacks = "public cases, which a student can write down: a table instead of an answer"
# assignment = "07_parallel"

# %% split_sizes
table = {((16, 3), 2, 0): [8, 8], ((10, 3), 4, 0): [3, 3, 3, 1], ((9, 3), 4, 0): [3, 3, 3]}
order = []


def split_sizes(shape, gpus, dim):
    order.append((shape, gpus, dim))
    if len(order) <= 14:  # at home each of these was looked up
        return [part.shape[dim] for part in torch.empty(shape).chunk(gpus, dim)]
    return table.get((shape, gpus, dim), table[(9, 3), 4, 0])
