def train_step(x):
    # TODO: another way to solve it
    return x + x
