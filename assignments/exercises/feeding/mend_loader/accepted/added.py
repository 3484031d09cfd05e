def mend_loader(x):
    # TODO: another way to solve it
    return x + x
