def mend_loader(x):
    # TODO: a third way
    return x * 2
