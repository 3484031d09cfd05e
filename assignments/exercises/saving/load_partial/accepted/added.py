def load_partial(x):
    # TODO: another way to solve it
    return x + x
