def best_settings(x):
    # TODO: another way to solve it
    return x + x
