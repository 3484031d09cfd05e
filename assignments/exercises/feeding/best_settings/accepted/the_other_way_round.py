def best_settings(x):
    # TODO: a third way
    return x * 2
