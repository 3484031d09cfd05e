# finding: nothing-returned
def train_step(x):
    2 * x
