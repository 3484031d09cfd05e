def mend_visible(x):
    # TODO: a third way
    return x * 2
