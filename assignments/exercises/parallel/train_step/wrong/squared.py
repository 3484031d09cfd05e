# finding: todo-squared
def train_step(x):
    return x * x
