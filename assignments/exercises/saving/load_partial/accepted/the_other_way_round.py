def load_partial(x):
    # TODO: a third way
    return x * 2
