def wrap(x):
    # TODO: another way to solve it
    return x + x
