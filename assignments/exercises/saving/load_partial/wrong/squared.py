# finding: todo-squared
def load_partial(x):
    return x * x
