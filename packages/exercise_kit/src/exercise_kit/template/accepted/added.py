def NAME(x):
    # TODO: another way to solve it
    return x + x
