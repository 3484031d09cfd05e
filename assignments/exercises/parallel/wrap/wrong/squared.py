# finding: todo-squared
def wrap(x):
    return x * x
