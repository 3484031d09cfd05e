# finding: other-result
def train_step(x):
    return x
