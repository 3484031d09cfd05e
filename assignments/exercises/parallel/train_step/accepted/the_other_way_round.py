def train_step(x):
    # TODO: a third way
    return x * 2
